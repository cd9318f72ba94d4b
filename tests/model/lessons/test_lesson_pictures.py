"""The pictures of lessons: which files are shown, within which limits, and what of them reaches a decoder."""

import json
import os
from pathlib import Path

import pytest

from meshgui.engine.basics.limits import MAX_PAGE_PICTURES
from meshgui.model.base.limits import (
    MAX_PICTURE_BYTES,
    MAX_PICTURE_PARTS,
    MAX_PICTURE_PIXELS,
    MAX_PICTURE_SCANS,
    MAX_PICTURE_SIDE,
)
from meshgui.model.lessons import lesson_pictures
from meshgui.model.lessons.lesson_check import check_lesson
from meshgui.model.lessons.lesson_pictures import LessonPictureError, PictureFolder
from tests.pictures import chunk, jpeg, png, png_with_notes


def complaint(folder: Path, name: str) -> str:
    """Why a picture of a folder is not shown."""
    with pytest.raises(LessonPictureError) as caught:
        PictureFolder(folder).picture(name)
    return str(caught.value).partition(": ")[2]


@pytest.fixture
def lesson(tmp_path: Path) -> Path:
    """The folder of a lesson, beside other things."""
    (tmp_path / "lesson" / "in").mkdir(parents=True)
    (tmp_path / "outside.png").write_bytes(png())
    return tmp_path / "lesson"


def test_png_and_jpeg_files_of_the_folder_are_shown(lesson: Path):
    """By what they are, not by what they are called; addresses may have escapes."""
    (lesson / "a b.txt").write_bytes(png(7, 5))
    (lesson / "in" / "b.jpeg").write_bytes(jpeg())
    (lesson / "linked.png").symlink_to("in/b.jpeg")
    folder = PictureFolder(lesson)
    assert folder.picture("a%20b.txt")[:3] == ("png", 7, 5)
    assert folder.picture("in/b.jpeg")[:3] == ("jpeg", 3, 2)
    assert folder.picture("in/../linked.png")[:3] == ("jpeg", 3, 2)


@pytest.mark.parametrize(
    "name",
    [
        *("../outside.png", "%2e%2e/outside.png", "in/../../outside.png", "link.png", "up/outside.png"),
        *("{lesson}/in", "/dev/zero", "//host/share/a.png", "\\\\host\\share\\a.png", "c:a.png"),
        *(
            "http://host/a.png",
            Path("/dev/zero").as_uri(),
            "data:image/png;base64,AAAA",
            "qrc:/a.png",
            ":/a.png",
        ),
    ],
)
def test_nothing_outside_the_folder_is_touched(lesson: Path, name: str):
    """Neither a parent folder, nor by a link, nor an address, a drive or another machine."""
    (lesson / "link.png").symlink_to("../outside.png")
    (lesson / "up").symlink_to("..")
    said = complaint(lesson, name.format(lesson=lesson))
    assert said == "expected a picture in the folder of the lesson"


def test_only_plain_files_are_opened(lesson: Path):
    """A pipe without a writer is not waited for; a folder or a broken name has no picture."""
    os.mkfifo(lesson / "pipe.png")
    assert complaint(lesson, "pipe.png") == "expected a plain file, not a pipe or device"
    for name in ("in", ""):
        assert complaint(lesson, name) == "is a directory"
    (lesson / "round.png").symlink_to("round.png")
    for name in ("none.png", "x" * 5000, "a%00b.png", "round.png"):
        assert "\n" not in complaint(lesson, name)


@pytest.mark.parametrize(
    ("said", "contents"),
    [
        (
            "expected a PNG or JPEG picture",
            (b"", b"GIF89a", b"<svg xmlns='http://www.w3.org/2000/svg'><use/></svg>", b"BM", b"\x89PNG\n"),
        ),
        (
            "the picture is damaged",
            (
                *(png()[:-20], png()[:20], png(0, 5), png(more=1), png()[:25] + b"\x07" + png()[26:]),
                png(before=chunk(b"tIME", b"") * MAX_PICTURE_PARTS),
                *(jpeg()[:30], jpeg(0, 4), jpeg()[:20] + b"\0" + jpeg()[21:], b"\xff\xd8\xff\xe0\0\0"),
            ),
        ),
    ],
    ids=["of another kind", "damaged"],
)
def test_what_is_no_sound_picture_is_not_shown(lesson: Path, said: str, contents: tuple[bytes, ...]):
    """Whatever the file is called; nor one whose pixels unpack to more than its size."""
    for content in contents:
        (lesson / "a.png").write_bytes(content)
        assert complaint(lesson, "a.png") == said, content


def test_a_picture_reaches_a_decoder_without_its_notes(lesson: Path, monkeypatch):
    """No decoder needs the notes; the work is that of the size the picture has, within a piece."""
    (lesson / "a.png").write_bytes(png_with_notes(100_000))
    (lesson / "b.jpg").write_bytes(jpeg(notes=b"x" * 1000))
    folder = PictureFolder(lesson)
    assert folder.picture("a.png").content == png()
    assert folder.picture("b.jpg").content == jpeg()
    (lesson / "a.png").write_bytes(png(more=64 << 20))
    unpacked, make = [], lesson_pictures.zlib.decompressobj

    class Counting:
        def __init__(self) -> None:
            self.inner = make()

        def __getattr__(self, name: str) -> object:
            return getattr(self.inner, name)

        def decompress(self, data: bytes, most: int) -> bytes:
            unpacked.append(found := self.inner.decompress(data, most))
            return found

    monkeypatch.setattr(lesson_pictures.zlib, "decompressobj", Counting)
    assert complaint(lesson, "a.png") == "the picture is damaged"
    assert sum(map(len, unpacked)) <= 1 << 20


def test_a_picture_has_limits_and_without_a_folder_there_are_no_pictures(lesson: Path):
    """A strip one pixel wide would be a page of millions of lines; notes have no folder."""
    (lesson / "a.jpg").write_bytes(jpeg(1, MAX_PICTURE_SIDE))
    assert PictureFolder(lesson).picture("a.jpg")
    (lesson / "a.jpg").write_bytes(jpeg(1, MAX_PICTURE_SIDE + 1))
    assert complaint(lesson, "a.jpg") == "expected at most 16384 pixels a side, got 1×16385"
    (lesson / "a.jpg").write_bytes(jpeg(scans=MAX_PICTURE_SCANS + 1))
    assert complaint(lesson, "a.jpg") == f"expected a JPEG picture of at most {MAX_PICTURE_SCANS} scans"
    os.truncate(lesson / "a.jpg", MAX_PICTURE_BYTES + 1)
    mebibytes = MAX_PICTURE_BYTES >> 20
    assert complaint(lesson, "a.jpg") == f"expected pictures of at most {mebibytes} MiB in a step"
    with pytest.raises(LessonPictureError, match=r"a\.png: pictures are shown in lessons only"):
        PictureFolder(None).picture("a.png")


def test_the_pictures_of_a_step_have_limits_together(lesson: Path):
    """Of pixels and of their number; one that is named twice counts once."""
    for name in ("a.jpg", "b.jpg"):
        (lesson / name).write_bytes(jpeg(4000, 4000))
    folder = PictureFolder(lesson)
    assert folder.picture("a.jpg") is folder.picture("a.jpg")
    limit = f"at most {MAX_PICTURE_PIXELS // 10**6} million pixels.*4000×4000"
    with pytest.raises(LessonPictureError, match=limit):
        folder.picture("b.jpg")
    folder = PictureFolder(lesson)
    for number in range(MAX_PAGE_PICTURES):
        with pytest.raises(LessonPictureError, match="no such picture"):
            folder.picture(f"{number}.png")
    with pytest.raises(LessonPictureError, match=f"at most {MAX_PAGE_PICTURES} pictures"):
        folder.picture("a.jpg")


def test_a_picture_that_the_program_draws_is_one_of_its_step_and_of_its_run(tmp_path: Path):
    """Numbered from 1; of the scenario of the step, varied, or of one of its own."""
    path = tmp_path / "own.lesson.md"
    moment = {
        "scenario": "three-jobs-4x4x4",
        "pictures": [{"time": 2}, {"strategy": "tff", "time": 99}, {"scenario": "turning-helps-3x3x2"}],
    }
    names = "".join(f"![]({name})" for name in ("moment:1", "moment:3", "moment:4", "moment:0"))
    path.write_text(f"# T\n\n## S\n\n{names}\n\n```moment\n{json.dumps(moment)}\n```\n", encoding="utf-8")
    lesson, faults = check_lesson(path)
    assert [fault.message for fault in faults] == [
        "moment:4: expected a picture of the moment of this step",
        "moment:0: expected a picture in the folder of the lesson",
        "pictures.2: expected a time of at most 8, got 99",
    ]
    drawn = [lesson.drawn(0, picture) for picture in lesson.steps[0].moment.pictures]
    assert [scenario.allocator.name for scenario in drawn] == ["tbl", "tff", "tff"]
    assert drawn[2].machine.extents == (3, 3, 2)
