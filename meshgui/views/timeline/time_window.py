"""The part of a run's time in sight: zoomed, panned, and following the present moment."""

from __future__ import annotations

from typing import Final

_MOST_ZOOM: Final = 1e6  # for a run without a clock of its own
_MARGIN: Final = 0.15  # where a moment is shown that was out of sight


class TimeWindow:
    """From `low` to `high`, inside 0 to `end`."""

    def __init__(self) -> None:
        self.end = 1.0
        self.low = 0.0
        self.high = 1.0
        self._least = 0.0  # the least time that can be in sight; 0: a share of the run

    @property
    def span(self) -> float:
        """How much time is in sight."""
        return self.high - self.low

    @property
    def fits_all(self) -> bool:
        """Whether the whole run is in sight."""
        return self.low <= 0.0 and self.high >= self.end

    def set_end(self, end: float, least: float = 0.0) -> None:
        """The run is this long; if all of it was in sight, all of it stays so.

        Zooming ends where no more than `least` is in sight: a few cycles, where time is counted in cycles.
        """
        everything = self.fits_all
        self.end = end if end > 0 else 1.0
        self._least = least
        if everything or self.low >= self.end:
            self.fit()

    def fit(self) -> None:
        """Bring the whole run in sight."""
        self.low, self.high = 0.0, self.end

    def zoom(self, about: float, factor: float) -> None:
        """Show `factor` times as much time, the moment `about` staying where it is."""
        span = min(max(self.span * factor, self._least or self.end / _MOST_ZOOM), self.end)
        share = (about - self.low) / self.span
        self._put(about - share * span, span)

    def pan(self, by: float) -> None:
        """Move so much later."""
        self._put(self.low + by, self.span)

    def reveal(self, time: float) -> bool:
        """Bring a moment in sight, with what comes next or came before; whether that moved anything."""
        if self.low <= time <= self.high:
            return False
        share = _MARGIN if time > self.high else 1 - _MARGIN
        self._put(time - share * self.span, self.span)
        return True

    def _put(self, low: float, span: float) -> None:
        self.low = min(max(low, 0.0), max(self.end - span, 0.0))
        self.high = self.low + span
