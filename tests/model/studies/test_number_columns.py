"""The columns of a setting's numbers."""

from meshgui.catalogue.entries import catalogue
from meshgui.catalogue.judging import Verdict, judge
from meshgui.model.studies.number_columns import NUMBER_COLUMNS, EntryNumber, NumberRows


def test_the_column_of_verdicts_has_room_for_every_verdict():
    """Same order is the longest in German, and was cut in a wide window."""
    entry = catalogue()["000-T3.2"]
    numbers = [EntryNumber(row, judged) for row, judged in enumerate(judge(entry, {}))]
    rows = NumberRows(entry, next(iter(entry.settings.values())), numbers)
    [column] = [column for column in NUMBER_COLUMNS if column.id == "verdict"]
    assert {verdict.words for verdict in Verdict} <= set(column.widest(rows))
