"""Spoilt texts and pictures: the view shows them, or a sentence, within a bound of work and memory."""

import random
from pathlib import Path

import pytest

from tests.fuzzing import MOST_MEMORY, feed, memory_of, spoil
from tests.views.text_fuzzing import TEXT_TARGETS

KINDS = sorted(TEXT_TARGETS)
pytestmark = pytest.mark.qt_log_level_fail("CRITICAL")  # decoders complain of damaged pictures


@pytest.mark.parametrize("kind", KINDS)
def test_sound_and_spoilt_ones_are_shown_or_refused(kind: str, tmp_path: Path):
    """Sound ones in a sentence, as a text of lists alone; the examples differ."""
    target = TEXT_TARGETS[kind]
    examples = target.examples()
    assert len(set(examples)) == len(examples)
    assert [feed(target, content, tmp_path) for content in examples] == [""] * len(examples)
    # Bytes lost, doubled and made up
    for seed in range(15):
        draw = random.Random(seed)
        assert feed(target, spoil(draw.choice(target.examples()), draw), tmp_path) == ""


def test_a_spoilt_picture_takes_little_memory(tmp_path: Path):
    """What a picture claims of its size is not believed."""
    target = TEXT_TARGETS["pictures"]
    for seed in range(5):
        draw = random.Random(seed)
        content = spoil(draw.choice(target.examples()), draw)
        assert memory_of(target, content, tmp_path) < MOST_MEMORY + 50 * len(content)
