"""An interpreter does not end while a call beside it is compiled; a process that leaves at once does."""

import subprocess
import sys
from pathlib import Path

PROGRAM = """
import sys, threading, types
from meshgui.engine.basics import compiled_work
from meshgui.engine.basics.work import Work

entered, go_on = threading.Event(), threading.Event()
source = '''
def compile_it(entered, go_on):
    entered.set()
    go_on.wait()
    print("compiled to its end", flush=True)
'''
compiler = types.ModuleType("numba.core.stand_in")
exec(source, compiler.__dict__)

def hear(_):
    if entered.is_set():
        raise KeyboardInterrupt

def leave():
    threading.Timer(0.0, go_on.set).start()

if "at once" not in sys.argv:
    import atexit
    atexit.register(leave)  # called before those registered earlier
try:
    with Work(hear).under_way():
        compiled_work.run_interruptible(lambda: compiler.compile_it(entered, go_on), lambda: None)
except KeyboardInterrupt:
    print("interrupted", flush=True)
if "at once" in sys.argv:
    from meshgui.cli import signals
    print(signals.outlived(), flush=True)
    signals.leave(130)
"""


def test_what_is_being_compiled_is_compiled_to_its_end(tmp_path: Path) -> None:
    """The caller is free at once, and only the process waits."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert done.stdout.splitlines() == ["interrupted", "compiled to its end"]


def test_a_signal_ends_the_process_all_the_same(tmp_path: Path) -> None:
    """Without the interpreter's own end nothing of LLVM is taken apart under it."""
    words = [sys.executable, "-c", PROGRAM, "at once"]
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=tmp_path, timeout=60)
    assert (done.returncode, done.stdout.splitlines()) == (130, ["interrupted", "True"])
