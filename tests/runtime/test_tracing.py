"""Is each event a span with the calls and effects within it, and is nothing told when nobody asks?"""

import asyncio
import gzip
import http.server
import subprocess
import sys
import threading
import time

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from corollary.runtime.desk import WORD
from corollary.runtime.runtime import TRIES
from corollary.runtime.spans import NAME, PATH, SERVICE, Spans
from corollary.runtime.tracing import CALLS
from tests.runtime.agents import ASKER, COUNTER, FETCHER, FLOOD, PICKY, RELAY, compiled
from tests.runtime.crashes import Server
from tests.runtime.stores import wait_for_port
from tests.runtime.test_runtime import made, said, until, with_runtime
from tests.runtime.test_ui import post

PATIENCE = 60  # s


def traced(open_store, test, **more):
    """Run a test with a runtime that is traced, and return the spans by name."""
    exporter = InMemorySpanExporter()
    with_runtime(open_store, test, tracing=Spans(exporter), **more)
    found = {}
    for span in exporter.get_finished_spans():
        found.setdefault(span.name, []).append(span)
    return found


def about(span):
    """Return agent and event of a span."""
    return span.attributes["agent"], span.attributes["event"]


def test_an_event_is_a_span_with_the_calls_and_effects_within_it(open_store):
    async def perform(agent, effect):
        return b"answer"

    async def idle(runtime):
        return not await runtime.store.busy()

    async def test(runtime):
        await made(runtime, "sink", COUNTER)
        await made(runtime, "relay", RELAY)
        await made(runtime, "fetcher", FETCHER)
        for name in ("relay", "fetcher"):
            await said(runtime, name, "one", b"request")
        await until(idle, runtime)

    found = traced(open_store, test, perform={"http": perform})
    assert {about(span) for span in found["event START"]} == {(name, "start") for name in ("sink", "relay", "fetcher")}
    messages = {about(span): span for span in found["event MESSAGE"]}
    assert {("relay", "one"), ("fetcher", "one"), ("sink", "relay/2/1")} <= messages.keys()
    assert all(span.parent is None for name in found if name.startswith("event") for span in found[name])
    asked, (answered,) = messages["fetcher", "one"], found["event RESULT"]
    (effect,) = found["effect http"]
    assert effect.parent.span_id == asked.context.span_id and effect.attributes["effect"] == "fetcher/2/1"
    sent = {span.parent.span_id for span in found["call send"]}
    assert sent == {messages["relay", "one"].context.span_id, answered.context.span_id}
    assert {span.attributes["turn"] for span in found["event START"]} == {1} and asked.attributes["turn"] == 2


def test_an_event_that_failed_is_an_error_that_says_why(open_store):
    async def test(runtime):
        await made(runtime, "a", PICKY)
        await said(runtime, "a", "one", b"!")
        await said(runtime, "a", "two", b"good")

    *failed, good = traced(open_store, test)["event MESSAGE"]
    assert [span.attributes["attempts"] for span in failed] == list(range(TRIES))
    assert all(span.status.status_code is StatusCode.ERROR for span in failed)
    assert all("unreachable" in span.status.description for span in failed)
    assert good.status.status_code is not StatusCode.ERROR


def test_a_name_that_an_agent_made_up_is_short(open_store):
    async def test(runtime):
        await made(runtime, "a", ASKER)
        await said(runtime, "a", "one", b"k" * WORD)
        while await runtime.store.busy():
            await asyncio.sleep(0.005)

    assert f"effect {'k' * NAME}" in traced(open_store, test)


def test_a_program_that_calls_without_end_makes_few_spans(open_store):
    async def test(runtime):
        await made(runtime, "a", FLOOD)
        await said(runtime, "a", "one")

    found = traced(open_store, test)
    assert sum(len(spans) for name, spans in found.items() if name.startswith("call")) == CALLS


@pytest.fixture
def collector():
    """Return where a collector listens, and the spans that it got."""
    got = []

    class Collector(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            plain = gzip.decompress(body) if self.headers.get("Content-Encoding") == "gzip" else body
            for each in ExportTraceServiceRequest.FromString(plain).resource_spans:
                service = {item.key: item.value.string_value for item in each.resource.attributes}["service.name"]
                got.extend((self.path, service, span.name) for scope in each.scope_spans for span in scope.spans)
            self.send_response(200)
            self.end_headers()

        def log_message(self, format, *args):
            """Say nothing."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Collector)
    threading.Thread(target=server.serve_forever).start()
    yield f"http://127.0.0.1:{server.server_port}", got
    server.shutdown()
    server.server_close()


def test_a_collector_gets_the_spans_of_a_process(collector, tmp_path):
    url, got = collector
    server = Server(tmp_path, ["--trace", url])
    try:
        wait_for_port(server.port)
        program = post(f"{server.url}/programs", compiled(COUNTER))
        post(f"{server.url}/agents/a", program, "PUT")
        post(f"{server.url}/agents/a/events?wait=20", b"x")
        end = time.monotonic() + PATIENCE
        while len(got) < 2:
            assert time.monotonic() < end, "nothing was sent"
            time.sleep(0.05)
    finally:
        server.kill()
        server.log.close()
    assert set(got) == {(PATH, SERVICE, "event START"), (PATH, SERVICE, "event MESSAGE")}


def test_who_asks_for_no_traces_needs_no_package_for_them():
    check = (
        "import sys, corollary.runtime.serve; sys.exit(any(name.startswith('opentelemetry') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0
