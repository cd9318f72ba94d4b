"""A third-party strategy behind the guard: the same members, each call limited and each answer checked."""

from __future__ import annotations

from collections.abc import Callable
from inspect import isfunction
from typing import Any, ClassVar, TypeVar, cast

from meshgui.engine.allocation.answer_checks import (
    ANSWERS,
    CLASS_VARIABLES,
    COUNTERS,
    allocation_in,
    inspection_fault,
    misfit,
    nodes_fault,
    steps_fault,
)
from meshgui.engine.allocation.base import Allocation, AttemptTrace, Options, Strategy
from meshgui.engine.allocation.guard import StrategyError, call
from meshgui.engine.allocation.inspection import Moment, Request
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.plugins import package_of
from meshgui.engine.basics.translation import tr

__all__ = ["guarded"]

R = TypeVar("R")


class Guarded(Strategy):
    """A third-party strategy behind the guard; `guarded` adds its class variables and methods."""

    inner: ClassVar[type[Strategy]]

    def __init__(self, mesh: Mesh, options: Options | None = None) -> None:
        self.mesh = mesh
        self.options = options if options is not None else self.options_model()
        self.took: int | None = 0  # the way to the other thread and back left out
        self._wrapped: Strategy | None = None

        def start() -> None:
            self._wrapped = self.inner(mesh, options)

        self._call(tr("starting"), start)

    def _call(self, doing: str, function: Callable[[], R], job: int | None = None) -> R:
        """Call the strategy, and take over the values it keeps."""

        def answer() -> tuple[R, dict[str, object]]:
            value = function()
            return value, {name: getattr(self._wrapped, name) for name in COUNTERS}

        (value, kept), self.took = call(self.id, doing, answer, job, package_of(self.inner))
        for name, check in COUNTERS.items():
            self._require(tr("answered with"), misfit(kept[name], check, name))
            setattr(self, name, kept[name])
        return value

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


def guarded(cls: type[Strategy]) -> type[Strategy]:
    """A third-party strategy's class behind the guard: every member of Strategy leads to its own."""
    copied = (*CLASS_VARIABLES, "__module__", "__qualname__", "__doc__")
    parts = {name: getattr(cls, name) for name in copied}
    for name, member in vars(Strategy).items():
        if not name.startswith("_") and (isfunction(member) or isinstance(member, classmethod)):
            parts[name] = _forward(name, member)
    return cast("type[Strategy]", type(cls.__name__, (Guarded,), {**parts, "inner": cls}))


def _forward(name: str, member: object) -> object:
    """A method of Guarded that calls the same method of the third party."""
    doing = tr("allocating") if name == "allocate" else tr("running {name}").format(name=name)

    def of_class(cls: type[Guarded], *args: Any, **given: Any) -> Any:  # noqa: ANN401
        home = package_of(cls.inner)
        answer, _ = call(cls.id, doing, lambda: getattr(cls.inner, name)(*args, **given), home=home)
        cls._require(tr("answered with"), misfit(answer, ANSWERS[name], name))
        return answer

    def of_object(self: Guarded, *args: Any, **given: Any) -> Any:  # noqa: ANN401
        answer = self._call(doing, lambda: getattr(self._wrapped, name)(*args, **given), _job_in(name, args))
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
