"""The jobs of a run: drawn, listed, or taken from a trace."""
