"""Opens the window in the pseudo language and prints every text that stands outside its marks.

A process of its own, started by test_language: a language is chosen when the program is imported.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QComboBox, QDockWidget, QWidget

from meshgui.model.examples import example
from meshgui.model.recent import RecentFiles
from meshgui.views.style.application import qt_application
from meshgui.views.style.theme import ThemeManager
from meshgui.views.window.main_window import MainWindow

TEXTS = (
    "text",
    "toolTip",
    "accessibleName",
    "accessibleDescription",
    "placeholderText",
    "title",
    "statusTip",
)
ROLES = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole)
# Names, titles of scenarios, citations and keys are in no language.
NAMES = re.compile(
    r"MeshGUI|TBL under load|GABL and messa\S*|gabl|paging|Bani-Mohammad 2008|Turning Busy List"
    r"|chapter \d|figures? [\d.]+( to [\d.]+)?|appendix \w|Scroll (Left|Right)"
    r"|\((Ctrl|Shift|Alt|Space|Home|End|Meta|Esc)[^)]*\)"
)


def outside_marks(text: str) -> str:
    """What of a text is no message."""
    depth, left = 0, []
    for letter in re.sub("<[^>]*>", "", text):
        depth += (letter == "⟦") - (letter == "⟧")
        left.append(letter if depth == 0 else " ")
    return NAMES.sub("", "".join(left))


def texts_of(root: QWidget) -> Iterator[tuple[object, str]]:
    """The texts of all widgets in a window, of their actions and of the cells of their tables."""
    for widget in [root, *root.findChildren(QWidget)]:
        if isinstance(widget, QAbstractButton) and isinstance(widget.parent(), QDockWidget):
            continue  # of Qt: in no language but English and those that Qt has
        for name in TEXTS:
            read = getattr(widget, name, None)
            if callable(read) and isinstance(text := read(), str):
                yield widget, text
        if isinstance(widget, QComboBox):
            yield from ((widget, widget.itemText(place)) for place in range(widget.count()))
        if isinstance(widget, QAbstractItemView) and (model := widget.model()) is not None:
            across = range(model.columnCount())
            cells = [
                model.index(row, column) for row in range(min(model.rowCount(), 20)) for column in across
            ]
            heads = [model.headerData(column, Qt.Orientation.Horizontal) for column in across]
            said = [*heads, *(cell.data(role) for cell in cells for role in ROLES)]
            yield from ((widget, text) for text in said if isinstance(text, str))
    for action in root.findChildren(QAction):
        yield from ((action, text) for text in (action.text(), action.toolTip()))


def main(folder: Path) -> None:
    """Walk the window as it opens, and with two scenarios in their steps."""
    application = qt_application()
    settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    window = MainWindow(ThemeManager(application, "light"), settings, RecentFiles(folder))
    window.resize(1600, 1000)
    window.show()
    found = list(texts_of(window))
    for name in ("tbl-under-load", "gabl-contention-16x16"):
        window.open_example(example(name))
        for _ in range(600):
            QTest.qWait(50)
            if not window.scenario_run.running and window.time_cursor.recording is not None:
                break
        window.commands.trigger("time.by-line")
        for time in (5.0, 40.0):
            window.time_cursor.go_to_time(time)
            for _ in range(3):
                window.player.step_forward()
                QTest.qWait(20)
            found += texts_of(window)
    found += [(command, text) for command in window.commands for text in (command.title, command.help)]
    wrong = {
        (type(owner).__name__, text) for owner, text in found if re.search("[A-Za-z]{4}", outside_marks(text))
    }
    sys.stdout.write("".join(f"{kind}: {text!r}\n" for kind, text in sorted(wrong)))
    sys.stdout.write(f"{len(found)} texts\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
