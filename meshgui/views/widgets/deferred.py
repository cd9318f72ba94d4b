"""Creates a view that is slow to import when it is first visible, after the window has painted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from PySide6.QtCore import Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from meshgui.views.widgets.soon import soon

V = TypeVar("V", bound=QWidget)


class Deferred(QWidget, Generic[V]):
    """Holds one view, created by `make` when it is needed.

    What takes long and can come before, such as imports, are steps of `prepare`: when the view is first
    seen, the window answers between them.
    """

    came = Signal()  # the view, which takes keys from now on

    def __init__(
        self, make: Callable[[], V], prepare: Callable[[], Iterator[object]] = lambda: iter(())
    ) -> None:
        super().__init__()
        self._make, self._prepare = make, prepare
        self._steps: Iterator[object] | None = None
        self._view: V | None = None
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)

    @property
    def view(self) -> V:
        """The view, created now if it was not before."""
        if self._view is None:
            self._view = self._make()
            layout = self.layout()
            if layout is not None:
                layout.addWidget(self._view)
            self._view.show()  # now: a layout does so later
            self.came.emit()
        return self._view

    @property
    def made(self) -> V | None:
        """The view, if it has been created."""
        return self._view

    def paintEvent(self, event: QPaintEvent, /) -> None:  # noqa: N802 - Qt's name
        """Create the view after this paint, which proves that no other tab hides it."""
        super().paintEvent(event)
        if self._view is None and self._steps is None:
            self._steps = self._prepare()
            soon(self, self._step)

    def _step(self) -> None:
        """Take the next step, or create the view after the last, unless it was needed meanwhile."""
        if self._view is None and self._steps is not None:
            try:
                next(self._steps)
            except StopIteration:
                self.view  # noqa: B018 - it is created when it is asked for
            else:
                soon(self, self._step, 1)  # by a timer, which lets keys and clicks pass
