"""What ends a run: a strategy's answer that cannot be."""

from __future__ import annotations

from collections.abc import Sequence

from meshgui.engine.basics.guard import StrategyError
from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.loop_state import AnswerFault


def wrong_answer(
    strategy: str,
    fault: AnswerFault,
    job: int,
    box: Sequence[int] = (),
    jobs: Sequence[int] = (),
    count: int = 0,
    most: int = 0,
) -> StrategyError:
    """The error for an answer about a job: with the wrong box, the jobs called due, or a number of boxes."""
    sentences = {
        AnswerFault.OUTSIDE: tr("gave job {job} the box {box}, which is not inside the mesh"),
        AnswerFault.HELD: tr("gave job {job} the box {box}, part of which is held already"),
        AnswerFault.FEW: tr("gave job {job} fewer processors than it asked for"),
        AnswerFault.NOT_RESERVED: tr("calls {jobs} due, which are not all jobs it reserved for"),
        AnswerFault.NOT_GIVEN: tr("did not give job {job} what it had reserved for it"),
        AnswerFault.COUNT: tr("gave job {job} {count} boxes: expected at most {most}"),
        AnswerFault.ATTEMPTS: tr("holds or reserves nothing for job {job}, which it says is placed"),
    }
    said = sentences[fault].format(job=job, box=tuple(box), jobs=tuple(jobs), count=count, most=most)
    return StrategyError(f"{strategy} {said}")
