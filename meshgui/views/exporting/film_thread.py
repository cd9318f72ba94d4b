"""Writes the frames of a film beside the window, which answers also where a program takes none of them."""

from __future__ import annotations

from collections import deque
from threading import Condition, Event
from typing import TYPE_CHECKING, ClassVar, Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QImage

from meshgui.engine.basics.work import Stopped
from meshgui.model.base.picture_formats import PictureError
from meshgui.views.widgets.work_thread import WorkThread

if TYPE_CHECKING:
    from meshgui.views.exporting.film_files import FilmWriter

_WAITING: Final = 5  # pictures that are not written yet, each of some megabytes
_LOOK: Final = 0.05  # seconds


class FilmThread(WorkThread):
    """Writes one film; what it could not write is said once, by a signal or as the film is finished."""

    writes: ClassVar[bool] = True
    failed = Signal(object)  # a PictureError

    def __init__(self, film: FilmWriter) -> None:
        super().__init__()
        self.frames = 0  # that it was given
        self._film = film
        self._news = Condition()
        self._pictures = deque[tuple[QImage, int]]()
        self._complete = self._ended = False
        self._over = Event()  # not the thread's own end, after which Qt may delete it
        self._fault: PictureError | None = None

    @property
    def lags(self) -> bool:
        """Whether it should be given no other picture before some of those that wait are written."""
        return len(self._pictures) >= _WAITING

    def add(self, image: QImage, times: int) -> None:
        """Have a picture written as some frames, each like the one before."""
        self.frames += times
        with self._news:
            self._pictures.append((image, times))
            self._news.notify()

    def finish(self) -> None:
        """Write and code what is left, in any thread but this one; `abandon` from another ends it at once."""
        with self._news:
            self._complete = True
            self._news.notify()
        self._over.wait()
        if self._fault is not None:
            raise self._fault
        if self._ended:
            raise Stopped
        self._film.finish()

    def abandon(self) -> None:
        """Remove what there is of the film."""
        self.end()
        while not self._over.wait(_LOOK):
            self._film.halt()  # again: a coder may have been started since
        self._film.end(whole=False)

    def end(self) -> None:
        """Write no further frame."""
        with self._news:
            self._ended = True
            self._news.notify()
        self._film.halt()

    def run(self) -> None:
        """The thread's work."""
        with self.stoppable():
            try:
                while (picture := self._next()) is not None:
                    image, times = picture
                    for _ in range(times):
                        self._film.add(image)
            except PictureError as error:
                self._fault = error
                if not self._ended:
                    self.failed.emit(error)
            finally:
                self._over.set()

    def _next(self) -> tuple[QImage, int] | None:
        """The next picture, once there is one; None where there will be no other."""
        with self._news:
            self._news.wait_for(lambda: self._pictures or self._complete or self._ended)
            return None if self._ended or not self._pictures else self._pictures.popleft()
