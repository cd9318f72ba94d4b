"""Lets one compiled function call others that are only known at run time, on a state it knows nothing of.

The event loop is compiled once for all strategies. So it is handed their functions by address, and a state by
its handle: the address of a copy of the state's own layout in compiled code. Where Numba is switched off, a
handle is the state itself, and an entry point is a Python function.
"""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.cached_property import cached_property
from meshgui.engine.basics.compiled_work import compile_interruptible
from meshgui.engine.basics.kernel import Kernel, with_parts

P = ParamSpec("P")
R = TypeVar("R")
S = TypeVar("S", bound=tuple[Any, ...])
T = TypeVar("T")

Handle = Any
"""The address of a state's layout; where Numba is switched off, the state."""

STATE: Any = None
"""In templates of entry points: the state's type."""

ROOM: Any = None
"""In templates of entry points: the type of what the handle of a Room leads to."""


def _compiling() -> bool:
    import numba  # noqa: PLC0415 - importing it costs half a second, which a first call may

    return not numba.config.DISABLE_JIT  # type: ignore[attr-defined]  # set when Numba is imported


def layout(state: tuple[Any, ...]) -> tuple[Handle, object]:
    """A state's handle, and what must be kept as long as it is used.

    Numba has a tuple in memory as its parts one after another, and an array as seven kinds of words: two for
    the owner, which nobody is here, then size, item size, address, shape and strides. A function is its
    address in C, and two words for those that it may have elsewhere.
    """
    if not _compiling():
        return state, state
    words: list[int] = []
    for part in leaves(state):
        if isinstance(part, np.ndarray):
            words += (0, 0, part.size, part.itemsize, part.ctypes.data, *part.shape, *part.strides)
        elif hasattr(part, "__wrapper_address__"):
            words += (part.__wrapper_address__(), 0, 0)
        else:
            words.append(part)
    kept = np.array(words, dtype=np.int64)
    return kept.ctypes.data, (kept, state)


def leaves(state: tuple[Any, ...]) -> Iterator[Any]:
    """The arrays and numbers of a state, those of its parts in their places."""
    for part in state:
        yield from leaves(part) if isinstance(part, tuple) else (part,)


def arena(state: S) -> tuple[NDArray[np.uint8], S]:
    """A copy of a state whose arrays lie in one piece of memory: copying that copies the state."""
    arrays = [part for part in leaves(state) if isinstance(part, np.ndarray)]
    ends = np.cumsum([0, *(-(-part.nbytes // 8) * 8 for part in arrays)]).tolist()
    memory = np.zeros(ends[-1], dtype=np.uint8)
    copies = []
    for begin, part in zip(ends, arrays, strict=False):
        copy = memory[begin : begin + part.nbytes].view(part.dtype).reshape(part.shape)
        copy[...] = part
        copies.append(copy)
    left = iter(copies)

    def moved(part: Any) -> Any:  # noqa: ANN401 - a state or a part of one
        if isinstance(part, tuple):
            return type(part)(*map(moved, part))
        return next(left) if isinstance(part, np.ndarray) else part

    return memory, moved(state)


class Room:
    """Rows of six numbers for compiled code to write into."""

    def __init__(self, rows: int) -> None:
        self.rows = np.empty((rows, 6), dtype=np.int32)

    @cached_property
    def _layout(self) -> tuple[Handle, object]:
        return layout((self.rows,))

    @property
    def handle(self) -> Handle:
        """The handle of a tuple with the rows."""
        return self._layout[0]


class _Intrinsic(Kernel[P, R]):
    """A function whose machine code is written here; where Numba is switched off, the Python one."""

    def __init__(self, function: Callable[P, R], build: Callable[[], Any]) -> None:
        super().__init__(function)
        self._build = build

    def _made(self) -> Callable[P, R]:
        made: Any = self._build() if _compiling() else self.python
        if made is not self.python:
            made.python = self.python  # by which kernels that call it are known, compiled or not
        return cast("Callable[P, R]", made)


def _itself(handle: Handle, state_type: Any) -> Any:  # noqa: ANN401 - a state of any type
    """The state of a handle."""
    del state_type
    return handle


def _loading() -> Callable[[Handle, Any], Any]:
    from numba import types  # noqa: PLC0415
    from numba.extending import intrinsic  # noqa: PLC0415

    def load(typing_context: Any, handle: Any, state_type: Any) -> Any:  # noqa: ANN401, ARG001
        state = state_type.instance_type

        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:  # noqa: ANN401, ARG001
            return builder.load(builder.inttoptr(values[0], context.get_value_type(state).as_pointer()))

        return state(types.int64, state_type), generate

    return cast("Callable[[Handle, Any], Any]", intrinsic(load))


def _same(arrays: T) -> T:
    """The same arrays, or tuples of them, with no owner to count: for a kernel's arguments, which stay."""
    return arrays


def _disowning() -> Callable[[Any], Any]:
    from numba.core import types  # noqa: PLC0415
    from numba.extending import intrinsic  # noqa: PLC0415

    def disown(context: Any, builder: Any, kind: Any, value: Any) -> Any:  # noqa: ANN401
        if isinstance(kind, types.Array):
            array = context.make_array(kind)(context, builder, value)
            array.meminfo, array.parent = array.meminfo.type(None), array.parent.type(None)
            return array._getvalue()  # noqa: SLF001 - Numba's way to read it
        if isinstance(kind, types.BaseTuple):
            for n, part in enumerate(kind.types):  # type: ignore[attr-defined]
                inner = disown(context, builder, part, builder.extract_value(value, n))
                value = builder.insert_value(value, inner, n)
        return value

    def borrow(typing_context: Any, arrays: Any) -> Any:  # noqa: ANN401, ARG001
        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:  # noqa: ANN401, ARG001
            return disown(context, builder, arrays, values[0])

        return arrays(arrays), generate

    return cast("Callable[[Any], Any]", intrinsic(borrow))


opened = _Intrinsic(_itself, _loading)
# Numba counts the holders of each array that a kernel hands to another, every time by a locked operation.
borrowed = _Intrinsic(_same, _disowning)


_raised: dict[int, list[BaseException]] = {}  # by the thread that catches them
_reports: list[Callable[[sys.UnraisableHookArgs], object]] = []  # the hook of before


@contextmanager
def raised_by_handed() -> Iterator[None]:
    """A block that raises at its end what functions raised that compiled code was handed.

    Compiled code takes a 0 for their answer, and Python can only report the error.
    """
    if sys.unraisablehook is not _catch:
        _reports[:] = [sys.unraisablehook]
        sys.unraisablehook = _catch
    raised = _raised[threading.get_ident()] = []
    try:
        yield
    finally:
        del _raised[threading.get_ident()]
    if raised:
        raise raised[0]


def _catch(unraisable: sys.UnraisableHookArgs) -> None:
    raised = _raised.get(threading.get_ident())
    if raised is None or unraisable.exc_value is None:
        _reports[0](unraisable)
    else:
        raised.append(unraisable.exc_value)


class EntryPoint:
    """A function that compiled code can be handed: a template for the type of one state.

    The signature names what it takes after the handle, and what it returns, in Numba's terms.
    """

    call: Callable[..., Any]  # from Python
    handed: Any  # what compiled code gets

    def __init__(
        self, template: Kernel[..., Any], label: str, signature: str, state: tuple[Any, ...], **parts: object
    ) -> None:
        if not _compiling():
            self.call = self.handed = with_parts(template, label, **parts).python
            return
        import numba  # noqa: PLC0415
        from numba.core import sigutils  # noqa: PLC0415

        function = with_parts(
            template,
            label,
            **parts,
            STATE=numba.typeof(state),  # type: ignore[no-untyped-call]
            ROOM=numba.typeof((Room(0).rows,)),  # type: ignore[no-untyped-call]
        ).resolved()
        compiled = compile_interruptible(lambda: numba.njit(signature, cache=True, nogil=True)(function))
        arguments, result = sigutils.normalize_signature(signature)  # type: ignore[no-untyped-call]
        kind = result(*arguments)

        @cache
        def address() -> int:
            made: Any = compiled.get_compile_result(kind)
            found: int = made.library.get_pointer_to_function(made.fndesc.llvm_cfunc_wrapper_name)
            return found

        self.call = compiled
        self.handed = _address_class()(kind, address)


class Callback:
    """A Python function that compiled code can be handed. It takes numbers, and must not raise."""

    handed: Any  # what compiled code gets

    def __init__(self, function: Callable[..., Any], signature: str) -> None:
        if not _compiling():
            self.handed = function
            return
        kind, in_c = _kinds_of(signature)
        self._kept = in_c(function)
        address = ctypes.cast(self._kept, ctypes.c_void_p).value
        self.handed = _address_class()(kind, lambda: address)


@cache
def _kinds_of(signature: str) -> tuple[Any, Any]:
    """The types of a function, in Numba's terms and in those of C."""
    from numba.core import sigutils, types  # noqa: PLC0415

    arguments, result = sigutils.normalize_signature(signature)  # type: ignore[no-untyped-call]
    in_c: dict[Any, Any] = {types.int64: ctypes.c_int64, types.float64: ctypes.c_double, types.none: None}
    return result(*arguments), ctypes.CFUNCTYPE(in_c[result], *(in_c[kind] for kind in arguments))


@cache
def _address_class() -> Any:  # noqa: ANN401 - of Numba
    """Numba's first-class functions at an address, which is looked up when it is first needed."""
    import numba.experimental.function_type  # noqa: F401, PLC0415 - which knows these
    from numba.core import types  # noqa: PLC0415

    class Address(types.WrapperAddressProtocol):
        def __init__(self, kind: Any, find: Callable[[], Any]) -> None:  # noqa: ANN401
            self._kind, self._find = kind, find

        def __wrapper_address__(self) -> int:
            found: int = self._find()
            return found

        def signature(self) -> Any:  # noqa: ANN401
            """The types of the call."""
            return self._kind

    return Address
