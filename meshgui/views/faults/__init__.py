"""Faults of the program itself: errors that nothing handled, crashes, and the report of them."""
