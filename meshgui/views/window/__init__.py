"""The main window: its panels and commands, the welcome page, files and runs."""
