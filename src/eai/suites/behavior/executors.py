"""The order of tests of the published BEHAVIOR executors, as one table.

Under ``executor_order`` the first failing test of a precondition decides what kind of error a
step is; the tests stand in the domain in the executors' order, and this table names the kind of
each. A missing step becomes a wrong order if all tests of the step held together in an earlier
state. Both were read off the behaviour of ``eai-eval`` 1.0.5, action by action.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from eai.diagnosis import ErrorKind, Finding, Run, runtime_finding
from eai.logic import And, Atom, Not
from eai.semantics import Semantics
from eai.world import Action, Change
from eai.world.bits import bits

_AFF = ErrorKind.AFFORDANCE
_ADD = ErrorKind.ADDITIONAL_STEP
_MISS = ErrorKind.MISSING_STEP
_NONE = ErrorKind.UNSCORABLE
# Tests of every object: it is not shut in; it is not a part that does not exist yet; it is not
# sliced, so that only its parts are left.
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


class SceneExecutorRules:
    """The rules of the published executors (semantics ``official``)."""

    def __init__(self, semantics: Semantics) -> None:
        self.without_executor = UNEXECUTABLE if "no_executor" in semantics else frozenset()
        self._transfer_stops = "transfer_stops" in semantics
        self._placing_is_late = "placing_never_wrong_order" not in semantics

    @classmethod
    def of(cls, semantics: Semantics) -> SceneExecutorRules | None:
        """Return the rules if the semantics has the quirk ``executor_order``, else None."""
        if "executor_order" not in semantics:
            return None
        return cls(semantics)

    def take(self, run: Run, action: Action, number: int) -> tuple[str, Finding | None]:
        """See :meth:`eai.diagnosis.runtime.Rules.take`."""
        if action.name in self.without_executor:
            return "failed", _nameless(action, number, "the published evaluator cannot do it")
        failed_test = run.world.first_failure(run.state, action.name, run.numbers(action))
        if failed_test < 0:
            return self._take_possible(run, action, number)
        # The first test that fails decides, in the order of the executor.
        kind = TESTS[_handless(action)][failed_test]
        if kind is _NONE and _is_transfer(action) and not _contents(run, action):
            # The published executor loops over the contents, so an empty container passes.
            run.record(action, number, [])
            return "done", None
        if kind is _MISS and _is_idle_release(run, action):
            kind = _ADD
        elif kind is _MISS and self.was_possible(run, action):
            kind = ErrorKind.WRONG_ORDER
        outcome = "skipped" if kind is _ADD else "failed"
        unmet = [run.world.test(action.name, failed_test, run.arguments(action))]
        return outcome, runtime_finding(run, action, number, kind, unmet)

    def _take_possible(self, run: Run, action: Action, number: int) -> tuple[str, Finding | None]:
        """Take an action whose preconditions hold; a transfer may stop after the first object.

        Args:
            run: The run up to the step.
            action: The action.
            number: Number of the step.
        """
        moved: list[Change] = []
        if self._transfer_stops and _is_transfer(action):
            moved = _move_first_content(run, action)
        if moved:
            run.record(action, number, moved)
            why = "the published evaluator stops when the first content is moved"
            return "failed", _nameless(action, number, why)
        run.record(action, number, run.world.apply(run.state, action.name, run.numbers(action)))
        return "done", None

    def was_possible(self, run: Run, action: Action) -> bool:
        """Return whether the action could have been done in an earlier state."""
        if action.name == "clean":
            return _was_cleanable(run, action)
        if not self._placing_is_late and ("place" in action.name or _is_transfer(action)):
            return False
        numbers = run.numbers(action)
        test = run.world.operator(action.name).first_failure
        return any(test(state, *numbers) < 0 for state in run.trajectory.states())


def _was_cleanable(run: Run, action: Action) -> bool:
    """Return whether the dust or stain that is there now could have been removed earlier.

    ``clean`` needs either of two abilities, by what makes the object dirty. So its precondition as
    a whole may have held for the sake of dirt that is gone by now, which does not count.
    """
    (name,) = action.arguments
    is_free = Not(Atom("shut_in", (name,))), Not(Atom("cut_up", (name,)))
    for dirt, ability in (("dusty", "can_dust"), ("stained", "can_scrub")):
        was_able = And((Atom(dirt, (name,)), *is_free, Atom(ability, (run.agent, name))))
        if run.state.holds(dirt, (name,)) and run.trajectory.condition(was_able):
            return True
    return False


def _is_transfer(action: Action) -> bool:
    """Return whether an action moves the contents of one container into or onto another."""
    return "transfer" in action.name


def _nameless(action: Action, number: int, why: str) -> Finding:
    """Return an error that the published evaluator counts under no kind."""
    return Finding(_NONE, f"{action}: {why}", step=number, action=str(action))


def _handless(action: Action) -> str:
    """Return the name of an action without its hand."""
    return action.name.removeprefix("left_").removeprefix("right_")


def in_hand(run: Run, hand: str) -> int:
    """Return the objects in the ``"left"`` or ``"right"`` hand, as a mask."""
    state = run.state
    predicate = state.layout.index[f"holds_{hand[0]}h"]
    return state.rows[predicate][state.universe.number(run.agent)]


def _objects_in_hand(run: Run, action: Action) -> int:
    """Return the objects in the hand that an action uses, as a mask."""
    hand = "left" if action.name.startswith("left_") else "right"
    return in_hand(run, hand)


def _is_idle_release(run: Run, action: Action) -> bool:
    """Return whether an action releases an object from an empty hand without any effect.

    The published executor takes such a step for one whose effects hold already.
    """
    if _handless(action) != "release" or _objects_in_hand(run, action):
        return False
    state = run.state
    (name,) = action.arguments
    number = state.universe.number(name)
    for relation in _SIDEWAYS:
        predicate = state.layout.index[relation]
        if state.rows[predicate][number] or state.cols[predicate][number]:
            return False
    return True


def _contents(run: Run, action: Action) -> list[tuple[int, int]]:
    """Return (content, container) for each content of the first held object that has any."""
    inside, ontop = (run.state.cols[run.state.layout.index[relation]] for relation in _BELOW)
    for holder in bits(_objects_in_hand(run, action)):
        contents = inside[holder] | ontop[holder]
        if contents:
            return [(content, holder) for content in bits(contents)]
    return []


def _there_since(run: Run, pair: tuple[int, int]) -> int:
    """Return the position since which a content has been in or on its holder without a break.

    Args:
        run: The run of the plan so far.
        pair: The object numbers of the content and of its holder.
    """
    names = run.state.universe.names
    terms = tuple(names[number] for number in pair)
    there = 0
    for relation in _BELOW:
        there |= run.trajectory.history(relation, terms)
    # A history has a bit for each position; the highest position where neither holds is the last
    # at which the content was elsewhere.
    elsewhere = ~there & (1 << run.trajectory.length) - 1
    return elsewhere.bit_length()


def _move_first_content(run: Run, action: Action) -> list[Change]:
    """Move the object that was first put in or on the held one, and return the changes."""
    contents = _contents(run, action)
    if not contents:
        return []
    content, holder = min(contents, key=partial(_there_since, run))
    state = run.state
    (target,) = action.arguments
    inside, ontop = [state.layout.index[relation] for relation in _BELOW]
    # It leaves its containers and supports, and moves into or onto the target.
    target_predicate = ontop if "ontop" in action.name else inside
    writes = [
        (inside, 1 << holder, False),
        (ontop, 1 << holder, False),
        (target_predicate, 1 << state.universe.number(target), True),
    ]
    changes: list[Change] = []
    for predicate, mask, value in writes:
        changed = state.write(predicate, 0, content, mask, value)
        if changed:
            changes.append((predicate, 0, content, changed, value))
    return changes
