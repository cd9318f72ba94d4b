"""A process with the libraries loaded, which forks off one that becomes the program whenever a test asks.

Loading NumPy, pydantic and Numba takes most of the time of a short command, and the tests start hundreds of
them. Nothing of MeshGUI is loaded here. `tests.processes` starts this file, and talks to it by its standard
input, a socket of whole messages.
"""

import builtins
import importlib
import json
import os
import runpy
import select
import signal
import socket
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

__all__ = ["LARGEST"]

LARGEST = 1 << 17  # bytes of a message


def load(*modules: str) -> None:
    """Load what the program needs of others, with what Numba puts off until its first kernel, and these."""
    import numba  # noqa: PLC0415 - for the process below alone, not for who imports this file
    import pydantic  # noqa: PLC0415 - likewise

    class Loaded(pydantic.BaseModel):
        number: int

    Loaded(number=1)
    numba.njit(lambda: 0)()
    for module in modules:
        importlib.import_module(module)


def serve(asked: socket.socket) -> dict[str, object] | None:
    """Fork at each request, and tell which processes have ended; what is to be run, in a new process."""
    wakes, woken = os.pipe()
    os.set_blocking(woken, False)
    signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        ready, _, _ = select.select([asked, wakes], [], [])
        if wakes in ready:
            os.read(wakes, 4096)
            with suppress(ChildProcessError):
                while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                    asked.send(json.dumps((ended[0], os.waitstatus_to_exitcode(ended[1]))).encode())
        if asked not in ready:
            continue
        message, files, _, _ = socket.recv_fds(asked, LARGEST, 3)
        if not message:  # the tests are over
            return None
        pid = os.fork()
        if pid == 0:
            asked.close()
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            for ignored in (signal.SIGTERM, signal.SIGHUP):  # as below nohup
                signal.signal(ignored, signal.SIG_DFL)
            os.setsid()
            for number, file in enumerate(files):
                os.dup2(file, number)
            for file in (*files, wakes, woken):
                os.close(file)
            return json.loads(message)
        for file in files:
            os.close(file)
        asked.send(json.dumps((pid, None)).encode())


def become(program: dict[str, object]) -> None:
    """Run a module as `python -m` does, or a text as with `-c`, in the environment that is asked for."""
    os.environ.clear()
    os.environ.update(program["environment"])
    os.chdir(program["folder"])
    time.tzset()
    tempfile.tempdir = None  # which may have been looked up in the environment from before
    sys.dont_write_bytecode = bool(os.environ.get("PYTHONDONTWRITEBYTECODE"))
    sys.modules["numba"].config.reload_config()
    module, *words = program["words"]
    folders = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    sys.path[:] = [program["folder"], *folders, *sys.path[1:]]  # the first is the folder of this file
    if module == "-c":
        sys.argv = [module, *words[1:]]
        sys.orig_argv = [sys.executable, module, *words]
        exec(words[0], {"__name__": "__main__", "__builtins__": builtins})  # noqa: S102 - as Python does
        return
    sys.argv = [module, *words]
    sys.orig_argv = [sys.executable, "-m", module, *words]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    load(*sys.argv[1:])
    with socket.socket(fileno=os.dup(0)) as line, Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
        to_run = serve(line)
    if to_run is not None:
        become(to_run)
