"""Compiles hot functions with Numba, but only when one is first called.

Importing Numba costs most of half a second, and the window paints before that is spent. So `@kernel` leaves
a function as it is until its first call, then compiles it and every kernel it calls, cached on disk.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, ParamSpec, TypeVar, cast

from meshgui.engine.kernel_cache import keep_by_content

__all__ = ["Kernel", "kernel"]

P = ParamSpec("P")
R = TypeVar("R")


class Kernel(Generic[P, R]):
    """A function that compiles itself on its first call."""

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
            import numba  # noqa: PLC0415 - the whole point of this module

            scope = self.python.__globals__
            for name in self.python.__code__.co_names:
                callee = scope.get(name)
                if isinstance(callee, Kernel):
                    scope[name] = callee.compile()
            keep_by_content(self.python)
            self._compiled = cast("Callable[P, R]", numba.njit(cache=True, nogil=True)(self.python))
        return self._compiled


def kernel(function: Callable[P, R]) -> Kernel[P, R]:
    """Mark a function on plain arrays as hot."""
    return Kernel(function)
