"""How do report and documents look? Pictures for people, taken by the browser that tests them.

python -m tests.report.screenshots      writes docs/images from build/report, build/docs, and a runtime that it starts
"""

import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from corollary.codegen.folders import ROOT
from tests.report.browser import PHONE, WIDE, visit
from tests.runtime.pages import never_ends, serving

IMAGES = ROOT / "docs" / "images"
LARGEST = 200_000  # bytes of a picture
LOW = (1180, 720)


@dataclass(frozen=True)
class Shot:
    """A picture: its name, the page below `build/`, the place on it, the window, and keys that are typed before."""

    name: str
    page: str
    place: str = ""
    size: tuple = WIDE
    dark: bool = False
    typed: str = ""


SHOTS = (
    Shot("report", "report/index.html"),
    Shot("bytes", "report/index.html", "image"),
    Shot("trust", "report/index.html", "trust", LOW),
    Shot("operation", "report/thing/page_map.html", size=LOW, dark=True),
    Shot("search", "report/index.html", size=PHONE, dark=True, typed="/page_map mem"),
    Shot("documents", "docs/index.html"),
)
LIVE = Shot("runtime", "ui/agents/guide", "text=Its state when it failed")
"""A page of a running runtime, and what is pressed on it."""


def take(build=ROOT / "build", folder=IMAGES, shots=SHOTS):
    """Write the pictures into a folder, and return their paths. Raises `FileNotFoundError` if a page is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    return [taken(shot, build, folder) for shot in shots]


def taken(shot, build, folder):
    """Take one picture, and return its path."""
    if not (build / shot.page).exists():
        raise FileNotFoundError(f"{build / shot.page} is missing: run `make report docs`")
    with visit(shot.size, shot.dark) as seen:
        page = seen.open(build / shot.page, shot.place)
        page.keyboard.type(shot.typed)
        if shot.typed:
            page.wait_for_selector("#hits li")
        path = folder / f"{shot.name}.png"
        page.screenshot(path=path, animations="disabled", caret="hide", scale="css")
    return path


def take_live(folder=IMAGES):
    """Take the picture of a script that never ended, and return its path."""
    path = folder / f"{LIVE.name}.png"
    with TemporaryDirectory() as data, serving(Path(data)) as url, visit(LIVE.size, offline=False) as seen:
        never_ends(url, LIVE.page.split("/")[-1])
        seen.page.goto(f"{url}/{LIVE.page}")
        seen.page.locator(LIVE.place).first.click()
        seen.page.screenshot(path=path, animations="disabled", caret="hide", scale="css")
    return path


if __name__ == "__main__":
    for path in (*take(*map(Path, sys.argv[1:])), take_live()):
        print(f"{path}: {path.stat().st_size} bytes")
