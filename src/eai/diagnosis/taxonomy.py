"""The kinds of error, spelled once.

The kinds and their meaning follow the Embodied Agent Interface (paper, section D.2 and
Figure 19). Beside each kind stands the key under which the official evaluator reports it.

To add a kind, write it here with its meaning, and put it into the sets below that it belongs to.
Whoever finds it makes a ``Finding`` of it: ``runtime.py`` for steps, ``goals.py`` for goals. A
report counts every kind, but shows only those that have a column: ``eai.report.metrics.plans``
lists them for plans. ``eai.plots.reports`` has its colour, ``eai.acting.tasks`` the reason under
which episodes count a step of this kind, ``eai.perturbation.perturb`` the changes of a plan that
bring it about. Its rows stand in ``docs/explanation/errors.md`` and ``metrics.md``.
"""

from __future__ import annotations

from enum import Enum


class ErrorKind(str, Enum):
    """Kind of an error; the value is the word printed in reports."""

    PARSING = "parsing"
    """The text is not a plan."""
    ACTION_HALLUCINATION = "action_hallucination"
    """An action's name is not in the vocabulary."""
    OBJECT_HALLUCINATION = "object_hallucination"
    """An object's name is not in the task."""
    PREDICATE_HALLUCINATION = "predicate_hallucination"
    """The name of a state or a relation is not in the vocabulary."""
    ARGUMENT_NUMBER = "argument_number"
    """An action has the wrong number (or type) of arguments."""
    AFFORDANCE = "affordance"
    """An object cannot be used like this, whatever happens before."""
    ADDITIONAL_STEP = "additional_step"
    """The effects of the action hold already."""
    MISSING_STEP = "missing_step"
    """A precondition does not hold and never held before."""
    WRONG_ORDER = "wrong_order"
    """A precondition does not hold but held earlier."""
    STATE_GOAL = "state_goal"
    """A goal about the state of one object is not met."""
    RELATION_GOAL = "relation_goal"
    """A goal about a relation between objects is not met."""
    ACTION_GOAL = "action_goal"
    """An action that the goal demands was not taken (in that order)."""
    PATH_GOAL = "path_goal"
    """A path condition is violated: a formula of LTLf on the whole trajectory."""
    NO_ANSWER = "no_answer"
    """There is no prediction for the task."""
    BEYOND_BUDGET = "beyond_budget"
    """Evaluating the answer takes more than one answer may use (see :mod:`eai.budget`)."""
    UNSCORABLE = "unscorable"
    """The official evaluator stops with an exception here, or fails without naming a kind."""

    @property
    def official_key(self) -> str:
        """The key of ``eai-eval`` 1.0.5 for this kind; empty if it has none."""
        return _OFFICIAL.get(self, "")

    @property
    def is_harmless(self) -> bool:
        """Whether a step of this kind is passed over: it would change nothing."""
        return self is ErrorKind.ADDITIONAL_STEP

    @property
    def meaning(self) -> str:
        """The meaning of the kind, as an agent is told."""
        return _MEANINGS[self]

    def __str__(self) -> str:
        return self.value


_OFFICIAL = {
    ErrorKind.PARSING: "parsing",
    ErrorKind.ACTION_HALLUCINATION: "hallucination",
    ErrorKind.OBJECT_HALLUCINATION: "hallucination",
    ErrorKind.PREDICATE_HALLUCINATION: "hallucination",
    ErrorKind.ARGUMENT_NUMBER: "predicate_argument_number",
    ErrorKind.AFFORDANCE: "affordance_error",
    ErrorKind.ADDITIONAL_STEP: "additional_step",
    ErrorKind.MISSING_STEP: "missing_step",
    ErrorKind.WRONG_ORDER: "wrong_order",
    ErrorKind.STATE_GOAL: "state_goal",
    ErrorKind.RELATION_GOAL: "relation_goal",
    ErrorKind.ACTION_GOAL: "action_goal",
}

_MEANINGS = {
    ErrorKind.PARSING: "the answer is not a sequence of actions in the form that was asked for",
    ErrorKind.ACTION_HALLUCINATION: "there is no action of this name",
    ErrorKind.OBJECT_HALLUCINATION: "there is no object of this name in the task",
    ErrorKind.PREDICATE_HALLUCINATION: "there is no state or relation of this name",
    ErrorKind.ARGUMENT_NUMBER: "the action takes a different number or different types of objects",
    ErrorKind.AFFORDANCE: "the object cannot be used in this way, whatever is done before",
    ErrorKind.ADDITIONAL_STEP: "what the action would bring about holds already",
    ErrorKind.MISSING_STEP: "the action needs something that no action before it has brought about",
    ErrorKind.WRONG_ORDER: "what the action needs was true earlier and is no longer so",
    ErrorKind.NO_ANSWER: "there is no answer",
    ErrorKind.BEYOND_BUDGET: "the evaluation exceeded its budget before it could decide",
    ErrorKind.UNSCORABLE: "the action cannot be carried out",
    ErrorKind.STATE_GOAL: "an object is not in the state that the goal asks for",
    ErrorKind.RELATION_GOAL: "two objects are not in the relation that the goal asks for",
    ErrorKind.ACTION_GOAL: "an action that the goal asks for was not taken",
    ErrorKind.PATH_GOAL: "a condition that the goal asks for on the way to its end is violated",
}

GRAMMAR = frozenset(
    {
        ErrorKind.PARSING,
        ErrorKind.ACTION_HALLUCINATION,
        ErrorKind.OBJECT_HALLUCINATION,
        ErrorKind.PREDICATE_HALLUCINATION,
        ErrorKind.ARGUMENT_NUMBER,
        ErrorKind.NO_ANSWER,
    }
)
"""Kinds that are found before anything is executed."""

RUNTIME = frozenset(
    {ErrorKind.AFFORDANCE, ErrorKind.ADDITIONAL_STEP, ErrorKind.MISSING_STEP, ErrorKind.WRONG_ORDER}
)
"""Kinds of a step that fails when it is executed."""

UNMET_KINDS = {
    "state": ErrorKind.STATE_GOAL,
    "relation": ErrorKind.RELATION_GOAL,
    "action": ErrorKind.ACTION_GOAL,
}
"""A kind of goal condition to the error that it is not met."""

UNMET = frozenset({*UNMET_KINDS.values(), ErrorKind.PATH_GOAL})
"""Kinds of a goal condition that is not met."""
