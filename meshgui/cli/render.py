"""`meshgui render`: a moment of a run as a PNG file, or a film of it, with or without a screen."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
from argparse import Namespace
from pathlib import Path
from threading import Timer

from meshgui import itself
from meshgui.cli.arguments import Parser, one_of, step_number, time, whole_number
from meshgui.cli.drawing import check_folder, drawing
from meshgui.cli.faults import UsageError, WorkFailed
from meshgui.cli.output import ProgressLine
from meshgui.cli.scenarios import read, recorded, working_on
from meshgui.engine.allocation.inspection import Moment, Tree
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.recording import Recording
from meshgui.engine.runs.simulation import Simulation
from meshgui.engine.scenario import Scenario
from meshgui.model.base.film import FilmFormat, film_format, film_times, usual_seconds
from meshgui.model.moment.position import Position
from meshgui.model.scene.theme_colours import THEMES
from meshgui.views.offscreen.screen import (
    VirtualScreenError,
    has_virtual_screen,
    missing_screen,
    virtual_screen,
)

_COMPONENTS = "components"
_INSIDE = "MESHGUI_VIRTUAL_SCREEN"  # set where the program has started itself on a virtual screen
_SMALLEST, _LARGEST = 100, 8192
_FPS, _MOST_FPS = 10, 100
_PATIENCE = 1.0  # seconds for a process to clear away


def declare(parser: Parser) -> None:
    """The arguments."""
    parser.file("?")
    parser.add_argument("--at", metavar="T", type=time, help=tr("the time to show"))
    parser.add_argument("--from", dest="start", metavar="A", type=time, help=tr("or a film: from this time"))
    parser.add_argument("--to", dest="end", metavar="B", type=time, help=tr("to this one (the run's end)"))
    parser.add_argument("--fps", metavar="N", type=whole_number, help=tr("frames per second (10)"))
    parser.add_argument(
        "--seconds",
        metavar="S",
        type=time,
        help=tr("how long the film plays (a minute for the whole run, a share of it for a part)"),
    )
    parser.add_argument(
        "--job", metavar="K", type=whole_number, help=tr("or a job, from 0: show a step of its allocation")
    )
    parser.add_argument(
        "--release", action="store_true", help=tr("show a step of the job's release, not of its allocation")
    )
    parser.add_argument(
        "--step",
        metavar="N",
        type=step_number,
        help=tr("which step, from 1, or from -1 backwards from the end (the last one)"),
    )
    parser.add_argument(
        "--attempt", metavar="M", type=whole_number, help=tr("of which attempt, from 1 (the last one)")
    )
    parser.add_argument("--out", metavar="P.png", type=Path, required=True, help=tr("the picture's file"))
    parser.add_argument(
        "--size", metavar="WxH", type=_size, default=(1600, 1000), help=tr("in pixels (1600x1000)")
    )
    parser.add_argument(
        "--view",
        metavar="VIEW",
        type=one_of("mesh", "window", "inspector", "tree", "plots", "components"),
        default="mesh",
        help=tr(
            "mesh (the default), window, inspector, tree, plots, or components: what windows are made of"
        ),
    )
    parser.add_argument(
        "--theme",
        metavar="THEME",
        type=one_of(*THEMES),
        default="light",
        help=tr("light (the default), dark, or contrast: light, in high contrast"),
    )


def execute(options: Namespace) -> int:
    """Do it."""
    if options.view == _COMPONENTS:
        return _components(options)
    if options.file is None:
        raise UsageError(tr("meshgui render: expected a scenario, or --view components without one"))
    if [options.at is None, options.job is None, options.start is None].count(False) != 1:
        raise UsageError(tr("meshgui render: expected either --at T, --job K or --from A"))
    if options.start is None and (options.end, options.fps, options.seconds) != (None, None, None):
        raise UsageError(tr("meshgui render: expected --from A with --to, --fps and --seconds"))
    if options.job is None and (options.step, options.attempt) != (None, None):
        raise UsageError(tr("meshgui render: expected --job K with --step and --attempt"))
    if options.release and (options.job is None or options.attempt is not None):
        raise UsageError(tr("meshgui render: expected --job K and no --attempt with --release"))
    scenario = read(options.file)
    with working_on(options.file):
        return _render(scenario, options)


def _components(options: Namespace) -> int:
    """Draw the page of components, which shows no run."""
    if any(given is not None for given in (options.file, options.at, options.job, options.start)):
        raise UsageError(tr("meshgui render: expected no scenario and no moment with --view components"))
    _check_out(options.out)
    if missing_screen() is not None and has_virtual_screen() and not os.environ.get(_INSIDE):
        return _on_a_virtual_screen(options)
    with drawing():
        from meshgui.views.offscreen.render import render_components  # noqa: PLC0415 - Qt, only to draw

        render_components(options.out, options.size, THEMES[options.theme])
    return 0


def _render(scenario: Scenario, options: Namespace) -> int:
    if options.view == "tree" and not _keeps_a_tree(scenario):
        raise UsageError(
            tr("{file}: --view: expected a strategy that keeps a tree, but {name} keeps none").format(
                file=options.file, name=scenario.allocator.name
            )
        )
    if options.start is None:
        _check_out(options.out)
    else:
        _check_film(options)
    if missing_screen() is not None and has_virtual_screen() and not os.environ.get(_INSIDE):
        return _on_a_virtual_screen(options)
    recording = recorded(Simulation(scenario))
    if options.start is not None:
        return _film(scenario, recording, options)
    position = _release_position if options.release else _position
    where = options.at if options.job is None else position(recording, options)
    with drawing():
        from meshgui.views.offscreen.render import render  # noqa: PLC0415 - Qt, only to draw

        render(scenario, recording, where, options.out, options.size, options.view, THEMES[options.theme])
    return 0


def _film(scenario: Scenario, recording: Recording, options: Namespace) -> int:
    """Draw every frame."""
    end = recording.end_time if options.end is None else min(options.end, recording.end_time)
    if options.start >= end:
        said = tr("expected a time before {end:g}, got {start:g}").format(end=end, start=options.start)
        raise UsageError(tr("{file}: --from: {said}").format(file=options.file, said=said))
    fps = options.fps or _FPS
    seconds = options.seconds or usual_seconds(options.start, end, recording.end_time)
    try:
        times = film_times(options.start, end, fps, seconds)
    except ValueError as error:
        raise UsageError(tr("{file}: --seconds: {error}").format(file=options.file, error=error)) from None
    with drawing(), ProgressLine(tr("Drawing"), "frame") as progress:
        from meshgui.views.offscreen.render import render_film  # noqa: PLC0415 - Qt, only to draw

        look = options.size, options.view, THEMES[options.theme]
        render_film(scenario, recording, times.tolist(), fps, options.out, *look, progress)
    return 0


def _position(recording: Recording, options: Namespace) -> Position:
    """The step that is meant: of the last attempt, the one that placed the job, unless another is named."""
    job = _job(recording, options)
    attempts = recording.attempts_of(job)
    if not attempts:
        raise UsageError(
            tr("{file}: --job: expected a job with allocation attempts, but {job} has none").format(
                file=options.file, job=job
            )
        )
    number = len(attempts) if options.attempt is None else options.attempt
    if not 1 <= number <= len(attempts):
        said = tr("expected an attempt from 1 to {attempts} of job {job}, got {number}").format(
            attempts=len(attempts), job=job, number=number
        )
        raise UsageError(tr("{file}: --attempt: {said}").format(file=options.file, said=said))
    attempt = attempts[number - 1]
    step = _step(options, len(recording.trace(attempt).steps), tr("attempt {number}").format(number=number))
    return Position(recording.attempts[attempt].position, attempt, step)


def _release_position(recording: Recording, options: Namespace) -> Position:
    """The step of a job's release."""
    job = _job(recording, options)
    if not recording.strategy.release_lines:
        said = tr("{id} releases a job by marking its processors free, without further steps").format(
            id=recording.strategy.id
        )
        raise UsageError(tr("{file}: --release: {said}").format(file=options.file, said=said))
    position = int(recording.ended[job])
    if recording.leaving_at(position) != job:
        raise UsageError(
            tr("{file}: --job: expected a job that was released, but {job} was rejected").format(
                file=options.file, job=job
            )
        )
    return Position(
        position,
        step=_step(options, len(recording.trace_release(position).steps), tr("the release")),
        release=True,
    )


def _job(recording: Recording, options: Namespace) -> int:
    job: int = options.job
    jobs = len(recording.jobs)
    if job >= jobs:
        raise UsageError(
            tr("{file}: --job: expected a job from 0 to {jobs}, got {job}").format(
                file=options.file, jobs=jobs - 1, job=job
            )
        )
    return job


def _step(options: Namespace, steps: int, what: str) -> int:
    """The step that is meant, counted from 0; the last one unless another is named."""
    step: int = -1 if options.step is None else options.step
    if step < 0:
        step += max(steps, 1) + 1
    if not 1 <= step <= max(steps, 1):
        said = tr("expected a step from 1 to {steps} of {what} of job {job}, got {step}").format(
            steps=steps, what=what, job=options.job, step=options.step
        )
        raise UsageError(tr("{file}: --step: {said}").format(file=options.file, said=said))
    return step - 1


def _on_a_virtual_screen(options: Namespace) -> int:
    """Do the same in a process of its own: all clients of a screen end with it."""
    width, height = options.size
    words = ["render", *([] if options.file is None else [str(options.file)]), "--out", str(options.out)]
    for name in ("at", "job", "attempt", "step", "fps", "seconds"):
        given = getattr(options, name)
        words += [] if given is None else [f"--{name}", repr(given)]
    for name, given in (("--from", options.start), ("--to", options.end)):
        words += [] if given is None else [name, repr(given)]
    words += ["--release"] if options.release else []
    words += ["--size", f"{width}x{height}", "--view", options.view, "--theme", options.theme]
    try:
        with virtual_screen(width, height) as environment:
            environment[_INSIDE] = "1"
            status = _status_of(subprocess.Popen(itself.command(*words), env=environment))  # noqa: S603 - ourselves
    except VirtualScreenError as error:
        raise WorkFailed(str(error)) from None
    if status < 0:
        raise WorkFailed(
            tr("{out}: drawing ended by signal {value} (try meshgui doctor)").format(
                out=options.out, value=-status
            )
        )
    return status


def _status_of(process: subprocess.Popen[bytes]) -> int:
    """How it ends; it ends with this one, and clears away before."""
    try:
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # `wait` delays an interrupt by 0.25 s
    except BaseException:
        process.terminate()
        patience = Timer(_PATIENCE, process.kill)
        patience.start()
        process.wait()  # with a time limit, it looks twenty times a second alone
        patience.cancel()
        raise
    return process.wait()


def _check_out(out: Path) -> None:
    """Notice before the work what would make it useless."""
    if out.suffix.lower() not in {".png", ""}:
        raise UsageError(
            tr("meshgui render: --out: expected a name that ends in .png, got {out}").format(out=out)
        )
    if out.is_dir():
        raise WorkFailed(tr("{out}: could not be written: is a directory").format(out=out))
    check_folder(out)


def _check_film(options: Namespace) -> None:
    """Notice before the work what would make a film useless."""
    if options.view not in {"mesh", "window"}:
        raise UsageError(
            tr("meshgui render: --view: expected mesh or window for a film, got {view}").format(
                view=options.view
            )
        )
    if options.fps is not None and not 1 <= options.fps <= _MOST_FPS:
        raise UsageError(
            tr("meshgui render: --fps: expected a number from 1 to {MOST_FPS}, got {fps}").format(
                MOST_FPS=_MOST_FPS, fps=options.fps
            )
        )
    try:
        form = film_format(options.out)
    except ValueError as error:
        raise UsageError(tr("meshgui render: --out: {error}").format(error=error)) from None
    if form == FilmFormat.MP4 and shutil.which("ffmpeg") is None:
        raise WorkFailed(tr("an MP4 needs ffmpeg, which is not installed: choose a .gif or a folder of PNGs"))
    if form != FilmFormat.PICTURES and options.out.is_dir():
        raise WorkFailed(tr("{out}: could not be written: is a directory").format(out=options.out))
    check_folder(options.out)


def _keeps_a_tree(scenario: Scenario) -> bool:
    working = strategy(scenario.allocator.name)(scenario.machine, scenario.allocator.options)
    panels = working.inspect(Moment(working.capture())).panels
    return any(isinstance(panel, Tree) for panel in panels)


def _size(text: str) -> tuple[int, int]:
    sides = text.lower().split("x")
    if len(sides) == 2 and all(side.isascii() and side.isdigit() and len(side) < 6 for side in sides):
        width, height = int(sides[0]), int(sides[1])
        if min(width, height) >= _SMALLEST and max(width, height) <= _LARGEST:
            return width, height
    wanted = tr("WIDTHxHEIGHT in pixels, each from {SMALLEST} to {LARGEST}").format(
        SMALLEST=_SMALLEST, LARGEST=_LARGEST
    )
    raise argparse.ArgumentTypeError(tr("expected {wanted}, got {text}").format(wanted=wanted, text=text))
