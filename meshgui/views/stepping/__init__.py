"""Moving through a run: the commands and buttons for it, places to go to, and searches for them."""
