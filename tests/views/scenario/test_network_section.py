"""The network in the scenario form: off or on, its fields, explicit packets typed, pasted and from files."""

from importlib.metadata import EntryPoint
from itertools import product

import pytest
from PySide6.QtCore import Qt

from meshgui.engine.basics import plugin_classes
from meshgui.engine.basics.translation import speaking
from meshgui.engine.network.patterns.registry import GROUP, patterns
from meshgui.engine.network.spec import NetworkSpec
from meshgui.engine.scenario import scenario_from
from meshgui.model.base.named import named
from meshgui.model.document.document import Document
from meshgui.model.fields.field_schema import fields_of
from meshgui.model.studies.varied_fields import varied_fields
from meshgui.views.forms.editors import SegmentEditor
from meshgui.views.forms.field_rows import FieldRow
from meshgui.views.forms.pick_editor import PickEditor
from meshgui.views.scenario.form import ScenarioForm
from meshgui.views.scenario.network_section import NetworkSection
from meshgui.views.scenario.packets_editor import PacketsEditor
from tests.networks import sending
from tests.views.conftest import handle_events

from .driving import (
    check_fault,
    choose,
    errors,
    in_sight,
    opened,
    pasted,
    retype,
    retype_side,
    scroller,
    table,
)


def with_packets(rows):
    """The example of explicit packets, with others."""
    data = opened("two-packets-meet-6x4").model_dump(mode="json")
    data["network"]["packets"] = rows
    return scenario_from(data)


def switch_network(qtbot, form, on):
    """Click it on or off."""
    button = form.findChild(SegmentEditor, "network").buttons[on]
    scroller(form).ensureWidgetVisible(button)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def fields_in_sight(form):
    """The last words of the paths of the network's fields that can be seen."""
    fields = form.findChildren(FieldRow)
    return [f.path[-1] for f in fields if f.path[:1] == ("network",) and f.isVisibleTo(form)]


def packets_of(form):
    """The editor of explicit packets."""
    return form.findChild(PacketsEditor, "network.packets")


def test_the_network_is_switched_on_and_off_again(form, qtbot):
    """It begins with the model's own defaults; off it is gone from the scenario, not from the form."""
    form.document.take(opened("gabl-16x16"), None)
    assert fields_in_sight(form) == ["network"]
    switch_network(qtbot, form, on=True)
    assert form.document.edited.network == NetworkSpec(pattern="one-to-all")
    assert fields_in_sight(form) == [
        *("network", "pattern", "messages", "quota", "barrier", "flits", "routing_delay", "buffer"),
        *("switching", "per_hop", "ports", "routing", "channels", "credit"),
        *("idle_energy", "busy_energy", "flit_energy", "startup", "between_sends", "compute"),
    ]
    retype(qtbot, form, "network.flits", "16")
    choose(qtbot, form, "network.pattern", "multigrid")
    switch_network(qtbot, form, on=False)
    assert form.document.edited == opened("gabl-16x16")
    switch_network(qtbot, form, on=True)
    assert form.document.edited.network == NetworkSpec(pattern="multigrid", flits=16)


def test_patterns_are_called_what_the_engine_calls_them(form, qtbot):
    """One word for one thing."""
    combo = form.findChild(PickEditor, "network.pattern").combo
    for name, pattern in patterns().items():
        assert combo.itemText(combo.findData(name)) == named(pattern.title, name)
    # So are switchings, and their list opens whole
    form.document.take(opened("two-packets-meet-6x4"), None)
    combo = form.findChild(PickEditor, "network.switching").combo
    assert [combo.itemText(i) for i in range(3)] == ["Wormhole", "Virtual cut-through", "Store-and-forward"]
    scroller(form).ensureWidgetVisible(combo)
    combo.showPopup()
    view = combo.view()
    qtbot.waitUntil(view.isVisible)
    assert view.visualRect(combo.model().index(0, 0)).top() >= 0
    assert view.visualRect(combo.model().index(2, 0)).bottom() < view.viewport().height()
    assert view.verticalScrollBar().maximum() == 0
    combo.hidePopup()


def test_a_third_party_s_pattern_is_called_by_its_title(qtbot, themes, monkeypatch):
    """In the form and among the fields that an experiment varies, as the project's own are."""
    own = type("Ring", (patterns()["fft"],), {"id": "ring-7", "title": "Ring of seven"})
    point = EntryPoint("ring-7", "package:Ring", GROUP)
    monkeypatch.setattr(plugin_classes, "entry_points", lambda *, group: [point] if group == GROUP else [])
    monkeypatch.setattr(EntryPoint, "load", lambda _point: own)
    for kept in (patterns, fields_of):
        kept.cache_clear()
    try:
        form = ScenarioForm(themes, Document())
        qtbot.addWidget(form)
        combo = form.findChild(PickEditor, "network.pattern").combo
        assert combo.itemText(combo.findData("ring-7")) == named("Ring of seven", "ring-7")
        varied = {field.key: field for field in varied_fields(opened("hot-spot-8x8"))}
        titles = {choice.value: choice.title for choice in varied["network.pattern"].choices}
        assert titles["ring-7"] == named("Ring of seven", "ring-7")
    finally:
        for kept in (patterns, fields_of):
            kept.cache_clear()


def test_a_fault_of_the_network_is_shown_under_its_field(form, qtbot):
    """As any other."""
    form.document.take(opened("gabl-contention-16x16"), None)
    for field, text, words in (
        ("flits", "0", "Expected at least 1, got 0"),
        ("buffer", "0", "Expected at least 1, got 0"),
        ("buffer", "70000", "Expected at most 65536, got 70000"),
        ("routing_delay", "-1", "Expected at least 0, got -1"),
        ("messages", "0", "Expected more than 0, got 0.0"),
        ("startup", "x", "Expected a whole number, got “x”"),
    ):
        check_fault(qtbot, form, f"network.{field}", text, words)


def test_what_does_not_go_together_is_said_in_place(form, qtbot):
    """Small buffers with whole packets, drawn jobs with explicit packets, planning without service times."""
    form.document.take(opened("gabl-contention-16x16"), None)
    choose(qtbot, form, "network.switching", "store-and-forward")
    said = "Expected at least 8 with store-and-forward, which needs room for a packet, got 1"
    assert errors(form) == {("network", "buffer"): said}
    choose(qtbot, form, "network.switching", "wormhole")
    choose(qtbot, form, "network.pattern", "file")
    said = "Expected a pattern other than file, which needs a list of jobs"
    assert errors(form) == {("network", "pattern"): said}
    choose(qtbot, form, "network.pattern", "random")
    choose(qtbot, form, "scheduler", "easy")
    assert list(errors(form)) == [("workload", "service")]
    choose(qtbot, form, "workload.service", "exponential")
    assert errors(form) == {}


def test_no_stated_service_says_what_then_holds(form, qtbot):
    """With a network until the messages have arrived, without one the default; it comes out as nothing."""
    form.document.take(opened("gabl-contention-16x16"), None)
    combo = form.findChild(PickEditor, "workload.service").combo
    assert combo.currentText() == "Until messages arrive"
    switch_network(qtbot, form, on=False)
    assert combo.currentText() == "Exponential, mean 1"
    assert form.document.edited.workload.service is None
    switch_network(qtbot, form, on=True)
    choose(qtbot, form, "workload.service", "constant")
    assert form.document.edited.workload.service.value == 1
    choose(qtbot, form, "workload.service", None)
    assert form.document.edited == opened("gabl-contention-16x16")


def test_stated_services_and_messages_of_listed_jobs_come_out_as_they_went_in(form, qtbot):
    """Each job may state them or not; the column of messages is there where a pattern sends them."""
    data = opened("blocking-chain-8x6").model_dump(mode="json")
    data["network"] = {"pattern": "all-to-all"}
    data["workload"]["jobs"][1] |= {"service": 3.5}
    data["workload"]["jobs"][2] |= {"messages": 12}
    scenario = scenario_from(data)
    form.document.take(scenario, None)
    assert form.document.edited == scenario
    assert not table(form).table.isColumnHidden(3)
    switch_network(qtbot, form, on=False)  # a number nobody asked for stays in sight, with what is wrong
    assert not table(form).table.isColumnHidden(3)
    assert form.document.edited is None
    form.document.take(opened("three-jobs-4x4x4"), None)
    assert table(form).table.isColumnHidden(3)


def test_only_without_a_network_every_job_needs_a_service_time(form, qtbot):
    """The first row leaves it open; without a network it says one."""
    form.document.take(opened("gabl-contention-16x16"), None)
    choose(qtbot, form, "workload", "list")
    assert [job.service for job in form.document.edited.workload.jobs] == [None]
    switch_network(qtbot, form, on=False)
    assert [job.service for job in form.document.edited.workload.jobs] == [1]
    # A line says so of a list, rather than that one row lacks a value
    form.document.take(opened("two-packets-meet-6x4"), None)
    switch_network(qtbot, form, on=False)
    said = "Job 0, service: without a network every job needs a service time"
    assert errors(form) == {("workload", "jobs"): said}
    rows = table(form).rows
    for row in range(2):
        rows.setData(rows.index(row, 2), "3")
    assert errors(form) == {}


def test_packets_are_edited_as_a_table(form, qtbot):
    """In 2D without z; another pattern hides them, and they are there when one comes back."""
    scenario = opened("two-packets-meet-6x4")
    form.document.take(scenario, None)
    assert fields_in_sight(form)[-1] == "packets"
    assert not {"messages", "quota", "barrier"} & set(fields_in_sight(form))
    rows = packets_of(form).table
    assert [rows.table.isColumnHidden(column) for column in range(8)] == [c in {3, 6} for c in range(8)]
    qtbot.waitUntil(lambda: rows.add.height() > 0)  # it is laid out
    qtbot.mouseClick(rows.add, Qt.MouseButton.LeftButton)
    assert form.document.edited.network.packets == (*scenario.network.packets, scenario.network.packets[-1])
    choose(qtbot, form, "network.pattern", "random")
    assert "packets" not in fields_in_sight(form)
    assert form.document.edited.network.packets == ()
    choose(qtbot, form, "network.pattern", "file")
    assert len(form.document.edited.network.packets) == 3


def test_a_packet_without_a_job_stays_without_and_pasted_ones_have_the_columns_in_sight(form, qtbot):
    """And one with a fault is marked in its row."""
    scenario = with_packets([[0, 0, 0, 0, 4, 2, 0], [5, 1, 0, 0, 5, 1, 0, 1]])
    form.document.take(scenario, None)
    assert form.document.edited == scenario
    rows = packets_of(form).table.rows
    rows.setData(rows.index(1, 4), "6")
    said = "Row 2, dx: expected a target on the 6×4 mesh, got (6,1,0)"
    assert errors(form) == {("network", "packets"): said}
    # Pasted ones have the columns in sight: in 2D six numbers a row
    form.document.take(opened("two-packets-meet-6x4"), None)
    rows = packets_of(form).table
    qtbot.waitUntil(lambda: rows.remove.height() > 0)  # it is laid out
    rows.table.selectAll()
    qtbot.mouseClick(rows.remove, Qt.MouseButton.LeftButton)
    pasted(qtbot, rows, "time,sx,sy,dx,dy,job\n0,0,0,5,3,1\n7,1,1,2,2,0\n")
    assert form.document.edited.network.packets == ((0, 0, 0, 0, 5, 3, 0, 1), (7, 1, 1, 0, 2, 2, 0, 0))


def test_all_columns_of_a_3d_packet_are_in_sight_at_300_pixels(form, qtbot):
    """Coordinates take no more room than they need; the time has the rest, and is not cut off."""
    data = opened("two-packets-meet-6x4").model_dump(mode="json")
    data["mesh"] = {"shape": [8, 8, 16]}
    for job in data["workload"]["jobs"]:
        job["size"] = [1, 1, 1]
    data["network"]["packets"] = [[9000, 7, 7, 15, 0, 0, 12, 1]] * 12
    form.document.take(scenario_from(data), None)
    view = packets_of(form).table.table
    qtbot.waitUntil(lambda: view.columnViewportPosition(7) > 0)
    qtbot.waitUntil(lambda: view.columnWidth(0) >= view.fontMetrics().horizontalAdvance("9000"))
    assert view.columnViewportPosition(7) + view.columnWidth(7) <= view.viewport().width()
    handle_events()  # the rows' numbers, for which there is no room, stay away
    assert view.columnWidth(0) >= view.fontMetrics().horizontalAdvance("9000")
    assert not view.verticalHeader().isVisible()


def test_rows_of_packets_are_numbered_as_errors_count_them(form, qtbot):
    """From 1; and the coordinate that lies off the mesh stands on the ground of a fault, it alone."""
    form.resize(340, 900)
    form.document.take(opened("two-packets-meet-6x4"), None)
    editor = packets_of(form).table
    scroller(form).ensureWidgetVisible(editor)
    qtbot.waitUntil(editor.table.verticalHeader().isVisible)
    rows = editor.rows
    assert [rows.headerData(row, Qt.Orientation.Vertical) for row in (0, 1)] == ["1", "2"]
    rows.setData(rows.index(1, 5), "4")
    said = "Row 2, dy: expected a target on the 6×4 mesh, got (5,4,0)"
    assert errors(form) == {("network", "packets"): said}
    ground = Qt.ItemDataRole.BackgroundRole
    assert [cell for cell in product(range(2), range(8)) if rows.data(rows.index(*cell), ground)] == [(1, 5)]
    rows.setData(rows.index(1, 5), "1")
    rows.setData(rows.index(0, 1), "-1")
    assert "Row 1, sx: expected a source" in errors(form)["network", "packets"]
    rows.setData(rows.index(0, 1), "4")
    rows.setData(rows.index(0, 2), "2")  # where it is going
    assert "Row 1: expected a target other than the source" in errors(form)["network", "packets"]


def choose_file(monkeypatch, path):
    """Let the dialog answer with a file."""
    monkeypatch.setattr(
        "meshgui.views.scenario.packets_editor.QFileDialog.getOpenFileName", lambda *_: (str(path), "")
    )


def test_packets_are_taken_from_a_file(form, qtbot, monkeypatch, tmp_path):
    """They take the place of those there were."""
    form.document.take(opened("two-packets-meet-6x4"), None)
    path = tmp_path / "packets.csv"
    path.write_text("time,sx,sy,sz,dx,dy,dz,job\n3,0,0,0,5,3,0,1\n")
    choose_file(monkeypatch, path)
    qtbot.waitUntil(lambda: packets_of(form).load.height() > 0)
    qtbot.mouseClick(packets_of(form).load, Qt.MouseButton.LeftButton)
    assert form.document.edited.network.packets == ((3, 0, 0, 0, 5, 3, 0, 1),)
    choose_file(monkeypatch, "")  # called off
    qtbot.mouseClick(packets_of(form).load, Qt.MouseButton.LeftButton)
    assert len(form.document.edited.network.packets) == 1


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("time,sx\n1,2\n", "line 1: expected the columns sy, sz, dx, dy, dz"),
        ("time,sx,sy,sz,dx,dy,dz\n0,0,0,0,1,0\n", "line 2: expected 7 values, got 6"),
        ("time,sx,sy,sz,dx,dy,dz\n", "expected at least one packet"),
        (None, "no such file"),
    ],
)
def test_a_file_that_cannot_be_used_changes_nothing(form, qtbot, monkeypatch, tmp_path, content, words):
    """One line in place says why; the next edit takes it back."""
    scenario = opened("two-packets-meet-6x4")
    form.document.take(scenario, None)
    path = tmp_path / "packets.csv"
    if content is not None:
        path.write_text(content)
    choose_file(monkeypatch, path)
    form.resize(300, 400)
    scroller(form).ensureWidgetVisible(packets_of(form).load, 0, 0)  # what is below lies out of sight
    qtbot.mouseClick(packets_of(form).load, Qt.MouseButton.LeftButton)
    said = packets_of(form).error_line.words.text()
    assert said.startswith("Nothing was changed: packets.csv: ")
    assert words in said.lower()
    assert "\n" not in said
    assert form.document.edited == scenario
    line, port = packets_of(form).error_line, scroller(form).viewport()
    qtbot.waitUntil(lambda: in_sight(form, line))
    assert line.mapTo(port, line.rect().topLeft()).y() >= 0
    qtbot.mouseClick(packets_of(form).table.add, Qt.MouseButton.LeftButton)
    assert packets_of(form).error_line.words.text() == ""


def test_many_packets_are_told_by_their_number(form, qtbot):
    """They come out as they went in; a fault names the packet; removing them leaves an empty table."""
    scenario = with_packets([[i, 0, 0, 0, 5, 3, 0, i % 2] for i in range(1500)])
    form.document.take(scenario, None)
    editor = packets_of(form)
    assert form.document.edited == scenario
    assert editor.words.isVisibleTo(form)
    assert editor.words.text().startswith("1\u202f500 packets")
    assert not editor.table.isVisibleTo(form)
    retype_side(qtbot, form, "5")
    said = "Packet 1: expected a target on the 5×4 mesh, got (5,3,0)"
    assert errors(form) == {("network", "packets"): said}
    qtbot.mouseClick(editor.clear, Qt.MouseButton.LeftButton)
    assert form.document.edited.network.packets == ()
    assert editor.table.isVisibleTo(form)


def test_ssd_refuses_services_beside_messages(form, qtbot):
    """The complaint stands at the table of jobs and names row and column; another order takes it back."""
    jobs = [(0, (1, 2), None), (0, (1, 2), None)]
    data = sending(jobs).model_dump(mode="json")
    data["workload"]["jobs"][0]["service"] = 3
    form.document.take(scenario_from(data), None)
    choose(qtbot, form, "scheduler", "ssd")
    [(place, said)] = errors(form).items()
    assert place == ("workload", "jobs")
    assert said.startswith("Job 1, service: expected a value for every job or for none: ssd cannot rank")
    choose(qtbot, form, "scheduler", "sjf")
    assert errors(form) == {}


def test_a_steady_load_takes_the_place_of_listed_packets(form, qtbot):
    """Its fields come with explicit packets alone, and the scenario has either."""
    data = {
        "mesh": {"shape": [4, 4]},
        "allocator": {"name": "ff"},
        "workload": {"kind": "list", "jobs": [{"arrival": 0, "size": [4, 4]}]},
        "network": {"pattern": "file", "load": {"traffic": "transpose", "rate": 0.25}},
    }
    form.document.take(scenario_from({"meshgui": 1} | data), None)
    load = form.document.edited.network.load
    assert (load.traffic, load.rate, load.cycles, load.warm_up) == ("transpose", 0.25, 10_000, 1_000)
    section = form.findChild(NetworkSection)
    assert not section.packets.isVisibleTo(section)
    assert section.load.isVisibleTo(section)
    section.drawn.set_value(False)
    section.drawn.edited.emit()
    assert form.document.edited.network.load is None
    assert section.packets.isVisibleTo(section)
    assert not section.load.isVisibleTo(section)


def test_both_sides_of_the_switch_are_in_the_readers_language(qtbot, themes):
    """Off and on are translated, both."""
    with speaking("de"):
        form = ScenarioForm(themes, Document())
    qtbot.addWidget(form)
    switch = form.findChild(SegmentEditor, "network")
    assert [button.text() for button in switch.buttons.values()] == ["Aus", "An"]
