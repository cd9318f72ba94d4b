"""The views of the mesh, alone in a window of their own."""

from functools import partial

import pytest

from meshgui.model.stepping.selection import Selection
from meshgui.views.mesh.flat.canvas import MeshFlat
from meshgui.views.mesh.panel import MeshView
from meshgui.views.mesh.scene.source import SceneSource
from meshgui.views.mesh.solid.canvas import MeshGL


@pytest.fixture
def build(qtbot, themes):
    """Makes a view of a cursor, which is not shown."""

    def made(kind, cursor, size=(600, 500), mode="light"):
        themes.set_mode(mode)
        parts = cursor, Selection(), themes
        view = kind(*parts) if kind is MeshView else kind(SceneSource(*parts))
        for canvas in (view, *view.findChildren(MeshGL)):
            canvas.motion = False
        qtbot.addWidget(view)
        view.resize(*size)
        return view

    return made


@pytest.fixture
def show(build):
    """Shows a view of a cursor; nothing that is asked of it needs the screen, which takes its time."""

    def shown(*arguments, **options):
        view = build(*arguments, **options)
        view.show()
        return view

    return shown


@pytest.fixture
def opengl(screen_has_opengl):
    """Skip where no context can be made."""
    if not screen_has_opengl:
        pytest.skip("this screen has no OpenGL")


@pytest.fixture
def flat(show):
    """Shows the flat view of a cursor."""
    return partial(show, MeshFlat)


@pytest.fixture
def solid(show, opengl):
    """Shows the 3D view of a cursor."""
    return partial(show, MeshGL)


@pytest.fixture
def panel(show):
    """Shows the mesh view of a cursor, with its controls."""
    return partial(show, MeshView)


@pytest.fixture(params=["flat", "solid"])
def canvas(request):
    """Shows either view of a cursor."""
    return request.getfixturevalue(request.param)
