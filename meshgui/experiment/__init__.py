"""Runs many simulations: grids, replications, stores, workers, bundles."""
