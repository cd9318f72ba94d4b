"""Programs of shaders, and the buffers of what they draw, in the current OpenGL context."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from time import thread_time
from typing import Final

import numpy as np
import shiboken6
from numpy.typing import NDArray
from OpenGL.raw.GL.VERSION import GL_1_0 as GL
from PySide6.QtGui import QImage, QMatrix4x4, QOpenGLExtraFunctions, QVector2D, QVector3D
from PySide6.QtOpenGL import (
    QOpenGLBuffer,
    QOpenGLShader,
    QOpenGLShaderProgram,
    QOpenGLTexture,
    QOpenGLVertexArrayObject,
)

from meshgui.engine.basics.arrays import Floats32
from meshgui.engine.basics.translation import tr
from meshgui.itself import resource
from meshgui.views.mesh.solid.opengl import DrawingError

Uniform = float | QMatrix4x4 | QVector2D | QVector3D
_SQUARE: Final = np.array([[0, 0], [1, 0], [1, 1], [0, 0], [1, 1], [0, 1]], dtype=np.float32)


class DriverClock:
    """Adds up the processor time of the calls in which OpenGL works: uploads, and what is drawn."""

    def __init__(self) -> None:
        self.spent = 0.0  # seconds
        self._begun = 0.0

    def __enter__(self) -> None:
        self._begun = thread_time()

    def __exit__(self, *_: object) -> None:
        self.spent += thread_time() - self._begun


class Driver:
    """The functions of a context, and a clock for them where one measures."""

    def __init__(self, functions: QOpenGLExtraFunctions) -> None:
        self.functions = functions
        self.clock: AbstractContextManager[None] = nullcontext()


class Program:
    """A program from the two shader files of a name."""

    def __init__(self, name: str) -> None:
        folder = resource("shaders")
        self.program = program = QOpenGLShaderProgram()
        for ending, kind in (
            ("vert", QOpenGLShader.ShaderTypeBit.Vertex),
            ("frag", QOpenGLShader.ShaderTypeBit.Fragment),
        ):
            source = (folder / f"{name}.{ending}").read_text("utf-8")
            if not program.addShaderFromSourceCode(kind, source):
                raise DrawingError(
                    tr("the shader {name}.{ending} does not compile: {log}").format(
                        name=name, ending=ending, log=program.log()
                    )
                )
        if not program.link():
            raise DrawingError(
                tr("the shaders {name} do not link: {log}").format(name=name, log=program.log())
            )
        self._locations: dict[str, int] = {}
        self._values: Mapping[str, Uniform] = {}
        self._own: dict[str, float] = {}

    def use(self, values: Mapping[str, Uniform], own: Mapping[str, float]) -> None:
        """Bind it with the values of a frame, set once a frame, and those of what is drawn now."""
        self.program.bind()
        if values is not self._values:
            self._values = values
            self._own.clear()  # a frame's value may have the name of one of them
            for name, value in values.items():
                self._set(name, value)
        for name, value in own.items():
            if self._own.get(name) != value:
                self._own[name] = value
                self._set(name, value)

    def release(self) -> None:
        """Release the program, unless PySide has done so as the process ends."""
        if shiboken6.isValid(self.program):
            self.program.removeAllShaders()
            shiboken6.delete(self.program)

    def _set(self, name: str, value: Uniform) -> None:
        """Set a uniform; one that the shaders do not use is skipped."""
        location = self._locations.get(name)
        if location is None:
            location = self._locations[name] = self.program.uniformLocation(name)
        if location < 0:
            return
        if isinstance(value, float):
            self.program.setUniformValue1f(location, value)
        else:
            self.program.setUniformValue(location, value)


class Batch:
    """A shape that a program repeats and a buffer of instances; without a shape, a buffer of points."""

    def __init__(
        self,
        driver: Driver,
        program: Program,
        shape: Floats32 | None,
        shape_parts: tuple[int, ...],
        parts: tuple[int, ...],
    ) -> None:
        self._driver = driver
        self._program = program
        self._corners = 0 if shape is None else len(shape)
        self.count = 0
        self._array = QOpenGLVertexArrayObject()
        self._array.create()
        self._array.bind()
        self._shape = QOpenGLBuffer(QOpenGLBuffer.Type.VertexBuffer)
        location = 0
        if shape is not None:
            self._shape.create()
            self._shape.bind()
            self._shape.allocate(shape.tobytes(), shape.nbytes)
            location = self._describe(location, shape_parts, divisor=0)
        self._instances = QOpenGLBuffer(QOpenGLBuffer.Type.VertexBuffer)
        self._instances.setUsagePattern(QOpenGLBuffer.UsagePattern.DynamicDraw)
        self._instances.create()
        self._instances.bind()
        self._describe(location, parts, divisor=0 if shape is None else 1)
        self._array.release()

    def _describe(self, location: int, parts: tuple[int, ...], *, divisor: int) -> int:
        """Describe a buffer's rows to the program; returns the next free location."""
        offset, program = 0, self._program.program
        program.bind()
        for part in parts:
            program.enableAttributeArray(location)
            program.setAttributeBuffer(location, GL.GL_FLOAT, offset, part, 4 * sum(parts))
            self._driver.functions.glVertexAttribDivisor(location, divisor)
            offset += 4 * part
            location += 1
        return location

    def fill(self, rows: Floats32) -> None:
        """Upload new instances."""
        self.count = len(rows)
        data = rows.tobytes()
        with self._driver.clock:
            self._instances.bind()
            self._instances.allocate(data, len(data))
            self._instances.release()

    def draw(self, values: Mapping[str, Uniform], **own: float) -> None:
        """Draw all instances, with the values of the frame and some of their own."""
        if not self.count:
            return
        self._program.use(values, own)
        with self._driver.clock:
            self._array.bind()
            if self._corners:
                self._driver.functions.glDrawArraysInstanced(GL.GL_TRIANGLES, 0, self._corners, self.count)
            else:
                self._driver.functions.glDrawArrays(GL.GL_POINTS, 0, self.count)
            self._array.release()

    def release(self) -> None:
        """Release the buffers; as the process ends PySide has released their description."""
        if shiboken6.isValid(self._array):
            self._array.destroy()
        self._shape.destroy()
        self._instances.destroy()


class Sheet:
    """A picture as a texture, parts of which are drawn pixel for pixel."""

    def __init__(self, driver: Driver, program: Program) -> None:
        self._driver = driver
        self._batch = Batch(driver, program, _SQUARE, (2,), (2, 2, 2, 4))
        self._texture: QOpenGLTexture | None = None

    def show_letters(self, cover: NDArray[np.uint8]) -> None:
        """Upload white letters: how far each pixel is covered, in rows of a multiple of four."""
        texture = self._fresh()
        height, width = cover.shape
        texture.setFormat(QOpenGLTexture.TextureFormat.R8_UNorm)
        texture.setSize(width, height)
        one, red = QOpenGLTexture.SwizzleValue.OneValue, QOpenGLTexture.SwizzleValue.RedValue
        with self._driver.clock:
            texture.allocateStorage()
            texture.setSwizzleMask(one, one, one, red)
            kind = QOpenGLTexture.PixelFormat.Red, QOpenGLTexture.PixelType.UInt8
            texture.setData(*kind, cover)  # type: ignore[call-overload] # any buffer will do

    def show_picture(self, image: QImage) -> None:
        """Upload a picture."""
        texture = self._fresh()
        with self._driver.clock:
            texture.setData(image, QOpenGLTexture.MipMapGeneration.DontGenerateMipMaps)

    def draw(self, values: Mapping[str, Uniform], rows: Floats32) -> None:
        """Draw parts: the place on the screen, that in the texture, the size, the tint, in rows of 10."""
        self._batch.fill(rows)
        if self._texture is not None:
            self._texture.bind()
            self._batch.draw(values)

    def release(self) -> None:
        """Release texture and buffers."""
        self._batch.release()
        if self._texture is not None:
            self._texture.destroy()
            self._texture = None

    def _fresh(self) -> QOpenGLTexture:
        """A texture in place of the one before, for no pixel between two of its own."""
        if self._texture is not None:
            self._texture.destroy()
        self._texture = QOpenGLTexture(QOpenGLTexture.Target.Target2D)
        self._texture.setMinMagFilters(QOpenGLTexture.Filter.Nearest, QOpenGLTexture.Filter.Nearest)
        return self._texture
