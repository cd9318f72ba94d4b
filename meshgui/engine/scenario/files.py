"""Reads and writes scenario files, with every fault in one line that says where and what was expected."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from pydantic import ValidationError

from meshgui.engine.basics.files import is_elsewhere, os_fault, read_input, whole_file
from meshgui.engine.basics.garbage import growing
from meshgui.engine.basics.guard import StrategyError
from meshgui.engine.basics.json_text import JsonError, Pairs, no_key_twice, read_json
from meshgui.engine.basics.limits import MAX_PACKETS, MAX_SCENARIO
from meshgui.engine.basics.parts import Complaint, FieldPath, complaints_of, printable
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import legible, shortened
from meshgui.engine.basics.work import Progress, Work
from meshgui.engine.network.packet_files import PacketFileError, line_of, read_packets
from meshgui.engine.scenario.models import Scenario
from meshgui.engine.scenario.slices import SLICE, long_lists, scenario_text
from meshgui.engine.workload.trace import TraceWorkload

_PACKET_FILE: Final = ("network", "path")
_BETWEEN_REPORTS: Final = 128  # objects, a millisecond or two
VIEW: Final = "view"
"""The key under which a file keeps what a window shows of the scenario; no run depends on it."""


class ScenarioError(Exception):
    """A scenario that cannot be used: one line that names the file, the field and what was expected.

    `path` leads to the field in the document; it is None where the file as a whole is at fault. `further` are
    the faults found with this one.
    """

    def __init__(
        self, message: str, path: FieldPath | None = None, file: str = "", further: Sequence[Complaint] = ()
    ) -> None:
        self.further = tuple(further)
        self.message, self.path, self.file = legible(printable(message)), path, file
        keys = [shortened(str(key)) for key in path or ()]
        whole = "scenario"  # untranslated: as a key of the file
        self.field = "" if path is None else ".".join(keys).strip(".") or whole
        super().__init__(legible(printable(": ".join(part for part in (file, self.field, message) if part))))


class ScenarioFile(NamedTuple):
    """What a file holds: a scenario, and what a window shows of it, which may be nothing."""

    scenario: Scenario
    view: dict[str, Any]


def parse_file(text: str, name: str = "scenario") -> ScenarioFile:
    """A scenario and what a window shows of it from JSON text."""
    return _from_text(text, name, None)


class _Reading(Work):
    """How far a text is read: its objects are met as they are parsed, and again as they are checked."""

    def __init__(self, text: str, name: str) -> None:
        super().__init__(self.step)
        self._name, self._done, self._all = Path(name).name, 0, 2 * text.count("{")

    def object(self, pairs: Pairs) -> dict[str, Any]:
        """An object that has been parsed."""
        self.step()
        return no_key_twice(pairs)

    def step(self, _: Progress | None = None) -> None:
        """Let who follows the reading hear of it."""
        self._done += 1
        if self._done % _BETWEEN_REPORTS == 0:
            self.report(self._done, self._all, self._name)

    def report(self, done: float, of: float, words: str = "") -> None:
        """Report to the work of which this is a part, also what is read of other files."""
        if self._around is not None:
            self._around.report(done, of, words)


def _from_text(text: str, name: str, folder: Path | None) -> ScenarioFile:
    reading = _Reading(text, name)
    with growing(), reading.under_way():
        return _from_read(text, name, folder, reading)


def _from_read(text: str, name: str, folder: Path | None, reading: _Reading) -> ScenarioFile:
    try:
        data = read_json(text, reading.object)
    except JsonError as error:
        raise ScenarioError(str(error), file=name) from None
    if (half := _lone_surrogate(text, data)) is not None:
        said = tr("expected Unicode text, got {half} without its other half")
        raise ScenarioError(said.format(half=half), file=name)
    if not isinstance(data, dict):
        raise ScenarioError(tr("expected a JSON object, got {kind}").format(kind=_kind(data)), file=name)
    refuse_elsewhere(data, name, folder)
    packet_file = None if folder is None else _take_in_packets(data, name, folder)
    if folder is not None:
        _find_trace(data, folder)
    try:
        return ScenarioFile(scenario_from(data, name), data.get(VIEW) or {})
    except ScenarioError as error:
        if packet_file is None:
            raise
        raise _at_its_line(error, packet_file) from None


def _at_its_line(error: ScenarioError, packet_file: Path) -> ScenarioError:
    """The complaint about a packet that a file named, at its line there."""
    match error.path:
        case ("network", "packets", int(packet)):
            where = tr("{packet_file}: line {line_of}").format(
                packet_file=packet_file, line_of=line_of(packet_file, packet)
            )
            return ScenarioError(f"{where}: {error.message}", _PACKET_FILE, error.file)
    return error


def _take_in_packets(data: dict[str, Any], name: str, folder: Path) -> Path | None:
    """Put the packets of a file in its place, so that the scenario is whole by itself; the file, if any."""
    network = data.get("network")
    if not isinstance(network, dict) or network.get("pattern") != "file":
        return None
    path = network.get("path")
    if not isinstance(path, str):
        return None
    if network.get("packets"):
        raise ScenarioError(tr("expected this or packets, got both"), _PACKET_FILE, name)
    try:
        rows = read_packets(folder / path, most=MAX_PACKETS)
    except (PacketFileError, ValueError) as error:
        raise ScenarioError(str(error), _PACKET_FILE, name) from None
    data["network"] = {key: value for key, value in network.items() if key != "path"} | {
        "packets": rows.tolist()
    }
    return folder / path


def refuse_elsewhere(data: Mapping[str, Any], name: str, folder: Path | None = None) -> None:
    """Refuse a scenario of a stranger whose trace or packets lie on another machine, but for its own."""
    for part in ("workload", "network"):
        found = data.get(part)
        path = found.get("path") if isinstance(found, dict) else None
        if isinstance(path, str) and is_elsewhere(path, folder):
            said = tr("expected a file of this machine, got {path}")
            raise ScenarioError(said.format(path=shortened(path)), (part, "path"), name)


def _find_trace(data: dict[str, Any], folder: Path) -> None:
    """Say where a trace lies that is named as seen from the scenario's folder."""
    workload = data.get("workload")
    if not isinstance(workload, dict) or workload.get("kind") != "swf":
        return
    path = workload.get("path")
    if isinstance(path, str) and path:
        data["workload"] = workload | {"path": str((folder / path).absolute())}


def files_named(path: Path) -> list[Path]:
    """The files that a scenario's file names, a trace or packets; none where it has faults."""
    if not path.is_file():  # a pipe can be read once
        return []
    try:
        data = json.loads(path.read_text("utf-8"))
        workload, network = data.get("workload") or {}, data.get("network") or {}
        named = [workload.get("path"), network.get("path")]
    except (OSError, ValueError, AttributeError, RecursionError):
        return []
    return [path.parent / name for name in named if isinstance(name, str) and name]


def scenario_from(data: dict[str, Any], name: str = "scenario") -> Scenario:
    """A scenario from plain data."""
    if "meshgui" not in data or isinstance(data["meshgui"], bool):
        raise ScenarioError(tr('expected the format version, "meshgui": 1'), ("meshgui",), name)
    if not isinstance(data.get(VIEW, {}), dict):
        said = tr("expected an object, got {kind}")
        raise ScenarioError(said.format(kind=_kind(data[VIEW])), (VIEW,), name)
    try:
        return Scenario.model_validate({key: value for key, value in data.items() if key != VIEW})
    except ValidationError as error:
        complaint, *further = complaints_of(error, data)
        raise ScenarioError(complaint.message, complaint.path, name, further) from None
    except StrategyError as error:
        raise ScenarioError(str(error), ("allocator", "name"), name) from None


def load_scenario(path: Path) -> Scenario:
    """A scenario from a file."""
    return load_file(path).scenario


def load_file(path: Path) -> ScenarioFile:
    """A scenario and what a window shows of it from a file."""
    try:
        content = read_input(path, MAX_SCENARIO)
        if content is None:
            said = tr("expected a scenario of at most {LARGEST_FILE} MiB")
            raise ScenarioError(said.format(LARGEST_FILE=MAX_SCENARIO >> 20), file=str(path))
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ScenarioError(tr("expected JSON in UTF-8"), file=str(path)) from None
    except OSError as error:
        raise ScenarioError(os_fault(error), file=str(path)) from None
    except ValueError:  # as of a link with a null in it
        raise ScenarioError(tr("expected the name of a file"), file=str(path)) from None
    return _from_text(text, str(path), path.parent)


def saving(
    scenario: Scenario,
    path: Path,
    view: Mapping[str, Any] | None = None,
    written: Callable[[bytes], object] | None = None,
) -> Generator[float, None, None]:
    """Write a scenario in pieces of milliseconds, with the share that is written; `written` gets each piece.

    `view` is what a window shows of it; none is written if there is nothing in it. Closed early, or failing
    half-way, it leaves a file that was there before whole.
    """
    pieces = 1 + sum(-(-len(rows) // SLICE) for rows in long_lists(scenario).values())
    text = _with_view(scenario_text(_seen_from(scenario, path.parent)), view)
    for number, _ in enumerate(write_pieces(path, text if written is None else _shown_to(written, text))):
        yield min(number / pieces, 1.0)


def _shown_to(look: Callable[[bytes], object], text: Iterator[str]) -> Iterator[bytes]:
    """A text in bytes, each piece of which another has seen."""
    for piece in text:
        content = piece.encode()
        look(content)
        yield content


def _with_view(text: Iterator[str], view: Mapping[str, Any] | None) -> Iterator[str]:
    """The text of a scenario with what a window shows of it as its last key."""
    last = next(text)
    for following in text:
        yield last
        last = following
    if view:
        shown = json.dumps(view, ensure_ascii=False, indent=1).replace("\n", "\n ")
        last = f'{last.removesuffix("}").rstrip()},\n "{VIEW}": {shown}\n}}'
    yield f"{last}\n"


def _seen_from(scenario: Scenario, folder: Path) -> Scenario:
    """The scenario with a trace below its folder named from there, so that both can be moved together."""
    workload = scenario.workload
    if not isinstance(workload, TraceWorkload) or workload.path is None:
        return scenario
    trace, folder = Path(workload.path).absolute(), folder.absolute()
    named = trace.relative_to(folder).as_posix() if trace.is_relative_to(folder) else str(trace)
    # Only to be written: read again, the name leads to the same file.
    written = workload.model_copy(update={"path": named})
    return scenario.model_copy(update={"workload": written})


def write_whole(path: Path, content: bytes) -> None:
    """Put a file in place in one stroke: written beside its place, then moved there."""
    for _ in write_pieces(path, (content,)):
        pass


def write_pieces(
    path: Path, pieces: Iterable[str | bytes], mode: int | None = None
) -> Generator[None, None, None]:
    """The same of a file made in pieces, with a stop after each; closed early, it leaves the old file."""
    try:
        with whole_file(path, mode) as file:
            for piece in pieces:
                file.write(piece.encode() if isinstance(piece, str) else piece)
                yield
    except OSError as error:
        said = tr("could not be written: {fault}")
        raise ScenarioError(said.format(fault=os_fault(error)), file=str(path)) from error


def _lone_surrogate(text: str, data: object) -> str | None:
    """Half of a surrogate pair, which JSON can escape but no text can hold."""
    if "\\ud" not in text.lower():
        return None
    try:
        json.dumps(data, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        return ascii(error.object[error.start]).strip("'")
    return None


def _kind(value: object) -> str:
    names = {
        list: tr("a list"),
        str: tr("text"),
        bool: tr("true or false"),
        int: tr("a number"),
        float: tr("a number"),
    }
    return names.get(type(value), "null")
