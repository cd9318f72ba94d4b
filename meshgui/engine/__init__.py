"""The simulator: scenarios in, recordings out. It knows nothing of windows."""
