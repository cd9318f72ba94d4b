"""The timeline: events, curves, jobs and packets over time, and the part of it that is shown."""
