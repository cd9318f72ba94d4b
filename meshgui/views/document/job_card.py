"""A card with one line, in which the size of a job is typed that is to arrive now."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtWidgets import QWidget

from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.translation import tr
from meshgui.model.document.job_edits import JobEditError
from meshgui.model.stepping.cursor import Cursor
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.line_card import LineCard

_CROSSES: Final = r"\d+(?:\s*[x×*]\s*\d+){1,2}"
_SERVICE: Final = r"(?:\s*(?:(?!x\b)[^\W\d_]+|:|,)?\s+(?P<service>\d+(?:[.,]\d+)?))?"  # after any word
_REQUESTS: Final = {  # by the number of axes: as many numbers may have spaces alone between them
    dims: re.compile(rf"(?P<size>{_CROSSES}|\d+(?:\s+\d+){{{dims - 1}}}){_SERVICE}", re.IGNORECASE)
    for dims in (2, 3)
}


def read_request(text: str, mesh: Mesh) -> tuple[tuple[int, ...], float | None] | str:
    """The size that is typed, as in 3x2 or 3 2, and the service time, as in 3x2 for 5; else what is wrong."""
    asked = "3×2" if mesh.dims == 2 else "3×2×1"
    typed = _REQUESTS[mesh.dims].fullmatch(text.strip())
    if typed is None:
        return tr("Expected a size, as in {asked}, or {asked} for 5").format(asked=asked)
    size = tuple(int(side) for side in re.findall(r"\d+", typed["size"]))
    if len(size) != mesh.dims:
        return tr("Expected {dims} numbers for a {dims}D mesh, as in {asked}").format(
            dims=mesh.dims, asked=asked
        )
    if min(size) < 1:
        return tr("Expected sides of at least 1")
    service = typed["service"]
    return size, None if service is None else float(service.replace(",", "."))


class JobRequestCard(LineCard):
    """Asks for the job that is typed."""

    def __init__(
        self,
        host: QWidget,
        cursor: Cursor,
        ask: Callable[[Sequence[int], float | None], object],
        themes: ThemeManager,
    ) -> None:
        super().__init__(
            host,
            themes,
            tr("Ask for a job that arrives now"),
            tr("The size of a job, and how long it runs"),
            tr("The strategy chooses its place. Without a time it runs as long as the others do."),
        )
        self._cursor, self._ask = cursor, ask

    def open(self) -> None:
        """Show the card with an example for this mesh."""
        recording = self._cursor.recording
        if recording is None:
            return
        flat = recording.mesh.dims == 2
        self.line.setPlaceholderText(tr("3x2, or 3x2 for 5") if flat else tr("3x2x1, or 3x2x1 for 5"))
        super().open()

    def take(self) -> None:
        """Ask for the job."""
        recording = self._cursor.recording
        if recording is None:
            return
        request = read_request(self.line.text(), recording.mesh)
        if isinstance(request, str):
            self.refuse(request)
            return
        try:
            self._ask(*request)
        except JobEditError as refusal:
            self.refuse(str(refusal))
        else:
            self.dismiss()
