"""Limits of time and memory hold from the first moment beyond them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from eai.budget import Budget
from eai.errors import InputError
from eai.planning import limits as limits_module
from eai.planning.limits import Limits, MemoryLimitError, TimeLimitError


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[float, float], None]:
    """Return a function that sets the processor time of the thread and the time of the clock."""

    def at(thread_s: float, wall_s: float) -> None:
        monkeypatch.setattr(limits_module, "thread_time", lambda: thread_s)
        monkeypatch.setattr(limits_module, "monotonic", lambda: wall_s)

    at(100.0, 1000.0)
    return at


def test_time_is_up_when_the_thread_has_used_it(clock: Callable[[float, float], None]) -> None:
    limits = Limits(time=2)
    limits.check()
    clock(101.99, 1005.0)
    limits.check()
    clock(102.1, 1005.005)
    limits.check()  # by the clock it cannot be up before 1005.01
    clock(102.1, 1005.02)
    with pytest.raises(TimeLimitError):
        limits.check()


def test_time_of_others_does_not_count(clock: Callable[[float, float], None]) -> None:
    limits = Limits(time=2)
    clock(101.0, 9999.0)
    limits.check()
    clock(102.0, 99999.0)
    limits.check()
    clock(102.001, 999999.0)
    with pytest.raises(TimeLimitError):
        limits.check()


def test_without_limits_nothing_ends(clock: Callable[[float, float], None]) -> None:
    limits = Limits()
    clock(1e9, 1e9)
    limits.check(effects=10**9, actions=10**9, atoms=10**9)
    limits.keep(1 << 10**6)


@pytest.mark.parametrize("value", [0, -1, -0.5])
def test_limits_are_above_0(value: float) -> None:
    with pytest.raises(InputError):
        Limits(time=value)
    with pytest.raises(InputError):
        Limits(memory=value)
    Limits(time=0.001, memory=0.001)


def test_memory_counts_actions_effects_atoms_and_what_is_kept() -> None:
    for amounts in ({"actions": 1}, {"effects": 1}, {"actions": 0}):
        small, large = Limits(memory=1), Limits(memory=1)
        small.check(atoms=1, **amounts)
        with pytest.raises(MemoryLimitError):
            large.check(atoms=10**6, **amounts)
    kept = Limits(memory=1)
    for _ in range(7):
        kept.keep(1 << 10**6)
    with pytest.raises(MemoryLimitError):
        kept.keep(1 << 10**6)


def test_states_that_are_kept_are_counted_now_and_then() -> None:
    limits = Limits(memory=1)
    for _ in range(63):
        limits.expand(1, kept=10**9)
    with pytest.raises(MemoryLimitError):
        limits.expand(1, kept=10**9)


def test_looking_at_many_atoms_weighs_more() -> None:
    few, many = Limits(budget=Budget.unlimited()), Limits(budget=Budget.unlimited())
    few.count(10)
    many.check(atoms=10**5)
    many.count(10)
    assert few.meter.instances == 10
    assert many.meter.instances > 20
    assert many.meter.instances % 10 == 0
