"""The row under the mesh: time, use and queue, and the controls of the view."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QRect, QSignalBlocker, QSize, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QSlider, QStyle, QToolButton, QWidget

from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import percent
from meshgui.model.moment.clock_words import clock_words, longest_clock_words
from meshgui.model.moment.moment_view import View
from meshgui.model.scene.slicing import Slice
from meshgui.views.mesh.scene.source import SceneSource
from meshgui.views.style.direction import among_words
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import TextSize, ThemeManager
from meshgui.views.widgets.building import keep_room, label
from meshgui.views.widgets.labels import ElidedLabel
from meshgui.views.widgets.tool_button import tool_button
from meshgui.views.widgets.wheel import wheel_needs_focus

_STEPS = 20  # of the explode slider
_NO_WORDS, _KEYS, _NO_VIEWS, _SHORTEST = range(1, 5)
"""As room allows: the words of the switches go, views go by their keys and then go, then the layers stay.

What goes is in the Mesh menu and has a key; a slider has its word beside it, or goes with it.
"""


class _Words(NamedTuple):
    """Which figures are shown: what is written before the use and before the queue; None: not shown."""

    gap: str
    in_use: str | None
    waiting: str | None

    def text(self, now: str, use: str, waiting: str) -> str:
        """The figures among these words; where no word parts it from the time, the use keeps to itself."""
        parts = [among_words(now)]
        for word, figure in ((self.in_use, use), (self.waiting, waiting)):
            if word is not None:
                parts.append(f"{word}{figure}")
        return self.gap.join(parts)


_WORDS = (
    _Words("     ", tr("in use "), tr("waiting ")),
    _Words("   ", "", tr("waiting ")),
    _Words("   ", tr("in use "), None),
    _Words("", None, None),
)
"""As room allows: a figure has its name, or goes as a whole; a percentage needs none beside the queue."""

VIEWS = (
    ("home", "", tr("Home view")),
    ("top", tr("Top"), tr("From above")),
    ("front", tr("Front"), tr("From the front")),
    ("side", tr("Side", "the view from the side"), tr("From the side")),
)
"""The name of a view, which begins with its key, a short and a long text."""


class MeshStatus(ElidedLabel):
    """Time, use and queue, in labels of constant width."""

    def __init__(self, themes: ThemeManager) -> None:
        super().__init__(themes, "lead")
        self._view: View | None = None
        self._around = _WORDS[0]
        self._time_alone = False
        self.fill_width()
        themes.changed.connect(self._choose_words)

    def write_in(self, size: TextSize) -> None:
        """Write in another of the sizes of type, as many words as there is room for."""
        super().write_in(size)
        self._choose_words()

    def show_time_alone(self, alone: bool) -> None:
        """Show the time without use and queue, which would answer a question."""
        self._time_alone = alone
        self.show_view(self._view)

    def show_view(self, view: View | None) -> None:
        """Show the time, use and queue of a snapshot, in as many words as there is room for."""
        self._view = view
        if view is None:
            self.setText("")
            return
        snapshot = view.snapshot
        use = percent(snapshot.utilization, ".0f")
        now = clock_words(view.recording, view.time).ljust(len(longest_clock_words(view.recording)))
        if self._time_alone:
            self.setText(now)
            return
        self.setText(self._around.text(now, f"{use:>5}", str(len(snapshot.queue))))

    @property
    def inked(self) -> QRect:
        """Where its figures are, or would be with larger ones."""
        size, side = QSize(min(self.least_width, self.width()), self.height()), Qt.AlignmentFlag.AlignLeading
        return QStyle.alignedRect(self.layoutDirection(), side, size, self.geometry())

    @property
    def least_width(self) -> int:
        """The width of all words; wide enough for a long run, so that nothing beside it moves."""
        return self._width_with(_WORDS[0])

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Drop words that have no room."""
        super().resizeEvent(event)
        self._choose_words()

    def _choose_words(self) -> None:
        words = next((words for words in _WORDS if self._width_with(words) <= self.width()), _WORDS[-1])
        if words != self._around:
            self._around = words
            self.show_view(self._view)

    def _width_with(self, words: _Words) -> int:
        """The width of the figures of any run among these words."""
        widest = words.text(tr("cycle 00000.00"), "100 %", "0000")
        return QFontMetrics(self.face()).horizontalAdvance(widest)


class MeshControls(QWidget):
    """Buttons for the named views, sliders for slice and explode, switches for drawing and what is shown."""

    def __init__(
        self,
        source: SceneSource,
        themes: ThemeManager,
        show_from: Callable[[str], None],
        toggle_flat: Callable[[], None],
        toggle_drawing: Callable[[], None],
    ) -> None:
        super().__init__()
        self._source, self._themes = source, themes
        self._icons = IconShelf(themes)
        self._axis = 2
        self._shortness = 0
        self._mesh = Mesh((1, 1, 1))
        self._is_flat = False
        self._views = [self._button("", text, partial(show_from, name)) for name, _, text in VIEWS]
        self._icons.dress(self._views[0], "house")
        self._axis_button = self._button("", tr("The axis that is sliced"), self._next_axis)
        self._axis_button.setText("z")
        self._slice = self._slider(tr("Show the layers up to this one"), "C", "Shift+C")
        self._slice.valueChanged.connect(self._sliced)
        self._single = self._switch("square", tr("One layer at a time"), tr("One layer"))
        self._single.toggled.connect(self._sliced)
        self._slice_label, self._explode_label = label(tr("slice"), "caption"), label(tr("apart"), "caption")
        self._explode = self._slider(tr("Move the layers apart"), "E")
        self._explode.setRange(0, _STEPS)
        self._explode.valueChanged.connect(
            lambda value: source.show(source.look._replace(explode=value / _STEPS))
        )
        self._draw = self._switch(
            "pencil",
            tr("Draw jobs: drag a size, click a running job to end it"),
            tr("Draw", "jobs"),
            toggle_drawing,
        )
        self._flat = self._switch(
            "grid-2x2", tr("Flat, layer beside layer"), tr("Flat", "the mesh"), toggle_flat
        )
        self._network = self._switch(
            "network", tr("Links and packets"), tr("Links", "the switch"), source.toggle_network
        )
        self._use = self._switch(
            "gauge", tr("Use of channels"), tr("Use", "of the channels"), source.toggle_use
        )
        self._row = self._arrange()
        keep_room(self)
        Sizing(themes, self).rule(self._pad)
        source.changed.connect(self._follow)
        source.drawing.changed.connect(self._follow)
        self._follow()

    def slice(self, layers: int) -> None:
        """Show this many layers more, or with a negative number fewer; of one at a time, another."""
        self._slice.setValue(self._slice.value() + layers)

    def withhold_drawing(self) -> None:
        """Offer no drawing of jobs."""
        self._draw.hide()

    def fit(self, room: int) -> bool:
        """Drop what has no room, words of switches first; whether the row fits now."""
        for shortness in range(_SHORTEST + 1):
            self._shortness = shortness
            self._pad()
            if self.sizeHint().width() <= room:
                break
        self.updateGeometry()  # also while hidden, so that nothing moves when they come
        return self.sizeHint().width() <= room

    @property
    def offered(self) -> tuple[object, ...]:
        """What it needs room for."""
        return self._mesh.dims, *(button.isHidden() for button in (self._draw, self._network, self._flat))

    def show_flat(self, *, flat: bool, choice: bool) -> None:
        """Show which canvas is in use, and whether the other one is available."""
        self._is_flat = flat
        self._flat.setChecked(flat)
        self._flat.setVisible(choice)
        for button in self._views[1:]:
            button.setEnabled(not flat)
        self._follow()

    def _follow(self) -> None:
        """Show what the scene shows; after a change of the mesh, sliders for all of it."""
        view, look = self._source.view, self._source.look
        if view is not None and view.recording.mesh != self._mesh:
            self._mesh = view.recording.mesh
            self._axis = 2
            self._show_axis()
        self._show_cut(look.cut)
        with QSignalBlocker(self._explode):
            self._explode.setValue(round(look.explode * _STEPS))
        solid = self._mesh.dims == 3
        for widget in self._of_layers:
            widget.setVisible(solid)  # a 2D mesh has nothing behind or inside
        self._show_words()
        for widget in (self._explode, self._explode_label):
            widget.setEnabled(not self._is_flat)
        self._draw.setChecked(self._source.drawing.active)
        for button, on in ((self._network, look.network), (self._use, look.network and look.use)):
            button.setVisible(view is not None and view.recording.network is not None)
            button.setChecked(on)

    def _arrange(self) -> QHBoxLayout:
        row = QHBoxLayout(self)
        of_slice = (self._slice_label, self._axis_button, self._slice, self._single)
        self._of_layers = of_slice
        groups = (
            self._views,
            of_slice,
            (self._explode_label, self._explode),
            (self._draw, self._network, self._use, self._flat),
        )
        for place, group in enumerate(groups):
            if place:
                row.addSpacing(8)
            for widget in group:
                row.addWidget(widget)
        return row

    def _show_words(self) -> None:
        """Show words where they have room, views by their keys where those have, and what stays."""
        beside, alone = Qt.ToolButtonStyle.ToolButtonTextBesideIcon, Qt.ToolButtonStyle.ToolButtonIconOnly
        for switch in (self._single, self._draw, self._network, self._use, self._flat):
            switch.setToolButtonStyle(alone if self._shortness >= _NO_WORDS else beside)
        solid = self._mesh.dims == 3
        for (name, word, _), button in zip(VIEWS[1:], self._views[1:], strict=True):
            button.setText(name[0].upper() if self._shortness >= _KEYS else word)
            button.setVisible((solid or name == "top") and self._shortness < _NO_VIEWS)
        for part in (self._explode_label, self._explode):
            part.setVisible(solid and self._shortness < _SHORTEST)

    def _pad(self) -> None:
        self._show_words()
        for slider in (self._slice, self._explode):
            slider.setFixedWidth(self._themes.px(40 if self._shortness >= _KEYS else 72))
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(self._themes.px(4))

    def _button(self, icon: str, tip: str, does: Callable[[], object] | None = None) -> QToolButton:
        button = tool_button(self._icons, icon, tip, does)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        return button

    def _switch(
        self, icon: str, tip: str, word: str, does: Callable[[], object] | None = None
    ) -> QToolButton:
        button = self._button(icon, tip, does)
        button.setText(word)
        button.setCheckable(True)
        return button

    def _slider(self, tip: str, *keys: str) -> QSlider:
        slider = QSlider(Qt.Orientation.Horizontal, self)
        slider.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # they come with the pointer
        wheel_needs_focus(slider)
        slider.setToolTip(f"{tip} ({', '.join(keys)})")
        slider.setAccessibleName(tip)
        slider.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        return slider

    def _next_axis(self) -> None:
        self._axis = (self._axis + 1) % 3
        self._show_axis()
        self._sliced()

    def _show_axis(self) -> None:
        self._axis_button.setText("xyz"[self._axis])  # untranslated: an axis
        with QSignalBlocker(self._slice), QSignalBlocker(self._single):
            self._slice.setRange(0, self._mesh.extents[self._axis] - 1)
            self._slice.setValue(self._slice.maximum())
            self._single.setChecked(False)

    def _show_cut(self, cut: Slice | None) -> None:
        """Have the slider where the mesh is cut, also after a cut from elsewhere."""
        if cut == self._cut:
            return
        if cut is None or cut.axis != self._axis:
            self._axis = self._axis if cut is None else cut.axis
            self._show_axis()
        if cut is not None:
            with QSignalBlocker(self._slice), QSignalBlocker(self._single):
                self._slice.setValue(cut.last)
                self._single.setChecked(cut.first == cut.last)

    @property
    def _cut(self) -> Slice | None:
        """The layers that slider and switch stand for."""
        last = self._slice.value()
        if self._single.isChecked():
            return Slice(self._axis, last, last)
        return Slice(self._axis, 0, last) if last < self._slice.maximum() else None

    def _sliced(self) -> None:
        self._source.show(self._source.look._replace(cut=self._cut))
