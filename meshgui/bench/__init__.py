"""Measures the figures of the performance budget, each beside its baseline in the same run."""
