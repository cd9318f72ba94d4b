"""The state of the window of published results: the numbers of each entry, and which entries are run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from meshgui.catalogue.entries import CatalogueEntry
from meshgui.catalogue.judging import JudgedNumber, judge
from meshgui.catalogue.reproduction import ReproductionProgress
from meshgui.catalogue.results_in_words import verdicts_in_words
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import count_of, duration, grouped
from meshgui.model.base.signals import Signal
from meshgui.model.studies.batch_session import BatchSession


class EntryResults(NamedTuple):
    """The numbers of an entry beside the published ones, and of how many runs they are."""

    entry: CatalogueEntry
    judged: Sequence[JudgedNumber]
    counted: int = 0
    done: bool = False  # no runs are missing
    faults: tuple[str, ...] = ()

    @property
    def imprecise(self) -> int:
        """How many numbers more runs would tell better; those by the clock scatter as the machine does."""
        known = [one for one in self.judged if one.measured is not None and not one.number.timed]
        return sum(not one.precise for one in known)


class GallerySession(BatchSession):
    """All entries with their results. `results_changed` hands out those that changed."""

    def __init__(self, entries: Mapping[str, CatalogueEntry]) -> None:
        super().__init__()
        self.results_changed: Signal[[Sequence[EntryResults]]] = Signal()
        self.entries = entries
        self.results = {entry.id: _not_run(entry) for entry in entries.values()}
        self.running: tuple[str, ...] = ()  # the entries that are run
        self._reading = 0  # the number of the newest request to read the store
        self.text = self.summary

    @property
    def summary(self) -> str:
        """The verdicts on all numbers."""
        numbers = [judged for result in self.results.values() for judged in result.judged]
        return tr("Of {numbers} numbers: {verdicts}.").format(
            numbers=len(numbers), verdicts=verdicts_in_words(numbers)
        )

    def ask_for_precision(self, name: str) -> None:
        """From now on an entry is complete only when its numbers are precise."""
        self.entries = {**self.entries, name: self.entries[name].until_precise}

    def start(self, names: Sequence[str]) -> list[CatalogueEntry]:
        """Start the runs of some entries."""
        self.running = tuple(names)
        self._reading += 1  # earlier requests are obsolete
        self.begin()
        return [self.entries[name] for name in names]

    def report(self, progress: ReproductionProgress, results: Iterable[EntryResults]) -> None:
        """Take what has been run by now."""
        if self.busy:
            self.text = _progress_words(progress)
            self.share = progress.done / progress.needed if progress.needed else 0.0
            self._take(results)
            self.changed.emit()

    def end(self, fault: str = "") -> None:
        """The run has ended, or cannot go on."""
        self.running = ()
        self.rest(self.summary, fault)

    def begin_reading(self) -> int:
        """The results are about to be read from the store: the number that the answer must bear."""
        self._reading += 1
        return self._reading

    def take_reading(self, number: int, results: Iterable[EntryResults]) -> None:
        """Take what the store has, if nothing newer has been ordered."""
        if number == self._reading:
            self._take(results)
            self.rest(self.summary)

    def forget_results(self) -> None:
        """There is no store to read: nothing has been run."""
        self._take([_not_run(entry) for entry in self.entries.values()])
        self.rest(self.summary)

    def _take(self, results: Iterable[EntryResults]) -> None:
        changed = list(results)
        self.results |= {result.entry.id: result for result in changed}
        self.results_changed.emit(changed)


def _not_run(entry: CatalogueEntry) -> EntryResults:
    return EntryResults(entry, judge(entry, {}))


def _progress_words(progress: ReproductionProgress) -> str:
    """The progress: `37 of about 240 runs, 2 min left; 3 entries to go`."""
    if not progress.open_entries:
        return tr("{runs}, all done").format(runs=count_of(progress.done, "run", apart=True))
    words = {
        "done": grouped(progress.done),
        "runs": count_of(progress.needed, "run", apart=True),
        "entries": count_of(progress.open_entries, "entry"),
    }
    if progress.note:
        return tr("{done} of about {runs}, {note}").format(**words, note=progress.note)
    if progress.seconds_left is None:
        return tr("{done} of about {runs}; {entries} to go").format(**words)
    return tr("{done} of about {runs}, {duration} left; {entries} to go").format(
        **words, duration=duration(progress.seconds_left)
    )
