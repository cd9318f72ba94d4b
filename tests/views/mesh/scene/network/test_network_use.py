"""The use of channels: each coloured and thickened by how much it carried over the cycles looked at."""

import numpy as np
import pytest

from meshgui.engine.allocation.inspection import Heat
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.network.routing import LINKS, WAYS
from meshgui.model.selection import Selection
from meshgui.views.mesh.scene.builder import build_scene
from meshgui.views.mesh.scene.network.builder import build_network
from meshgui.views.mesh.scene.network.idle_links import idle_channels, idle_strength
from meshgui.views.style.colours import contrast
from meshgui.views.style.heat import heat_colours, line_colours
from meshgui.views.style.theme import DARK, LIGHT
from tests.views.mesh.network_fixtures import MEETING, network_cursor

ROWS = [*MEETING, [4, 1, 0, 0, 2, 0, 0, 0], [5, 1, 0, 0, 2, 0, 0, 0]]


def use_at(cycle, span=None, theme=LIGHT):
    """The scene of the use of channels at a cycle, and the record it tells of."""
    cursor, selection = network_cursor(ROWS, cycle), Selection()
    selection.select_span(span)
    return build_network(cursor.view, selection, theme, use=True), cursor.recording.network


@pytest.mark.parametrize("span", [None, (5, 20), (20, 40)])
def test_channels_are_as_thick_as_they_were_used(span):
    """Exactly the channels that carried a flit in the span are drawn, the busier the thicker."""
    scene, record = use_at(40, span)
    first, last = span or (1, 40)
    shares = record.use(first - 1, last)
    drawn = scene.strokes
    assert sorted(drawn.channels) == np.flatnonzero(shares).tolist()
    used = shares[drawn.channels]
    thicker = drawn.looks[:, 0]
    most = used[drawn.channels % WAYS < LINKS].max()
    assert np.allclose(np.interp(used, [0, most], [0.05, 0.17]), thicker, atol=1e-5)
    assert (scene.use.begin, scene.use.end) == (span or (0, 40))
    assert scene.use.most == most


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_the_busiest_channel_has_the_far_end_of_the_scale(theme):
    """Colours are those of every heat map of the theme, none of a job's."""
    scene, record = use_at(40, theme=theme)
    shares = record.use(0, 40)
    busiest = scene.strokes.channels == shares.argmax()
    far = heat_colours(np.array([1000]), Heat("use", 0, 1000), theme)[0]
    assert np.allclose(scene.strokes.colours[busiest, :3], far)
    assert len(np.unique(scene.strokes.colours, axis=0)) > 2


def test_a_busy_ejection_leaves_the_links_their_scale():
    """Sent to one node from all sides, its ejection carries more than any link: the scale is the links'."""
    rows = [[0, 0, 1, 0, 1, 1, 0, 0], [0, 2, 1, 0, 1, 1, 0, 0], [0, 1, 0, 0, 1, 1, 0, 0]]
    cursor, selection = network_cursor(rows, 40), Selection()
    scene = build_network(cursor.view, selection, LIGHT, use=True)
    shares = cursor.recording.network.use(0, cursor.view.cycle)
    links = shares[np.arange(len(shares)) % WAYS < LINKS].max()
    assert shares.max() > 2 * links
    assert scene.use.most == links
    far = line_colours(np.array([1.0]), LIGHT)[0]
    at_the_end = np.isclose(scene.strokes.colours[:, :3], far, atol=1e-6).all(axis=1)
    assert sorted(scene.strokes.channels[at_the_end]) == np.flatnonzero(shares >= links).tolist()


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_the_least_use_is_seen_and_more_is_seen_better(theme):
    """From 1.8 to 1 against the ground onwards, rising all the way; idle links stay fainter than that."""
    ground = theme.rgb("mesh_background")
    seen = [contrast(tuple(c), ground) for c in line_colours(np.linspace(0, 1, 60), theme).tolist()]
    assert seen[0] >= 1.8
    assert (np.diff(seen) > 0).all()
    for mesh in (Mesh((8, 8)), Mesh((4, 4, 4))):
        shown = tuple((0, side - 1) for side in mesh.extents)
        *colour, alpha = idle_channels(mesh, theme).colours[0].tolist()
        alpha *= idle_strength(mesh, 500.0, shown, beside_use=True)
        mixed = tuple(alpha * c + (1 - alpha) * g for c, g in zip(colour, ground, strict=True))
        assert 1.05 < contrast(mixed, ground) < 1.4 < seen[0]


def test_before_the_first_cycle_nothing_was_used():
    """A span of no length divides nothing by nothing."""
    scene, _ = use_at(0)
    assert not scene.strokes
    assert scene.use.most == 0.0


def test_jobs_step_back_behind_worms_and_farther_behind_use():
    """Where there is a network jobs are of glass, the selected one less so; without it they are solid."""
    cursor, selection = network_cursor(ROWS, 10), Selection()
    selection.select(0)

    def opacity(**shown):
        scene = build_scene(cursor.view, selection, LIGHT, **shown)
        return scene.colours[scene.jobs == 0, 3].max(), scene.colours[scene.jobs == 1, 3].max()

    worms, use, alone = opacity(), opacity(show_use=True), opacity(show_network=False)
    assert worms[0] > worms[1] > use[1]
    assert alone == (1.0, 1.0)
