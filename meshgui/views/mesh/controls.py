"""The row under the mesh: time, use and queue, and the controls of the view."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSignalBlocker, Qt, Signal, SignalInstance
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QSlider, QToolButton, QWidget

from meshgui.engine.geometry import Mesh
from meshgui.model.clock_words import clock_words, longest_clock_words
from meshgui.model.cursor import View
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager

__all__ = ["MeshControls", "MeshStatus"]

_STEPS = 20  # of the explode slider
_VIEWS = (
    ("home", "Home view"),
    ("top", "From above"),
    ("front", "From the front"),
    ("side", "From the side"),
)


class MeshStatus(QLabel):
    """Time, use and queue, in labels of constant width."""

    def __init__(self, themes: ThemeManager) -> None:
        super().__init__()
        self._themes = themes
        themes.changed.connect(self._dress)
        self._dress()

    def show_view(self, view: View | None) -> None:
        """Show the time, use and queue of a snapshot."""
        if view is None:
            self.clear()
            return
        snapshot = view.snapshot
        use = f"{100 * snapshot.utilization:.0f} %"
        now = clock_words(view.recording, view.time).ljust(len(longest_clock_words(view.recording)))
        self.setText(f"{now}     in use {use:>5}     waiting {len(snapshot.queue)}")

    def _dress(self) -> None:
        self.setFont(self._themes.text("lead"))
        # Wide enough for a long run, so that nothing beside it moves when the time gets a digit more.
        widest = "cycle 00000.00     in use 100 %     waiting 0000"
        self.setMinimumWidth(QFontMetrics(self.font()).horizontalAdvance(widest))


class MeshControls(QWidget):
    """Buttons for the named views, sliders for slice and explode, a switch for the flat view."""

    view_asked = Signal(str)
    slice_asked = Signal(int, object)  # the axis; the layers as (first, last), or None for all
    explode_asked = Signal(float)
    flat_asked = Signal()
    network_asked = Signal()
    use_asked = Signal()

    def __init__(self, themes: ThemeManager) -> None:
        super().__init__()
        self._themes = themes
        self._icons = IconShelf(themes)
        self._axis = 2
        self._mesh = Mesh((1, 1, 1))
        self._row = QHBoxLayout(self)
        self._floats = False
        self._views = [self._view_button(name, text) for name, text in _VIEWS]
        self._axis_button = self._button("z", "The axis that is sliced")
        self._axis_button.clicked.connect(self._next_axis)
        self._slice = self._slider("Show the layers up to this one")
        self._slice.valueChanged.connect(self._sliced)
        self._single = self._button("", "One layer at a time")
        self._single.setCheckable(True)
        self._single.toggled.connect(self._sliced)
        self._icons.dress(self._single, "square")
        self._explode_label = self._caption("apart")
        self._explode = self._slider("Move the layers apart")
        self._explode.setRange(0, _STEPS)
        self._explode.valueChanged.connect(lambda value: self.explode_asked.emit(value / _STEPS))
        self._flat = self._button("", "Flat, layer beside layer")
        self._flat.setCheckable(True)
        self._flat.clicked.connect(self.flat_asked)
        self._icons.dress(self._flat, "grid-2x2")
        self._network = self._switch("network", "Links and packets", self.network_asked)
        self._use = self._switch("gauge", "Use of channels", self.use_asked)
        self.offer_network(False)
        self._arrange()
        policy = self.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.setSizePolicy(policy)
        sizing = Sizing(themes, self).rule(self._pad)
        for slider in (self._slice, self._explode):
            sizing.call(slider.setFixedWidth, 72)

    @property
    def floats(self) -> bool:
        """Whether it lies over the mesh, with its own background, instead of in the row below."""
        return self._floats

    @floats.setter
    def floats(self, floats: bool) -> None:
        self._floats = floats
        self._pad()

    def show_mesh(self, mesh: Mesh) -> None:
        """Set the ranges of the sliders for another mesh, and show all of it."""
        self._mesh = mesh
        self._axis = 0 if mesh.dims == 2 else 2
        self._show_axis()
        for widget in (self._explode, self._explode_label):
            widget.setEnabled(mesh.dims == 3)
        with QSignalBlocker(self._explode):
            self._explode.setValue(0)

    def show_slice(self, axis: int, layers: tuple[int, int] | None) -> None:
        """Show a slice that was set elsewhere."""
        self._axis = axis
        self._show_axis()
        if layers is not None:
            with QSignalBlocker(self._slice), QSignalBlocker(self._single):
                self._slice.setValue(layers[1])
                self._single.setChecked(layers[0] == layers[1] and layers[1] > 0)

    def show_explode(self, factor: float) -> None:
        """Show an explosion that was set elsewhere."""
        with QSignalBlocker(self._explode):
            self._explode.setValue(round(factor * _STEPS))

    def show_flat(self, *, flat: bool, choice: bool) -> None:
        """Show which canvas is in use, and whether the other one is available."""
        self._flat.setChecked(flat)
        self._flat.setVisible(choice)
        for button in self._views[1:]:
            button.setEnabled(not flat)
        for widget in (self._explode, self._explode_label):
            widget.setEnabled(not flat and self._mesh.dims == 3)

    def offer_network(self, there: bool) -> None:
        """Show or hide the switches of the network."""
        for button in (self._network, self._use):
            button.setVisible(there)

    def show_network(self, *, on: bool, use: bool) -> None:
        """Set the switches: network shown, and as the use of its channels."""
        self._network.setChecked(on)
        self._use.setChecked(on and use)

    def _arrange(self) -> None:
        for button in self._views:
            self._row.addWidget(button)
        self._row.addSpacing(8)
        for widget in (self._caption("slice"), self._axis_button, self._slice, self._single):
            self._row.addWidget(widget)
        self._row.addSpacing(8)
        for widget in (self._explode_label, self._explode):
            self._row.addWidget(widget)
        self._row.addSpacing(8)
        for button in (self._network, self._use, self._flat):
            self._row.addWidget(button)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the background and border, if it lies over the mesh."""
        super().paintEvent(event)
        if self._floats:
            theme, px = self._themes.theme, self._themes.px
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(theme.colour("hairline"), 1.0))
            painter.setBrush(theme.colour("raised", 0.94))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), px(6), px(6))
            painter.end()

    def _pad(self) -> None:
        side = self._themes.px(6) if self._floats else 0
        self._row.setContentsMargins(side, 0, side, 0)
        self._row.setSpacing(self._themes.px(1 if self._floats else 4))

    def _button(self, text: str, tip: str) -> QToolButton:
        button = QToolButton(self)
        button.setText(text)
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        return button

    def _switch(self, icon: str, tip: str, asked: SignalInstance) -> QToolButton:
        button = self._button("", tip)
        button.setCheckable(True)
        button.setChecked(icon == "network")
        button.clicked.connect(asked)
        self._icons.dress(button, icon)
        return button

    def _view_button(self, name: str, tip: str) -> QToolButton:
        button = self._button(name.capitalize(), tip)
        if name == "home":
            self._icons.dress(button, "house")
        button.clicked.connect(lambda: self.view_asked.emit(name))
        return button

    def _slider(self, tip: str) -> QSlider:
        slider = QSlider(Qt.Orientation.Horizontal, self)
        slider.setToolTip(tip)
        slider.setAccessibleName(tip)
        slider.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        return slider

    def _caption(self, text: str) -> QLabel:
        label = QLabel(text, self)
        label.setProperty("type", "caption")
        return label

    def _next_axis(self) -> None:
        self._axis = (self._axis + 1) % self._mesh.dims
        self._show_axis()
        self.slice_asked.emit(self._axis, None)

    def _show_axis(self) -> None:
        self._axis_button.setText("xyz"[self._axis])
        with QSignalBlocker(self._slice), QSignalBlocker(self._single):
            self._slice.setRange(0, self._mesh.extents[self._axis] - 1)
            self._slice.setValue(self._slice.maximum())
            self._single.setChecked(False)

    def _sliced(self) -> None:
        last = self._slice.value()
        if self._single.isChecked():
            self.slice_asked.emit(self._axis, (last, last))
        else:
            self.slice_asked.emit(self._axis, None if last == self._slice.maximum() else (0, last))
