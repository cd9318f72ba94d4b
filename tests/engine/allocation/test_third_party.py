"""Other people's strategies: found by their entry point, run like the project's own, stopped when wrong."""

import inspect
import sys
from importlib.metadata import EntryPoint
from inspect import isfunction
from typing import ClassVar, get_origin, get_type_hints

import numpy as np
import pytest

from meshgui.engine.allocation import registry
from meshgui.engine.allocation.base import Options, Source, Strategy
from meshgui.engine.allocation.inspection import Inspection, Moment, Request
from meshgui.engine.allocation.pseudo_code import Line
from meshgui.engine.allocation.steps import Mark, Role, Step
from meshgui.engine.basics.geometry import Box, Mesh, region
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.runs.measures import summary
from meshgui.engine.runs.simulation import Simulation, simulate
from meshgui.engine.scenario import ScenarioError, remarks
from meshgui.model.moment.position import Position
from meshgui.model.stepping.cursor import Cursor
from meshgui.plugin_kinds import plugins_in
from tests.scale import COMPILED
from tests.scenarios import listed, parse_scenario, scenario


class Highest(Strategy):
    """A student's strategy in plain Python: First Fit from the far corner, with an option and a step log."""

    class Choices(Options):
        """Its option."""

        keep_free: int = 0

    id = "highest"
    title = "Highest Fit"
    dims = frozenset({2, 3})
    rotates = False
    contiguous = True
    source = Source("a student", "first try")
    lines = (
        Line("look", "for each node, the farthest first", says="Look at {base}."),
        Line("take", "if its box is free: take it", 1, decision=True, says="Take {box}."),
    )
    options_model = Choices

    def __init__(self, mesh, options=None):
        super().__init__(mesh, options)
        self.held = mesh.occupancy()

    def allocate(self, request, log=None):
        if np.count_nonzero(self.held < 0) - np.prod(request.size) < self.options.keep_free:
            return None
        for z, y, x in reversed(list(np.ndindex(self.held.shape))):
            box = Box(x, y, z, *request.size)
            self.operations += 1
            if log is not None:
                log.note(0, Role.TRIED, box)
            if self.mesh.holds(box) and (region(self.held, box) < 0).all():
                region(self.held, box)[:] = request.job
                if log is not None:
                    log.note(1, Role.PLACED, box)
                return (box,)
        return None

    def release(self, job, log=None):  # noqa: ARG002
        self.held[self.held == job] = -1

    def capture(self):
        return {"held": self.held.copy()}

    def restore(self, state):
        self.held[:] = state["held"]

    def inspect(self, moment):
        return Inspection((), (), self.say(moment))


def wrong(name, **methods):
    """A variant of the student's strategy with some methods of another kind."""
    return type(name, (Highest,), {"id": name, "__module__": __name__, **methods})


def test_a_pure_python_strategy_runs_like_any_other(install):
    """Found by its entry point: events, figures, key frames and steps, without a kernel of its own."""
    install(highest=Highest)
    assert registry.strategy("highest").title == "Highest Fit"
    recording = simulate(scenario((5, 4), "highest", jobs=80))
    assert recording.boxes_of(0)[0].end == (4, 3, 0)
    assert summary(recording)["jobs"] + summary(recording)["rejected"] == 80
    places = there_and_back(recording, Position(120), 60)
    assert any(place.attempt is not None for place in places)


def there_and_back(recording, begin, steps):
    """Step on from a place and back again, by the same places, which are returned."""
    cursor = Cursor()
    cursor.show(recording)
    cursor.go_to(begin)
    places = [cursor.position]
    for _ in range(steps):
        cursor.next_step()
        places.append(cursor.position)
        assert cursor.view.sentence
    for place in reversed(places):
        assert cursor.position == place
        cursor.previous_step()
    return places


def test_its_options_are_part_of_the_scenario(install):
    """Checked, kept and reaching the strategy; one that logs nothing has attempts without steps."""
    install(highest=Highest)
    text = scenario((4, 4), "highest").model_dump_json()
    given = parse_scenario(text.replace('"keep_free":0', '"keep_free":3'))
    assert given.allocator.options == Highest.Choices(keep_free=3)
    assert parse_scenario(given.model_dump_json()) == given
    assert Simulation(given).strategy.options.keep_free == 3
    with pytest.raises(ScenarioError, match=r"allocator\.options\.keep_free: expected"):
        parse_scenario(text.replace('"keep_free":0', '"keep_free":"few"'))
    with pytest.raises(ScenarioError, match=r"allocator\.options\.speed: unknown key"):
        parse_scenario(text.replace('"keep_free":0', '"speed":1'))

    def allocate(self, request, log=None):
        del log
        return Highest.allocate(self, request)

    install(silent=wrong("silent", allocate=allocate))
    there_and_back(simulate(scenario((4, 4), "silent", jobs=10)), Position(0), 25)


def gives(boxes):
    """An allocate that always answers the same."""
    return lambda self, request, log=None: boxes  # noqa: ARG005 - the interface is given


def raises(error):
    """A method that raises."""

    def fail(*_, **__):
        raise error

    return fail


THREE_JOBS = [(0, (2, 1), 5), (1, (1, 1), 1), (2, (1, 1), 1)]


@pytest.mark.parametrize(
    ("methods", "complaint"),
    [
        ({"allocate": gives((Box(0, 0, 0, 2, 1, 1),))}, "part of which is held already"),
        ({"allocate": gives((Box(3, 0, 0, 2, 1, 1),))}, "not inside the mesh"),
        ({"allocate": gives((Box(0, 0, 0, 1, 1, 1),))}, "fewer processors"),
        ({"allocate": gives((Box(0, 0, 0, 1, 1, 1),) * 2)}, "part of which is held already"),
        ({"allocate": gives(())}, "fewer processors"),
        ({"allocate": gives(Box(0, 0, 0, 2, 1, 1))}, "the bare box (0, 0, 0, 2, 1, 1): expected"),
        ({"allocate": gives(True)}, "expected a sequence of boxes"),
        ({"allocate": gives((("a",) * 6,))}, "expected a sequence of boxes"),
        ({"allocate": gives(None)}, "could not place job 0 on the empty machine"),
        ({"allocate": raises(ZeroDivisionError("by\nzero"))}, "at job 0: ZeroDivisionError: by zero"),
        ({"release": raises(KeyError("gone"))}, "at job 1: KeyError: 'gone'"),
        ({"refusal": raises(RuntimeError("hm"))}, "while running refusal: RuntimeError: hm"),
        ({"__init__": raises(OSError("no licence"))}, "OSError: no licence"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_strategy_that_breaks_its_word_is_stopped_by_name(install, methods, complaint):
    """Whatever it gives or raises, the run ends with one line that names the strategy and what it did."""
    install(faulty=wrong("faulty", **methods))
    with pytest.raises(registry.StrategyError) as caught:
        simulate(listed((4, 1), THREE_JOBS, "faulty"))
    assert str(caught.value).startswith("faulty ")
    assert complaint in str(caught.value)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda *_: ("Mind the gap",), "Mind the gap"),
        (lambda *_: 3, "faulty answered with remarks: expected a tuple, got 3"),
        (raises(OSError("gone")), "faulty failed while running remarks: OSError: gone"),
    ],
    ids=["sound", "of another kind", "raised"],
)
def test_what_it_remarks_on_a_scenario_is_a_sentence_whatever_it_does(install, answer, said):
    """Its fault is said, and keeps no file from being opened."""
    install(faulty=wrong("faulty", remarks=classmethod(answer)))
    [remark] = remarks(listed((4, 1), THREE_JOBS, "faulty"))
    assert remark.startswith(said)


def logging(line):
    """A release that logs a line."""

    def release(self, job, log=None):
        self.held[self.held == job] = -1
        if log is not None:
            log.note(line, Role.TRIED, Box(0, 0, 0, 1, 1, 1))

    return release


def test_a_third_partys_release_is_stepped_where_it_has_lines(install):
    """Without lines it need take no log; a wrong step is one sentence with strategy and line in its place."""
    lines = (Line("free", "free all that it holds", decision=True, says="{job} leaves {box}."),)
    install(plain=Highest, stepped=wrong("stepped", release_lines=lines, release=logging(0)))
    plain, stepped = (simulate(listed((4, 1), THREE_JOBS, name)) for name in ("highest", "stepped"))
    position = int(stepped.ended[0])
    assert plain.leaving_at(position) is None
    assert stepped.leaving_at(position) == 0
    assert plain.next_release(0) is None
    assert stepped.next_release(0) == int(stepped.ended[1])  # the first job to leave
    assert stepped.next_release(position) == position
    cursor = Cursor()
    cursor.show(stepped)
    cursor.enter_release(0)
    assert cursor.position == Position(position, release=True)
    assert cursor.view.lines == lines
    assert "leaves. job 0 leaves (0,0)" in cursor.view.sentence
    cursor.next_step()
    assert cursor.position == Position(position + 1)
    lines = (Line("free", "free all that it holds"),)
    install(faulty=wrong("faulty", release_lines=lines, release=logging(1)))
    cursor = Cursor()
    cursor.show(simulate(listed((4, 1), THREE_JOBS, "faulty")))
    cursor.enter_release(0)
    assert "faulty logged at job 0 the line 1: expected one from 0 to 0" in cursor.view.sentence
    cursor.next_step()
    assert not cursor.position.inside


def test_the_error_of_a_strategy_is_kept_as_the_cause(install):
    """Its author sees the line of its own code, also where a library raised, and has the whole traceback."""
    error = ZeroDivisionError("by zero")
    install(faulty=wrong("faulty", allocate=raises(error)))
    with pytest.raises(registry.StrategyError, match=r"by zero \(test_third_party\.py:\d+\)$") as caught:
        simulate(listed((4, 1), THREE_JOBS, "faulty"))
    assert caught.value.__cause__ is error
    install(faulty=wrong("faulty", release=lambda *_: np.zeros(3).reshape(2, 2)))
    line = inspect.currentframe().f_lineno - 1
    with pytest.raises(registry.StrategyError, match=rf"shape \(2,2\) \(test_third_party\.py:{line}\)$"):
        simulate(listed((4, 1), THREE_JOBS, "faulty"))


@pytest.mark.kernel
@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_a_kernel_that_does_not_compile_is_told_in_plain_text(install):
    """The compiler's message has no escape codes and is cut; the file and line are those of the kernel."""

    @kernel
    def wrong_kernel(held):
        return held + "one"

    line = inspect.currentframe().f_lineno - 2
    install(faulty=wrong("faulty", allocate=lambda self, request, log=None: wrong_kernel(self.held)))  # noqa: ARG005
    with pytest.raises(registry.StrategyError) as caught:
        simulate(listed((4, 1), THREE_JOBS, "faulty"))
    said = str(caught.value)
    assert said.startswith("faulty failed at job 0: TypingError: No implementation of function")
    assert said.endswith(f"(test_third_party.py:{line})")
    assert said.isprintable()
    assert len(said) < 500


def test_every_member_of_a_strategy_is_its_own_behind_the_guard(install):
    """Each method, class variable and value that Strategy has is asked of the third party's class."""
    asked = []

    def told(name, original):
        return lambda *args, **given: asked.append(name) or original(*args, **given)

    public = {name: member for name, member in vars(Strategy).items() if not name.startswith("_")}
    of_class = {name for name, member in public.items() if isinstance(member, classmethod)}
    methods = {name for name, member in public.items() if isfunction(member)} | of_class
    hints = get_type_hints(Strategy)
    variables = {name for name, hint in hints.items() if get_origin(hint) is ClassVar}
    values = set(hints) - variables
    assert set(public) <= methods | variables | values, "a member of another kind"
    watched = {name: told(name, getattr(Highest, name)) for name in methods}
    watched |= {name: staticmethod(watched[name]) for name in of_class}
    install(whole=wrong("whole", **watched))
    cls = registry.strategy("whole")
    for name in variables:
        assert getattr(cls, name) is getattr(cls.inner, name)
    working = cls(Mesh((4, 1)))
    request, box, moment = Request(0, (2, 1, 1)), Box(2, 0, 0, 2, 1, 1), Moment(working.capture())
    given = {"request": request, "job": 0, "state": working.capture(), "moment": moment, "boxes": (box,)}
    given |= {"box": box, "size": request.size, "sizes": np.array([request.size]), "mesh": working.mesh}
    given |= {"step": Step(0, (Mark(Role.TRIED, box, (0, 0, 0)),)), "options": working.options}
    for name in sorted(methods, key=lambda name: name != "replay"):
        asked.clear()
        parameters = inspect.signature(getattr(Strategy, name)).parameters
        named = [given[parameter] for parameter in parameters if parameter in given]
        if name == "hold_out":  # which it cannot
            with pytest.raises(registry.StrategyError, match="hold_out: NotImplementedError"):
                working.hold_out(box)
        else:
            getattr(cls if name in of_class else working, name)(*named)
        assert name in asked
        if name == "replay":
            working.release(0)
    working._wrapped.operations, working._wrapped.part_attempts = 77, 7
    working.due()
    assert (working.operations, working.part_attempts) == (77, 7)
    assert values == {"operations", "part_attempts", "took"}


def test_turning_may_depend_on_an_option_and_boxes_may_be_plain_tuples_of_numpy_numbers(install):
    """What is said of a request that fits in no way goes by the option; boxes are recorded as boxes."""

    class Choices(Options):
        turn: bool = False

    turning = classmethod(lambda cls, options: options.turn)  # noqa: ARG005
    install(turner=wrong("turner", rotates=True, options_model=Choices, turning=turning))
    plain, turned = (registry.strategy("turner")(Mesh((4, 2)), Choices(turn=turn)) for turn in (False, True))
    assert plain.refusal((5, 2, 1)) == "5×2 does not fit into the empty 4×2 mesh"
    assert turned.refusal((5, 2, 1)) == "5×2 does not fit into the empty 4×2 mesh, however turned"
    assert (plain.turns((2, 4, 1)), turned.turns((2, 4, 1))) == ((), ((4, 2, 1),))

    def allocate(self, request, log=None):
        boxes = Highest.allocate(self, request, log)
        return boxes and [tuple(np.array(boxes[0]))]

    install(plain=wrong("plain", allocate=allocate))
    recording = simulate(listed((4, 1), THREE_JOBS, "plain"))
    assert recording.boxes_of(0) == (Box(2, 0, 0, 2, 1, 1),)


@pytest.mark.parametrize("nodes", [[0, 1, 2], [1, 1], [[1], [2]], [1, 4], [1.0, 2.0]])
def test_processors_that_are_not_those_of_the_boxes_are_refused(install, nodes):
    """A sender of messages between them may rely on it, whatever order a strategy lists them in."""
    backwards = wrong("backwards", nodes=lambda self, boxes: Strategy.nodes(self, boxes)[::-1])
    install(faulty=wrong("faulty", nodes=lambda *_: np.array(nodes)), backwards=backwards)
    boxes = (Box(1, 0, 0, 2, 1, 1),)
    with pytest.raises(registry.StrategyError, match=r"^faulty .*(nodes: expected|other processors)"):
        registry.strategy("faulty")(Mesh((4, 1))).nodes(boxes)
    assert registry.strategy("backwards")(Mesh((4, 1))).nodes(boxes).tolist() == [2, 1]


def test_a_name_that_is_taken_is_set_aside(install):
    """A third party cannot stand in for one of the project's strategies, nor two for one another."""
    install(ff=wrong("ff"), one=wrong("same"), other=wrong("same"))
    assert "meshgui" in registry.strategy("ff").__module__
    assert {cls.__module__.split(".")[0] for cls in registry.strategies().values()} == {"meshgui"}
    assert [name for name, _ in registry.strategies().unusable] == ["ff", "same", "same"]
    with pytest.raises(registry.StrategyError, match="has the id same, which is already taken"):
        registry.strategy("same")


class Unfinished(Strategy):
    """Lacks nearly everything."""


NAMELESS = {name: member for name, member in vars(Highest).items() if name != "id"}


@pytest.mark.parametrize(
    ("thing", "reason"),
    [
        (dict, "is not a Strategy$"),
        (Unfinished, "is not a Strategy: it lacks allocate, capture, release, restore"),
        (type("nameless", (Strategy,), NAMELESS), "has no id"),
        (wrong("nonsense", lines=[]), "lines: expected a tuple"),
        (wrong("nonsense", lines=("look",)), "lines: expected a Line, got 'look'"),
        (wrong("nonsense", id=7), "id: expected one word, got 7"),
        (wrong("nonsense", id="two words"), "id: expected one word"),
        (wrong("nonsense", dims=frozenset({4})), "dims: expected 2, 3 or both"),
        (wrong("nonsense", dims=2), "dims: expected 2, 3 or both, got 2"),
        (wrong("nonsense", source=("a", "b")), "source: expected a Source"),
        (wrong("nonsense", options_model=dict), "options_model: expected a subclass of Options"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_entry_point_that_is_no_strategy_is_set_aside(install, thing, reason):
    """Only a caller that asks for it learns of it, with what it points to and what is wrong."""
    install(highest=Highest, nonsense=thing)
    names = list(registry.strategies())
    assert names[-1] == "highest"
    assert {"ff", "tbl"} < set(names[:-1])
    with pytest.raises(registry.StrategyError, match=r"nonsense \(.*" + reason) as caught:
        registry.strategy("nonsense")
    assert registry.strategies().unusable == (("nonsense", str(caught.value)),)
    with pytest.raises(ScenarioError, match=r"allocator\.name: the strategy nonsense"):
        scenario((4, 4), "nonsense")


@pytest.mark.parametrize("error", [ImportError("no such module"), SystemExit(1), RecursionError()])
def test_an_entry_point_that_cannot_be_imported_is_set_aside(install, monkeypatch, error):
    """Whatever its module does on being imported, the program continues."""
    install(broken=Highest)
    monkeypatch.setattr(EntryPoint, "load", raises(error))
    assert {cls.__module__.split(".")[0] for cls in registry.strategies().values()} == {"meshgui"}
    with pytest.raises(
        registry.StrategyError, match=f"broken .* failed while being loaded: {type(error).__name__}"
    ):
        registry.strategy("broken")


def test_a_strategy_is_loaded_from_a_file(tmp_path, monkeypatch):
    """Of what the file defines itself; a name that is missing is reported as missing."""
    monkeypatch.setattr("sys.path", sys.path.copy())
    monkeypatch.setattr("sys.modules", sys.modules.copy())
    path = tmp_path / "mine_in_a_file.py"
    with pytest.raises(registry.StrategyError, match=r"mine_in_a_file.py: there is no such file$"):
        plugins_in(path, "strategy")
    path.write_text(
        "from meshgui.engine.allocation.first_fit import FirstFit\n"
        "class Mine(FirstFit):\n    id = 'mine'\n    title = 'Mine'\n",
        encoding="utf-8",
    )
    assert [cls.id for _, cls in plugins_in(path, "strategy")] == ["mine"]
