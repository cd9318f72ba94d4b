"""Writes films: an animated GIF, an MP4 through ffmpeg where it is installed, or numbered PNGs."""

from __future__ import annotations

import re
import shutil
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from types import TracebackType
from typing import IO, Final, Self, cast

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage

from meshgui.engine.basics.files import is_plain_file, os_fault, whole_file, whole_series, written_by
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import shortened
from meshgui.model.base.film import FilmFormat, film_format
from meshgui.model.base.picture_formats import PictureError
from meshgui.model.export.gif_frames import GifFrames
from meshgui.model.export.mp4_boxes import is_whole_mp4
from meshgui.views.exporting.picture_files import png_bytes

_LONGEST_CAUSE: Final = 200  # letters
_ERROR: Final = re.compile(r"^.*?\[(error|fatal|panic)\] ")  # its source and its level, before each


class FilmWriter(ABC):
    """A film to which frames are added; it is whole once the block is left without an error."""

    def __init__(self, out: Path, fps: float) -> None:
        self._out, self._fps = out, fps
        self._stack = ExitStack()  # of what puts the film in its place, or removes it
        self.frames = 0

    def __enter__(self) -> Self:
        try:
            with self._faults():
                self.begin()
        except BaseException:
            self.clear()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        whole = False
        try:
            if error is None:
                self.finish()
                whole = True
        finally:
            self.end(whole=whole)

    def add(self, image: QImage) -> None:
        """Add a frame."""
        with self._faults():
            self.write(image)
        self.frames += 1

    def finish(self) -> None:
        """Code what is left, in any thread; `halt` from another ends it at once."""
        with self._faults():
            self.code_rest()

    def end(self, *, whole: bool) -> None:
        """Put a film that is finished in its place, or remove at once what there is of it."""
        try:
            with self._faults():
                if whole:
                    self.place()
        finally:
            self.clear()

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """Say in a sentence what the system refused."""
        try:
            yield
        except OSError as error:
            raise PictureError(
                tr("{out}: could not be written: {fault}.").format(out=self._out, fault=os_fault(error))
            ) from None

    @abstractmethod
    def begin(self) -> None:
        """Make room for the film; a place that cannot be written is said before any work."""

    @abstractmethod
    def write(self, image: QImage) -> None:
        """Write a frame."""

    def code_rest(self) -> None:  # noqa: B027 - nothing is left to do where each frame is a file
        """Code what is left."""

    def halt(self) -> None:  # noqa: B027 - a file takes every frame
        """Have a frame that another thread writes, and what it codes, fail at once."""

    def place(self) -> None:
        """Put the film in its place, whole."""
        self._stack.close()

    def clear(self) -> None:
        """Let go of everything, and remove what is not in its place."""
        with suppress(OSError):  # what is still to be written does not fit
            self._stack.__exit__(_Unfinished, _Unfinished(), None)


class _Unfinished(Exception):  # noqa: N818 - it is not an error
    """A film that ends before it is whole."""


class _Pictures(FilmWriter):
    """A folder of PNGs with numbers."""

    def begin(self) -> None:
        """Make the folder."""
        self._folder = self._stack.enter_context(whole_series(self._out))

    def write(self, image: QImage) -> None:
        """Write the next number."""
        with whole_file(self._folder / _numbered(self.frames + 1)) as file:
            file.write(png_bytes(image))

    def place(self) -> None:
        """Put the pictures in place, and remove those of a longer film that they replace."""
        super().place()
        number = self.frames + 1
        while (left := self._out / _numbered(number)).is_file():
            left.unlink()
            number += 1


class _OneFile(FilmWriter):
    """A film in one file."""

    def begin(self) -> None:
        """Open the file."""
        self._file = self._stack.enter_context(whole_file(self._out))


class _Gif(_OneFile):
    """An animated GIF."""

    def begin(self) -> None:
        """Open the file."""
        super().begin()
        self._coder: GifFrames | None = None
        self._due = 0.0  # hundredths of a second that are owed by rounding

    def write(self, image: QImage) -> None:
        """Code a frame."""
        pixels = _pixels(image)
        if self._coder is None:
            self._coder = GifFrames(pixels)
            self._file.write(self._coder.head())
        self._due += 100.0 / self._fps
        shown = max(round(self._due), 2)  # browsers slow shorter ones down
        self._due -= shown
        self._file.write(self._coder.frame(pixels, shown))

    def code_rest(self) -> None:
        """Write the end."""
        self._file.write(GifFrames.tail())


class _Mp4(_OneFile):
    """An MP4 that ffmpeg codes from raw frames."""

    _coder: subprocess.Popen[bytes] | None = None

    def begin(self) -> None:
        """Say what is missing before any work."""
        if (missing := missing_encoder(self._out)) is not None:
            raise PictureError(f"{missing}.")
        super().begin()
        name: str | int = self._file.name  # a number for the standard output
        self._in_place = isinstance(name, str) and is_plain_file(Path(name))
        if self._in_place:
            self._coded = Path(str(name)).absolute()
        else:  # ffmpeg goes back in what it writes, which a pipe cannot
            self._coded = Path(self._stack.enter_context(TemporaryDirectory()), "film.mp4")
        self._said = self._stack.enter_context(TemporaryFile())  # noqa: SIM115 - entered

    def write(self, image: QImage) -> None:
        """Send a frame; the first says how large they are."""
        pixels = _pixels(image)
        if self._coder is None:
            height, width = pixels.shape[:2]
            words = [
                *("ffmpeg", "-y", "-xerror", "-loglevel", "level+error"),
                *("-f", "rawvideo", "-pix_fmt", "rgb24"),
                *("-s", f"{width}x{height}", "-r", f"{self._fps:g}", "-i", "-", "-an"),
                *("-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p"),
                *("-f", "mp4", str(self._coded)),
            ]
            self._coder = subprocess.Popen(  # noqa: S603 - fixed words
                words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=self._said
            )
            written_by(self._coder)
        try:
            _input_of(self._coder).write(pixels.tobytes())
        except BrokenPipeError:
            self._coder.wait()  # until it has said why
            raise PictureError(self._fault()) from None

    def code_rest(self) -> None:
        """Wait for ffmpeg, and say what it says if the film is not whole: it may end with 0 all the same."""
        if self._coder is None:
            return
        taken = True
        try:
            _input_of(self._coder).close()
        except BrokenPipeError:  # it ended before it had every frame
            taken = False
        ended = self._coder.wait()
        if ended or not taken or self._errors() or not is_whole_mp4(self._coded):
            raise PictureError(self._fault())
        if not self._in_place:
            with self._coded.open("rb") as coded:
                shutil.copyfileobj(coded, self._file)

    def place(self) -> None:
        """Put the file in place, if there was a frame."""
        if self._coder is not None:
            super().place()

    def halt(self) -> None:
        """End ffmpeg at once if it still works."""
        if self._coder is not None:
            self._coder.kill()

    def clear(self) -> None:
        """End ffmpeg at once if it still works, and remove the file unless it is in its place."""
        self.halt()
        if self._coder is not None:
            self._coder.wait()
            with suppress(OSError):
                _input_of(self._coder).close()
        super().clear()

    def _errors(self) -> list[str]:
        """What ffmpeg calls errors."""
        return [error for line in self._lines() if (error := _ERROR.sub("", line)) != line]

    def _lines(self) -> list[str]:
        self._said.seek(0)
        said = self._said.read().decode(errors="replace")
        return said.replace(str(self._coded), self._out.name).strip().splitlines()

    def _fault(self) -> str:
        causes = [*self._errors(), *self._lines(), tr("it did not say why")]
        cause = causes[0].rstrip(" .")  # what follows comes of it
        return tr("{out}: ffmpeg failed: {cause}.").format(
            out=self._out, cause=shortened(cause, _LONGEST_CAUSE)
        )


def _input_of(coder: subprocess.Popen[bytes]) -> IO[bytes]:
    return cast("IO[bytes]", coder.stdin)  # it was opened with a pipe


_WRITERS: dict[FilmFormat, type[FilmWriter]] = {
    FilmFormat.GIF: _Gif,
    FilmFormat.MP4: _Mp4,
    FilmFormat.PICTURES: _Pictures,
}


def missing_encoder(out: Path) -> str | None:
    """What is not installed that a film of this name needs; None if it can be written."""
    if film_format(out) == FilmFormat.MP4 and shutil.which("ffmpeg") is None:
        return tr("An MP4 needs ffmpeg, which is not installed: choose a GIF or a folder of PNGs")
    return None


def film_writer(out: Path, fps: float) -> FilmWriter:
    """The writer of a film by its name; PictureError says which names there are."""
    try:
        return _WRITERS[film_format(out)](out, fps)
    except ValueError as error:
        raise PictureError(tr("The film cannot be written: {error}.").format(error=error)) from None


def _numbered(frame: int) -> str:
    return f"frame-{frame:05}.png"


def _pixels(image: QImage) -> NDArray[np.uint8]:
    """Red, green and blue of an image."""
    plain = image.convertToFormat(QImage.Format.Format_RGB888)
    lines = np.frombuffer(plain.constBits(), dtype=np.uint8).reshape(plain.height(), plain.bytesPerLine())
    pixels: NDArray[np.uint8] = lines[:, : plain.width() * 3].reshape(plain.height(), plain.width(), 3).copy()
    return pixels
