"""Theme, colours, fonts, icons, and the set-up of the Qt application."""
