"""Entries of published results for tests: two strategies on a small mesh."""

from meshgui.catalogue.entries import entry_from

__all__ = ["an_entry"]


def an_entry(*numbers, loads=(), ratios=None, least=2, most=100, side=8, jobs=1000, quick=1):
    """An entry with two strategies in two settings, and these numbers of the first."""
    setting = {
        "what": f"{side}×{side}",
        "scenario": {
            "meshgui": 1,
            "mesh": {"shape": [side, side]},
            "workload": {"kind": "stochastic", "jobs": jobs, "load": 1.0},
        },
        "strategies": {"ff": {"name": "ff"}, "gabl": {"name": "gabl"}},
        "loads": list(loads),
    }
    return entry_from(
        {
            "id": "000-X",
            "title": "Two strategies",
            "source": "000",
            "text": "Nothing is claimed.",
            "least": least,
            "most": most,
            "quick": {"runs": quick, "jobs": 100},
            "settings": {"here": setting | {"numbers": list(numbers), "ratios": ratios}, "there": setting},
        }
    )
