"""What a strategy keeps, as tables, trees, grids and charts."""
