"""How much each address may ask, held in memory: a bucket for each address and kind of question."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import IPv6Address, ip_address
from time import monotonic

from castlecp.service.problems import RATE, Refused

#: Addresses that are remembered for each kind; the one that was quiet for longest is forgotten.
MOST = 10_000


class Rates:
    """Buckets that fill by `rate` a second up to `burst`, and answers under way."""

    def __init__(self) -> None:
        self._full: dict[str, OrderedDict[str, tuple[float, float]]] = {}
        self._under_way: dict[tuple[str, str], int] = {}

    def take(self, kind: str, address: str, rate: float, burst: int) -> None:
        """Count one question. Raises Refused when there were too many."""
        buckets = self._full.setdefault(kind, OrderedDict())
        now, who = monotonic(), _network(address)
        left, since = buckets.pop(who, (float(burst), now))
        left = min(float(burst), left + (now - since) * rate)
        if left < 1:
            buckets[who] = (left, now)
            often = f"{rate:g} a second" if rate >= 1 else f"one in {1 / rate:g} s"
            raise Refused(
                RATE, f"too many questions of this kind: {often} is allowed", (1 - left) / rate
            )
        buckets[who] = (left - 1, now)
        if len(buckets) > MOST:
            buckets.popitem(last=False)

    @contextmanager
    def under_way(self, kind: str, address: str, most: int) -> Iterator[None]:
        """Count an answer while it is under way. Raises Refused when there are too many."""
        key = (kind, _network(address))
        if self._under_way.get(key, 0) >= most:
            raise Refused(RATE, f"{most} answers of this kind at a time are allowed", 1.0)
        self._under_way[key] = self._under_way.get(key, 0) + 1
        try:
            yield
        finally:
            self._under_way[key] -= 1
            if not self._under_way[key]:
                del self._under_way[key]


def _network(address: str) -> str:
    """Whose address it is: of IPv6 the first half, since who has one has all with that half."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address):
        if parsed.ipv4_mapped:
            return str(parsed.ipv4_mapped)
        return f"{int(parsed) >> 64:x}"
    return address
