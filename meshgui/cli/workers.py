"""The options for workers and stores, and the executor and files that they stand for."""

from __future__ import annotations

from argparse import ArgumentTypeError, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from meshgui.cli import output, signals
from meshgui.cli.arguments import Parser, whole_number
from meshgui.cli.faults import UsageError, WorkFailed
from meshgui.cli.scenarios import saying_if_stopped
from meshgui.engine.basics.files import os_fault
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import duration
from meshgui.engine.basics.work import Work
from meshgui.experiment.bundle_format import BundleError
from meshgui.experiment.dask_cluster import DaskCluster, address_in, is_address
from meshgui.experiment.executors import (
    MOST_WORKERS,
    DaskMissingError,
    Executor,
    ExecutorError,
    InProcess,
    ProcessPool,
    cores,
)
from meshgui.experiment.store import BadStoreError, StoreError
from meshgui.experiment.store_place import network_file_system


def declare_workers(parser: Parser) -> None:
    """`--jobs` and `--dask`."""
    parser.add_argument(
        "--jobs", metavar="N", type=_processes, help=tr("number of worker processes (one per core)")
    )
    parser.add_argument(
        "--dask",
        metavar="ADDRESS",
        type=_address,
        help=tr("work on a Dask cluster: tcp://HOST:PORT, tls://HOST:PORT, or its scheduler file"),
    )


def declare_store(parser: Parser) -> None:
    """`--store`."""
    parser.add_argument(
        "--store", metavar="DB", type=Path,
        help=tr("keep every run in this file, and continue from what is in it; without it nothing is kept"),
    )  # fmt: skip


def remark_place(path: Path | None) -> None:
    """Say what a store on a network file system needs."""
    if path is not None and (kind := network_file_system(path)):
        said = tr(
            "meshgui: {path} is on a network file system ({kind}): let one machine at a time use it; with "
            "--shard each makes a store of its own, and meshgui store merge joins them"
        )
        output.complain(said.format(path=path, kind=kind))


@contextmanager
def faults() -> Iterator[None]:
    """A block that sweeps, with its faults in the command line's terms; signals end the work of a store."""
    try:
        with Work(signals.look).under_way():
            yield
    except BadStoreError as error:
        raise UsageError(str(error)) from None
    except DaskMissingError as error:
        raise WorkFailed(f"--dask: {error}") from None
    except (StoreError, ExecutorError) as error:
        raise WorkFailed(str(error)) from None
    except BundleError as error:
        raise UsageError(str(error)) from None


@contextmanager
def at_work(of: str, options: Namespace, most: int) -> Iterator[Executor]:
    """A block with workers for at most this many runs; `of` names what their errors are about."""
    with saying_if_stopped(of, options.store):
        executor = _executor_of(options, max(most, 1))
        try:
            yield executor
        except OSError as error:  # of workers, say: it is no fault of the files that are to be written
            raise WorkFailed(f"{of}: {os_fault(error)}") from None
        finally:
            executor.close()


def _executor_of(options: Namespace, most: int) -> Executor:
    """The executor that the options choose: a cluster, this process alone, or processes."""
    if options.dask is not None:
        return DaskCluster(options.dask)
    workers = min(options.jobs or cores(), most)
    return InProcess() if workers == 1 else ProcessPool(workers)


def progress_note(executor: Executor, seconds_left: float | None, more: str = "") -> str:
    """What follows the counts of a progress line: what the executor waits for, or the time left."""
    if executor.note:
        return f", {executor.note}"
    return (
        "" if seconds_left is None else tr(", {duration} left").format(duration=duration(seconds_left))
    ) + more


def _address(text: str) -> str:
    """A scheduler's address, or that in the file that `dask scheduler --scheduler-file` writes."""
    if is_address(text):
        return text
    if not text.endswith(".json"):
        said = tr("expected tcp://HOST:PORT, tls://HOST:PORT or a scheduler file, NAME.json, got {text}")
        raise ArgumentTypeError(said.format(text=text))
    try:
        return address_in(Path(text))
    except OSError as error:
        raise ArgumentTypeError(f"{text}: {os_fault(error)}") from None
    except ValueError:
        said = tr("{text}: expected a scheduler file of Dask, got something else")
        raise ArgumentTypeError(said.format(text=text)) from None


def _processes(text: str) -> int:
    if not 1 <= (number := whole_number(text)) <= MOST_WORKERS:
        raise ArgumentTypeError(
            tr("expected a whole number from 1 to {MOST_WORKERS}, got {text}").format(
                MOST_WORKERS=MOST_WORKERS, text=text
            )
        )
    return number


def positive(text: str) -> int:
    """A number of runs or processes."""
    if not 1 <= (number := whole_number(text)) <= 1_000_000:
        raise ArgumentTypeError(tr("expected a whole number from 1 to 1000000, got {text}").format(text=text))
    return number
