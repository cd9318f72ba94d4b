"""What a window shows of a scenario, as its file and a link keep it: the place, the selection, the camera."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from meshgui.engine.network.routing import WAYS
from meshgui.engine.runs.recording import Recording
from meshgui.model.base.limits import MAX_MARKS
from meshgui.model.document.arrangement import ALL_PANELS, Arrangement
from meshgui.model.document.arrangement_reader import ReadArrangement, read_arrangement
from meshgui.model.moment.instant import Instant
from meshgui.model.stepping.bookmarks import Bookmark, count_in, instant_data, instant_from
from meshgui.model.stepping.breakpoints import Breakpoint
from meshgui.model.stepping.player import Granularity
from meshgui.model.stepping.selection import Selection

MOST_ZOOM: Final = 12.0
"""How far the flat mesh is zoomed in at most."""

_SELECTED: Final = ("job", "packet", "channel")


@dataclass(frozen=True)
class WindowMoment:
    """A place of a run with all that makes the same picture again. Keys that are not known are dropped."""

    instant: Instant | None = None
    selection: Mapping[str, Any] = field(default_factory=dict)
    camera: Mapping[str, Any] = field(default_factory=dict)
    panels: Arrangement | None = None
    granularity: Granularity | None = None
    front: tuple[str, ...] = ()
    """Panels to bring in front where they stand, of a file that says no more of them."""
    fault: str = ""
    """What of the panels could not be read, in a sentence."""

    @property
    def time_alone(self) -> WindowMoment:
        """The same time in another run, with nothing selected."""
        return WindowMoment(None if self.instant is None else self.instant.time_alone)

    def as_data(self) -> dict[str, Any]:
        """The moment as JSON has it."""
        data = {} if self.instant is None else instant_data(self.instant)
        parts: dict[str, Any] = {
            "selection": dict(self.selection),
            "camera": dict(self.camera),
            "panels": None if self.panels is None else self.panels.as_data(),
            "granularity": None if self.granularity is None else self.granularity.value,
            "front": list(self.front),
        }
        return data | {key: value for key, value in parts.items() if value}

    @classmethod
    def from_data(cls, data: Mapping[str, Any], known: Collection[str] = ALL_PANELS) -> WindowMoment:
        """A moment from JSON, with places of known panels; what is wrong in it is left out."""
        selection, camera, front = (data.get(key) for key in ("selection", "camera", "front"))
        panels = ReadArrangement(None, whole=True)
        if data.get("panels"):
            panels = read_arrangement(data["panels"], known)
        return cls(
            instant_from(dict(data)),
            selection if isinstance(selection, dict) else {},
            camera if isinstance(camera, dict) else {},
            panels.arrangement,
            next((size for size in Granularity if size == data.get("granularity")), None),
            tuple(name for name in known if name in front) if isinstance(front, list) else (),
            panels.fault,
        )


def selection_data(selection: Selection) -> dict[str, Any]:
    """What is selected, as JSON has it."""
    data: dict[str, Any] = {key: getattr(selection, key) for key in _SELECTED}
    data["span"] = None if selection.span is None else list(selection.span)
    return {key: value for key, value in data.items() if value is not None}


def select_again(selection: Selection, data: Mapping[str, Any], recording: Recording) -> None:
    """Select what was selected, as far as the recording has it."""
    job, packet, channel = (count_in(data.get(key)) for key in _SELECTED)
    record, span = recording.network, data.get("span")
    if record is not None and packet is not None and packet < len(record):
        selection.select_packet(packet, int(record.jobs[packet]))
    elif job is not None and job < len(recording.jobs):
        selection.select(job)
    if record is None:
        return
    if channel is not None and channel < recording.mesh.processors * WAYS:
        selection.select_channel(channel)
    if isinstance(span, list) and len(span) == 2 and all(count_in(cycle) is not None for cycle in span):
        selection.select_span((span[0], span[1]))


def read_breakpoints(data: object) -> Iterable[Breakpoint]:
    """The breakpoints of a list in JSON that this version knows."""
    found = map(Breakpoint.from_data, data[:MAX_MARKS] if isinstance(data, list) else ())
    return [breakpoint_ for breakpoint_ in found if breakpoint_ is not None]


def read_bookmarks(data: object) -> Iterable[Bookmark]:
    """The bookmarks of a list in JSON."""
    found = map(Bookmark.from_data, data[:MAX_MARKS] if isinstance(data, list) else ())
    return [bookmark for bookmark in found if bookmark is not None]
