"""The figures of messages in words, as the commands print them."""

from __future__ import annotations

from typing import Any

from meshgui.engine.basics.translation import tr

__all__ = ["message_rows"]


def message_rows(of: dict[str, Any]) -> list[tuple[str, str]]:
    """Rows of what `measures.message_figures` gives."""
    if not of["packets"]:  # of none there is no mean, not even 0
        return [("packets", "none")]
    use = of["channel_use"]
    busiest = (
        tr(", {use:.1%} of {use2}").format(use=use["max"], use2=use["busiest"])
        if use["busiest"] is not None
        else ""
    )
    per_job = tr(", {of:.4g} per job").format(of=of["messages_per_job"]) if "messages_per_job" in of else ""
    return [
        ("packets", f"{of['packets']}{per_job}"),
        (
            "latency",
            tr("{of:.6g} over {of2:.4g} hops").format(of=of["latency"]["mean"], of2=of["message_distance"]),
        ),
        (
            "blocking",
            tr("{of:.6g}, {of2:.1%} of packets blocked").format(
                of=of["blocking"]["mean"], of2=of["blocked_packets"]
            ),
        ),
        (tr("use of links"), f"{use['mean']:.1%}{busiest}"),
    ]
