"""The mesh view takes 3D where it can, falls back where not, and drives whichever is shown."""

import gc
import weakref

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QPointF, QSize, Qt
from PySide6.QtGui import QCursor, QEnterEvent
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from meshgui.model.moment.position import Position
from meshgui.model.scene.slicing import Slice
from meshgui.model.stepping.cursor import Cursor
from meshgui.model.stepping.selection import Selection
from meshgui.views.mesh import controls
from meshgui.views.mesh import panel as mesh_view
from meshgui.views.mesh.controls import MeshControls, MeshStatus
from meshgui.views.mesh.flat.canvas import MeshFlat
from meshgui.views.mesh.panel import MeshView
from meshgui.views.mesh.scene.source import MeshLook
from meshgui.views.mesh.solid.canvas import MeshGL
from meshgui.views.style.theme import ThemeManager
from tests.views.conftest import handle_events
from tests.views.mesh.mesh_fixtures import SOLIDS, after_all_started, inside_attempt, place_of
from tests.views.mesh.network_fixtures import ALONE, network_cursor


@pytest.fixture
def cube(panel):
    """A mesh view of a cube with three jobs."""
    return panel(after_all_started((4, 4, 4), SOLIDS), (700, 500))


def control(view, words):
    """What is under the mesh by this name."""
    parts = view.findChild(MeshControls).findChildren(QWidget)
    return next(part for part in parts if part.accessibleName().startswith(words))


def figures(view):
    """The words under the mesh."""
    return view.findChild(MeshStatus).text().split()


def says_that_opengl_is_missing(view):
    """Whether the note is in sight."""
    return any(label.isVisible() for label in view.findChildren(QLabel) if "OpenGL" in label.text())


def resize_under(view, width, height, *, pointer):
    """Give the view a size, with the pointer over it or elsewhere."""
    view.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, pointer)
    view.resize(width, height)
    at = QPointF(view.rect().center())
    QApplication.sendEvent(view, QEnterEvent(at, at, at) if pointer else QEvent(QEvent.Type.Leave))
    handle_events()


def test_it_takes_3d_where_opengl_works(cube, screen_has_opengl):
    """The canvas is the 3D view exactly where a context can be made, and the note says when it is not."""
    assert isinstance(cube.canvas, MeshGL if screen_has_opengl else MeshFlat)
    assert says_that_opengl_is_missing(cube) is not screen_has_opengl


def test_without_opengl_it_is_flat_and_says_so(panel, monkeypatch):
    """Where no context can be made the flat view is shown with a note, and there is nothing to toggle."""
    monkeypatch.setattr(mesh_view, "opengl_works", lambda: False)
    view = panel(after_all_started((4, 4, 4), SOLIDS))
    assert isinstance(view.canvas, MeshFlat)
    assert view.canvas.isVisible()
    assert says_that_opengl_is_missing(view)
    view.toggle_flat()
    assert view.flat
    assert view.grab_image(QSize(300, 200)).size() == QSize(300, 200)


def test_toggling_shows_the_other_view_and_a_failure_of_opengl_the_flat_one(opengl, cube, qtbot):
    """Flat and back."""
    source = cube.canvas.source
    for kind in (MeshFlat, MeshGL):
        cube.toggle_flat()
        assert isinstance(cube.canvas, kind)
        assert cube.canvas.source is source
    # A 3D view that reports failure is replaced by the flat one
    cube.canvas.failed.emit("the driver is gone")
    qtbot.waitUntil(lambda: isinstance(cube.canvas, MeshFlat))
    assert says_that_opengl_is_missing(cube)


def test_the_row_says_time_use_and_queue_beside_the_controls(panel):
    """The figures are those of the snapshot, and follow the cursor; without a run there are none."""
    cursor = after_all_started((4, 4, 4), SOLIDS)
    view = panel(cursor, (700, 500))
    assert figures(view) == ["t", "0.00", "in", "use", "23", "%", "waiting", "0"]
    cursor.go_to(Position(3))
    assert figures(view)[-1] == "3"
    assert figures(panel(Cursor())) == []
    # Whole, where the row has room for both
    view = panel(after_all_started((4, 4), [(2, 2), (3, 1)]))
    resize_under(view, 1000, 600, pointer=True)
    status = view.findChild(MeshStatus)
    assert status.width() >= status.least_width
    assert figures(view) == ["t", "0.00", "in", "use", "44", "%", "waiting", "0"]


@pytest.mark.parametrize("height", [220, 400, 700])
@pytest.mark.parametrize("width", [370, 450, 600, 760, 1400])
def test_controls_lie_over_nothing_that_says_something(cube, width, height):
    """Beside the figures or in a row of their own; figures keep their words, nothing moves as they come."""
    controls, status = cube.findChild(MeshControls), cube.findChild(MeshStatus)
    places = []
    for pointer in (False, True):
        resize_under(cube, width, height, pointer=pointer)
        places.append((cube.canvas.geometry(), status.geometry()))
        assert figures(cube)[:5] == ["t", "0.00", "in", "use", "23"]
        assert width < 450 or figures(cube)[-2:] == ["waiting", "0"]
    assert places[0] == places[1]
    assert controls.isVisible()
    assert cube.rect().contains(controls.geometry())
    assert not controls.geometry().intersects(cube.canvas.geometry())
    assert not controls.geometry().intersects(status.geometry())
    assert controls.width() >= controls.minimumSizeHint().width()
    beside = controls.geometry().left() > status.geometry().right()
    assert beside == (width >= 760)


@pytest.mark.parametrize("width", [500, 700, 950])
def test_another_mesh_has_its_place_before_the_pointer_comes(panel, width):
    """A 2D mesh has fewer controls: the row is laid out for them while they are not in sight."""
    cursor = after_all_started((4, 4, 4), SOLIDS)
    view = panel(cursor, (width, 500))
    cursor.show(after_all_started((4, 4), [(2, 2), (3, 1)]).recording)
    places = []
    for pointer in (False, True):
        resize_under(view, width, 500, pointer=pointer)
        places.append(view.canvas.geometry())
    assert places[0] == places[1]


def test_views_are_named_by_their_keys_where_words_have_no_room(panel, monkeypatch):
    """Two words that begin alike in a language, as above and before do in Arabic, are still told apart."""
    words = [(name, "\N{ARABIC LETTER ALEF WITH HAMZA ABOVE}" * 9, said) for name, _, said in controls.VIEWS]
    monkeypatch.setattr(controls, "VIEWS", words)
    view = panel(after_all_started((4, 4, 4), SOLIDS), (600, 400))
    buttons = [control(view, said) for _, _, said in words[1:]]
    assert [button.text() for button in buttons] == ["T", "F", "S"]


@pytest.mark.parametrize("height", [400, 700])
def test_switches_have_words_where_there_is_room_and_a_slider_never_stands_without(cube, height):
    """From wide to narrow the words of switches go together, then views; a slider goes with its word."""
    row = cube.findChild(MeshControls)
    switches = [control(cube, words) for words in ("One layer", "Draw jobs", "Flat,")]
    words = {label.text(): label for label in row.findChildren(QLabel)}
    sliders = {"slice": control(cube, "Show the layers"), "apart": control(cube, "Move the layers")}
    worded = []
    QCursor.setPos(cube.screen().geometry().bottomRight())  # it would leave the view as that is made smaller
    for width in range(1500, 420, -40):
        resize_under(cube, width, height, pointer=True)
        beside = {switch.toolButtonStyle() for switch in switches if switch.isVisible()}
        assert len(beside) == 1
        worded += beside
        for word, slider in sliders.items():
            assert slider.isVisible() == words[word].isVisible(), (width, word)
            assert words[word].isHidden() or words[word].width() >= words[word].sizeHint().width()
        assert sliders["slice"].isVisible()
        assert row.width() >= row.minimumSizeHint().width()
    assert worded[0] == Qt.ToolButtonStyle.ToolButtonTextBesideIcon
    assert worded[-1] == Qt.ToolButtonStyle.ToolButtonIconOnly


def test_the_slider_slices_both_canvases(cube):
    """Up to a layer, that layer alone, all of them; another axis begins with all of them."""
    cuts = []
    cube.source.changed.connect(lambda: cuts.append(cube.source.look.cut))
    layers, single = control(cube, "Show the layers"), control(cube, "One layer")
    axis = control(cube, "The axis")
    layers.setValue(2)
    single.setChecked(True)
    single.setChecked(False)
    layers.setValue(3)
    layers.setValue(1)
    axis.click()
    assert cuts == [Slice(2, 0, 2), Slice(2, 2, 2), Slice(2, 0, 2), None, Slice(2, 0, 1), None]
    assert (axis.text(), layers.value()) == ("x", 3)


def test_the_slider_follows_a_slice_that_comes_from_elsewhere(cube):
    """From a lesson, a link, or the mesh beside it in a comparison."""
    layers, single, axis = (control(cube, words) for words in ("Show the layers", "One layer", "The axis"))
    for cut in (Slice(0, 0, 1), Slice(1, 2, 2), Slice(1, 0, 2)):
        cube.show_camera({"cut": list(cut)})
        assert ("xyz".index(axis.text()), layers.value(), single.isChecked()) == (*cut[::2], cut.first > 0)
        assert cube.source.look.cut == cut
    cube.show_camera({"explode": 1.0})
    assert (layers.value(), single.isChecked()) == (layers.maximum(), False)


def test_keys_slice_layer_by_layer(cube):
    """Less and more; of one layer at a time the one before and after it; at either end nothing happens."""
    single = control(cube, "One layer")
    cuts = []
    for layers in (1, -1, -1, -1, -1, 1):
        cube.slice(layers)
        cuts.append(cube.source.look.cut)
    assert cuts == [None, Slice(2, 0, 2), Slice(2, 0, 1), Slice(2, 0, 0), Slice(2, 0, 0), Slice(2, 0, 1)]
    single.click()
    cube.slice(1)
    assert cube.source.look.cut == Slice(2, 2, 2)


def test_another_mesh_starts_unsliced_and_together_and_a_2d_one_has_no_controls_for_it(panel):
    """A slice or an explosion of one machine is not carried over to another."""
    cursor = after_all_started((4, 4, 4), SOLIDS)
    view = panel(cursor)
    view.source.show(MeshLook(Slice(2, 0, 1), explode=0.5))
    apart = control(view, "Move the layers apart")
    assert apart.toolTip() == "Move the layers apart (E)"
    assert apart.value() == 10
    cursor.show(after_all_started((8, 8, 6), [(2, 2, 1)]).recording)
    assert (control(view, "Show the layers").value(), apart.value()) == (5, 0)
    assert view.source.look == MeshLook()
    # Controls of front, side, slice and layers are there for a 3D mesh only
    cursor = after_all_started((4, 4, 4), SOLIDS)
    view = panel(cursor, (1400, 500))
    of_all = [control(view, words) for words in ("Home view", "From above")]
    of_solids = [
        control(view, words)
        for words in ("From the front", "From the side", "The axis", "Show the layers", "Move the layers")
    ]
    assert not any(widget.isHidden() for widget in (*of_all, *of_solids))
    cursor.show(after_all_started((8, 8), [(2, 2)]).recording)
    assert all(widget.isHidden() for widget in of_solids)
    assert not any(widget.isHidden() for widget in of_all)


def test_both_views_and_the_switches_follow_the_commands(panel):
    """Showing the use shows the network; hiding the network hides both; the switches say so."""
    view = panel(network_cursor(ALONE, 14))
    source = view.source
    shown, use = control(view, "Links and packets"), control(view, "Use of channels")
    assert not shown.isHidden()
    source.toggle_network()
    assert (source.look.network, shown.isChecked()) == (False, False)
    source.toggle_use()
    assert (source.look.network, source.look.use, use.isChecked()) == (True, True, True)
    source.toggle_use()
    assert (source.look.network, source.look.use, use.isChecked()) == (True, False, False)
    # A run without a network has no use for them
    view = panel(after_all_started((4, 4), [(2, 2)]))
    assert all(control(view, words).isHidden() for words in ("Links and packets", "Use of channels"))


def test_the_card_at_the_pointer_goes_when_a_step_is_made(flat):
    """It would cover what is stepped; it returns with the next move of the pointer."""
    cursor = inside_attempt((8, 8), [(3, 3), (2, 4), (5, 1)], "tbl", step=0)
    canvas = flat(cursor)
    canvas.pointer = place_of(canvas, 0)
    canvas.hover_at(canvas.pointer)
    with_card = canvas.grab().toImage()
    for step in (1, 0):
        cursor.go_to(cursor.position._replace(step=step))
    assert canvas.grab().toImage() != with_card
    canvas.hover_at(canvas.pointer)
    assert canvas.grab().toImage() == with_card


def test_no_card_lies_over_what_time_shows_below_a_pointer_that_rests(flat):
    """Neither from event to event, nor where the window grows below the pointer; a move of it brings it."""
    cursor = after_all_started((8, 8), [(3, 3), (2, 4), (5, 1)])
    canvas = flat(cursor)
    without = canvas.grab().toImage()
    at = place_of(canvas, 0)
    QApplication.sendEvent(canvas, QEnterEvent(at, at, at))
    assert canvas.grab().toImage() == without
    canvas.hover_at(at)
    with_card = canvas.grab().toImage()
    assert with_card != without
    for way in (-1, 1):
        cursor.go_to(cursor.position._replace(events=cursor.position.events + way))
    assert canvas.grab().toImage() != with_card
    canvas.hover_at(at)
    assert canvas.grab().toImage() == with_card


def test_a_view_that_is_gone_no_longer_listens(qapp):
    """Deleting the widget ends its subscriptions: a later move of the cursor reaches nothing dead."""
    cursor = after_all_started((4, 4, 4), SOLIDS)
    selection = Selection()
    view = MeshView(cursor, selection, ThemeManager(qapp, "light"))
    gone = weakref.ref(view)
    shiboken6.delete(view)
    del view
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    cursor.go_to(Position(2))
    selection.select(1)
    assert gone() is None or not shiboken6.isValid(gone())
