"""The tables of jobs, and why a job waits."""
