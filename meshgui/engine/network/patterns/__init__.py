"""The patterns in which a job's processes send messages to each other, and their registry."""
