"""The doctor's checks: each finds one thing ok, worth a warning, or a problem that would stop the program."""

from __future__ import annotations

import importlib
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from meshgui.cli.gui_packages import INSTALL, missing_gui_modules
from meshgui.cli.plugin_checks import KINDS, deadly_plugins
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.kernel_cache import cache_fault, kernel_folder, shipped_folder
from meshgui.engine.basics.memory import VARIABLE, MemoryBoundError, in_gigabytes, memory_bound
from meshgui.engine.basics.translation import tr
from meshgui.itself import resource
from meshgui.views.offscreen.probe import OpenGL, ProbeError, probe_apart
from meshgui.views.offscreen.screen import (
    VirtualScreenError,
    has_virtual_screen,
    missing_screen,
    virtual_screen,
)

_PACKAGES = {  # by the module that is imported: the distribution, and the newest version that was tried
    "meshgui": ("meshgui", ""),
    "numpy": ("numpy", "2.5"),
    "numba": ("numba", "0.68"),
    "pydantic": ("pydantic", "2.14"),
    "PySide6": ("PySide6-Essentials", "6.11"),
    "pyqtgraph": ("pyqtgraph", "0.14"),
    "OpenGL": ("PyOpenGL", "3.1"),
}
_PYTHON = "3.13"  # the newest that was tried
_LEAST_OPENGL = (3, 3)


class Health(Enum):
    """How it stands with one thing."""

    OK = "ok"
    WARNING = "warning"
    PROBLEM = "problem"


@dataclass(frozen=True)
class Finding:
    """One thing looked at."""

    what: str
    health: Health
    found: str
    advice: str = ""

    def as_json(self) -> dict[str, str]:
        """The finding as data."""
        return {"what": self.what, "health": self.health.value, "found": self.found, "advice": self.advice}


def versions() -> Iterator[Finding]:
    """Python and the packages the program imports."""
    yield _tried(tr("Python"), sys.version.split()[0], _PYTHON)
    for module, (distribution, tried) in _PACKAGES.items():
        yield _package(module, distribution, tried)


def _tried(what: str, found: str, newest: str) -> Finding:
    """A warning where a version is newer than any that was tried."""
    if _numbers(found) <= _numbers(newest) or not newest:
        return Finding(what, Health.OK, found)
    advice = tr("newer than {newest}, the newest version tested").format(newest=newest)
    return Finding(what, Health.WARNING, found, advice)


def _numbers(version: str) -> tuple[int, ...]:
    """The first two numbers of a version."""
    return tuple(map(int, re.findall(r"\d+", version)[:2]))


def _package(module: str, distribution: str, tried: str) -> Finding:
    if module in missing_gui_modules():
        advice = tr("only the window and pictures need it: {INSTALL}").format(INSTALL=INSTALL)
        return Finding(module, Health.WARNING, tr("not installed"), advice)
    try:
        loaded = importlib.import_module(module)
        if module == "pydantic":
            # All of it: PySide looks into what is imported after it, also while that is half there.
            importlib.import_module("pydantic.fields")
    except Exception as error:  # noqa: BLE001 - any reason why it does not load is the finding
        advice = tr("install it again: python -m pip install --force-reinstall {distribution}").format(
            distribution=distribution
        )
        return Finding(module, Health.PROBLEM, tr("cannot be imported: {error}").format(error=error), advice)
    found = getattr(loaded, "__version__", None) or _installed(distribution)
    if module == "PySide6" and found in {"6.11.0", "6.11.1"}:
        return Finding(
            module, Health.WARNING, found, tr("its docks are lost when floated: use another version")
        )
    return _tried(module, found, tried)


def _installed(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return tr("of unknown version")


def strategies_and_examples() -> Iterator[Finding]:
    """The strategies, also those of other packages, and the scenarios that come with the program."""
    try:
        from meshgui.engine.allocation.registry import strategies  # noqa: PLC0415
        from meshgui.engine.network.patterns.registry import patterns  # noqa: PLC0415
        from meshgui.engine.scenario import ScenarioError, load_scenario  # noqa: PLC0415
        from meshgui.engine.scheduling.registry import disciplines  # noqa: PLC0415
        from meshgui.model.document.examples import examples  # noqa: PLC0415
    except ImportError:  # a package is missing, which is said already
        return
    advice = tr("remove or fix the package that provides it")
    for point, ending in deadly_plugins():
        yield Finding(f"{KINDS[point.group]} {point.name} ({point.value})", Health.PROBLEM, ending, advice)
    yield Finding(tr("strategies"), Health.OK, ", ".join(strategies()))
    yield Finding(tr("disciplines"), Health.OK, ", ".join(disciplines()))
    yield Finding(tr("patterns"), Health.OK, ", ".join(patterns()))
    for kind, plugins in (("strategy", strategies()), ("scheduler", disciplines()), ("pattern", patterns())):
        for name, reason in plugins.unusable:
            yield Finding(f"{kind} {name}", Health.WARNING, reason, advice)
    try:
        yield Finding(
            tr("examples"),
            Health.OK,
            tr("{number} scenarios").format(number=len([load_scenario(path) for path in examples()])),
        )
    except ScenarioError as error:
        yield Finding(tr("examples"), Health.WARNING, str(error), tr("reinstall meshgui"))


def own_plugins() -> Iterator[Finding]:
    """Whether classes of one's own work with the packages here: those that `meshgui new` writes."""
    works = tr("can be checked and run")
    for what, faults_of, well in (
        (tr("a strategy of your own"), _faults_of_a_new_strategy, tr("can be checked, run and stepped")),
        (tr("a discipline of your own"), partial(_faults_of_a_new, "discipline"), works),
        (tr("a pattern of your own"), partial(_faults_of_a_new, "pattern"), works),
    ):
        try:
            faults = faults_of()
        except ImportError:  # a package is missing, which is said already
            return
        except Exception as error:  # noqa: BLE001 - of any kind where a package is other than expected
            faults = [f"{type(error).__name__}: {error}".splitlines()[0]]
        if faults:
            yield Finding(what, Health.PROBLEM, faults[0], tr("install tested versions"))
        else:
            yield Finding(what, Health.OK, well)


def _faults_of_a_new(kind: str) -> list[str]:
    """What small runs find wrong with each property of it."""
    from meshgui.cli.new import module_text  # noqa: PLC0415 - may not import
    from meshgui.plugin_kinds import plugins_in  # noqa: PLC0415 - likewise
    from meshgui.run_conformance import DISCIPLINE_PROPERTIES, PATTERN_PROPERTIES  # noqa: PLC0415 - likewise

    before = [*sys.path]
    owed = DISCIPLINE_PROPERTIES if kind == "discipline" else PATTERN_PROPERTIES
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"doctors_{kind}.py"
        path.write_text(module_text(f"doctors-{kind}", kind=kind), encoding="utf-8")
        try:
            [(_, cls)] = plugins_in(path, kind)
            found = [one.fault(cls) for one in owed]
        finally:
            sys.path[:] = before
    return [fault for fault in found if fault is not None]


def _faults_of_a_new_strategy() -> list[str]:
    """What a short story finds wrong with each property of it."""
    from meshgui.cli.new import module_text  # noqa: PLC0415 - may not import
    from meshgui.conformance import PROPERTIES, failure_of  # noqa: PLC0415 - likewise
    from meshgui.engine.basics.guard import long_calls  # noqa: PLC0415 - likewise
    from meshgui.plugin_kinds import plugins_in  # noqa: PLC0415 - likewise

    before = [*sys.path]
    with tempfile.TemporaryDirectory() as folder, long_calls():
        path = Path(folder) / "doctors_fit.py"
        path.write_text(module_text("doctors-fit"), encoding="utf-8")
        try:
            [(_, cls)] = plugins_in(path, "strategy")
            found = [failure_of(one, cls, stories=1) for one in PROPERTIES]
        finally:
            sys.path[:] = before
    return [failure.found for failure in found if failure is not None]


def kernel_cache() -> Finding:
    """Whether Numba compiles, and finds again on the disk what it has compiled."""
    what, advice = tr("kernel cache"), tr("set NUMBA_CACHE_DIR to a writable folder")
    if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        return Finding(
            what,
            Health.WARNING,
            tr("NUMBA_DISABLE_JIT is set"),
            tr("unset it: without kernels everything is slow"),
        )
    if fault := cache_fault():
        return Finding(
            what,
            Health.PROBLEM,
            fault,
            tr("set NUMBA_CACHE_DIR to a folder that only you can write to"),
        )
    try:
        first, again = (kernel(_add_one) for _ in range(2))
        first(2)
        again(2)
    except Exception as error:  # noqa: BLE001 - Numba's and LLVM's faults are of many kinds
        return Finding(
            what,
            Health.PROBLEM,
            tr("a kernel cannot be compiled: {error}").format(error=error).splitlines()[0],
            advice,
        )
    place = str(kernel_folder())
    if shipped := shipped_folder():
        place += tr(", beside {kernels} kernels that come with the program").format(
            kernels=len(list(shipped.glob("*.nbi")))
        )
    if not again.found_again:
        return Finding(
            what, Health.WARNING, tr("{place}: compiled, but not found again").format(place=place), advice
        )
    return Finding(what, Health.OK, place)


def _add_one(n: int) -> int:
    return n + 1


def folders() -> Iterator[Finding]:
    """The folders the program writes to."""
    for what, folder in _folders().items():
        try:
            with tempfile.TemporaryFile(dir=_nearest_existing(folder)):
                pass
        except OSError as error:
            found = f"{folder}: {(error.strerror or str(error)).lower()}"
            yield Finding(what, Health.WARNING, found, tr("make it writable: nothing can be saved there"))
        else:
            yield Finding(what, Health.OK, str(folder))


def memory() -> Finding:
    """How much memory a run may take, as it is set or by itself."""
    try:
        return Finding(VARIABLE, Health.OK, in_gigabytes(memory_bound()))
    except MemoryBoundError as error:
        return Finding(VARIABLE, Health.PROBLEM, str(error).removeprefix(f"{VARIABLE}: "))


def _folders() -> dict[str, Path]:
    try:
        from PySide6.QtCore import QStandardPaths  # noqa: PLC0415 - may not import
    except ImportError:
        return {tr("temporary files"): Path(tempfile.gettempdir())}
    place = QStandardPaths.StandardLocation
    found = {
        tr("settings folder"): Path(QStandardPaths.writableLocation(place.GenericConfigLocation)),
        tr("cache folder"): Path(QStandardPaths.writableLocation(place.GenericCacheLocation)),
        tr("temporary files"): Path(tempfile.gettempdir()),
    }
    if kernels := os.environ.get("NUMBA_CACHE_DIR"):
        found["NUMBA_CACHE_DIR"] = Path(kernels)
    return found


def _nearest_existing(folder: Path) -> Path:
    """The folder, or the one it would be made in."""
    return next(place for place in (folder, *folder.absolute().parents) if place.exists())


def font_files() -> Finding:
    """The shipped faces as files."""
    folder = resource("fonts")
    names = sorted(item.name for item in folder.iterdir() if item.name.endswith((".otf", ".ttf")))
    if names:
        return Finding(
            tr("font files"), Health.OK, tr("{names} in {folder}").format(names=len(names), folder=folder)
        )
    return Finding(
        tr("font files"),
        Health.PROBLEM,
        tr("none in {folder}").format(folder=folder),
        tr("reinstall meshgui"),
    )


def screen() -> Iterator[Finding]:
    """A screen to open a window on, and OpenGL on it."""
    if missing_gui_modules():
        yield Finding(
            "screen", Health.WARNING, tr("not checked"), tr("no window can be opened; run and sweep work")
        )
        return
    missing = missing_screen()
    if missing is not None:
        draws = (
            tr("with OpenGL, in memory")
            if has_virtual_screen()
            else tr("flat; with Xvfb it would have OpenGL")
        )
        advice = tr("no window can be opened; run works, and render draws ({draws})").format(draws=draws)
        yield Finding("screen", Health.WARNING, missing, advice)
        if has_virtual_screen():
            yield _virtual()
        return
    try:
        report = probe_apart()
    except ProbeError as error:
        advice = tr("install Qt's system libraries (on Debian and Ubuntu: make system)")
        yield Finding(
            "screen", Health.PROBLEM, tr("no window can be opened: {error}").format(error=error), advice
        )
        return
    screens = ", ".join(
        tr("{width}×{height} at {scale:g}").format(width=s["width"], height=s["height"], scale=s["scale"])
        for s in report["screens"]
    )
    yield Finding("screen", Health.OK, f"{screens} ({report['platform']})")
    if len(report["fonts"]) >= 2:
        yield Finding("fonts", Health.OK, ", ".join(report["fonts"]))
    else:
        yield Finding("fonts", Health.WARNING, tr("the bundled fonts are not used"), tr("reinstall meshgui"))
    yield _opengl(report["opengl"])


def _virtual() -> Finding:
    try:
        with virtual_screen(800, 600) as environment:
            found = _opengl(probe_apart(environment)["opengl"])
    except (ProbeError, VirtualScreenError) as error:
        return Finding(tr("virtual screen"), Health.WARNING, str(error), tr("pictures are drawn flat"))
    return Finding(tr("virtual screen"), found.health, found.found, found.advice)


def _opengl(found: OpenGL | None) -> Finding:
    flat = tr("the mesh is drawn flat; install a graphics driver, or Mesa")
    if found is None:
        return Finding(tr("OpenGL"), Health.WARNING, tr("no context could be created"), flat)
    text = f"{found['version']}, {found['renderer']}, {found['vendor']}"
    numbers = found["version"].removeprefix("OpenGL ES ").split(" ")[0].split(".")
    if tuple(int(n) for n in numbers[:2] if n.isdigit()) < _LEAST_OPENGL:
        least = ".".join(map(str, _LEAST_OPENGL))
        return Finding(
            tr("OpenGL"),
            Health.WARNING,
            text,
            tr("expected version {least} or newer: {flat}").format(least=least, flat=flat),
        )
    return Finding(tr("OpenGL"), Health.OK, text)
