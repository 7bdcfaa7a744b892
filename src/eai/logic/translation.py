"""Goals with ``then`` as formulas of linear temporal logic.

On the part from a position to the end of a trajectory, a state formula f holds as ``F f``, and
``f then g`` with a state formula f as ``F (f and X g')``, where g' says that g holds on some rest.
Connectives and quantifiers above a ``then`` stay what they are. That covers all official goals.
"""

from __future__ import annotations

from eai.errors import InputError
from eai.logic.formula import (
    FALSE,
    LINEAR,
    PAST,
    TRUE,
    And,
    Eventually,
    Exists,
    Forall,
    Formula,
    Iff,
    Implies,
    Next,
    Not,
    Or,
    Then,
    Xor,
    children,
    free_variables,
    has_linear,
    has_then,
    is_lasting,
    is_temporal,
    walk,
    with_children,
)
from eai.logic.traits import Reading, reading_of

__all__ = ["to_linear"]


def to_linear(formula: Formula, *, reading: Reading | None = None) -> Formula:
    """Return a formula of linear temporal logic that means the same on whole trajectories.

    Args:
        formula: A goal, or a formula of linear temporal logic, which already is what is asked for
            and comes back unchanged.
        reading: As for :func:`~eai.logic.semantics.evaluate`.

    Returns:
        A formula without ``then`` that is true at the first position of a trajectory if and
        only if the goal holds on the trajectory (:func:`~eai.logic.semantics.evaluate`).

    Raises:
        InputError: If there is no simple translation: a link of a ``then`` but the last is
            itself a conjunction or negation with ``then`` or linear temporal logic in it; a
            link that looks back; a ``then`` is read as linear temporal logic; or the formula is
            nested some hundred levels deep.
    """
    linear = reading_of(formula, reading) == "ltlf"
    if not has_then(formula):
        return formula if linear else Eventually(formula)
    if linear:
        raise InputError("a 'then' at a position has no translation", expected="reading='eai'")
    try:
        return _on_rest(formula)
    except RecursionError:
        raise InputError("the formula is nested too deeply to be translated") from None


def _on_rest(formula: Formula) -> Formula:
    """True where the formula holds on the part from there to the end."""
    if not has_then(formula):
        return formula if has_linear(formula) else Eventually(formula)
    if isinstance(formula, Then):
        return _of_links(_flat(formula))
    if isinstance(formula, LINEAR):
        return _at_position(formula)
    return with_children(formula, tuple(map(_on_rest, children(formula))))


def _at_position(formula: Formula) -> Formula:
    """Below an operator of linear temporal logic, only ``then`` speaks about a rest."""
    if not has_then(formula):
        return formula
    if isinstance(formula, Then):
        _refuse_back((formula,))
        return _on_rest(formula)
    return with_children(formula, tuple(map(_at_position, children(formula))))


def _flat(formula: Then) -> tuple[Formula, ...]:
    links: list[Formula] = []
    pending: list[Formula] = [formula]
    while pending:
        node = pending.pop()
        if isinstance(node, Then):
            pending.extend(reversed(node.operands))
        else:
            links.append(node)
    return tuple(links)


def _of_links(links: tuple[Formula, ...]) -> Formula:
    """A chain that begins at the position; worked out from its end, as chains may be long."""
    if not links:
        return FALSE
    _refuse_back(links[1:])
    chain, empty, lasts = _on_rest(links[-1]), _on_nothing(links[-1]), is_lasting(links[-1])
    for link in reversed(links[:-1]):
        later = chain if lasts else Eventually(chain)
        follows: Formula = TRUE if empty else Next(later)
        chain = _before(link, follows)
        empty, lasts = empty and _on_nothing(link), True
    return chain


def _refuse_back(links: tuple[Formula, ...]) -> None:
    """Refuse what looks back no further than to where its part begins."""
    if any(isinstance(node, PAST) for link in links for node in walk(link)):
        raise _refusal("a link of a 'then' that looks back has no simple translation")


def _before(link: Formula, follows: Formula) -> Formula:
    """The link holds on a part from the position, and what follows is true at its last."""
    if not is_temporal(link):
        return Eventually(And((link, follows)))
    if isinstance(link, Or):
        return Or(tuple(_before(each, follows) for each in link.operands))
    if isinstance(link, Exists) and not free_variables(follows) & set(link.variables):
        return Exists(link.variables, _before(link.body, follows))
    if isinstance(link, Then) and _flat(link):
        first, *rest = reversed(_flat(link))
        chain = _before(first, follows)
        for each in rest:
            chain = _before(each, Next(chain))
        return chain
    raise _refusal(f"a link that is a {type(link).__name__} has no simple translation")


def _on_nothing(formula: Formula) -> bool:
    """Whether the formula holds on a part without positions."""
    if not has_then(formula) or isinstance(formula, LINEAR):
        return False
    parts = [_on_nothing(part) for part in children(formula)]
    if isinstance(formula, (And, Then)):
        return all(parts)
    if isinstance(formula, Or):
        return any(parts)
    if isinstance(formula, Not):
        return not parts[0]
    if isinstance(formula, Implies):
        return not parts[0] or parts[1]
    if isinstance(formula, (Iff, Xor)):
        return (parts[0] == parts[1]) == isinstance(formula, Iff)
    if isinstance(formula, (Forall, Exists)) and parts[0] == isinstance(formula, Forall):
        return parts[0]
    raise _refusal("whether the formula holds on nothing depends on the objects")


def _refusal(why: str) -> InputError:
    return InputError(why, expected="links without 'then' and linear temporal logic")
