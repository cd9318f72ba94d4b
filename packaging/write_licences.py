"""Writes which parts a package holds, and their licences: `write_licences.py BUNDLE [PACKAGE …]` or `FILE`.

A bundle gets a folder `licences` with the texts and an index, and in it `sbom.cdx.json`, the list of parts in
the form of CycloneDX 1.5; a wheel or an sdist, which hold only what is ours, get the list beside them. Runs
in the environment that the bundle was made of, on a system with dpkg: the libraries that PyInstaller took
from the system are named by their Debian packages. Further packages are named where a program was linked
with them.
"""

from __future__ import annotations

import json
import platform
import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import Final, NamedTuple

import llvmlite.binding
from packaging.requirements import Requirement

HERE: Final = Path(__file__).resolve().parent
ROOT: Final = HERE.parent
TEXTS: Final = HERE / "licences"  # of packages that do not bring them
LGPL: Final = (TEXTS / "LGPL-3.0.txt", TEXTS / "GPL-3.0.txt")
RESOURCES: Final = ROOT / "resources"
SEE_TEXT: Final = "see its text"
UNSTATED: Final = {"numba": "BSD-2-Clause", "pyopengl": "BSD-3-Clause", "colorama": "BSD-3-Clause"}
NOTE: Final = """\
# Licences

MeshGUI is MIT. It comes with the parts below, each under its own licence; their texts lie in this folder.

Qt, PySide6 and Shiboken are used under the LGPL, version 3. They lie in `_internal/PySide6` and
`_internal/shiboken6` as shared libraries, which may be replaced by others of the same interface. Their
sources are those of the versions below, as the Qt Project publishes them, with the notices of what Qt itself
brings along: https://doc.qt.io/qt-6/licenses-used-in-qt.html.

| part | version | licence | text |
|---|---|---|---|
"""


class Part(NamedTuple):
    """Something that comes with the program."""

    name: str
    version: str
    licence: str
    texts: tuple[Path, ...]
    purl: str = ""  # its name as package tools write it


def parts_of(bundle: Path, linked: Iterable[str]) -> list[Part]:
    """All that is in the bundle: ours, packages of Python, and libraries of the system."""
    system = {*_packages_in(bundle), *linked}
    found = [*_own(), *_around_python(), *map(_of_distribution, _needed()), *map(_of_debian, sorted(system))]
    bare = [part.name for part in found if not part.texts or not all(map(Path.is_file, part.texts))]
    if bare:
        raise SystemExit(f"write_licences: no licence text of {', '.join(bare)}")
    return found


def _own() -> Iterator[Part]:
    version = distribution("meshgui").version
    yield Part("MeshGUI", version, "MIT", (ROOT / "LICENSE",), f"pkg:pypi/meshgui@{version}")
    for path in sorted((RESOURCES / "fonts").glob("*-OFL.txt")):
        yield Part(path.name.removesuffix("-OFL.txt"), version, "OFL-1.1", (path,))
    yield Part("Lucide icons", version, "ISC", (RESOURCES / "icons" / "LICENSE",))


def _around_python() -> Iterator[Part]:
    """Python itself, what starts it, and what lies within packages that have another name."""
    library = Path(sysconfig.get_path("stdlib"))
    text = next(path for path in (library / "LICENSE.txt", *_python_of_debian()) if path.is_file())
    yield Part("Python", platform.python_version(), "PSF-2.0", (text,))
    starter = distribution("pyinstaller")
    exception = "GPL-2.0-or-later WITH Bootloader-exception"
    yield Part("PyInstaller bootloader", starter.version, exception, _texts(starter), _purl(starter))
    llvm = ".".join(map(str, llvmlite.binding.llvm_version_info))
    texts = tuple(path for path in _texts(distribution("llvmlite")) if "thirdparty" in path.name)
    yield Part("LLVM", llvm, "Apache-2.0 WITH LLVM-exception", texts)
    yield Part("Qt", distribution("PySide6-Essentials").version, "LGPL-3.0-only", LGPL)
    yield Part("ICU, in Qt", "73", SEE_TEXT, (TEXTS / "ICU.txt",))


def _python_of_debian() -> Iterator[Path]:
    yield Path(f"/usr/share/doc/python{sys.version_info.major}.{sys.version_info.minor}/copyright")


def _needed() -> list[Distribution]:
    """What `meshgui[gui]` needs on this machine, directly and through others."""
    found: dict[str, Distribution] = {}
    todo = [Requirement("meshgui[gui]")]
    while todo:
        wanted = todo.pop()
        package = distribution(wanted.name)
        found[package.name.lower()] = package
        for line in package.requires or ():
            requirement = Requirement(line)
            extras = wanted.extras or {""}
            if requirement.name.lower() in found:
                continue
            if requirement.marker is None or any(
                requirement.marker.evaluate({"extra": each}) for each in extras
            ):
                todo.append(requirement)
    del found["meshgui"]
    return [found[name] for name in sorted(found)]


def _of_distribution(package: Distribution) -> Part:
    name = package.name.lower().replace("_", "-")
    stated = package.metadata["License-Expression"] or package.metadata["License"] or ""
    licence = UNSTATED.get(name, stated)
    own = LGPL if licence.startswith("LGPL-3.0-only") else _texts(package) or (TEXTS / f"{package.name}.txt",)
    return Part(package.name, package.version, licence.partition(" OR ")[0], own, _purl(package))


def _texts(package: Distribution) -> tuple[Path, ...]:
    """The licence files that a package brings."""
    wanted = re.compile(r"\.dist-info/(licenses/)?(LICEN[SC]E|COPYING|NOTICE)[^/]*$", re.IGNORECASE)
    files = [file for file in package.files or () if wanted.search(str(file))]
    return tuple(Path(str(file.locate())) for file in files)


def _purl(package: Distribution) -> str:
    return f"pkg:pypi/{package.name.lower().replace('_', '-')}@{package.version}"


def _packages_in(bundle: Path) -> Iterator[str]:
    """The Debian packages of the libraries that lie beside Python's own."""
    for library in (bundle / "_internal").glob("lib*.so*"):
        if library.is_symlink() or library.name.startswith("libpython"):
            continue  # into a package of Python; Python itself
        package = _dpkg("--search", f"*/{library.name}").partition(":")[0]
        if not package:
            raise SystemExit(f"write_licences: no package owns {library.name}")
        yield package


def _of_debian(package: str) -> Part:
    version = _dpkg("--show", "--showformat=${Version}", package)
    text = Path("/usr/share/doc") / package / "copyright"
    return Part(package, version, SEE_TEXT, (text,), f"pkg:deb/debian/{package}@{version}")


def _dpkg(*arguments: str) -> str:
    """What dpkg-query answers; nothing where it finds nothing."""
    done = subprocess.run(["dpkg-query", *arguments], check=False, capture_output=True, text=True)  # noqa: S607
    return done.stdout.strip()


def write_texts(folder: Path, found: list[Part]) -> None:
    """The texts of all parts, and their index."""
    folder.mkdir(exist_ok=True)
    rows = []
    for part in found:
        texts = {
            f"{part.name.replace(' ', '-')}-{path.name.removesuffix('.txt')}.txt": path for path in part.texts
        }
        for name, path in texts.items():
            (folder / name).write_bytes(path.read_bytes())
        rows.append(f"| {part.name} | {part.version} | {part.licence} | {', '.join(texts)} |\n")
    (folder / "README.md").write_text(NOTE + "".join(rows), encoding="utf-8")


def write_list(file: Path, found: list[Part]) -> None:
    """The parts in CycloneDX's form; the first is the program itself."""
    contents = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": _component(found[0], "application")},
        "components": [_component(part, "library") for part in found[1:]],
    }
    file.write_text(json.dumps(contents, indent=1) + "\n", encoding="utf-8")


def _component(part: Part, kind: str) -> dict[str, object]:
    licence = (
        {"license": {"name": part.licence}} if part.licence == SEE_TEXT else {"expression": part.licence}
    )
    about = {"type": kind, "name": part.name, "version": part.version, "licenses": [licence]}
    return about | ({"purl": part.purl, "bom-ref": part.purl} if part.purl else {})


if __name__ == "__main__":
    place = Path(sys.argv[1])
    if place.suffix in {".whl", ".gz"}:
        listed = list(_own())
        write_list(place.with_name(f"{place.name}.cdx.json"), listed)
    else:
        listed = parts_of(place, sys.argv[2:])
        write_texts(place / "licences", listed)
        write_list(place / "licences" / "sbom.cdx.json", listed)
    sys.stdout.write(f"{place}: {len(listed)} parts, with their licences\n")
