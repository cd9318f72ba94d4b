"""The export commands of a window: find the picture or table, ask how and where, write, and report."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import chain
from operator import length_hint
from pathlib import Path
from typing import Final, TypeVar

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QMenu, QWidget

from meshgui.engine.basics.files import os_fault, whole_file
from meshgui.engine.basics.translation import tr, tr_n
from meshgui.engine.basics.words import count_of, in_quotes
from meshgui.engine.basics.work import Stopped
from meshgui.model.base.picture_formats import PictureError, PictureFormat
from meshgui.model.tables.tables import PlainTable, TooLongError, pasted, write_csv
from meshgui.views.exporting.dialog import ExportChoice, ExportDialog
from meshgui.views.exporting.exportable import (
    Picture,
    ancestors,
    entries_of,
    picture_under,
    pictures_of,
    tables_of,
    visible_widgets,
)
from meshgui.views.exporting.picture_files import draw_image, write_picture
from meshgui.views.style.direction import among_words
from meshgui.views.style.theme import ThemeManager
from meshgui.views.style.theme_colours import EXPORT
from meshgui.views.widgets.building import literal
from meshgui.views.widgets.file_progress import FileWork
from meshgui.views.widgets.notice import Notice, Topic
from meshgui.views.widgets.save_dialog import SaveDialog, file_stem
from meshgui.views.widgets.written_file import say_written

T = TypeVar("T")

_COPY_SCALE: Final = 2


class Exporter(QObject):
    """The export commands of one window; its notice says what was written, and what could not be.

    Files are named after the `title` of what the window shows, where pictures and tables are not. What the
    window has in front, such as plots, is offered first; otherwise what has the keys.
    """

    done = Signal(str)  # a sentence about what is in no file

    def __init__(
        self,
        save_dialog: SaveDialog,
        themes: ThemeManager,
        notice: Notice,
        title: Callable[[], str] = str,
        foremost: Callable[[], QWidget | None] | None = None,
    ) -> None:
        super().__init__(save_dialog.window)
        self._foremost = foremost or save_dialog.window.focusWidget
        self._save_dialog, self._themes, self._notice, self._title = save_dialog, themes, notice, title
        self._window = save_dialog.window

    @property
    def window(self) -> QWidget:
        """The window whose commands these are."""
        return self._window

    def fail(self, sentence: str) -> None:
        """Say why there is no file."""
        self._notice.tell(sentence, topic=Topic.EXPORT)

    def say_written(self, path: Path, detail: str = "") -> None:
        """Say that a file was written."""
        say_written(self._notice, path, detail)

    # What is meant

    def pictures(self, place: QWidget | None) -> list[Picture]:
        """The visible pictures; first those in a widget, at it or around it."""
        inside = () if place is None else visible_widgets(place)
        return _unique(pictures_of, chain(ancestors(place), inside, visible_widgets(self._window)))

    def tables(self, place: QWidget | None) -> list[PlainTable]:
        """The visible tables, in the same order."""
        return _unique(tables_of, chain(ancestors(place), visible_widgets(self._window)))

    # Commands

    def export_picture(self) -> None:
        """Ask for the choices of the picture in front, or of another visible one, and write it."""
        self.ask_about(self.pictures(self._foremost()))

    def export_table(self) -> None:
        """Ask where to write the table in focus; without one, which of the visible tables."""
        self._choose_table(self.export)

    def copy_table(self) -> None:
        """Copy the table in focus; without one, ask which of the visible tables."""
        self._choose_table(self.copy)

    def show_table(self) -> None:
        """Show the table of what is in focus in a window of its own; without one, ask which."""
        self._choose_table(self.show)

    def show(self, table: PlainTable) -> None:
        """Show a table in a window of its own."""
        from meshgui.views.exporting.table_sheet import TableSheet  # noqa: PLC0415 - at first use

        TableSheet(table, self._window, self._themes, partial(self.export, table)).show()

    def show_menu(self, place: QWidget, at: QPoint) -> bool:
        """Open the menu of a widget at a point of the screen; False if it would be empty."""
        menu = QMenu(self._window)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.fill(menu, place, at)
        if menu.isEmpty():
            menu.deleteLater()
            return False
        menu.popup(at)
        return True

    def fill(self, menu: QMenu, place: QWidget, at: QPoint | None = None) -> None:
        """Fill a menu with the entries of the innermost widget that has any.

        Of several pictures that at a point of the screen comes first.
        """
        for widget in ancestors(place, self._window):
            entries, tables = entries_of(widget), tables_of(widget)
            pictures = (*picture_under(widget, at), *pictures_of(widget))
            for words, act in entries:
                menu.addAction(words, act)
            if pictures:
                menu.addAction(tr("Export picture…"), partial(self.ask_about, list(pictures)))
                menu.addAction(tr("Copy picture"), partial(self.copy_image, pictures[0]))
            if pictures and tables:
                menu.addAction(tr("Show as a table…"), partial(self._choose_among, list(tables), self.show))
            for table in tables:
                title = f" {in_quotes(table.title)}" if len(tables) > 1 else ""
                menu.addAction(
                    tr("Export table{title} as CSV…").format(title=title), partial(self.export, table)
                )
            for table in tables[:1]:
                menu.addAction(tr("Copy table"), partial(self.copy, table))
            if not menu.isEmpty():
                return

    # Pictures

    def ask_about(self, pictures: Sequence[Picture]) -> None:
        """Ask for the choices and the file, and write; nothing is written after a cancel."""
        if not pictures:
            self.fail(tr("There is no picture to export: open a scenario first."))
            return
        dialog = ExportDialog(pictures, self._save_dialog.settings, self._themes, self._window)
        try:
            if dialog.exec() != QDialog.DialogCode.Accepted:
                return
            choice = dialog.choice
        finally:
            dialog.deleteLater()
        # The chosen one first; another may be typed
        forms = sorted(PictureFormat, key=lambda form: form != choice.form)
        kinds = ";;".join(f"{form.name} (*.{form.value})" for form in forms)
        path = self.ask_where(choice.picture.title, kinds, self._title())
        if path is not None:
            self.write(choice, path)

    def copy_picture(self) -> None:
        """Copy the picture in focus, or the first visible one."""
        pictures = self.pictures(self._foremost())
        if pictures:
            self.copy_image(pictures[0])
        else:
            self.fail(tr("There is no picture to copy: open a scenario first."))

    def copy_image(self, picture: Picture) -> None:
        """Copy a picture to the clipboard, light and twice as fine as on the screen."""
        try:
            with self._work(tr("Copying {picture}").format(picture=picture.title)) as work:
                image = draw_image(picture.paint, picture.size, EXPORT, _COPY_SCALE, work)
        except Stopped:
            self.done.emit(tr("The picture was not copied."))
            return
        except PictureError as error:
            self.fail(str(error))
            return
        QGuiApplication.clipboard().setImage(image)
        self.done.emit(
            tr("{picture}: copied, {width}×{height} pixels.").format(
                picture=picture.title, width=image.width(), height=image.height()
            )
        )

    def write(self, choice: ExportChoice, path: Path) -> None:
        """Write a picture, and report its file or the error; the window answers meanwhile."""
        title = choice.picture.title
        try:
            with self._work(tr("Writing {path}").format(path=among_words(path.name))) as work:
                write_picture(
                    path,
                    choice.picture.paint,
                    choice.size,
                    theme=choice.theme,
                    scale=choice.scale,
                    title=title,
                    description=tr("{title}. Drawn by MeshGUI.").format(title=title),
                    work=work,
                )
        except Stopped:
            self.done.emit(tr("The picture was not written."))
        except PictureError as error:
            self.fail(str(error))
        else:
            self.say_written(path)

    def _work(self, words: str) -> FileWork:
        """The drawing of a picture; the window is in its own theme meanwhile."""
        return FileWork(words.replace("{", "{{").replace("}", "}}"), self._window, self._themes.lent)

    # Tables

    def export(self, table: PlainTable) -> None:
        """Ask for a file, and write the table as CSV."""
        path = self.ask_where(table.title, tr("CSV (*.csv)"), self._title())
        if path is not None:
            self.write_table(table, path)

    def write_table(self, table: PlainTable, path: Path) -> None:
        """Write a table; a long one shows its progress, can be stopped, and keeps the window alive."""
        count = length_hint(table.rows)
        writing = write_csv(path, table)
        written = 0
        try:
            with FileWork(tr("Writing {path}"), self._window, name=path.name) as work:
                for written in writing:
                    work.report(written, max(count, 1))
        except Stopped:
            self.done.emit(tr("The table was not written."))
        except OSError as error:
            self.fail(
                tr("{path} cannot be written: {fault}.").format(path=among_words(path), fault=os_fault(error))
            )
        except ValueError as error:  # what a third-party strategy may show
            self.fail(tr("The table cannot be written: {error}.").format(error=error))
        else:
            self.say_written(path, count_of(written, "row", apart=True))
        finally:
            writing.close()

    def copy(self, table: PlainTable) -> None:
        """Copy a table to the clipboard in the format of spreadsheets."""
        try:
            text = pasted(table)
        except TooLongError as error:
            self.fail(str(error))
            return
        except ValueError as error:
            self.fail(tr("The table cannot be copied: {error}.").format(error=error))
            return
        QGuiApplication.clipboard().setText(text)
        rows = length_hint(table.rows)
        self.done.emit(
            tr_n(
                "{table}: {number:,} row copied.",
                "{table}: {number:,} rows copied.",
                rows,
                table=table.title,
            )
        )

    def _choose_table(self, act: Callable[[PlainTable], None]) -> None:
        focus = self._window.focusWidget()
        meant = _unique(tables_of, ancestors(focus))
        self._choose_among(meant[:1] or self.tables(None), act)

    def _choose_among(self, tables: Sequence[PlainTable], act: Callable[[PlainTable], None]) -> None:
        if not tables:
            self.fail(tr("No table is visible."))
        elif len(tables) == 1:
            act(tables[0])
        else:
            menu = QMenu(self._window)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            for table in tables:
                menu.addAction(literal(table.title), partial(act, table))
            menu.popup(self._window.mapToGlobal(self._window.rect().center()))

    # Where

    def ask_where(self, what: str, kinds: str, title: str = "") -> Path | None:
        """Ask for a file of one of some kinds, named after what is in it; None after a cancel."""
        return self._save_dialog.ask(tr("Export"), file_stem(what, title), kinds)

    def write_file(self, what: str, kinds: str, content: Callable[[], bytes]) -> None:
        """Ask for a file, write it, and report."""
        path = self.ask_where(what, kinds)
        if path is None:
            return
        try:
            with whole_file(path) as file:
                file.write(content())
        except OSError as error:
            self.fail(
                tr("{path} cannot be written: {fault}.").format(path=among_words(path), fault=os_fault(error))
            )
        else:
            self.say_written(path)


def _unique(kind: Callable[[QWidget], Sequence[T]], widgets: Iterable[QWidget]) -> list[T]:
    """Collect the offers of widgets, each widget once."""
    asked: set[int] = set()
    found: list[T] = []
    for widget in widgets:
        if id(widget) not in asked:
            asked.add(id(widget))
            found += kind(widget)
    return found
