"""What a web page holds of a run: the numbers of the recording, and text that stays text."""

import re
from base64 import b64encode
from hashlib import sha256

import numpy as np
import pytest

from meshgui.engine.allocation.inspection import Grid
from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import scenario_from
from meshgui.model.export import web_steps
from meshgui.model.export.web_steps import TooManyStepsError, attempts_of_jobs
from meshgui.model.moment.narration import narrate, narrate_step
from meshgui.model.scene.colours import COLOUR_COUNT, job_pattern
from tests.networks import crowd
from tests.scenarios import scenario, scenario_of
from tests.web_pages import content_of, page_of

MEGABYTE = 1_000_000


@pytest.fixture(scope="module")
def recording():
    """Sixty jobs, of which some wait."""
    return simulate(scenario((4, 3, 2), "tbl", jobs=60, load=4.0))


def run_of(page):
    """The one run of a page."""
    (run,) = content_of(page)["runs"]
    return run


def test_the_columns_are_those_of_the_recording(recording):
    """Every job, every event and every box."""
    run = run_of(page_of(recording))
    jobs = run["jobs"]
    assert run["events"]["times"].tolist() == recording.times.tolist()
    assert run["events"]["kinds"].tolist() == recording.kinds.tolist()
    assert run["events"]["jobs"].tolist() == recording.event_jobs.tolist()
    assert jobs["arrivals"].tolist() == recording.jobs.arrival.tolist()
    assert jobs["started"].tolist() == recording.started.tolist()
    assert jobs["endTimes"].tolist() == recording.times[recording.ended].tolist()
    numbers = np.arange(len(recording.jobs))
    assert jobs["tints"].tolist() == (numbers % COLOUR_COUNT).tolist()
    assert jobs["hatches"].tolist() == [job_pattern(job) for job in numbers.tolist()]
    for job in range(len(recording.jobs)):
        held = jobs["boxes"].reshape(-1, 6)[jobs["first"][job] : jobs["first"][job + 1]]
        assert [tuple(row) for row in held.tolist()] == [tuple(box) for box in recording.boxes_of(job)]


def test_the_sentences_are_those_of_the_window(recording):
    """One after each event, and one before the first."""
    said = run_of(page_of(recording))["sentences"]
    assert said == [str(narrate(recording, recording.snapshot(n))) for n in range(len(recording) + 1)]


@pytest.mark.parametrize("name", ["gabl", "mbs", "paging"])
def test_steps_say_what_the_strategy_says_and_keeps(name):
    """Line, sentence, marks and tables of each step are those that its inspector shows."""
    recording = simulate(scenario((4, 4), name, jobs=12, load=4.0))
    job = int(np.argmax(recording.attempt_counts))
    run = run_of(page_of(recording, jobs=[job]))
    assert [attempt["job"] for attempt in run["attempts"]] == [job] * int(recording.attempt_counts[job])
    for number, shown in zip(recording.attempts_of(job), run["attempts"], strict=True):
        trace = recording.trace(number)
        assert shown["position"] == recording.attempts[number].position
        assert [step["line"] for step in shown["steps"]] == trace.steps.lines().tolist()
        for place, step in enumerate(shown["steps"]):
            inspection = recording.new_strategy().inspect(trace.moment(place + 1))
            assert step["says"] == narrate_step(recording, job, inspection.says, leaving=False)
            assert step["marks"] == [[int(mark.role), *mark.box] for mark in inspection.marks]
            assert [run["panels"][panel]["title"] for panel, _ in step["panels"]] == [
                panel.title for panel in inspection.panels
            ]


def test_of_a_kind_of_data_that_a_page_does_not_draw_it_has_the_title(monkeypatch):
    """And says where it is shown."""
    monkeypatch.delitem(web_steps.WRITERS, Grid)
    recording = simulate(scenario((4, 4), "paging", jobs=4))
    run = run_of(page_of(recording, jobs=[0]))
    inspected = recording.new_strategy().inspect(recording.trace(0).moment(1))
    grids = {panel.title for panel in inspected.panels if isinstance(panel, Grid)}
    said = {panel["title"]: panel["empty"] for panel in run["panels"] if panel.get("columns") == []}
    assert grids
    assert {said[title] for title in grids} == {
        "This page does not show this structure; the window of MeshGUI does."
    }


def test_more_steps_than_a_page_takes_are_refused(recording, monkeypatch):
    """In words that say how many, not with a page that is cut off somewhere."""
    monkeypatch.setattr(web_steps, "MOST_STEPS", 3)
    with pytest.raises(TooManyStepsError, match="at most 3 steps of attempts"):
        attempts_of_jobs(recording, 0, len(recording), range(10))


def test_a_part_of_a_run_has_the_jobs_that_are_there_then(recording):
    """Neither those that left before nor those that arrive later; positions stay those of the whole run."""
    begin, end = float(recording.times[40]), float(recording.times[90])
    run = run_of(page_of(recording, begin=begin, end=end))
    assert (run["first"], run["last"]) == (recording.position_at(begin), recording.position_at(end))
    there = np.flatnonzero((recording.arrived < run["last"]) & (recording.ended >= run["first"]))
    assert run["jobs"]["numbers"].tolist() == there.tolist()
    assert len(run["sentences"]) == run["last"] - run["first"] + 1


def test_a_header_of_a_packet_is_where_the_record_has_it():
    """The gaps from channel to channel add up to the cycles in which it entered each."""
    recording = crowd()
    network = run_of(page_of(recording))["network"]
    record = recording.network
    assert network["numbers"].tolist() == list(range(len(record)))
    for packet in range(len(record)):
        rows = slice(*record.raw.first[packet : packet + 2])
        entered = record.raw.entered[rows]
        assert np.cumsum(network["gaps"][rows]).tolist() == entered.tolist()


def test_a_thousand_jobs_take_less_than_a_megabyte_and_a_half():
    """And ten times as many less than eight."""
    assert len(page_of(simulate(scenario((8, 8, 8), "tbl", jobs=1000, load=5.8)))) < 1.5 * MEGABYTE


def test_each_job_of_a_long_run_takes_less_than_eight_hundred_bytes():
    """So that ten thousand of them stay below eight megabytes."""
    sizes = [len(page_of(simulate(scenario((8, 8, 8), "tbl", jobs=jobs, load=5.8)))) for jobs in (500, 1500)]
    assert (sizes[1] - sizes[0]) / 1000 < 800


def test_the_policy_names_every_script_and_style_and_nothing_else(recording):
    """A script that is not the page's own has no digest there."""
    page = page_of(recording)
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    parts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    digests = [f"'sha256-{b64encode(sha256(part.encode()).digest()).decode()}'" for part in parts]
    assert rules.pop("script-src").split() == digests
    (style,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    assert rules.pop("style-src") == f"'sha256-{b64encode(sha256(style.encode()).digest()).decode()}'"
    assert rules == {
        "default-src": "'none'",
        "font-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "'none'",
    }


def test_a_title_is_text_and_so_is_everything_else():
    """Of what a scenario says only the title is in the page as it is, with its signs escaped."""
    attack = '</title><script>alert(1)</script><img src=x onerror="alert(2)">'
    jobs = [{"arrival": 0, "size": [2, 2], "service": 1}]
    page = page_of(simulate(scenario_of((4, 4), jobs, title=attack, notes=attack)))
    assert attack not in page
    assert page.count("alert(1)") == 1
    assert "&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=&quot;" in page
    assert run_of(page)["notes"] == attack
    assert content_of(page)["title"] == attack


def test_a_job_that_was_hit_has_a_row_for_each_time_on_the_machine():
    """At every position the rows that run, wait and are down are those of the recording."""
    data = scenario((4, 4), "ff", jobs=40, load=2.0, scheduler={"name": "sjf"}).model_dump(mode="json")
    machine = {"failures": {"between": 20.0, "repair": 1.0, "unit": [2, 1]}}
    recording = simulate(scenario_from(data | {"machine": machine}))
    assert len(recording.outages.requeued) >= 5
    run = run_of(page_of(recording))
    jobs, ranks, down = run["jobs"], run["ranks"], run["outages"]
    for position in range(len(recording) + 1):
        snapshot = recording.snapshot(position)
        begun, over = jobs["started"] < position, jobs["ended"] < position
        assert jobs["numbers"][begun & ~over].tolist() == snapshot.running.tolist()
        waits = np.flatnonzero((jobs["arrived"] < position) & ~begun & ~over)
        now = jobs["ranks"].copy()
        for at, row, rank in zip(*(ranks[name] for name in ("positions", "jobs", "ranks")), strict=True):
            if at <= position:
                now[row] = rank
        queue = sorted(waits.tolist(), key=lambda row: (now[row], jobs["numbers"][row]))
        assert [jobs["numbers"][row] for row in queue] == snapshot.queue.tolist()
        change = int(np.searchsorted(down["positions"], position, side="right")) - 1
        rows = slice(*down["first"][change : change + 2]) if change >= 0 else slice(0, 0)
        assert [tuple(row) for row in down["boxes"].reshape(-1, 6)[rows].tolist()] == list(snapshot.down)
