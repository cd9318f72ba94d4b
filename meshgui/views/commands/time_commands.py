"""The commands that move through time."""

from __future__ import annotations

from functools import partial
from typing import Final

from meshgui.model.cursor import Cursor
from meshgui.model.player import Granularity, Player
from meshgui.views.widgets.command import Command, commands_in

__all__ = ["NETWORK_STEPS", "STEP_SIZES", "time_commands"]

STEP_SIZES: Final = (
    (Granularity.LINE, "Arrows move one pseudo-code line", "code"),
    (Granularity.DECISION, "Arrows move to the next thing the algorithm settles", "git-commit-horizontal"),
    (Granularity.EVENT, "Arrows move to the next arrival, start or finish", "clock"),
    (Granularity.CYCLE, "Arrows move one cycle of the network", "activity"),
    (
        Granularity.HOP,
        "Arrows move to the next hop of a header; with a packet selected, of that packet's",
        "arrow-right-to-line",
    ),
    (Granularity.PACKET, "Arrows move to where the next packet sets out or arrives", "network"),
)
"""The sizes of a step, each with its help and its icon; those of the network last."""

NETWORK_STEPS: Final = tuple(f"time.by-{size}" for size, *_ in STEP_SIZES if size.of_network)
"""The commands that need a network."""


def time_commands(player: Player, cursor: Cursor) -> list[Command]:
    """Commands for playing, stepping, and the size of a step."""
    return commands_in(
        "Time",
        ("time.play", "Play or pause", "Let time run, or stop it", player.toggle, ("Space",), "play"),
        (
            "time.forward",
            "Step forward",
            "Go on by one line, decision, event, cycle, hop or packet, as chosen in the tool bar",
            player.step_forward,
            ("Right", "PgDown"),
            "step-forward",
        ),
        (
            "time.back",
            "Step back",
            "Go back by one step of the size chosen in the tool bar",
            player.step_back,
            ("Left", "PgUp"),
            "step-back",
        ),
        None,
        (
            "time.leap-forward",
            "Leap forward",
            "Go on by an event from inside an attempt or a release, otherwise by ten steps",
            player.leap_forward,
            ("Shift+Right",),
            "chevrons-right",
        ),
        (
            "time.leap-back",
            "Leap back",
            "Go back by an event from inside an attempt or a release, otherwise by ten steps",
            player.leap_back,
            ("Shift+Left",),
            "chevrons-left",
        ),
        ("time.first", "Go to the start", "Back to the empty machine", cursor.first, ("Home",), "skip-back"),
        ("time.last", "Go to the end", "On to the last event", cursor.last, ("End",), "skip-forward"),
        None,
        *(
            (f"time.by-{size}", f"Step by {size}", help_text, partial(player.step_by, size), (key,), icon)
            for key, (size, help_text, icon) in zip("123456", STEP_SIZES, strict=True)
        ),
        None,
        ("time.faster", "Play faster", "Double the speed", player.faster, ("+", "="), "plus"),
        ("time.slower", "Play slower", "Halve the speed", player.slower, ("-",), "minus"),
        marks={f"time.by-{size}": partial(_steps_by, player, size) for size, *_ in STEP_SIZES},
        synonyms={
            "time.play": "run start stop animate go resume",
            "time.forward": "next on",
            "time.back": "previous undo reverse",
            "time.leap-forward": "skip jump fast forward",
            "time.leap-back": "skip jump rewind",
            "time.first": "beginning reset rewind zero",
            "time.last": "finish final",
            "time.faster": "speed up pace quicker",
            "time.slower": "speed down pace",
            **{f"time.by-{size}": "granularity step size arrows" for size, *_ in STEP_SIZES},
        },
    )


def _steps_by(player: Player, size: Granularity) -> bool:
    return player.granularity is size
