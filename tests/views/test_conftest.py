"""The fixtures that watch the window's tests do notice what is left behind."""

import pytest

pytest_plugins = ["pytester"]

# The pool comes last, as its worker is seen by whatever comes after it.
LEAVES = {
    "thread": ("still running", "threading.Thread(target=time.sleep, args=(3,), daemon=True).start()"),
    "qthread": ("still running", "kept.append(Sleeper()); kept[-1].start()"),
    "window": ("still open", "kept.append(QWidget()); kept[-1].show()"),
    "nothing": ("", "threading.Thread(target=time.sleep, args=(0.01,)).start()"),
    "pool": ("still running", "QThreadPool.globalInstance().start(lambda: time.sleep(3))"),
}
HEAD = """
import threading, time
from PySide6.QtCore import QThread, QThreadPool
from PySide6.QtWidgets import QWidget

kept = []

class Sleeper(QThread):
    def run(self):
        self.msleep(3000)
"""
TEST = """
def test_that_leaves_{name}(qtbot):
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.show()
    {last_line}
"""


@pytest.fixture
def outcome(pytester: pytest.Pytester, request: pytest.FixtureRequest):
    """Runs tests of a window with this folder's fixtures, by their last lines."""

    def run(last_lines: dict[str, str], *words: str) -> pytest.RunResult:
        fixtures = (request.path.parent / "conftest.py").read_text(encoding="utf-8")
        pytester.makeconftest(fixtures + "\nGRACE = 0.5\n")
        tests = (TEST.format(name=name, last_line=line) for name, line in last_lines.items())
        pytester.makepyfile("".join([HEAD, *tests]))
        return pytester.runpytest_subprocess("-p", "no:cacheprovider", *words, timeout=240)

    return run


def test_what_a_test_leaves_behind_fails_it(outcome):
    """A thread, a QThread, a pool's worker or a window; a test whose threads have finished is left alone."""
    result = outcome({name: line for name, (_, line) in LEAVES.items()})
    result.assert_outcomes(passed=5, errors=4)
    for name, (says, _) in LEAVES.items():
        if says:
            found = [f"*ERROR at teardown of test_that_leaves_{name} *", f"*{says} after the test*"]
            result.stdout.fnmatch_lines(found)
        else:
            result.stdout.no_fnmatch_line(f"*ERROR at teardown of test_that_leaves_{name} *")


def test_opengl_is_there_under_the_virtual_screen(screen_has_opengl):
    """The checks draw with real OpenGL: the screen they run on can make a context."""
    assert screen_has_opengl


@pytest.mark.parametrize("platform", ["", "xcb"])
def test_without_a_screen_the_tests_of_the_window_are_skipped(outcome, monkeypatch, platform):
    """Qt would abort the whole process; the reason names the target that starts a screen."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("QT_QPA_PLATFORM", platform)
    result = outcome({"nothing": "pass"}, "-rs")
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines(["*there is no screen*make test-gui*"])
