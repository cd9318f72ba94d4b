"""A scenario form on the screen."""

import pytest

from meshgui.model.document import Document
from meshgui.views.scenario.form import ScenarioForm


@pytest.fixture
def form(qtbot, themes):
    """A form as narrow as it gets, on the screen."""
    made = ScenarioForm(themes, Document())
    qtbot.addWidget(made)
    made.resize(300, 900)
    with qtbot.waitExposed(made):
        made.show()
    made.activateWindow()  # shortcuts and the focus are the active window's
    qtbot.waitUntil(made.isActiveWindow)
    return made
