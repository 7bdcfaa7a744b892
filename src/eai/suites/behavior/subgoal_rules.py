"""The kind of error that ``eai-eval`` 1.0.5 gives a step of a BEHAVIOR subgoal."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from eai.diagnosis.judgement import Finding
from eai.diagnosis.runtime import Rules, Run
from eai.diagnosis.taxonomy import ErrorKind
from eai.semantics import Semantics
from eai.suites.behavior.executors import ExecutorRules
from eai.suites.behavior.plans import simulator
from eai.world.action import Action

__all__ = ["SubgoalRules", "subgoal_rules"]


class SubgoalRules(ExecutorRules):
    """The rules of the published executors, with the order in which subgoals rank errors.

    A step can have several kinds of error there. Of these, wrong order comes before affordance,
    while in action sequencing it is the other way round.
    """

    def take(self, run: Run, action: Action, number: int) -> tuple[str, Finding | None]:
        """See :meth:`eai.diagnosis.runtime.Rules.take`."""
        outcome, finding = super().take(run, action, number)
        if finding is None or finding.kind is not ErrorKind.AFFORDANCE:
            return outcome, finding
        if not self._was_possible(run, action):
            return outcome, finding
        return outcome, replace(finding, kind=ErrorKind.WRONG_ORDER)


@cache
def subgoal_rules(semantics: Semantics) -> Rules:
    """How the steps of subgoals are judged."""
    if {"executor_order", "wrong_order_before_affordance"} <= semantics.quirks:
        return SubgoalRules(semantics)
    return simulator(semantics).rules
