"""The window of runs side by side: their meshes, one clock, the first difference, lines and measures."""
