"""The commands that move through time."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from meshgui.engine.basics.translation import tr
from meshgui.model.stepping.player import Granularity, Player
from meshgui.views.style.direction import keys_of_time
from meshgui.views.widgets.command import Command, commands_in
from meshgui.views.widgets.context import Context


class Move(NamedTuple):
    """A way through time, and what it does in words."""

    run: Callable[[], object]
    help: str


class Moves(NamedTuple):
    """What the keys of time do where a run, or several, are shown."""

    toggle: Callable[[], object]
    forward: Move
    back: Move
    leap_forward: Move
    leap_back: Move
    first: Callable[[], object]
    last: Callable[[], object]
    faster: Move
    slower: Move


def time_commands(player: Player, context: Context) -> list[Command]:
    """Commands for playing, stepping, and the size of a step."""
    moves = Moves(
        player.toggle,
        Move(
            player.step_forward,
            tr("Go forward by one step of the size chosen in the tool bar"),
        ),
        Move(player.step_back, tr("Go back by one step of the size chosen in the tool bar")),
        Move(
            player.leap_forward,
            tr("Go forward by an event from inside an attempt or a release, otherwise by ten steps"),
        ),
        Move(
            player.leap_back,
            tr("Go back by an event from inside an attempt or a release, otherwise by ten steps"),
        ),
        context.cursor.first,
        context.cursor.last,
        Move(player.faster, tr("Double the speed")),
        Move(player.slower, tr("Halve the speed")),
    )
    sizes = (
        Command(
            f"time.by-{size}",
            tr("Step by {size}").format(size=size.record.word),
            size.record.help,
            partial(player.step_by, size),
            (size.record.key,),
            size.record.icon,
            mark=partial(_steps_by, player, size),
            enabled_when=context.has_network if size.record.of_network else None,
            synonyms=tr("granularity step size arrows"),
        )
        for size in Granularity
    )
    return move_commands(moves, *sizes)


def move_commands(moves: Moves, *sizes: Command) -> list[Command]:
    """The commands of the keys of time, with those of the size of a step where there are several."""
    onward, backward = keys_of_time()
    return commands_in(
        tr("Time"),
        Command(
            "time.play",
            tr("Play or pause"),
            tr("Let time run, or stop it"),
            moves.toggle,
            ("Space",),
            "play",
            synonyms=tr("run start stop animate go resume"),
        ),
        Command(
            "time.forward",
            tr("Step forward"),
            moves.forward.help,
            moves.forward.run,
            (onward, "PgDown"),
            "step-forward",
            synonyms=tr("next on"),
        ),
        Command(
            "time.back",
            tr("Step back"),
            moves.back.help,
            moves.back.run,
            (backward, "PgUp"),
            "step-back",
            synonyms=tr("previous undo reverse"),
        ),
        None,
        Command(
            "time.leap-forward",
            tr("Leap forward"),
            moves.leap_forward.help,
            moves.leap_forward.run,
            (f"Shift+{onward}",),
            "chevrons-right",
            synonyms=tr("skip jump fast forward"),
        ),
        Command(
            "time.leap-back",
            tr("Leap back"),
            moves.leap_back.help,
            moves.leap_back.run,
            (f"Shift+{backward}",),
            "chevrons-left",
            synonyms=tr("skip jump rewind"),
        ),
        Command(
            "time.first",
            tr("Go to the start"),
            tr("Back to the empty machine"),
            moves.first,
            ("Home",),
            "skip-back",
            synonyms=tr("beginning reset rewind zero"),
        ),
        Command(
            "time.last",
            tr("Go to the end"),
            tr("Go to the last event"),
            moves.last,
            ("End",),
            "skip-forward",
            synonyms=tr("finish final"),
        ),
    ) + commands_in(
        f"{tr('Time')}/{tr('Steps and speed')}",
        *sizes,
        None,
        Command(
            "time.faster",
            tr("Play faster"),
            moves.faster.help,
            moves.faster.run,
            ("+", "="),
            "plus",
            synonyms=tr("speed up pace quicker"),
        ),
        Command(
            "time.slower",
            tr("Play slower"),
            moves.slower.help,
            moves.slower.run,
            ("-",),
            "minus",
            synonyms=tr("speed down pace"),
        ),
    )


def _steps_by(player: Player, size: Granularity) -> bool:
    return player.granularity is size
