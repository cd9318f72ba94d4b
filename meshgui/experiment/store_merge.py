"""Takes the runs of one store into another, as after a sweep whose points several machines shared."""

from __future__ import annotations

from typing import Final, NamedTuple

from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.work import look
from meshgui.experiment.run_spec import RunResult, RunSpec
from meshgui.experiment.store import BadStoreError, RunRecord, Store, StoredRun, StoreError

_AT_ONCE: Final = 1000  # runs in a transaction


class Merged(NamedTuple):
    """What a store was given."""

    added: int  # runs,
    present: int  # and those that it had already


def merge(target: Store, source: Store) -> Merged:
    """Take all runs and experiments of another store; runs of both have to be equal, to the last digit.

    What could not be made is not taken: it is tried again. Stopped, it can be done again from the beginning.
    """
    added = present = 0
    for key in list(source.keys_with_runs()):
        target.register([_spec_of(key, source)])
        there, new = dict(target.stored(key)), []
        for seed, stored in source.stored(key):
            look()
            if seed not in there:
                new.append(RunRecord(key, seed, _as_made(stored)))
                added += 1
            elif _figures(there[seed]) == _figures(stored):
                present += 1
            else:
                said = tr("{source}: the run with seed {seed} of {key} has other figures than in {target}")
                names = {"source": source.path, "target": target.path, "seed": seed, "key": key[:12]}
                raise StoreError(said.format(**names))
        for begin in range(0, len(new), _AT_ONCE):
            target.keep(new[begin : begin + _AT_ONCE])
    for record in reversed(source.sweeps()):
        target.begin(record.id, record.data, (), record.begun)
    return Merged(added, present)


def _spec_of(key: str, source: Store) -> RunSpec:
    work = next(source.works(key), None)
    spec = None if work is None else RunSpec.of(work)
    if spec is None or spec.key != key:
        said = tr("{source}: expected what the runs of {key} are of, got none or something else")
        raise BadStoreError(said.format(source=source.path, key=key[:12]))
    return spec


def _as_made(stored: StoredRun) -> RunResult:
    return RunResult(stored.samples.rows(), stored.wall, stored.seconds)


def _figures(stored: StoredRun) -> tuple[tuple[str, ...], bytes]:
    """All but what a clock measured."""
    return stored.samples.names, stored.samples.to_bytes()
