"""Limits of time and memory hold from the first moment beyond them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from eai.budget import Budget
from eai.errors import InputError
from eai.planning import limits as limits_module
from eai.planning.limits import Limits, MemoryLimitError, TimeLimitError, run


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


def test_clock_is_asked_as_soon_as_the_time_can_be_up(
    clock: Callable[[float, float], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = Limits(time=2)
    clock(100.5, 1001.9)

    def asked_too_early() -> float:
        raise AssertionError("the processor time is looked up while it cannot be used up")

    monkeypatch.setattr(limits_module, "thread_time", asked_too_early)
    limits.check()
    clock(102.5, 1002.6)
    with pytest.raises(TimeLimitError):
        limits.check()


def memory_taken(limits: Limits) -> int:
    """Return the most that a search with these limits has held."""
    return limits.meter.bytes


@pytest.mark.parametrize("atoms", [1, 4, 1000, 10**6])
def test_an_effect_takes_more_where_its_mask_is_longer(atoms: int) -> None:
    without, with_effects = Limits(), Limits()
    without.check(atoms=atoms)
    with_effects.check(effects=100, atoms=atoms)
    mask_bytes = (2 * atoms) // 8  # a bit for the atom and one for its denial
    each = (memory_taken(with_effects) - memory_taken(without)) / 100
    assert each == limits_module._EFFECT_BYTES + mask_bytes


def test_states_are_held_beside_the_task_and_its_tables() -> None:
    task, table, states, everything = Limits(), Limits(), Limits(), Limits()
    for limits in (task, everything):
        limits.check(effects=10, actions=10, atoms=10**4)
    for limits in (table, everything):
        limits.keep(1 << 10**6)
    for limits in (states, everything):
        for _ in range(64):
            limits.expand(1, kept=10**4)
    assert memory_taken(everything) == sum(map(memory_taken, (task, table, states)))


@pytest.mark.skipif(os.name != "posix", reason="Windows has no limits of processes")
@pytest.mark.parametrize("limits_itself", [False, True])
def test_the_system_limits_only_commands_that_do_not_limit_themselves(
    tmp_path: Path, limits_itself: bool
) -> None:
    asked = "[resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_CPU, resource.RLIMIT_DATA)]"
    ended = run(
        [sys.executable, "-c", f"import resource; print({asked})"],
        folder=str(tmp_path),
        time_limit=12.5,
        memory_limit=900.0,
        limits_itself=limits_itself,
    )
    assert (ended.output.strip() == "[13, 900000000]") is not limits_itself
