"""Compiles hot functions with Numba, but only when one is first called.

Importing Numba costs most of half a second, and the window paints before that is spent. So `@kernel` leaves
a function as it is until its first call, then compiles it and every kernel it calls, cached on disk.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from threading import RLock
from types import FunctionType
from typing import Any, Final, Generic, ParamSpec, TypeVar, cast, overload

import numpy as np

from meshgui.engine.basics.arrays import BORROWED
from meshgui.engine.basics.compiled_work import compile_interruptible
from meshgui.engine.basics.garbage import loading
from meshgui.engine.basics.kernel_cache import keep_by_content
from meshgui.engine.basics.kernel_fingerprint import fingerprint

Place = np.uint64
"""The kind of an index in a hot loop. A signed one may count from the end, which every access has to ask, and
which keeps the compiler from using vectors. It is made of an integer right where it is used: arithmetic with
an integer of the other kind would be that of floating point."""

_COMPILING: Final = RLock()  # one kernel is made at a time, and with it those that it calls

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")


class Kernel(Generic[P, R]):
    """A function that compiles itself on its first call, for the types it meets."""

    def __init__(self, function: Callable[P, R], *, inline: bool = False, makes_arrays: bool = False) -> None:
        self.python = function
        self.inline, self.makes_arrays = inline, makes_arrays
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__
        self._compiled: Callable[P, R] | None = None

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the compiled function."""
        compiled = self._compiled or self.compile()
        return compiled(*args, **kwargs)

    def compile(self) -> Callable[P, R]:
        """Compile the function, and first the kernels it calls; once, whichever threads ask for it."""
        if self._compiled is None:
            with _COMPILING:
                self._compiled = self._compiled or self._made()
        return self._compiled

    def _made(self) -> Callable[P, R]:
        with loading():
            import numba  # noqa: PLC0415 - the whole point of this module

        # To colour the messages of attempts to find a type, few of which are ever seen, takes its time.
        numba.config.DISABLE_ERROR_MESSAGE_HIGHLIGHTING = 1  # type: ignore[attr-defined]
        function = self.resolved()
        options: dict[str, Any] = {
            "cache": True,
            "nogil": True,
            "forceinline": self.inline,
            "no_cfunc_wrapper": True,  # no kernel is handed on as a value; a twelfth less to compile
        }
        dispatcher: Any = numba.njit(**options)(function)
        if dispatcher is not function:  # as it is where nothing is compiled
            dispatcher._compile_for_args = _beside(dispatcher._compile_for_args)  # noqa: SLF001 - Numba's hook
            _link_into_callers(dispatcher, makes_arrays=self.makes_arrays)
        return cast("Callable[P, R]", dispatcher)

    @property
    def found_again(self) -> bool:
        """Whether its machine code was on the disk."""
        hits: dict[object, int] = getattr(self._compiled, "stats").cache_hits  # noqa: B009 - of Numba's own
        return any(hits.values())

    def resolved(self) -> Callable[P, R]:
        """The function, ready to be compiled: bound to the kernels it calls, which are."""
        function = cast("FunctionType", self.python)
        callees = {
            name: callee.compile()
            for name in function.__code__.co_names
            if isinstance(callee := function.__globals__.get(name), Kernel)
        }
        bound = rebound(function, callees)
        keep_by_content(bound)
        return cast("Callable[P, R]", bound)


@overload
def kernel(function: Callable[P, R], /) -> Kernel[P, R]: ...
@overload
def kernel(
    *, inline: bool = False, makes_arrays: bool = False
) -> Callable[[Callable[P, R]], Kernel[P, R]]: ...
def kernel(
    function: Callable[P, R] | None = None, /, *, inline: bool = False, makes_arrays: bool = False
) -> Kernel[P, R] | Callable[[Callable[P, R]], Kernel[P, R]]:
    """Mark a function on plain arrays as hot; one to be put into its callers as a whole, with `inline`.

    So is, by itself, every kernel whose first argument is a tuple of arrays: to hand on all of them, one by
    one, takes longer than most kernels do. One that is given a state of borrowed arrays counts no holders,
    unless it `makes_arrays`, or calls what does.
    """
    made = partial(Kernel, inline=inline, makes_arrays=makes_arrays)
    return made if function is None else made(function)


def borrowed_arrays(state: type[T]) -> type[T]:
    """Mark a state whose arrays Python keeps as long as kernels work on them."""
    BORROWED.add(state)
    return state


def rebound(function: FunctionType, changed: Mapping[str, object]) -> FunctionType:
    """The same function with other values for some of the globals that it reads."""
    scope = {**function.__globals__, **changed}
    copy = FunctionType(function.__code__, scope, function.__name__, function.__defaults__)
    copy.__qualname__, copy.__module__ = function.__qualname__, function.__module__
    copy.__doc__, copy.__kwdefaults__ = function.__doc__, function.__kwdefaults__
    return copy


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
            copies[original] = _copy(original, label, changed) if changed else original
        return copies[original]

    return cast("Kernel[P, R]", copied(template))


def _copy(original: Kernel[..., Any], label: str, changed: dict[str, object]) -> Kernel[..., Any]:
    copy = rebound(cast("FunctionType", original.python), changed)
    named = copy.__qualname__
    copy.__qualname__ = f"{named}[{label}]"
    # Machine code from the cache is linked by this name: no two copies with different parts may share it.
    copy.__qualname__ = f"{named}[{label} {fingerprint(copy)[:12]}]"
    return Kernel(copy, inline=original.inline, makes_arrays=original.makes_arrays)


def _beside(compile_for: Callable[..., Any]) -> Callable[..., Any]:
    """What Numba calls for types that a kernel has not been compiled for, so that signals are noticed."""
    return lambda *args, **kwargs: compile_interruptible(lambda: compile_for(*args, **kwargs))


def _link_into_callers(dispatcher: Any, *, makes_arrays: bool) -> None:  # noqa: ANN401 - of Numba
    """Have kernels that call this one compile it for themselves alone."""

    @cache
    def linked() -> Any:  # noqa: ANN401 - of Numba
        from meshgui.engine.basics.linked_kernels import LinkedDispatcher  # noqa: PLC0415 - imports Numba

        return LinkedDispatcher(dispatcher, makes_arrays=makes_arrays)

    dispatcher.get_call_template = _with_wide_integers(
        dispatcher.py_func, lambda *types: linked().get_call_template(*types)
    )
    dispatcher.get_overload = lambda types: linked().get_overload(types)


def _with_wide_integers(function: FunctionType, template: Callable[..., Any]) -> Callable[..., Any]:
    """What Numba asks for a kernel that another one calls, with all integers of the widest kind.

    By itself it compiles a callee again for each mix of constants, of widths of integers, of members of an
    enumeration and of defaults that it is given.
    """
    from numba import types  # noqa: PLC0415 - imported long since, by who compiles

    defaults = function.__defaults__ or ()
    most = function.__code__.co_argcount

    def widened(kind: Any) -> Any:  # noqa: ANN401 - a type of Numba's
        plain = types.unliteral(kind)  # type: ignore[no-untyped-call]
        is_integer = plain in types.signed_domain or isinstance(plain, types.IntEnumMember)
        return types.int64 if is_integer else kind

    def call_template(args: tuple[Any, ...], named: dict[str, Any]) -> Any:  # noqa: ANN401
        left_out = () if named else defaults[len(defaults) + len(args) - most :]
        if all(type(default) is int for default in left_out):
            args += (types.int64,) * len(left_out)
        return template(tuple(map(widened, args)), {name: widened(kind) for name, kind in named.items()})

    return call_template
