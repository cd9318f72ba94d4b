"""Records what a window shows, as it plays, into a film."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal
from PySide6.QtGui import QImage

from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import count_of
from meshgui.engine.basics.work import Stopped
from meshgui.model.base.film import MOST_FRAMES
from meshgui.model.base.picture_formats import PictureError
from meshgui.model.moment.clock_words import between_times
from meshgui.views.docks.host import HostWindow
from meshgui.views.exporting.exportable import EXPORTS
from meshgui.views.exporting.film_thread import FilmThread
from meshgui.views.widgets.command import Command, commands_in
from meshgui.views.widgets.file_progress import FileWork
from meshgui.views.widgets.notice import Topic
from meshgui.views.widgets.question import Question
from meshgui.views.widgets.save_dialog import file_stem
from meshgui.views.widgets.tasks import Tasks
from meshgui.views.widgets.written_file import say_written

if TYPE_CHECKING:
    from meshgui.views.exporting.film_files import FilmWriter


_FPS: Final = 10
_KINDS: Final = tr("Animated GIF (*.gif);;MP4, with ffmpeg (*.mp4);;A folder of numbered PNGs (*)")
_MOST_AT_ONCE: Final = 5 * _FPS  # frames that stand for a stall of the program


class WindowRecorder(QObject):
    """Grabs the window ten times a second until it is stopped; where that takes longer, frames repeat."""

    failed = Signal()
    changed = Signal()  # it records, or no longer

    def __init__(self, host: HostWindow) -> None:
        super().__init__(host)
        self._window, self._say = host, host.context.messages.say
        self._tell = partial(host.context.messages.tell, topic=Topic.FILM)
        self._film: FilmWriter | None = None
        self._tasks = Tasks[str, FilmThread](self)
        self.grabbing = False
        self._out = Path()
        self._first = QImage()
        self._title: str | None = None  # for its name, where that is not the user's own
        self._times: set[float] = set()  # that it shows
        self._clock = QElapsedTimer()
        self._timer = QTimer(self, interval=1000 // _FPS)
        self._timer.timeout.connect(self._go_on)

    def commands(self) -> list[Command]:
        """Beginning and ending a film."""
        return commands_in(
            EXPORTS,
            Command(
                "file.record",
                tr("Record a film"),
                tr(
                    "Record what plays in this window as GIF, MP4 or numbered PNGs; use it again to end "
                    "the film"
                ),
                self.toggle,
                ("Ctrl+Shift+R",),
                "film",
                mark=lambda: self.recording,
                synonyms=tr("video movie gif mp4 capture screencast"),
            ),
        )

    @property
    def recording(self) -> bool:
        """Whether a film is being made."""
        return self._film is not None

    def questions(self) -> Iterator[Question]:
        """A film is ended, not lost."""
        return iter(())

    def writing(self) -> str:
        """The film, until it is written to its end."""
        return tr("Writing {path}").format(path=self._out.name) if self.recording else ""

    def toggle(self) -> None:
        """Ask for a file and begin, or end the film."""
        if self.recording:
            self.stop()
            return
        title = self._window.context.document.title
        name = file_stem(tr("film"), title)
        out = self._window.save_dialog.ask(tr("Record a film"), name, _KINDS)
        if out is not None:
            self.start(out, title if out.stem == name else None)

    def start(self, out: Path, title: str | None = None) -> None:
        """Begin a film; with the title of what it is of, the time that it shows is in its name at its end."""
        from meshgui.views.exporting.film_files import film_writer  # noqa: PLC0415 - not needed for the first paint

        try:
            self._film = film_writer(out, _FPS).__enter__()
        except PictureError as error:
            self._film = None
            self._fail(error)
            return
        self._window.context.messages.notice.clear()  # what was written before is not part of the film
        self._out, self._first, self._title, self._times = out, QImage(), title, set()
        self._thread = FilmThread(self._film)
        self._tasks.start("film", self._thread, (self._thread.failed, self._give_up))
        self._clock.start()
        self._timer.start()
        self.changed.emit()

    def stop(self) -> None:
        """End the film."""
        if self._film is not None:
            self._grab()
        film, self._film = self._film, None
        self._timer.stop()
        if film is None:
            return
        self.changed.emit()
        try:
            self._finish(film)
        except PictureError as error:
            self._fail(error)
        except Stopped:
            self._say(tr("The film was not written."))
        else:
            self._name_by_time()
            say_written(self._window.context.messages.notice, self._out, count_of(film.frames, "frame"))

    def _fail(self, error: PictureError) -> None:
        self.failed.emit()
        self._tell(str(error))

    def _finish(self, film: FilmWriter) -> None:
        """Have the rest coded while the window answers, and put the film in its place, or nothing of it."""
        whole = False
        try:
            with FileWork(tr("Writing {path}"), self._window, name=self._out.name) as work:
                work.run_interruptible(self._thread.finish)
            whole = True
        finally:
            if not whole:
                self._thread.abandon()
        film.end(whole=True)

    def _give_up(self, error: PictureError) -> None:
        """Remove the film, whose frames cannot be written."""
        if self._film is None:
            return
        self._timer.stop()
        self._film = None
        self.changed.emit()
        self._thread.abandon()
        self._fail(error)

    def _name_by_time(self) -> None:
        """Have the time that is shown in the name of the film, unless there is a file of that name."""
        recording = self._window.context.cursor.recording
        if self._title is None or recording is None or not self._times:
            return
        in_cycles = recording.network is not None
        what = between_times(tr("film"), min(self._times), max(self._times), in_cycles=in_cycles)
        named = self._out.with_name(file_stem(what, self._title) + self._out.suffix)
        if not named.exists():
            with suppress(OSError):  # it has its first name then
                self._out = self._out.rename(named)

    def _go_on(self) -> None:
        """Grab what is shown, unless what was grabbed before is not written yet: it is repeated then."""
        if not self._thread.lags:
            self._grab()

    def _grab(self) -> None:
        """Add a frame for each tenth of a second since the last."""
        if self._film is None:
            return
        self.grabbing = True
        image = self._window.grab().toImage()
        self.grabbing = False
        if self._first.isNull():
            self._first = image
        elif image.size() != self._first.size():
            image = image.scaled(self._first.size())
        if self._window.context.cursor.recording is not None:
            self._times.add(self._window.context.cursor.time)
        due = self._clock.elapsed() * _FPS // 1000 + 1 - self._thread.frames
        self._thread.add(image, min(max(due, 0), _MOST_AT_ONCE))
        if self._thread.frames >= MOST_FRAMES:
            self.stop()
