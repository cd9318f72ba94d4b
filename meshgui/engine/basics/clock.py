"""Reads a clock inside kernels, so that the time of an allocation holds no Python."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import FunctionType
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.kernel import Kernel, rebound
from meshgui.engine.basics.kernel_cache import keep_by_content


class _ClockKernel(Kernel[[NDArray[np.int64]], int]):
    """Calls the operating system's clock from compiled code, by its name in the C library."""

    def _made(self) -> Callable[[NDArray[np.int64]], int]:
        import numba  # noqa: PLC0415 - as in Kernel

        if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]  # set when Numba is imported
            return self.python
        name, kinds = "clock_gettime", (numba.types.int32, numba.types.uintp)
        reader = _read_clock
        if sys.platform == "win32":
            name, kinds = "QueryPerformanceCounter", (numba.types.uintp,)  # untranslated: of C
            reader = _read_windows_clock
        clock = numba.types.ExternalFunction(name, numba.types.int32(*kinds))
        bound = rebound(cast("FunctionType", reader), {"_system_clock": clock})
        keep_by_content(bound)
        return cast("Callable[[NDArray[np.int64]], int]", numba.njit(cache=True, nogil=True)(bound))


_system_clock: Any = None
_MONOTONIC = getattr(time, "CLOCK_MONOTONIC", 0)
_TICK = round(1e9 * time.get_clock_info("perf_counter").resolution)  # nanoseconds, on Windows


def _read_clock(room: NDArray[np.int64]) -> int:
    _system_clock(_MONOTONIC, room.ctypes.data)
    return int(room[0]) * 1_000_000_000 + int(room[1])


def _read_windows_clock(room: NDArray[np.int64]) -> int:
    _system_clock(room.ctypes.data)
    return int(room[0]) * _TICK


def _without_numba(room: NDArray[np.int64]) -> int:
    """Nanoseconds since some moment; `room` is two numbers in which they are written."""
    now = time.perf_counter_ns()
    room[0], room[1] = divmod(now, 1_000_000_000)
    return now


nanoseconds = _ClockKernel(_without_numba)
