"""Opens the window in the pseudo language and prints every text outside its marks, then each room's count.

A process of its own, started by test_appearance: a language is chosen when the program is imported.
"""

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from PySide6.QtCore import QAbstractListModel, QSettings, Qt
from PySide6.QtGui import QAction, QPainter, QPainterPath
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QDockWidget,
    QWidget,
)

from meshgui.engine.allocation.registry import strategies
from meshgui.model.base.recent import RecentFiles
from meshgui.model.document.examples import example
from meshgui.model.exercises.exercise import KINDS, ExerciseKey
from meshgui.views.mesh.solid import opengl
from meshgui.views.style.application import qt_application
from meshgui.views.style.direction import write
from meshgui.views.style.theme import ThemeManager
from meshgui.views.window.main_window import MainWindow
from tests.views.conftest import handle_events

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
SPLIT = ("sentence_bar.py", "code_pane.py")  # these paint words and lines of a message
# Names, titles of scenarios and papers, and keys are in no language.
NAMES = re.compile(
    r"MeshGUI|TBL under load|GABL and messa\S*|gabl|paging|8×8×8|fcfs|Turning Busy List"
    r"|tcp://HOST:8786"
    r"|Bani-Mohammad 2008|Bani-Ahmad(\W+bounded partitioning| 2012)|Lo et al. 1994|Tsai\W+Lei\W+Lai"
    r"|Glass|Ni 1992|Chiu 2000"
    r"|Efficient Processor Allocation Strategies for Mesh-Connected Multicomputers"
    r"|\w*…|Scroll (Left|Right)|\(uniform\)|§[IV]+|"
    + "|".join(rf"\b{name}\b" for name in strategies())  # of settings and papers
    + r"|\b((Ctrl|Shift|Alt|Meta)\+)+\S+|\b(Space|Home|End|Esc|PgUp|PgDown|Return|Del)\b"
)


def outside_marks(text: str) -> str:
    """What of a text is no message."""
    depth, left = 0, []
    for letter in re.sub("<[^>]*>", "", text):
        depth += (letter == "⟦") - (letter == "⟧")
        left.append(letter if depth == 0 else " ")
    return NAMES.sub("", "".join(left))


def texts_of(root: QWidget, *, hidden_too: bool) -> Iterator[tuple[object, str]]:
    """The texts of the widgets in a window, of their actions and of the cells of their tables."""
    widgets = [root, *root.findChildren(QWidget)]
    for widget in widgets if hidden_too else [widget for widget in widgets if widget.isVisible()]:
        if isinstance(widget, QAbstractButton) and isinstance(widget.parent(), QDockWidget):
            continue  # of Qt: in no language but English and those that Qt has
        for name in TEXTS:
            read = getattr(widget, name, None)
            if callable(read) and isinstance(text := read(), str):
                yield widget, text
        if isinstance(widget, QComboBox):
            yield from ((widget, widget.itemText(place)) for place in range(widget.count()))
        if isinstance(widget, QAbstractItemView) and (model := widget.model()) is not None:
            across = range(1 if isinstance(model, QAbstractListModel) else model.columnCount())
            cells = [
                model.index(row, column) for row in range(min(model.rowCount(), 20)) for column in across
            ]
            heads = [model.headerData(column, Qt.Orientation.Horizontal) for column in across]
            said = [*heads, *(cell.data(role) for cell in cells for role in ROLES)]
            yield from ((widget, text) for text in said if isinstance(text, str))
    for action in root.findChildren(QAction):
        yield from ((action, text) for text in (action.text(), action.toolTip()))


def record_painted(painted: set[str]) -> None:
    """Keep what is painted: timelines, legends, plots and meshes have no widgets for their words."""
    for owner, name in ((QPainter, "drawText"), (QPainterPath, "addText")):
        before = getattr(owner, name)

        def draw(self: object, *given: object, _before: Callable[..., object] = before) -> object:
            caller = sys._getframe(2) if sys._getframe(1).f_code is write.__code__ else sys._getframe(1)
            if not caller.f_code.co_filename.endswith(SPLIT):
                painted.update(one for one in given if isinstance(one, str))
            return _before(self, *given)

        setattr(owner, name, draw)


class Walk:
    """Opens rooms of the program, and collects their texts."""

    def __init__(self, folder: Path) -> None:
        self._painted: set[str] = set()
        record_painted(self._painted)
        application = qt_application()
        opengl.SAMPLES = 0  # no picture is looked at here
        settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
        self.window = MainWindow(ThemeManager(application, "light"), settings, RecentFiles(folder))
        self.window.resize(1600, 1000)
        self.window.show()
        self._found: set[tuple[str, str]] = set()
        self.count = 0

    def wait(self, done: Callable[[], object]) -> None:
        """Let the program go on until something is true."""
        for _ in range(1200):
            QTest.qWait(50)
            if done():
                return
        sys.exit("nothing came of it in a minute")

    def look(self, *, hidden_too: bool = True) -> None:
        """Collect the texts of all windows as they are now."""
        handle_events()
        for root in QApplication.topLevelWidgets():
            if root.isVisible():
                root.grab()  # what was hidden by other windows is painted too
                texts = list(texts_of(root, hidden_too=hidden_too))
                self.count += len(texts)
                self._found.update((type(owner).__name__, text) for owner, text in texts)

    def wrong(self) -> list[tuple[str, str]]:
        """The texts that have words outside the marks, with the kinds of widgets that say them."""
        commands = {("Command", text) for c in self.window.commands for text in (c.title, c.help)}
        painted = {("painted", text) for text in self._painted}
        return sorted(
            (kind, text)
            for kind, text in self._found | commands | painted
            if re.search("[A-Za-z]{2}", outside_marks(text))
        )

    def open(self, name: str) -> None:
        """Open a ready scenario, and wait for its run."""
        self.window.documents.open_example(example(name))
        cursor = self.window.time_cursor
        self.wait(lambda: not self.window.documents.run.running and cursor.recording is not None)

    def scenarios(self) -> None:
        """The window as it opens, and with two scenarios in their steps, in 3D and flat."""
        self.look()
        for name in ("tbl-under-load", "gabl-contention-16x16"):
            self.open(name)
            self.window.commands.trigger("time.by-line")
            for time in (5.0, 40.0):
                self.window.time_cursor.go_to_time(time)
                for _ in range(3):
                    self.window.player.step_forward()
                    handle_events()
                self.look()
            self.window.commands.trigger("mesh.flat")
            self.look()

    def studies(self) -> None:
        """Experiment, comparison and published results."""
        self.open("tbl-under-load")
        studies = self.window.studies
        self.window.commands.trigger("run.compare")
        runs = studies.comparison.comparison
        self.wait(lambda: runs.runs and all(run.over for run in runs.runs))
        studies.comparison.show_difference(1)
        self.look()
        self.window.centre.tabs.close_page()
        self.window.commands.trigger("run.gallery")
        self.look()
        studies.gallery.close()
        self.window.commands.trigger("run.experiment")
        self.look()
        studies.experiment.close()

    def lessons(self) -> None:
        """The lessons, the tour, the keys, and an exercise of each kind before and after its answer."""
        commands, exercises = self.window.commands, self.window.exercises
        for name in ("lesson.list", "help.tour", "window.keys"):
            commands.trigger(name)
            self.look()
            commands.trigger("file.welcome")
        for place, kind in enumerate(KINDS):
            exercises.ask(ExerciseKey(kind=kind, strategy="tbl", shape=(8, 8), seed=place))
            self.wait(lambda: exercises.session.open)
            self.look(hidden_too=False)
            exercises.session.answer(exercises.session.exercise.right)
            self.look(hidden_too=place == 0)


def main(folder: Path) -> None:
    """Walk through all rooms in one window."""
    walk = Walk(folder)
    counts = []
    for room in (walk.scenarios, walk.studies, walk.lessons):
        room()
        counts.append(walk.count - sum(counts))
    sys.stdout.write("".join(f"{kind}: {text!r}\n" for kind, text in walk.wrong()))
    print(*counts)  # noqa: T201 - for the test that has started this


if __name__ == "__main__":
    main(Path(sys.argv[1]))
