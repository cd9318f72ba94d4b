"""The fixtures that watch the window's tests do notice what is left behind."""

import pytest

pytest_plugins = ["pytester"]

LEAVES = {
    "thread": ("still running", "threading.Thread(target=gate.wait, daemon=True).start()"),
    "qthread": ("still running", "kept.append(Sleeper()); kept[-1].start()"),
    "pool": ("still running", "QThreadPool.globalInstance().start(gate.wait)"),
    "window": ("still open", "kept.append(QWidget()); kept[-1].show()"),
}
HEAD = """
import atexit, threading
from PySide6.QtCore import QThread, QThreadPool
from PySide6.QtWidgets import QWidget

kept = []
gate = threading.Event()  # what waits for it goes on until the process ends
atexit.register(gate.set)

class Sleeper(QThread):
    def run(self):
        gate.wait()

def test_of_a_window(qtbot):
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.show()
"""


@pytest.fixture
def outcome(pytester: pytest.Pytester, request: pytest.FixtureRequest):
    """Runs one test of a window with this folder's fixtures; the test's last line is given."""

    def run(last_line: str, *words: str, grace: float = 0.5) -> pytest.RunResult:
        fixtures = (request.path.parent / "conftest.py").read_text(encoding="utf-8")
        pytester.makeconftest(f"{fixtures}\nGRACE = {grace}\n")
        pytester.makepyfile(HEAD + f"    {last_line}\n")
        return pytester.runpytest_subprocess("-p", "no:cacheprovider", *words, timeout=240)

    return run


@pytest.mark.parametrize(("says", "line"), LEAVES.values(), ids=LEAVES.keys())
def test_what_a_test_leaves_behind_fails_it(outcome, says, line):
    """A thread, a QThread, a pool's worker or a window that outlives its test fails that test."""
    result = outcome(line)
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines([f"*{says} after the test*"])


def test_a_tidy_test_passes(outcome):
    """A test whose widgets are closed and whose threads have finished is left alone."""
    result = outcome("threading.Thread(target=gate.wait, args=(0.01,)).start()", grace=60.0)
    result.assert_outcomes(passed=1)


def test_opengl_is_there_under_the_virtual_screen(screen_has_opengl):
    """The checks draw with real OpenGL: the screen they run on can make a context."""
    assert screen_has_opengl


@pytest.mark.parametrize("platform", ["", "xcb"])
def test_without_a_screen_the_tests_of_the_window_are_skipped(outcome, monkeypatch, platform):
    """Qt would abort the whole process; the reason names the target that starts a screen."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("QT_QPA_PLATFORM", platform)
    result = outcome("pass", "-rs")
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines(["*there is no screen*make test-gui*"])
