"""The scene of both canvases is built when what it shows has changed, and not when the pointer moves."""

from dataclasses import fields

import numpy as np
import pytest

from meshgui.model.cursor import Cursor
from meshgui.model.job_tints import job_tints
from meshgui.model.selection import Selection
from meshgui.views.mesh.scene import source as scene_source
from meshgui.views.mesh.scene.builder import build_scene
from meshgui.views.mesh.scene.network.packet_strokes import PacketStrokes
from meshgui.views.mesh.scene.network.strokes import Strokes
from meshgui.views.mesh.scene.source import MeshLook, SceneSource
from meshgui.views.style.theme import LIGHT
from tests.networks import full_mesh
from tests.views.mesh.mesh_fixtures import after_all_started
from tests.views.mesh.network_fixtures import ALONE, MEETING, network_cursor


@pytest.fixture
def builds(monkeypatch):
    """The scenes built."""
    found = []

    def build(*arguments, **options):
        found.append(build_scene(*arguments, **options))
        return found[-1]

    monkeypatch.setattr(scene_source, "build_scene", build)
    return found


@pytest.fixture
def source_at(themes):
    """A source of scenes at a cursor."""
    return lambda cursor: SceneSource(cursor, Selection(), themes)


def same(one, other):
    """Whether two scenes, or parts of one, are drawn alike."""
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other)
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if hasattr(one, "__dataclass_fields__"):
        names = [field.name for field in fields(one) if field.name != "packets"]
        return all(same(getattr(one, name), getattr(other, name)) for name in names)
    return one == other


def anew(source):
    """The scene built from scratch with everything as it is."""
    return build_scene(source.view, source.selection, source.themes.theme, show_use=source.look.use)


def test_pointing_at_jobs_builds_no_scene(source_at, builds):
    """Their looks change as if the scene were built again."""
    source = source_at(after_all_started((4, 4, 4), [(2, 2, 2), (2, 2, 4), (2, 2, 2)]))
    source.selection.select(1)
    for job in (0, 1, 2, None):
        source.selection.hover(job)
        assert same(source.scene, anew(source))
        assert source.scene.hovered == job
    assert len(builds) == 1


@pytest.mark.parametrize("use", [False, True])
def test_pointing_at_packets_and_channels_builds_no_scene(source_at, builds, use):
    """Halos, ways and capsules come and go as if the scene were built again."""
    source = source_at(network_cursor(MEETING, 8))
    source.show(MeshLook(use=use))
    for packet, channel in ((0, None), (1, 3), (None, 3), (None, None), (2, 0), (0, 2)):
        source.selection.hover(None, packet, channel)
        assert same(source.scene, anew(source))
    assert len(builds) == 1


@pytest.mark.parametrize("chosen", [None, 0, 5])
def test_in_a_crowd_each_packet_pointed_at_stands_out(source_at, builds, chosen):
    """The marks of the one pointed at do not step back, whether it moves, is blocked or waits."""
    cursor = Cursor()
    cursor.show(full_mesh())
    cursor.go_to_time(130)
    source, moment = source_at(cursor), cursor.view.network
    if chosen is not None:
        source.selection.select_packet(int(moment.blocked[chosen]), 0)
    plain, tints = source.scene.network.plain, job_tints(cursor.recording)
    for packet in [*moment.packets[::7], *moment.blocked[::5], *moment.queued[::9]]:
        source.selection.hover(None, int(packet), None)
        shown = source.scene.network.strokes
        painter = PacketStrokes(cursor.recording.network, moment, tints, source.selection, LIGHT, int(packet))
        assert same(shown, Strokes.together([*painter.marks(), *painter.packets()]))
        assert len(shown.starts) >= len(plain.starts)
    source.selection.hover(None)
    assert same(source.scene.network.strokes, plain)
    assert len(builds) == 1


def test_what_the_scene_shows_builds_it(source_at, builds):
    """A selected job, another time and another theme do; what has not changed does not."""
    source = source_at(after_all_started((4, 4), [(2, 2), (2, 2)]))
    assert source.scene is source.scene
    source.selection.select(0)
    assert source.scene.selected == 0
    source.cursor.first()
    assert not len(source.scene.jobs)
    assert source.scene is source.scene
    assert len(builds) == 3


def test_the_scene_changes_from_cycle_to_cycle(source_at):
    """Between two events, too: the place stays the same while the network goes on."""
    cursor = network_cursor(ALONE, 14)
    source = source_at(cursor)
    before, place = source.scene, cursor.position
    cursor.go_to_time(15)
    assert cursor.position == place
    now = source.scene
    assert now is not before
    cursor.go_to_time(15.5)
    assert source.scene is now


def test_both_canvases_draw_one_scene(panel, builds):
    """Changing between 3D and flat builds nothing."""
    view = panel(after_all_started((4, 4, 4), [(2, 2, 2)]))
    view.grab()
    view.toggle_flat()
    view.grab()
    assert len(builds) == 1
