"""Whether a run by the compiled loop gives what the strategy answers when it is called one job at a time."""

from __future__ import annotations

from meshgui.engine.allocation.base import Allocation, Reservation, Strategy
from meshgui.engine.allocation.inspection import Request
from meshgui.engine.allocation.kernel_strategy import KernelStrategy
from meshgui.engine.allocation.registry import strategies
from meshgui.engine.basics.kinds import AttemptOutcome, EventKind
from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.recording import Recording
from meshgui.engine.runs.simulation import Simulation
from meshgui.engine.scenario import Scenario, scenario_from
from meshgui.plugin_kinds import offered
from meshgui.stories import Acts, Ask, PropertyError, StoryRun, asks_for, require, same_state


def has_kernels_alone(cls: type[Strategy]) -> bool:
    """Whether the loop calls a strategy's kernels in place of its methods."""
    return issubclass(cls, KernelStrategy) and cls.is_kernels_alone()


def same_in_the_loop(run: StoryRun, acts: Acts) -> None:
    """A run of the story's jobs leads to the same answers, states and counts as the calls by themselves."""
    cls = type(run.working)
    asks = any(isinstance(act, Ask) and run.working.refusal(act.size) is None for act in acts)
    if not has_kernels_alone(cls) or not asks:
        return
    with offered(strategies(), cls):
        scenario = _scenario_of(run, acts)
        try:
            recorded = Simulation(scenario, run.seed, record=True).run()
            figures = Simulation(scenario, run.seed, record=False).run()
        except RuntimeError as error:
            raise PropertyError(str(error)) from None
    _require_same_calls(run, recorded)
    for name in ("times", "event_jobs", "boxes", "operations"):
        same = getattr(figures, name).tolist() == getattr(recorded, name).tolist()
        require(same, tr("a run of which only figures are wanted has other {name}").format(name=name))


def _scenario_of(run: StoryRun, acts: Acts) -> Scenario:
    """The jobs of a story, one at a time; they leave when their time is over."""
    jobs = [
        {"arrival": at, "size": act.size[: run.mesh.dims], "service": act.service}
        for at, act in enumerate(acts)
        if isinstance(act, Ask) and run.working.refusal(act.size) is None
    ]
    options = run.working.options.model_dump(mode="json")
    return scenario_from(
        {
            "meshgui": 1,
            "mesh": {"shape": run.mesh.shape, "wrap": run.mesh.wrap},
            "allocator": {"name": run.working.id, "options": options},
            "workload": {"kind": "list", "jobs": jobs},
        }
    )


def _outcome(recorded: Recording, job: int, outcome: AttemptOutcome) -> Allocation:
    if outcome == AttemptOutcome.RESERVED and (box := recorded.reservation_of(job)) is not None:
        return Reservation(box)
    return recorded.boxes_of(job) if outcome == AttemptOutcome.PLACED else None


def _require_same_calls(run: StoryRun, recorded: Recording) -> None:
    """Call the strategy as the loop did."""
    working, frames = run.working, {frame.position: frame.state for frame in recorded.key_frames}
    begun = working.operations
    for position in range(len(recorded) + 1):
        for number in recorded.attempts.at(position):
            job, outcome = recorded.attempts[number].job, recorded.attempts[number].outcome
            now = float(recorded.times[position - 1])
            service = float(recorded.jobs.service[job])
            size = recorded.jobs.size(job)
            run.events.append(asks_for(job, size, run.mesh))
            given = working.allocate(Request(job, size, now, service, run.seed))
            said = _outcome(recorded, job, outcome)
            require(
                given == said,
                tr("in the loop job {job} got {said}, but {given} in a call by itself").format(
                    job=job, said=said, given=given
                ),
            )
        if position in frames:
            same = same_state(frames[position], working.capture())
            require(
                same, tr("in the loop the state differs after {position} events").format(position=position)
            )
        if position < len(recorded) and recorded.kinds[position] == EventKind.FINISH:
            job = int(recorded.event_jobs[position])
            working.release(job)
            run.events.append(tr("job {job} leaves").format(job=job))
    counted, looped = working.operations - begun, int(recorded.operations.sum())
    require(
        counted == looped,
        tr("the loop counted {looped} operations, but its calls by themselves {counted}").format(
            looped=looped, counted=counted
        ),
    )
