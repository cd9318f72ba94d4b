"""The drawing figures, which the mesh view measures itself, where there is a screen with OpenGL.

`meshgui bench --only drawing` has them alone, for a graphics card that is to be tried.
"""

from __future__ import annotations

from collections.abc import Iterator

from meshgui.bench.measurement import Measurement, not_measured
from meshgui.engine.basics.translation import tr
from meshgui.views.offscreen.probe import ProbeError, probe_apart
from meshgui.views.offscreen.screen import missing_screen

_WHAT = tr("a 32×32×32 mesh")


def drawing() -> Iterator[Measurement]:
    """Frames of the mesh view beside those of a bare GLViewWidget with as many points as nodes."""
    missing = missing_screen()
    if missing is not None:
        yield not_measured(
            "drawing", _WHAT, tr("{missing} (try xvfb-run -a meshgui bench)").format(missing=missing)
        )
        return
    try:
        opengl = probe_apart()["opengl"]
    except ProbeError as error:
        yield not_measured("drawing", _WHAT, tr("no window can be opened: {error}").format(error=error))
        return
    if opengl is None:
        yield not_measured("drawing", _WHAT, tr("this screen has no OpenGL"))
        return
    from meshgui.bench.window_drawing import drawing_figures  # noqa: PLC0415 - Qt, only to draw

    for drawn in drawing_figures():
        yield Measurement("drawing", **drawn)
