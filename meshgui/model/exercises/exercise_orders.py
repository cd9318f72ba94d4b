"""Exercises about what a search leaves and how it goes: a gap in a list or tree, and lines in their order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Final, Self

from meshgui.engine.allocation.base import Strategy
from meshgui.engine.allocation.inspection import JobCell, Moment, NodeKind, Table, Tree
from meshgui.engine.basics.kinds import AttemptOutcome
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import UNKNOWN
from meshgui.engine.runs.recording import Recording
from meshgui.model.exercises.exercise import (
    ChoiceForm,
    Draw,
    Exercise,
    ExerciseKey,
    Judgement,
    OrderForm,
    said,
)
from meshgui.model.exercises.exercise_runs import attempts_asked_about, draws_lots

Row = tuple[str, ...]
_ATTEMPTS_TRIED: Final = 6
_MOST_ROWS: Final = 60
_FEWEST_OPTIONS, _MOST_OPTIONS = 3, 4
_FEWEST_LINES, _MOST_LINES = 3, 6
_PARTLY: Final = 0.5
_NODES: Final = {
    NodeKind.FREE: tr("free"),
    NodeKind.BUSY: tr("busy"),
    NodeKind.INTERNAL: tr("divided"),
}


@dataclass(frozen=True, eq=False)
class StructureExercise(Exercise):
    """What a list or a tree of the strategy looks like once the job is placed: the row in a gap of it."""

    kind: ClassVar = "structure"
    title: ClassVar = tr("What does the list or tree look like afterwards?")

    name: str  # of the list
    columns: Row
    rows: tuple[Row, ...]
    gap: int
    options: tuple[Row, ...]

    @classmethod
    def suits(cls, strategy: type[Strategy]) -> bool:
        return strategy.keeps_lists and not strategy.draws_lots

    @classmethod
    def ask(cls, key: ExerciseKey, recording: Recording, draw: Draw) -> Self | None:
        """An exercise in this run, if there is one."""
        for attempt in attempts_asked_about(recording, draw, AttemptOutcome.PLACED)[:_ATTEMPTS_TRIED]:
            if draws_lots(recording, attempt):
                continue
            position, job, _ = recording.attempts[attempt]
            after, before = _lists(recording, position + 1), _lists(recording, position)
            names = [name for name, (_, rows) in after.items() if 2 <= len(rows) <= _MOST_ROWS]
            for name in draw.some_of(names, len(names)):
                columns, rows = after[name]
                old = before.get(name, (columns, ()))[1]
                if rows == old:
                    continue
                alone = [n for n, row in enumerate(rows) if rows.count(row) == 1]
                changed = [n for n in alone if rows[n] not in old] or alone  # a list may only grow shorter
                if not changed:
                    continue
                gap = draw.one_of(changed)
                options = _options(rows, gap, (*old, *_at_other_times(recording, position, name)), draw)
                if len(options) < _FEWEST_OPTIONS:
                    continue
                now = recording.request(attempt).now
                shown = (name, columns, rows, gap, options)
                return cls(key, recording, position, now, job, attempt, *shown)
        return None

    @property
    def question(self) -> str:
        return said(
            tr(
                "Job {job} asks for {size} and is placed next. Here is the list “{list}” of {strategy} "
                "afterwards, with one row left out. Which row is missing?"
            ),
            job=self.job,
            size=self.size,
            strategy=self.recording.strategy.title,
            list=self.name,
        )

    @property
    def form(self) -> ChoiceForm:
        return ChoiceForm(tuple(map(_in_words, self.options)), self.columns, self.rows, self.gap)

    @property
    def right(self) -> int:
        return self.options.index(_bare(self.rows[self.gap]))

    def judge(self, answer: object) -> Judgement:
        given, right = self.options[self.form.read(answer)], self.options[self.right]
        if given == right:
            return Judgement(1.0, said(tr("Right: {row}."), row=_in_words(right)))
        same = sum(one == other for one, other in zip(given, right, strict=True))
        score = round(_PARTLY * same / len(right), 3)
        return Judgement(
            score,
            said(
                tr("{same} of the {all} entries of the row are right: it is {row}."),
                same=same,
                all=len(right),
                row=_in_words(right),
            ),
        )


def _lists(recording: Recording, position: int) -> dict[str, tuple[Row, tuple[Row, ...]]]:
    """The lists and trees that the strategy keeps at a position, as columns and rows, by their titles."""
    seen = recording.new_strategy().inspect(Moment(recording.state_at(position)))
    found: dict[str, tuple[Row, tuple[Row, ...]]] = {}
    for panel in seen.panels:
        if isinstance(panel, Table):
            rows = tuple(tuple(_text(cell) for cell in row.cells) for row in panel.rows)
            found[panel.title] = panel.columns, rows
        elif isinstance(panel, Tree):
            found[panel.title] = (tr("Node"), tr("State")), tuple(_tree_rows(panel))
    return found


def _text(cell: str | JobCell | None) -> str:
    if cell is None:
        return UNKNOWN
    return cell.text if isinstance(cell, JobCell) else cell


def _tree_rows(tree: Tree) -> Iterator[Row]:
    """A row for each node, moved in by its depth, in the order in which the tree is read."""
    below: dict[int | None, list[int]] = {}
    for number, node in enumerate(tree.nodes):
        below.setdefault(node.parent, []).append(number)
    waiting = [(number, 0) for number in reversed(below.get(None, []))]
    while waiting:
        number, depth = waiting.pop()
        node = tree.nodes[number]
        state = _NODES.get(node.kind, "")
        state = tr("job {job}").format(job=node.job) if node.job is not None else state
        yield "\N{EM SPACE}" * depth + node.label, state
        waiting += [(child, depth + 1) for child in reversed(below.get(node.key, []))]


def _bare(row: Row) -> Row:
    return tuple(cell.strip() for cell in row)


def _in_words(row: Row) -> str:
    return tr(", ").join(cell for cell in row if cell) or UNKNOWN


def _at_other_times(recording: Recording, position: int, name: str) -> Iterator[Row]:
    """The rows of the list at moments near to this one."""
    for away in (2, -1, 3, -2, 4, 5):
        if 0 < position + away <= len(recording):
            yield from _lists(recording, position + away).get(name, ((), ()))[1]


def _options(rows: tuple[Row, ...], gap: int, others: tuple[Row, ...], draw: Draw) -> tuple[Row, ...]:
    """The right row among wrong ones: rows of other moments, and the right one with an entry of another."""
    there, right = set(map(_bare, rows)), _bare(rows[gap])
    wrong = [row for row in dict.fromkeys(map(_bare, others)) if row not in there and len(row) == len(right)]
    changed = [
        (*right[:place], other[place], *right[place + 1 :])
        for other in dict.fromkeys(map(_bare, (*rows, *others)))
        if len(other) == len(right)
        for place in range(len(right))
    ]
    changed = [row for row in dict.fromkeys(changed) if row not in there and row not in wrong]
    chosen = draw.some_of(wrong, _MOST_OPTIONS - 2)
    chosen += draw.some_of(changed, _MOST_OPTIONS - 1 - len(chosen))
    different: dict[str, Row] = {_in_words(row): row for row in (right, *chosen)}  # as they are shown
    options = list(different.values())
    draw.shuffle(options)
    return tuple(options)


@dataclass(frozen=True, eq=False)
class OrderExercise(Exercise):
    """In which order a search first reaches lines of its pseudo-code."""

    kind: ClassVar = "order"
    title: ClassVar = tr("In which order are the lines reached?")

    lines: tuple[str, ...]  # as they are shown
    right_order: tuple[int, ...]

    @classmethod
    def ask(cls, key: ExerciseKey, recording: Recording, draw: Draw) -> Self | None:
        """An exercise in this run, if there is one: the attempt that reaches the most lines, of a few."""
        best: tuple[int, list[str]] | None = None
        for attempt in attempts_asked_about(recording, draw, *AttemptOutcome)[:_ATTEMPTS_TRIED]:
            texts = _reached(recording, attempt)
            if best is None or len(texts) > len(best[1]):
                best = attempt, texts
        if best is None or len(best[1]) < _FEWEST_LINES:
            return None
        attempt, texts = best
        places = sorted(draw.some_of(range(len(texts)), _MOST_LINES))
        right = [texts[place] for place in places]
        shown = list(right)
        while shown == right:
            draw.shuffle(shown)
        position, job, _ = recording.attempts[attempt]
        order = tuple(shown.index(text) for text in right)
        now = recording.request(attempt).now
        return cls(key, recording, position, now, job, attempt, tuple(shown), order)

    @property
    def question(self) -> str:
        return said(
            tr(
                "Job {job} asks for {size} and is tried next. In which order does the search of {strategy} "
                "first reach these lines?"
            ),
            job=self.job,
            size=self.size,
            strategy=self.recording.strategy.title,
        )

    @property
    def form(self) -> OrderForm:
        return OrderForm(self.lines)

    @property
    def right(self) -> list[int]:
        return list(self.right_order)

    def judge(self, answer: object) -> Judgement:
        given = self.form.read(answer)
        here = sum(one == other for one, other in zip(given, self.right_order, strict=True))
        if here == len(self.lines):
            return Judgement(1.0, said(tr("Right: all {all} lines."), all=len(self.lines)))
        score = round(_PARTLY * here / len(self.lines), 3)
        count = said(tr("{here} of {all} lines are in place."), here=here, all=len(self.lines))
        return Judgement(score, f"{count} {self._in_order(given)}")

    @property
    def solution(self) -> str:
        return self._in_order(())

    def _in_order(self, given: tuple[int, ...]) -> str:
        """The lines in their right order, with a sign at those that were given so."""
        lines = [
            f"{place + 1}. {self.lines[right]}{' ✓' if given[place : place + 1] == (right,) else ''}"
            for place, right in enumerate(self.right_order)
        ]
        return said(tr("This is the order:\n{lines}"), lines="\n".join(lines))


def _reached(recording: Recording, attempt: int) -> list[str]:
    """The lines that an attempt reaches, in the order of their first times, but for lines that read alike."""
    texts = [line.text for line in recording.strategy.lines]
    reached = dict.fromkeys(recording.trace(attempt).steps.lines().tolist())
    return [texts[line] for line in reached if texts.count(texts[line]) == 1]
