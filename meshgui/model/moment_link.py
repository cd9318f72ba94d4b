"""Links to moments, `meshgui://…`: the scenario, or the name of its file, with the place in its run."""

from __future__ import annotations

import json
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qs, quote, unquote, urlencode, urlsplit

from meshgui.engine.basics.translation import tr
from meshgui.engine.scenario import LARGEST_FILE, Scenario, ScenarioError, load_file, scenario_from

__all__ = ["SCHEME", "LinkedMoment", "is_link", "moment_link", "read_link"]

SCHEME: Final = "meshgui"
_LONGEST: Final = 4000  # characters that every program takes as a link
_NUMBERS: Final = ("events", "attempt", "step", "job", "packet")


class LinkedMoment(NamedTuple):
    """What a link leads to: a scenario, its file if it is named, and the moment."""

    scenario: Scenario
    path: Path | None
    view: dict[str, Any]


def is_link(text: str) -> bool:
    """Whether a text can only be meant as a link."""
    return text.strip().lower().startswith(f"{SCHEME}:")


def moment_link(scenario: Scenario, path: Path | None, view: Mapping[str, Any]) -> str:
    """A link to a moment. It holds the scenario, so that it works anywhere; a long one names its file."""
    query: dict[str, Any] = {"at": repr(view.get("time", 0.0))}
    query |= {key: view[key] for key in ("events", "attempt", "step") if key in view}
    query |= {"release": 1} if view.get("release") else {}
    selection = view.get("selection") or {}
    query |= {key: selection[key] for key in ("job", "packet") if key in selection}
    packed = zlib.compress(scenario.model_dump_json().encode(), 9)
    link = f"{SCHEME}://scenario/{urlsafe_b64encode(packed).decode().rstrip('=')}?{urlencode(query)}"
    if len(link) <= _LONGEST:
        return link
    if path is None:
        raise ScenarioError(tr("expected a shorter scenario, or one that is saved in a file, for a link"))
    return f"{SCHEME}://file{quote(path.absolute().as_posix())}?{urlencode(query)}"


def read_link(link: str) -> LinkedMoment:
    """The moment that a link leads to; one that cannot be read raises ScenarioError."""
    try:
        parts = urlsplit(link.strip())
    except ValueError:
        raise ScenarioError(tr("expected a link that is whole"), file=_short(link)) from None
    view = _view_in(parse_qs(parts.query))
    if parts.netloc == "file":
        path = Path(unquote(parts.path))
        scenario, kept = load_file(path)
        return LinkedMoment(scenario, path, {**kept, **view})
    if parts.netloc != "scenario":
        raise ScenarioError(
            tr("expected {SCHEME}://scenario/… or {SCHEME}://file/…").format(SCHEME=SCHEME), file=_short(link)
        )
    code = parts.path.strip("/")
    try:
        unpack = zlib.decompressobj()
        text = unpack.decompress(urlsafe_b64decode(code + "=" * (-len(code) % 4)), LARGEST_FILE)
        data = json.loads(text)
    except (ValueError, zlib.error, RecursionError):
        raise ScenarioError(tr("expected a link that is whole"), file=_short(link)) from None
    if not isinstance(data, dict):
        raise ScenarioError(tr("expected a link to a scenario"), file=_short(link))
    return LinkedMoment(scenario_from({"meshgui": 1, **data}, tr("the link")), None, view)


def _view_in(query: Mapping[str, list[str]]) -> dict[str, Any]:
    """The moment in the words after the question mark; those that are no numbers are left out."""
    view: dict[str, Any] = {}
    try:
        view["time"] = float(query["at"][-1])
    except (KeyError, ValueError):
        return view
    numbers = {key: int(query[key][-1]) for key in _NUMBERS if query.get(key, [""])[-1].isdecimal()}
    selection = {key: numbers.pop(key) for key in ("job", "packet") if key in numbers}
    return view | numbers | ({"release": True} if "release" in query else {}) | {"selection": selection}


def _short(link: str) -> str:
    return link if len(link) <= 60 else f"{link[:57]}…"
