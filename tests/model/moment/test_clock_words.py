"""How times, lengths of time and formulas are written."""

import pytest

from meshgui.engine.basics.translation import speaking
from meshgui.model.jobs.job_tables import three_digits
from meshgui.model.manual.formulas import FormulaError, with_formulas
from meshgui.model.moment.clock_words import between_times, clock_words, longest_clock_words, time_words
from tests.networks import crowd
from tests.runs import run_of


@pytest.mark.parametrize(
    ("run", "time", "words"),
    [
        (crowd, 0.0, "cycle 0"),
        (crowd, 17.0, "cycle 17"),
        (crowd, 7.3, "t 7.30"),
        (lambda: run_of("three-jobs-4x4x4"), 3.0, "t 3.00"),
    ],
)
def test_with_a_network_whole_times_are_cycles(run, time, words):
    """An arrival may lie between two cycles; then, and without a network, a time has two decimals."""
    assert clock_words(run(), time) == words


def test_no_time_needs_more_room_than_the_longest_words():
    """What is reserved is enough for every moment of the run."""
    room = len(longest_clock_words(crowd()))
    times = [*range(int(crowd().end_time) + 1), *crowd().times.tolist()]
    assert max(len(clock_words(crowd(), float(time))) for time in times) <= room


@pytest.mark.parametrize(
    ("time", "words"), [(0.0, "0"), (12.4, "12.4"), (10.000001, "10"), (1234567.891, "1234567.89")]
)
def test_a_time_in_a_title_keeps_its_digits(time, words):
    """Rounded as the clock's, also a long one; in German with a comma."""
    assert time_words(time) == words
    with speaking("de"):
        assert time_words(time) == words.replace(".", ",")


@pytest.mark.parametrize(
    ("length", "shown"),
    [
        (0.0, "0.00"),
        (0.6, "0.60"),
        (0.04, "0.04"),
        (9.994, "9.99"),
        (9.996, "10.0"),
        (99.96, "100"),
        (1234.5, "1234"),
    ],
)
def test_a_length_of_time_keeps_its_first_three_digits(length, shown):
    """No time is shown as 0 that is not, and none takes more letters than four or its whole units."""
    assert three_digits(length) == shown


def test_a_length_of_time_has_the_decimal_sign_of_the_language():
    """A comma in German, as in every other number of the window."""
    with speaking("de"):
        assert three_digits(0.6) == "0,60"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (r"needs $(h + 1) \cdot (t_s + 1) + L$ cycles", "needs (h + 1) · (tₛ + 1) + L cycles"),
        ("$O(m^2)$ and $2^{2n}$", "O(m²) and 2²ⁿ"),
        (r"$x \le \lceil y \rceil$", "x ≤ ⌈y⌉"),
        ("costs $5 or $6", "costs $5 or $6"),
        ("`$x^2$` is code, $x^2$ is none", "`$x^2$` is code, x² is none"),
    ],
)
def test_a_formula_is_written_with_signs_of_its_own(text: str, shown: str):
    """Prices and code stay as they are."""
    assert with_formulas(text) == shown


@pytest.mark.parametrize("text", [r"$\moon$", "$x^Q$", "$x_{a_b}$", "$x_é$"])
def test_a_formula_that_cannot_be_written_is_a_fault(text: str):
    """It names what was not expected."""
    with pytest.raises(FormulaError, match="expected"):
        with_formulas(text)


def test_a_span_of_time_is_said_by_its_ends():
    """In a run with a network in cycles; one moment is said as such."""
    assert between_times("film", 12.4, 376.25) == "film from 12.4 to 376.25"
    assert between_times("film", 10.0, 85.0, in_cycles=True) == "film from cycle 10 to cycle 85"
    assert between_times("film", 12.401, 12.402) == "film at 12.4"
