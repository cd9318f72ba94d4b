"""The mesh view takes 3D where it can, falls back where not, and drives whichever is shown."""

import gc
import weakref

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QSize
from PySide6.QtGui import QFontMetrics

from meshgui.model.cursor import Cursor
from meshgui.model.position import Position
from meshgui.model.selection import Selection
from meshgui.views.mesh import panel as mesh_view
from meshgui.views.mesh.flat.canvas import MeshFlat
from meshgui.views.mesh.panel import MeshView
from meshgui.views.mesh.scene.slicing import Slice
from meshgui.views.mesh.scene.source import MeshLook
from meshgui.views.mesh.solid.canvas import MeshGL
from meshgui.views.style.theme import ThemeManager
from tests.views.mesh.mesh_fixtures import after_all_started, inside_attempt, place_of

SOLIDS = [(2, 2, 2), (3, 1, 2), (1, 1, 1)]


@pytest.fixture
def make(qtbot, qapp):
    """Shows a mesh view of a cursor."""

    def show(cursor):
        view = MeshView(cursor, Selection(), ThemeManager(qapp, "light"))
        if isinstance(view.canvas, MeshGL):
            view.canvas.motion = False
        qtbot.addWidget(view)
        view.resize(700, 500)
        view.show()
        qtbot.waitExposed(view)
        return view

    return show


def test_it_takes_3d_where_opengl_works(make, screen_has_opengl):
    """The canvas is the 3D view exactly where a context can be made, and the note says when it is not."""
    view = make(after_all_started((4, 4, 4), SOLIDS))
    assert isinstance(view.canvas, MeshGL if screen_has_opengl else MeshFlat)
    assert view._note.isVisible() is not screen_has_opengl


def test_without_opengl_it_is_flat_and_says_so(make, monkeypatch):
    """Where no context can be made the flat view is shown with a note, and there is nothing to toggle."""
    monkeypatch.setattr(mesh_view, "opengl_works", lambda: False)
    view = make(after_all_started((4, 4, 4), SOLIDS))
    assert isinstance(view.canvas, MeshFlat)
    assert view.canvas.isVisible()
    assert view._note.isVisible()
    view.toggle_flat()
    assert view.flat
    assert view.grab_image(QSize(300, 200)).size() == QSize(300, 200)


def test_when_opengl_fails_later_it_falls_back(make, screen_has_opengl, qtbot):
    """A 3D view that reports failure is replaced by the flat one."""
    if not screen_has_opengl:
        pytest.skip("this screen has no OpenGL")
    view = make(after_all_started((4, 4, 4), SOLIDS))
    view.canvas.failed.emit("the driver is gone")
    qtbot.waitUntil(lambda: isinstance(view.canvas, MeshFlat))
    assert view._note.isVisible()


def test_the_figures_stand_beside_the_controls(make):
    """Whole, where the row has room for both."""
    view = make(after_all_started((4, 4), [(2, 2), (3, 1)]))
    view.resize(1000, 600)
    view._controls.show()
    QCoreApplication.processEvents()
    assert view._status.width() >= view._status.least_width
    assert view._status.text().split() == ["t", "0.00", "in", "use", "44", "%", "waiting", "0"]


def test_toggling_shows_the_other_view_of_the_same_place(make, screen_has_opengl):
    """Flat and back."""
    if not screen_has_opengl:
        pytest.skip("this screen has no OpenGL")
    view = make(after_all_started((4, 4, 4), SOLIDS))
    view.toggle_flat()
    assert isinstance(view.canvas, MeshFlat)
    view.toggle_flat()
    assert isinstance(view.canvas, MeshGL)


def test_the_row_says_time_use_and_queue(make):
    """The figures are those of the snapshot, and follow the cursor."""
    cursor = after_all_started((4, 4, 4), SOLIDS)
    view = make(cursor)
    assert view._status.text().split() == ["t", "0.00", "in", "use", "23", "%", "waiting", "0"]
    cursor.go_to(Position(3))
    assert view._status.text().split()[-1] == "3"


def test_without_a_recording_the_row_is_empty(make):
    """No figures where there is nothing to count."""
    assert make(Cursor())._status.text() == ""


def test_where_the_row_has_no_room_for_the_controls_they_lie_over_its_end(make, monkeypatch):
    """A low mesh keeps its room, uncovered; the figures drop words; nothing moves with the pointer."""
    view = make(after_all_started((4, 4, 4), SOLIDS))
    controls, status = view._controls, view._status

    def places(width, under, height=400):
        monkeypatch.setattr(view, "underMouse", lambda: under)
        view.resize(width, height)
        view._show_controls()
        QCoreApplication.processEvents()
        return view.canvas.geometry(), status.geometry()

    away, there = places(600, False), places(600, True)
    assert away == there
    assert controls.isVisible()
    assert view.rect().contains(controls.geometry())
    assert not controls.geometry().intersects(view.canvas.geometry())
    figures = QFontMetrics(status.face()).horizontalAdvance(status.text())
    assert status.geometry().left() + figures < controls.geometry().left()
    assert status.text().split() == ["t", "0.00", "23", "%", "+0"]
    assert controls.width() >= controls.minimumSizeHint().width()
    assert view.canvas.height() > 400 - 2 * controls.height()
    places(600, False)
    assert status.text().split() == ["t", "0.00", "in", "use", "23", "%", "waiting", "0"]
    high, so_too = places(600, False, 700), places(600, True, 700)
    assert high == so_too
    assert controls.geometry().top() > status.geometry().bottom()
    wide, still = places(1400, False), places(1400, True)
    assert wide == still
    assert not controls.geometry().intersects(view.canvas.geometry())
    assert controls.geometry().left() > status.geometry().right()


def test_figures_do_not_shine_through_the_controls(make, monkeypatch):
    """Where both have no room at all, as in large letters, the controls cover them."""
    view = make(after_all_started((4, 4, 4), SOLIDS))
    controls, status = view._controls, view._status
    monkeypatch.setattr(view, "underMouse", lambda: True)
    view.resize(600, 400)
    view._show_controls()
    QCoreApplication.processEvents()
    inside = controls.geometry().adjusted(2, 2, -2, -2)
    assert status.geometry().intersects(inside)
    status.setText("t 4000.00 " * 20)
    covering = view.grab(inside).toImage()
    status.setText("")
    assert view.grab(inside).toImage() == covering


def test_the_figures_drop_words_in_a_window_made_small_under_the_pointer(make, monkeypatch):
    """Nothing has to move before the controls lie beside them."""
    view = make(after_all_started((4, 4, 4), SOLIDS))
    controls, status = view._controls, view._status
    monkeypatch.setattr(view, "underMouse", lambda: True)
    view.resize(1400, 700)
    view._show_controls()
    view.resize(600, 400)
    assert controls.isVisible()
    figures = QFontMetrics(status.face()).horizontalAdvance(status.text())
    assert status.geometry().left() + figures < controls.geometry().left()


def test_the_slider_slices_both_canvases(make):
    """Up to a layer, that layer alone, all of them; another axis begins with all of them."""
    view = make(after_all_started((4, 4, 4), SOLIDS))
    controls, cuts = view._controls, []
    view.source.changed.connect(lambda: cuts.append(view.source.look.cut))
    controls._slice.setValue(2)
    controls._single.setChecked(True)
    controls._single.setChecked(False)
    controls._slice.setValue(3)
    controls._slice.setValue(1)
    controls._axis_button.click()
    assert cuts == [Slice(2, 0, 2), Slice(2, 2, 2), Slice(2, 0, 2), None, Slice(2, 0, 1), None]
    assert (controls._axis_button.text(), controls._slice.value()) == ("x", 3)


def test_another_mesh_starts_unsliced_and_together(make):
    """A slice or an explosion of one machine is not carried over to another."""
    cursor = after_all_started((4, 4, 4), SOLIDS)
    view = make(cursor)
    view.source.show(MeshLook(Slice(2, 0, 1), explode=0.5))
    assert view._controls._explode.value() == 10
    cursor.show(after_all_started((8, 8, 6), [(2, 2, 1)]).recording)
    assert view._controls._slice.value() == 5
    assert view._controls._explode.value() == 0
    assert view.source.look == MeshLook()


def test_a_2d_mesh_has_no_front_no_side_no_slice_and_no_layers_to_move_apart(make):
    """Their controls are there for a 3D mesh only."""
    cursor = after_all_started((4, 4, 4), SOLIDS)
    view = make(cursor)
    controls = view._controls
    of_solids = (*controls._views[2:], controls._axis_button, controls._slice, controls._explode)
    assert not any(widget.isHidden() for widget in of_solids)
    cursor.show(after_all_started((8, 8), [(2, 2)]).recording)
    assert all(widget.isHidden() for widget in of_solids)
    assert not any(widget.isHidden() for widget in controls._views[:2])


def test_the_card_at_the_pointer_goes_when_a_step_is_made(make):
    """It would cover what is stepped; it returns with the next move of the pointer."""
    cursor = inside_attempt((8, 8), [(3, 3), (2, 4), (5, 1)], "tbl", step=0)
    view = make(cursor)
    view.toggle_flat()
    canvas = view.canvas
    canvas.pointer = place_of(canvas, 0)
    canvas.hover_at(canvas.pointer)
    with_card = canvas.grab().toImage()
    cursor.go_to(cursor.position._replace(step=1))
    cursor.go_to(cursor.position._replace(step=0))
    assert canvas.grab().toImage() != with_card
    canvas.hover_at(place_of(canvas, 0))
    assert not canvas._stepped


def test_a_view_that_is_gone_no_longer_listens(qtbot, qapp):
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
