"""Formulas in the text of lessons: a small part of TeX, written with Unicode signs."""

import pytest

from meshgui.model.formulas import FormulaError, with_formulas


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
