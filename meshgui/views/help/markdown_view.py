"""A page of Markdown in the theme's faces and colours."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMimeData, QSize, Qt, QTimer, QUrl
from PySide6.QtGui import (
    QColor,
    QDesktopServices,
    QFont,
    QFontMetricsF,
    QImage,
    QImageReader,
    QResizeEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextImageFormat,
    QTextLength,
    QTextTable,
)
from PySide6.QtWidgets import QTextBrowser
from shiboken6 import isValid

from meshgui.engine.basics.limits import MAX_PAGE_PICTURES
from meshgui.engine.basics.page_limits import page_fault
from meshgui.engine.basics.translation import tr
from meshgui.model.lessons.lesson_pictures import (
    LessonPicture,
    LessonPictureError,
    PictureFolder,
    drawn_number,
)
from meshgui.views.help.sentence_picture import picture_of
from meshgui.views.style.direction import (
    has_letters_from_the_right,
    is_from_the_right,
    isolated,
    isolated_whole,
    without_isolates,
)
from meshgui.views.style.fonts import ARABIC_FAMILY
from meshgui.views.style.theme import TextSize, ThemeManager
from meshgui.views.widgets.building import wrapping
from meshgui.views.widgets.focus_ring import FocusRing

Draw = Callable[[int, int], QImage | None]
"""Draws a picture of a page by its number, from 0, at a width in pixels; None where there is none yet."""

_OUTSIDE: Final = frozenset({"http", "https", "mailto"})
_HEADINGS: Final[tuple[TextSize, ...]] = ("title", "lead", "body")
_VERBATIM: Final = re.compile(r"(```.*?```|``[^\n]+?``|`[^`\n]+`|\$[^$\n]*\$|\]\([^)\n]{0,500}\))", re.DOTALL)
_WORDS_OF_CODE: Final = re.compile(r"``?[^`]")
_TABLE: Final = re.compile(r"^```[\s\S]*?^```|(?:^\|.*\n?)+", re.MULTILINE)  # or code
_BAR: Final = re.compile(r"(?<!\\)\|")
_RANGE: Final = re.compile(r"\d (?:to|bis|إلى) (?=\d)|\d %|± \d")
_FEATURES: Final = (
    QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML
)
_LINE: Final = 145.0  # percent of the face's own line height, in a page
_PICTURE: Final = "\N{OBJECT REPLACEMENT CHARACTER}"  # what Qt has in its text for one


class MarkdownView(QTextBrowser):
    """Shows a page; Qt reads the Markdown, with HTML as text, and the theme has the fonts and colours."""

    def __init__(self, themes: ThemeManager, *, margin: int = 16, line: float = _LINE) -> None:
        super().__init__()
        self._themes, self._margin, self._line = themes, margin, line
        FocusRing(self, themes)
        self._page, self._fitted = "", 0
        self._pictures = PictureFolder(None)
        self._drawn: Draw = lambda _number, _width: None
        self.setOpenLinks(False)
        # Not at once: a page that is being laid out resizes the view itself
        self._fitting = QTimer(self, singleShot=True)
        self._fitting.timeout.connect(self._render)
        themes.changed.connect(self._render)
        self._render()

    def show_page(self, page: str, pictures: Path | None = None, drawn: Draw | None = None) -> None:
        """Show another page from its start, with the pictures of a folder, and with those drawn for it."""
        self._page = page_fault(page) or page
        self._pictures = PictureFolder(pictures)
        self._drawn = drawn or (lambda _number, _width: None)
        self._render()
        self.moveCursor(QTextCursor.MoveOperation.Start)  # it would be shown from where the cursor is
        self.verticalScrollBar().setValue(0)

    def show_heading(self, heading: str) -> None:
        """Scroll to a heading of the page; to its start if it has none of that name."""
        block = self.document().begin()
        sought = without_isolates(heading)
        while block.isValid() and not (
            block.blockFormat().headingLevel() and without_isolates(block.text()) == sought
        ):
            block = block.next()
        top = self.document().documentLayout().blockBoundingRect(block).top() if block.isValid() else 0
        self.verticalScrollBar().setValue(round(top))

    def loadResource(self, kind: int, name: QUrl | str, /) -> object:  # noqa: N802 - Qt's name
        """Load nothing: pictures are given to the document, and what is null Qt would look for itself."""
        del name
        if kind == QTextDocument.ResourceType.ImageResource.value:
            return _blank()
        return QByteArray(b" ")

    def createMimeDataFromSelection(self) -> QMimeData:  # noqa: N802 - Qt's name
        """What is copied: without the signs that order it among Arabic letters, which no terminal takes.

        Qt's own also has the pictures, which it would read from the disk.
        """
        selected, copied = self.textCursor().selection(), QMimeData()
        copied.setHtml(without_isolates(selected.toHtml()))
        copied.setText(without_isolates(selected.toPlainText()))
        return copied

    def resizeEvent(self, event: QResizeEvent, /) -> None:  # noqa: N802 - Qt's name
        """Fit the pictures to the new width."""
        super().resizeEvent(event)
        if "![" in self._page and self._room != self._fitted:
            self._fitting.start(0)

    @property
    def _room(self) -> int:
        """The width that a picture may have, with a scroll bar beside it."""
        beside = self.verticalScrollBar().sizeHint().width() + 2 * self.frameWidth()
        return self.width() - beside - 2 * self._themes.px(self._margin)

    def redraw(self) -> None:
        """Draw the page again where it is, as its pictures have come."""
        self._render()

    def height_at(self, width: int) -> int:
        """The height of the page at a width."""
        document = self.document()  # no clone: the document would keep each for as long as it lives
        shown = document.textWidth()
        document.setTextWidth(width - 2 * self.frameWidth())
        height = round(document.size().height()) + 2 * self.frameWidth()
        document.setTextWidth(shown)
        return height

    def _render(self) -> None:
        """Make the document of the page, as one change: each would lay out all of it again."""
        at = self.verticalScrollBar().value()
        self._fitted = self._room
        old, document = self.document(), QTextDocument(self)
        document.setUndoRedoEnabled(False)
        document.setDefaultFont(self._themes.text())
        document.setDocumentMargin(self._themes.px(self._margin))
        is_rtl = has_letters_from_the_right(self._page)
        page = _kept_together(self._page)
        document.setMarkdown(_ordered(page) if is_rtl else page, _FEATURES)
        change = QTextCursor(document)
        change.beginEditBlock()
        _read_bars_in_cells(document)
        self._give_pictures(document)
        if is_rtl:
            _widen_tables(document)
        block = document.begin()
        while block.isValid():
            self._dress(block, is_rtl=is_rtl)
            block = block.next()
        change.endEditBlock()
        self.setWordWrapMode(wrapping(self._page))
        self.setDocument(document)
        if isValid(old):  # its first one Qt deletes itself
            old.deleteLater()
        self.verticalScrollBar().setValue(at)

    def _give_pictures(self, document: QTextDocument) -> None:
        """Name each picture by a number and give it to the document: Qt would look for a file of its name."""
        numbers: dict[str, int] = {}  # all beyond the limit share one, which says so
        given: set[int] = set()
        for position, length, look in [*_pictures_in(document)]:
            number = numbers.setdefault(look.name(), min(len(numbers), MAX_PAGE_PICTURES))
            name = QUrl(f"picture:{number}")
            if number not in given:
                given.add(number)
                image = self._picture(look.name())
                document.addResource(QTextDocument.ResourceType.ImageResource.value, name, image)
            look.setName(name.toString())
            cursor = QTextCursor(document)
            cursor.setPosition(position)
            cursor.setPosition(position + length, QTextCursor.MoveMode.KeepAnchor)
            cursor.setCharFormat(look)

    def _picture(self, name: str) -> QImage:
        """A picture at the width of the page, if it is wider; else why it is not shown."""
        if (number := drawn_number(name)) is not None:
            return self._drawn(number, max(self._room, self._themes.px(120))) or _blank()
        try:
            image = _decoded(self._pictures.picture(name))
        except LessonPictureError as error:
            return self._sign(str(error))
        sharp, room = self.devicePixelRatioF(), self._room
        if image.width() > room > 0:
            image = image.scaledToWidth(round(room * sharp), Qt.TransformationMode.SmoothTransformation)
            image.setDevicePixelRatio(sharp)
        return image

    def _sign(self, sentence: str) -> QImage:
        """A sentence as a picture."""
        return picture_of(
            sentence,
            self._themes.text("caption"),
            self._themes.theme.colour("muted"),
            width=max(self._room, self._themes.px(120)),
            sharp=self.devicePixelRatioF(),
        )

    def _dress(self, block: QTextBlock, *, is_rtl: bool) -> None:
        cursor = QTextCursor(block)
        cursor.setPosition(block.position() + block.length() - 1, QTextCursor.MoveMode.KeepAnchor)
        layout, look = block.blockFormat(), QTextCharFormat()
        if layout.headingLevel():
            self._dress_heading(layout, look, first=block.blockNumber() == 0)
        elif _is_code(block):
            self._dress_code(block, layout, look)
        else:
            layout.setBottomMargin(self._themes.px(8) if block.next().isValid() else 0)
            layout.setLineHeight(
                self._line_of(block), int(QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
            )
            self._dress_words_of_code(block)
        if is_from_the_right(block.text()):  # also where it begins with a Latin name
            layout.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        elif is_rtl and not _is_code(block):  # Latin words or numbers alone
            layout.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute)
        cursor.setBlockFormat(layout)
        if layout.headingLevel():
            cursor.setCharFormat(look)  # Markdown's own would enlarge it besides
        else:
            cursor.mergeCharFormat(look)

    def _line_of(self, block: QTextBlock) -> float:
        """The percentage that sets lines as far apart in each script: the Arabic face's own are higher.

        A picture alone is as high as it is.
        """
        if block.text() and not block.text().strip(_PICTURE):
            return 100.0
        if not has_letters_from_the_right(block.text()):
            return self._line
        face = self._themes.text()
        arabic = QFont(face)
        arabic.setFamilies([ARABIC_FAMILY])
        return self._line * min(QFontMetricsF(face).height() / QFontMetricsF(arabic).height(), 1.0)

    def _dress_heading(self, layout: QTextBlockFormat, look: QTextCharFormat, *, first: bool) -> None:
        size = _HEADINGS[min(layout.headingLevel(), len(_HEADINGS)) - 1]
        look.setFont(self._themes.text(size, QFont.Weight.DemiBold))
        look.setForeground(self._themes.theme.colour("text"))
        layout.setTopMargin(0 if first else self._themes.px(16))
        layout.setBottomMargin(self._themes.px(6))

    def _dress_code(self, block: QTextBlock, layout: QTextBlockFormat, look: QTextCharFormat) -> None:
        """Format code: on a ground of its own, with long lines broken."""
        px, theme = self._themes.px, self._themes.theme
        look.setFont(self._themes.mono("caption"))
        look.setForeground(theme.colour("text"))
        layout.setBackground(theme.colour("hover"))
        layout.setNonBreakableLines(False)
        layout.setLeftMargin(0)
        layout.setTextIndent(0)
        layout.setTopMargin(0)
        last = not block.next().isValid() or not _is_code(block.next())
        layout.setBottomMargin(px(12) if last else 0)

    def _dress_words_of_code(self, block: QTextBlock) -> None:
        """Format code within a sentence, and links."""
        parts = []  # copied out first: what is dressed is another fragment
        iterator = block.begin()
        while not iterator.atEnd():
            part = iterator.fragment()
            style = part.charFormat()
            if style.fontFixedPitch() or style.isAnchor():
                parts.append((part.position(), part.length(), style.fontFixedPitch()))
            iterator += 1
        for position, length, is_code in parts:
            look = QTextCharFormat()
            if is_code:
                look.setFont(self._themes.mono("caption"))
                look.setBackground(self._themes.theme.colour("hover"))
            else:
                look.setForeground(self._themes.theme.colour("accent"))
            cursor = QTextCursor(block)
            cursor.setPosition(position)
            cursor.setPosition(position + length, QTextCursor.MoveMode.KeepAnchor)
            cursor.mergeCharFormat(look)


def open_outside(link: QUrl) -> None:
    """Open an address of the web or of a person outside; others, such as files, lead nowhere."""
    if link.scheme() in _OUTSIDE:
        QDesktopServices.openUrl(link)


def _read_bars_in_cells(document: QTextDocument) -> None:
    """Drop the backslash before a bar in the code of a cell, which Qt's reader leaves there."""
    found = document.find("\\|")
    while not found.isNull():
        if found.currentTable() is not None:
            found.insertText("|", found.charFormat())
        found = document.find("\\|", found)


def _widen_tables(document: QTextDocument) -> None:
    """Let tables reach the right edge, where reading begins: narrow ones lie on the left."""
    for table in document.rootFrame().childFrames():
        if isinstance(table, QTextTable):
            layout = table.format()
            layout.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
            table.setFormat(layout)


def _pictures_in(document: QTextDocument) -> Iterator[tuple[int, int, QTextImageFormat]]:
    """Where the pictures of a document are: position, length and format of each."""
    block = document.begin()
    while block.isValid():
        parts = block.begin()
        while not parts.atEnd():
            part = parts.fragment()
            if part.charFormat().isImageFormat():
                yield part.position(), part.length(), part.charFormat().toImageFormat()
            parts += 1
        block = block.next()


def _decoded(picture: LessonPicture) -> QImage:
    """The pixels of a checked picture, read as what it is and as nothing else."""
    data = QBuffer()
    data.setData(picture.content)
    data.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(data, QByteArray(picture.kind.encode()))
    reader.setAutoDetectImageFormat(False)
    image = reader.read() if reader.size() == QSize(picture.width, picture.height) else QImage()
    if image.isNull():
        raise LessonPictureError(tr("the picture is damaged"))
    return image


def _blank() -> QImage:
    """A picture of which nothing is seen."""
    image = QImage(1, 1, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(QColor("transparent"))
    return image


def _kept_together(page: str) -> str:
    """A page in which no line ends within a range of numbers, or before a percent sign."""
    parts = _VERBATIM.split(page)
    return "".join(
        part if place % 2 else _RANGE.sub(lambda found: found[0].replace(" ", "\N{NO-BREAK SPACE}"), part)
        for place, part in enumerate(parts)
    )


def _ordered(page: str) -> str:
    """A page in Arabic letters with its sizes and code in order, and its columns from right to left.

    Addresses, and code that stands by itself, stay as they are.
    """
    parts = _VERBATIM.split(_TABLE.sub(_with_columns_reversed, page))
    return "".join(
        (isolated_whole(part) if _WORDS_OF_CODE.match(part) else part) if place % 2 else _isolated_lines(part)
        for place, part in enumerate(parts)
    )


def _with_columns_reversed(table: re.Match[str]) -> str:
    """A table whose first column stands on the right: Qt's tables know no other order than from the left."""
    if table[0].startswith("```") or not has_letters_from_the_right(table[0]):
        return table[0]
    return "\n".join("|".join(reversed(_BAR.split(row))) for row in table[0].split("\n"))


def _isolated_lines(text: str) -> str:
    return "\n".join(map(isolated, text.split("\n")))


def _is_code(block: QTextBlock) -> bool:
    """Whether a block is a line of code."""
    layout = block.blockFormat()
    return layout.hasProperty(QTextFormat.Property.BlockCodeFence) or layout.hasProperty(
        QTextFormat.Property.BlockCodeLanguage
    )
