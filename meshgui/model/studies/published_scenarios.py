"""The scenarios behind a published result, as they are opened in the mesh."""

from __future__ import annotations

from meshgui.catalogue.entries import CatalogueEntry, ResultPoint, Setting
from meshgui.catalogue.sources import cited
from meshgui.engine.basics.translation import tr
from meshgui.engine.scenario import Scenario
from meshgui.model.manual.pages import as_markdown

_SEED = 1  # that of the first run of every point
_LONGEST = 200  # letters of a title


def points_of(entry: CatalogueEntry, setting: Setting) -> tuple[ResultPoint, ...]:
    """What was run of a setting, the first number's strategy and load first."""
    run = [point for point in entry.points if point.setting == setting.name]
    if run:
        return tuple(run)
    loads: tuple[float | None, ...] = setting.loads or (None,)
    return tuple(ResultPoint(setting.name, name, load) for name in setting.strategies for load in loads)


def point_words(point: ResultPoint) -> str:
    """A strategy, and the load where there are several: `tbl at load 5.8`."""
    return (
        point.strategy
        if point.load is None
        else tr("{strategy} at load {load:g}").format(strategy=point.strategy, load=point.load)
    )


def scenario_to_see(entry: CatalogueEntry, point: ResultPoint) -> Scenario:
    """The first run of a point, under a title and with notes that say what it is of."""
    setting = entry.settings[point.setting]
    source, name = cited(setting.source), setting.readers_name
    where = tr(", ") + name if name not in source else ""
    title = f"{source}{where}: {point_words(point)}"
    words = tr("{source}: {title}. {text}\n\nThe setting: {setting}.").format(
        source=source, title=entry.title, text=entry.text, setting=setting.what
    )
    changed = {"seed": _SEED, "title": title[:_LONGEST], "notes": as_markdown(words)}
    return entry.scenario(point).model_copy(update=changed)
