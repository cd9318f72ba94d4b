"""Rows and columns of tables, as shown and as exported."""
