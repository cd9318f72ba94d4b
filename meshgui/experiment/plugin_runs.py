"""Finds the runs of a store that are not taken because a plug-in has changed since."""

from __future__ import annotations

import json
from typing import Any

from meshgui.experiment.bundle_format import other_versions
from meshgui.experiment.grid import Experiment
from meshgui.experiment.store import Store


def other_code(experiment: Experiment, store: Store) -> str:
    """What a store's runs of a point were made with, where it has some of other code alone; else empty."""
    points = {point.spec.key: point.spec for point in experiment.points if '"plugins":' in point.spec.text}
    kept = {*store.keys_with_runs()} if points else set()
    missing = [spec.data for key, spec in points.items() if key not in kept]
    plugins = {_without_plugins(work): work["plugins"] for work in missing}
    for work in store.works() if plugins else ():
        made, here = work.get("plugins", {}), plugins.get(_without_plugins(work))
        if here is not None and isinstance(made, dict):
            return other_versions({name: str(made[name]) for name in made}, here)
    return ""


def _without_plugins(work: dict[str, Any]) -> str:
    """Work without the code of its plug-ins, as text that is the same for the same work."""
    return json.dumps({**work, "plugins": None}, sort_keys=True)
