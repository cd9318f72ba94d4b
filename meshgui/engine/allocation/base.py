"""What every allocation strategy is: a few arrays, a search that can be logged, and words about itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from meshgui.engine.allocation.inspection import Inspection, Moment, Request, State
from meshgui.engine.allocation.steps import Step, StepLog, Steps
from meshgui.engine.geometry import Box, Mesh, Size, describe_size, orientations
from meshgui.engine.parts import Part

__all__ = ["Boxes", "Line", "Options", "Source", "Strategy", "Trace"]

Boxes = tuple[Box, ...]


class Options(Part):
    """A strategy's options, with their limits: the scenario form is built from them. None by default."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of pseudo-code. Its place in the strategy's `lines` is the number its kernel logs."""

    label: str
    text: str
    indent: int = 0
    decision: bool = False  # a line where something is settled: stepping by decision stops here
    says: str = (
        ""  # the sentence of a step here; its first mark gives {box}, {base}, {size}, {way}, {n}, {k}, {i}
    )


class Source(NamedTuple):
    """Where a strategy comes from."""

    paper: str
    place: str


class Trace(NamedTuple):
    """One allocation attempt, stepped: what was asked, from which state, what was done, what came out."""

    request: Request
    before: State
    steps: Steps
    boxes: Boxes | None


class Strategy(ABC):
    """One allocation strategy at work on one mesh."""

    id: ClassVar[str]
    title: ClassVar[str]
    dims: ClassVar[frozenset[int]]
    rotates: ClassVar[bool]
    contiguous: ClassVar[bool]
    source: ClassVar[Source]
    lines: ClassVar[tuple[Line, ...]]
    options_model: ClassVar[type[Options]] = Options

    def __init__(self, mesh: Mesh, options: Options | None = None) -> None:
        if mesh.dims not in self.dims:
            raise ValueError(f"{self.id} works on {self.dims_in_words()} meshes, not on {mesh.describe()}")
        self.mesh = mesh
        self.options = options if options is not None else self.options_model()
        self.operations = 0  # nodes or boxes examined since the strategy was made

    @classmethod
    def dims_in_words(cls) -> str:
        """2D, 3D, or 2D and 3D."""
        return " and ".join(f"{n}D" for n in sorted(cls.dims))

    @abstractmethod
    def allocate(self, request: Request, log: StepLog | None = None) -> Boxes | None:
        """Give the job its boxes and remember them, or return None and leave the state as it was."""

    @abstractmethod
    def release(self, job: int) -> None:
        """Take back all the job holds."""

    @abstractmethod
    def capture(self) -> State:
        """A copy of the whole state."""

    @abstractmethod
    def restore(self, state: State) -> None:
        """Go back to a captured state."""

    def inspect(self, moment: Moment) -> Inspection:
        """The strategy's structures at a moment, for the inspectors; by default only what a step marks."""
        marks = moment.steps[-1].marks if len(moment.steps) else ()
        return Inspection((), marks, self.say(moment))

    def replay(self, request: Request, boxes: Boxes) -> None:
        """Do again an allocation whose outcome is known; override where it can be done without searching."""
        if self.allocate(request) != boxes:
            raise RuntimeError(f"{self.id} gave job {request.job} other boxes when asked again")

    def turns(self, size: Size) -> tuple[Size, ...]:
        """The orientations to try that the empty mesh could hold."""
        tried = orientations(size, self.mesh.dims) if self.rotates else (size,)
        return tuple(turn for turn in tried if self.mesh.fits(turn))

    def refusal(self, size: Size) -> str | None:
        """Why a request could not be satisfied even on an empty mesh, or None when it could."""
        if self.turns(size):
            return None
        asked = describe_size(size, self.mesh.dims)
        turned = ", however turned" if self.rotates and len(orientations(size, self.mesh.dims)) > 1 else ""
        return f"{asked} does not fit into the empty {self.mesh.describe()} mesh{turned}"

    def say(self, moment: Moment) -> str:
        """One sentence for the step the moment stands at, or an empty one."""
        if not len(moment.steps):
            return ""
        step = moment.steps[-1]
        return self.lines[step.line].says.format_map(self.words(step, moment))

    def words(self, step: Step, moment: Moment) -> dict[str, object]:
        """What a line's sentence may name; a strategy adds words of its own."""
        mark = step.marks[0]
        n, k, i = mark.values
        flat = self.mesh.dims == 2
        base = ",".join(map(str, mark.box.base[: self.mesh.dims]))
        size = describe_size(mark.box.size, self.mesh.dims)
        asked = moment.request is not None and moment.request.size == mark.box.size
        return {
            "box": mark.box.describe(flat=flat),
            "base": f"({base})",
            "size": size,
            "way": "as asked" if asked else f"turned to {size}",
            "n": n,
            "k": k,
            "i": i,
        }

    def trace(self, request: Request) -> Trace:
        """Allocate with the log on, giving it as much room as it needs; the attempt takes effect."""
        before = self.capture()
        operations = self.operations
        log = StepLog(1024)
        boxes = self.allocate(request, log)
        if log.overflowed:
            self.restore(before)
            self.operations = operations
            log = StepLog(log.count)
            boxes = self.allocate(request, log)
        return Trace(request, before, log.steps(), boxes)
