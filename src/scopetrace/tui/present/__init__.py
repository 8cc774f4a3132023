"""What the screen shows, decided without Textual: a frame goes in, lines of text with roles come out."""
