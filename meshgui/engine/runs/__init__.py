"""A run: the event loop, what it records, and the measures of it."""
