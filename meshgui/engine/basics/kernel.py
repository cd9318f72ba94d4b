"""Compiles hot functions with Numba, but only when one is first called.

Importing Numba costs most of half a second, and the window paints before that is spent. So `@kernel` leaves
a function as it is until its first call, then compiles it and every kernel it calls, cached on disk.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any, Final, Generic, ParamSpec, TypeVar, cast

import numpy as np

from meshgui.engine.basics.garbage import loading
from meshgui.engine.basics.kernel_cache import keep_by_content
from meshgui.engine.basics.kernel_fingerprint import fingerprint
from meshgui.engine.basics.polling import compiled_beside

__all__ = ["Kernel", "Place", "kernel", "with_parts"]

Place = np.uint64
"""The kind of an index in a hot loop. A signed one may count from the end, which every access has to ask, and
which keeps the compiler from using vectors. It is made of an integer right where it is used: arithmetic with
an integer of the other kind would be that of floating point."""

# Kernels that are put into their callers as a whole: to hand on all arrays of such an argument, one by one,
# takes longer than most of them do.
HANDED_ON: Final = (("state",), ("loop",), ("room",))

P = ParamSpec("P")
R = TypeVar("R")


class Kernel(Generic[P, R]):
    """A function that compiles itself on its first call, for the types it meets."""

    def __init__(self, function: Callable[P, R]) -> None:
        self.python = function
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__
        self._compiled: Callable[P, R] | None = None

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the compiled function."""
        compiled = self._compiled or self.compile()
        return compiled(*args, **kwargs)

    def compile(self) -> Callable[P, R]:
        """Compile the function, and first the kernels it calls: Numba reads callees from its globals."""
        if self._compiled is None:
            with loading():
                import numba  # noqa: PLC0415 - the whole point of this module

            # To colour the messages of attempts to find a type, few of which are ever seen, takes its time.
            numba.config.DISABLE_ERROR_MESSAGE_HIGHLIGHTING = 1  # type: ignore[attr-defined]
            function = self.resolved()
            options: dict[str, Any] = {
                "cache": True,
                "nogil": True,
                "forceinline": function.__code__.co_varnames[:1] in HANDED_ON,
                "no_cfunc_wrapper": True,  # no kernel is handed on as a value; a twelfth less to compile
            }
            dispatcher: Any = numba.njit(**options)(function)
            if dispatcher is not function:  # as it is where nothing is compiled
                dispatcher._compile_for_args = _beside(dispatcher._compile_for_args)  # noqa: SLF001 - Numba's hook
                _link_into_callers(dispatcher)
            self._compiled = cast("Callable[P, R]", dispatcher)
        return self._compiled

    @property
    def found_again(self) -> bool:
        """Whether its machine code was on the disk."""
        hits: dict[object, int] = getattr(self._compiled, "stats").cache_hits  # noqa: B009 - of Numba's own
        return any(hits.values())

    def resolved(self) -> Callable[P, R]:
        """The function, ready to be compiled: the kernels it calls are."""
        scope = self.python.__globals__
        for name in self.python.__code__.co_names:
            callee = scope.get(name)
            if isinstance(callee, Kernel):
                scope[name] = callee.compile()
        keep_by_content(self.python)
        return self.python


def kernel(function: Callable[P, R]) -> Kernel[P, R]:
    """Mark a function on plain arrays as hot."""
    return Kernel(function)


def with_parts(template: Kernel[P, R], label: str, **parts: object) -> Kernel[P, R]:
    """A kernel like the template, with other values for globals that it, or what it calls, reads.

    So one loop serves many strategies, and is compiled for each with the strategy's own search inside. The
    label tells the copies apart.
    """
    copies: dict[Kernel[..., Any], Kernel[..., Any]] = {}

    def copied(original: Kernel[..., Any]) -> Kernel[..., Any]:
        if original not in copies:
            function = cast("FunctionType", original.python)
            read = {
                name: function.__globals__[name]
                for name in function.__code__.co_names
                if name in function.__globals__
            }
            changed = {name: parts[name] for name in read if name in parts}
            callees = {
                name: value for name, value in read.items() if isinstance(value, Kernel) and name not in parts
            }
            changed |= {name: copy for name, value in callees.items() if (copy := copied(value)) is not value}
            copies[original] = _with_globals(function, label, changed) if changed else original
        return copies[original]

    return cast("Kernel[P, R]", copied(template))


def _with_globals(function: FunctionType, label: str, changed: dict[str, object]) -> Kernel[..., Any]:
    scope: dict[str, Any] = {**function.__globals__, **changed}
    copy = FunctionType(function.__code__, scope, function.__name__, function.__defaults__)
    copy.__qualname__ = f"{function.__qualname__}[{label}]"
    copy.__module__, copy.__doc__ = function.__module__, function.__doc__
    # Machine code from the cache is linked by this name: no two copies with different parts may share it.
    copy.__qualname__ = f"{function.__qualname__}[{label} {fingerprint(copy)[:12]}]"
    return Kernel(copy)


def _beside(compile_for: Callable[..., Any]) -> Callable[..., Any]:
    """What Numba calls for types that a kernel has not been compiled for, so that signals are noticed."""
    return lambda *args, **kwargs: compiled_beside(lambda: compile_for(*args, **kwargs))


def _link_into_callers(dispatcher: Any) -> None:  # noqa: ANN401 - of Numba
    """Have kernels that call this one compile it for themselves alone."""

    @cache
    def linked() -> Any:  # noqa: ANN401 - of Numba
        from meshgui.engine.basics.linked_kernels import LinkedDispatcher  # noqa: PLC0415 - imports Numba

        return LinkedDispatcher(dispatcher)

    dispatcher.get_call_template = _with_wide_integers(lambda *types: linked().get_call_template(*types))
    dispatcher.get_overload = lambda types: linked().get_overload(types)


def _with_wide_integers(template: Callable[..., Any]) -> Callable[..., Any]:
    """What Numba asks for a kernel that another one calls, with all signed integers of the widest kind.

    By itself it compiles a callee anew for each mix of constants and widths of integers that it is given.
    """
    from numba import types  # noqa: PLC0415 - imported long since, by who compiles

    def widened(kind: Any) -> Any:  # noqa: ANN401 - a type of Numba's
        plain = types.unliteral(kind)  # type: ignore[no-untyped-call]
        return types.int64 if plain in types.signed_domain else kind

    def call_template(args: tuple[Any, ...], named: dict[str, Any]) -> Any:  # noqa: ANN401
        return template(tuple(map(widened, args)), {name: widened(kind) for name, kind in named.items()})

    return call_template
