"""The figures of messages in words, as the commands print them."""

from __future__ import annotations

from typing import Any

__all__ = ["message_rows"]


def message_rows(of: dict[str, Any]) -> list[tuple[str, str]]:
    """Rows of what `measures.message_figures` gives."""
    if not of["packets"]:  # of none there is no mean, not even 0
        return [("packets", "none")]
    use = of["channel_use"]
    busiest = f", {use['max']:.1%} of {use['busiest']}" if use["busiest"] is not None else ""
    per_job = f", {of['messages_per_job']:.4g} per job" if "messages_per_job" in of else ""
    return [
        ("packets", f"{of['packets']}{per_job}"),
        ("latency", f"{of['latency']['mean']:.6g} over {of['message_distance']:.4g} hops"),
        ("blocking", f"{of['blocking']['mean']:.6g}, {of['blocked_packets']:.1%} of packets blocked"),
        ("use of links", f"{use['mean']:.1%}{busiest}"),
    ]
