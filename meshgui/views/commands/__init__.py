"""Commands: the registry, the palette, the sheet of shortcuts and the transport buttons."""
