"""What a desktop reads of the installed program: its entry, file type, icons, metainfo and manual page."""

import configparser
import importlib.util
import os
import plistlib
import shutil
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from meshgui.cli.entry import COMMANDS
from meshgui.itself import resource
from meshgui.model.document.document import SUFFIX
from tests.processes import completed

PACKAGING = Path(__file__).parent.parent / "packaging"
DESKTOP = PACKAGING / "desktop"
MIME = "application/x-meshgui-scenario+json"


@pytest.fixture
def entry() -> configparser.SectionProxy:
    """The desktop entry."""
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str
    parser.read(DESKTOP / "meshgui.desktop", encoding="utf-8")
    return parser["Desktop Entry"]


@pytest.fixture(scope="module")
def manual() -> str:
    """The manual page."""
    place = importlib.util.spec_from_file_location("write_man_page", PACKAGING / "write_man_page.py")
    module = importlib.util.module_from_spec(place)
    place.loader.exec_module(module)
    return module.page()


def test_entry_file_type_and_metainfo_belong_together(entry):
    """Several files and links at once, by the ending that the program gives; one summary."""
    assert entry["Exec"] == "meshgui %U"
    assert set(entry["MimeType"].split(";")) == {MIME, "x-scheme-handler/meshgui", ""}
    kind = ET.parse(DESKTOP / "meshgui.xml").getroot()[0]  # noqa: S314 - our own file
    spaces = {"m": "http://www.freedesktop.org/standards/shared-mime-info"}
    assert kind.get("type") == MIME
    assert kind.find("m:glob", spaces).get("pattern") == f"*{SUFFIX}"
    assert kind.find("m:icon", spaces).get("name") == MIME.replace("/", "-")
    root = ET.parse(DESKTOP / "org.meshgui.MeshGUI.metainfo.xml.in").getroot()  # noqa: S314 - our own file
    assert root.findtext("launchable") == "meshgui.desktop"
    assert root.findtext("summary") == entry["Comment"]
    assert root.findtext("provides/mediatype") == MIME


def test_the_validators_find_nothing(tmp_path):
    """Those of the desktop itself."""
    text = (DESKTOP / "org.meshgui.MeshGUI.metainfo.xml.in").read_text(encoding="utf-8")
    metainfo = tmp_path / "org.meshgui.MeshGUI.metainfo.xml"
    metainfo.write_text(text.replace("@VERSION@", "1.0").replace("@DATE@", "2026-01-01"), encoding="utf-8")
    for program, *words in (
        ("desktop-file-validate", DESKTOP / "meshgui.desktop"),
        ("appstreamcli", "validate", "--no-net", metainfo),
    ):
        if not shutil.which(program):
            pytest.skip(f"{program} is not installed")
        done = completed(program, *words)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "error" not in done.stdout


@pytest.mark.skipif(os.name == "nt", reason="bash")
def test_the_scripts_are_sound_to_bash():
    """Those without an ending are scripts for it."""
    for file in PACKAGING.rglob("*"):
        if file.is_file() and file.read_bytes().startswith(b"#!/usr/bin/env bash"):
            assert os.access(file, os.X_OK), file
            subprocess.run(["bash", "-n", file], check=True, timeout=60)


def test_the_manual_page_has_every_command_and_option(manual):
    """As their help has them, and no line that roff would take for a request of its own."""
    for name, does in COMMANDS.items():
        assert f".SS meshgui {name}".replace("-", "\\-") in manual
        assert does[1:].replace("-", "\\-") in manual
    assert "\\-\\-precision P" in manual
    assert "quietly" not in manual
    known = {".TH", ".SH", ".SS", ".TP", ".B", ".I", ".br"}
    assert {line.split(" ")[0] for line in manual.splitlines() if line.startswith((".", "'"))} <= known


def test_both_icons_are_drawings_of_one_size():
    """The program's and that of its files; what a machine can read of the others is sound."""
    for file in (resource("program-icon.svg"), DESKTOP / "document-icon.svg"):
        assert ET.parse(file).getroot().get("viewBox") == "0 0 256 256"  # noqa: S314 - our own file
    files = [*(PACKAGING / "windows").iterdir(), *(PACKAGING / "macos").iterdir()]
    assert len(files) == 3
    assert all("UNTRIED" in file.read_text(encoding="utf-8") for file in files)
    properties = plistlib.loads((PACKAGING / "macos" / "Info.plist.in").read_bytes())
    assert properties["CFBundleURLTypes"][0]["CFBundleURLSchemes"] == ["meshgui"]
