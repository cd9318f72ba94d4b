"""Generated files stay as they were where nothing has changed, and state no wall time."""

import os
import re

import pytest

from tests.tools import TOOLS, tool

generated = tool("generated")


def aged(path):
    """A file that was written long ago."""
    os.utime(path, (0, 0))
    return path


def is_untouched(path):
    """Whether it has not been written since."""
    return path.stat().st_mtime == 0


def test_a_page_is_written_where_it_has_changed(tmp_path):
    """A new one, and another text; the same one is left alone."""
    page = tmp_path / "page.md"
    generated.write_page(page, "# One\n")
    generated.write_page(aged(page), "# One\n")
    assert is_untouched(page)
    generated.write_page(page, "# Two\n")
    assert page.read_text(encoding="utf-8") == "# Two\n"


@pytest.mark.qt
def test_a_picture_is_replaced_where_a_pixel_has_changed(tmp_path):
    """The same pixels packed otherwise are no change; nothing lies beside the picture afterwards."""
    gui = pytest.importorskip("PySide6.QtGui", reason="pictures are compared by Qt")
    path, image = tmp_path / "picture.png", gui.QImage(8, 8, gui.QImage.Format.Format_RGB32)
    image.fill(0xFF336699)
    for quality, pixel, changed in ((0, None, True), (100, None, False), (100, 0xFF000000, True)):
        if pixel is not None:
            image.setPixel(3, 3, pixel)
        if path.exists():
            aged(path)
        with generated.new_picture(path) as new:
            assert image.save(str(new), "PNG", quality)
        assert is_untouched(path) is not changed
    assert list(tmp_path.iterdir()) == [path]


def test_no_generated_page_states_a_wall_time():
    """Neither do the scripts that write them look at a clock."""
    for name in ("strategies.md", "house.md", "network-results.md"):
        page = (TOOLS.parent / "docs" / name).read_text(encoding="utf-8")
        assert re.findall(r"µs|\bwall time\b|\b20\d\d-\d\d-\d\d\b", page) == [], name
    for script in TOOLS.glob("*.py"):
        clock = r"perf_counter|time\.time|\b(now|today)\(|seconds_mean"
        assert not re.search(clock, script.read_text("utf-8")), script
