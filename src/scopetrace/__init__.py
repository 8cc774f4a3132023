"""scopetrace: why did an instruction file load, or not load, at this point of a session?"""

__version__ = "0.1.0"
