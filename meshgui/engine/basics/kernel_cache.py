"""Keeps compiled kernels on the disk by what they do, and looks first among those that come with the program.

Numba knows a cached kernel by its file's time and size, so an edit of a helper in another file silently keeps
the old machine code. Here a kernel lies under its fingerprint, in one folder for all versions and checkouts.

A packaged program brings its kernels compiled for the plainest processor of its kind, which every newer one
and every older one runs: these are taken whatever the processor is. Others are compiled for the processor at
hand, and kept if there is a folder to keep them in. What is kept is run as it is found, so neither a folder
nor a file of it is read that others could have written.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FunctionType
from typing import Any, cast

from meshgui.engine.basics.kernel_counts import counts
from meshgui.engine.basics.kernel_fingerprint import fingerprint, signature_text
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.trusted_place import file_fault, folder_fault
from meshgui.itself import resource

Function = Callable[..., Any]

_PLAIN = ("generic", "")  # the processor and its features for which kernels are shipped, in LLVM's terms


_ours: set[Function] = set()


def kernel_folder() -> Path:
    """Where kernels are kept: NUMBA_CACHE_DIR, or a folder among the user's caches."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        caches = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        caches = Path.home() / "Library" / "Caches"
    else:
        caches = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(caches) / "meshgui" / "kernels"


def make_kernel_folder() -> None:
    """Make the folder where kernels are kept, for others to read at most."""
    kernel_folder().mkdir(mode=0o755, parents=True, exist_ok=True)


def cache_fault() -> str:
    """Why kernels are neither read from their folder nor kept there, in a sentence; empty where they are."""
    fault = folder_fault(kernel_folder())
    return fault and tr(
        "{fault}: kernels are neither read from there nor kept, so each start compiles them"
    ).format(fault=fault)


def shipped_folder() -> Path | None:
    """The kernels that come with the program, where some do."""
    folder = resource("kernels")
    return folder if folder.is_dir() else None


def keep_by_content(function: Function) -> None:
    """Have Numba keep this function's machine code under its fingerprint; foreign ones stay as before."""
    if not _ours:
        _teach_numba()
    _ours.add(function)


class _ByContent:
    """Tells Numba where a kernel is kept, with its fingerprint in the names of its files."""

    def __init__(self, key: str) -> None:
        self._key = key

    @classmethod
    def from_function(cls, function: Function, file: str) -> _ByContent | None:
        del file
        return cls(fingerprint(cast("FunctionType", function))) if function in _ours else None

    def get_cache_path(self) -> str:
        return os.path.realpath(kernel_folder())  # no link is followed after it was looked at

    def ensure_cache_path(self) -> None:
        make_kernel_folder()

    def get_source_stamp(self) -> str:
        return self._key

    def get_disambiguator(self) -> str:
        return self._key


def _teach_numba() -> None:
    """Replace what Numba does to load and save a cached function, for our own functions alone."""
    from numba.core.caching import FunctionCache, IndexDataCacheFile  # noqa: PLC0415 - costs half a second

    numba: Any = FunctionCache
    load_standard, save_standard = numba._load_overload, numba._save_overload  # noqa: SLF001
    key_standard = numba._index_key  # noqa: SLF001
    numba._impl_class._locator_classes.insert(0, _ByContent)  # noqa: SLF001
    shipped = shipped_folder()
    _guard_files(IndexDataCacheFile, shipped)

    def load(cache: Any, types: Any, target: Any) -> object:  # noqa: ANN401 - of Numba
        if cache._py_func not in _ours:  # noqa: SLF001
            return load_standard(cache, types, target)
        found = None if shipped is None else load_shipped(cache, types, target)
        if found is not None:
            counts.shipped += 1
            return found
        with suppress(OSError):  # a folder that may not be read
            found = load_standard(cache, types, target)
        if found is not None and _is_for(found, types):
            counts.kept += 1
            return found
        counts.compiled += 1
        return None

    def load_shipped(cache: Any, types: Any, target: Any) -> object:  # noqa: ANN401 - of Numba
        impl = cache._impl  # noqa: SLF001
        file = IndexDataCacheFile(shipped, impl.filename_base, impl.locator.get_source_stamp())  # type: ignore[no-untyped-call]
        triple = target.codegen().magic_tuple()[0]
        data = file.load((signature_text(types), (triple, *_PLAIN)))  # type: ignore[no-untyped-call]
        return None if data is None else impl.rebuild(target, data)

    def save(cache: Any, types: Any, data: Any) -> None:  # noqa: ANN401 - of Numba
        if cache._py_func not in _ours:  # noqa: SLF001
            save_standard(cache, types, data)
            return
        if cache_fault():
            return
        with suppress(OSError):  # read-only or full: the kernel is there all the same, for this once
            save_standard(cache, types, data)

    def key(cache: Any, types: Any, codegen: Any) -> object:  # noqa: ANN401 - of Numba
        if cache._py_func not in _ours:  # noqa: SLF001
            return key_standard(cache, types, codegen)
        return signature_text(types), codegen.magic_tuple()

    numba._load_overload, numba._save_overload, numba._index_key = load, save, key  # noqa: SLF001


def _is_for(found: Any, types: Any) -> bool:  # noqa: ANN401 - of Numba
    """Whether a kernel was compiled for these types: two processes may give one file to two of them."""
    if not isinstance(types, tuple):
        return True
    args = found.signature.args
    return signature_text(args) == signature_text(types) and all(map(_has_its_classes, args, types))


def _has_its_classes(kept: Any, wanted: Any) -> bool:  # noqa: ANN401 - types of Numba
    """Whether named tuples are of the very classes: those of a notebook are others in each process."""
    cls = getattr(wanted, "instance_class", None)
    if cls is None:
        return True
    parts = zip(getattr(kept, "types", ()), getattr(wanted, "types", ()), strict=True)
    return kept.instance_class is cls and all(_has_its_classes(*pair) for pair in parts)


def _guard_files(kept: Any, shipped: Path | None) -> None:  # noqa: ANN401 - a class of Numba
    """Have Numba read no index and no machine code that others could have written: both are pickles.

    Also none of foreign kernels. Who may write beside a source, or into the program, may change that, too.
    """
    index_standard, data_standard = kept._load_index, kept._load_data  # noqa: SLF001

    def is_sound(file: Any, path: str) -> bool:  # noqa: ANN401 - of Numba
        folder = Path(file._cache_path)  # noqa: SLF001
        beside_source = folder.name == "__pycache__" or folder == shipped
        return beside_source or not (folder_fault(folder) or file_fault(Path(path)))

    def load_index(file: Any) -> object:  # noqa: ANN401 - of Numba
        return index_standard(file) if is_sound(file, file._index_path) else {}  # noqa: SLF001

    def load_data(file: Any, name: str) -> object:  # noqa: ANN401 - of Numba
        if not is_sound(file, file._data_path(name)):  # noqa: SLF001
            raise FileNotFoundError(name)
        return data_standard(file, name)

    kept._load_index, kept._load_data = load_index, load_data  # noqa: SLF001
