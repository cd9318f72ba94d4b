"""A scenario form on the screen."""

import pytest

from meshgui.model.document.document import Document
from meshgui.views.scenario.form import ScenarioForm
from tests.views.showing import shown


@pytest.fixture
def form(qtbot, themes):
    """A form as narrow as it gets, on the screen."""
    # Shortcuts and the focus are the active window's.
    return shown(qtbot, ScenarioForm(themes, Document()), 300, 900, active=True)
