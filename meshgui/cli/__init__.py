"""The command line: one file a command; see `entry` for the way through."""
