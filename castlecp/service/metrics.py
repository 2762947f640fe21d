"""What is counted, for Prometheus, and one line of JSON for each request."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from typing import Any

import msgspec
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

#: Bounds of the buckets of latencies, in seconds.
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)


class Metrics:
    """Counters and gauges of one service."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self.requests = Counter(
            "castlecp_requests",
            "Requests by route and status",
            ["route", "status"],
            registry=registry,
        )
        self.seconds = Histogram(
            "castlecp_request_seconds",
            "Time to the end of the answer",
            ["route", "lane"],
            buckets=BUCKETS,
            registry=registry,
        )
        self.kills = Counter(
            "castlecp_kills", "Workers that were ended", ["lane", "reason"], registry=registry
        )
        self.waiting = Gauge(
            "castlecp_waiting", "Questions that wait for a lane", ["lane"], registry=registry
        )
        self.busy = Gauge("castlecp_busy", "Workers at work", ["lane"], registry=registry)
        self.workers = Gauge(
            "castlecp_workers", "Workers that are ready", ["lane"], registry=registry
        )
        self.jobs = Gauge("castlecp_jobs", "Jobs by state", ["state"], registry=registry)

    def text(self) -> bytes:
        """All of it, as Prometheus reads it."""
        return generate_latest(self.registry)


def log(**fields: Any) -> None:
    """One line of JSON on standard error. Nothing of a board or a whole address belongs there."""
    line = msgspec.json.encode({"time": round(time.time(), 3), **fields}).decode()
    with suppress(OSError, ValueError):
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()
