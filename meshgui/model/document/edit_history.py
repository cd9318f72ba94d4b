"""The edits of a scenario's plain data, to undo and to redo: snapshots, each with what was changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from meshgui.engine.basics.parts import FieldPath
from meshgui.engine.basics.translation import tr, tr_n
from meshgui.model.document.window_moment import WindowMoment

MOST: Final = 300
_ABSENT: Final[tuple[object, ...]] = (None, [], {})  # written or left out, they mean the same
_TAGS: Final = ("kind", "name", "options")  # say which of several things a field belongs to
_ROWS: Final = {"jobs", "packets", "intervals"}
_CALLED: Final[dict[FieldPath, str]] = {
    ("allocator", "name"): tr("strategy"),
    ("mesh", "shape", 0): tr("width"),
    ("mesh", "shape", 1): tr("depth"),
    ("mesh", "shape", 2): tr("height"),
}

Draft = Mapping[str, Any]
"""A scenario as plain data, right or wrong. It is never changed in place."""


class Edit(NamedTuple):
    """One edit: the field, what it does in words, and the data before and after it."""

    path: FieldPath
    words: str
    before: Draft
    after: Draft
    moment: WindowMoment = WindowMoment()  # what was shown when the side that is not in force was left
    in_form: bool = True  # whether it was made in the form, whose field undo leads back to


class EditHistory:
    """The edits made, and those undone. Changes of one field in a row are one, until it is sealed."""

    def __init__(self) -> None:
        self._edits: list[Edit] = []
        self._made = 0  # how many of them are in force; the others are undone
        self._open = False  # whether the next edit of the same field joins the last one

    @property
    def last(self) -> Edit | None:
        """The edit that would be undone."""
        return self._edits[self._made - 1] if self._made else None

    @property
    def next(self) -> Edit | None:
        """The edit that would be redone."""
        return self._edits[self._made] if self._made < len(self._edits) else None

    def record(self, edit: Edit) -> None:
        """Add an edit; what was undone is forgotten."""
        del self._edits[self._made :]
        joins = edit.in_form and not _rows_more(edit.path, edit.before, edit.after)  # no paste after a paste
        if joins and self._open and self._edits and self._edits[-1].path == edit.path:
            first = self._edits.pop()
            edit = edit._replace(before=first.before, moment=first.moment)
        self._edits = [*self._edits, edit][-MOST:]
        self._made = len(self._edits)
        self._open = joins

    def seal(self) -> None:
        """Let the next edit be one of its own, even if it is of the same field."""
        self._open = False

    def undo(self, moment: WindowMoment) -> Edit | None:
        """Step back over the last edit, while a moment is shown, and return it."""
        edit = self.last
        if edit is not None:
            self._made -= 1
            self._edits[self._made] = edit._replace(moment=moment)
        self.seal()
        return edit

    def redo(self, moment: WindowMoment) -> Edit | None:
        """Step over the next edit, while a moment is shown, and return it."""
        edit = self.next
        if edit is not None:
            self._edits[self._made] = edit._replace(moment=moment)
            self._made += 1
        self.seal()
        return edit


def difference(old: object, new: object) -> FieldPath | None:
    """The path of the first value that differs; what says which kind it is counts first."""
    if old is new or old == new or (old in _ABSENT and new in _ABSENT):
        return None
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        names = sorted({**old, **new}, key=lambda name: name not in _TAGS)
        parts = ((name, difference(old.get(name), new.get(name))) for name in names)
        return next(((name, *path) for name, path in parts if path is not None), None)
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        found = ((place, difference(*pair)) for place, pair in enumerate(zip(old, new, strict=True)))
        return next((place, *path) for place, path in found if path is not None)
    return ()


def shared(old: object, new: object) -> Any:  # noqa: ANN401 - plain data of any kind
    """The new data with all that has not changed taken from the old, so that snapshots share their memory."""
    if old == new:
        return old
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        return {name: shared(old.get(name), part) for name, part in new.items()}
    if isinstance(old, list) and isinstance(new, list):
        return _shared_rows(old, new)
    return new


def _shared_rows(old: list[Any], new: list[Any]) -> list[Any]:
    """The same of the rows of a list, also of those behind one that was put in or taken out."""
    more = len(new) - len(old)
    rows: list[Any] = []
    for at, part in enumerate(new):
        was = old[at] if at < len(old) else None
        if was != part and 0 <= at - more < len(old) and old[at - more] == part:
            was = old[at - more]
        rows.append(shared(was, part))
    return rows


def edited_field(path: FieldPath) -> FieldPath:
    """The path of the field or cell that holds a value: a cell may hold several numbers, as in 2×3."""
    row = next((place for place, part in enumerate(path) if isinstance(part, int)), len(path))
    return path[: row + 2]


def edit_words(path: FieldPath, old: Draft, new: Draft) -> str:
    """What the edit of a field does, to follow the word undo: `change of mean service`, `adding a job`."""
    more = _rows_more(path, old, new)
    if more:
        rows = str(path[-1])
        return _added(rows, more) if more > 0 else _removed(rows, -more)
    return tr("change of {field}").format(field=_field_words(path, new))


def _rows_more(path: FieldPath, old: Draft, new: Draft) -> int:
    """How many rows an edit adds to a list of jobs, packets or intervals, or with a minus removes."""
    before, after = _at(old, path), _at(new, path)
    if path and path[-1] in _ROWS and isinstance(before, list) and isinstance(after, list):
        return len(after) - len(before)
    return 0


def _added(rows: str, count: int) -> str:
    if rows == "jobs":
        return tr_n("adding a job", "adding {number} jobs", count)
    if rows == "packets":
        return tr_n("adding a packet", "adding {number} packets", count)
    return tr_n("adding an interval", "adding {number} intervals", count)


def _removed(rows: str, count: int) -> str:
    if rows == "jobs":
        return tr_n("removing a job", "removing {number} jobs", count)
    if rows == "packets":
        return tr_n("removing a packet", "removing {number} packets", count)
    return tr_n("removing an interval", "removing {number} intervals", count)


def _field_words(path: FieldPath, draft: Draft) -> str:
    if path in _CALLED:
        return _CALLED[path]
    row = next((place for place, part in enumerate(path) if isinstance(part, int)), None)
    if row is not None:
        place, number = int(path[row]), _job_number(_at(draft, path[:row]), int(path[row]))
        words = (
            tr("row {row} of {rows}").format(row=place + 1, rows=path[row - 1])
            if number is None
            else tr("job {job}").format(job=number)
        )
        for part in reversed(path[row + 1 :]):
            if isinstance(part, str):
                words = tr("{field} of {row}").format(field=part, row=words)
        return words
    names = [str(part) for part in path if part not in _TAGS] or [tr("scenario")]
    return " ".join(reversed(names[1:] or names)).replace("_", " ").replace("-", " ")


def _job_number(rows: object, row: int) -> int | None:
    """The number of the job in a row, which the run counts by arrival; None if it has none."""
    jobs = rows if isinstance(rows, list) else []
    # Plain data, so a dict: to ask for any Mapping takes most of the time of a long list.
    times = [job.get("arrival") if isinstance(job, dict) else None for job in jobs]
    if row >= len(times) or not isinstance(times[row], int | float):
        return None
    sound = [(time, place) for place, time in enumerate(times) if isinstance(time, int | float)]
    return sum(job < (times[row], row) for job in sound)


def _at(data: object, path: FieldPath) -> object:
    for part in path:
        if isinstance(data, Mapping):
            data = data.get(str(part))
        elif isinstance(data, list) and isinstance(part, int) and part < len(data):
            data = data[part]
        else:
            return None
    return data
