"""The question of a step: its answer, its hints, the wrong answers that are foreseen, and what it hides."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, Field, model_validator

from meshgui.engine.basics.page_limits import within_limits
from meshgui.engine.basics.parts import NotNegative, Part, Text, at
from meshgui.engine.basics.translation import formatted, tr, tr_page
from meshgui.engine.runs.dictionary import FIGURES
from meshgui.model.base.limits import MAX_QUESTION
from meshgui.model.manual.formulas import FormulaError, with_formulas

Hidden = Literal[
    "future", "sentence", "readout", "queue", "job", "algorithm", "scenario", "inspector", "timeline",
    "plots", "network", "why",
]  # fmt: skip
"""What a question can hide until it is answered."""
Origin = Literal["mesh", "times", "rule", "formula", "search", "estimate"]
ORIGINS: Final[dict[str, str]] = {
    "mesh": tr("counted in the mesh and from the sizes of the jobs"),
    "times": tr("from the starts and service times of the jobs"),
    "rule": tr("from the rule of the strategy or discipline"),
    "formula": tr("calculated from the numbers in the text"),
    "search": tr("by stepping through the search"),
    "estimate": tr("estimated"),
}
"""What the answer to a question follows from."""

_SHOWN_BY: Final[dict[str, tuple[str, ...]]] = {
    "job": ("future", "sentence", "why", "scenario", "timeline", "job", "algorithm"),
    "packet": ("future", "sentence", "why", "scenario", "timeline", "network"),
    "now": ("sentence", "readout", "queue", "why", "scenario", "timeline", "plots"),
}
_MOST_CLASSES: Final = 8
_MOST_HINTS: Final = 3
_NUMBERED: Final = re.compile(r"(\d{1,9})([.)])(?=\s)")  # at the beginning: a list in Markdown


def _page_text(text: str) -> str:
    """A text in the program's language with its formulas; a number at its beginning begins no list."""
    try:
        return _NUMBERED.sub(r"\1\\\2", with_formulas(tr_page(text)), count=1) if text else text
    except FormulaError as error:
        raise ValueError(tr("formula: {error}").format(error=error)) from None


def _label_text(text: str) -> str:
    try:
        return with_formulas(tr_page(text))
    except FormulaError as error:
        raise ValueError(tr("formula: {error}").format(error=error)) from None


PageText = Annotated[Text, AfterValidator(within_limits), AfterValidator(_page_text)]
LabelText = Annotated[Text, Field(max_length=MAX_QUESTION), AfterValidator(_label_text)]


class NumberSource(Part):
    """A number of a run: of the one that is shown, or of one with another strategy or other fields."""

    of: Text
    """As in a prediction; or a calculation, for example `4*4*4`."""
    strategy: Text | None = None
    fields: dict[str, Any] | None = None
    within: NotNegative | None = None
    """How far the number in the text may be off; left out: as it is rounded there."""


class Rival(NumberSource):
    """A wrong answer that is foreseen, and what led to it."""

    says: LabelText = ""
    """Left out: the strategy or the discipline that gives this answer."""


class Prediction(Part):
    """A question whose answer is a number of the run; the engine computes it, no author writes it."""

    question: LabelText
    of: Text
    """A figure of the run, `job N start`, `job N waiting` …, or `now free`; see the manual."""
    strategy: Text | None = None
    """The strategy whose run has the answer, where it is another than the one that is shown."""
    fields: dict[str, Any] | None = None
    """Fields of the scenario, as in a moment, whose run has the answer."""
    within: NotNegative = 0.0
    """How far an answer may be off."""
    classes: tuple[NotNegative, ...] = ()
    """Bounds between the classes that are asked for instead of a number, in ascending order."""
    explain: PageText = ""
    hints: Annotated[tuple[LabelText, ...], Field(max_length=_MOST_HINTS)] = ()
    """What helps: the rule first, then the candidates, then the step."""
    rivals: tuple[Rival, ...] = ()
    hide: tuple[Hidden, ...] | None = None
    """What is hidden until the answer; left out: what would show it, by `of`."""
    origin: Origin | None = None
    """What the answer follows from; left out: by `of`."""

    @model_validator(mode="after")
    def _ascending(self) -> Prediction:
        if len(self.classes) >= _MOST_CLASSES or any(one >= other for one, other in pairwise(self.classes)):
            raise at(
                "classes",
                tr("expected at most {most} bounds, in ascending order").format(most=_MOST_CLASSES - 1),
            )
        return self

    @property
    def asked(self) -> str:
        """The question, with what an answer may be."""
        if self.classes:
            choice = "; ".join(f"{letter}: {words}" for letter, words in self.named_classes().items())
            return tr("{question} Choose a letter: {choice}.").format(question=self.question, choice=choice)
        if self.within:
            return tr("{question} (An answer counts as right within ±\N{NO-BREAK SPACE}{within:g}.)").format(
                question=self.question, within=self.within
            )
        return self.question

    def named_classes(self) -> dict[str, str]:
        """The classes by their letters, in words."""
        if not self.classes:
            return {}
        first, last = self.classes[0], self.classes[-1]
        words = [tr("below {number}").format(number=_written(first))]
        words += [
            tr("{low} to {high}").format(low=_written(low), high=_written(high))
            for low, high in pairwise(self.classes)
        ]
        words.append(tr("{number} and more").format(number=_written(last)))
        return dict(zip("ABCDEFGH", words, strict=False))

    @property
    def hidden(self) -> tuple[str, ...]:
        """What is hidden until the question is answered: what would show the answer."""
        if self.hide is not None:
            return self.hide
        if self.strategy is not None or self.fields:
            return ()  # the answer is in no run that is shown
        kind, _, rest = self.of.partition(" ")
        if rest:
            return _SHOWN_BY.get(kind, ())
        figure = FIGURES.get(kind.partition(".")[0])
        of_network = ("sentence", "network") if figure is not None and figure.network else ()
        return ("future", "why", "scenario", "timeline", "plots", *of_network)

    @property
    def of_future(self) -> bool:
        """Whether what comes next in the run is hidden."""
        return "future" in self.hidden

    @property
    def follows_from(self) -> str:
        """What the answer follows from, as a key of ORIGINS."""
        if self.origin is not None:
            return self.origin
        if self.classes or self.within:
            return "estimate"
        what = self.of.rpartition(" ")[2]
        if self.of.startswith("packet "):
            return "formula"
        if self.of.startswith("now ") or what == "processors":
            return "mesh"
        return "times" if what in {"start", "waiting", "finish", "turnaround"} else "rule"


def _written(number: float) -> str:
    """A number as it is read best: whole ones whole, long ones in groups of three digits."""
    return (
        f"{number:,.0f}".replace(",", "\N{NARROW NO-BREAK SPACE}")
        if number >= 10_000
        else formatted(number, "g")
    )
