"""A run: the event loop and its compiled twin, what they record, and the measures of it."""
