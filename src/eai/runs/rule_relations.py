"""Relations of rules to each other and to a goal, by logic alone: no world is searched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, islice

from eai.errors import InputError
from eai.logic import (
    And,
    Eventually,
    Forall,
    Formula,
    Then,
    Variable,
    bindings,
    contains,
    entails,
    objects_of,
    satisfiable,
)
from eai.world import Universe

CONTRADICTS, IMPLIES, FOLLOWS = "contradicts", "implies", "is implied by"

_MAX_INSTANCES = 50
"""Maximum number of instances of a rule that are compared with a goal."""

_MAX_STATES = 200
"""Maximum size of the automata of such a comparison; what is larger is left to a search."""


def relation(one: Formula, other: Formula, objects: Mapping[str, str]) -> str:
    """Return in a word how two rules are related; empty if neither contradicts nor implies.

    Args:
        one: A rule.
        other: Another one.
        objects: The objects that quantifiers range over, with their types.

    Raises:
        InputError: If they are too large to compare, or cannot be compared.
    """
    one, other = _at_first_position(one), _at_first_position(other)
    if not satisfiable(And.of([one, other]), objects=objects):
        return CONTRADICTS
    if entails(one, other, objects=objects):
        return IMPLIES
    if entails(other, one, objects=objects):
        return FOLLOWS
    return ""


def _at_first_position(rule: Formula) -> Formula:
    """Return a rule so that it is to be true at the first position, as all its parts then are.

    Raises:
        InputError: If it is a sequence, whose parts are at positions of their own.
    """
    if contains(rule, Then):
        raise InputError("a sequence (then) is not compared")
    return rule if rule.is_temporal else Eventually(rule)


def is_proved(word: str, one: Formula, other: Formula) -> bool:
    """Return whether a relation over one object of each type is one over any objects.

    What a rule for all objects asks of some of them is a part of what it asks. So two such rules
    that contradict each other for some objects contradict each other; and what follows from such
    a rule for some objects follows from it. But the rule that follows has to be about named
    objects, or about one at a time of which none is named, so that any stands for all.

    Args:
        word: The relation: :data:`CONTRADICTS` or :data:`IMPLIES`.
        one: The first rule.
        other: The second rule.
    """
    _, body = _without_prefix(one)
    variables, other_body = _without_prefix(other)
    if _has_quantifier(body) or _has_quantifier(other_body):
        return False
    if word == CONTRADICTS or not variables:
        return True
    are_named = bool(objects_of(one) or objects_of(other))
    return len(variables) == 1 and not are_named


def _without_prefix(rule: Formula) -> tuple[tuple[Variable, ...], Formula]:
    """Return the variables that a rule begins with (``forall x, y.``), and the rest of it."""
    variables: tuple[Variable, ...] = ()
    while isinstance(rule, Forall):
        variables += rule.variables
        rule = rule.operands[0]
    return variables, rule


def _has_quantifier(formula: Formula) -> bool:
    return any(node.variables for node in formula.walk())


def rules_against(
    goal: Formula, rules: Mapping[str, Formula], universe: Universe
) -> tuple[str, ...]:
    """Return the names of one rule or two that contradict a goal in any world, or none.

    Of a goal it is taken what has to be true at some time, and of a rule for all objects what it
    says of those that the goal mentions. Both are less than what is asked, so a contradiction
    between them is a proof.

    Args:
        goal: The goal.
        rules: The rules by name.
        universe: The objects of the task.
    """
    mentioned = objects_of(goal)
    instances = {name: _instances(rule, mentioned, universe) for name, rule in rules.items()}
    for needed in _needed(goal):
        letters = _letters(needed)
        touching: dict[str, list[Formula]] = {}
        for name, own in instances.items():
            about_goal = [each for each in own if not letters.isdisjoint(_letters(each))]
            if about_goal:
                touching[name] = about_goal
        for size in (1, 2):
            for names in combinations(touching, size):
                asked = [each for name in names for each in touching[name]]
                if _is_impossible(And.of([needed, *asked]), universe):
                    return names
    return ()


def _letters(formula: Formula) -> frozenset[Formula]:
    """Return the atoms and actions that a formula is about."""
    return frozenset(node for node in formula.walk() if not node.operands)


def _is_impossible(formula: Formula, universe: Universe) -> bool:
    """Return whether a formula is proved to hold on no trajectory with little work."""
    try:
        return not satisfiable(formula, objects=universe.objects, limit=_MAX_STATES)
    except InputError:
        return False


def _needed(goal: Formula) -> list[Formula]:
    """Return formulas without quantifiers that are true at the start whenever a goal is reached."""
    if not contains(goal, Then):
        links: Sequence[Formula] = (goal,)
    elif isinstance(goal, Then):
        links = [link for link in goal.links if not link.is_temporal]
    else:
        links = ()
    needed: list[Formula] = []
    for link in links:
        if not _has_quantifier(link):
            needed.append(_at_first_position(link))
    return needed


def _instances(rule: Formula, mentioned: frozenset[str], universe: Universe) -> list[Formula]:
    """Return what a rule says of some objects; nothing if it has inner quantifiers or links."""
    variables, body = _without_prefix(rule)
    if contains(rule, Then) or _has_quantifier(body):
        return []

    def among_mentioned(types: tuple[str, ...]) -> list[str]:
        return [name for name in universe.of_types(types) if name in mentioned]

    chosen = islice(bindings(variables, among_mentioned, {}), _MAX_INSTANCES)
    return [_at_first_position(body.substitute(binding)) for binding in chosen]
