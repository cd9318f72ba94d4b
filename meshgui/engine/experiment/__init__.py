"""Experiments: grids of runs, replicated until precise, kept in a store, made by one executor or another."""
