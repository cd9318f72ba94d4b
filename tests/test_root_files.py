"""What CONTRIBUTING, the glossary, the changelog and the citation say is so."""

import re
from pathlib import Path

import meshgui
from tests.sources import SOURCES

ROOT = Path(__file__).parents[1]


def text(*parts):
    """A file of the project."""
    return ROOT.joinpath(*parts).read_text(encoding="utf-8")


def test_every_environment_variable_is_listed_and_files_and_targets_of_the_checklists_exist():
    """CONTRIBUTING names those that are read, and no others; its paths and targets are there."""
    files = [
        *SOURCES,
        *ROOT.glob("tests/**/*.py"),
        *(path for path in ROOT.glob("tools/*") if path.is_file()),
        ROOT / "Makefile",
        ROOT / ".ci" / "run",
    ]
    files += [path for path in (ROOT / "packaging").iterdir() if path.is_file()]
    read = {name for path in files for name in re.findall(r"MESHGUI_[A-Z_]*[A-Z]", path.read_text("utf-8"))}
    listed = re.findall(r"^\| `(MESHGUI_\w+)` \|", text("CONTRIBUTING.md"), re.MULTILINE)
    assert sorted(listed) == sorted(read)
    page, makefile = text("CONTRIBUTING.md"), text("Makefile")
    paths = re.findall(r"(?:`|\]\()((?:meshgui|tests|docs|packaging|\.github|\.ci)/[\w/.-]+)", page)
    assert [path for path in paths if "NAME" not in path and not (ROOT / path).exists()] == []
    targets = set(re.findall(r"(?:`|^)make ([a-z][a-z-]*)", page, re.MULTILINE))
    assert len(targets) > 5
    assert [name for name in targets if not re.search(rf"^{name}:", makefile, re.MULTILINE)] == []


def test_the_glossary_has_words_that_are_used():
    """Each stands there once, and somewhere in the code or on a page of help."""
    words = re.findall(
        r"^\| \*\*([\w -]+)\*\* \|", text("meshgui", "resources", "manual", "glossary.md"), re.MULTILINE
    )
    assert len(words) == len(set(words)) > 60
    resources = ROOT / "meshgui" / "resources"
    pages = [*SOURCES, *(resources / "help").glob("*.md"), resources / "manual" / "network-time.md"]
    used = "\n".join(path.read_text(encoding="utf-8") for path in pages).lower()
    assert [word for word in words if word not in used] == []


def test_the_version_is_the_same_everywhere():
    """The changelog, the citation and the installer for Windows name the version of the package."""
    assert f"## [{meshgui.__version__}]" in text("CHANGELOG.md")
    assert f"version: {meshgui.__version__}\n" in text("CITATION.cff")
    assert f'#define Version "{meshgui.__version__}"' in text("packaging", "windows", "meshgui.iss")
