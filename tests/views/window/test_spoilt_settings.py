"""Spoilt settings, and a spoilt arrangement of the panels: the window opens, and nothing comes of it."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer

from meshgui.views.window.panel_sizes import PanelSizes
from tests.fuzzing import feed, spoil
from tests.views.fuzzing import WINDOW_TARGETS, drop_window

KINDS = sorted(WINDOW_TARGETS)


@pytest.fixture(autouse=True)
def no_window_is_left() -> Iterator[None]:
    """Close the window that reads one arrangement after the other."""
    yield
    drop_window()


@pytest.mark.parametrize("kind", KINDS)
def test_sound_ones_are_read(kind: str, tmp_path: Path):
    """Or the test below would spoil what is spoilt already; the examples differ."""
    target = WINDOW_TARGETS[kind]
    examples = target.examples()
    assert len(set(examples)) == len(examples)
    assert [feed(target, content, tmp_path) for content in examples] == [""] * len(examples)


@pytest.mark.parametrize("kind", KINDS)
def test_a_window_opens_on_spoilt_ones(kind: str, tmp_path: Path):
    """Values that are wrong, missing or huge, and bytes lost, doubled and made up."""
    target = WINDOW_TARGETS[kind]
    for seed in range(12):
        draw = random.Random(seed)
        assert feed(target, spoil(draw.choice(target.examples()), draw), tmp_path) == ""


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_in_a_window_is_found(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Also where Qt has called what fails; or the test above could not fail."""

    def fail() -> None:
        raise ZeroDivisionError

    target = WINDOW_TARGETS[kind]
    content = target.examples()[0]
    monkeypatch.setattr(PanelSizes, "restore", lambda *_: QTimer.singleShot(0, fail))
    with pytest.raises(ZeroDivisionError):
        feed(target, content, tmp_path)
