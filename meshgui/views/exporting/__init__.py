"""Exports pictures and tables: the commands, the dialog, the files, and pictures of widgets by copies."""
