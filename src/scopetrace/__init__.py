"""scopetrace: why did an instruction file load, or not load, at this point of a session?"""
