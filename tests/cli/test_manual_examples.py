"""What the manual shows of the command line is what it does."""

import json
import re
from pathlib import Path

import pytest

from meshgui.cli.entry import COMMANDS
from meshgui.engine.network.patterns.registry import patterns
from meshgui.engine.network.spec import NetworkSpec
from meshgui.engine.workload.trace import TraceWorkload
from tests.traces import line, trace_text
from tests.transcripts import play

MANUAL = Path(__file__).parents[2] / "resources" / "manual"


def page(name):
    """A page of the manual."""
    return (MANUAL / f"{name}.md").read_text(encoding="utf-8")


def block(language, name, section):
    """The only block of a language in a section of a page."""
    [text] = re.findall(rf"^## {section}\n(.*?)(?=^## |\Z)", page(name), re.DOTALL | re.MULTILINE)
    [found] = re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)
    return found


def lines(text):
    """Without those that are empty."""
    return [line for line in text.splitlines() if line]


def test_every_command_stands_in_the_manual():
    """In the table, one row each at least."""
    table = page("command-line")
    assert all(f"| `meshgui {command} " in table or f"| `meshgui {command}`" in table for command in COMMANDS)


@pytest.mark.parametrize(
    ("name", "section", "file", "language"),
    [
        ("network-time", "Packets alone", "packets.csv", "csv"),
        ("sweeps", "An example", "load.meshgui.json", "json"),
    ],
)
def test_the_manual_s_commands_show_what_stands_there(name, section, file, language):
    """As they stand there, on the file as it stands there: each says and writes what stands below it."""
    script = f"--- file {file}\n{block(language, name, section)}---\n{block('console', name, section)}"
    assert lines(play(script)) == lines(script)


def test_the_manual_s_network_part_has_every_key_and_every_default(tmp_path):
    """But for `pattern` and the file, which have none, explicit packets, and rows in place of the file."""
    [part] = re.findall(r'```json\n"network": (.*?)```', page("network-time"), re.DOTALL)
    spec = NetworkSpec.model_validate(json.loads(part))
    assert spec == NetworkSpec(pattern=spec.pattern)
    assert {*json.loads(part), "path", "packets"} == set(NetworkSpec.model_fields)
    assert all(f"`{name}`" in page("network-time") for name in (*patterns(), "file"))
    [part] = re.findall(r'```json\n"workload": (.*?)```', page("scenarios"), re.DOTALL)
    given = json.loads(part)
    trace = tmp_path / given["path"]
    trace.write_text(trace_text(line()), encoding="utf-8")
    workload = TraceWorkload.model_validate(given | {"path": str(trace)})
    assert workload == TraceWorkload(kind="swf", path=str(trace))
    assert {*given, "jobs", "requested_times", "numbers"} == set(TraceWorkload.model_fields)
