"""Every kind of file that is read, with examples to spoil, and what may come of reading a spoilt one.

The suite reads some hundred of them, `make fuzz` as many as one likes.
"""

import io
import json
import os
import random
import re
import sys
import tempfile
import tracemalloc
import zipfile
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from meshgui.engine.basics.files import InputFileError
from meshgui.engine.network.packet_files import read_packets
from meshgui.engine.scenario import ScenarioError, load_file
from meshgui.engine.workload.swf import read_trace
from meshgui.experiment.bundle import read_bundle
from meshgui.experiment.bundle_format import BundleError
from meshgui.experiment.bundle_writer import write_bundle
from meshgui.experiment.executors import InProcess
from meshgui.experiment.fields import FieldError
from meshgui.experiment.grid import experiment_from
from meshgui.experiment.results import results_of
from meshgui.experiment.store import Store, StoreError
from meshgui.experiment.sweep import Sweep
from meshgui.model.base.recent import RecentFiles
from meshgui.model.document.document import Document
from meshgui.model.document.examples import example, examples
from meshgui.model.document.moment_link import moment_link, read_link
from meshgui.model.document.recovery import copying, read_copy
from meshgui.model.document.window_moment import WindowMoment, read_bookmarks, read_breakpoints
from meshgui.model.exercises.exercise import Judgement
from meshgui.model.exercises.exercise_log import ExerciseLog
from meshgui.model.exercises.exercises import exercise, exercise_set
from meshgui.model.exercises.hand_in import ExerciseSet, grade_hand_in, read_set
from meshgui.model.lessons.lesson import load_lesson
from meshgui.model.lessons.lesson_files import LessonError
from meshgui.model.lessons.lesson_shelf import shipped_lessons
from tests.experiments import small_experiment
from tests.foreign_stores import spoil_store
from tests.scenarios import save_scenario

_MOST_LOOKS = 1000  # of ten thousand steps of SQLite each
MOST_MEMORY = 64 << 20  # bytes that reading a small file may take
MOST_OF_A_BYTE = 50  # and as many more for each of its own
_ODD: tuple[Any, ...] = (
    *(None, True, -1, 0, 1, 2**31, 2**63, 10**400, 1e308, -0.0, float("nan"), float("inf"), 0.1),
    *("", "x" * 5000, "0", "\u202e", "\x00", "../../etc/passwd", "/dev/zero", "ff"),
    *([], {}, [[]], [1, 2, 3, 4], {"kind": "list"}, {"name": "gabl", "options": {"x": 1}}),
)
_MARK = "what stands here is replaced in the text"
_MOMENT = re.compile(rb"```moment\n(.*?)\n```", re.DOTALL)
_BYTES = (b"", b"\x00", b"\xff\xfe", b"{", b"[" * 2000, b",", b"\n", b"-", b"1" * 400, b"1e999", b'"', b"PK")


class Target(NamedTuple):
    """A kind of file."""

    examples: Callable[[], tuple[bytes, ...]]
    read: Callable[[Path], object]
    errors: tuple[type[Exception], ...]  # in which a bad one may end, in one line
    spoil_own: Callable[[bytes, random.Random], bytes] | None = None  # what this kind alone may suffer


class HarmDoneError(BaseException):
    """Reading a file started a program, or wrote outside the folder of the test."""


def feed(target: Target, content: bytes, folder: Path) -> str:
    """Read a file of this content: the line in which that ends, or nothing where it is sound."""
    with tempfile.TemporaryDirectory(dir=folder) as name, harmless(folder):
        path = Path(name) / "file"
        path.write_bytes(content)
        try:
            target.read(path)
        except target.errors as error:
            line = str(error)
            assert "\n" not in line, line
            assert len(line) < 1000 + len(name), f"a line of {len(line)} letters: {line[:200]}"
            return line
    return ""


def memory_bound_of(content: bytes) -> int:
    """How many bytes reading a file of this content may take."""
    return MOST_MEMORY + MOST_OF_A_BYTE * len(content)


def memory_of(target: Target, content: bytes, folder: Path) -> int:
    """The most bytes that reading a file of this content takes."""
    tracemalloc.start()
    try:
        feed(target, content, folder)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def spoilt(target: Target, draw: random.Random) -> bytes:
    """An example of a kind with a few things in it changed."""
    return (target.spoil_own or spoil)(draw.choice(target.examples()), draw)


def spoil(content: bytes, draw: random.Random) -> bytes:
    """The content with a few things in it changed: values of its JSON, or bytes anywhere."""
    for _ in range(draw.randint(1, 4)):
        with suppress(RecursionError):  # what has become too deep for Python stays as it is
            content = _spoil_inside(content, draw) if draw.random() < 0.6 else _spoil_bytes(content, draw)
    return content


def _spoil_inside(content: bytes, draw: random.Random) -> bytes:
    """The same of the JSON that is packed into a link, a bundle or a lesson."""
    try:
        if content.startswith(b"meshgui://scenario/"):
            code, mark, rest = content.removeprefix(b"meshgui://scenario/").partition(b"?")
            inside = zlib.decompress(urlsafe_b64decode(code + b"=" * (-len(code) % 4)))
            packed = urlsafe_b64encode(zlib.compress(_spoil_json(inside, draw), 9)).rstrip(b"=")
            return b"meshgui://scenario/" + packed + mark + rest
        if content.startswith(b"PK"):
            return _spoil_zip(content, draw)
    except (ValueError, zlib.error, zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError):
        return _spoil_bytes(content, draw)
    blocks = list(_MOMENT.finditer(content))
    if not blocks:
        return _spoil_json(content, draw)
    begin, end = draw.choice(blocks).span(1)
    return content[:begin] + _spoil_json(content[begin:end], draw) + content[end:]


def _spoil_zip(content: bytes, draw: random.Random) -> bytes:
    """A zip with one of its files spoilt."""
    spoilt = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as old,
        zipfile.ZipFile(spoilt, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        chosen = draw.choice([name for name in old.namelist() if name.endswith(".json")] or [""])
        for info in old.infolist():
            whole = old.read(info)
            new.writestr(info.filename, _spoil_json(whole, draw) if info.filename == chosen else whole)
    return spoilt.getvalue()


def _spoil_json(content: bytes, draw: random.Random) -> bytes:
    try:
        data = json.loads(content)
    except (ValueError, RecursionError):
        return _spoil_bytes(content, draw)
    places = list(_places(data))
    if not places:
        return content
    holder, key = draw.choice(places)
    action = draw.randrange(7)
    many = draw.choice((1, 60, 70, 900, 5000))
    if action == 4 and isinstance(holder, dict):  # unknown keys
        holder |= {f"unknown {number}": number for number in range(many)}
    elif action in {5, 6}:  # deep lists, and keys that are there twice, which no data can hold
        holder[key] = _MARK
        deep = b"[" * many + b"]" * many
        keys = b",".join(b'"k%d":0' % number for number in range(many))
        return (
            json.dumps(data)
            .encode("utf-8", "surrogatepass")
            .replace(json.dumps(_MARK).encode(), deep if action == 5 else b"{" + keys + b',"k0":1}')
        )
    action %= 4
    if action == 0 and isinstance(holder, dict):
        del holder[key]
    elif action == 1 and isinstance(holder, dict):
        holder[draw.choice(("", "x", "kind", "meshgui"))] = draw.choice(_ODD)
    elif action == 2:
        other_holder, other = draw.choice(places)
        holder[key] = json.loads(json.dumps(other_holder[other]))
    else:
        holder[key] = draw.choice(_ODD)
    return json.dumps(data).encode("utf-8", "surrogatepass")


def _places(data: Any) -> Iterator[tuple[Any, Any]]:
    keys = list(data) if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ()
    for key in keys:
        yield data, key
        yield from _places(data[key])


def _spoil_bytes(content: bytes, draw: random.Random) -> bytes:
    at = draw.randrange(len(content) + 1)
    end = min(len(content), at + draw.choice((0, 1, 8, 100, len(content))))
    match draw.randrange(4):
        case 0:
            return content[:at] + draw.choice(_BYTES) + content[end:]
        case 1:
            return content[:at] + draw.randbytes(end - at) + content[end:]
        case 2:
            return content[:at] + content[at:end] * 3 + content[end:]
        case _:
            return content[:at] + content[end:]


# No harm

_guarded: list[Path] = []  # the folder that may be written to, while files are read
_PROGRAMS = {"subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "socket.connect"}


@contextmanager
def harmless(folder: Path) -> Iterator[None]:
    """A block that may start no program, open no connection, and write below this folder only."""
    _watch()
    _guarded.append(folder)
    try:
        yield
    finally:
        _guarded.pop()


@cache
def _watch() -> None:
    sys.addaudithook(_look)  # it cannot be removed, so it looks only where something is guarded


def _look(event: str, arguments: tuple[Any, ...]) -> None:
    if not _guarded:
        return
    if event in _PROGRAMS:
        raise HarmDoneError(f"{event} {arguments[:2]}")
    if event in {"os.remove", "os.rename", "os.mkdir", "shutil.rmtree"}:
        _must_be_inside(arguments[0])
    if event == "open" and isinstance(arguments[0], str | bytes | os.PathLike):
        mode, flags = arguments[1], arguments[2] or 0
        if (isinstance(mode, str) and set(mode) & set("wax+")) or flags & (os.O_WRONLY | os.O_RDWR):
            _must_be_inside(arguments[0])


def _must_be_inside(path: Any) -> None:
    if isinstance(path, int) or os.fspath(path) == os.devnull:
        return
    whole = Path(os.path.realpath(os.fsdecode(path)))
    if not whole.is_relative_to(os.path.realpath(_guarded[-1])) and "__pycache__" not in whole.parts:
        raise HarmDoneError(f"wrote to {whole}")


# The kinds of files


def _read_scenario(path: Path) -> None:
    scenario, view = load_file(path)
    _read_view(view)
    copy = path.with_name("copy.meshgui.json")
    save_scenario(scenario, copy)
    assert load_file(copy).scenario == scenario


def _read_link(path: Path) -> None:
    _read_view(read_link(path.read_text("utf-8", errors="replace")).view)


def _read_view(view: dict[str, Any]) -> None:
    """As a window does that opens it."""
    WindowMoment.from_data(view)
    read_breakpoints(view.get("breakpoints"))
    read_bookmarks(view.get("bookmarks"))


def _read_store(path: Path) -> None:
    with Store(path, read_only=True) as store:
        for sweep in store.sweeps():
            for point in sweep.data.get("points", ()):
                store.results(str(point))
        for key in _experiment_keys():
            store.results(key)
            store.failures(key)
        for key in store.keys_with_runs():
            store.results(key)
        for _ in store.works():
            pass


class _CountedStore(Store):
    """A store that ends after a number of steps of SQLite."""

    looks = 0

    def _look(self) -> bool:
        self.looks += 1
        return super()._look() or self.looks > _MOST_LOOKS


def _read_foreign_store(path: Path) -> None:
    """As the window does that opens it, and as a sweep that continues with it."""
    experiment = small_experiment("allocator.name=ff,gabl", most=5)
    for read_only in (True, False):
        with _CountedStore(path, read_only=read_only) as store:
            try:
                for sweep in store.sweeps():
                    with suppress(ScenarioError, FieldError, AttributeError, KeyError, TypeError, ValueError):
                        results_of(experiment_from(sweep.data), store)
                if not read_only:
                    Sweep(experiment, store, InProcess()).run()
                results_of(experiment, store)
            finally:
                assert store.looks <= _MOST_LOOKS, "it takes too many steps of SQLite"


def _read_bundle(path: Path) -> None:
    bundle = read_bundle(path)
    for _ in bundle.replications():
        pass
    bundle.results_table()


def _read_lesson(path: Path) -> None:
    load_lesson(path.rename(path.with_name("spoilt.lesson.md")))


def _read_recent(path: Path) -> None:
    path.rename(path.with_name("recent.json"))
    RecentFiles(path.parent).paths()


def _read_log(path: Path) -> None:
    path.rename(path.with_name("exercises.json"))
    log = ExerciseLog(path.parent)
    assert 0 <= log.score <= len(log)


@cache
def _hand_ins() -> tuple[bytes, bytes, bytes]:
    """A hand-in, a set and a log."""
    asked = exercise_set(("ff", "mbs"), ("place", "wait", "order"), 3, 5, (4, 4))
    with tempfile.TemporaryDirectory() as folder:
        log = ExerciseLog(Path(folder))
        for key in asked:
            log.add(key, exercise(key).right, Judgement(1.0, ""))
        models = log.hand_in(asked, "A. Student"), ExerciseSet(asked=asked)
        hand_in, of_a_course = (model.model_dump_json().encode() for model in models)
        return hand_in, of_a_course, (Path(folder) / "exercises.json").read_bytes()


@cache
def _contents(listed: Callable[[], Iterable[Path]]) -> tuple[bytes, ...]:
    return tuple(map(Path.read_bytes, listed()))


@cache
def _copies() -> tuple[bytes, ...]:
    document = Document()
    document.open(example("first-fit-16x16"), as_example=True)
    document.change({**(document.draft or {}), "seed": 77})
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy.json"
        list(copying(document.state, copy))
        return (copy.read_bytes(),)


@cache
def _experiment_files() -> tuple[bytes, bytes]:
    """A store and a bundle."""
    experiment = small_experiment("allocator.name=ff,gabl", most=5)
    with tempfile.TemporaryDirectory() as folder:
        path, packed = Path(folder) / "runs.db", Path(folder) / "bundle.zip"
        with Store(path) as store, packed.open("wb") as file:
            Sweep(experiment, store, InProcess()).run()
            write_bundle(file, experiment, store)
        return path.read_bytes(), packed.read_bytes()


@cache
def _experiment_keys() -> tuple[str, ...]:
    return tuple(point.spec.key for point in small_experiment("allocator.name=ff,gabl", most=5).points)


def _links() -> tuple[bytes, ...]:
    return tuple(
        moment_link(load_file(example(name)).scenario, None, {"time": 4.5, "events": 3}).encode()
        for name in ("three-jobs-4x4x4", "first-fit-16x16")
    )


_TRACE = b"".join(
    (
        b"; Version: 2.2\n; Computer: A mesh\n; MaxNodes: 64\n",
        *(b"%d %d 0 %d 4 -1 -1 4 %d -1 1 1 1 1 1 1 -1 -1\n" % (i, i * 3, i + 5, i + 9) for i in range(1, 30)),
    )
)
_PACKETS = b"time,sx,sy,sz,dx,dy,dz,job\n0,0,0,0,3,2,0,0\n5,1,1,0,0,3,0,0\n9,2,2,0,1,1,0,1\n"

TARGETS = {
    "scenario": Target(lambda: _contents(examples), _read_scenario, (ScenarioError,)),
    "link": Target(_links, _read_link, (ScenarioError,)),
    "packets": Target(lambda: (_PACKETS,), lambda path: read_packets(path, 10_000), (InputFileError,)),
    "trace": Target(lambda: (_TRACE,), read_trace, (InputFileError,)),
    "store": Target(lambda: _experiment_files()[:1], _read_store, (StoreError,)),
    "foreign store": Target(lambda: _experiment_files()[:1], _read_foreign_store, (StoreError,), spoil_store),
    "bundle": Target(lambda: _experiment_files()[1:], _read_bundle, (BundleError,)),
    "autosave": Target(_copies, read_copy, (ScenarioError,)),
    "lesson": Target(lambda: _contents(shipped_lessons), _read_lesson, (LessonError,)),
    "hand-in": Target(lambda: _hand_ins()[:1], grade_hand_in, (InputFileError,)),
    "set of exercises": Target(lambda: _hand_ins()[1:2], read_set, (InputFileError,)),
    "exercise log": Target(lambda: _hand_ins()[2:], _read_log, ()),
    "recent files": Target(lambda: (b'["/tmp/a.meshgui.json", "b"]',), _read_recent, ()),
}
