"""A spoilt file of any kind ends in one line: no traceback, no harm, and memory within a bound."""

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fuzzing import TARGETS, HarmDoneError, feed, harmless, memory_bound_of, memory_of, spoilt
from tests.scale import cases

KINDS = sorted(TARGETS)


@pytest.mark.parametrize("kind", KINDS)
def test_a_sound_file_is_read(kind: str, tmp_path: Path):
    """Or the tests below would spoil what is spoilt already."""
    target = TARGETS[kind]
    assert [feed(target, content, tmp_path) for content in target.examples()[:3]] == [""] * len(
        target.examples()[:3]
    )


@pytest.mark.parametrize("kind", KINDS)
def test_a_spoilt_file_ends_in_one_line(kind: str, tmp_path_factory: pytest.TempPathFactory):
    """Values that are wrong, missing, huge or of another kind; bytes lost, doubled and made up."""
    target, folder = TARGETS[kind], tmp_path_factory.mktemp("spoilt")
    lines = set()

    @cases(60, kernels=False)
    @given(st.integers(0, 2**32))
    def read(seed: int) -> None:
        draw = random.Random(seed)
        lines.add(feed(target, spoilt(target, draw), folder))

    read()
    assert len(lines) > (
        0 if kind in {"recent files", "exercise log"} else 3
    )  # most are refused, and not all for one reason


@pytest.mark.parametrize("kind", KINDS)
def test_a_spoilt_file_takes_little_memory(kind: str, tmp_path: Path):
    """Before anything is done with it: what a file claims of its size is not believed."""
    target = TARGETS[kind]
    for seed in range(5):
        draw = random.Random(seed)
        content = spoilt(target._replace(examples=lambda: (min(target.examples(), key=len),)), draw)
        assert memory_of(target, content, tmp_path) < memory_bound_of(content)


def test_harm_is_seen(tmp_path: Path):
    """A program that is started, and a file that is written elsewhere; or the tests above could not fail."""
    import subprocess  # noqa: PLC0415 - here alone

    inside, outside = tmp_path / "inside", tmp_path / "outside.txt"
    inside.mkdir()
    with harmless(inside):
        (inside / "a.txt").write_text("fine")
        with pytest.raises(HarmDoneError, match="outside"):
            outside.write_text("harm")
        with pytest.raises(HarmDoneError, match="Popen"):
            subprocess.run(["true"], check=False)
    outside.write_text("no longer guarded")
