"""`meshgui exercise`: list the kinds that a strategy has, show one exercise, write a set for a course."""

from __future__ import annotations

from argparse import ArgumentTypeError, Namespace
from collections.abc import Iterator
from pathlib import Path

from meshgui.cli import output
from meshgui.cli.arguments import Parser, one_of, whole_number
from meshgui.cli.faults import UsageError
from meshgui.engine.allocation.registry import strategies
from meshgui.engine.basics.files import InputFileError, os_fault
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.sentences import job_name
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import count_of, legible
from meshgui.engine.scenario import ScenarioError
from meshgui.model.base.limits import MAX_EXERCISES
from meshgui.model.exercises.exercise import (
    KINDS,
    LEVELS,
    ChoiceForm,
    Exercise,
    ExerciseError,
    ExerciseKey,
    Form,
    OrderForm,
)
from meshgui.model.exercises.exercise_runs import usual_shape
from meshgui.model.exercises.exercises import exercise, exercise_set, lesson_seed, oral_question, title_of
from meshgui.model.exercises.hand_in import (
    MAX_NAME,
    SET_SUFFIX,
    ExerciseSet,
    hand_in_schema,
    hash_of,
    read_set,
    write_part,
)
from meshgui.model.exercises.roster import file_name, read_roster, read_sets, seed_of
from meshgui.model.lessons.course import key_of
from meshgui.model.lessons.lesson_shelf import shelved, shipped_lessons

_ACTIONS = ("list", "show", "set", "solutions", "schema")


def declare(parser: Parser) -> None:
    """The arguments."""
    parser.add_argument("action", metavar="|".join(_ACTIONS), type=one_of(*_ACTIONS))
    parser.add_argument(
        "out",
        metavar="FILE",
        type=Path,
        nargs="?",
        help=tr("the set to write or to solve, NAME{SET_SUFFIX}, or a folder of sets").format(
            SET_SUFFIX=SET_SUFFIX
        ),
    )
    parser.add_argument(
        "--kind",
        metavar="KINDS",
        type=_words,
        help=tr("some of {KINDS}, with commas").format(KINDS=", ".join(KINDS)),
    )
    parser.add_argument(
        "--lesson",
        metavar="NAME",
        help=tr("the kinds and strategies of a lesson that comes along, for example busy-list"),
    )
    parser.add_argument("--strategy", metavar="NAMES", type=_words, help=tr("strategies, with commas"))
    parser.add_argument("--shape", metavar="WxD[xH]", type=_shape, help=tr("the mesh, for example 8x8"))
    parser.add_argument(
        "--seed",
        metavar="N",
        type=whole_number,
        help=tr("the first seed; 1, or that of the lesson, by default"),
    )
    parser.add_argument(
        "--count", metavar="N", type=whole_number, default=10, help=tr("exercises in the set")
    )
    parser.add_argument(
        "--level",
        metavar="N",
        type=whole_number,
        default=LEVELS[0],
        help=tr("of whole algorithms: {first}, places alone, to {last}, with all lists").format(
            first=LEVELS[0], last=LEVELS[-1]
        ),
    )
    parser.add_argument("--title", metavar="TEXT", default="", help=tr("the name of the set"))
    parser.add_argument(
        "--roster",
        metavar="NAMES.csv",
        type=Path,
        help=tr("write a set with seeds of its own for each student: a name in each line"),
    )
    parser.add_argument("--answer", action="store_true", help=tr("also show the right answer"))


def execute(options: Namespace) -> int:
    """Do it."""
    if options.lesson is not None:
        _take_lesson(options)
    options.seed = 1 if options.seed is None else options.seed
    if (options.action in {"set", "solutions"}) != (options.out is not None):
        named = {"set": tr("a FILE to write"), "solutions": tr("a FILE to solve")}
        wanted = named.get(options.action) or tr("no FILE with {action}").format(action=options.action)
        raise UsageError(tr("meshgui exercise: expected {wanted}").format(wanted=wanted))
    try:
        if options.action == "list":
            for name in options.strategy or list(strategies()):
                output.write(f"{name}: {', '.join(_kinds(name, options)) or tr('none')}")
        elif options.action == "show":
            output.write("\n".join(_shown(exercise(_key(options)), answer=options.answer)))
        elif options.action == "set" and options.roster is not None:
            _write_sets(options)
        elif options.action == "set":
            _write_set(options.out, options, options.seed, options.title)
        elif options.action == "solutions":
            output.write("\n".join(_solutions(options.out)))
        else:
            output.write_json(hand_in_schema(), indent=2)
    except (ExerciseError, InputFileError) as error:
        raise UsageError(tr("meshgui exercise: {error}").format(error=error)) from None
    return 0


def _take_lesson(options: Namespace) -> None:
    """Take the kinds and strategies of a lesson, where none are named, and its title."""
    practised = {key_of(path): shelved(path) for path in shipped_lessons()}
    lesson = practised.get(options.lesson)
    if lesson is None or not lesson.exercises:
        names = ", ".join(name for name, found in practised.items() if found.exercises)
        raise UsageError(
            tr("meshgui exercise: --lesson: expected one of {names}, got {name}").format(
                names=names, name=legible(options.lesson)
            )
        )
    names, _, kinds = lesson.exercises.partition(" ")
    options.strategy = options.strategy or _words(names)
    options.kind = options.kind or _words(kinds)
    options.title = options.title or lesson.title
    options.seed = lesson_seed(options.lesson) if options.seed is None else options.seed


def _words(text: str) -> list[str]:
    return [word for word in text.split(",") if word]


def _shape(text: str) -> tuple[int, ...]:
    sides = text.replace("×", "x").split("x")
    if not (
        2 <= len(sides) <= 3 and all(s.isascii() and s.isdigit() and 0 < int(s[:5]) <= 1024 for s in sides)
    ):
        raise ArgumentTypeError(
            tr("expected a shape, for example 8x8 or 4x4x4, got {text}").format(text=text)
        )
    return tuple(map(int, sides))


def _kinds(name: str, options: Namespace) -> Iterator[str]:
    """The kinds that a strategy has for this seed."""
    shape = options.shape or usual_shape(name)
    for kind in _of_kinds(options):
        try:
            exercise(_checked_key(kind, name, shape, options))
        except ExerciseError:
            continue
        yield kind


def _of_kinds(options: Namespace) -> list[str]:
    for kind in options.kind or ():
        if kind not in KINDS:
            raise UsageError(
                tr("meshgui exercise: --kind: expected some of {KINDS}, got {kind}").format(
                    KINDS=", ".join(KINDS), kind=kind
                )
            )
    return options.kind or list(KINDS)


def _key(options: Namespace) -> ExerciseKey:
    kinds, names = _of_kinds(options), options.strategy or ["ff"]
    return _checked_key(kinds[0], names[0], options.shape or usual_shape(names[0]), options)


def _level(options: Namespace) -> int:
    level: int = options.level
    if level not in LEVELS:
        raise UsageError(
            tr("meshgui exercise: --level: expected {first} to {last}, got {level}").format(
                first=LEVELS[0], last=LEVELS[-1], level=level
            )
        )
    return level


def _checked_key(kind: str, name: str, shape: tuple[int, ...], options: Namespace) -> ExerciseKey:
    data = {"kind": kind, "strategy": name, "shape": shape, "seed": options.seed}
    level = _level(options)
    try:
        return ExerciseKey.model_validate(data | ({"level": level} if kind == "whole" else {}))
    except ValueError:
        raise ExerciseError(
            tr("expected a smaller mesh than {describe}").format(describe=Mesh(shape).describe())
        ) from None


def _write_sets(options: Namespace) -> None:
    """Write a set for each student of the roster."""
    names = read_roster(options.roster)
    try:
        options.out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            tr("meshgui exercise: {out}: could not be written: {fault}").format(
                out=options.out, fault=os_fault(error)
            )
        ) from None
    for place, name in enumerate(names):
        title = f"{options.title} · {name}" if options.title else name
        path = options.out / f"{file_name(name)}{SET_SUFFIX}"
        _write_set(path, options, seed_of(options.seed, place), title)


def _write_set(path: Path, options: Namespace, seed: int, title: str) -> None:
    if not 1 <= options.count <= MAX_EXERCISES:
        raise UsageError(
            tr("meshgui exercise: --count: expected 1 to {MOST_ASKED}, got {count}").format(
                MOST_ASKED=MAX_EXERCISES, count=options.count
            )
        )
    names = options.strategy or ["ff", "bl", "bf", "gabl", "mbs"]
    asked = exercise_set(names, _of_kinds(options), options.count, seed, options.shape, _level(options))
    try:
        write_part(path, ExerciseSet(title=title[:MAX_NAME], asked=asked))
    except ScenarioError as error:
        raise UsageError(tr("meshgui exercise: {error}").format(error=error)) from None
    output.write(
        tr("{out}: {exercises}, hash {hash}").format(
            out=path, exercises=count_of(len(asked), "exercise"), hash=hash_of(asked)[:12]
        )
    )


def _solutions(path: Path) -> Iterator[str]:
    """The sheet of a set, or of all in a folder: each question with its answer, and one to ask orally."""
    if path.is_dir():
        for found in read_sets(path).values():
            yield from _solutions(found.path)
            yield ""
        return
    chosen = read_set(path)
    yield f"# {chosen.title or path.name}"
    for number, key in enumerate(chosen.asked, 1):
        yield f"\n## {number}"
        yield from _shown(exercise(key), answer=True)
        if (other := oral_question(key)) is not None:
            yield tr("To ask orally: {question}").format(question=other.question)
            yield other.solution


def _shown(made: Exercise, *, answer: bool) -> Iterator[str]:
    """The exercise as lines of text."""
    yield f"{title_of(made.kind)} ({made.key})"
    yield made.question
    yield tr("Time {time:g}, after {position} events. Running:").format(
        time=made.time, position=made.position
    )
    snapshot = made.recording.snapshot(made.position)
    for job, box in zip(snapshot.owners.tolist(), made.boxes_now(), strict=True):
        yield tr("  job {job} {box}").format(job=job, box=box.describe(flat=made.mesh.dims == 2))
    waiting = ", ".join(job_name(job) for job in snapshot.queue.tolist()) or tr("none")
    yield tr("Waiting: {jobs}").format(jobs=waiting)
    yield from _form_lines(made.form)
    if answer:
        yield tr("Answer: {right}").format(right=made.right)
        yield f"{made.solution} {made.explanation}".strip()


def _form_lines(form: Form) -> Iterator[str]:
    if isinstance(form, ChoiceForm):
        for number, row in enumerate(form.rows):
            yield "  " + ("?" if number == form.gap else " | ".join(row))
        yield from (f"  {number}: {option}" for number, option in enumerate(form.options))
    if isinstance(form, OrderForm):
        yield from (f"  {number}: {line}" for number, line in enumerate(form.lines))
