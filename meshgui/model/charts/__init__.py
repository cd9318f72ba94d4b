"""Axes, series and curves, as data that any painter can draw."""
