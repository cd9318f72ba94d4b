"""The commands that move through time."""

from __future__ import annotations

from functools import partial

from meshgui.model.cursor import Cursor
from meshgui.model.player import Granularity, Player
from meshgui.views.widgets.command import Command, commands_in

__all__ = ["NETWORK_STEPS", "time_commands"]

NETWORK_STEPS = ("time.by-cycle", "time.by-hop", "time.by-packet")
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
            ("Right",),
            "step-forward",
        ),
        (
            "time.back",
            "Step back",
            "Go back by one step of the size chosen in the tool bar",
            player.step_back,
            ("Left",),
            "step-back",
        ),
        (
            "time.leap-forward",
            "Leap forward",
            "Go on by an event from inside an attempt, otherwise by ten steps",
            player.leap_forward,
            ("Shift+Right",),
            "chevrons-right",
        ),
        (
            "time.leap-back",
            "Leap back",
            "Go back by an event from inside an attempt, otherwise by ten steps",
            player.leap_back,
            ("Shift+Left",),
            "chevrons-left",
        ),
        ("time.first", "Go to the start", "Back to the empty machine", cursor.first, ("Home",), "skip-back"),
        ("time.last", "Go to the end", "On to the last event", cursor.last, ("End",), "skip-forward"),
        (
            "time.by-line",
            "Step by line",
            "Arrows move one pseudo-code line",
            partial(player.step_by, Granularity.LINE),
            ("1",),
            "code",
        ),
        (
            "time.by-decision",
            "Step by decision",
            "Arrows move to the next thing the algorithm settles",
            partial(player.step_by, Granularity.DECISION),
            ("2",),
            "git-commit-horizontal",
        ),
        (
            "time.by-event",
            "Step by event",
            "Arrows move to the next arrival, start or finish",
            partial(player.step_by, Granularity.EVENT),
            ("3",),
            "clock",
        ),
        (
            "time.by-cycle",
            "Step by cycle",
            "Arrows move one cycle of the network",
            partial(player.step_by, Granularity.CYCLE),
            ("4",),
            "activity",
        ),
        (
            "time.by-hop",
            "Step by hop",
            "Arrows move to the next hop of a header; with a packet selected, of that packet's",
            partial(player.step_by, Granularity.HOP),
            ("5",),
            "arrow-right-to-line",
        ),
        (
            "time.by-packet",
            "Step by packet",
            "Arrows move to where the next packet sets out or arrives",
            partial(player.step_by, Granularity.PACKET),
            ("6",),
            "network",
        ),
        ("time.faster", "Play faster", "Double the speed", player.faster, ("+", "="), "plus"),
        ("time.slower", "Play slower", "Halve the speed", player.slower, ("-",), "minus"),
    )
