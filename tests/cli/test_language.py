"""What programs read is the same in every language; what people read is in theirs."""

import json
import re
import zipfile

import pytest

from meshgui.cli.entry import COMMANDS
from meshgui.engine.basics.translation import ENGLISH, PSEUDO, languages
from meshgui.model.document.examples import example
from tests.processes import python

IN_ONE_PROCESS = """
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
from meshgui.cli.entry import run

for words in json.loads(sys.argv[1]):
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        status = run(words)
    print(json.dumps([status, out.getvalue(), err.getvalue()]))
"""
BARE = re.compile(r"(?<![\w.-])[a-z]+ [a-z]+ [a-z]+(?![\w])")  # words of English, three in a row


def outputs(meshgui, folder, language, *words):
    """What a command writes for programs, by name: standard output and files, without what was measured."""
    folder.mkdir()
    filled = [str(word).format(out=folder) for word in words]
    done = meshgui(*filled, MESHGUI_LANGUAGE=language)
    assert done.returncode == 0, done.stderr
    files = {"stdout": done.stdout} if "--json" in words else {}
    for path in sorted(folder.iterdir()):
        if path.suffix == ".zip":
            with zipfile.ZipFile(path) as bundle:
                files |= {name: bundle.read(name).decode() for name in bundle.namelist() if "csv" in name}
        else:
            files[path.name] = path.read_text(encoding="utf-8")
    return {name: unmeasured(name, text) for name, text in files.items()}


def unmeasured(name, text):
    """Without the wall times, which differ from run to run."""
    if name.endswith(".csv") or name == "per-job":
        heading, *rows = (line.split(",") for line in text.splitlines())
        kept = [place for place, column in enumerate(heading) if column != "seconds"]
        return [[row[place] for place in kept if place < len(row)] for row in [heading, *rows]]
    return re.sub(r'"overhead[^"]*": (\{[^}]*\}|[^,}]*)', '"overhead"', text)


@pytest.mark.parametrize(
    "words",
    [
        ("run", example("three-jobs-4x4x4"), "--json", "--events", "{out}/e", "--per-job", "{out}/j.csv"),
        ("run", example("no-deadlock-6x6"), "--json", "--events", "{out}/e", "--channels", "{out}/c"),
        ("run", example("from-a-trace-8x8"), "--json"),
        ("exercise", "set", "{out}/set.json", "--count", "7", "--title", "Seven"),
        (
            *("sweep", example("three-jobs-4x4x4"), "--vary", "allocator.name=tbl,ff", "--min-runs", "2"),
            *("--max-runs", "2", "--jobs", "1", "--json", "--csv", "{out}/r.csv", "--bundle", "{out}/b.zip"),
        ),
    ],
    ids=["run", "network", "trace", "exercises", "sweep"],
)
def test_what_programs_read_is_in_no_language(meshgui, tmp_path, words):
    """Events, tables and JSON have the same keys and names, so that scripts work for everyone."""
    english = outputs(meshgui, tmp_path / "english", ENGLISH, *words)
    assert english
    assert outputs(meshgui, tmp_path / "pseudo", PSEUDO, *words) == english


def said(language, *commands):
    """What commands end with and show, each after the other in one process of a language."""
    lines = json.dumps([[str(word) for word in words] for words in commands])
    done = python("-c", IN_ONE_PROCESS, lines, MESHGUI_LANGUAGE=language, COLUMNS="1000")
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_the_files_of_the_program_have_the_same_keys():
    """The schema of scenarios but for its titles, and the list of strategies."""
    commands = (("schema",), ("lesson", "schema"), ("exercise", "schema"), ("allocators", "--json"))
    one, other = (
        [without_words(json.loads(out)) for _, out, _ in said(language, *commands)]
        for language in (ENGLISH, PSEUDO)
    )
    assert one == other


def without_words(data):
    """JSON without the texts that people read."""
    if isinstance(data, dict):
        return {
            key: without_words(value) for key, value in data.items() if key not in {"title", "description"}
        }
    return [without_words(each) for each in data] if isinstance(data, list) else data


def test_help_is_in_the_language():
    """No run of English words stands outside the marks of the pseudo language."""
    helps = said(PSEUDO, ["--help"], *([command, "--help"] for command in COMMANDS))
    for command, (status, out, err) in zip(["", *COMMANDS], helps, strict=True):
        assert (status, err) == (0, ""), command
        assert "⟦" in out, command
        assert BARE.findall(unmarked(out)) == [], command


def unmarked(text):
    """What stands outside the marks, which may lie in one another."""
    depth, left = 0, []
    for letter in text:
        depth += (letter == "⟦") - (letter == "⟧")
        left.append(letter if depth == 0 else "|")
    return "".join(left)


def test_headings_of_tables_are_in_the_language():
    """The first line names the columns; ids, citations and numbers below it are in no language."""
    for _, out, _ in said(PSEUDO, ["allocators"], ["reproduce", "--list"]):
        heading = out.splitlines()[0]
        assert "⟦" in heading
        assert re.findall("[A-Za-z]{2,}", unmarked(heading)) == []


def test_numbers_that_people_read_have_a_comma_in_german():
    """In every table of a run, of growth and of the benchmark, whose versions of packages are no numbers."""
    commands = (
        ["run", str(example("three-jobs-4x4x4"))],
        ["growth", "bl"],
        ["bench", "--only", "allocation"],
    )
    for (status, out, err), command in zip(said("de", *commands), commands, strict=True):
        assert (status, err) == (0, ""), command
        shown = [line for line in out.splitlines() if not line.startswith("python")]
        assert any(re.search(r"\d,\d", line) for line in shown), command
        assert [line for line in shown if re.search(r"\d\.\d", line)] == [], command


def test_mistakes_are_named_in_the_language(tmp_path):
    """What the parser and the program say of a user's mistake."""
    lost = tmp_path / "lost.meshgui.json"
    mistakes = (
        ("run",),
        ("run", lost),
        ("render", "--at"),
        ("run", lost, "--json=3"),
        ("growth", "--dims", "4"),
        ("sweeep",),
        ("run", lost, "--bogus"),
    )
    for status, _, err in said(PSEUDO, *mistakes):
        assert status == 2
        assert err.count("\n") == 1
        assert BARE.findall(unmarked(err)) == []
        assert "⟦" in err


@pytest.mark.parametrize("language", [name for name in languages() if name != ENGLISH])
def test_every_lesson_example_and_exercise_runs_in_every_language(language):
    """From the first step to the last and back, with the same sentences; right answers are right."""
    done = python("tests.cli.in_a_language", MESHGUI_LANGUAGE=language)
    assert (done.returncode, done.stderr) == (0, "")
    assert int(done.stdout) > 1000


@pytest.mark.parametrize("language", [name for name in languages() if name != ENGLISH])
def test_the_system_chooses_the_language(meshgui, tmp_path, language):
    """By its locale, where the user has chosen none; a language without a catalogue is English."""

    def asked(locale):
        folders = {"XDG_CONFIG_HOME": str(tmp_path), "APPDATA": str(tmp_path), "LC_ALL": locale}
        return meshgui("--help", MESHGUI_LANGUAGE="", LANGUAGE="", **folders).stdout

    assert asked(f"{language}.UTF-8") != asked("en_GB.UTF-8") == asked("xx_XX.UTF-8")
