"""The format of lessons: one Markdown file whose steps say what a window shows; see the manual."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from meshgui.engine.allocation.registry import strategies
from meshgui.engine.basics.files import is_elsewhere, is_plain_file, os_fault, read_input
from meshgui.engine.basics.json_text import JsonError, Pairs, read_json, twice_in_one_object
from meshgui.engine.basics.nearest import nearest
from meshgui.engine.basics.page_limits import page_fault
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import harmless, shortened
from meshgui.engine.scenario import Scenario, ScenarioError, load_scenario, refuse_elsewhere, scenario_from
from meshgui.experiment.fields import FieldError, order_of, with_field
from meshgui.model.base.limits import MAX_FAULTS, MAX_LESSON, MAX_LESSON_LINE, MAX_STEPS
from meshgui.model.document.document import SUFFIX
from meshgui.model.document.examples import example, examples
from meshgui.model.exercises.exercise import KINDS
from meshgui.model.lessons.lesson_files import IN_FOLDER, LessonError, LessonFault
from meshgui.model.lessons.lesson_moment import DrawnMoment, LessonMoment, read_moment
from meshgui.model.manual.formulas import FormulaError, with_formulas
from meshgui.model.manual.pages import translated

_ADDRESS: Final = re.compile(r"\]\([ \t]*<?([^)>\s]+)")  # of a picture, or of a link
_QUOTED: Final = re.compile(r'"((?:[^"\\]|\\.)*)"')
_FENCE: Final = re.compile(r"^ {0,3}(`{3,}+|~{3,}+)\s*+(\S*+)\s*+$")
_HEAD: Final = re.compile(r"(source|minutes|needs|exercises):\s*+(\S.*)", re.IGNORECASE)


@dataclass(frozen=True)
class LessonStep:
    """A step: its text without the moment, and the moment, if it has one."""

    title: str
    text: str
    line: int
    moment: LessonMoment | None = None
    moment_line: int = 0

    @property
    def asks(self) -> bool:
        """Whether the step has a question."""
        return self.moment is not None and self.moment.predict is not None


@dataclass(frozen=True)
class Lesson:
    """A lesson as its file has it."""

    path: Path
    title: str
    source: str
    minutes: int | None
    steps: tuple[LessonStep, ...]
    needs: tuple[str, ...] = ()
    """The lessons to go through before, by the names of their files without numbers."""
    exercises: str = ""
    """What to practise afterwards: strategies and kinds of exercises, as `exercise set` takes them."""

    def moment(self, place: int) -> LessonMoment | None:
        """What is shown at a step: its own moment, else that of the nearest step before."""
        return next((step.moment for step in reversed(self.steps[: place + 1]) if step.moment), None)

    def scenario(self, place: int) -> Scenario | None:
        """The scenario that is shown at a step, as it is varied there; a bad one raises ScenarioError."""
        source: str | dict[str, Any] | None = None
        strategy: str | None = None
        fields: dict[str, Any] = {}
        for step in self.steps[: place + 1]:
            if step.moment is None:
                continue
            if step.moment.scenario is not None:
                source, strategy, fields = step.moment.scenario, None, {}
            strategy = step.moment.strategy or strategy
            fields = fields if step.moment.fields is None else step.moment.fields
        if source is None:
            return None
        return _varied(self.path.parent, json.dumps(source), strategy, json.dumps(fields))

    def drawn(self, place: int, picture: DrawnMoment) -> Scenario | None:
        """The scenario of which a picture in the text of a step is drawn; a bad one raises ScenarioError."""
        if picture.scenario is None:
            scenario = self.scenario(place)
        else:
            scenario = _scenario(self.path.parent, json.dumps(picture.scenario))
        return None if scenario is None else varied(scenario, picture.strategy, picture.fields)


def varied(scenario: Scenario, strategy: str | None, fields: dict[str, Any] | None = None) -> Scenario:
    """The same scenario with another strategy and other fields; the scenario itself where none is named."""
    if (strategy is None or strategy == scenario.allocator.name) and not fields:
        return scenario
    data = scenario.model_dump(mode="json")
    if strategy is not None and strategy != scenario.allocator.name:
        data["allocator"] = {"name": strategy}
    try:
        for key in sorted(fields or {}, key=order_of):
            data = with_field(data, key, (fields or {})[key])
    except FieldError as error:
        raise ScenarioError(tr("fields: {error}").format(error=error)) from None
    if fields:
        return scenario_from(data, "fields")
    return scenario_from(data, tr("strategy {strategy}").format(strategy=strategy))


@lru_cache(maxsize=8)
def _varied(folder: Path, source: str, strategy: str | None, fields: str) -> Scenario:
    """The scenario of a step; a window that is on its way there asks for it again and again."""
    return varied(_scenario(folder, source), strategy, json.loads(fields))


@lru_cache(maxsize=8)
def _scenario(folder: Path, source: str) -> Scenario:
    """A scenario that a step names; its notes would lie beside the lesson's own text."""
    named = json.loads(source)
    if isinstance(named, dict):
        refuse_elsewhere(named, "scenario")
        scenario = scenario_from({"meshgui": 1, **named}, "scenario")
    else:
        scenario = load_scenario(_scenario_file(folder, named))
    return scenario.model_copy(update={"notes": ""})


def _scenario_file(folder: Path, name: str) -> Path:
    for path in () if is_elsewhere(name) else (folder / name, folder / f"{name}{SUFFIX}"):
        if is_plain_file(path) and path.resolve().is_relative_to(folder.resolve()):
            return path
    known = [path.name.removesuffix(SUFFIX) for path in examples()]
    if name in known:
        return example(name)
    raise ScenarioError(
        tr("expected a ready scenario or a file beside the lesson, got {name}{nearest}").format(
            name=name, nearest=nearest(name, known)
        )
    )


def load_lesson(path: Path) -> Lesson:
    """The lesson in a file or folder; a LessonError with the first fault where there is one."""
    path, text = lesson_text(path)
    lesson, faults = parse_lesson(text, path)
    if faults:
        raise LessonError(faults[0])
    return lesson


def lesson_text(path: Path) -> tuple[Path, str]:
    """The file of a lesson, which may be named by its folder, and its text; else a LessonError."""
    try:
        path = path / IN_FOLDER if path.is_dir() else path
        content = read_input(path, MAX_LESSON)
        if content is None:
            message = tr("expected a lesson of at most {LARGEST} MiB").format(LARGEST=MAX_LESSON >> 20)
            raise LessonError(LessonFault(path, 1, message))
        return path, content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise LessonError(LessonFault(path, 1, tr("expected Markdown in UTF-8"))) from None
    except OSError as error:
        raise LessonError(LessonFault(path, 1, os_fault(error))) from None


def parse_lesson(text: str, path: Path) -> tuple[Lesson, list[LessonFault]]:
    """A lesson from its text as far as it can be read, and all its faults."""
    return _Reader(path).read(translated(text))


class NamedPicture(NamedTuple):
    """A picture that the text of a lesson names."""

    line: int
    step: int
    name: str


def pictures_of(text: str) -> Iterator[NamedPicture]:
    """The pictures that the text of a lesson names; what stands before the first step belongs to it."""
    step = 0
    begun = False
    for line in _lines(text):
        if line.fence:
            continue
        if line.text.startswith("## "):
            step, begun = step + begun, True
        yield from (NamedPicture(line.number, step, name) for name in picture_names(line.text))


def picture_names(text: str) -> Iterator[str]:
    """The pictures in a piece of text outside code."""
    end = 0
    for found in _ADDRESS.finditer(text):
        if text.find("![", end, found.start()) >= 0:
            yield found[1]
        end = found.end()


class _Line(NamedTuple):
    number: int
    text: str
    fence: str  # the kind of block it lies in or opens, "" outside; "-" for a block of no kind
    ends: bool = False  # whether it closes the block


def _lines(text: str) -> Iterator[_Line]:
    """The lines, each with the block of code that it lies in."""
    fence, mark = "", ""
    for number, line in enumerate(text.splitlines(), 1):
        found = _FENCE.match(line)
        if found and not fence:
            fence, mark = found[2] or "-", found[1]
            yield _Line(number, line, fence)
        elif found and not found[2] and found[1].startswith(mark):
            yield _Line(number, line, fence, ends=True)
            fence = ""
        else:
            yield _Line(number, line, fence)


class _Reader:
    """Reads one lesson, and collects its faults."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._faults: list[LessonFault] = []

    def read(self, text: str) -> tuple[Lesson, list[LessonFault]]:
        before: list[_Line] = []
        parts: list[tuple[_Line, list[_Line]]] = []
        for line in _lines(text):
            if not line.fence and line.text.startswith("## "):
                parts.append((line, []))
            else:
                (parts[-1][1] if parts else before).append(line)
        title, head, introduction = self._head(before)
        if len(parts) > MAX_STEPS:
            self._complain(
                parts[MAX_STEPS][0].number,
                tr("expected at most {most} steps, got {steps}").format(most=MAX_STEPS, steps=len(parts)),
            )
        steps = [self._step(heading, lines) for heading, lines in parts[:MAX_STEPS]]
        if not steps:
            self._complain(1, tr("expected at least one step, a heading that begins with “## ”"))
        elif introduction:
            steps[0] = replace(steps[0], text=f"{introduction}\n\n{steps[0].text}")
        for step in steps:
            if fault := page_fault(step.text):
                self._complain(step.line, fault)
        minutes = self._minutes(*head["minutes"]) if "minutes" in head else None
        source = harmless(head["source"][1]) if "source" in head else ""
        self._hold_length(title, 1)
        self._hold_length(source, head["source"][0] if source else 1)
        needs = tuple(name.strip() for name in head["needs"][1].split(",")) if "needs" in head else ()
        exercises = self._exercises(*head["exercises"]) if "exercises" in head else ""
        return Lesson(self._path, title, source, minutes, tuple(steps), needs, exercises), sorted(
            self._faults
        )

    def _hold_length(self, words: str, line: int) -> None:
        if len(words) > MAX_LESSON_LINE:
            self._complain(
                line,
                tr("expected at most {most} characters, got {given}").format(
                    most=MAX_LESSON_LINE, given=len(words)
                ),
            )

    def _complain(self, line: int, message: str) -> None:
        self._faults.append(LessonFault(self._path, line, message))

    def _head(self, lines: list[_Line]) -> tuple[str, dict[str, tuple[int, str]], str]:
        """The title, the lines of the head with their places, and what stands before the first step."""
        rest = [line for line in lines if line.text.strip() or line.fence]
        if not rest or not rest[0].text.startswith("# "):
            self._complain(
                rest[0].number if rest else 1, tr("expected a title first, a line that begins with “# ”")
            )
            return self._path.name, {}, ""
        title = rest.pop(0)
        head: dict[str, tuple[int, str]] = {}
        while rest and (found := _HEAD.fullmatch(rest[0].text.rstrip())):
            line = rest.pop(0)
            if found[1].lower() in head:
                self._complain(line.number, tr("{name}: expected it once").format(name=found[1]))
            head[found[1].lower()] = (line.number, found[2])
        begin = rest[0].number if rest else 0
        if any(line.fence == "moment" for line in lines):
            self._complain(begin, tr("expected the moment in a step, below a heading that begins with “## ”"))
        kept = [self._words(line) for line in lines if rest and line.number >= begin]
        return harmless(title.text.removeprefix("# ").strip()), head, "\n".join(kept).strip()

    def _words(self, line: _Line) -> str:
        """A line as it is shown, with its formulas written out."""
        try:
            return line.text if line.fence else with_formulas(line.text)
        except FormulaError as error:
            self._complain(line.number, tr("formula: {error}").format(error=error))
            return line.text

    def _minutes(self, line: int, text: str) -> int | None:
        if text.isascii() and text.isdigit() and 0 < int(text[:6]) <= 600:
            return int(text)
        self._complain(
            line, tr("minutes: expected a whole number from 1 to 600, got {text}").format(text=text)
        )
        return None

    def _exercises(self, line: int, text: str) -> str:
        names, _, kinds = text.strip().partition(" ")
        if set(names.split(",")) <= set(strategies()) and set(kinds.split(",")) <= set(KINDS):
            return text.strip()
        self._complain(
            line, tr("exercises: expected strategies and kinds of exercises, for example “ff,bf place,wait”")
        )
        return ""

    def _step(self, heading: _Line, lines: list[_Line]) -> LessonStep:
        block = [line for line in lines if line.fence == "moment"]
        text = "\n".join(self._words(line) for line in [heading, *lines] if line.fence != "moment").strip()
        if lines and lines[-1].fence and not lines[-1].ends:
            self._complain(lines[-1].number, tr("expected the block of code to be closed by ```"))
        title = harmless(heading.text.removeprefix("## ").strip())
        self._hold_length(title, heading.number)
        if not block:
            return LessonStep(title, text, heading.number)
        ends = [place for place, line in enumerate(block) if line.ends]
        if len(ends) > 1:
            self._complain(block[ends[0] + 1].number, tr("expected one moment in a step, got another"))
        inside = block[1 : ends[0] if ends else len(block)]
        return LessonStep(title, text, heading.number, self._moment(block[0].number, inside), block[0].number)

    def _moment(self, begin: int, lines: list[_Line]) -> LessonMoment | None:
        twice: list[str] = []

        def once(pairs: Pairs) -> dict[str, Any]:
            twice.extend(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
            return dict(pairs)

        try:
            data = read_json("\n".join(line.text for line in lines), once)
        except JsonError as error:
            self._complain(begin + (error.line or 0), str(error))
            return None
        if not isinstance(data, dict):
            self._complain(begin, tr("expected a JSON object"))
            return None
        places = _places_of_keys(lines)
        for key in twice[:MAX_FAULTS]:
            self._complain(places.get(key, [begin])[-1], twice_in_one_object(key))
        moment, complaints = read_moment(data)
        for complaint in complaints:
            keys = [key for key in complaint.path if isinstance(key, str)]
            field = ".".join(shortened(str(key)) for key in complaint.path)
            self._complain(
                places.get(keys[-1], [begin])[0] if keys else begin,
                f"{field}: {complaint.message}" if field else complaint.message,
            )
        return None if twice else moment


def _places_of_keys(lines: list[_Line]) -> dict[str, list[int]]:
    """The numbers of the lines on which each key stands, in order."""
    places: dict[str, list[int]] = {}
    for line in lines:
        for found in _QUOTED.finditer(line.text):
            places.setdefault(found[1], []).append(line.number)
    return places
