"""The faults that are seeded: which changes of a file there are, and that each is made alone."""

import ast

import pytest

from tests.tools import tool

sites = tool("fault_sites")


def changed(source):
    """The file with each of its faults, as text."""
    return [ast.unparse(sites.with_fault(source, fault)) for fault in sites.faults_in(source)]


@pytest.mark.parametrize(
    ("source", "faulty"),
    [
        ("x = a < b", ["x = a <= b", "x = a >= b"]),
        ("x = a == b", ["x = a != b"]),
        ("x = a in b", ["x = a not in b"]),
        ("x = a + b", ["x = a - b"]),
        ("x = a // b", ["x = a * b"]),
        ("x += y", ["x -= y", "pass"]),
        ("x = a and b", ["x = a or b"]),
        ("x = not a", ["x = a"]),
        ("x = -a", ["x = a"]),
        ("x = True", ["x = False"]),
        ("x = 2", ["x = 3"]),
        ("x = min(a)", ["x = max(a)"]),
        ("x = np.zeros(a)", ["x = np.ones(a)"]),
        ("x.y = a", ["pass"]),
        ("f(a)", ["pass"]),
        ("x = a if b else c", ["x = a if not b else c"]),
        ("while a:\n    break", ["while not a:\n    break", "while a:\n    continue"]),
    ],
)
def test_each_fault_changes_one_thing(source, faulty):
    """All that can be done to a line, one after another."""
    assert changed(source) == faulty


@pytest.mark.parametrize(
    "source",
    [
        '"""Words."""',
        "x = 'words'",
        "raise_ = f'{a + 1} words'",
        "def f(a: int | None) -> list[1]:\n    return a",
        "Kind = int | str",
        "@cache(maxsize=4)\ndef f():\n    return a",
        "x = zip(a, b, strict=True)",
        "import a",
    ],
)
def test_words_types_and_names_are_left_alone(source):
    """What no test of behaviour is about."""
    assert sites.faults_in(source) == []


def test_a_fault_is_named_by_its_function_and_line():
    """So that a remark on it is found again when other lines have moved; the same again is numbered."""
    source = "class A:\n    def f(self):\n        return (1, 1)\n"
    below = f"x = a\n{source}"
    words = ["A.f: return (1, 1): 1 → 2", "A.f: return (1, 1): 1 → 2 (2)"]
    assert [fault.words for fault in sites.faults_in(source)] == words
    assert [fault.words for fault in sites.faults_in(below)] == words
    assert [fault.line for fault in sites.faults_in(below)] == [4, 4]
