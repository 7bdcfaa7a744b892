"""The order of tests of the published VirtualHome executors, as one table.

Under ``executor_order`` the first failing test of a precondition decides what kind of error a
step is; the tests stand in the domain in the executors' order, and this table names the kind of
each. Under ``recorded_preconditions`` a missing step becomes a wrong order by what the executor
*records* as the unmet precondition, which is not always what it tested. Both were read off the
behaviour of ``eai-eval`` 1.0.5, action by action.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from eai.diagnosis import ErrorKind, Finding, Run, runtime_finding
from eai.logic import Atom, Exists, Formula, Not, Or, Term, Variable
from eai.semantics import Semantics
from eai.world import Action


@dataclass(frozen=True, slots=True)
class ExecutorTest:
    """Error of the executor when one of its tests fails.

    ``recorded`` are the preconditions that it records, over the operator's parameters. For a wrong
    order ``every`` one of them must have held earlier (not necessarily together), or the first one.
    """

    kind: ErrorKind
    recorded: tuple[Formula, ...] = ()
    every: bool = False


# The character, the first and the second object of an action, and any object at all.
_C, _X, _Y, _ANY = Variable("c"), Variable("x"), Variable("y"), Variable("any")


def _is_held(agent: Term, thing: Term) -> Formula:
    """Return the condition that an agent holds something, in whichever hand."""
    return Or((Atom("holds_rh", (agent, thing)), Atom("holds_lh", (agent, thing))))


def _missing(*recorded: Formula, every: bool = False) -> ExecutorTest:
    """Return a test whose failure is a missing step; see :class:`ExecutorTest`."""
    return ExecutorTest(ErrorKind.MISSING_STEP, recorded, every)


_AFFORDANCE = ExecutorTest(ErrorKind.AFFORDANCE)
_ADDITIONAL = ExecutorTest(ErrorKind.ADDITIONAL_STEP)
_CRASH = ExecutorTest(ErrorKind.UNSCORABLE)
_UNRECORDED = _missing()
_UPRIGHT = _missing(Not(Atom("sitting", (_C,))), Not(Atom("lying", (_C,))), every=True)
_NEAR = _missing(Atom("next_to", (_C, _X)))
_NEAR_TARGET = _missing(Atom("next_to", (_C, _Y)))
_TOWARD = _missing(Atom("facing", (_C, _X)))
_OPENED = _missing(Atom("open", (_X,)))
_HOLDS = _missing(_is_held(_C, _X))
_HOLDS_SOMETHING = _missing(Exists((_ANY,), _is_held(_C, _ANY)))
_FREE_HAND = _missing(Not(Exists((_ANY,), _is_held(_C, _ANY))))
_WORN = _missing(Atom("ontop", (_X, _C)))
_RESTING = _missing(Atom("lying", (_C,)))

TESTS: Mapping[str, tuple[ExecutorTest, ...]] = {
    "walk": (_UPRIGHT, _UPRIGHT, _CRASH, _CRASH),
    "run": (_UPRIGHT, _UPRIGHT, _CRASH, _CRASH),
    "find": (_NEAR, _UPRIGHT, _UPRIGHT, _CRASH, _CRASH),
    "turnto": (),
    "sit": (_NEAR, _ADDITIONAL, _AFFORDANCE, _UNRECORDED),
    "lie": (_NEAR, _ADDITIONAL, _AFFORDANCE, _UNRECORDED),
    "standup": (_ADDITIONAL,),
    "sleep": (_RESTING,),
    "wakeup": (_RESTING,),
    "grab": (_AFFORDANCE, _ADDITIONAL, _NEAR, _OPENED, _FREE_HAND),
    "putback": (_HOLDS, _NEAR_TARGET),
    "putin": (_HOLDS, _NEAR_TARGET, _AFFORDANCE),
    "putobjback": (_CRASH, _HOLDS),
    "drop": (_HOLDS,),
    "release": (_HOLDS,),
    "pour": (_AFFORDANCE, _AFFORDANCE, _HOLDS, _NEAR_TARGET),
    "puton": (_HOLDS, _AFFORDANCE),
    "putoff": (_WORN, _AFFORDANCE),
    "open": (_AFFORDANCE, _NEAR, _FREE_HAND, _ADDITIONAL, _ADDITIONAL),
    "close": (_AFFORDANCE, _NEAR, _ADDITIONAL),
    "switchon": (_AFFORDANCE, _NEAR, _ADDITIONAL, _ADDITIONAL),
    "switchoff": (_AFFORDANCE, _NEAR, _ADDITIONAL),
    "plugin": (_AFFORDANCE, _NEAR, _FREE_HAND, _ADDITIONAL),
    "plugout": (_AFFORDANCE, _NEAR, _FREE_HAND, _ADDITIONAL),
    "wash": (_NEAR,),
    "rinse": (_NEAR,),
    "scrub": (_NEAR,),
    "wipe": (_NEAR, _HOLDS_SOMETHING),
    "drink": (_AFFORDANCE, _HOLDS),
    "eat": (_NEAR, _AFFORDANCE),
    "cut": (_FREE_HAND, _NEAR, _AFFORDANCE, _AFFORDANCE, _UNRECORDED),
    "read": (_AFFORDANCE, _HOLDS),
    "lookat": (_TOWARD,),
    "pointat": (_TOWARD,),
    "watch": (_AFFORDANCE, _AFFORDANCE, _TOWARD, _TOWARD, _OPENED),
    "greet": (_AFFORDANCE,),
    "touch": (_NEAR, _OPENED),
    "type": (_NEAR, _AFFORDANCE),
    "push": (_NEAR, _OPENED, _FREE_HAND),
    "pull": (_AFFORDANCE, _NEAR, _OPENED, _FREE_HAND),
    "move": (_AFFORDANCE, _NEAR, _OPENED, _FREE_HAND),
    "squeeze": (_FREE_HAND, _NEAR, _AFFORDANCE),
}
"""Operator to the error of each of its tests, in the order of the domain's preconditions."""


UNEXECUTABLE = frozenset({"lookat_short", "lookat_long"})
"""Action names that the published evaluator knows but has no executor for."""


class HomeExecutorRules:
    """The rules of the published executors (semantics ``official``)."""

    def __init__(self, semantics: Semantics) -> None:
        self._recorded = "recorded_preconditions" in semantics

    @classmethod
    def of(cls, semantics: Semantics) -> HomeExecutorRules | None:
        """Return the rules if the semantics has the quirk ``executor_order``, else None."""
        if "executor_order" not in semantics:
            return None
        return cls(semantics)

    def take(self, run: Run, action: Action, number: int) -> tuple[str, Finding | None]:
        """Execute a step, or classify the first precondition that fails.

        See :meth:`eai.diagnosis.runtime.Rules.take`.
        """
        world = run.world
        if action.name in UNEXECUTABLE:
            return "failed", runtime_finding(run, action, number, ErrorKind.UNSCORABLE, [])
        numbers = run.numbers(action)
        failed_index = world.first_failure(run.state, action.name, numbers)
        if failed_index < 0:
            changes = world.apply(run.state, action.name, numbers)
            run.record(action, number, changes)
            return "done", None
        # The first failing test tells the kind of error.
        failed_test = TESTS[action.name][failed_index]
        unmet = [world.test(action.name, failed_index, run.arguments(action))]
        error_kind = failed_test.kind
        is_missing = error_kind is ErrorKind.MISSING_STEP
        if is_missing and self._held_earlier(run, action, failed_test, unmet):
            error_kind = ErrorKind.WRONG_ORDER
        outcome = "skipped" if error_kind.is_harmless else "failed"
        return outcome, runtime_finding(run, action, number, error_kind, unmet)

    def _held_earlier(
        self, run: Run, action: Action, test: ExecutorTest, unmet: list[Formula]
    ) -> bool:
        """Return whether a precondition held earlier, so that the step came too late."""
        conditions = unmet
        if self._recorded:
            # The executor searches for an earlier state with the condition that it recorded as
            # unmet, and not with the one that it tested.
            parameters = run.world.operator(action.name).operator.parameters
            names = [parameter.name for parameter in parameters]
            binding = dict(zip(names, run.arguments(action), strict=True))
            recorded = test.recorded if test.every else test.recorded[:1]
            conditions = [condition.substitute(binding) for condition in recorded]
        return bool(conditions) and all(map(run.trajectory.condition, conditions))
