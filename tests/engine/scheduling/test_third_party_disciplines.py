"""Disciplines of other packages: found by their entry point, run like the project's own, named when wrong."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from meshgui.cli.faults import WorkFailed
from meshgui.cli.scenarios import working_on
from meshgui.engine.allocation.first_fit import FirstFit
from meshgui.engine.allocation.guarded_strategy import guarded
from meshgui.engine.basics.guard import StuckError
from meshgui.engine.basics.kinds import EventKind, Serving
from meshgui.engine.basics.work import Work
from meshgui.engine.runs.simulation import Simulation, simulate, simulate_figures
from meshgui.engine.scenario import ScenarioError, json_schema
from meshgui.engine.scheduling.base import Discipline, DisciplineError, DisciplineOptions
from meshgui.engine.scheduling.guarded_discipline import GuardedDiscipline
from meshgui.engine.scheduling.registry import discipline, disciplines
from meshgui.experiment.run_spec import run_spec_of
from meshgui.experiment.task import outcome_of
from tests.engine.scheduling.third_party import Ageing
from tests.scenarios import listed, parse_scenario, scenario


def wrong(**parts):
    """A variant of the ageing discipline with some parts of another kind."""
    return type("Wrong", (Ageing,), {"id": "wrong", "__module__": __name__, **parts})


class Shapeless(DisciplineOptions):
    """An option that no schema has words for."""

    better: Callable[[int], int] = abs


def run_with(install, **parts):
    """A run by such a variant."""
    install(wrong=wrong(**parts))
    return simulate(scenario((4, 4), jobs=20, scheduler={"name": "wrong"}))


def test_a_third_party_discipline_is_found_by_its_entry_point(install):
    """It stands after the project's own, under its own id."""
    own = list(disciplines())
    install(ageing=Ageing)
    assert list(disciplines()) == [*own, "ageing"]
    assert discipline("ageing").title == "Smallest first, with ageing"


def test_its_options_are_part_of_the_scenario_and_options_are_written_as_they_were_stated(ageing):
    """Checked against its own model, kept, in the schema; what is left out is left out again."""
    of = scenario((4, 4), scheduler={"name": "ageing", "options": {"patience": 7.5}})
    again = parse_scenario(of.model_dump_json())
    assert GuardedDiscipline(discipline("ageing"), again.scheduler.options).discipline.options.patience == 7.5
    assert again == of
    with pytest.raises(ScenarioError, match=r"scheduler\.options\.patience: expected a number"):
        parse_scenario(of.model_dump_json().replace("7.5", '"long"'))
    with pytest.raises(ScenarioError, match=r"scheduler\.options\.age: unknown key: .* one of patience"):
        parse_scenario(of.model_dump_json().replace("patience", "age"))
    schemas = {
        kind["properties"]["name"]["const"]: kind for kind in json_schema()["$defs"]["SchedulerSpec"]["oneOf"]
    }
    assert schemas["ageing"]["properties"]["options"]["properties"]["patience"]["default"] == 5.0
    of = scenario(scheduler={"name": "ssd"})
    assert of.scheduler.options.demand == "processor-time"
    assert of.model_dump()["scheduler"] == {"name": "ssd", "options": {}}
    stated = scenario(scheduler={"name": "ssd", "options": {"demand": "processor-time"}})
    assert stated.model_dump()["scheduler"]["options"] == {"demand": "processor-time"}


@pytest.mark.parametrize(
    ("thing", "reason"),
    [
        (7, "is not a Discipline"),
        (type("Bare", (), {}), "is not a Discipline"),
        (type("Vague", (Ageing.__base__,), {"id": "vague", "title": "Vague"}), "it lacks ranks"),
        (wrong(id=3), "id: expected one word, got 3"),
        (wrong(id="two words"), "id: expected one word, got 'two words'"),
        (wrong(title=None), "title: expected text, got None"),
        (wrong(plans="no"), "plans: expected true or false, got 'no'"),
        (wrong(ranks_by_service=1), "ranks_by_service: expected true or false, got 1"),
        (
            wrong(serving="all"),
            "serving: expected Serving.HEAD, Serving.EVERY, Serving.EASY or Serving.CONSERVATIVE, got 'all'",
        ),
        (wrong(options_model=Shapeless), "failed while describing its options: PydanticInvalidForJsonSchema"),
        (wrong(options_model=dict), "options_model: expected a subclass of DisciplineOptions"),
        (wrong(id="fcfs"), "has the id fcfs, which is already taken"),
    ],
)
def test_one_that_cannot_be_used_is_set_aside_with_a_reason(install, thing, reason):
    """The others are there, and a caller that wants it learns why it is not."""
    install(broken=thing)
    [(name, why)] = disciplines().unusable
    assert reason in why
    assert ":broken)" in why
    assert len(disciplines()) == 8
    if name != "fcfs":
        with pytest.raises(DisciplineError, match="broken"):
            discipline(name)


def test_a_discipline_may_offer_often_and_from_anywhere_in_the_queue(install):
    """The offers of earlier turns do not count; the latest may be the head."""

    def serve(_, queue):
        for _ in range(900):
            if queue.waiting():
                queue.try_to_place(queue.waiting()[0])

    install(wrong=wrong(serve=serve))
    jobs = [(at, (4, 4), 9) for at in range(6)]
    assert simulate(listed((4, 4), jobs, scheduler={"name": "wrong"})).complete

    def serve(_, queue):
        for job in reversed(queue.waiting()):
            queue.try_to_place(job)

    install(wrong=wrong(ranks=lambda _, jobs: -np.arange(len(jobs)), serve=serve))
    recording = simulate(listed((4, 4), [(0, (4, 4), 1), (0, (4, 4), 1)], scheduler={"name": "wrong"}))
    assert recording.event_jobs[recording.kinds == EventKind.START].tolist() == [0, 1]


def test_two_of_one_name_are_both_set_aside(install):
    """Which of them is meant cannot be known."""
    install(one=Ageing, other=Ageing)
    assert [name for name, _ in disciplines().unusable] == ["ageing", "ageing"]
    assert "ageing" not in disciplines()


@pytest.mark.parametrize("error", [RuntimeError("no licence"), ImportError("nothing there"), SystemExit(3)])
def test_one_that_cannot_be_loaded_is_set_aside(install, monkeypatch, error):
    """Whatever its package raises."""
    install(broken=Ageing)

    def load(_):
        raise error

    monkeypatch.setattr("importlib.metadata.EntryPoint.load", load)
    [(name, reason)] = disciplines().unusable
    assert name == "broken"
    assert f"failed while being loaded: {type(error).__name__}" in reason
    with pytest.raises(ScenarioError, match=r"scheduler\.name: the discipline broken .* failed while"):
        scenario(scheduler={"name": "broken"})


def raising(*_):
    """Fail."""
    raise ValueError("no idea")


def offers(*jobs):
    """A turn that offers some jobs whatever waits."""

    def serve(self, queue):
        for job in jobs:
            queue.try_to_place(job)

    return serve


def orders(jobs):
    """A turn that asks for some order."""
    return lambda _, queue: queue.reorder(jobs)


def forever(self, queue):
    """Wait for a job to be placed."""
    while queue.head() is not None:
        queue.try_to_place(queue.head())


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        (
            {"__init__": raising},
            r"wrong failed while starting: ValueError: no idea \(test_third_party_disciplines.py:\d+\)",
        ),
        ({"ranks": raising}, "wrong failed while ranking the jobs: ValueError: no idea"),
        ({"ranks": lambda *_: None}, "wrong ranks the jobs by None: expected a finite number for each of 20"),
        ({"ranks": lambda *_: [1, 2]}, r"wrong ranks the jobs by \[1, 2\]: expected a finite number"),
        ({"ranks": lambda *_: np.full(20, np.nan)}, "wrong ranks the jobs by array.*: expected a finite"),
        ({"serve": raising}, "wrong failed while serving the queue: ValueError: no idea"),
        ({"serve": offers(19)}, "wrong offers 19 to the allocator: expected a job that waits"),
        ({"serve": offers(0, 0)}, "wrong offers 0 to the allocator: expected a job that waits"),
        ({"serve": offers("it")}, "wrong offers 'it' to the allocator: expected a job that waits"),
        ({"serve": offers(-20)}, "wrong offers -20 to the allocator: expected a job that waits"),
        ({"serve": orders([])}, r"wrong orders the queue as \[\]: expected every waiting job once"),
        ({"serve": orders([0, 0])}, r"wrong orders the queue as \[0, 0\]: expected every waiting job once"),
        ({"serve": orders(None)}, "wrong orders the queue as None: expected every waiting job once"),
        ({"serve": forever}, "wrong offers job .* again and again although it cannot be placed now"),
        ({"serve": offers()}, "wrong never offered job 0 to the allocator, and the machine is empty"),
    ],
)
def test_one_that_does_wrong_is_named_in_one_sentence(install, parts, sentence):
    """When it is started, ranks, orders and offers jobs."""
    with pytest.raises(DisciplineError, match=f"^{sentence}[^\n]*$"):
        run_with(install, **parts)


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        ({"__init__": raising}, "wrong failed while starting: ValueError: no idea"),
        ({"ranks": raising}, "wrong failed while ranking the jobs: ValueError: no idea"),
        ({"ranks": lambda *_: np.full(20, np.nan)}, "wrong ranks the jobs by array.*: expected a finite"),
    ],
)
def test_one_that_ranks_alone_is_named_by_the_event_loop_too(install, parts, sentence):
    """Its queue is served as by the disciplines of the project, in compiled code."""
    install(wrong=wrong(serve=Discipline.serve, **parts))
    of = scenario((4, 4), jobs=20, scheduler={"name": "wrong"})
    with pytest.raises(DisciplineError, match=f"^{sentence}[^\n]*$"):
        simulate_figures(of)


def test_its_fault_ends_a_command_and_a_task_in_that_sentence(install, monkeypatch):
    """Neither the command line nor a worker fails over it; the allocator's own stays its own."""
    install(wrong=wrong(serve=raising))
    of = scenario((4, 4), jobs=20, scheduler={"name": "wrong"})
    sentence = "wrong failed while serving the queue: ValueError: no idea"
    with pytest.raises(WorkFailed, match=f"here.json: {sentence}"), working_on(Path("here.json")):
        simulate(of)
    assert sentence in outcome_of(0, run_spec_of(of).text, 1).fault
    monkeypatch.setattr("meshgui.engine.allocation.busy_list.BusyList.allocate", raising)
    with pytest.raises(Exception, match="tbl failed at job 0: ValueError: no idea"):
        run_with(install)


def test_a_run_asks_a_discipline_for_its_ranks_once(install):
    """A second answer would take as long as the first, and need not be the same."""
    asked = []

    def ranks(self, jobs):
        asked.append(len(jobs))
        return np.zeros(len(jobs))

    run_with(install, ranks=ranks)
    assert asked == [20]


def test_ranks_are_the_disciplines_only_until_it_has_given_them(install):
    """An array that it changes later changes nothing."""
    kept = []

    def ranks(self, jobs):
        kept.append(np.zeros(len(jobs)))
        return kept[-1]

    def serve(self, queue):
        kept[-1][:] = np.arange(len(kept[-1]))[::-1]
        super(Ageing, self).serve(queue)

    install(wrong=wrong(ranks=ranks, serve=serve))
    jobs = [(0.0, (4, 4), 1.0)] * 4
    recording = simulate(listed((4, 4), jobs, scheduler={"name": "wrong"}))
    assert recording.started.tolist() == sorted(recording.started.tolist())


def never_back(*_):
    """Work without end."""
    while True:
        pass


def placed_then_never_back(self, queue):
    """Place the first job, then work without end."""
    queue.serve(Serving.HEAD)
    never_back()


class Plain(FirstFit):
    """A strategy of another package that the event loop calls in Python."""

    id = "plain"

    def allocate(self, request, log=None):
        return super().allocate(request, log)


@pytest.fixture
def with_plain(monkeypatch):
    """Have runs use a strategy of another package."""
    monkeypatch.setattr("meshgui.engine.runs.simulation.strategy", lambda _: guarded(Plain))


@pytest.mark.parametrize("allocator", ["kernels", "with_plain"])
@pytest.mark.parametrize(
    ("parts", "doing"),
    [
        ({"__init__": never_back}, "starting"),
        ({"ranks": never_back}, "ranking the jobs"),
        ({"serve": never_back}, "serving the queue"),
        ({"serve": placed_then_never_back}, "serving the queue"),
    ],
)
def test_one_that_does_not_come_back_is_given_up_by_name(
    request, install, monkeypatch, parts, doing, allocator
):
    """As a strategy is, whichever strategy it serves: in a command, and in the task of an experiment."""
    monkeypatch.setenv("MESHGUI_STRATEGY_SECONDS", "0.4")
    install(wrong=wrong(**parts))
    if allocator != "kernels":
        request.getfixturevalue(allocator)
    of = scenario((4, 4), "ff", jobs=20, scheduler={"name": "wrong"})
    sentence = f"wrong did not return from {doing} within 0.4 s"
    with pytest.raises(WorkFailed, match=f"^here.json: {sentence}$"), working_on(Path("here.json")):
        simulate(of)
    assert outcome_of(0, run_spec_of(of).text, 1).fault == sentence


@pytest.mark.usefixtures("ageing", "with_plain")
def test_a_strategy_that_does_not_come_back_in_its_turn_is_named_itself(monkeypatch):
    """It is the allocator that is waited for."""
    monkeypatch.setenv("MESHGUI_STRATEGY_SECONDS", "0.4")
    monkeypatch.setattr(Plain, "allocate", never_back)
    with pytest.raises(StuckError, match=r"^plain did not return from allocating for job 0 within 0\.4 s$"):
        simulate(scenario((4, 4), "ff", jobs=20, scheduler={"name": "ageing"}))


def test_a_turn_is_recorded_as_it_goes_on(ageing):
    """Who follows the run is shown what had happened, though the discipline works in another thread."""
    run, seen = Simulation(scenario((4, 4), "ff", jobs=300, load=4, scheduler={"name": "ageing"})), []
    whole = run.run(Work(lambda _: seen.append(run.recording())))
    assert len(seen) > 1
    for recording in seen:
        events = len(recording)
        assert recording.times.tolist() == whole.times[:events].tolist()
        assert recording.new_ranks.tolist() == whole.new_ranks[: len(recording.new_ranks)].tolist()
