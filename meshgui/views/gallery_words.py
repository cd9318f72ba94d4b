"""How the gallery sums numbers up: how many came to which verdict, and how many of these are not precise."""

from __future__ import annotations

from collections.abc import Iterable

from meshgui.engine.judging import Judged, Verdict
from meshgui.engine.results_in_words import counted

__all__ = ["summed_up"]


def summed_up(judged: Iterable[Judged]) -> str:
    """As part of a sentence: `7 reproduced (6 not precise), 1 differs`."""
    numbers = list(judged)
    vague = counted(one for one in numbers if not one.precise and one.verdict is not Verdict.NOT_RUN)
    parts = []
    for verdict, count in counted(numbers).items():
        more = f" ({vague[verdict]} not precise)" if verdict in vague else ""
        parts.append(f"{count} {verdict.value}{more}")
    return ", ".join(parts)
