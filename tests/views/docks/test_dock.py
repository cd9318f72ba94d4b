"""A dock lets its panel scroll where it is smaller than the panel can be."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QMainWindow, QWidget

from meshgui.views.docks.dock import make_dock
from meshgui.views.docks.panel_spec import PanelSpec
from tests.views.conftest import handle_events

_ENOUGH = 2000  # questions; some ten thousand fill the stack


class Restless(QWidget):
    """A panel that is content with no height: one that changes its parts for the room it has."""

    asked = 0

    def minimumSizeHint(self):  # noqa: N802 - Qt's name
        """Another than the height it has."""
        self.asked += 1
        return QSize(50, 650 if self.height() == 600 and self.asked < _ENOUGH else 600)


def test_a_panel_that_is_content_with_no_size_is_fitted_once(qtbot, themes):
    """Qt's own scroll area fits it again within each fit, until the stack is full."""
    window, panel = QMainWindow(), Restless()
    qtbot.addWidget(window)
    dock = make_dock(PanelSpec("restless", "Restless", "", lambda _: panel, "start"), panel, window, themes)
    window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)
    window.resize(400, 300)
    window.show()
    handle_events()
    window.resize(400, 280)
    handle_events()
    panel.updateGeometry()
    handle_events()
    assert panel.asked < 100
