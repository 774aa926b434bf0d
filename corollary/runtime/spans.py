"""How does OpenTelemetry see the runtime? Each event is a span of its own, with calls and effects within it.

An effect begins and may end after the event that asked for it.
"""

from contextlib import AbstractContextManager, contextmanager
from typing import Any

from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import StatusCode

from corollary.runtime.store import Effect, Entry, Event

SERVICE = "corollary"
PATH = "/v1/traces"  # where OTLP over HTTP takes traces
NAME = 32  # characters of a name that an agent may have made up


class Spans:
    """Tells OpenTelemetry, through an exporter of its SDK, and without any state of the process.

    What comes faster than the exporter takes it is dropped.
    """

    def __init__(self, exporter: Any):
        self.provider = TracerProvider(resource=Resource.create({"service.name": SERVICE}))
        self.provider.add_span_processor(BatchSpanProcessor(exporter))
        self.tracer = self.provider.get_tracer(__name__)

    @classmethod
    def to(cls, url: str) -> "Spans":
        """Return spans that are sent to a collector, with OTLP over HTTP."""
        return cls(OTLPSpanExporter(endpoint=url.rstrip("/") + PATH))

    @contextmanager
    def event(self, event: Event):
        about = {"agent": event.agent, "event": event.id, "attempts": event.attempts}
        with self.tracer.start_as_current_span(f"event {event.kind.name}", Context(), attributes=about) as span:

            def tell(entry: Entry) -> None:
                """Tell what came of the event."""
                span.set_attribute("turn", entry.turn)
                if not entry.committed:
                    span.set_status(StatusCode.ERROR, entry.reason)

            yield tell

    def call(self, name: str) -> AbstractContextManager[Any]:
        return self.tracer.start_as_current_span(f"call {str(name)[:NAME]}")

    def effect(self, effect: Effect) -> AbstractContextManager[Any]:
        about = {"agent": effect.agent, "effect": effect.id}
        return self.tracer.start_as_current_span(f"effect {effect.kind[:NAME]}", attributes=about)

    def close(self) -> None:
        self.provider.shutdown()
