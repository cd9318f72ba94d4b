"""The tools of developers: the faults that are seeded, and generated files."""

import ast
import gc
import os
import re
import sys

import pytest

from meshgui.catalogue.entries import catalogue
from tests.tools import TOOLS, tool

generated = tool("generated")


def aged(path):
    """A file that was written long ago."""
    os.utime(path, (0, 0))
    return path


def is_untouched(path):
    """Whether it has not been written since."""
    return path.stat().st_mtime == 0


def test_a_page_is_written_where_it_has_changed(tmp_path):
    """A new one, and another text; the same one is left alone."""
    page = tmp_path / "page.md"
    generated.write_page(page, "# One\n")
    generated.write_page(aged(page), "# One\n")
    assert is_untouched(page)
    generated.write_page(page, "# Two\n")
    assert page.read_text(encoding="utf-8") == "# Two\n"


@pytest.mark.qt
def test_a_picture_is_replaced_where_a_pixel_has_changed(tmp_path):
    """The same pixels packed otherwise are no change; nothing lies beside the picture afterwards."""
    gui = pytest.importorskip("PySide6.QtGui", reason="pictures are compared by Qt")
    path, image = tmp_path / "picture.png", gui.QImage(8, 8, gui.QImage.Format.Format_RGB32)
    image.fill(0xFF336699)
    for quality, pixel, changed in ((0, None, True), (100, None, False), (100, 0xFF000000, True)):
        if pixel is not None:
            image.setPixel(3, 3, pixel)
        if path.exists():
            aged(path)
        with generated.new_picture(path) as new:
            assert image.save(str(new), "PNG", quality)
        assert is_untouched(path) is not changed
    assert list(tmp_path.iterdir()) == [path]


def test_no_generated_page_states_a_wall_time():
    """Neither do the scripts that write them look at a clock."""
    for name in ("strategies.md", "house.md", "network-results.md"):
        page = (TOOLS.parent / "docs" / name).read_text(encoding="utf-8")
        assert re.findall(r"µs|\bwall time\b|\b20\d\d-\d\d-\d\d\b", page) == [], name
    for script in TOOLS.glob("*.py"):
        clock = r"perf_counter|time\.time|\b(now|today)\(|seconds_mean"
        assert not re.search(clock, script.read_text("utf-8")), script


@pytest.mark.kernel
@pytest.mark.parametrize("variant", ["last first", "shuffled"])
def test_a_variant_lists_a_jobs_processors_otherwise_and_only_while_it_runs(variant):
    """A model's variant moves its results, and leaves the model as it was."""
    runs = tool("network_runs")
    workload = {"kind": "stochastic", "jobs": 30, "load": 0.05}
    network = {"pattern": "all-to-all", "messages": 20}
    data = {"meshgui": 1, "mesh": {"shape": [6, 6]}, "allocator": {"name": "gabl"}, "workload": workload}
    usual = runs.run(data | {"network": network}, "as it is", [1])
    assert runs.run(data | {"network": network}, variant, [1]) != usual
    assert runs.run(data | {"network": network}, "as it is", [1]) == usual


@pytest.mark.parametrize("moved", tool("network_moved").MOVED, ids=lambda moved: moved.setting)
def test_a_table_of_variants_has_strategies_and_variants_that_there_are(moved):
    """Every column is of a strategy of its setting, and every row a variant."""
    [setting] = [e.settings[moved.setting] for e in catalogue().values() if moved.setting in e.settings]
    named = {name for column in moved.columns for name in (column.strategy, column.to) if name}
    assert named <= set(setting.strategies)
    assert set(moved.variants) <= set(tool("network_runs").VARIANTS)


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


RUNS = tool("faulty_runs")
SOURCE = """
LIMIT = 3

class A:
    most = 4

    def f(self, n=1):
        return [n + 2 for _ in range(5)]
"""


def changed_at(fault):
    """The names of the functions that a fault changes, or None."""
    before = compile(SOURCE, "a", "exec", dont_inherit=True)
    after = compile(sites.with_fault(SOURCE, fault), "a", "exec", dont_inherit=True)
    changes = RUNS.changed_functions(before, after)
    return None if changes is None else [old.co_qualname for old, _ in changes]


def test_only_faults_inside_a_function_can_be_put_in_its_place():
    """Constants of the module and the class and default values take effect at import."""
    found = {fault.words.split(": ")[-1]: changed_at(fault) for fault in sites.faults_in(SOURCE)}
    at_import = dict.fromkeys(["3 → 4", "4 → 5", "1 → 2"])
    assert found == at_import | {change: ["A.f"] for change in ("n + 2 → n - 2", "2 → 3", "5 → 6")}


def test_a_fault_can_be_put_in_a_file_that_no_test_has_imported(tmp_path, monkeypatch):
    """Such as one that is imported inside a function; and the checkout may be reached by a link."""
    source = "def seldom():\n    return 2 + 3\n"
    checkout, link = tmp_path / "checkout", tmp_path / "link"
    checkout.mkdir()
    link.symlink_to(checkout)
    (checkout / "seldom_imported.py").write_text(source, encoding="utf-8")
    monkeypatch.setattr(RUNS, "ROOT", checkout.resolve())
    monkeypatch.syspath_prepend(str(link))
    try:
        subtracts = next(fault for fault in sites.faults_in(source) if "2 - 3" in fault.words)
        RUNS.put_in_place(RUNS.Seeded("seldom_imported.py", source, subtracts), ())
        assert sys.modules["seldom_imported"].seldom() == -1
    finally:
        sys.modules.pop("seldom_imported", None)


def test_the_interval_of_a_share():
    """Agresti and Coull's at 95 %, by weights; tests and commands freeze what is loaded."""
    interval = tool("seed_faults").interval
    assert interval([(1, 95, 100)]) == pytest.approx((0.95, 0.8845, 0.9808), abs=1e-4)
    assert interval([(5, 10, 10)]) == pytest.approx((1.0, 0.6739, 1.0), abs=1e-4)
    assert interval([(3, 10, 10), (1, 5, 10)])[0] == pytest.approx(0.875)
    gc.collect()
    gc.freeze()
    assert changed in RUNS.functions_now()
