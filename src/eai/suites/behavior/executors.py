"""The order of tests of the published BEHAVIOR executors, as one table.

Under ``executor_order`` the first failing test of a precondition decides what kind of error a
step is; the tests stand in the domain in the executors' order, and this table names the kind of
each. A missing step becomes a wrong order if all tests of the step held together in an earlier
state. Both were read off the behaviour of ``eai-eval`` 1.0.5, action by action.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

from eai.diagnosis import ErrorKind, Finding, Run, runtime_finding
from eai.logic import And, Atom, Not
from eai.semantics import Semantics
from eai.world import Action, Change
from eai.world.bits import bits

_AFF, _ADD = ErrorKind.AFFORDANCE, ErrorKind.ADDITIONAL_STEP
_MISS, _NONE = ErrorKind.MISSING_STEP, ErrorKind.UNSCORABLE
# shut in; a part that is not there yet; sliced, so that only its parts are left
_REACH = (_MISS, _MISS, _AFF)
_SWITCH = (_MISS, _AFF, _ADD, *_REACH)

TESTS: Mapping[str, tuple[ErrorKind, ...]] = {
    "navigate_to": _REACH,
    "grasp": (_AFF, _ADD, _MISS, *_REACH),
    "release": (_MISS, *_REACH),
    "place_ontop": (_MISS, _MISS, *_REACH),
    "place_inside": (_MISS, _MISS, _MISS, *_REACH, _NONE),
    "place_nextto": (_MISS, _MISS, *_REACH),
    "place_under": (_MISS, _MISS, *_REACH),
    "place_nextto_ontop": (_MISS, _MISS, *_REACH, _MISS, *_REACH),
    "transfer_contents_inside": (_MISS, _MISS, _MISS, *_REACH, _NONE),
    "transfer_contents_ontop": (_AFF, _MISS, _MISS, *_REACH, _NONE),
    "open": (*_SWITCH, _MISS),
    "close": _SWITCH,
    "toggle_on": (*_SWITCH, _MISS),
    "toggle_off": _SWITCH,
    "slice": (_MISS, *_SWITCH),
    "cook": (*_SWITCH, _MISS),
    "freeze": (*_SWITCH, _MISS),
    "unfreeze": _SWITCH,
    "soak": (*_SWITCH, _MISS),
    "dry": _SWITCH,
    "clean": (_AFF, _ADD, *_REACH, _MISS),
}
"""Operator, without its hand, to the kind of error that each of its tests stands for, in the
order of the domain's preconditions. Errors of no kind are ``UNSCORABLE``."""

_SIDEWAYS = ("placed_onfloor", "placed_under", "placed_nextto")
_BELOW = ("placed_inside", "placed_ontop")

UNEXECUTABLE = frozenset({"navigate_to", "burn"})
"""Action names that the published evaluator knows but has no executor for."""


class ExecutorRules:
    """The rules of the published executors (semantics ``official``)."""

    def __init__(self, semantics: Semantics) -> None:
        self.without_executor = UNEXECUTABLE if "no_executor" in semantics else frozenset()
        self._transfer_stops = "transfer_stops" in semantics
        self._placing_is_late = "placing_never_wrong_order" not in semantics

    @classmethod
    def of(cls, semantics: Semantics) -> ExecutorRules | None:
        """The rules, if they decide the kinds of error."""
        return cls(semantics) if "executor_order" in semantics else None

    def take(self, run: Run, action: Action, number: int) -> tuple[str, Finding | None]:
        """See :meth:`eai.diagnosis.runtime.Rules.take`."""
        if action.name in self.without_executor:
            return "failed", _nameless(action, number, "the published evaluator cannot do it")
        world, numbers = run.world, run.numbers(action)
        failed = world.first_failure(run.state, action.name, numbers)
        if failed < 0:
            if self._transfer_stops and "transfer" in action.name:
                moved = _move_first_content(run, action)
                if moved:
                    run.record(action, number, moved)
                    why = "the published evaluator stops when the first content is moved"
                    return "failed", _nameless(action, number, why)
            run.record(action, number, world.apply(run.state, action.name, numbers))
            return "done", None
        unmet = [world.test(action.name, failed, run.arguments(action))]
        kind = TESTS[_handless(action)][failed]
        if kind is _NONE and "transfer" in action.name and not _contents(run, action):
            # The contents of something empty are transferred without a look.
            run.record(action, number, [])
            return "done", None
        if kind is _MISS and _is_idle_release(run, action):
            kind = _ADD
        elif kind is _MISS and self.was_possible(run, action):
            kind = ErrorKind.WRONG_ORDER
        outcome = "skipped" if kind is _ADD else "failed"
        return outcome, runtime_finding(run, action, number, kind, unmet)

    def was_possible(self, run: Run, action: Action) -> bool:
        """Whether the action could have been done in an earlier state."""
        if action.name == "clean":  # dust or a stain that is there now
            (name,) = action.arguments
            free = Not(Atom("shut_in", (name,))), Not(Atom("cut_up", (name,)))
            for dirt, way in (("dusty", "can_dust"), ("stained", "can_scrub")):
                able = And((Atom(dirt, (name,)), *free, Atom(way, (run.agent, name))))
                if run.state.holds(dirt, (name,)) and run.trajectory.condition(able):
                    return True
            return False
        if not self._placing_is_late and ("place" in action.name or "transfer" in action.name):
            return False
        numbers = run.numbers(action)
        test = run.world.operator(action.name).first_failure
        return any(test(state, *numbers) < 0 for state in run.trajectory.states())


def _nameless(action: Action, number: int, why: str) -> Finding:
    """An error that the published evaluator counts under no kind."""
    return Finding(_NONE, f"{action}: {why}", step=number, action=str(action))


def _handless(action: Action) -> str:
    """The name of an action without its hand."""
    return action.name.removeprefix("left_").removeprefix("right_")


def in_hand(run: Run, hand: str) -> int:
    """The objects in the ``"left"`` or ``"right"`` hand, as a mask."""
    state, holds = run.state, f"holds_{hand[0]}h"
    return state.rows[state.layout.index[holds]][state.universe.number(run.agent)]


def _held(run: Run, action: Action) -> int:
    """The objects in the hand that an action uses, as a mask."""
    return in_hand(run, "left" if action.name.startswith("left_") else "right")


def _is_idle_release(run: Run, action: Action) -> bool:
    """Whether an empty hand releases what is next to, under and on the floor of nothing."""
    if _handless(action) != "release" or _held(run, action):
        return False
    state, (name,) = run.state, action.arguments
    number = state.universe.number(name)
    relations = (state.layout.index[each] for each in _SIDEWAYS)
    return not any(state.rows[p][number] or state.cols[p][number] for p in relations)


def _contents(run: Run, action: Action) -> list[tuple[int, int]]:
    """Return (content, container) for the first held object that has contents."""
    inside, ontop = (run.state.cols[run.state.layout.index[each]] for each in _BELOW)
    full = (i for i in bits(_held(run, action)) if inside[i] | ontop[i])
    return [(each, i) for i in islice(full, 1) for each in bits(inside[i] | ontop[i])]


def _move_first_content(run: Run, action: Action) -> list[Change]:
    """Move what was put first into or onto the held object; return what changed."""
    state, trajectory, (name,) = run.state, run.trajectory, action.arguments
    numbers, names = [state.layout.index[each] for each in _BELOW], state.universe.names

    def since(place: tuple[int, int]) -> int:
        """The position since which something lies there."""
        inside, ontop = (
            trajectory.history(p, tuple(names[each] for each in place)) for p in _BELOW
        )
        return (~(inside | ontop) & (1 << trajectory.length) - 1).bit_length()

    contents = _contents(run, action)
    if not contents:
        return []
    first, holder = min(contents, key=since)
    moves = [(p, 1 << holder, False) for p in numbers]
    moves.append((numbers["ontop" in action.name], 1 << state.universe.number(name), True))
    return [
        (p, 0, first, changed, value)
        for p, mask, value in moves
        if (changed := state.write(p, 0, first, mask, value))
    ]
