"""Texts and pictures of strangers, shown in the real view of Markdown, with examples to spoil.

They need Qt, so they stand apart from the kinds in `tests.fuzzing`.
"""

import os
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from zlib import compress

from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QImage, QImageWriter, QTextDocument
from PySide6.QtWidgets import QApplication

from meshgui.engine.basics.limits import MAX_PAGE_PICTURES
from meshgui.engine.basics.page_limits import page_fault
from meshgui.engine.scenario import load_scenario
from meshgui.model.base.limits import MAX_PICTURE_SIDE
from meshgui.model.document.examples import examples
from meshgui.model.lessons.lesson_check import check_lesson
from meshgui.model.lessons.lesson_pictures import LessonPictureError, PictureFolder
from meshgui.model.lessons.lesson_shelf import shipped_lessons
from meshgui.views.help.markdown_view import MarkdownView
from meshgui.views.style.application import qt_application
from meshgui.views.style.theme import ThemeManager
from tests.fuzzing import Target
from tests.pictures import chunk, jpeg, png, png_with_notes

_SHORT = 400  # letters of a text that is also shown again and again
_LONG = 5_000
_NAMES = 30
_ODD_NAMES = (
    *("a.png", "a%20b.png", "../a.png", "/dev/zero", Path("/dev/zero").as_uri(), "http://127.0.0.1/a.png"),
    *("pipe.png", "out.png", "up/a.png", "data:image/svg+xml;base64,AAAA", "qrc:/a.png", ":/a.png"),
    *("//host/a.png", "."),
)


@cache
def _themes() -> ThemeManager:
    return ThemeManager(qt_application(), "light")


@contextmanager
def _shown(page: str, folder: Path | None) -> Iterator[MarkdownView]:
    """A view that shows a page, painted, and gone afterwards."""
    import shiboken6  # noqa: PLC0415 - here alone

    view = MarkdownView(_themes())
    try:
        view.resize(500, 400)
        view.show()
        view.show_page(page, folder)
        QApplication.processEvents()
        yield view
    finally:
        shiboken6.delete(view)


def _hold_bounds(view: MarkdownView, page: str) -> None:
    """The work is bounded by the length of the page, and no picture is looked for by its name."""
    document = view.document()
    assert document.characterCount() <= 40 * max(len(page), 100)
    assert document.blockCount() <= 2 * len(page) + 10
    names = {name for name in pictures_in(document) if not name.startswith("picture:")}
    assert not names, names
    view.selectAll()
    assert len(view.createMimeDataFromSelection().formats()) == 2


def pictures_in(document: QTextDocument) -> Iterator[str]:
    """The names of the pictures of a document, one by one."""
    block = document.begin()
    while block.isValid():
        for layout in block.textFormats():
            if layout.format.isImageFormat():
                yield layout.format.toImageFormat().name()
        block = block.next()


def _read_notes(path: Path) -> None:
    """Show a text, and a short one again and again, as a long page."""
    text = path.read_bytes().decode("utf-8", "replace")
    pages = [text]
    if 0 < len(text) <= _SHORT:
        pages += [text * (_LONG // len(text)), f"{text}\n\n" * (_LONG // (len(text) + 2))]
    for page in pages:
        with _shown(page, None) as view:
            _hold_bounds(view, page_fault(page) or page)


def _read_pictures(path: Path) -> None:
    """Show a file as a picture, and look for the pictures that its lines name; then check it as a lesson."""
    folder = path.parent / "lesson"
    folder.mkdir()
    content = path.read_bytes()
    (folder / "a.png").write_bytes(content)
    (folder / "out.png").symlink_to(path)
    (folder / "up").symlink_to("..")
    os.mkfifo(folder / "pipe.png")
    lines = content.decode("utf-8", "replace").splitlines()[:_NAMES]
    page = "![A](a.png)\n\n" + "\n\n".join(f"![B](<{line}>)" for line in (*lines, *_ODD_NAMES))
    with _shown(page, folder) as view:
        assert view.document().size().height() < 2 * MAX_PICTURE_SIDE + 20_000  # it is named twice
        assert len(set(pictures_in(view.document()))) <= MAX_PAGE_PICTURES + 1
        _hold_bounds(view, page)
    lesson = folder / "a.lesson.md"
    lesson.write_text(f"# A\n\n## B\n\n{page}\n", encoding="utf-8", errors="replace")
    complaints = [fault.message for fault in check_lesson(lesson)[1]]
    with suppress(LessonPictureError):
        PictureFolder(folder).picture("a.png")
        assert not any(complaint.startswith("a.png: ") for complaint in complaints)
        return
    assert any(complaint.startswith("a.png: ") for complaint in complaints)


@cache
def _encoded() -> tuple[bytes, ...]:
    """Pictures as Qt writes them: in colours, with steps, with a palette."""
    qt_application()
    image = QImage(37, 23, QImage.Format.Format_ARGB32)
    for place in range(37 * 23):
        image.setPixel(place % 37, place // 37, (place * 2654435761) & 0xFFFFFFFF)
    found = []
    indexed = image.convertToFormat(QImage.Format.Format_Indexed8)
    plain = [(kind, False, image) for kind in ("png", "jpeg", "bmp")]
    for kind, progressive, shape in (*plain, ("png", False, indexed), ("jpeg", True, image)):
        data = QBuffer()
        data.open(QIODevice.OpenModeFlag.WriteOnly)
        writer = QImageWriter(data, QByteArray(kind.encode()))
        writer.setProgressiveScanWrite(progressive)
        assert writer.write(shape)
        found.append(bytes(data.data().data()))
    return tuple(found)


def _picture_files() -> tuple[bytes, ...]:
    svg = b"<svg xmlns='http://www.w3.org/2000/svg'><g id='a'><use href='#a'/><use href='#a'/></g></svg>"
    profile = chunk(b"iCCP", b"x\0\0" + compress(bytes(1 << 20)))
    names = "\n".join(_ODD_NAMES).encode()
    ours = png(), jpeg(), jpeg(scans=9), png_with_notes(1 << 20), png(before=profile)
    return (*_encoded(), *ours, svg, names)


def _texts() -> tuple[bytes, ...]:
    notes = [load_scenario(path).notes.encode() for path in examples()]
    steps = [path.read_bytes() for path in shipped_lessons()]
    arabic = (
        "## \u0627\u0628 `code` 4\u00d74 [\u0627](a.md) $x$\n\n| \u0627 | b |\n|---|---|\n| 1 | `\\|` |\n"
    )
    parts = (
        *("- ", "> ", "1. ", "![", "](", "[a](b) ", "`a` ", "*a **b ", "_a", "|a", "|\n|-|\n", "<", "&amp;"),
        *("~~", "# a\n", "- a\n", "  - a\n", "```\n", "$a$", "\\", "[a]: b\n", "![a](b)", "a\n\n"),
        *("\u0627](", "---\n"),
        *("<img src='/dev/zero'>", "![x](/dev/zero)", "\u202e", "\x00", "[x]: /dev/zero\n![y][x]"),
        f"![x](data:image/png;base64,{b64encode(png()).decode()})",
    )
    return (*filter(None, notes), *steps, arabic.encode(), *(part.encode() for part in parts))


TEXT_TARGETS: dict[str, Target] = {
    "notes": Target(_texts, _read_notes, ()),
    "pictures": Target(_picture_files, _read_pictures, ()),
}
