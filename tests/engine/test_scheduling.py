"""The queue disciplines, by the order in which a crowd of waiting jobs is served."""

from meshgui.engine.recording import EventKind
from meshgui.engine.simulation import simulate
from tests.scenarios import SCHEDULERS, listed

FCFS, SSD_PROCESSOR_TIME, SSD_TIME = SCHEDULERS

# The first holds the whole 4×4 mesh; of the others none fits beside another, so they are served one by one.
CROWD = [
    (0.0, (4, 4), 10.0),
    (1.0, (3, 3), 4.0),  # demand 36
    (2.0, (4, 3), 2.0),  # demand 24
    (3.0, (3, 4), 2.5),  # demand 30
    (4.0, (4, 4), 1.5),  # demand 24 again, later than job 2
]


def order_of_starts(scheduler, jobs=CROWD):
    """The jobs in the order in which they are started."""
    recording = simulate(listed((4, 4), jobs, scheduler=scheduler))
    starts = recording.kinds == EventKind.START
    return recording.event_jobs[starts].tolist()


def test_fcfs_serves_in_order_of_arrival():
    """First come, first served."""
    assert order_of_starts(FCFS) == [0, 1, 2, 3, 4]


def test_ssd_by_processor_time_serves_the_least_work_first():
    """Processors × service decides; equal demands keep their order of arrival."""
    assert order_of_starts(SSD_PROCESSOR_TIME) == [0, 2, 4, 3, 1]


def test_ssd_by_time_serves_the_shortest_first():
    """Service alone decides."""
    assert order_of_starts(SSD_TIME) == [0, 4, 2, 3, 1]


def test_ssd_counts_processor_time_unless_told_otherwise():
    """The default of the demand option is the one of 002."""
    assert order_of_starts({"name": "ssd"}) == order_of_starts(SSD_PROCESSOR_TIME)


def test_a_short_job_that_comes_late_overtakes():
    """The order is by demand among those that wait, whenever they came."""
    late = [*CROWD, (9.0, (4, 4), 0.5)]
    assert order_of_starts(SSD_TIME, late) == [0, 5, 4, 2, 3, 1]
