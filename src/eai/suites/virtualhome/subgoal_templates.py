"""The fixed lists of actions that ``eai-eval`` 1.0.5 puts in place of a subgoal.

Each literal becomes no, one, or two lists of actions. Every list begins by finding what it is
about, so that subgoals need no navigation.
"""

from __future__ import annotations

from collections.abc import Callable

from eai.logic.formula import ActionAtom, Atom
from eai.world.action import Action

__all__ = ["Holds", "action_lists"]

Holds = Callable[[str], bool]
"""Whether the character holds an object."""

_Lists = list[list[Action]]

_ACHIEVERS = {
    "closed": ("close",),
    "open": ("open",),
    "on": ("switchon",),
    "off": ("switchoff",),
    "clean": ("wipe", "wash"),
    "plugged_in": ("plugin",),
    "plugged_out": ("plugout",),
}
"""State to the actions that bring it about, one list of actions for each."""
_HELD_FIRST = frozenset({"drink", "eat", "read"})
_FACED_FIRST = frozenset({"lookat", "watch"})


def action_lists(literal: Atom | ActionAtom, agent: str, holds: Holds) -> _Lists:
    """Return the lists of actions for a literal, in the order in which they are tried.

    Args:
        literal: A ground atom or action.
        agent: The character.
        holds: Whether an object is in one of its hands now.
    """
    terms = tuple(map(str, literal.terms))
    if isinstance(literal, ActionAtom):
        return [_for_action(literal.action, terms, holds)]
    if len(terms) == 1:
        find = _do("find", terms[0])
        return [[find, _do(name, terms[0])] for name in _ACHIEVERS.get(literal.predicate, ())]
    return _for_relation(literal.predicate, terms[0], terms[1], agent, holds)


def _for_action(name: str, terms: tuple[str, ...], holds: Holds) -> list[Action]:
    act = Action(name, terms)
    if name in _HELD_FIRST and not holds(terms[0]):
        return [*_take(terms[0]), act]
    if name in _FACED_FIRST:
        return [*_face(terms[0]), act]
    return [*(_do("find", term) for term in terms), act]


def _for_relation(relation: str, x: str, y: str, agent: str, holds: Holds) -> _Lists:
    if relation in ("ontop", "inside"):
        return _for_place(relation, x, y, agent, holds)
    if relation == "next_to":
        return [[_do("find", y)]] if x == agent else []
    if relation == "facing":
        return [_face(y)]
    return [_take(y)] if relation in ("holds_rh", "holds_lh") else []


def _for_place(relation: str, x: str, y: str, agent: str, holds: Holds) -> _Lists:
    if x == agent and relation == "inside":
        return [[_do("walk", y)]]
    if x == agent:
        return [[_do("find", y), _do(name, y)] for name in ("sit", "lie")]
    if y == agent and relation == "ontop":
        return [[_do("puton", x)]]
    begin = [] if holds(x) else _take(x)
    endings = ("putback",) if relation == "ontop" else ("putin", "pour")
    return [[*begin, _do("find", y), _do(name, x, y)] for name in endings]


def _take(x: str) -> list[Action]:
    return [_do("find", x), _do("grab", x)]


def _face(x: str) -> list[Action]:
    return [_do("find", x), _do("turnto", x)]


def _do(name: str, *terms: str) -> Action:
    return Action(name, terms)
