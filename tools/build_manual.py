"""Builds the manual as a site: its pages, those of the registries, all commands, and pages of `docs`.

Takes the folder to build in; the site lies in its folder `site`. Every warning is an error.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import notebooks as NOTEBOOKS  # noqa: N812 - beside its list of files

from meshgui.engine.basics.translation import ENGLISH, speaking
from meshgui.model.manual.manual import Chapter, chapters

ROOT: Final = Path(__file__).parent.parent
DOCS: Final = ROOT / "docs"
MANUAL: Final = ROOT / "resources" / "manual"
COMMANDS: Final = ROOT / "tests" / "views" / "window" / "commands.json"
"""All but those of panels; a test holds it to the window's own."""

_BEHIND: Final = {  # pages of `docs` that readers of the manual want, and their titles
    "results": "Published results, all",
    "network-results": "The network's results",
    "strategies": "All strategies in one table",
    "assurance": "How we know",
    "trust": "What MeshGUI trusts",
    "installing": "Packages",
    "house": "The program's rooms",
}
_CSS: Final = """\
.wy-side-nav-search, .wy-nav-top { background: #5b4bc4 }
.wy-menu-vertical header, .wy-menu-vertical p.caption { color: #a79ef0 }
.rst-content code { color: #404040 }
.rst-content a { color: #5b4bc4 }
.wy-nav-content { max-width: 960px }
.wy-table-responsive table td { white-space: normal }
.rst-content img { border: 1px solid #e1e4e5; max-width: 100% }
"""
_TO_MANUAL: Final = re.compile(r"\]\(\.\./resources/manual/")
_TO_HELP: Final = re.compile(r"\[(\w+)\]\(\.\./resources/help/\w+\.md\)")
_CODE: Final = re.compile(r"`[^`]*`")
_OUTSIDE: Final = re.compile(r"\[([^\]]*)\]\((?:\.\./[^)]*|images/results)\)")  # other files of the sources


def write_sources(folder: Path) -> dict[str, Any]:
    """Write all pages and pictures into a folder, and return the site's settings."""
    folder.mkdir(parents=True)
    nav = [_chapter(folder, chapter) for chapter in chapters()]
    (folder / "site.css").write_text(_CSS, encoding="utf-8")
    (folder / "keys.md").write_text(_keys(), encoding="utf-8")
    shutil.copytree(MANUAL / "pictures", folder / "pictures")
    behind = folder / "behind"
    behind.mkdir()
    shutil.copytree(DOCS / "images", behind / "images")
    for name in _BEHIND:
        text = _TO_HELP.sub(r"\1", _TO_MANUAL.sub("](../", (DOCS / f"{name}.md").read_text(encoding="utf-8")))
        kept = re.sub(r"\]\(\.\./([\w-]+\.md[^)]*)\)", r"](\0../\1)", text)
        text = _OUTSIDE.sub(r"\1", kept).replace("](\0", "](")
        (behind / f"{name}.md").write_text(_spaced(text), encoding="utf-8")
    first = nav[0]["Manual"]
    notebooks = [_notebook(folder, path) for path in NOTEBOOKS.notebooks()]
    return {
        "site_name": "MeshGUI",
        "docs_dir": str(folder),
        "site_dir": str(folder.parent / "site"),
        "theme": {"name": "readthedocs", "highlightjs": False},
        "extra_css": ["site.css"],
        "use_directory_urls": False,  # so that the site can be read from a folder, without a server
        "markdown_extensions": ["extra", "sane_lists"],
        "validation": {"links": {"anchors": "warn", "absolute_links": "warn", "unrecognized_links": "warn"}},
        "nav": [
            {"Manual": [*first, {"Commands and keys": "keys.md"}]},
            *nav[1:],
            {"Notebooks": notebooks},
            {"Behind the numbers": [{title: f"behind/{name}.md"} for name, title in _BEHIND.items()]},
        ],
    }


def _chapter(folder: Path, chapter: Chapter) -> dict[str, list[dict[str, str]]]:
    """Write a chapter's pages; returns its place in the contents."""
    for page in chapter.pages:
        file = folder / f"{page.name}.md"
        file.parent.mkdir(exist_ok=True)
        text = page.write()
        picture = DOCS / "images" / f"inspector-{page.name.partition('/')[2]}.png"
        if page.name.startswith("strategies/") and picture.exists():
            shown = f"![The inspector of {page.title}](../behind/images/{picture.name})"
            text = f"{text}\n## In the inspector\n\n{shown}\n"
        file.write_text(_spaced(text), encoding="utf-8")
    return {chapter.title or "Manual": [{page.title: f"{page.name}.md"} for page in chapter.pages]}


def _notebook(folder: Path, path: Path) -> dict[str, str]:
    """Write the page of a notebook; returns its place in the contents."""
    notebook = NOTEBOOKS.read(path)
    name = f"notebooks/{path.stem}.md"
    (folder / "notebooks").mkdir(exist_ok=True)
    (folder / name).write_text(NOTEBOOKS.page(notebook), encoding="utf-8")
    return {NOTEBOOKS.title(notebook): name}


def _spaced(text: str) -> str:
    """Markdown with an empty line before each list and table, as the site's dialect asks for.

    In the code of a cell it takes a bar as it is, and would show a backslash before it.
    """
    lines: list[str] = []
    code = False
    for line in text.splitlines():
        before = lines[-1] if lines else ""
        code ^= line.startswith("```")
        begins = (
            line.startswith(("- ", "| ", "1. ")) and before and not before.startswith(("- ", "|", " ", "1"))
        )
        if begins and not code:
            lines.append("")
        is_row = line.startswith("|") and not code
        lines.append(_CODE.sub(lambda words: words[0].replace("\\|", "|"), line) if is_row else line)
    return "\n".join(lines) + "\n"


def _keys() -> str:
    """A page of all commands of the window, menu by menu."""
    parts = ["# Commands and keys", "Every command is in a menu, in the palette (`Ctrl+K`), and on a key."]
    menus: dict[str, list[str]] = {}
    commands = json.loads(COMMANDS.read_text(encoding="utf-8"))
    rows = [(title, help_, group, keys) for _, title, help_, group, keys, _ in commands]
    at = next(place for place, (_, _, group, _) in enumerate(rows) if group == "Panels")
    for title, help_, group, keys in (*rows[:at], *_panels(), *rows[at:]):
        named = " ".join(f"`{key}`" for key in keys)
        menus.setdefault(group.replace("/", ": "), []).append(f"| {title} | {named} | {help_} |")
    for menu, rows in menus.items():
        parts += [f"## {menu}", "| command | keys | what it does |\n|---|---|---|\n" + "\n".join(rows)]
    return "\n\n".join(parts) + "\n"


def _panels() -> list[tuple[str, str, str, tuple[str, ...]]]:
    """The rows of the commands that show panels, from the records of these."""
    from meshgui.views.window.panels import PANELS

    return [
        (f"{spec.title} panel", spec.sentence.rstrip("."), "Panels", spec.keys)
        for spec in PANELS
        if spec.icon
    ]


def main(build: Path) -> int:
    """Build the site again."""
    build.mkdir(parents=True, exist_ok=True)
    for old in ("pages", "site"):
        shutil.rmtree(build / old, ignore_errors=True)
    settings = build / "mkdocs.yml"  # JSON is YAML as well
    with speaking(ENGLISH):  # whatever the builder's own language: links go by English headings
        site = write_sources((build / "pages").resolve())
    settings.write_text(json.dumps(site, indent=1), encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", str(settings)], check=False
    ).returncode


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
