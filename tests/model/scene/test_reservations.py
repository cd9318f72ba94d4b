"""A box that is promised to a job is drawn over those that are in it, until the job has it."""

from meshgui.engine.basics.geometry import Box
from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import load_scenario
from meshgui.model.document.examples import example
from meshgui.model.moment.moment_view import View
from meshgui.model.moment.position import Position
from meshgui.model.scene.mesh_scene import build_scene
from meshgui.model.scene.theme_colours import LIGHT
from meshgui.model.stepping.selection import Selection


def test_the_reserved_row_of_the_papers_example_is_dashed_from_5_to_9():
    """Tsai, Lei and Lai, Example 1: job 4 is promised the lowest row while jobs 0 and 2 are in it."""
    recording = simulate(load_scenario(example("tree-allocation-example-1")))

    def promised(position: Position, time: float) -> list[Box]:
        scene = build_scene(View(recording, position, time), Selection(), LIGHT)
        assert [entry.words for entry in scene.legend if entry.words == "reserved"] == (
            ["reserved"] if scene.marks and not position.inside else []
        )
        return [] if position.inside else [mark.box for mark in scene.marks]

    row = Box(0, 0, 0, 4, 1, 1)
    for time, boxes in ((4.0, []), (5.0, [row]), (8.0, [row]), (9.0, [])):
        assert promised(Position(recording.position_at(time)), time) == boxes, time
    attempt = next(n for n in range(len(recording.attempts)) if recording.attempts[n].job == 5)
    assert promised(Position(recording.attempts[attempt].position, attempt, 0), 6.0) == []
