"""All words of the program are messages, and every language's catalogue has them all with their marks."""

import json
import re
from collections import Counter
from string import Formatter

import pytest
from babel.messages import mofile, pofile

from meshgui.cli.figure_words import shown
from meshgui.engine.allocation.fuzzy_panels import as_number, bound_in_words
from meshgui.engine.allocation.registry import strategies
from meshgui.engine.basics.memory import in_gigabytes
from meshgui.engine.basics.translation import (
    ENGLISH,
    PSEUDO,
    language,
    languages,
    speaking,
    tr,
    tr_n,
)
from meshgui.engine.basics.words import count_of, counted, percent
from meshgui.engine.scenario.files import ScenarioError, scenario_from
from meshgui.experiment.statistics import Estimate
from meshgui.model.charts.charts import ChartData
from meshgui.model.lessons.lesson import load_lesson
from meshgui.model.lessons.lesson_shelf import shipped_lessons
from meshgui.model.manual.help_pages import help_page, worked_example
from tests.sources import SOURCES
from tests.tools import tool

finder = tool("messages")
OTHERS = [name for name in languages() if name != ENGLISH]


def compiled(name, domain="meshgui"):
    """The messages of a language as the program reads them, forms by message."""
    with (finder.COMPILED / name / "LC_MESSAGES" / f"{domain}.mo").open("rb") as file:
        return forms_of(mofile.read_mo(file))


def forms_of(catalogue):
    """The forms of each message of a catalogue."""
    forms = {}
    for message in catalogue:
        one = message.id if isinstance(message.id, str) else message.id[0]
        if one:
            said = [message.string] if isinstance(message.string, str) else message.string
            context = message.context  # which babel leaves as bytes where it reads compiled ones
            words = context.decode() if isinstance(context, bytes) else context
            forms["\x04".join(filter(None, [words, one]))] = list(said)
    return forms


@pytest.fixture(scope="module")
def messages():
    """Those of the sources."""
    return finder.messages()


def marks(template):
    """The places of a template that are filled in, with how they are written."""
    return Counter(
        f"{field}!{conversion or ''}:{style or ''}"
        for _, field, style, conversion in Formatter().parse(template)
        if field is not None
    )


@pytest.mark.parametrize("language", languages())
def test_the_buttons_of_the_views_differ_where_they_have_room_for_a_letter(language):
    """Top, front and side, beside a mesh in a narrow window."""
    with speaking(language):
        words = (tr("Top"), tr("Front"), tr("Side", "the view from the side"))
    assert len({word[0] for word in words}) == len(words)


def test_every_text_for_users_is_a_message():
    """What reads like words and is in no message is named with its place."""
    assert [text for path in finder.python_files() for text in finder.bare_texts(path)] == []


@pytest.fixture
def room(tmp_path, monkeypatch):
    """The only file of some sources, still to be written."""
    monkeypatch.setattr(finder, "SOURCES", tmp_path)
    monkeypatch.setattr(finder, "ROOT", tmp_path)
    return tmp_path / "room.py"


def test_a_text_that_is_no_message_is_found(room):
    """Words in a call, an f-string or a table are found; keys, names and comments of the kind are not."""
    room.write_text(
        'label("Two words")\nlabel(f"job {n} waits")\nROWS = {"a key": tr("A value")}\n'
        'raise TypeError("a mistake of the program")\nread("a format")  # untranslated: of the file\n'
        'label(tr("Three words here"), tr("Left", "the channel"))\n',
        encoding="utf-8",
    )
    assert [text.split(": ", 1)[1] for text in finder.bare_texts(room)] == ["'Two words'", "'job … waits'"]
    found = [message.key for message in finder.messages_of(room)]
    assert found == ["A value", "Three words here", "the channel\x04Left"]


def test_a_single_small_word_is_found_where_a_user_reads_it(room):
    """Shown, set into a message, beside one or in its place; names, colours and keys are not."""
    room.write_text(
        "def told(given, panel):\n"
        '    what = given or "nothing"\n'
        '    way = "up" if given > 0 else "down"\n'
        '    tone = "muted" if given else "text"\n'
        '    panel.show("queue")\n'
        '    panel.setText("none")\n'
        '    panel.add(TableCell(tr("Free"), tone="muted"), tone)\n'
        '    rows = {"kept": tr("It is first"), "across": ("upright", "level")[given]}\n'
        '    said = read(given) or "unknown"\n'
        '    key = read(given) or "scenario"  # untranslated: a key\n'
        '    more = tr("{what} goes {way}").format(what=what, way=way)\n'
        "    return more, f\"{'more' if given else 'less'} of it\"\n",
        encoding="utf-8",
    )
    found = {text.split(": ", 1)[1].strip("'") for text in finder.bare_texts(room)}
    assert found == {
        *("nothing", "up", "down", "none", "upright", "level", "unknown", "more", "less", "… of it")
    }


def test_the_tests_speak_english():
    """The language of this process is English, in which messages are the texts of the sources."""
    assert language() == ENGLISH
    assert (tr("Open…"), count_of(2, "box"), counted(0, "entry")) == ("Open…", "2 boxes", "no entries")


def test_the_pseudo_language_marks_every_message():
    """For translators and tests, English between marks, filled in as in any other language."""
    with speaking(PSEUDO):
        assert tr("Job {job} starts").format(job=3) == "⟦Job 3 starts⟧"
        assert tr("Left", "the channel") == "⟦Left⟧"
        assert tr_n("{number} job waits", "{number} jobs wait", 2) == "⟦2 jobs wait⟧"
    assert language() == ENGLISH


@pytest.mark.parametrize("name", OTHERS)
def test_a_language_has_every_message_and_no_other(name, messages):
    """Each message of the sources is translated; what the sources have no more is gone."""
    wanted = {message.key for message in messages}
    there = set(compiled(name))
    assert sorted(wanted - there) == [], "not translated: run make messages and translate them"
    assert sorted(there - wanted) == [], "left over: run make messages"


@pytest.mark.parametrize("name", OTHERS)
def test_a_translation_has_the_marks_of_its_message(name, messages):
    """What a message fills in, its translation does, too; a form for one or two may leave the number out."""
    forms = compiled(name)
    wrong = []
    for message in messages:
        allowed = [marks(message.one)]
        if message.many:
            allowed.append(marks(message.many))
            allowed += [without_number(each) for each in allowed]
        wrong += [(message.one, said) for said in forms.get(message.key, []) if marks(said) not in allowed]
    assert wrong == []


def without_number(counts):
    """The marks but for the number."""
    return Counter({mark: count for mark, count in counts.items() if not mark.startswith("number!")})


@pytest.mark.parametrize("name", OTHERS)
def test_the_compiled_catalogue_is_that_of_the_translators(name):
    """The catalogue that the program reads has the words of translations/LANGUAGE.po."""
    with (finder.TRANSLATIONS / f"{name}.po").open("rb") as file:
        assert compiled(name) == forms_of(pofile.read_po(file))


@pytest.mark.parametrize("name", OTHERS)
def test_digits_stay_western(name):
    """Numbers keep their digits in every language."""
    wrong = [said for forms in compiled(name).values() for said in forms if re.search(r"[٠-٩۰-۹]", said)]
    assert wrong == []


@pytest.mark.parametrize(("name", "alike"), [("de", {"In", "in", "so"}), ("ar", {"midplanes"})])
def test_no_line_of_pseudo_code_has_an_english_word_left(name, alike):
    """Nor has its sentence: of all strategies, but for values of options and names of papers."""
    forms = compiled(name)
    names = {"EAFR", "best", "first", "fit", "interference", "minimum", "take"}
    for cls in strategies().values():
        for line in (*cls.lines, *cls.release_lines):
            for text in filter(None, (line.text, line.says)):
                english, *said = (set(words_of(each)) for each in (text, *forms[text]))
                assert english & set().union(*said) <= names | alike, f"{cls.id}: {text}"


def words_of(text):
    """The words in Latin letters of a message, without its marks."""
    return re.findall(r"[A-Za-z]{2,}", re.sub(r"{.*?}", "", text))


@pytest.mark.parametrize("name", OTHERS)
def test_one_word_stands_for_one_thing(name):
    """No message and no page has a word that translations/README.md puts under *not*."""
    retired = retired_words(name)
    catalogues = [compiled(name, domain).values() for domain in ("meshgui", "pages")]
    said = [re.sub(r"{.*?}", "", text) for catalogue in catalogues for forms in catalogue for text in forms]
    assert retired
    assert [(word, text) for word in retired for text in said if word in text] == []


def retired_words(name):
    """What the last column of a language's table holds."""
    table = (finder.TRANSLATIONS / "README.md").read_text(encoding="utf-8").partition(f"\n## {name}\n")[2]
    rows = [row.split("|")[-2] for row in table.partition("\n## ")[0].splitlines() if row.startswith("| ")]
    return [word.strip() for cell in rows[1:] for word in cell.split(",") if word.strip()]


def test_the_titles_of_scenarios_on_pages_are_messages():
    """They are in the bar of the window while a lesson or a page's worked example is shown."""
    lessons = [load_lesson(path) for path in shipped_lessons()]
    shown = [lesson.scenario(place) for lesson in lessons for place in range(len(lesson.steps))]
    titles = {scenario.title for scenario in shown if scenario is not None and scenario.title}
    examples = [worked_example(help_page(cls)) for cls in strategies().values()]
    titles |= {json.loads(found)["title"] for found in examples if found is not None}
    assert {"A large one first", "The first box in scan order"} <= titles
    assert titles <= finder.page_texts().keys()


def test_a_percent_is_written_in_one_way(messages):
    """5.5 % with a space that does not break, in English as elsewhere; no text has 5.5%, nor is one made."""
    assert percent(0.055) == "5.5\N{NO-BREAK SPACE}%"
    with speaking("de"):
        assert percent(0.9544, ".1f") == "95,4\N{NO-BREAK SPACE}%"
    said = [text for message in messages for text in (message.one, message.many or "")]
    joined = re.compile(r"\d%(?!\w)|:[^{}]*%}")
    assert [text for text in (*said, *finder.page_texts()) if joined.search(text)] == []
    assert [path.name for path in SOURCES if re.search(r":\.\d%}", path.read_text(encoding="utf-8"))] == []


def test_numbers_have_the_comma_of_the_language_outside_of_messages_too():
    """In tables of the command line, panels of strategies, a chart's readings, and the answers of lessons."""
    with speaking("de"):
        found = [
            in_gigabytes(1.5 * 2**30),
            bound_in_words(2500),
            as_number(1234.0),
            shown("turnaround", Estimate(12.5, 0.25, 5)),
            ChartData("", "", "", ()).x_words(0.25),
        ]
    assert found == ["1,5 GB", "2,50", "1.234", "12,50 ± 0,25", "0,25"]


def test_german_parts_a_percent_from_its_number_by_a_space_that_does_not_break():
    """5 %, in all that is written out."""
    for domain in ("meshgui", "pages"):
        texts = [re.sub(r"{[^}]*}", "1", text) for forms in compiled("de", domain).values() for text in forms]
        assert [text for text in texts if re.search(r"\d ?%(?!\w)", text)] == []


def test_german_messages_address_no_reader():
    """They say what to do in the infinitive; only pages, which teach, have a reader."""
    said = [text for forms in compiled("de").values() for text in forms]
    addressed = re.compile(r"\b([Dd]u|[Dd]ich|[Dd]ir|[Dd]ein\w*|möchtest|Sei|[Gg]ib|[Ss]ieh|[Ss]peichere)\b")
    assert [text for text in said if addressed.search(text)] == []


SMALL = {
    "meshgui": 1,
    "mesh": {"shape": [4, 4]},
    "allocator": {"name": "ff"},
    "workload": {"kind": "stochastic", "jobs": 4, "load": 2.0},
}
QUOTES = {"de": "„“", "ar": "«»"}


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_quoted_stands_between_the_marks_of_the_language(name, messages):
    """„…“ in German, «…» in Arabic; straight marks are those of code, which English has as well."""
    opens, closes = QUOTES[name]
    catalogue = compiled(name)
    for message in messages:
        for said in catalogue[message.key]:
            assert said.count('"') == message.one.count('"'), said
            assert said.count(opens) == said.count(closes), said
            assert not set("„“”«»") - {opens, closes} & set(said), said


def test_no_message_quotes_as_python_does(messages):
    """Marks are part of the message, or come of `in_quotes`; those of Python are of no language."""
    said = [text for message in messages for text in (message.one, message.many or "")]
    assert [text for text in said if re.search(r"![ra]\b|[\"']{\w+}[\"']", text)] == []


@pytest.mark.parametrize(("name", "quoted"), [("en", "“abc”"), ("de", "„abc“"), ("ar", "«abc»")])
def test_a_wrong_value_is_quoted_as_the_language_does(name, quoted):
    """In the errors of fields and files."""
    with speaking(name), pytest.raises(ScenarioError) as caught:
        scenario_from(SMALL | {"seed": "abc"})
    assert quoted in str(caught.value)
