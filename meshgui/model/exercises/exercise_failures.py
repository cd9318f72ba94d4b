"""Exercises about failures: what one costs, which the same jobs under rival strategies show, too."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Self

from meshgui.engine.allocation.base import Strategy
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.geometry import Box, Mesh
from meshgui.engine.basics.guard import long_calls
from meshgui.engine.basics.translation import formatted, tr
from meshgui.engine.runs.recording import Recording
from meshgui.engine.runs.simulation import simulate_figures
from meshgui.engine.scenario import Scenario, scenario_from
from meshgui.model.exercises.exercise import ChoiceForm, Draw, Exercise, ExerciseKey, Judgement, said

_MOMENTS_TRIED: Final = 12
_FEWEST_RUNNING: Final = 2
_FEWEST_OPTIONS, _MOST_OPTIONS = 3, 4
_LATER: Final = 0.5  # than events, which come at whole times
_RIVALS: Final = ("ff", "bf", "bl", "gabl", "tff", "mbs", "paging")
_MOST_RIVALS: Final = 4


@dataclass(frozen=True, eq=False)
class FailureExercise(Exercise):
    """How much processor-time a failure undoes; wrong answers are what it undoes under other strategies."""

    kind: ClassVar = "failure"
    title: ClassVar = tr("What does this failure cost?")

    failed: Box
    costs: tuple[tuple[str, float], ...]  # by strategy, the one asked about first
    options: tuple[float, ...]

    @classmethod
    def suits(cls, strategy: type[Strategy]) -> bool:
        return strategy.can_hold_out()

    @classmethod
    def ask(cls, key: ExerciseKey, recording: Recording, draw: Draw) -> Self | None:
        """An exercise in this run, if there is one."""
        times = sorted(set(recording.times.tolist()))
        for time in draw.some_of(times, _MOMENTS_TRIED):
            position = recording.position_at(time)
            snapshot = recording.snapshot(position)
            if len(snapshot.running) < _FEWEST_RUNNING:
                continue
            job = int(draw.one_of(snapshot.running.tolist()))
            failed = _box_in(recording.boxes_of(job)[0], recording.mesh, draw)
            costs = tuple(_costs(recording, failed, time + _LATER))
            own = costs[0][1]
            wrong = [cost for cost in dict.fromkeys(cost for _, cost in costs) if cost != own]
            wrong += [cost for cost in _misreadings(recording, failed, position, time) if cost not in wrong]
            wrong = [cost for cost in wrong if cost != own]
            if len(wrong) < _FEWEST_OPTIONS - 1:
                continue
            options = [own, *wrong[: _MOST_OPTIONS - 1]]
            draw.shuffle(options)
            return cls(key, recording, position, time + _LATER, job, None, failed, costs, tuple(options))
        return None

    @property
    def question(self) -> str:
        return said(
            tr(
                "At time {time} the processors {place} fail, and stay down until all jobs have left. A job "
                "that is hit goes back to the queue and begins again. How much processor-time does the "
                "failure undo with {strategy}: for each job that is hit its processors, times how long it "
                "has run?"
            ),
            time=formatted(self.time, "g"),
            place=self.failed.describe(flat=self.mesh.dims == 2),
            strategy=self.recording.strategy.title,
        )

    @property
    def form(self) -> ChoiceForm:
        return ChoiceForm(tuple(formatted(cost, "g") for cost in self.options))

    @property
    def right(self) -> int:
        return self.options.index(self.costs[0][1])

    def judge(self, answer: object) -> Judgement:
        given, right = self.options[self.form.read(answer)], self.options[self.right]
        if given == right:
            return Judgement(1.0, said(tr("Right: {row}."), row=formatted(right, "g")))
        return Judgement(0.0, said(tr("It undoes {cost}."), cost=formatted(right, "g")))

    @property
    def explanation(self) -> str:
        costs = tr(", ").join(f"{strategy(name).title} {formatted(cost, 'g')}" for name, cost in self.costs)
        return said(
            tr("The same failure with the same jobs undoes under each strategy: {costs}."), costs=costs
        )


def _box_in(held: Box, mesh: Mesh, draw: Draw) -> Box:
    """A small box with a processor of a held one."""
    base = [b + draw.below(n) for b, n in zip(held.base, held.size, strict=True)]
    sides = [1 + draw.below(min(2, side - b)) for b, side in zip(base, mesh.extents, strict=True)]
    return Box._make([*base, *sides])


def failing(scenario: Scenario, name: str, failed: Box, time: float) -> Scenario:
    """A scenario with another strategy, in which a box fails for as long as it can matter."""
    data: dict[str, Any] = scenario.model_dump(mode="json")
    jobs = data["workload"]["jobs"]
    end = max(job["arrival"] for job in jobs) + 2 * sum(job["service"] for job in jobs) + time
    machine = {"failures": [{"box": list(failed), "from": time, "until": end}]}
    return scenario_from(data | {"allocator": {"name": name}, "machine": machine})


def _costs(recording: Recording, failed: Box, time: float) -> Iterator[tuple[str, float]]:
    """What the failure undoes under the run's strategy, and then under rivals that work on the mesh."""
    own, mesh, rivals = recording.scenario.allocator.name, recording.mesh, 0
    for name in dict.fromkeys((own, *_RIVALS)):
        cls = strategy(name)
        if name != own and (rivals == _MOST_RIVALS or cls.unfit(mesh, cls.options_model()) is not None):
            continue
        rivals += name != own
        with long_calls():
            run = simulate_figures(failing(recording.scenario, name, failed, time), recording.seed)
        lost = 0.0 if run.outages is None else float(run.outages.kills["lost"].sum())
        yield name, lost


def _misreadings(recording: Recording, failed: Box, position: int, time: float) -> Iterator[float]:
    """What comes out if one counts only what fails of each job, or all that runs."""
    snapshot, now = recording.snapshot(position), time + _LATER
    ran = {job: now - float(recording.times[recording.started[job]]) for job in snapshot.running.tolist()}
    held = [
        (Box(*row), job) for row, job in zip(snapshot.boxes.tolist(), snapshot.owners.tolist(), strict=True)
    ]
    hit = {job for box, job in held if box.overlaps(failed)}
    yield sum(failed.volume * ran[job] for job in hit)
    yield sum(box.volume * ran[job] for box, job in held)
    yield sum(box.volume * float(recording.jobs.service[job]) for box, job in held if job in hit)
