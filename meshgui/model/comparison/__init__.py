"""Runs beside each other: their clock, tables and where they part."""
