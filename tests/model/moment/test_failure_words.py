"""What is said of failures: the sentence of the event, and why a job waits."""

from meshgui.engine.runs.simulation import simulate
from meshgui.model.moment.narration import narrate
from tests.scenarios import scenario_of


def said(machine, rows=None, shape=(4, 2)):
    """The sentence after each event."""
    rows = rows or [
        {"arrival": 0, "size": [2, 2], "service": 5},
        {"arrival": 1, "size": [4, 2], "service": 2},
    ]
    recording = simulate(scenario_of(shape, rows, machine=machine))
    return [str(narrate(recording, recording.snapshot(n))) for n in range(len(recording) + 1)]


def test_a_failure_a_hit_and_a_repair_have_their_sentences():
    """What fails, what becomes of the job, and that processors are down while another waits."""
    sentences = said({"failures": [{"node": [0, 0], "from": 3, "until": 4}]})
    words = " ".join(sentences)
    assert "Processor (0,0) fails." in words
    assert "Job 0 (2×2) is hit and goes to the head of the queue: 12.00 of processor-time is lost." in words
    assert "Processor (0,0) is repaired." in words
    assert "1 processor is down" in words
    assert "Job 0 (2×2) starts in (1,0)–(2,1)." in words


def test_each_rule_is_said():
    """A job that ends, and one that continues from a checkpoint; boxes and several boxes that fail."""
    box = [{"box": [0, 0, 2, 1], "from": 3, "until": 4}]
    assert "Job 0 (2×2) is hit and ends: 12.00 of" in " ".join(said({"failures": box, "on_failure": "end"}))
    rule = {"on_failure": "checkpoint", "interval": 2}
    words = " ".join(said({"failures": box, **rule}))
    assert "The processors (0,0)–(1,0) fail." in words
    assert "with 2.00 of its work in a checkpoint: 4.00 of processor-time is lost." in words
    never = " ".join(said({"failures": [{"node": [0, 0], "from": 3}]}))
    assert "Job 1 (4×2) is rejected: it fits no longer: processors are down for ever." in never
