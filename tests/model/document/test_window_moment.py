"""A moment of a window survives its scenario's file and a link."""

import json
from hashlib import sha512
from pathlib import Path

import pytest

from meshgui.engine.scenario import ScenarioError, json_schema, load_file, load_scenario
from meshgui.experiment.field_paths import is_field
from meshgui.model.document.arrangement import Arrangement, PanelArea, PanelPlace
from meshgui.model.document.document import Document
from meshgui.model.document.examples import examples
from meshgui.model.document.moment_link import is_link, moment_link, read_link
from meshgui.model.document.window_moment import WindowMoment, read_breakpoints, select_again, selection_data
from meshgui.model.moment.instant import Instant
from meshgui.model.stepping.bookmarks import settled
from meshgui.model.stepping.player import Granularity
from meshgui.model.stepping.selection import Selection
from tests.networks import PAPERS_LAWS, busy, three_in_a_row
from tests.runs import run_of
from tests.scenarios import listed, save_scenario, scenario

PANELS = Arrangement({"end": PanelArea(PanelPlace("job", hidden=True), (200, 300))})
VIEW = {"time": 2.5, "selection": {"job": 3}, "camera": {"view": "top"}}


def test_the_engine_ignores_the_view_of_a_file(tmp_path):
    """It stands after the scenario; looking around is no change of a saved one, a breakpoint is."""
    plain, shown = tmp_path / "plain.json", tmp_path / "shown.json"
    made = scenario()
    save_scenario(made, plain)
    save_scenario(made, shown, VIEW)
    assert load_file(shown) == (made, VIEW)
    assert load_file(plain) == (made, {})
    assert load_scenario(shown) == load_scenario(plain)
    data = json.loads(plain.read_text())
    assert list(json.loads(shown.read_text())) == [*data, "view"]
    plain.write_text(json.dumps({**data, "view": 3}))
    with pytest.raises(ScenarioError, match=r"plain\.json: view: expected an object, got a number"):
        load_scenario(plain)
    assert json_schema()["properties"]["view"]["type"] == "object"
    assert not is_field("view.time")
    document, file, stops = Document(), tmp_path / "a.meshgui.json", [{"kind": "failure"}]
    document.take(scenario(), None)
    document.keep({"time": 1.0, "breakpoints": stops})
    assert not document.modified  # it has no file to keep them in
    document.save(file)
    document.keep({**document.view, "time": 7.0})
    assert not document.modified
    document.keep({"time": 7.0})
    assert document.modified
    document.open(file)
    assert document.view["breakpoints"] == stops


def test_a_moment_is_read_as_far_as_it_can_be():
    """Other versions and hands may have written it; what the run has not is left."""
    moment = WindowMoment(Instant(0, time=0.0), {"job": 1}, {"view": "top"}, PANELS, front=("queue",))
    assert WindowMoment.from_data(moment.as_data()) == moment
    bad = WindowMoment.from_data(
        {"time": "x", "selection": 3, "camera": [], "panels": 1, "more": 2} | {"front": [3, []]}
    )
    assert bad == WindowMoment(fault="The arrangement of the panels could not be read and is ignored.")
    assert len(read_breakpoints([{"kind": "start"}, {"kind": "moon"}, 3])) == 1
    assert read_breakpoints("start") == []
    recording = three_in_a_row()
    before, after = Selection(), Selection()
    before.select_packet(1, int(recording.network.jobs[1]))
    before.select_channel(3)
    before.select_span((2, 9))
    select_again(after, selection_data(before), recording)
    assert selection_data(after) == selection_data(before) != {}
    nothing = Selection()
    select_again(nothing, {"job": 10**6, "packet": 10**6, "channel": 16 * 8, "span": [1]}, recording)
    assert selection_data(nothing) == {}


@pytest.mark.parametrize("path", examples(), ids=lambda path: path.name.partition(".")[0])
def test_an_example_says_which_panels_are_in_front(path: Path):
    """Of a network its panel, and steps by hop; of allocations the algorithm and what it looks at."""
    made, view = load_file(path)
    moment = WindowMoment.from_data(view)
    if made.network is None:
        assert (moment.front, moment.granularity) == (("algorithm", "inspector"), None)
    else:
        assert (moment.front, moment.granularity) == (("network",), Granularity.HOP)


def test_a_link_holds_the_scenario_and_the_moment():
    """It works on another machine, to the step, with all that is to be seen."""
    made = run_of("three-jobs-4x4x4").scenario
    view = {"time": 1.0, "events": 3, "attempt": 1, "step": 2, "selection": {"job": 1}, "camera": {"x": 1}}
    view |= {"panels": PANELS.as_data(), "granularity": "line", "breakpoints": [{"kind": "failure"}]}
    link = moment_link(made, None, view)
    assert is_link(link)
    linked = read_link(link)
    assert linked.scenario == made
    assert linked.path is None
    assert linked.view == view
    with pytest.raises(ScenarioError, match="expected a link that is complete"):
        read_link(link[:-5])


@pytest.mark.parametrize("law", [{}, *PAPERS_LAWS], ids=str)
def test_a_link_holds_the_network(law):
    """With the fields that files leave out at their defaults."""
    made = busy(**law).scenario
    assert read_link(moment_link(made, None, {})).scenario == made


@pytest.mark.parametrize("path", examples(), ids=lambda path: path.name.partition(".")[0])
def test_a_link_to_any_example_leads_back_to_it(path: Path):
    """Whole, in the link itself or by the name of its file, at its moment."""
    scenario = load_scenario(path)
    linked = read_link(moment_link(scenario, path, {"time": 2.5}))
    assert (linked.scenario, linked.view["time"]) == (scenario, 2.5)


def test_a_link_that_would_be_too_long_leads_to_the_place_alone(tmp_path):
    """What else is to be seen is left out, and so is a number too long; without a file there is no link."""
    made = run_of("three-jobs-4x4x4").scenario
    place = {"time": 1.0, "selection": {"job": 1}}
    panels = "".join(sha512(b"%d" % number).hexdigest() for number in range(60))
    linked = read_link(moment_link(made, None, place | {"panels": panels}))
    assert (linked.scenario, linked.path, linked.view) == (made, None, place)
    link = moment_link(made, None, place | {"events": 3})
    assert "&events=3&" in link
    assert read_link(link.replace("events=3", "events=" + "9" * 5000)).view == place  # Python reads 4300
    jobs = [(n * 0.1234567, (1 + n % 7, 1 + n * n % 8), 1 + n * 0.7654321) for n in range(2000)]
    long = listed((8, 8), jobs)
    file = tmp_path / "a long one.meshgui.json"
    save_scenario(long, file, {"breakpoints": [{"kind": "failure"}]})
    linked = read_link(moment_link(long, file, {"time": 2.0}))
    assert (linked.scenario, linked.path) == (long, file)
    assert linked.view == {"breakpoints": [{"kind": "failure"}], "time": 2.0, "selection": {}}
    assert not linked.modified
    assert linked.known is not None
    assert linked.known.path == file
    with pytest.raises(ScenarioError, match="saved in a file"):
        moment_link(long, None, {})


@pytest.mark.parametrize(
    "link",
    [
        *("meshgui://scenario/xyz?at=1", "meshgui://elsewhere/1", "meshgui:", "meshgui://scenario/"),
        "meshgui://file/a%00b",
        f"meshgui://file/{'a' * 65_536}",
    ],
)
def test_a_broken_link_is_one_line(link):
    """What was expected, with the link shortened."""
    with pytest.raises(ScenarioError, match="expected"):
        read_link(link)


def test_a_time_and_a_step_alone_lead_into_the_attempt_made_there():
    """As typed on the command line; a step that is too large is the last one."""
    recording = run_of("three-jobs-4x4x4")
    time = Instant.in_attempt(recording, 1, 0).time

    def typed(time: float, step: int) -> Instant:
        return settled(WindowMoment.from_data({"time": time, "step": step}).instant, recording)

    assert typed(time, 2) == Instant.in_attempt(recording, 1, 1)
    assert typed(time, 999) == Instant.in_attempt(recording, 1, len(recording.trace(1).steps) - 1)
    assert typed(0.0, 2).attempt == 0
