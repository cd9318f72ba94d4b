"""Exports of plots, tables and the mesh: the dialog, the files, and copies drawn off the screen."""
