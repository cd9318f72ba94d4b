"""Commands: the registry behind menus, palette, keys and their sheet."""
