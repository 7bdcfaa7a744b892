"""The kinds of error, and what reports, episodes and pictures have to know of each.

The kinds and their meaning follow the Embodied Agent Interface (paper, section D.2 and
Figure 19). Beside each kind stands the key under which the official evaluator reports it.

To add a kind, write it here: its name, a line of ``_FACTS``, and the sets below that it belongs to.
Reports then have a column for it, pictures its colour, episodes a reason to count it under, and
``eai perturb`` makes plans wrong in this way. Whoever finds it makes a ``Finding`` of it:
``runtime.py`` for steps, ``goals.py`` for goals. Its row stands in ``docs/explanation/errors.md``.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class ErrorKind(str, Enum):
    """Kinds of errors. The value is the word in reports."""

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
        return _FACTS[self].official_key

    @property
    def key(self) -> str:
        """The key under which reports count the kind: the official one, or else its name."""
        return self.official_key or self.value

    @property
    def label(self) -> str:
        """The heading of its column in reports (``"Missing Step"``)."""
        return _FACTS[self].label or self.value.replace("_", " ").title()

    @property
    def short_label(self) -> str:
        """The heading of a narrow column, with a line break for each blank, or an abbreviation."""
        return _FACTS[self].short_label or self.label.replace(" ", "\n")

    @property
    def colour(self) -> str:
        """The colour of the kind in every picture (``"#f16913"``)."""
        return _FACTS[self].colour

    @property
    def is_harmless(self) -> bool:
        """Whether a step of this kind is passed over: it would change nothing."""
        return self in HARMLESS

    @property
    def meaning(self) -> str:
        """The meaning of the kind, as an agent is told."""
        return _FACTS[self].meaning

    def __str__(self) -> str:
        return self.value


class _Facts(NamedTuple):
    """The attributes of an error kind, documented at :class:`ErrorKind`'s properties."""

    meaning: str
    colour: str
    official_key: str = ""
    label: str = ""
    short_label: str = ""


# Errors of reading are blue, those of execution red, missed goals green.
_FACTS = {
    ErrorKind.PARSING: _Facts(
        "the answer is not a sequence of actions in the form that was asked for",
        colour="#08306b",
        official_key="parsing",
    ),
    # The three hallucinations share a key, so they are one column, headed as the first says.
    ErrorKind.ACTION_HALLUCINATION: _Facts(
        "there is no action of this name",
        colour="#2171b5",
        official_key="hallucination",
        label="Hallucination",
        short_label="Halluc.",
    ),
    ErrorKind.OBJECT_HALLUCINATION: _Facts(
        "there is no object of this name in the task",
        colour="#6baed6",
        official_key="hallucination",
    ),
    ErrorKind.PREDICATE_HALLUCINATION: _Facts(
        "there is no state or relation of this name",
        colour="#9ecae1",
        official_key="hallucination",
    ),
    ErrorKind.ARGUMENT_NUMBER: _Facts(
        "the action takes a different number or different types of objects",
        colour="#c6dbef",
        official_key="predicate_argument_number",
        label="Predicate-Arg Num",
        short_label="Arg.\nNum",
    ),
    ErrorKind.AFFORDANCE: _Facts(
        "the object cannot be used in this way, whatever is done before",
        colour="#7f2704",
        official_key="affordance_error",
        short_label="Afford.",
    ),
    ErrorKind.ADDITIONAL_STEP: _Facts(
        "what the action would bring about holds already",
        colour="#fdd0a2",
        official_key="additional_step",
        short_label="Addit.\nStep",
    ),
    ErrorKind.MISSING_STEP: _Facts(
        "the action needs something that no action before it has brought about",
        colour="#f16913",
        official_key="missing_step",
    ),
    ErrorKind.WRONG_ORDER: _Facts(
        "what the action needs was true earlier and is no longer so",
        colour="#fdae6b",
        official_key="wrong_order",
    ),
    ErrorKind.STATE_GOAL: _Facts(
        "an object is not in the state that the goal asks for",
        colour="#00441b",
        official_key="state_goal",
    ),
    ErrorKind.RELATION_GOAL: _Facts(
        "two objects are not in the relation that the goal asks for",
        colour="#41ab5d",
        official_key="relation_goal",
    ),
    ErrorKind.ACTION_GOAL: _Facts(
        "an action that the goal asks for was not taken",
        colour="#a1d99b",
        official_key="action_goal",
    ),
    ErrorKind.PATH_GOAL: _Facts(
        "a condition that the goal asks for on the way to its end is violated",
        colour="#d9f0d3",
    ),
    ErrorKind.NO_ANSWER: _Facts("there is no answer", colour="#252525"),
    ErrorKind.BEYOND_BUDGET: _Facts(
        "the evaluation exceeded its budget before it could decide", colour="#bdbdbd"
    ),
    ErrorKind.UNSCORABLE: _Facts("the action cannot be carried out", colour="#969696"),
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

RUNTIME = (
    ErrorKind.WRONG_ORDER,
    ErrorKind.MISSING_STEP,
    ErrorKind.AFFORDANCE,
    ErrorKind.ADDITIONAL_STEP,
)
"""Kinds of a step that fails when it is executed, in the order of the paper's Table 6."""

HARMLESS = frozenset({ErrorKind.ADDITIONAL_STEP})
"""Kinds of a step that is passed over, as it would change nothing."""

UNMET_KINDS = {
    "state": ErrorKind.STATE_GOAL,
    "relation": ErrorKind.RELATION_GOAL,
    "action": ErrorKind.ACTION_GOAL,
}
"""A kind of goal condition to the error that it is not met."""

UNMET = frozenset({*UNMET_KINDS.values(), ErrorKind.PATH_GOAL})
"""Kinds of a goal condition that is not met."""
