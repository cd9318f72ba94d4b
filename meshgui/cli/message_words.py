"""The figures of messages in words, as the commands print them."""

from __future__ import annotations

from typing import Any

from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import percent


def message_rows(of: dict[str, Any]) -> list[tuple[str, str]]:
    """Rows of what `measures.message_figures` gives."""
    if not of["packets"]:  # of none there is no mean, not even 0
        return [(tr("packets"), tr("none"))]
    use = of["channel_use"]
    busiest = (
        tr(", {share} of {link}").format(share=percent(use["max"], ".1f"), link=use["busiest"])
        if use["busiest"] is not None
        else ""
    )
    per_job = (
        tr(", {messages:.4g} per job").format(messages=of["messages_per_job"])
        if "messages_per_job" in of
        else ""
    )
    return [
        (tr("packets"), f"{of['packets']}{per_job}"),
        (
            tr("latency"),
            tr("{cycles:.6g} over {hops:.4g} hops").format(
                cycles=of["latency"]["mean"], hops=of["message_distance"]
            ),
        ),
        (
            tr("blocking"),
            tr("{cycles:.6g}, {share} of packets blocked").format(
                cycles=of["blocking"]["mean"], share=percent(of["blocked_packets"], ".1f")
            ),
        ),
        (tr("use of links"), percent(use["mean"], ".1f") + busiest),
    ]
