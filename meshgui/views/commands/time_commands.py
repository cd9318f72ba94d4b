"""The commands that move through time."""

from __future__ import annotations

from functools import partial
from typing import Final

from meshgui.engine.basics.translation import tr
from meshgui.model.stepping.cursor import Cursor
from meshgui.model.stepping.player import Granularity, Player
from meshgui.views.widgets.command import Command, commands_in

STEP_NAMES: Final = {
    Granularity.LINE: tr("line"),
    Granularity.DECISION: tr("decision"),
    Granularity.EVENT: tr("event"),
    Granularity.CYCLE: tr("cycle"),
    Granularity.HOP: tr("hop"),
    Granularity.PACKET: tr("packet"),
}
"""The sizes of a step in words."""

STEP_SIZES: Final = (
    (Granularity.LINE, tr("Arrows move one pseudo-code line"), "code"),
    (
        Granularity.DECISION,
        tr("Arrows move to the next decision of the algorithm"),
        "git-commit-horizontal",
    ),
    (Granularity.EVENT, tr("Arrows move to the next arrival, start or finish"), "clock"),
    (Granularity.CYCLE, tr("Arrows move one cycle of the network"), "activity"),
    (
        Granularity.HOP,
        tr("Arrows move to the next hop of a header; with a packet selected, of that packet's"),
        "arrow-right-to-line",
    ),
    (Granularity.PACKET, tr("Arrows move to where the next packet sets out or arrives"), "network"),
)
"""The sizes of a step, each with its help and its icon; those of the network last."""

NETWORK_STEPS: Final = tuple(f"time.by-{size}" for size, *_ in STEP_SIZES if size.of_network)
"""The commands that need a network."""


def time_commands(player: Player, cursor: Cursor) -> list[Command]:
    """Commands for playing, stepping, and the size of a step."""
    return commands_in(
        tr("Time"),
        ("time.play", tr("Play or pause"), tr("Let time run, or stop it"), player.toggle, ("Space",), "play"),
        (
            "time.forward",
            tr("Step forward"),
            tr("Go forward by one line, decision, event, cycle, hop or packet, as chosen in the tool bar"),
            player.step_forward,
            ("Right", "PgDown"),
            "step-forward",
        ),
        (
            "time.back",
            tr("Step back"),
            tr("Go back by one step of the size chosen in the tool bar"),
            player.step_back,
            ("Left", "PgUp"),
            "step-back",
        ),
        None,
        (
            "time.leap-forward",
            tr("Leap forward"),
            tr("Go forward by an event from inside an attempt or a release, otherwise by ten steps"),
            player.leap_forward,
            ("Shift+Right",),
            "chevrons-right",
        ),
        (
            "time.leap-back",
            tr("Leap back"),
            tr("Go back by an event from inside an attempt or a release, otherwise by ten steps"),
            player.leap_back,
            ("Shift+Left",),
            "chevrons-left",
        ),
        (
            "time.first",
            tr("Go to the start"),
            tr("Back to the empty machine"),
            cursor.first,
            ("Home",),
            "skip-back",
        ),
        ("time.last", tr("Go to the end"), tr("Go to the last event"), cursor.last, ("End",), "skip-forward"),
        None,
        *(
            (
                f"time.by-{size}",
                tr("Step by {size}").format(size=STEP_NAMES[size]),
                help_text,
                partial(player.step_by, size),
                (key,),
                icon,
            )
            for key, (size, help_text, icon) in zip("123456", STEP_SIZES, strict=True)
        ),
        None,
        ("time.faster", tr("Play faster"), tr("Double the speed"), player.faster, ("+", "="), "plus"),
        ("time.slower", tr("Play slower"), tr("Halve the speed"), player.slower, ("-",), "minus"),
        marks={f"time.by-{size}": partial(_steps_by, player, size) for size, *_ in STEP_SIZES},
        synonyms={
            "time.play": tr("run start stop animate go resume"),
            "time.forward": tr("next on"),
            "time.back": tr("previous undo reverse"),
            "time.leap-forward": tr("skip jump fast forward"),
            "time.leap-back": tr("skip jump rewind"),
            "time.first": tr("beginning reset rewind zero"),
            "time.last": tr("finish final"),
            "time.faster": tr("speed up pace quicker"),
            "time.slower": tr("speed down pace"),
            **{f"time.by-{size}": tr("granularity step size arrows") for size, *_ in STEP_SIZES},
        },
    )


def _steps_by(player: Player, size: Granularity) -> bool:
    return player.granularity is size
