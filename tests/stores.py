"""What a store holds, seen from outside: while a sweep writes it, and once no process has it open."""

from contextlib import closing
from pathlib import Path
from sqlite3 import Error, connect

from meshgui.experiment.store import Store

__all__ = ["replications", "runs_in"]


def runs_in(store: Path | Store) -> int:
    """How many runs there are by now; none before it has tables."""
    if isinstance(store, Store):
        return sum(len(store.results(key)) for key in store.keys_with_runs())
    try:
        with closing(connect(f"file:{store}?mode=ro", uri=True)) as connection:
            return int(connection.execute("SELECT count(*) FROM replications").fetchone()[0])
    except Error:
        return 0


def replications(store: Path) -> dict[tuple[str, int], tuple[bytes, str, float]]:
    """Samples, wall times and seconds of every run of a store, which is whole; none before it has tables."""
    if not store.exists():
        return {}
    with closing(connect(store)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            return {}
        rows = connection.execute("SELECT scenario, seed, samples, wall, seconds FROM replications")
        return {(scenario, seed): tuple(rest) for scenario, seed, *rest in rows}
