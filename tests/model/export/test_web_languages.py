"""The languages of a web page: what it says in one is what the program says in that language."""

import json
from unittest.mock import patch

import pytest

from meshgui.engine.allocation.registry import strategies
from meshgui.engine.basics.translation import LANGUAGE_VARIABLE, languages
from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import scenario_from
from meshgui.model.manual.sheet_text import worth_seeing
from tests.processes import python
from tests.scenarios import scenario
from tests.web_pages import content_of, page_of

STRATEGIES = sorted(strategies())


def beside(name):
    """The languages that a page has beside the program's own: all for one strategy, none for the others."""
    return languages if name == "tbl" else tuple


def told(name, spoken=languages):
    """All that a page says of some jobs under a strategy, by language."""
    data = worth_seeing(strategies()[name])
    data["workload"] |= {"jobs": 6, "load": 4.0}
    recording = simulate(scenario_from(data))
    with patch("meshgui.model.export.web_words.languages", spoken):
        (run,) = content_of(page_of(recording))["runs"]

    def panel(place):
        found = run["panels"][place]
        return found | {"rows": [run["rows"][row] for row in found["rows"]]} if "rows" in found else found

    for said in run["told"].values():
        for attempt in said["attempts"]:
            for step in attempt["steps"]:
                step["panels"] = [panel(place) for place, _ in step["panels"]]
                step.pop("heat", None)
    return run["told"]


def test_a_page_says_in_each_language_what_the_program_in_that_language_says():
    """Of every strategy: titles, sentences, lines, and the panels of all steps; of one in the others, too."""
    code = "import json\nfrom tests.model.export.test_web_languages import *\n"
    code += "print(json.dumps({name: told(name, beside(name)) for name in STRATEGIES}))"
    ours = {name: told(name) for name in STRATEGIES}
    for language in set(languages()) - {"en"}:
        theirs = json.loads(python("-c", code, **{LANGUAGE_VARIABLE: language}).stdout)
        assert {next(iter(theirs[name])) for name in STRATEGIES} == {language}
        others = [
            (name, spoken, part)
            for name in STRATEGIES
            for spoken in theirs[name]
            for part, said in ours[name][spoken].items()
            if theirs[name][spoken][part] != said
        ]
        assert others == []
        assert set(theirs["tbl"]) == set(languages())


@pytest.mark.parametrize("language", languages())
def test_every_word_of_the_page_is_there_in_each_language(language):
    """Under the same names."""
    tongues = content_of(page_of(simulate(scenario((4, 4), "ff", jobs=2))))["tongues"]
    assert tongues[language]["words"].keys() == tongues["en"]["words"].keys()
    assert tongues[language]["direction"] == ("rtl" if language == "ar" else "ltr")
