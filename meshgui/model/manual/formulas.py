"""Formulas in lessons: `$…$` in a small part of TeX, written with Unicode signs that any text can have."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from meshgui.engine.basics.translation import tr

_FORMULA: Final = re.compile(r"(?<![\\$`\w])\$(?! )([^$`]{1,200}?)(?<! )\$(?![\w$])")
_TICKS: Final = re.compile(r"`+")
_COMMAND: Final = re.compile(r"\\([A-Za-z]+)\s*")
_SCRIPT: Final = re.compile(r"\s*([_^])\s*(?:\{([^{}]*)\}|(\S))")
_SIGNS: Final = {
    "cdot": "·", "times": "×", "pm": "±", "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "ne": "≠",
    "neq": "≠", "approx": "≈", "infty": "∞", "sum": "∑", "prod": "∏", "sqrt": "√", "to": "→", "in": "∈",
    "ldots": "…", "lceil": "⌈", "rceil": "⌉", "lfloor": "⌊", "rfloor": "⌋", "log": "log", "min": "min",
    "max": "max", "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "lambda": "λ",
    "mu": "μ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "Delta": "Δ", "Omega": "Ω", "Theta": "Θ",
}  # fmt: skip
_SPACED: Final = frozenset("·×±≤≥≠≈→∈")
_RAISED: Final = dict(
    zip("0123456789+-=()abcdefghijklmnoprstuvwxyz", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ", strict=True)
)
_LOWERED: Final = dict(
    zip("0123456789+-=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True)
)


class FormulaError(Exception):
    """A formula that cannot be written so; what was expected instead."""


def with_formulas(text: str) -> str:
    """A text with its formulas written out; code stays as it is. A FormulaError for an invalid one."""
    kept: list[str] = []
    end = 0
    for start, stop in _code_in(text):
        kept += [_FORMULA.sub(_written, text[end:start]), text[start:stop]]
        end = stop
    return "".join([*kept, _FORMULA.sub(_written, text[end:])])


def _code_in(text: str) -> Iterator[tuple[int, int]]:
    """Where code is: from a run of backticks to the next run of as many."""
    runs = [run.span() for run in _TICKS.finditer(text)]
    later: dict[int, list[int]] = {}  # the places of the runs of each length, the first at the end
    for place in reversed(range(len(runs))):
        later.setdefault(runs[place][1] - runs[place][0], []).append(place)
    end = 0
    for place, (start, stop) in enumerate(runs):
        same = later[stop - start]
        same.pop()  # this one
        if place < end:
            continue
        if same:
            end = same[-1] + 1
            yield start, runs[same[-1]][1]


def _written(found: re.Match[str]) -> str:
    words = _SCRIPT.sub(_script, _COMMAND.sub(_sign(found[1]), found[1]))
    if wrong := re.search(r"[\\{}_^]", words):
        raise FormulaError(tr("expected no {wrong} left in ${found}$").format(wrong=wrong[0], found=found[1]))
    return re.sub(r" (?=[⌉⌋)])", "", " ".join(words.split())).replace("*", "·")


def _sign(formula: str) -> Callable[[re.Match[str]], str]:
    def sign(found: re.Match[str]) -> str:
        if (known := _SIGNS.get(found[1])) is None:
            raise FormulaError(
                tr("expected a known sign, got \\{found} in ${formula}$").format(
                    found=found[1], formula=formula
                )
            )
        return f" {known} " if known in _SPACED else f"{known} " if known.isalpha() else known

    return sign


def _script(found: re.Match[str]) -> str:
    signs = _RAISED if found[1] == "^" else _LOWERED
    inside = (found[2] if found[2] is not None else found[3]).replace(" ", "")
    if wrong := next((sign for sign in inside if sign not in signs), None):
        words = (
            tr("expected digits or small letters in a superscript, got {wrong}")
            if found[1] == "^"
            else tr("expected digits or small letters in a subscript, got {wrong}")
        )
        raise FormulaError(words.format(wrong=wrong))
    return "".join(signs[sign] for sign in inside)
