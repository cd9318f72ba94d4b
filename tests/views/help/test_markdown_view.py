"""Pages in Markdown as they are drawn."""

from pathlib import Path

import pytest
from PySide6.QtCore import QSize, QUrl
from PySide6.QtGui import QColor, QDesktopServices, QFont, QFontMetricsF, QImage, QTextDocument, QTextFormat
from pytestqt.qtbot import QtBot

from meshgui.engine.basics.limits import MAX_PAGE_PICTURES
from meshgui.engine.basics.page_limits import page_fault
from meshgui.model.manual.pages import as_markdown
from meshgui.views.help.markdown_view import MarkdownView, open_outside
from meshgui.views.help.sentence_picture import picture_of
from meshgui.views.style.theme import SIZES
from tests.pictures import png
from tests.views.text_fuzzing import pictures_in

WORDS = (
    "Bani-Mohammad 2008, table 3.2: turning a request, 40 % of 8×8×8 at load 5.8 (10 runs).",
    "# 3 jobs\n\n- one, *two*, _three_ `four` [five](six) <b>seven</b> & 8 ~~nine~~ a|b c\\d",
    "1. first\n\n2) second\n\n> said\n\n+ more\n\n=== www.example.org, http://example.org, a@b.org",
)
PAGE = "# Title\n\nSome *words* and `code`.\n\n## Part\n\n```json\n{\n  1\n}\n```\n\nThe end.\n"


@pytest.mark.parametrize("words", WORDS)
def test_plain_words_are_shown_as_they_are_with_no_mark_too_many(own, words):
    """The notes of a published setting are read in the form as they are written, too."""
    written = as_markdown(words)
    own.show_page(written)
    assert own.toPlainText() == words.replace("\n\n", "\n")
    assert written == words or words is not WORDS[0]


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_markdown_wears_the_theme(own, themes, mode):
    """Headings by the one scale of type, code in the monospace face on its own ground."""
    themes.set_mode(mode)
    own.show_page(PAGE)
    blocks, block = {}, own.document().begin()
    while block.isValid():
        blocks[block.text()] = block
        block = block.next()
    title, code = blocks["Title"].begin().fragment(), blocks["  1"].begin().fragment()
    assert title.charFormat().font().pixelSize() == SIZES["title"]
    assert not title.charFormat().intProperty(QTextFormat.Property.FontSizeAdjustment)
    assert code.charFormat().font().family() == themes.mono("body").family()
    assert blocks["  1"].blockFormat().background().color() == themes.theme.colour("hover")
    assert own.verticalScrollBar().value() == 0


@pytest.fixture
def view_of(qtbot, themes):
    """Shows a page from a file."""

    def show(page: str, folder: Path | None = None) -> MarkdownView:
        view = MarkdownView(themes)
        qtbot.addWidget(view)
        view.resize(400, 300)
        view.show()
        view.show_page(page, folder)
        return view

    return show


@pytest.fixture
def own(qtbot, themes):
    """A view of pages of the program."""
    view = MarkdownView(themes)
    qtbot.addWidget(view)
    return view


def height(view):
    """How high the page is: at least as high as what it shows."""
    return view.document().size().height()


def test_a_picture_of_the_folder_is_shown(view_of, tmp_path):
    """Narrower where it is wider than the page."""
    (tmp_path / "a.png").write_bytes(png(200, 1000))
    (tmp_path / "wide.png").write_bytes(png(4000, 1000))
    assert height(view_of("![x](a.png)", tmp_path)) > 1000
    assert height(view_of("![x](a.png)", tmp_path)) < 1100  # no line is as far from it as from words
    view = view_of("![x](wide.png)", tmp_path)
    assert view.document().idealWidth() <= view.width()
    # Pictures beyond the limit are one sentence, and so is a page over a limit
    view = view_of("".join(f"![x]({number})" for number in range(500)))
    assert len(set(pictures_in(view.document()))) == MAX_PAGE_PICTURES + 1
    page = "- " * 20_000 + "x"
    assert view_of(page).toPlainText() == page_fault(page)


@pytest.mark.parametrize(
    "name", ["/a.png", "../a.png", "a.svg", Path("/a.png").as_uri(), "a%20b.png", "link.png"]
)
def test_other_pictures_are_a_sentence(view_of, tmp_path, name):
    """Qt reads none of them itself: neither while it shows the page nor while it is copied."""
    folder = tmp_path / "lesson"
    folder.mkdir()
    (tmp_path / "a.png").write_bytes(png(200, 1000))
    (folder / "link.png").symlink_to("../a.png")
    (folder / "a.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="1000"/>')
    name = name.replace("/a.png", f"{tmp_path}/a.png") if name.startswith(("/", "file")) else name
    for shown_from in (folder, None):
        view = view_of(f"![x]({name})", shown_from)
        assert height(view) < 200
        view.selectAll()
        assert set(view.createMimeDataFromSelection().formats()) == {"text/plain", "text/html"}
        assert name not in view.document().toHtml()


def test_nothing_is_loaded_by_name(own, tmp_path):
    """Neither what a page of ours names in HTML: for what is null Qt would look itself."""
    (tmp_path / "a.png").write_bytes(png(200, 1000))
    address, kinds = QUrl.fromLocalFile(str(tmp_path / "a.png")), QTextDocument.ResourceType
    assert own.document().resource(kinds.ImageResource.value, address).size() == QSize(1, 1)
    for kind in (kinds.StyleSheetResource, kinds.HtmlResource, kinds.MarkdownResource):
        address.setFragment(kind.name)
        assert bytes(own.document().resource(kind.value, address).data()) == b" "


@pytest.mark.parametrize(
    "part",
    ["A paragraph.\n\n", "`code` ", "[a link](b) ", "![a picture](b) ", "# A heading\n", "- an entry\n"],
)
def test_a_page_is_laid_out_as_often_however_long_it_is(view_of, monkeypatch, part):
    """Not once for each paragraph, piece of code or link, each time from its beginning."""
    changes = []

    class Counted(QTextDocument):
        def __init__(self, parent):
            super().__init__(parent)
            self.contentsChanged.connect(lambda *_: changes.append(1))

    monkeypatch.setattr("meshgui.views.help.markdown_view.QTextDocument", Counted)

    def changes_of(page):
        view = view_of("")
        view.document().contentsChanged.connect(lambda *_: changes.append(1))
        changes.clear()
        view.show_page(page)
        return len(changes)

    assert changes_of(part * 400) == changes_of(part * 4) <= 4


@pytest.mark.parametrize(
    ("address", "opened"),
    [
        ("https://example.org", True),
        ("mailto:a@example.org", True),
        (Path("/etc/passwd").as_uri(), False),
        ("smb://host/share", False),
        ("meshgui:run", False),
        ("/etc/passwd", False),
    ],
)
def test_links_lead_to_the_web_and_to_people_alone(monkeypatch, address, opened):
    """No file is opened by its program, and nothing of another scheme."""
    seen = []
    monkeypatch.setattr(QDesktopServices, "openUrl", seen.append)
    open_outside(QUrl(address))
    assert bool(seen) == opened


def picture(sentence: str, letters: int) -> QImage:
    """The sentence where a number of wide letters have room."""
    face = QFont("sans", 12)
    room = QFontMetricsF(face).horizontalAdvance("m" * letters)
    return picture_of(sentence, face, QColor("black"), width=room)


def test_lines_break_between_words_and_long_ones_anywhere(qtbot: QtBot):
    """Where six letters have room, two words of four fill two lines that look alike."""
    drawn = picture("mmmm mmmm", 6)
    line = drawn.height() // 2
    assert drawn.copy(0, 0, drawn.width(), line) == drawn.copy(0, line, drawn.width(), line)
    # Nothing of the path of a file is cut
    assert picture("m" * 12, 4).height() == 3 * picture("mmmm", 4).height()


@pytest.mark.parametrize(("word", "side"), [("mmm", "left"), ("\u0644\u0627\u0644\u0627", "right")])
def test_lines_begin_on_the_side_of_the_script(qtbot: QtBot, word: str, side: str):
    """Also where the first word is a name in another script."""
    drawn = picture(f"x: {word} {word} mmmm\n{word}", 8)
    last_line = range(drawn.height() * 4 // 5, drawn.height())
    ink = [x for x in range(drawn.width()) if any(drawn.pixelColor(x, y).alpha() for y in last_line)]
    assert (ink[0] < drawn.width() - 1 - ink[-1]) == (side == "left")


def test_no_line_ends_within_a_range(own):
    """Nor before a percent sign; code stays as it is."""
    own.show_page("From 4 to 6, 71 bis 75 %, `2 to 3`, ± 5.")
    kept = "\N{NO-BREAK SPACE}"
    block = own.document().begin().text()
    assert block == f"From 4{kept}to{kept}6, 71{kept}bis{kept}75{kept}%, 2 to 3, ±{kept}5."
