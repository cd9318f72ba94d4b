"""Everything the window can do, by name: the one list behind its menus, tool bar, palette and keys."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from meshgui.engine.scenario import load_scenario
from meshgui.model.document import SUFFIX
from meshgui.model.player import Granularity
from meshgui.views.commands.registry import Command

if TYPE_CHECKING:
    from meshgui.views.window.main_window import MainWindow

__all__ = ["example_commands", "window_commands"]

_Row = tuple[str, str, str, Callable[[], object], tuple[str, ...], str]  # id, title, help, run, keys, icon


def window_commands(window: MainWindow) -> list[Command]:
    """The commands of a window, in the order of its menus."""
    return [
        *_group("File", _file(window)),
        *_group("Run", _run(window)),
        *_group("Time", _time(window)),
        *_group("Mesh", _mesh(window)),
        *_group("Panels", _panels(window)),
        *_group("Window", _window(window)),
    ]


def example_commands(open_example: Callable[[Path], object]) -> list[Command]:
    """Opening each of the ready scenarios, by its title."""
    from meshgui.model.examples import example_groups  # noqa: PLC0415 - read only when asked for

    return [
        Command(
            f"example.{path.name.removesuffix(SUFFIX)}",
            load_scenario(path).title,
            f"Open this ready scenario ({group.lower()})",
            "Examples",
            partial(open_example, path),
            icon="folder-open",
        )
        for group, paths in example_groups().items()
        for path in paths
    ]


def _group(menu: str, rows: list[_Row]) -> list[Command]:
    return [
        Command(name, title, words, menu, run, shortcuts=keys, icon=icon)
        for name, title, words, run, keys, icon in rows
    ]


def _file(window: MainWindow) -> list[_Row]:
    files = window.files
    return [
        (
            "file.new",
            "New scenario",
            "Start from a default scenario and its form",
            window.new_scenario,
            ("Ctrl+N",),
            "file-plus",
        ),
        (
            "file.open",
            "Open a scenario…",
            "Choose a scenario file; dropping one on the window does the same",
            files.ask_and_open,
            ("Ctrl+O",),
            "folder-open",
        ),
        ("file.save", "Save", "Save the scenario where it came from", files.save, ("Ctrl+S",), "save"),
        (
            "file.save-as",
            "Save as…",
            "Save the scenario in a new place",
            files.save_as,
            ("Ctrl+Shift+S",),
            "download",
        ),
        (
            "file.picture",
            "Save a picture of the mesh…",
            "Write what the mesh view shows into a PNG",
            window.save_picture,
            ("Ctrl+P",),
            "camera",
        ),
        (
            "file.export-picture",
            "Export picture…",
            "Write the plot in focus, or another picture in sight, as PNG, SVG or PDF",
            window.export_picture,
            ("Ctrl+Shift+P",),
            "image",
        ),
        (
            "file.export-table",
            "Export table as CSV…",
            "Write all rows of the table in focus, with its numbers in full",
            window.export_table,
            ("Ctrl+Shift+T",),
            "table",
        ),
        (
            "file.copy-table",
            "Copy table",
            "Copy all rows of the table in focus for a spreadsheet",
            window.copy_table,
            ("Ctrl+Shift+C",),
            "copy",
        ),
        ("file.close", "Quit", "Close the window; the layout is remembered", window.close, ("Ctrl+Q",), "x"),
    ]


def _run(window: MainWindow) -> list[_Row]:
    return [
        (
            "run.start",
            "Run again",
            "Simulate the scenario from its start",
            window.run,
            ("Ctrl+R",),
            "rotate-ccw",
        ),
        (
            "run.stop",
            "Stop the run",
            "Stop simulating; what has been recorded stays",
            window.runs.cancel,
            ("Ctrl+.",),
            "square",
        ),
        (
            "run.edit",
            "Edit the scenario",
            "Open the form with strategy, scheduler, mesh and workload",
            lambda: window.show_dock("scenario"),
            ("Ctrl+E",),
            "sliders-horizontal",
        ),
        (
            "run.experiment",
            "Experiment…",
            "Vary fields of the scenario, and run every combination until it is known well enough",
            window.open_experiment,
            ("Ctrl+Shift+E",),
            "chart-line",
        ),
        (
            "run.gallery",
            "Published results…",
            "See what papers published beside what comes out here, run it, and open its scenarios",
            window.open_gallery,
            ("Ctrl+Shift+G",),
            "list",
        ),
        (
            "run.about",
            "About this strategy",
            "Read how the strategy works, with an example to open",
            window.toggle_strategy_help,
            ("F1",),
            "circle-question-mark",
        ),
        (
            "run.about-network",
            "About the network",
            "Read how packets travel and wait, with an example to open",
            window.toggle_network_help,
            ("Shift+F1",),
            "circle-question-mark",
        ),
        (
            "run.about-experiments",
            "About experiments",
            "Read how runs are repeated until their means are known, and where they are kept",
            window.toggle_experiments_help,
            (),
            "circle-question-mark",
        ),
        (
            "run.about-scenario",
            "About this scenario",
            "Read what there is to see in it, and which keys to press",
            window.toggle_scenario_notes,
            ("Ctrl+F1",),
            "info",
        ),
    ]


def _time(window: MainWindow) -> list[_Row]:
    player, transport, cursor = window.player, window.transport, window.time_cursor
    return [
        ("time.play", "Play or pause", "Let time run, or stop it", player.toggle, ("Space",), "play"),
        (
            "time.forward",
            "Step forward",
            "Go on by one line, decision, event, cycle, hop or packet, as chosen in the tool bar",
            transport.step_forward,
            ("Right",),
            "step-forward",
        ),
        (
            "time.back",
            "Step back",
            "Go back by one step of the size chosen in the tool bar",
            transport.step_back,
            ("Left",),
            "step-back",
        ),
        (
            "time.leap-forward",
            "Leap forward",
            "Go on by an event from inside an attempt, otherwise by ten steps",
            transport.leap_forward,
            ("Shift+Right",),
            "chevrons-right",
        ),
        (
            "time.leap-back",
            "Leap back",
            "Go back by an event from inside an attempt, otherwise by ten steps",
            transport.leap_back,
            ("Shift+Left",),
            "chevrons-left",
        ),
        ("time.first", "Go to the start", "Back to the empty machine", cursor.first, ("Home",), "skip-back"),
        ("time.last", "Go to the end", "On to the last event", cursor.last, ("End",), "skip-forward"),
        (
            "time.by-line",
            "Step by line",
            "Arrows move one pseudo-code line",
            lambda: window.step_by(Granularity.LINE),
            ("1",),
            "code",
        ),
        (
            "time.by-decision",
            "Step by decision",
            "Arrows move to the next thing the algorithm settles",
            lambda: window.step_by(Granularity.DECISION),
            ("2",),
            "git-commit-horizontal",
        ),
        (
            "time.by-event",
            "Step by event",
            "Arrows move to the next arrival, start or finish",
            lambda: window.step_by(Granularity.EVENT),
            ("3",),
            "clock",
        ),
        (
            "time.by-cycle",
            "Step by cycle",
            "Arrows move one cycle of the network",
            lambda: window.step_by(Granularity.CYCLE),
            ("4",),
            "activity",
        ),
        (
            "time.by-hop",
            "Step by hop",
            "Arrows move to the next hop of a header; with a packet selected, of that packet's",
            lambda: window.step_by(Granularity.HOP),
            ("5",),
            "arrow-right-to-line",
        ),
        (
            "time.by-packet",
            "Step by packet",
            "Arrows move to where the next packet sets out or arrives",
            lambda: window.step_by(Granularity.PACKET),
            ("6",),
            "network",
        ),
        ("time.faster", "Play faster", "Double the speed", transport.faster, ("+", "="), "plus"),
        ("time.slower", "Play slower", "Halve the speed", transport.slower, ("-",), "minus"),
    ]


def _mesh(window: MainWindow) -> list[_Row]:
    mesh = window.mesh
    return [
        ("mesh.home", "Mesh from the corner", "The view the mesh opens with", mesh.home, ("H",), "house"),
        ("mesh.top", "Mesh from above", "Look straight down", mesh.top, ("T",), "square"),
        ("mesh.front", "Mesh from the front", "Look along y", mesh.front, ("F",), "box"),
        ("mesh.side", "Mesh from the side", "Look along x", mesh.side, ("S",), "axis-3d"),
        ("mesh.closer", "Closer", "Zoom in", mesh.zoom_in, ("Ctrl++", "Ctrl+="), "zoom-in"),
        ("mesh.farther", "Farther", "Zoom out", mesh.zoom_out, ("Ctrl+-",), "zoom-out"),
        (
            "mesh.explode",
            "Explode the layers",
            "Move the layers apart to see inside, or put them together",
            window.toggle_explode,
            ("E",),
            "layers",
        ),
        (
            "mesh.flat",
            "Flat or solid",
            "Change between the 3D view and the layers side by side",
            mesh.toggle_flat,
            ("L",),
            "grid-3x3",
        ),
        (
            "mesh.network",
            "Show the network",
            "Show links and packets over the jobs, or the jobs alone",
            mesh.toggle_network,
            ("N",),
            "network",
        ),
        (
            "mesh.use",
            "Show the use of channels",
            "Colour channels by how much they carried over the cycles looked at, or show packets again",
            mesh.toggle_use,
            ("U",),
            "gauge",
        ),
    ]


_PANEL_ICONS = {
    "queue": "list-ordered",
    "job": "info",
    "scenario": "sliders-horizontal",
    "algorithm": "code",
    "inspector": "table",
    "timeline": "history",
    "plots": "chart-line",
    "network": "network",
}


def _panels(window: MainWindow) -> list[_Row]:
    rows: list[_Row] = []
    for number, (name, dock) in enumerate(window.docks.items(), start=1):
        title = dock.windowTitle()
        words = f"Show or hide the {title.lower()} panel"
        toggle = partial(window.toggle_dock, name)
        rows.append(
            (f"panel.{name}", f"{title} panel", words, toggle, (f"Ctrl+{number}",), _PANEL_ICONS[name])
        )
    return [
        *rows,
        (
            "panel.fold",
            "Only the mesh",
            "Fold every panel away, or bring all back where they were",
            window.toggle_fold,
            ("M",),
            "maximize",
        ),
        (
            "panel.reset",
            "Reset the panels",
            "Put every panel back where it first was",
            window.reset_layout,
            (),
            "undo-2",
        ),
    ]


def _window(window: MainWindow) -> list[_Row]:
    return [
        (
            "window.lecture",
            "Lecture",
            "Fill the screen, in letters for the last row; again to go back",
            window.toggle_lecture,
            ("F5", "F11"),
            "presentation",
        ),
        (
            "window.theme",
            "Light or dark",
            "Change between the light and the dark theme",
            window.themes.toggle,
            ("D",),
            "contrast",
        ),
        (
            "window.palette",
            "Find a command",
            "Type a few letters of anything the window can do",
            window.toggle_palette,
            ("Ctrl+K",),
            "command",
        ),
        ("window.keys", "Keys", "Show every key on one sheet", window.toggle_keys, ("?",), "keyboard"),
    ]
