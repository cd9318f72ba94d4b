"""A run of a thousand jobs as a web page: how long the command takes, and how large the page is."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from meshgui.bench.measurement import Measurement, alternate, seconds
from meshgui.engine.basics.translation import tr
from meshgui.itself import command
from meshgui.model.document.examples import example

_JOBS: Final = 1000
_REPEATS: Final = 3
_SECONDS: Final = 2.0
_MEGABYTES: Final = 1.5


def web_page() -> list[Measurement]:
    """The time beside that of the run alone, and the size."""
    with TemporaryDirectory() as folder:
        scenario, page = Path(folder, "run.meshgui.json"), Path(folder, "run.html")
        data = json.loads(example("tbl-under-load").read_text("utf-8"))
        data["workload"]["jobs"] = _JOBS
        scenario.write_text(json.dumps(data), "utf-8")
        taken, alone = alternate(
            lambda: _took("export", str(scenario), "--html", str(page)),
            lambda: _took("run", str(scenario)),
            repeats=_REPEATS,
        )
        size = page.stat().st_size / 1e6
    of_a_run = tr("the same run without a page")
    name = "page"  # untranslated: the group's
    return [
        Measurement(
            name, tr("1000 jobs as a web page"), "s", taken, alone, of_a_run, _SECONDS, of_ratio=False
        ),
        Measurement(
            name, tr("its size"), "MB", size, None, "", _MEGABYTES, of_ratio=False, note=tr("with TBL 8×8×8")
        ),
    ]


def _took(*words: str) -> float:
    """Seconds of a process of its own, its start included."""
    whole = command(*words)
    return seconds(lambda: subprocess.run(whole, check=True, stdout=subprocess.DEVNULL))  # noqa: S603 - ourselves
