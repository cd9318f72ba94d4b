"""Experiments, batches and published results: drafts, sessions, tables and charts."""
