"""One module a command; each holds a click command called ``command`` and imports what it needs when it runs."""
