"""The patterns in which a job's processes send messages to each other: one file each, and their registry."""
