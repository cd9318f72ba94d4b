"""The inspector: a strategy's structures as tables, trees, grids and charts."""
