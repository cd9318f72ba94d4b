"""The main window: composes the rooms; the welcome page, the tour, and how the program starts and ends."""
