"""Bad scenarios and bad arguments: one line that names file, field and expectation, and exit status 2."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import meshgui
from meshgui.cli.entry import COMMANDS, run
from meshgui.engine.scenario import ScenarioError
from tests.scenarios import parse_scenario

SOUND = {
    "meshgui": 1,
    "mesh": {"shape": [4, 4]},
    "allocator": {"name": "ff", "options": {}},
    "scheduler": {"name": "fcfs", "options": {}},
    "workload": {"kind": "stochastic", "jobs": 10, "load": 1.0, "gaps": {"kind": "exponential"}},
    "seed": 1,
}

NETWORK = ["network", "--shape", "4,4", "--packets", "none.csv", "--out", "none.out.csv"]


def changed(**parts):
    """The sound scenario with other parts, as text."""
    return json.dumps(SOUND | parts)


def listed(size):
    """One job of a size."""
    return {"kind": "list", "jobs": [{"arrival": 0, "size": size, "service": 1}]}


BAD = {
    "not JSON": ("{", "expected JSON"),
    "an empty file": ("", "expected JSON"),
    "no object": ("[]", "expected a JSON object"),
    "a wrong type": (changed(seed="one"), "seed: expected a whole number"),
    "a number as text": (
        changed(workload={"kind": "stochastic", "load": "1"}),
        "workload.load: expected a number",
    ),
    "an unknown key": (changed(colour=1), "colour: unknown key: expected one of meshgui"),
    "an unknown inner key": (changed(mesh={"shape": [4, 4], "hight": 3}), "mesh.hight: unknown key"),
    "an unknown strategy": (
        changed(allocator={"name": "best"}),
        "allocator.name: no strategy is called best: exp",
    ),
    "an unknown option": (
        changed(allocator={"name": "ff", "options": {"fast": 1}}),
        "allocator.options.fast: unknown key",
    ),
    "an unknown scheduler": (
        changed(scheduler={"name": "best"}),
        "scheduler.name: no scheduler is called best: exp",
    ),
    "a negative load": (
        changed(workload={"kind": "stochastic", "load": -1}),
        "workload.load: expected more than 0, got -1",
    ),
    "a load beyond all measure": (
        changed(workload={"kind": "stochastic", "load": 1e-320}),
        "workload.load: expected",
    ),
    "a mesh of a billion nodes": (
        changed(mesh={"shape": [1000, 1000, 1000]}),
        "mesh.shape: expected at most 1048576 processors, got 1000000000",
    ),
    "a mesh side of a billion": (changed(mesh={"shape": [10**9, 1]}), "mesh.shape.0: expected at most 1024"),
    "a request larger than the mesh": (
        changed(workload=listed([5, 1])),
        "workload.jobs.0.size: expected a request no larger than the 4×4 mesh, got 5×1",
    ),
    "a request of too many sides": (
        changed(workload=listed([1, 1, 1])),
        "workload.jobs.0.size: expected 2 numbers",
    ),
    "services beside messages under ssd": (
        changed(
            scheduler={"name": "ssd"},
            network={"pattern": "random"},
            workload={
                "kind": "list",
                "jobs": [{"arrival": 0, "size": [1, 2], "service": 3}, {"arrival": 0, "size": [1, 2]}],
            },
        ),
        "workload.jobs.1.service: expected a value for every job or for none: ssd cannot rank service times",
    ),
    "a key twice": ('{"meshgui": 1, "meshgui": 1}', "appears twice"),
    "another version": (changed(meshgui=2), "meshgui: expected 1, got 2"),
    "a key of control characters": (changed(**{"a\n\x1b[31m": 1}), r"a\n\x1b[31m: unknown key"),
    "a lone surrogate": (
        changed(title="\ud800"),
        "expected Unicode text, got \\ud800 without its other half",
    ),
    "deep nesting": ("[" * 100_000, "less deeply nested"),
    "a number of 5000 digits": ('{"meshgui": ' + "1" * 5000 + "}", "too many digits"),
}


@pytest.mark.parametrize("command", ["run", "validate"])
@pytest.mark.parametrize("name", BAD)
def test_a_bad_scenario_is_one_line(here, tmp_path, command, name):
    """The line names the file, the field and what was expected; the status is 2, the output empty."""
    text, expected = BAD[name]
    path = tmp_path / "bad.meshgui.json"
    path.write_text(text, encoding="utf-8")
    done = here(command, path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith(f"meshgui: {path}: ")
    assert expected in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.qt
@pytest.mark.parametrize("command", ["run", "validate", "trace", "render", "window"])
def test_a_bad_scenario_is_one_line_in_a_process_of_its_own(meshgui, tmp_path, command):
    """No command, and no window, shows more than the line."""
    path = tmp_path / "bad.meshgui.json"
    path.write_text(changed(seed=-1), encoding="utf-8")
    more = {"trace": ["--job", 0], "render": ["--at", 0, "--out", tmp_path / "p.png"]}.get(command, [])
    done = meshgui(*([] if command == "window" else [command]), path, *more)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == f"meshgui: {path}: seed: expected at least 0, got -1\n"


@pytest.mark.parametrize("bytes_", [b"\xff\xfe\x00", b"\x00" * 64])
def test_a_file_of_bytes_is_one_line(here, tmp_path, bytes_):
    """A file that is no text at all is a bad file like any other."""
    path = tmp_path / "bytes.json"
    path.write_bytes(bytes_)
    done = here("validate", path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "expected JSON" in done.stderr


def test_a_missing_file_and_a_folder_are_named(here, tmp_path):
    """What cannot be read is said with the system's reason."""
    missing = here("run", tmp_path / "none.json")
    folder = here("run", tmp_path)
    assert missing.stderr == f"meshgui: {tmp_path}/none.json: no such file or directory\n"
    assert folder.stderr == f"meshgui: {tmp_path}: is a directory\n"
    assert missing.returncode == folder.returncode == 2


def test_a_file_name_of_any_bytes_is_named_on_one_line(here, tmp_path):
    """A line break or a broken letter in a name does not break the line."""
    done = here("run", tmp_path / "a\nb\udcff.json")
    assert done.returncode == 2
    assert done.stderr == f"meshgui: {tmp_path}/a\\nb\\udcff.json: no such file or directory\n"


@pytest.mark.parametrize("words", [["allocators"], ["check"], ["exercise", "show", "--strategy"]])
def test_a_strategy_of_any_bytes_is_none(meshgui, words):
    """A broken letter is no fault of the program, in a process that has not loaded the strategies yet."""
    done = meshgui(*words, "ff\udcff")
    assert done.returncode == 2
    assert "ff\\udcff" in done.stderr
    assert "internal error" not in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["run"], "meshgui run: expected FILE"),
        (["validate"], "meshgui validate: expected FILE"),
        (["run", "F", "--seed", "-1"], "meshgui run: --seed: expected a whole number from 0 to "),
        (["run", "F", "--seed", "1.5"], "meshgui run: --seed: expected a whole number from 0 to "),
        (["run", "F", "--seed", "1_0"], "meshgui run: --seed: expected a whole number from 0 to "),
        (["run", "F", "--seed", str(2**63)], "meshgui run: --seed: expected a whole number from 0 to "),
        (["run", "F", "--seed"], "meshgui run: --seed: expected a value"),
        (["run", "F", "--sead", "1"], "meshgui run: no option is called --sead: did you mean --seed?"),
        (["run", "F", "G"], "meshgui run: expected no more arguments, got G"),
        (["run", "F", "a\nb"], "meshgui run: expected no more arguments, got a\\nb"),
        (["trace", "F"], "meshgui trace: expected --job"),
        (["trace", "F", "--job", "x"], "meshgui trace: --job: expected a whole number from 0 to "),
        (["render", "F"], "meshgui render: expected --out"),
        (["render", "F", "--out", "p.png"], "meshgui render: expected either --at T, --job K or --from A"),
        (
            ["render", "F", "--out", "p.png", "--at", "1", "--job", "0"],
            "meshgui render: expected either --at T, --job K or --from A",
        ),
        (
            ["render", "F", "--out", "p.png", "--at", "1", "--step", "2"],
            "meshgui render: expected --job K with --step and --attempt",
        ),
        (
            ["render", "F", "--out", "p.png", "--at", "1", "--release"],
            "meshgui render: expected --job K and no --attempt with --release",
        ),
        (
            ["render", "F", "--out", "p.png", "--at", "-1"],
            "meshgui render: --at: expected a time of 0 or more, got -1",
        ),
        (
            ["render", "F", "--out", "p.png", "--at", "nan"],
            "meshgui render: --at: expected a time of 0 or more",
        ),
        (
            ["render", "F", "--out", "p.png", "--at", "1e999"],
            "meshgui render: --at: expected a time of 0 or more",
        ),
        (
            ["render", "F", "--out", "p.png", "--at", "1", "--size", "10"],
            "meshgui render: --size: expected WIDTHxHEIGHT in pixels, each from 100 to 8192, got 10",
        ),
        (
            ["render", "F", "--out", "p.png", "--at", "1", "--size", "9x99999"],
            "meshgui render: --size: expected WI",
        ),
        (
            ["render", "F", "--out", "p.png", "--at", "1", "--view", "x"],
            "meshgui render: --view: expected one of m",
        ),
        (["bench", "--only", "x"], "meshgui bench: --only: expected one of run, recording"),
        (["network"], "meshgui network: expected --shape, --packets and --out"),
        *(
            ([*NETWORK, *more], f"meshgui network: {line}")
            for more, line in (
                (["--flits", "0"], "--flits: expected at least 1, got 0"),
                (["--flits", "65537"], "--flits: expected at most 65536, got 65537"),
                (["--flits", "-8"], "--flits: expected a whole number from 0 to "),
                (["--buffer", "0"], "--buffer: expected at least 1, got 0"),
                (["--routing-delay", "1.5"], "--routing-delay: expected a whole number from 0 to "),
                (["--switching", "x"], "--switching: expected wormhole, virtual-cut-through or store-and-fo"),
                (
                    ["--switching", "store-and-forward"],
                    "--buffer: expected at least 8 with store-and-forward, which needs room for a packet",
                ),
                (["--shape", "4"], "--shape: expected whole numbers W,L or W,L,H, got 4"),
                (["--shape", "4,x"], "--shape: expected whole numbers W,L or W,L,H, got 4,x"),
                (["--shape", "4,0"], "--shape: expected at least 1, got 0"),
                (["--shape", "1025,1"], "--shape: expected at most 1024, got 1025"),
                (["--shape", "999,999,999"], "--shape: expected at most 1048576 processors, got 997002999"),
            )
        ),
        (["vaildate"], "meshgui: no command or file is called vaildate: did you mean validate?"),
        (["xyzzy"], "meshgui: no command or file is called xyzzy: expected a FILE or one of run, "),
        (["--verzion"], "meshgui: no option is called --verzion: did you mean --version?"),
        (["none.json"], "meshgui: none.json: no such file or directory"),
    ],
)
def test_bad_arguments_are_one_line(here, shipped, words, line):
    """A bad argument is named with what was expected; no usage, no traceback, status 2."""
    done = here(*(shipped if word == "F" else word for word in words))
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith(line)
    assert done.stderr.count("\n") == 1


def test_validate_goes_on_after_a_bad_file(here, tmp_path, shipped):
    """Each file gets its line: the good ones on standard output, the bad ones on standard error."""
    bad = tmp_path / "bad.json"
    bad.write_text("{}", encoding="utf-8")
    done = here("validate", shipped, bad, shipped)
    assert done.returncode == 2
    assert done.stdout == f"{shipped}: ok\n" * 2
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(here, command):
    """`--help` says what the command does, and every option of it has a word of explanation."""
    done = here(command, "--help")
    assert done.returncode == 0
    assert COMMANDS[command] in done.stdout
    assert f"usage: meshgui {command}" in done.stdout
    assert done.stderr == ""


def test_the_program_has_help_and_a_version(here):
    """The short help lists every command; the version is one line."""
    help_text = here("--help").stdout
    assert all(f"meshgui {command} " in help_text for command in COMMANDS)
    assert here("--version").stdout == f"meshgui {meshgui.__version__}\n"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


def places(value, path=()):
    """Every place inside a JSON value."""
    yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from places(inner, (*path, key))


def complaint_about(text):
    """What is wrong with a scenario, or nothing."""
    try:
        parse_scenario(text, "f.json")
    except ScenarioError as error:
        return str(error)
    return ""


@given(st.sampled_from([path for path in places(SOUND) if path]), json_values, st.booleans())
def test_whatever_stands_anywhere_is_taken_or_refused_in_one_line(path, value, beside):
    """Any JSON value in any place of a scenario, or beside it, ends in a scenario or one line."""
    data = json.loads(json.dumps(SOUND))
    inside = data
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1] + "x" if beside else path[-1]] = value
    complaint = complaint_about(json.dumps(data))
    assert complaint.isprintable()
    assert complaint.startswith("f.json: ") or not complaint


@given(st.text())
def test_any_text_is_taken_or_refused_in_one_line(text):
    """Text that is no scenario is refused in one line that names the file."""
    assert complaint_about(text).startswith("f.json: ")
    assert complaint_about(text).isprintable()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(
    st.lists(st.text(st.characters(exclude_characters="\0"), max_size=12), max_size=4),
    st.sampled_from(["run", "trace", "render", "network"]),
)
def test_any_words_are_one_line(capsys, words, command):
    """No words after a command lead to a traceback: help, or one line and a status of 1 or 2."""
    status = run([command, *words, "no-such-file"])
    out, err = capsys.readouterr()
    assert (status == 0 and "usage" in out) or (status in {1, 2} and err.count("\n") == 1)
