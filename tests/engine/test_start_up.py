"""What the first paint must not wait for."""

import sys

from tests.processes import completed


def test_a_scenario_is_read_and_a_machine_shown_without_numba():
    """Reading a scenario and making its empty machine imports neither Numba nor SciPy."""
    program = """
import sys
from meshgui.engine.scenario import load_scenario
from meshgui.engine.runs.simulation import Simulation
from meshgui.model.stepping.cursor import Cursor
from meshgui.model.document.examples import DEFAULT_EXAMPLE, example
cursor = Cursor()
cursor.show(Simulation(load_scenario(example(DEFAULT_EXAMPLE))).recording())
assert cursor.view.snapshot.free == 512
assert cursor.view.inspection.panels
print([name for name in ("numba", "scipy") if name in sys.modules])
"""
    done = completed(sys.executable, "-c", program)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


def test_a_run_with_a_network_needs_no_scipy():
    """Numba does without, and so do confidence intervals: a worker of a cluster is 45 MB lighter."""
    program = """
import sys
sys.modules["scipy"] = None
from meshgui.experiment.statistics import estimate
from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import load_scenario
from meshgui.model.document.examples import example
recording = simulate(load_scenario(example("gabl-contention-16x16")))
print(recording.complete, estimate([1.0, 2.0, 4.0]).half_width > 1)
"""
    done = completed(sys.executable, "-c", program)
    assert (done.stdout.strip(), done.stderr) == ("True True", "")
