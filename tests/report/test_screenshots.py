"""Are the pictures in the documents small, shown, and of pages that are still made?"""

import re

import pytest

from corollary.codegen.folders import ROOT
from corollary.report import page
from tests.report.screenshots import IMAGES, LARGEST, LIVE, SHOTS, Shot, take, take_live
from tests.report.test_report import row, written

TEXTS = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
SHOWN = re.compile(r"!\[[^\]]+\]\((?:docs/|\.\./)?images/(\w+)\.png\)")
ALL = (*SHOTS, LIVE)
PNG = b"\x89PNG\r\n\x1a\n"


def size(picture):
    """Return width and height of a PNG file."""
    data = picture.read_bytes()
    assert data.startswith(PNG), picture
    return tuple(int.from_bytes(data[at : at + 4], "big") for at in (16, 20))


def test_every_picture_is_there_small_and_of_its_size():
    assert {path.name for path in IMAGES.iterdir()} == {f"{shot.name}.png" for shot in ALL}
    for shot in ALL:
        path = IMAGES / f"{shot.name}.png"
        assert path.stat().st_size < LARGEST and size(path) == shot.size, shot.name


def test_every_picture_is_shown_with_words_for_those_who_do_not_see_it():
    assert {name for path in TEXTS for name in SHOWN.findall(path.read_text())} == {shot.name for shot in ALL}


def test_a_picture_is_taken_of_what_is_there(tmp_path):
    written(tmp_path, [row("page_map/MEM-3", 2)])
    shots = [shot for shot in SHOTS if shot.page.startswith("report/") and shot.place != "image"]
    paths = take(tmp_path, tmp_path / "images", shots)
    assert [size(path) for path in paths] == [shot.size for shot in shots]
    assert len({path.read_bytes() for path in paths}) == len(shots)


@pytest.mark.long
def test_a_picture_is_taken_of_a_runtime(tmp_path):
    assert size(take_live(tmp_path)) == LIVE.size


def test_what_is_not_there_is_told(tmp_path):
    with pytest.raises(FileNotFoundError, match="run `make report docs`"):
        take(tmp_path, tmp_path, [Shot("x", "report/index.html")])


def test_pictures_are_of_pages_of_the_report():
    assert (ROOT / page.TARGET).relative_to(ROOT / "build").as_posix() in {shot.page for shot in SHOTS}
