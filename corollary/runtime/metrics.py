"""What does a runtime count and time? Prometheus reads it at `/metrics`."""

import time
from contextlib import contextmanager

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

CONTENT_TYPE = CONTENT_TYPE_LATEST
SECONDS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30)
BYTES = tuple(1 << power for power in range(10, 25, 2))


class Metrics:
    """The numbers of one runtime."""

    def __init__(self):
        own = self.registry = CollectorRegistry()
        self.events = Counter("corollary_events", "Events, by what became of handling them", ["result"], registry=own)
        self.turn = Histogram("corollary_turn_seconds", "How long programs ran", buckets=SECONDS, registry=own)
        self.commit = Histogram("corollary_commit_seconds", "How long commits took", buckets=SECONDS, registry=own)
        self.wake = Histogram("corollary_wake_seconds", "How long agents took to wake", buckets=SECONDS, registry=own)
        self.effects = Counter("corollary_effects", "Effects that were carried out, by kind", ["kind"], registry=own)
        self.denied = Counter("corollary_denied", "Effects that a ring did not permit, by kind", ["kind"], registry=own)
        self.awake = Gauge("corollary_awake", "Agents that are awake", registry=own)
        self.busy = Gauge("corollary_busy", "Agents that have something to do", registry=own)
        self.checkpoint = Histogram("corollary_checkpoint_bytes", "Sizes of checkpoints", buckets=BYTES, registry=own)

    def text(self) -> bytes:
        """Return all numbers as Prometheus reads them."""
        return generate_latest(self.registry)


@contextmanager
def timed(histogram: Histogram):
    """Observe how long the context takes, if it ends well."""
    begin = time.perf_counter()
    yield
    histogram.observe(time.perf_counter() - begin)
