"""What a table of the window says."""

__all__ = ["column_of", "texts"]


def texts(table):
    """All of it, hidden columns too."""
    rows = table.rows
    return [tuple(rows.cell(r, c).text for c in range(rows.columnCount())) for r in range(rows.rowCount())]


def column_of(table, title):
    """Where a column stands."""
    return [column.title for column in table.rows.columns].index(title)
