"""Goal options: the simple goals that entail a goal, counted and searched without listing them.

A *simple* goal is a set of ground literals about the final state, perhaps with one sequence of
actions (paper, section 2.3). A quantified goal stands for many of them, its *options*; scores
are the best over all options (sections 2.3 and 2.5). Options are built like the goal is:

* of a conjunction or ``forall``, one option of each part, together;
* of a disjunction or ``exists``, an option of any part;
* of exactly n objects, an option for each of n objects and one against each of the others; of at
  least n, an option for each of n objects;
* of a pairing, an option for each pair;
* a negation is pushed down to the atoms first.

Two ways to the same set are one option, and a set with a literal and its negation is none. A set
that contains another option is still an option.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import contains
from typing import Union

from eai.errors import SchemaError, check_name
from eai.logic.expansion import Range
from eai.logic.formula import ActionAtom, Atom, Proposition, Then
from eai.logic.options.families import LISTING_LIMIT, Family, Listing, Option, Scorer, atom_of
from eai.logic.options.grounding import Known, family_of
from eai.logic.tree import Formula, Not
from eai.nesting import on_own_stack

__all__ = ["BestOption", "GoalOptions", "Listing", "Objects", "Option"]

Objects = Union[Mapping[str, Collection[str]], Range]
"""The objects of each type (of its subtypes as well), or what answers for a tuple of types."""


@dataclass(frozen=True, slots=True)
class BestOption:
    """The option of a goal that matches a prediction or a state best.

    Args:
        score: How well it fits, from 0 to 1.
        option: The option; of several that fit equally well, always the same one.
        matched: Those of its elements that were predicted, or are true.
        exact: False if parts of the goal share so many atoms that not all options were seen;
            the score is then a lower bound.
    """

    score: Fraction
    option: Option
    matched: Option
    exact: bool


class GoalOptions:
    """The options of a goal: the sets of literals that satisfy it.

    Args:
        goal: A state formula, or actions and last a state formula joined by ``then``.
        objects: The objects of each type, by type name, in a fixed order. Without an entry
            ``"object"`` that type has all of them.
        known: The truth value of a ground atom that is settled whatever is done (a property of
            an object), None of any other; what is settled is not asked for.

    Raises:
        InputError: The goal has no simple goals (it is temporal in some other way), or is too
            large to be resolved.
        SchemaError: A variable is not bound.
        UnknownNameError: A type is unknown.
    """

    @on_own_stack
    def __init__(self, goal: Formula, objects: Objects, *, known: Known | None = None) -> None:
        self.goal = goal
        self.family: Family = family_of(goal, _objects_of_types(objects), known=known)

    @on_own_stack
    def count(self) -> int:
        """Return the exact number of options.

        Raises:
            InputError: Parts of the goal share atoms, and their combinations are too many.
        """
        return self.family.count

    @on_own_stack
    def enumerate(self, limit: int = 1000) -> Listing:
        """Return the first options in a fixed order, and whether the list is complete.

        Args:
            limit: Most options that are returned.
        """
        return self.family.list(limit, most_steps=LISTING_LIMIT + 10 * limit)

    @on_own_stack
    def best_f1(self, predicted: Iterable[Formula]) -> BestOption | None:
        """Return the option with the greatest F1 against a predicted simple goal, or None.

        F1 is ``2 * matched / (asked + predicted)`` (paper, section 2.3), and 1 if both sets are
        empty.

        Args:
            predicted: Ground literals; a sequence of actions is one element, an
                :class:`~eai.logic.formula.ActionAtom` or a ``then`` of several.

        Returns:
            The option; None if the goal has no option.

        Raises:
            SchemaError: Something predicted is no ground literal and no action sequence.
        """
        # F1 compares sets, so repeated predictions count once. The order is kept for sequences.
        elements = tuple(dict.fromkeys(map(_check_element, predicted)))
        distinct_elements = frozenset(elements)

        def predicted_sequence(parts: Sequence[Sequence[ActionAtom]]) -> Formula | None:
            """Return a predicted sequence that has one action of each part, at its place."""
            for element in elements:
                actions = _actions(element)
                if len(actions) == len(parts) and all(map(contains, parts, actions)):
                    return element
            return None

        return _maximise_ratio(
            self.family,
            distinct_elements.__contains__,
            predicted_sequence,
            gain=2,
            extra=len(distinct_elements),
        )

    @on_own_stack
    def best_partial(
        self, facts: Container[Atom], *, actions: Iterable[ActionAtom] = ()
    ) -> BestOption | None:
        """Return the option with the greatest share of satisfied literals, or None.

        A literal is satisfied by the final state; an action sequence, which counts as one
        element, by being a subsequence of the actions plan (paper, section 2.5). An option that
        asks for nothing is satisfied.

        Args:
            facts: The atoms that are true in the final state.
            actions: The actions plan, in order.

        Returns:
            The option; None if the goal has no option.
        """
        plan = tuple(actions)

        def holds(element: Formula) -> bool:
            """Return whether an element is satisfied by the facts, or by the actions plan."""
            if isinstance(element, Atom):
                return element in facts
            if isinstance(element, Not):
                return element.operand not in facts
            parts = [[action] for action in _actions(element)]
            return _matching_subsequence(parts, plan) is not None

        return _maximise_ratio(
            self.family, holds, lambda p: _matching_subsequence(p, plan), gain=1, extra=0
        )


def _objects_of_types(objects: Objects) -> Range:
    """Return a function from types to their distinct objects.

    If the objects come as a mapping without the type ``object``, that type has all of them.
    """
    if not isinstance(objects, Mapping):
        return objects
    members_of = {name: tuple(dict.fromkeys(members)) for name, members in objects.items()}
    all_members = itertools.chain.from_iterable(members_of.values())
    members_of.setdefault("object", tuple(dict.fromkeys(all_members)))

    def extension(types: tuple[str, ...]) -> Sequence[str]:
        """Return the objects of any of some types, each once."""
        members: dict[str, None] = {}
        for name in types:
            check_name("type", name, members_of)
            members.update(dict.fromkeys(members_of[name]))
        return tuple(members)

    return extension


def _maximise_ratio(
    family: Family,
    matches: Callable[[Formula], bool],
    find: Callable[[Sequence[Sequence[ActionAtom]]], Formula | None],
    *,
    gain: int,
    extra: int,
) -> BestOption | None:
    """Return the option that maximises ``gain * matched / (asked + extra)``.

    Dinkelbach's method (1967): the best ratio is the r for which the maximum of
    ``gain * matched - r * (asked + extra)`` is zero. That is a sum over elements, which every
    family can maximise; each round uses the ratio of the round before, as whole numbers. Ratios
    only grow, and few rounds are needed: the method converges superlinearly.

    Args:
        family: The options.
        matches: Function that tells whether an element is matched.
        find: Function that finds a matched action sequence (see :class:`Scorer`).
        gain: Value of a matched element.
        extra: Number that is added to the elements of the option.
    """
    # 0 / 0: an option that asks for nothing is satisfied, and none can be better.
    if not extra and family.has_empty():
        return BestOption(Fraction(1), frozenset(), frozenset(), exact=True)
    # Invariant: "ratio" is the score of the best option so far. Each round finds a better one, or
    # proves that there is none.
    best: BestOption | None = None
    ratio = Fraction(0)
    while True:
        # Multiplied by the denominator of the ratio, so that all scores are whole numbers.
        scorer = Scorer(matches, find, reward=gain * ratio.denominator, price=ratio.numerator)
        candidate = family.best(scorer)
        if candidate is None:
            return None
        matched = frozenset(filter(matches, candidate.option))
        denominator = len(candidate.option) + extra
        score = Fraction(1)  # nothing is asked, so all of it is matched
        if denominator:
            score = Fraction(gain * len(matched), denominator)
        if best is not None and score <= best.score:
            return best
        best = BestOption(score, candidate.option, matched, candidate.exact)
        ratio = score


def _check_element(element: Formula) -> Formula:
    """Return an element of a simple goal, or raise an error for anything else.

    Elements are ground literals, ``not on(cup.1)``, and ground actions joined by ``then``.

    Raises:
        SchemaError: If it is another formula, or has a variable.
    """
    atom = atom_of(element)
    propositions: tuple[Proposition, ...] = _actions(element)
    if isinstance(atom, Atom):
        propositions = (atom,)
    if propositions and not any(proposition.free for proposition in propositions):
        return element
    raise SchemaError(
        f"{element!r:.80} is not part of a simple goal",
        expected="a ground atom, its negation, or ground actions joined by 'then'",
    )


def _actions(element: Formula) -> tuple[ActionAtom, ...]:
    """Return the actions of a sequence, or none for any other formula."""
    # A formula without ``then`` is a chain with a single operand.
    actions = tuple([part for part in element.links if isinstance(part, ActionAtom)])
    if len(actions) < len(element.links):
        return ()
    return actions


def _matching_subsequence(
    parts: Sequence[Sequence[ActionAtom]], plan: Sequence[ActionAtom]
) -> Formula | None:
    """Return one action of each part in order, each as early as possible, or None.

    Args:
        parts: For each position of the sequence the actions that will do.
        plan: The actions that were taken.

    Returns:
        The sequence; None if the actions taken do not have one.
    """
    # Greedy: to take an action as early as possible leaves the most for those after it.
    matched_actions: list[ActionAtom] = []
    for action in plan:
        if len(matched_actions) < len(parts) and action in parts[len(matched_actions)]:
            matched_actions.append(action)
    if len(matched_actions) < len(parts):
        return None
    return Then.of(matched_actions)
