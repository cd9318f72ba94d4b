"""The sign of each verdict, and its colour."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from meshgui.catalogue.judging import Verdict


class VerdictLook(NamedTuple):
    """A sign and its colour token."""

    sign: str
    tone: str


LOOKS: Final[Mapping[Verdict, VerdictLook]] = {
    Verdict.REPRODUCED: VerdictLook("✓", "candidate"),
    Verdict.SAME_ORDER: VerdictLook("≈", "border_plane"),
    Verdict.DIFFERS: VerdictLook("≠", "prohibited"),
    Verdict.MEASURED: VerdictLook("•", "text"),
    Verdict.NOT_RUN: VerdictLook("○", "outline"),
}
