"""Finds the runs of a store that are not taken because a plug-in has changed since."""

from __future__ import annotations

import json

from meshgui.experiment.bundle_format import other_versions
from meshgui.experiment.grid import Experiment
from meshgui.experiment.run_spec import RunSpec
from meshgui.experiment.store import Store

__all__ = ["other_code"]


def other_code(experiment: Experiment, store: Store) -> str:
    """What a store's runs of a point were made with, where it has some of other code alone; else empty."""
    points = {point.spec.key: point.spec for point in experiment.points if '"plugins":' in point.spec.text}
    kept = {spec.key for spec in store.specs()} if points else set()
    wanted = {_without_plugins(spec): spec for key, spec in points.items() if key not in kept}
    for spec in store.specs() if wanted else ():
        if (now := wanted.get(_without_plugins(spec))) is not None:
            return other_versions(spec.data.get("plugins", {}), now.data["plugins"])
    return ""


def _without_plugins(spec: RunSpec) -> str:
    """The work of a specification without the code of its plug-ins."""
    return json.dumps({**spec.data, "plugins": None}, sort_keys=True)
