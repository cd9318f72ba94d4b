"""Where one looks and what moves there: cursor, player, selection, bookmarks, breakpoints and searches."""
