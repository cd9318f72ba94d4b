"""Everything the window can do, by name: the one list behind its menus, tool bar, palette and keys."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from meshgui.model.player import Granularity
from meshgui.views.commands import Command

if TYPE_CHECKING:
    from meshgui.views.main_window import MainWindow

__all__ = ["window_commands"]


def window_commands(window: MainWindow) -> list[Command]:
    """The commands of a window, in the order of its menus."""
    return [*_file(window), *_run(window), *_time(window), *_mesh(window), *_panels(window), *_window(window)]


def _file(window: MainWindow) -> list[Command]:
    files = window.files
    return [
        Command(
            "file.new",
            "New scenario",
            "Start from a default scenario and its form",
            "File",
            window.new_scenario,
            shortcuts=("Ctrl+N",),
            icon="file-plus",
        ),
        Command(
            "file.open",
            "Open a scenario…",
            "Choose a scenario file; dropping one on the window does the same",
            "File",
            files.ask_and_open,
            shortcuts=("Ctrl+O",),
            icon="folder-open",
        ),
        Command(
            "file.save",
            "Save",
            "Save the scenario where it came from",
            "File",
            files.save,
            shortcuts=("Ctrl+S",),
            icon="save",
        ),
        Command(
            "file.save-as",
            "Save as…",
            "Save the scenario in a new place",
            "File",
            files.save_as,
            shortcuts=("Ctrl+Shift+S",),
            icon="download",
        ),
        Command(
            "file.picture",
            "Save a picture of the mesh…",
            "Write what the mesh view shows into a PNG",
            "File",
            window.save_picture,
            shortcuts=("Ctrl+P",),
            icon="camera",
        ),
        Command(
            "file.close",
            "Quit",
            "Close the window; the layout is remembered",
            "File",
            window.close,
            shortcuts=("Ctrl+Q",),
            icon="x",
        ),
    ]


def _run(window: MainWindow) -> list[Command]:
    return [
        Command(
            "run.start",
            "Run again",
            "Simulate the scenario from its start",
            "Run",
            window.run,
            shortcuts=("Ctrl+R",),
            icon="rotate-ccw",
        ),
        Command(
            "run.stop",
            "Stop the run",
            "Stop simulating; what has been recorded stays",
            "Run",
            window.runs.cancel,
            shortcuts=("Ctrl+.",),
            icon="square",
        ),
        Command(
            "run.edit",
            "Edit the scenario",
            "Open the form with strategy, scheduler, mesh and workload",
            "Run",
            lambda: window.show_dock("scenario"),
            shortcuts=("Ctrl+E",),
            icon="sliders-horizontal",
        ),
    ]


def _time(window: MainWindow) -> list[Command]:
    transport = window.transport
    place = window.place
    return [
        Command(
            "time.play",
            "Play or pause",
            "Let time run, or stop it",
            "Time",
            window.player.toggle,
            shortcuts=("Space",),
            icon="play",
        ),
        Command(
            "time.forward",
            "Step forward",
            "Go on by one line, decision or event, as chosen in the tool bar",
            "Time",
            transport.step_forward,
            shortcuts=("Right",),
            icon="step-forward",
        ),
        Command(
            "time.back",
            "Step back",
            "Go back by one line, decision or event",
            "Time",
            transport.step_back,
            shortcuts=("Left",),
            icon="step-back",
        ),
        Command(
            "time.leap-forward",
            "Leap forward",
            "Go on by a larger step",
            "Time",
            transport.leap_forward,
            shortcuts=("Shift+Right",),
            icon="chevrons-right",
        ),
        Command(
            "time.leap-back",
            "Leap back",
            "Go back by a larger step",
            "Time",
            transport.leap_back,
            shortcuts=("Shift+Left",),
            icon="chevrons-left",
        ),
        Command(
            "time.first",
            "Go to the start",
            "Back to the empty machine",
            "Time",
            place.first,
            shortcuts=("Home",),
            icon="skip-back",
        ),
        Command(
            "time.last",
            "Go to the end",
            "On to the last event",
            "Time",
            place.last,
            shortcuts=("End",),
            icon="skip-forward",
        ),
        Command(
            "time.by-line",
            "Step by line",
            "Arrows move one pseudo-code line",
            "Time",
            lambda: window.step_by(Granularity.LINE),
            shortcuts=("1",),
            icon="code",
        ),
        Command(
            "time.by-decision",
            "Step by decision",
            "Arrows move to the next thing the algorithm settles",
            "Time",
            lambda: window.step_by(Granularity.DECISION),
            shortcuts=("2",),
            icon="git-commit-horizontal",
        ),
        Command(
            "time.by-event",
            "Step by event",
            "Arrows move to the next arrival, start or finish",
            "Time",
            lambda: window.step_by(Granularity.EVENT),
            shortcuts=("3",),
            icon="clock",
        ),
        Command(
            "time.faster",
            "Play faster",
            "Double the speed",
            "Time",
            transport.faster,
            shortcuts=("+", "="),
            icon="plus",
        ),
        Command(
            "time.slower",
            "Play slower",
            "Halve the speed",
            "Time",
            transport.slower,
            shortcuts=("-",),
            icon="minus",
        ),
    ]


def _mesh(window: MainWindow) -> list[Command]:
    mesh = window.mesh
    return [
        Command(
            "mesh.home",
            "Mesh from the corner",
            "The view the mesh opens with",
            "Mesh",
            mesh.home,
            shortcuts=("H",),
            icon="house",
        ),
        Command(
            "mesh.top",
            "Mesh from above",
            "Look straight down",
            "Mesh",
            mesh.top,
            shortcuts=("T",),
            icon="square",
        ),
        Command(
            "mesh.front",
            "Mesh from the front",
            "Look along y",
            "Mesh",
            mesh.front,
            shortcuts=("F",),
            icon="box",
        ),
        Command(
            "mesh.side",
            "Mesh from the side",
            "Look along x",
            "Mesh",
            mesh.side,
            shortcuts=("S",),
            icon="axis-3d",
        ),
        Command(
            "mesh.closer",
            "Closer",
            "Zoom in",
            "Mesh",
            mesh.zoom_in,
            shortcuts=("Ctrl++", "Ctrl+="),
            icon="zoom-in",
        ),
        Command(
            "mesh.farther",
            "Farther",
            "Zoom out",
            "Mesh",
            mesh.zoom_out,
            shortcuts=("Ctrl+-",),
            icon="zoom-out",
        ),
        Command(
            "mesh.explode",
            "Explode the layers",
            "Move the layers apart to see inside, or put them together",
            "Mesh",
            window.toggle_explode,
            shortcuts=("E",),
            icon="layers",
        ),
        Command(
            "mesh.flat",
            "Flat or solid",
            "Change between the 3D view and the layers side by side",
            "Mesh",
            mesh.toggle_flat,
            shortcuts=("L",),
            icon="grid-3x3",
        ),
    ]


def _panels(window: MainWindow) -> list[Command]:
    commands = []
    icons = {
        "queue": "list-ordered",
        "job": "info",
        "scenario": "sliders-horizontal",
        "algorithm": "code",
        "inspector": "table",
        "timeline": "history",
        "plots": "chart-line",
    }
    for number, (name, dock) in enumerate(window.docks.items(), start=1):
        title = dock.windowTitle()
        commands.append(
            Command(
                f"panel.{name}",
                f"{title} panel",
                f"Show or hide the {title.lower()} panel",
                "Panels",
                partial(window.toggle_dock, name),
                shortcuts=(f"Ctrl+{number}",),
                icon=icons[name],
            )
        )
    return [
        *commands,
        Command(
            "panel.fold",
            "Only the mesh",
            "Fold every panel away, or bring all back where they were",
            "Panels",
            window.toggle_fold,
            shortcuts=("M",),
            icon="maximize",
        ),
        Command(
            "panel.reset",
            "Reset the panels",
            "Put every panel back where it first was",
            "Panels",
            window.reset_layout,
            icon="undo-2",
        ),
    ]


def _window(window: MainWindow) -> list[Command]:
    return [
        Command(
            "window.lecture",
            "Lecture",
            "Fill the screen, in letters for the last row; again to go back",
            "Window",
            window.toggle_lecture,
            shortcuts=("F5", "F11"),
            icon="presentation",
        ),
        Command(
            "window.theme",
            "Light or dark",
            "Change between the light and the dark theme",
            "Window",
            window.themes.toggle,
            shortcuts=("D",),
            icon="contrast",
        ),
        Command(
            "window.palette",
            "Find a command",
            "Type a few letters of anything the window can do",
            "Window",
            window.toggle_palette,
            shortcuts=("Ctrl+K",),
            icon="command",
        ),
        Command(
            "window.keys",
            "Keys",
            "Show every key on one sheet",
            "Window",
            window.toggle_keys,
            shortcuts=("?",),
            icon="keyboard",
        ),
    ]
