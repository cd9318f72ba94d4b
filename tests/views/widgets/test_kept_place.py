"""Choices that are kept in the settings."""

import pytest
from PySide6.QtCore import QSettings

from meshgui.views.widgets.kept_place import keep, kept_or


@pytest.fixture
def settings(tmp_path):
    """The settings of a program that has kept none."""
    return QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)


@pytest.mark.parametrize(
    ("choice", "other"), [("dark", ""), ("true", ""), (125, 100), (True, False), (False, True), (9.5, 8.0)]
)
def test_a_choice_is_found_as_it_was_kept(settings, tmp_path, choice, other):
    """Also by the next program, and of its kind."""
    assert kept_or(settings, "choice", other) == other
    keep(settings, "choice", choice)
    settings.sync()
    again = kept_or(QSettings(settings.fileName(), QSettings.Format.IniFormat), "choice", other)
    assert (again, type(again)) == (choice, type(choice))


@pytest.mark.parametrize(
    ("written", "other", "read"),
    [
        ("dark", "", "dark"),
        ("1", False, True),
        (0, True, False),
        ("true", False, True),
        (5, 2, 5),
        (9.5, 8.0, 9.5),
    ],
)
def test_what_older_versions_wrote_is_read(settings, written, other, read):
    """A plain text, or a number for yes and no."""
    settings.setValue("choice", written)
    assert kept_or(settings, "choice", other) == read


@pytest.mark.parametrize(
    "written", ["many", "[1]", "{", "NaN", "Infinity", "1e300", "9" * 400, "null", b"\x00"]
)
@pytest.mark.parametrize("other", [2, 8.0, True])
def test_what_is_no_number_is_not_taken_for_one(settings, written, other):
    """Nor one that no field takes."""
    settings.setValue("choice", written)
    assert kept_or(settings, "choice", other) == other
