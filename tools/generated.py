"""Writes generated pages and pictures, and leaves a file as it was where nothing has changed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["new_picture", "write_page"]


def write_page(path: Path, text: str) -> None:
    """Write a text, unless the file holds the same."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


@contextmanager
def new_picture(path: Path) -> Iterator[Path]:
    """A file to write a picture to; it replaces the old one where a pixel differs.

    The same pixels may be packed otherwise by another version of a library.
    """
    from PySide6.QtGui import QImage

    new = path.with_name(f"new-{path.name}")
    try:
        yield new
        drawn, old = (
            QImage(str(file)).convertToFormat(QImage.Format.Format_RGBA8888) for file in (new, path)
        )
        if drawn != old:
            new.replace(path)
    finally:
        new.unlink(missing_ok=True)
