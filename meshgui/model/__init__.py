"""The state that views show, as plain Python with change events: cursor, selection, tables, sessions."""
