"""A third-party strategy behind the guard: the same members, each call limited and each answer checked."""

from __future__ import annotations

from collections.abc import Callable
from inspect import isfunction
from typing import Any, ClassVar, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.answer_checks import (
    ANSWERS,
    CLASS_VARIABLES,
    COUNTERS,
    allocation_in,
    inspection_fault,
    nodes_fault,
    steps_fault,
)
from meshgui.engine.allocation.base import Allocation, AttemptTrace, BoxRows, Options, Reservation, Strategy
from meshgui.engine.allocation.inspection import Moment, Request
from meshgui.engine.allocation.kernel_checks import KERNEL_VARIABLES, is_kernels_alone, state_fault
from meshgui.engine.allocation.kernel_strategy import EntryPoints, KernelStrategy
from meshgui.engine.allocation.steps import StepLog
from meshgui.engine.basics.cached_property import cached_property
from meshgui.engine.basics.entry_points import Room, arena, raised_by_handed
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.guard import StrategyError, call, calls_in_one_thread, faults_of
from meshgui.engine.basics.plugins import package_of, quoted
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.value_checks import Check, misfit

R = TypeVar("R")


class Guarded(Strategy):
    """A third-party strategy behind the guard; `guarded` adds its class variables and methods."""

    inner: ClassVar[type[Strategy]]
    counters: ClassVar[dict[str, Check]] = COUNTERS

    def __init__(self, mesh: Mesh, options: Options | None = None) -> None:
        self.mesh = mesh
        self.options = options if options is not None else self.options_model()
        self._wrapped: Strategy | None = None

        def start() -> None:
            self._wrapped = self.inner(mesh, options)

        self._ask(tr("starting"), start)

    def _ask(self, doing: str, function: Callable[[], R], job: int | None = None) -> R:
        """Call the strategy, and take over the values it keeps."""

        def answer() -> tuple[R, dict[str, object]]:
            value = function()
            return value, {name: getattr(self._wrapped, name) for name in self.counters}

        (value, kept), took = call(self.id, doing, answer, job, package_of(self.inner))
        for name, check in self.counters.items():
            if type(kept[name]) is not int and kept[name] is not getattr(self, name):
                self._require(tr("answered with"), misfit(kept[name], check, name))
        self._keep(kept, took)
        return value

    def _keep(self, values: dict[str, object], took: int) -> None:
        vars(self).update(values, took=took)  # the way to the other thread and back left out

    @classmethod
    def _require(cls, said: str, fault: str | None) -> None:
        """Raise an error that names the strategy where there is a fault."""
        if fault is not None:
            raise StrategyError(f"{cls.id} {said} {fault}")

    def _granted(self, answer: object, job: int | None) -> Allocation:
        """What a job is given, its boxes as such."""
        outcome, fault = allocation_in(answer)
        self._require(tr("gave job {job}").format(job=job), fault)
        return outcome

    def _checked(self, name: str, answer: Any, args: tuple[Any, ...]) -> Any:  # noqa: ANN401
        """The answer of a method, if the program can rely on it."""
        job = _job_in(name, args)
        if name == "allocate":
            return self._granted(answer, job)
        if isinstance(answer, AttemptTrace):
            answer = answer._replace(outcome=self._granted(answer.outcome, job))
        if name in {"inspect", "inspect_release"}:
            self._require("shows", inspection_fault(answer, self.mesh))
        elif name in ANSWERS:
            self._require(tr("answered with"), misfit(answer, ANSWERS[name], name))
        if name in {"trace", "trace_release"}:
            lines = self.lines if name == "trace" else self.release_lines
            self._require(tr("logged at job {job}").format(job=job), steps_fault(answer.steps, len(lines)))
        if name == "nodes":
            self._require("listed", nodes_fault(answer, Strategy.nodes(self, args[0])))
        return answer


class GuardedKernels(Guarded, KernelStrategy):
    """A third-party strategy that is kernels alone: the loop calls these, and all else is guarded.

    Its state is that of the strategy itself. Kernels run unchecked within their memory, as any compiled code.
    """

    counters: ClassVar = {"part_attempts": COUNTERS["part_attempts"]}  # operations are in the state
    may_take_long = True  # how long is not known

    def __init__(self, mesh: Mesh, options: Options | None = None) -> None:
        super().__init__(mesh, options)
        most = self._ask(tr("stating how many boxes a job can get"), lambda: self._own.most_boxes)
        if type(most) is not int or not 1 <= most <= mesh.processors:
            said = tr("{id} has most_boxes: expected a whole number from 1 to {processors}, got {quoted}")
            raise StrategyError(said.format(id=self.id, processors=mesh.processors, quoted=quoted(most)))
        self.boxes_out = Room(most)

    @property
    def _own(self) -> KernelStrategy:
        return cast("KernelStrategy", self._wrapped)

    def _keep(self, values: dict[str, object], took: int) -> None:
        del took  # its kernels measure themselves
        self.part_attempts = cast("int | None", values["part_attempts"])

    @classmethod
    def is_kernels_alone(cls) -> bool:
        return True

    def empty_state(self) -> Any:  # noqa: ANN401 - a third party's
        return self._arena[1]

    @cached_property
    def _arena(self) -> tuple[NDArray[np.uint8], Any]:
        kept = vars(self._own)
        if "_arena" not in kept:
            state = self._ask(tr("making its first state"), self._own.empty_state)
            self._require_state(state)
            kept["_arena"] = arena(state)
        made: tuple[NDArray[np.uint8], Any] = kept["_arena"]
        self._require_state(made[1])
        return made

    def _require_state(self, state: object) -> None:
        self._require(tr("begins with a state that kernels cannot work on:"), state_fault(state))

    @cached_property
    def entry_points(self) -> EntryPoints:
        self.state  # noqa: B018 - checked before anything is compiled for it
        doing = tr("compiling the kernels of the package {package}").format(package=package_of(self.inner))
        with faults_of(self.id, doing, StrategyError, package_of(self.inner)):
            return KernelStrategy.entry_points.func(self)

    def allocate_rows(self, request: Request, log: StepLog | None = None) -> BoxRows | Reservation | None:
        given = self.allocate(request, log)
        if given is None or isinstance(given, Reservation):
            return given
        return np.array(given, dtype=np.int64).reshape(-1, 6)

    def watched(
        self, work: Callable[[], R], stop: Callable[[], object], planning: KernelStrategy | None = None
    ) -> R:
        working = (self, planning or self)

        def answer() -> R:
            with raised_by_handed():
                return work()

        def progress() -> tuple[bytes, ...]:
            return tuple(one.clock_read for one in working)

        doing, home = tr("running its kernels"), package_of(self.inner)
        return calls_in_one_thread(lambda: call(self.id, doing, answer, home=home)[0], stop, progress)


def guarded(cls: type[Strategy]) -> type[Strategy]:
    """A third-party strategy's class behind the guard: every member of Strategy leads to its own."""
    base, stated = (GuardedKernels, KERNEL_VARIABLES) if is_kernels_alone(cls) else (Guarded, {})
    copied = (*CLASS_VARIABLES, *stated, "__module__", "__qualname__", "__doc__")
    parts = {name: getattr(cls, name) for name in copied}
    for name, member in vars(Strategy).items():
        if isinstance(member, classmethod) and not _is_overridden(cls, name, member):
            continue  # ours says the same without a call into another thread
        if not name.startswith("_") and (isfunction(member) or isinstance(member, classmethod)):
            # what is refused is known for all machines of a kind
            parts["_refusal" if name == "refusal" else name] = _forward(name, member)
    return cast("type[Strategy]", type(cls.__name__, (base,), {**parts, "inner": cls}))


def _is_overridden(cls: type[Strategy], name: str, member: classmethod[Any, Any, Any]) -> bool:
    return getattr(getattr(cls, name), "__func__", None) is not member.__func__


def _forward(name: str, member: object) -> object:
    """A method of Guarded that calls the same method of the third party."""
    doing = tr("allocating") if name == "allocate" else tr("running {name}").format(name=name)

    def of_class(cls: type[Guarded], *args: Any, **given: Any) -> Any:  # noqa: ANN401
        home = package_of(cls.inner)
        answer, _ = call(cls.id, doing, lambda: getattr(cls.inner, name)(*args, **given), home=home)
        cls._require(tr("answered with"), misfit(answer, ANSWERS[name], name))
        return answer

    def of_object(self: Guarded, *args: Any, **given: Any) -> Any:  # noqa: ANN401
        answer = self._ask(doing, lambda: getattr(self._wrapped, name)(*args, **given), _job_in(name, args))
        return self._checked(name, answer, args)

    return classmethod(of_class) if isinstance(member, classmethod) else of_object


def _job_in(name: str, args: tuple[Any, ...]) -> int | None:
    """The job that a call is about."""
    first = args[0] if args else None
    if isinstance(first, Moment):
        first = first.request
    if isinstance(first, Request):
        return first.job
    return first if name in {"release", "trace_release"} else None
