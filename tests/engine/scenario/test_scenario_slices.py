"""A scenario with long lists is written in slices, to the letter as in one go, and can be left half-way."""

import json
from itertools import pairwise

import pytest

from meshgui.engine.basics.work import Work
from meshgui.engine.scenario import SlicedData, load_scenario, saving, scenario_from
from meshgui.engine.scenario.slices import SLICE, scenario_text
from tests.scenarios import save_scenario

HEAD = {
    "meshgui": 1,
    "title": 'A "jobs": [] \\ title,\n  "jobs": []',
    "notes": "Ünïcode 网\n",
    "mesh": {"shape": [4, 4]},
    "allocator": {"name": "ff"},
    "scheduler": {"name": "fcfs"},
}
JOBS = [
    {"arrival": 0.1 * row, "size": [1 + row % 4, 2], "service": 1e12 if row % 7 else 1e-7}
    | ({"ended_after": 0.5} if row % 5 == 0 else {})
    for row in range(2 * SLICE + 3)
]
PACKETS = [[row, 0, 0, 0, 1, 1, 0, row % 3] for row in range(SLICE + 1)]
TRACE = [[row, 1.5, 1 + row % 4] for row in range(3 * SLICE)]
LISTED = {"kind": "list", "jobs": JOBS}
SENDERS = [{"arrival": row, "size": [2, 2]} for row in range(SLICE + 1)]
SCENARIOS = {
    "jobs": {"workload": LISTED},
    "jobs and moves": {"workload": LISTED | {"moves": [[0.5, 3, 0]]}},
    "just a slice": {"workload": LISTED | {"jobs": JOBS[:SLICE]}},
    "one more": {"workload": LISTED | {"jobs": JOBS[: SLICE + 1]}},
    "jobs and packets": {
        "workload": LISTED | {"jobs": SENDERS},
        "network": {"pattern": "file", "packets": PACKETS},
    },
    "packets": {
        "workload": {"kind": "list", "jobs": SENDERS[:3]},
        "network": {"pattern": "file", "packets": PACKETS},
    },
    "rows of a trace": {"workload": {"kind": "swf", "jobs": TRACE}},
    "drawn": {"workload": {"kind": "stochastic", "jobs": 100_000, "load": 1}},
}


@pytest.fixture(params=SCENARIOS.values(), ids=SCENARIOS)
def scenario(request):
    """A scenario with some long lists, or none."""
    return scenario_from(HEAD | request.param)


def test_the_text_in_slices_is_that_in_one_go_and_plain_data_in_slices_are_those_in_one_go(scenario):
    """Byte for byte what pydantic writes, and what `json.dumps` writes of a scenario and its draft."""
    assert "".join(scenario_text(scenario)) == scenario.model_dump_json(indent=1)
    data = scenario.model_dump(mode="json")
    sliced = SlicedData()
    content = {"run": sliced.of_scenario(scenario), "draft": sliced.of_draft(data), "path": None}
    assert "".join(sliced.text(content)) == json.dumps({"run": data, "draft": data, "path": None})


def test_no_piece_of_a_long_draft_has_more_rows_than_a_slice():
    """Nor has one of a scenario."""
    scenario = scenario_from(HEAD | {"workload": {"kind": "swf", "jobs": TRACE}})
    for data in (SlicedData.of_scenario, SlicedData.of_draft):
        sliced = SlicedData()
        of = scenario if data is SlicedData.of_scenario else scenario.model_dump(mode="json")
        assert max(piece.count(", 1.5, ") for piece in sliced.text(data(sliced, of))) == SLICE


@pytest.mark.parametrize("workload", [None, 7, {"jobs": None}, {"jobs": ["x", None] * SLICE}])
def test_a_wrong_draft_is_written_as_it_is(workload):
    """Whatever stands where jobs should."""
    sliced = SlicedData()
    draft = {"title": "wrong", "workload": workload}
    assert "".join(sliced.text(sliced.of_draft(draft))) == json.dumps(draft)


def test_what_a_window_shows_follows_the_slices(tmp_path):
    """As the last key of the file; half-way a share has been written, and nothing lies beside the old."""
    scenario = scenario_from(HEAD | {"workload": LISTED})
    save_scenario(scenario, tmp_path / "a.json", {"panel": "Überblick"})
    text = scenario.model_dump_json(indent=1).removesuffix("\n}")
    assert (tmp_path / "a.json").read_text(
        "utf-8"
    ) == f'{text},\n "view": {{\n  "panel": "Überblick"\n }}\n}}\n'
    path = tmp_path / "a.json"
    path.write_text("old")
    writing = saving(scenario_from(HEAD | {"workload": LISTED}), path)
    shares = [next(writing), next(writing)]
    assert 0 <= shares[0] < shares[1] < 1
    writing.close()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_no_slice_holds_who_writes_it(tmp_path):
    """Of 30,000 jobs no slice writes a quarter of the whole."""
    jobs = [job | {"arrival": row / 7} for row, job in enumerate(JOBS * 15)]
    scenario = scenario_from(HEAD | {"workload": LISTED | {"jobs": jobs}})
    shares = [0.0, *saving(scenario, tmp_path / "a.json")]
    slices = [after - before for before, after in pairwise(shares)]
    assert len(slices) > 30
    assert max(slices) < 1 / 4


def test_the_shares_of_what_is_written_and_read_end_with_all_of_it(tmp_path, monkeypatch):
    """They grow, and none is more."""
    path = tmp_path / "a.json"
    written = list(saving(scenario_from(HEAD | {"workload": LISTED}), path))
    assert written == sorted(set(written))
    assert written[-1] == 1
    assert written[0] < 1 / 2
    monkeypatch.setattr("meshgui.engine.scenario.files._BETWEEN_REPORTS", 1)
    read = []
    with Work(lambda progress: read.append(progress.share)).under_way():
        load_scenario(path)
    assert read == sorted(read)
    assert read[-1] <= 1
    objects = 2 * path.read_text("utf-8").count("{")
    assert read[0] == pytest.approx(1 / objects)
