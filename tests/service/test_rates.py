"""How often an address may ask."""

from __future__ import annotations

import pytest

from castlecp.service import rates
from castlecp.service.problems import Refused
from castlecp.service.rates import Rates


def refused(held: Rates, address: str, kind: str = "solve") -> bool:
    try:
        held.take(kind, address, rate=0.1, burst=2)
    except Refused as error:
        return 0 < (error.retry or 0) <= 10
    return False


def test_a_burst_and_then_a_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(rates, "monotonic", lambda: now)
    held = Rates()
    assert [refused(held, "1.2.3.4") for _ in range(3)] == [False, False, True]
    assert not refused(held, "1.2.3.5")
    assert not refused(held, "1.2.3.4", "count")
    now += 9.0
    assert refused(held, "1.2.3.4")
    now += 1.5
    assert [refused(held, "1.2.3.4") for _ in range(2)] == [False, True]
    now += 1000
    assert [refused(held, "1.2.3.4") for _ in range(3)] == [False, False, True]


def test_a_network_of_the_new_kind_is_one_address() -> None:
    held = Rates()
    addresses = ["2001:db8:1:2::1", "2001:db8:1:2:ffff::9", "2001:db8:1:2::"]
    assert [refused(held, address) for address in addresses] == [False, False, True]
    assert not refused(held, "2001:db8:1:3::1")
    assert [refused(held, a) for a in ("::ffff:9.9.9.9", "9.9.9.9", "9.9.9.9")][-1]


def test_memory_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """The address that was quiet for longest is forgotten."""
    monkeypatch.setattr(rates, "MOST", 3)
    held = Rates()
    for address in ("a", "a", "b", "c", "d"):
        assert not refused(held, address)
    assert not refused(held, "a")


def test_answers_under_way_are_counted() -> None:
    held = Rates()
    with held.under_way("solve", "a", 2), held.under_way("solve", "a", 2):
        with pytest.raises(Refused), held.under_way("solve", "a", 2):
            pass
        with held.under_way("solve", "b", 2):
            pass
    with held.under_way("solve", "a", 1):
        pass
