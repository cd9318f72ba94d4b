"""The window: one file a view, and the theme, type, icons and commands they share."""
