"""Links to moments, `meshgui://…`: the scenario, or the name of its file, with the place in its run."""

from __future__ import annotations

import json
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, quote, unquote, urlencode, urlsplit

from meshgui.engine.basics.files import is_elsewhere
from meshgui.engine.basics.json_text import read_json
from meshgui.engine.basics.limits import MAX_SCENARIO, max_json_memory, max_unpacked
from meshgui.engine.basics.translation import tr
from meshgui.engine.scenario import Scenario, ScenarioError, refuse_elsewhere, scenario_from
from meshgui.model.base.limits import MAX_LINK
from meshgui.model.document.document import DocumentState

SCHEME: Final = "meshgui"
_LONGEST: Final = 4000  # characters that every program takes as a link
_DIGITS: Final = 20  # no run counts so far, and Python refuses to read a number of thousands
_PLACE: Final = ("time", "events", "attempt", "step", "release")
_NUMBERS: Final = ("events", "attempt", "step", "job", "packet")


def is_link(text: str) -> bool:
    """Whether a text can only be meant as a link."""
    return text.strip().lower().startswith(f"{SCHEME}:")


def moment_link(scenario: Scenario, path: Path | None, view: Mapping[str, Any]) -> str:
    """A link to a moment. It holds the scenario, so that it works anywhere; a long one names its file.

    One that would still be too long leads to the place in the run, without what else is to be seen.
    """
    place = _place_query(view)
    rest = {key: value for key, value in view.items() if key not in _PLACE}
    inside = f"scenario/{_packed(scenario.model_dump_json())}"
    places = [inside] if path is None else [inside, f"file{quote(path.absolute().as_posix())}"]
    whole = place | ({"view": _packed(json.dumps(rest))} if rest else {})
    links = [f"{SCHEME}://{where}?{urlencode(query)}" for query in (whole, place) for where in places]
    short = next((link for link in links if len(link) <= _LONGEST), None)
    if short is None and path is None:
        raise ScenarioError(tr("expected a shorter scenario, or one that is saved in a file, for a link"))
    return short or links[-1]


def read_link(link: str) -> DocumentState:
    """The scenario and moment that a link leads to; one that cannot be read raises ScenarioError."""
    if len(link) > MAX_LINK:
        raise ScenarioError(
            tr("expected a link of at most {most} characters").format(most=MAX_LINK), file=_short(link)
        )
    try:
        parts = urlsplit(link.strip())
    except ValueError:
        raise ScenarioError(tr("expected a link that is complete"), file=_short(link)) from None
    view = _view_in(parse_qs(parts.query), link)
    if parts.netloc == "file":
        path = unquote(parts.path)
        if is_elsewhere(path):
            raise ScenarioError(tr("expected a link to a file of this machine"), file=_short(link))
        found = DocumentState.read(Path(path))
        found.look_from(view)
        return found
    if parts.netloc != "scenario":
        raise ScenarioError(
            tr("expected {SCHEME}://scenario/… or {SCHEME}://file/…").format(SCHEME=SCHEME), file=_short(link)
        )
    data = _unpacked(parts.path.strip("/"), link)
    if not isinstance(data, dict):
        raise ScenarioError(tr("expected a link to a scenario"), file=_short(link))
    refuse_elsewhere(data, tr("the link"))
    return DocumentState.opened(scenario_from({"meshgui": 1, **data}, tr("the link")), view=view)


def _place_query(view: Mapping[str, Any]) -> dict[str, Any]:
    """The place in the run, and the job and packet, as words that can be read and typed."""
    query: dict[str, Any] = {"at": repr(view.get("time", 0.0))}
    query |= {key: view[key] for key in ("events", "attempt", "step") if key in view}
    query |= {"release": 1} if view.get("release") else {}
    selection = view.get("selection") or {}
    return query | {key: selection[key] for key in ("job", "packet") if key in selection}


def _view_in(query: Mapping[str, list[str]], link: str) -> dict[str, Any]:
    """The moment in the words after the question mark; those that are no numbers are left out."""
    rest = _unpacked(query["view"][-1], link) if "view" in query else {}
    view: dict[str, Any] = dict(rest) if isinstance(rest, dict) else {}
    try:
        view["time"] = float(query["at"][-1])
    except (KeyError, ValueError):
        return view
    words = {key: query[key][-1] for key in _NUMBERS if key in query}
    numbers = {key: int(word) for key, word in words.items() if word.isdecimal() and len(word) < _DIGITS}
    kept = view.get("selection")
    selection = dict(kept) if isinstance(kept, dict) else {}
    selection |= {key: numbers.pop(key) for key in ("job", "packet") if key in numbers}
    return view | numbers | ({"release": True} if "release" in query else {}) | {"selection": selection}


def _packed(text: str) -> str:
    return urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def _unpacked(code: str, link: str) -> object:
    """What was packed; a link that was cut off raises ScenarioError."""
    try:
        unpack, packed = zlib.decompressobj(), urlsafe_b64decode(code + "=" * (-len(code) % 4))
        text = unpack.decompress(packed, max_unpacked(len(packed), MAX_SCENARIO))
        if unpack.eof:
            return read_json(text, most=max_json_memory(len(packed)))
    except (ValueError, zlib.error):
        pass
    raise ScenarioError(tr("expected a link that is complete"), file=_short(link)) from None


def _short(link: str) -> str:
    return link if len(link) <= 60 else f"{link[:57]}…"
