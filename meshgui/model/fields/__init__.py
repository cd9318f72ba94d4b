"""The fields of scenario files: their labels, limits and start values."""
