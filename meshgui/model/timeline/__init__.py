"""A run over all of its time: curves, lanes of jobs, spans of packets."""
