"""What the manual shows of the command line is what it does."""

import json
import re
from pathlib import Path

from meshgui.cli.entry import COMMANDS
from meshgui.engine.network.patterns.registry import patterns
from meshgui.engine.network.spec import NetworkSpec
from meshgui.engine.workload.trace import TraceWorkload
from tests.traces import line, trace_text

MANUAL = Path(__file__).parents[2] / "meshgui" / "resources" / "manual"


def page(name):
    """A page of the manual."""
    return (MANUAL / f"{name}.md").read_text(encoding="utf-8")


def block(language, name, section):
    """The only block of a language in a section of a page."""
    [text] = re.findall(rf"^## {section}\n(.*?)(?=^## |\Z)", page(name), re.DOTALL | re.MULTILINE)
    [found] = re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)
    return found


def session(name, section):
    """Commands and what they show, in turn."""
    return re.split(r"^\$ (.*)\n", block("console", name, section), flags=re.MULTILINE)[1:]


def test_every_command_stands_in_the_manual():
    """In the table, one row each at least."""
    table = page("command-line")
    assert all(f"| `meshgui {command} " in table or f"| `meshgui {command}`" in table for command in COMMANDS)


def test_the_manual_s_packets_fare_as_it_says(here, tmp_path, monkeypatch):
    """The command as it stands there, on the file as it stands there, says and writes what stands there."""
    monkeypatch.chdir(tmp_path)
    Path("packets.csv").write_text(block("csv", "network-time", "Packets alone"), encoding="utf-8")
    first, shown, second, written, *_ = session("network-time", "Packets alone")
    done = here(*first.removeprefix("meshgui ").split())
    assert (done.returncode, done.stdout, done.stderr) == (0, shown, "")
    assert second == "cat arrivals.csv"
    assert Path("arrivals.csv").read_text(encoding="utf-8") == written


def test_the_manual_s_sweep_comes_to_what_it_says(here, tmp_path, monkeypatch):
    """The scenario and both commands as they stand there: the table, and every number the same again."""
    monkeypatch.chdir(tmp_path)
    Path("load.meshgui.json").write_text(block("json", "sweeps", "An example"), encoding="utf-8")
    first, table, second, verdict = session("sweeps", "An example")
    for command, shown in ((first, table), (second, verdict)):
        done = here(*command.removeprefix("meshgui ").split())
        assert (done.returncode, done.stdout, done.stderr) == (0, shown, "")


def test_the_manual_s_network_part_has_every_key_and_every_default():
    """But for `pattern`, which has none, and those of explicit packets; every pattern is named beside it."""
    [part] = re.findall(r'```json\n"network": (.*?)```', page("network-time"), re.DOTALL)
    spec = NetworkSpec.model_validate(json.loads(part))
    assert spec == NetworkSpec(pattern=spec.pattern)
    assert {*json.loads(part), "path", "packets"} == set(NetworkSpec.model_fields)
    assert all(f"`{name}`" in page("network-time") for name in (*patterns(), "file"))


def test_the_manual_s_trace_has_every_key_and_every_default(tmp_path):
    """But for the file, which has none, and the rows that may take its place."""
    [part] = re.findall(r'```json\n"workload": (.*?)```', page("scenarios"), re.DOTALL)
    given = json.loads(part)
    trace = tmp_path / given["path"]
    trace.write_text(trace_text(line()), encoding="utf-8")
    workload = TraceWorkload.model_validate(given | {"path": str(trace)})
    assert workload == TraceWorkload(kind="swf", path=str(trace))
    assert {*given, "jobs"} == set(TraceWorkload.model_fields)
