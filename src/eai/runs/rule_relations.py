"""Relations of rules to each other and to a goal, by logic alone: no world is searched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, combinations, islice

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


def relation(first: Formula, second: Formula, objects: Mapping[str, str]) -> str:
    """Return :data:`CONTRADICTS`, :data:`IMPLIES` or :data:`FOLLOWS` for two rules, or "".

    Empty if neither contradicts or implies the other.

    Args:
        first: A rule.
        second: Another one.
        objects: The objects that quantifiers range over, with their types.

    Raises:
        InputError: If they are too large to compare, or cannot be compared.
    """
    first = _at_first_position(first)
    second = _at_first_position(second)
    # Contradiction first: rules that cannot be kept together imply whatever one likes.
    if not satisfiable(And.of([first, second]), objects=objects):
        return CONTRADICTS
    if entails(first, second, objects=objects):
        return IMPLIES
    if entails(second, first, objects=objects):
        return FOLLOWS
    return ""


def _at_first_position(rule: Formula) -> Formula:
    """Return a formula that is true at the first position iff a rule is satisfied.

    A state formula is satisfied if it holds at some position, so it gets an ``F`` in front.

    Raises:
        InputError: If it is a sequence, whose parts are at positions of their own.
    """
    if contains(rule, Then):
        raise InputError("a sequence (then) is not compared")
    return rule if rule.is_temporal else Eventually(rule)


def is_proved(word: str, first: Formula, second: Formula) -> bool:
    """Return whether a relation over one object of each type holds for any objects.

    A rule for all objects implies its instances. So if instances of two such rules contradict each
    other, the rules do, and everything that follows from instances follows from the rule. But a
    rule that is implied must be about named objects, or about one object at a time without naming
    any, so that any object represents all.

    Args:
        word: The relation: :data:`CONTRADICTS` or :data:`IMPLIES`.
        first: The first rule.
        second: The second rule.
    """
    _, first_body = _without_prefix(first)
    variables, second_body = _without_prefix(second)
    if _has_quantifier(first_body) or _has_quantifier(second_body):
        return False
    if word == CONTRADICTS or not variables:
        return True
    are_named = bool(objects_of(first) or objects_of(second))
    return len(variables) == 1 and not are_named


def _without_prefix(rule: Formula) -> tuple[tuple[Variable, ...], Formula]:
    """Return the variables of a rule's outer quantifier, and its body."""
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
    """Return the names of one or two rules that contradict a goal in any world, or none.

    Only necessary conditions of the goal are used, and only those instances of rules that have the
    goal's objects. Both are weaker than the originals, so a contradiction is a proof.

    Args:
        goal: The goal.
        rules: The rules by name.
        universe: The objects of the task.
    """
    goal_objects = objects_of(goal)
    instances_by_rule = {}
    for name, rule in rules.items():
        instances_by_rule[name] = _instances(rule, goal_objects, universe)
    for condition in _necessary_conditions(goal):
        related_instances = _related_instances(condition, instances_by_rule)
        # One rule alone is the shorter reason; three or more are left to the search for a plan.
        for names in chain(combinations(related_instances, 1), combinations(related_instances, 2)):
            conjuncts = [condition]
            for name in names:
                conjuncts += related_instances[name]
            if _is_impossible(And.of(conjuncts), universe):
                return names
    return ()


def _propositions_of(formula: Formula) -> frozenset[Formula]:
    """Return the atoms and actions in a formula."""
    return frozenset(node for node in formula.walk() if not node.operands)


def _is_impossible(formula: Formula, universe: Universe) -> bool:
    """Return whether automata of limited size prove that a formula never holds."""
    try:
        return not satisfiable(formula, objects=universe.objects, limit=_MAX_STATES)
    except InputError:
        return False


def _related_instances(
    condition: Formula, instances_by_rule: Mapping[str, Sequence[Formula]]
) -> dict[str, list[Formula]]:
    """Return the instances of rules that share an atom or action with a condition.

    Others cannot contradict it.
    """
    propositions = _propositions_of(condition)
    related_instances: dict[str, list[Formula]] = {}
    for name, instances in instances_by_rule.items():
        related = [formula for formula in instances if propositions & _propositions_of(formula)]
        if related:
            related_instances[name] = related
    return related_instances


def _necessary_conditions(goal: Formula) -> list[Formula]:
    """Return ground formulas that hold on every trajectory which reaches the goal.

    Of a sequence ``f then g`` these are ``F f`` and ``F g``: each link holds at some position. A
    temporal link is left out, as it is about its own part of the trajectory.
    """
    links: Sequence[Formula] = ()
    if not contains(goal, Then):
        links = (goal,)
    elif isinstance(goal, Then):
        links = [link for link in goal.links if not link.is_temporal]
    return [_at_first_position(link) for link in links if not _has_quantifier(link)]


def _instances(rule: Formula, goal_objects: frozenset[str], universe: Universe) -> list[Formula]:
    """Return instances of a rule for the objects of a goal.

    There are none if the body has quantifiers or a ``then``.

    Args:
        rule: The rule: ``forall x. G not HEAT(x)``.
        goal_objects: The objects that replace its variables.
        universe: All objects, with their types.
    """
    variables, body = _without_prefix(rule)
    if contains(rule, Then) or _has_quantifier(body):
        return []

    def goal_objects_of_types(types: tuple[str, ...]) -> list[str]:
        return [name for name in universe.of_types(types) if name in goal_objects]

    first_bindings = islice(bindings(variables, goal_objects_of_types, {}), _MAX_INSTANCES)
    return [_at_first_position(body.substitute(binding)) for binding in first_bindings]
