"""No row, label or button is cut, in the panels of examples, at the sizes of a desk and of laptops."""

import pytest

from meshgui.model.document.examples import examples
from tests.views.measuring import cuts_in
from tests.views.window.conftest import wait_for_panels

SIZES = ((1600, 1000), (1366, 768), (960, 600))
# The facts of a job, a strategy's structures and its source still scroll, or are cut, where they are long.
LONG = {"job", "inspector", "algorithm"}


@pytest.mark.parametrize("group", ["first", "second"])
def test_panels_show_whole_rows_captions_and_words(window, qtbot, group):
    """In the arrangement that each example opens in, a third into its run, in every size of one window."""
    half = examples()[1::2]
    cut = {}
    for path in half[::2] if group == "first" else half[1::2]:
        assert window.files.open(path, as_example=True)
        qtbot.waitUntil(
            lambda: (
                (run := window.time_cursor.recording) is not None
                and run.over
                and run.scenario is window.document.scenario
            )
        )
        window.time_cursor.go_to_time(window.time_cursor.recording.end_time / 3)
        for size in SIZES:
            window.resize(*size)
            wait_for_panels(window, qtbot)
            found = [words for words in cuts_in(window) if words.split(":")[0] not in LONG]
            if found:
                cut[path.name, size] = found
    assert cut == {}
