"""How does a page look to a browser? Headless Chromium opens it from disk, and Playwright presses the keys."""

import asyncio
import atexit
import shutil
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from playwright.sync_api import sync_playwright

PROGRAM = "chromium"
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)
LIMIT = 60_000  # ms
LOCAL = ("file:", "data:", "blob:")
WIDE, PHONE = (1280, 900), (390, 844)


class BrowserMissing(RuntimeError):
    """There is no browser."""


@dataclass
class Visit:
    """An open page of a browser, what its console said, and what it asked for that is not on the disk."""

    page: Any
    console: list = field(default_factory=list)
    fetched: list = field(default_factory=list)

    def open(self, path, place=""):
        """Open a file, at a place in it."""
        self.page.goto(path.resolve().as_uri() + (f"#{place}" if place else ""))
        return self.page

    def scrolls_sideways(self):
        """Is the page wider than the window?"""
        return self.page.evaluate("document.documentElement.scrollWidth > innerWidth")


@cache
def browser():
    """Return the browser, which is started once in each process, and its loop. Raises `BrowserMissing`."""
    program = shutil.which(PROGRAM)
    if program is None:
        raise BrowserMissing("no Chromium: run `bash tools/setup.sh --browser`, as `make test` does")
    playwright = sync_playwright().start()
    loop = asyncio.get_running_loop()
    atexit.register(stop, playwright, loop)
    return playwright.chromium.launch(executable_path=program, args=QUIET, timeout=LIMIT), loop


def stop(playwright, loop):
    """Stop Playwright, in its loop."""
    asyncio._set_running_loop(loop)
    playwright.stop()


@contextmanager
def at_work():
    """Give the browser. Its loop runs in this thread in the meantime only: others may want to run one of their own."""
    before = asyncio._get_running_loop()
    started, loop = browser()
    asyncio._set_running_loop(loop)
    try:
        yield started
    finally:
        asyncio._set_running_loop(before)


@contextmanager
def visit(size=WIDE, dark=False, offline=True):
    """Give a page of a browser without a history, which reaches no server if `offline`. Raises `BrowserMissing`."""
    look = {
        "viewport": dict(zip(("width", "height"), size)),
        "color_scheme": "dark" if dark else "light",
        "reduced_motion": "reduce",
    }
    with at_work() as started, closing(started.new_context(**look, offline=offline)) as context:
        context.set_default_timeout(LIMIT)
        seen = Visit(context.new_page())
        seen.page.on("console", lambda message: seen.console.append(message.text))
        seen.page.on("pageerror", lambda error: seen.console.append(str(error)))
        seen.page.on("request", lambda asked: None if asked.url.startswith(LOCAL) else seen.fetched.append(asked.url))
        yield seen
