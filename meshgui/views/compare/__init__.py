"""The page of runs side by side: their meshes, one clock, their differences, lines and measures."""
