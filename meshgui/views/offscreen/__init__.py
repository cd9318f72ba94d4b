"""Pictures and probes without a visible window."""
