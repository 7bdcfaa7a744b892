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

_AFFORDANCE = ErrorKind.AFFORDANCE
_ADDITIONAL = ErrorKind.ADDITIONAL_STEP
_MISSING = ErrorKind.MISSING_STEP
_UNSCORABLE = ErrorKind.UNSCORABLE
# Tests of every object: it is not shut in; it is not a part that does not exist yet; it is not
# sliced, so that only its parts are left.
_REACH = (_MISSING, _MISSING, _AFFORDANCE)
_SWITCH = (_MISSING, _AFFORDANCE, _ADDITIONAL, *_REACH)

TESTS: Mapping[str, tuple[ErrorKind, ...]] = {
    "navigate_to": _REACH,
    "grasp": (_AFFORDANCE, _ADDITIONAL, _MISSING, *_REACH),
    "release": (_MISSING, *_REACH),
    "place_ontop": (_MISSING, _MISSING, *_REACH),
    "place_inside": (_MISSING, _MISSING, _MISSING, *_REACH, _UNSCORABLE),
    "place_nextto": (_MISSING, _MISSING, *_REACH),
    "place_under": (_MISSING, _MISSING, *_REACH),
    "place_nextto_ontop": (_MISSING, _MISSING, *_REACH, _MISSING, *_REACH),
    "transfer_contents_inside": (_MISSING, _MISSING, _MISSING, *_REACH, _UNSCORABLE),
    "transfer_contents_ontop": (_AFFORDANCE, _MISSING, _MISSING, *_REACH, _UNSCORABLE),
    "open": (*_SWITCH, _MISSING),
    "close": _SWITCH,
    "toggle_on": (*_SWITCH, _MISSING),
    "toggle_off": _SWITCH,
    "slice": (_MISSING, *_SWITCH),
    "cook": (*_SWITCH, _MISSING),
    "freeze": (*_SWITCH, _MISSING),
    "unfreeze": _SWITCH,
    "soak": (*_SWITCH, _MISSING),
    "dry": _SWITCH,
    "clean": (_AFFORDANCE, _ADDITIONAL, *_REACH, _MISSING),
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
        """Look up which quirks of the published executors the semantics has."""
        self.without_executor = UNEXECUTABLE if "no_executor" in semantics else frozenset()
        self._transfer_stops = "transfer_stops" in semantics
        self._placing_can_be_late = "placing_never_wrong_order" not in semantics

    @classmethod
    def of(cls, semantics: Semantics) -> SceneExecutorRules | None:
        """Return the rules if the semantics has the quirk ``executor_order``, else None."""
        if "executor_order" not in semantics:
            return None
        return cls(semantics)

    def take(self, run: Run, action: Action, number: int) -> tuple[str, Finding | None]:
        """Execute a step, or classify the first precondition that fails.

        See :meth:`eai.diagnosis.runtime.Rules.take`.
        """
        if action.name in self.without_executor:
            return "failed", _unscorable(action, number, "the published evaluator cannot do it")
        failed_test = run.world.first_failure(run.state, action.name, run.numbers(action))
        if failed_test < 0:
            return self._take_applicable(run, action, number)
        # The tests stand in the order of the executor, so the first failure decides.
        error_kind = TESTS[_without_hand(action)][failed_test]
        if error_kind is _UNSCORABLE and _is_transfer(action) and not _held_contents(run, action):
            # The published executor loops over the contents, so an empty container passes.
            run.record(action, number, [])
            return "done", None
        if error_kind is _MISSING and _is_idle_release(run, action):
            error_kind = _ADDITIONAL
        elif error_kind is _MISSING and self.was_possible(run, action):
            error_kind = ErrorKind.WRONG_ORDER
        outcome = "skipped" if error_kind is _ADDITIONAL else "failed"
        unmet_tests = [run.world.test(action.name, failed_test, run.arguments(action))]
        return outcome, runtime_finding(run, action, number, error_kind, unmet_tests)

    def _take_applicable(self, run: Run, action: Action, number: int) -> tuple[str, Finding | None]:
        """Execute an applicable action; a transfer may stop after the first object.

        Args:
            run: The run up to the step.
            action: The action.
            number: Number of the step.
        """
        changes: list[Change] = []
        if self._transfer_stops and _is_transfer(action):
            changes = _move_first_content(run, action)
        if changes:
            run.record(action, number, changes)
            reason = "the published evaluator stops when the first content is moved"
            return "failed", _unscorable(action, number, reason)
        run.record(action, number, run.world.apply(run.state, action.name, run.numbers(action)))
        return "done", None

    def was_possible(self, run: Run, action: Action) -> bool:
        """Return whether the action could have been done in an earlier state."""
        if action.name == "clean":
            return _was_cleanable(run, action)
        if not self._placing_can_be_late and ("place" in action.name or _is_transfer(action)):
            return False
        numbers = run.numbers(action)
        test = run.world.operator(action.name).first_failure
        return any(test(state, *numbers) < 0 for state in run.trajectory.states())


def _was_cleanable(run: Run, action: Action) -> bool:
    """Return whether the dust or the stain on an object could have been removed earlier.

    ``clean`` needs one ability for dust and another for stains. Only dirt that is still there
    counts, so each kind of dirt is tested alone instead of the whole precondition.
    """
    (name,) = action.arguments
    is_reachable = Not(Atom("shut_in", (name,))), Not(Atom("cut_up", (name,)))
    for dirt, ability in (("dusty", "can_dust"), ("stained", "can_scrub")):
        if not run.state.holds(dirt, (name,)):
            continue
        can_clean = And((Atom(dirt, (name,)), *is_reachable, Atom(ability, (run.agent, name))))
        if run.trajectory.condition(can_clean):
            return True
    return False


def _is_transfer(action: Action) -> bool:
    """Return whether an action moves the contents of one container into or onto another."""
    return "transfer" in action.name


def _unscorable(action: Action, number: int, reason: str) -> Finding:
    """Return an error that the published evaluator counts under no kind."""
    return Finding(_UNSCORABLE, f"{action}: {reason}", step=number, action=str(action))


def _without_hand(action: Action) -> str:
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

    The published executor reports such a step as one whose effects hold already.
    """
    if _without_hand(action) != "release" or _objects_in_hand(run, action):
        return False
    state = run.state
    (name,) = action.arguments
    object_number = state.universe.number(name)
    for relation in _SIDEWAYS:
        predicate = state.layout.index[relation]
        # The object may be the first or the second one of the relation.
        if state.rows[predicate][object_number] or state.cols[predicate][object_number]:
            return False
    return True


def _held_contents(run: Run, action: Action) -> list[tuple[int, int]]:
    """Return the object numbers (content, container) of the first held object with contents."""
    inside, ontop = (run.state.cols[run.state.layout.index[relation]] for relation in _BELOW)
    for holder in bits(_objects_in_hand(run, action)):
        contents = inside[holder] | ontop[holder]
        if contents:
            return [(content, holder) for content in bits(contents)]
    return []


def _contained_since(run: Run, pair: tuple[int, int]) -> int:
    """Return the position since which a content has been in or on its holder without a break.

    Args:
        run: The run of the plan so far.
        pair: The object numbers of the content and of its holder.
    """
    names = run.state.universe.names
    terms = tuple(names[number] for number in pair)
    # A mask with a bit for each position of the trajectory.
    contained = 0
    for relation in _BELOW:
        contained |= run.trajectory.history(relation, terms)
    all_positions = (1 << run.trajectory.length) - 1
    elsewhere = ~contained & all_positions
    # The highest bit is the last position at which the content was elsewhere.
    return elsewhere.bit_length()


def _move_first_content(run: Run, action: Action) -> list[Change]:
    """Move the object that was first put in or on the held one, and return the changes."""
    contents = _held_contents(run, action)
    if not contents:
        return []
    # Of several contents, the one that has been in the holder for the longest time.
    content, holder = min(contents, key=partial(_contained_since, run))
    state = run.state
    (target,) = action.arguments
    inside, ontop = [state.layout.index[relation] for relation in _BELOW]
    target_predicate = ontop if "ontop" in action.name else inside
    # The content leaves its holder, and moves into or onto the target.
    writes = [
        (inside, 1 << holder, False),
        (ontop, 1 << holder, False),
        (target_predicate, 1 << state.universe.number(target), True),
    ]
    changes: list[Change] = []
    for predicate, object_mask, value in writes:
        changed_objects = state.write(predicate, 0, content, object_mask, value)
        if changed_objects:
            changes.append((predicate, 0, content, changed_objects, value))
    return changes
