"""The scenarios that are open in a window: their files, tabs, edits and runs."""
