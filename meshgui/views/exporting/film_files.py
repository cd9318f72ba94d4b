"""Writes films: an animated GIF, an MP4 through ffmpeg where it is installed, or numbered PNGs."""

from __future__ import annotations

import shutil
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryFile
from types import TracebackType
from typing import IO, Final, Self, cast

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage

from meshgui.engine.basics.files import beside, hold, os_fault, written_by
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import shortened
from meshgui.model.film import FilmFormat, film_format
from meshgui.model.picture_formats import PictureError
from meshgui.views.exporting.gif_frames import GifFrames
from meshgui.views.exporting.picture_files import write_image

__all__ = ["FilmWriter", "film_writer", "missing_encoder"]

_LONGEST_CAUSE: Final = 200  # letters


class FilmWriter(ABC):
    """A film to which frames are added; it is whole once the block is left without an error."""

    def __init__(self, out: Path, fps: float) -> None:
        self._out, self._fps = out, fps
        self.frames = 0

    def __enter__(self) -> Self:
        with self._faults():
            self.begin()
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
        """Code what is left, in any thread; `end` from another ends it at once."""
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
        """Make room for the film."""

    @abstractmethod
    def write(self, image: QImage) -> None:
        """Write a frame."""

    def code_rest(self) -> None:  # noqa: B027 - nothing is left to do where each frame is a file
        """Code what is left."""

    def place(self) -> None:  # noqa: B027
        """Put the film in its place, whole."""

    def clear(self) -> None:  # noqa: B027
        """Let go of everything, and remove what is not in its place."""


class _Pictures(FilmWriter):
    """A folder of PNGs with numbers."""

    def begin(self) -> None:
        """Make the folder."""
        self._out.mkdir(parents=True, exist_ok=True)

    def write(self, image: QImage) -> None:
        """Write the next number."""
        write_image(self._out / f"frame-{self.frames + 1:05}.png", image)


class _Gif(FilmWriter):
    """An animated GIF, which appears whole."""

    def begin(self) -> None:
        """Check the place."""
        self._part = beside(self._out)
        self._file: IO[bytes] = self._part.open("wb")
        hold(self._file)
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
        self._file.close()

    def place(self) -> None:
        """Put the file in place."""
        self._part.replace(self._out)

    def clear(self) -> None:
        """Remove the part."""
        with suppress(OSError):  # what is still to be written does not fit
            self._file.close()
        self._part.unlink(missing_ok=True)


class _Mp4(FilmWriter):
    """An MP4 that ffmpeg codes from raw frames."""

    def begin(self) -> None:
        """Say what is missing before any work."""
        if (missing := missing_encoder(self._out)) is not None:
            raise PictureError(f"{missing}.")
        self._part = beside(self._out)
        self._held = self._part.open("wb")  # a place that cannot be written is said before any work
        hold(self._held)
        self._coder: subprocess.Popen[bytes] | None = None
        self._said = TemporaryFile()  # noqa: SIM115 - closed at the end

    def write(self, image: QImage) -> None:
        """Send a frame; the first says how large they are."""
        pixels = _pixels(image)
        if self._coder is None:
            height, width = pixels.shape[:2]
            words = [
                *("ffmpeg", "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24"),
                *("-s", f"{width}x{height}", "-r", f"{self._fps:g}", "-i", "-", "-an"),
                *("-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p"),
                *("-f", "mp4", str(self._part.absolute())),
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
        """Wait for ffmpeg, and say what it says if it failed."""
        if self._coder is None:
            return
        with suppress(BrokenPipeError):  # it has ended, and says why
            _input_of(self._coder).close()
        if self._coder.wait() != 0:
            raise PictureError(self._fault())

    def place(self) -> None:
        """Put the file in place, if there was a frame."""
        self._held.close()
        if self._coder is not None:
            self._part.replace(self._out)

    def clear(self) -> None:
        """End ffmpeg at once if it still works, and remove the part."""
        if self._coder is not None:
            self._coder.kill()
            self._coder.wait()
            with suppress(OSError):
                _input_of(self._coder).close()
        self._said.close()
        self._held.close()
        self._part.unlink(missing_ok=True)

    def _fault(self) -> str:
        self._said.seek(0)
        said = self._said.read().decode(errors="replace").strip().splitlines()
        cause = said[0].rstrip(" .") if said else tr("it did not say why")  # what follows comes of it
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


def _pixels(image: QImage) -> NDArray[np.uint8]:
    """Red, green and blue of an image."""
    plain = image.convertToFormat(QImage.Format.Format_RGB888)
    lines = np.frombuffer(plain.constBits(), dtype=np.uint8).reshape(plain.height(), plain.bytesPerLine())
    pixels: NDArray[np.uint8] = lines[:, : plain.width() * 3].reshape(plain.height(), plain.width(), 3).copy()
    return pixels
