"""Pictures from the command line: their file is checked before the work, and Qt is loaded only to draw."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from meshgui.cli import signals
from meshgui.cli.faults import WorkFailed
from meshgui.cli.gui_packages import require_gui
from meshgui.engine.basics.files import os_fault, remove_parts
from meshgui.engine.basics.translation import tr
from meshgui.model.base.picture_formats import PictureError
from meshgui.views.offscreen.screen import draw_in_memory


def check_folder(out: Path) -> None:
    """Notice before the work that a picture cannot be drawn, or has nowhere to go."""
    require_gui(tr("a picture"))
    try:
        out.stat()
    except FileNotFoundError:
        if not out.absolute().parent.is_dir():
            raise WorkFailed(
                tr("{out}: could not be written: there is no folder {parent}").format(
                    out=out, parent=out.parent
                )
            ) from None
    except OSError as error:
        raise WorkFailed(
            tr("{out}: could not be written: {fault}").format(out=out, fault=os_fault(error))
        ) from None
    plain = not out.exists() or out.is_file()  # others are written to where they are
    if plain and not os.access(out.absolute().parent, os.W_OK):
        raise WorkFailed(tr("{out}: could not be written: its folder is not writable").format(out=out))


@contextmanager
def drawing() -> Iterator[None]:
    """A block that imports what needs Qt and draws, with or without a screen."""
    draw_in_memory()
    signals.clearing.append(remove_parts)
    try:
        with signals.ending_at_once():
            yield
    except ImportError as error:
        raise WorkFailed(
            tr("Qt could not be loaded: {error} (meshgui doctor says more)").format(error=error)
        ) from None
    except PictureError as error:
        raise WorkFailed(f"{error}".removesuffix(".")) from None
    finally:
        signals.clearing.remove(remove_parts)
