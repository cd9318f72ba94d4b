"""What is down in the scene of the mesh: a crossed grey box, a word in the legend, and no free node."""

from meshgui.engine.allocation.steps import Role
from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import scenario_from
from meshgui.model.moment.moment_view import View
from meshgui.model.moment.position import Position
from meshgui.model.scene.marks import CROSSED
from meshgui.model.scene.mesh_scene import build_scene
from meshgui.model.scene.theme_colours import LIGHT
from meshgui.model.stepping.selection import Selection
from meshgui.model.studies.varied_parts import VariedPart, run_choices, varied
from tests.scenarios import scenario_of


def failing():
    """A job on a machine of which a box fails while it runs."""
    rows = [{"arrival": 0, "size": [2, 2], "service": 5}]
    return scenario_of((4, 3), rows, machine={"failures": [{"box": [0, 0, 2, 1], "from": 1, "until": 9}]})


def test_what_is_down_is_crossed_and_no_free_node():
    """From the failure on, not before; what else is drawn stays as it is."""
    recording = simulate(failing())

    def scene_at(time):
        view = View(recording, Position(recording.position_at(time)), time)
        return build_scene(view, Selection(), LIGHT)

    before, after = scene_at(0.0), scene_at(2.0)
    assert (before.marks, before.legend, len(before.dots)) == ((), (), 8)
    [mark] = after.marks
    assert (mark.role, tuple(mark.box)) == (Role.DOWN, (0, 0, 0, 2, 1, 1))
    assert mark.role in CROSSED
    assert [entry.words for entry in after.legend] == ["down"]
    assert len(after.dots) == 12 - 4 - 2
    assert [tuple(box) for box in after.boxes.tolist()] == [(2, 0, 0, 2, 2, 1)]


def test_another_strategy_has_the_same_failures():
    """Where a part of the scenario is varied, the machine stays; a strategy that cannot says so."""
    choices = {choice.name: choice for choice in run_choices(failing(), VariedPart.STRATEGY)}
    assert varied(failing(), choices["bf"]).reliability == failing().reliability
    assert "ta cannot take processors that are down" in choices["ta"].refusal
    assert scenario_from(failing().model_dump()) == failing()
