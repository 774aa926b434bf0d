"""Do people see what agents did, go back in time, and stay safe from what agents say and other pages try?"""

import http.server
import re
import threading
from urllib.parse import quote

import pytest

from corollary.runtime.ui import AT_ONCE, plain, whole
from tests.report.browser import PHONE, WIDE, visit
from tests.runtime.agents import COUNTER, HOSTILE, MARKUP, SLEEPER, compiled
from tests.runtime.pages import begun, never_ends, post, serving
from tests.runtime.test_http import asked, made, with_client

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


async def page(client, path, method="GET", **more):
    """Return status and text of a page."""
    async with client.request(method, path, allow_redirects=False, **more) as answer:
        assert "default-src 'none'" in answer.headers.get("Content-Security-Policy", "") or answer.status == 303
        return answer.status, await answer.text()


# ---- what is shown


def test_agents_are_listed_in_pages(tmp_path):
    async def test(client):
        assert "There are none yet" in (await page(client, "/ui"))[1]
        told = await made(client, "agent-0")
        for number in range(1, AT_ONCE + 1):
            await asked(client, "PUT", f"/agents/agent-{number}", json={"program": told["program"]})
        status, first = await page(client, "/ui")
        names = sorted(f"agent-{number}" for number in range(AT_ONCE + 1))
        assert status == 200 and f"{AT_ONCE + 1} RUNNING" in first
        assert re.findall(r'"/ui/agents/([^"]+)"', first) == names[:AT_ONCE]
        _, rest = await page(client, f"/ui?after={names[AT_ONCE - 1]}")
        assert re.findall(r'"/ui/agents/([^"]+)"', rest) == names[AT_ONCE:] and "More" not in rest

    with_client(tmp_path, test)


def test_the_memory_after_each_turn_is_shown_and_what_the_turn_changed(tmp_path):
    async def test(client):
        await made(client)
        for _ in range(2):
            async with client.post("/agents/a/events?wait=5", data=b"x"):
                pass
        for turn, count in ((2, 1), (3, 2)):
            status, text = await page(client, f"/ui/agents/a/turns?turn={turn}&at=0x40")
            assert status == 200 and f"00000040  0{count} 00 00 00 00" in text
        assert re.search(r"Changed by this turn, \d pages", text) and "turns?turn=3&amp;at=0#memory" in text
        assert "waits to be called" in text
        size = int(re.search(r"(\d+) bytes", text)[1])
        assert size % 65536 == 0
        _, last = await page(client, f"/ui/agents/a/turns?turn=3&at={(1 << 62) + 1}")
        assert f">{size - 16:08x}  " in last

    with_client(tmp_path, test)


def test_what_is_done_on_a_page_is_done(tmp_path):
    async def test(client):
        await made(client)
        for verb, state in (("suspend", "SUSPENDED"), ("resume", "RUNNING")):
            assert (await page(client, f"/ui/agents/a/{verb}", "POST"))[0] == 303
            assert (await asked(client, "GET", "/agents/a"))[1]["state"] == state
        async with client.post("/agents/a/events?wait=5", data=b"x"):
            pass
        assert (await page(client, "/ui/agents/a/fork", "POST", data={"name": "b", "turn": "2"}))[0] == 303
        assert "A copy of" in (await page(client, "/ui/agents/b"))[1]
        status, text = await page(client, "/ui/agents/a/replay", "POST")
        assert status == 200 and "Each of 2 turns left the same state" in text
        await page(client, "/ui/agents/a/kill", "POST")
        assert (await asked(client, "GET", "/agents/a"))[1]["state"] == "ENDED"

    with_client(tmp_path, test)


BAD = [
    ("GET", "/ui/agents/b", {}, 404, "there is no agent"),
    ("GET", "/ui/agents/%3Cb%3E", {}, 404, "&lt;b&gt;"),
    ("GET", "/ui/nothing", {}, 404, "Not Found"),
    ("GET", "/ui/agents/a/turns", {}, 400, "invalid literal"),
    ("GET", "/ui/agents/a/turns?turn=-1", {}, 400, "no number of anything"),
    ("GET", "/ui/agents/a/turns?turn=9", {}, 404, "is not kept"),
    ("GET", "/ui/agents/a/turns?turn=1&at=%3Cscript%3E", {}, 400, "&lt;script&gt;"),
    ("GET", "/ui/agents/a/failures?moment=1", {}, 404, "did not fail then"),
    ("POST", "/ui/agents/a/fork", {"data": {"name": "<i>", "turn": "1"}}, 400, "&lt;i&gt;"),
    ("POST", "/ui/agents/a/fork", {"data": b"\xff" * 100, "headers": FORM}, 400, ""),
    ("POST", "/ui/agents/a/retry", {"data": {"event": "<u>"}}, 404, "&lt;u&gt;"),
    ("POST", "/ui/agents/a/explode", {}, 404, "Not Found"),
]


@pytest.mark.parametrize("method, path, given, status, words", BAD, ids=str)
def test_what_is_refused_is_a_page_that_says_why(tmp_path, method, path, given, status, words):
    async def test(client):
        await made(client)
        async with client.post("/agents/a/events?wait=5", data=b"x"):
            pass
        found, text = await page(client, path, method, **given)
        assert found == status and words in text, text
        assert "<i>" not in text and "<u>" not in text and "<b>&" not in text
        assert len((await asked(client, "GET", "/agents"))[1]) == 1

    with_client(tmp_path, test)


def test_every_character_of_a_text_can_be_seen():
    assert plain("a\u202eb\x1b[2J\0\nc\ud800") == "a\ufffdb\ufffd[2J\ufffd\nc\ufffd"
    assert len(plain("x" * 10**6)) < 10**4
    with pytest.raises(ValueError):
        whole("1" * 10**6)


# ---- who may ask


CROSS = [
    {"Origin": "http://evil.example"},
    {"Origin": "null"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
]


@pytest.mark.parametrize("path", ["/ui/agents/a/kill", "/agents/a/kill"])
@pytest.mark.parametrize("headers", CROSS, ids=str)
def test_a_page_from_elsewhere_changes_nothing(tmp_path, path, headers):
    async def test(client):
        await made(client)
        async with client.post(path, headers=headers, allow_redirects=False) as answer:
            assert answer.status == 403 and "another server" in await answer.text()
        assert (await asked(client, "GET", "/agents/a"))[1]["state"] == "RUNNING"
        own = {"Origin": f"http://{client.host}:{client.port}", "Sec-Fetch-Site": "same-origin"}
        async with client.post(path, headers=own, allow_redirects=False) as answer:
            assert answer.status in (200, 303)

    with_client(tmp_path, test)


@pytest.mark.parametrize("host, good", [("evil.example", False), ("evil.example:80", False), ("", False), ("[", False)])
def test_a_name_that_somebody_else_made_up_is_not_answered_to(tmp_path, host, good):
    async def test(client):
        for path in ("/agents", "/ui", "/metrics"):
            async with client.get(path, headers={"Host": host}) as answer:
                assert answer.status == 421 and "give the name as --host" in await answer.text()
        for own in ("localhost:99", "[::1]:99", "127.0.0.1"):
            async with client.get("/agents", headers={"Host": own}) as answer:
                assert answer.status == 200

    with_client(tmp_path, test)


# ---- in a browser


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """Return a runtime with an agent that says hostile things and trapped, and one that sleeps."""
    with serving(tmp_path_factory.mktemp("runtime")) as url:
        for name, text in (("hostile", HOSTILE), ("victim", COUNTER), ("sleeper", SLEEPER)):
            begun(url, name, compiled(text))
        for body in (MARKUP.encode(), b"!"):
            post(f"{url}/agents/hostile/events?wait=20", body)
        post(f"{url}/agents/sleeper/events?wait=20", b"message")
        yield url


def test_what_an_agent_says_is_shown_and_does_nothing(server):
    with visit(offline=False) as seen:
        seen.page.goto(f"{server}/ui")
        seen.page.click("text=hostile")
        shown = seen.page.inner_text("main")
        assert seen.page.title() == "hostile" and shown.count(plain(MARKUP)) >= 3
        assert "LOGGED" in shown and "DENIED" in shown and "is no name of an agent" in shown
        assert seen.page.locator("main script, main img").count() == 0
        assert seen.console == [] and all(each.startswith(server) for each in seen.fetched)
    for size in (WIDE, PHONE):
        with visit(size, offline=False) as seen:
            for page in ("", "/agents/hostile", "/agents/hostile/turns?turn=2"):
                seen.page.goto(f"{server}/ui{page}")
                assert not seen.scrolls_sideways(), page


def test_the_way_back_to_the_operation_before_the_trap(server):
    with visit(offline=False) as seen:
        seen.page.goto(f"{server}/ui/agents/hostile")
        seen.page.locator("text=Its state when it failed").first.click()
        shown = seen.page.inner_text("main")
        assert seen.page.title() == "hostile, when it failed"
        assert "trap_unreachable" in shown and "0x1234" in shown and "handle_message" in shown
        assert "<img/src=x/onerror=document.title='owned'>" in shown
        seen.page.fill("input[name=at]", "0x40")
        seen.page.click("text=Look")
        assert "00000040  fe ca 00 00" in seen.page.inner_text("#memory")
        assert seen.console == []


def test_a_copy_is_made_from_the_past_and_runs_on(server):
    with visit(offline=False) as seen:
        seen.page.goto(f"{server}/ui/agents/sleeper")
        seen.page.fill("input[name=turn]", "1")
        seen.page.click("text=Look")
        assert "_start" in seen.page.inner_text("main")
        seen.page.fill("input[name=name]", "woken")
        seen.page.click("text=Make the copy")
        assert seen.page.title() == "woken" and "SUSPENDED" in seen.page.inner_text("h1")
        seen.page.click("text=Resume")
        assert "RUNNING" in seen.page.inner_text("h1")
        seen.page.click("text=Do its turns again")
        assert "0 turns left the same state" in seen.page.inner_text("main")
        assert seen.console == []


def test_a_page_of_another_server_cannot_end_an_agent(server):
    target = f"{server}/ui/agents/victim/kill"

    class Attack(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(f'<form method="post" action="{target}"><button>Win a prize</button></form>'.encode())

        def log_message(self, format, *args):
            """Say nothing."""

    other = http.server.HTTPServer(("127.0.0.1", 0), Attack)
    threading.Thread(target=other.serve_forever).start()
    try:
        with visit(offline=False) as seen:
            seen.page.goto(f"http://127.0.0.1:{other.server_port}/")
            seen.page.click("text=Win a prize")
            assert "another server" in seen.page.inner_text("main")
            seen.page.goto(f"{server}/ui/agents/{quote('victim')}")
            assert "RUNNING" in seen.page.inner_text("h1")
    finally:
        other.shutdown()
        other.server_close()


@pytest.mark.long
def test_a_script_that_crashed_is_shown_where_it_was(server):
    never_ends(server, "script")
    with visit(offline=False) as seen:
        seen.page.goto(f"{server}/ui/agents/script")
        seen.page.locator("text=Its state when it failed").first.click()
        shown = seen.page.inner_text("main")
        assert "its fuel is spent" in shown and "qjs_eval" in shown and "▸" in shown
        assert seen.page.locator("a[href*='at=']").count() > 1 and seen.console == []
