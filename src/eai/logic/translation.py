"""Goals with ``then`` as formulas of linear temporal logic.

On the part from a position to the end of a trajectory, a state formula f holds as ``F f``, and
``f then g`` with a state formula f as ``F (f and X g')``, where g' says that g holds on some rest.
Connectives and quantifiers above a ``then`` stay what they are. That covers all official goals.
"""

from __future__ import annotations

from eai.errors import InputError
from eai.logic.algebra import Bits
from eai.logic.formula import Exists, Quantifier, Then
from eai.logic.temporal import Eventually, Next
from eai.logic.tree import FALSE, TRUE, And, Formula, Or, Reading


def to_linear(formula: Formula, *, reading: Reading | None = None) -> Formula:
    """Return a formula of linear temporal logic that means the same on whole trajectories.

    Args:
        formula: A goal, or a formula of linear temporal logic, which already is what is asked for
            and comes back unchanged.
        reading: As for :func:`~eai.logic.evaluate`.

    Returns:
        A formula without ``then`` that is true at the first position of a trajectory if and
        only if the goal holds on the trajectory (:func:`~eai.logic.evaluate`).

    Raises:
        InputError: If there is no simple translation: a link of a ``then`` but the last is
            itself a conjunction or negation with ``then`` or linear temporal logic in it; a
            link that looks back; a ``then`` is read as linear temporal logic; or the translation
            would be nested too deeply.
    """
    linear = formula.reading(reading) == "ltlf"
    if not formula.has_then:
        return formula if linear else Eventually(formula)
    if linear:
        raise InputError("a 'then' at a position has no translation", expected="reading='eai'")
    return _on_rest(formula)


def _on_rest(formula: Formula) -> Formula:
    """True where the formula holds on the part from there to the end."""
    if not formula.has_then:
        return formula if formula.has_linear else Eventually(formula)
    if isinstance(formula, Then):
        return _of_links(formula.links)
    if formula.is_linear:
        return _at_position(formula)
    return formula.rebuild([_on_rest(operand) for operand in formula.operands])


def _at_position(formula: Formula) -> Formula:
    """Below an operator of linear temporal logic, only ``then`` speaks about a rest."""
    if not formula.has_then:
        return formula
    if isinstance(formula, Then):
        _refuse_back((formula,))
        return _on_rest(formula)
    return formula.rebuild([_at_position(operand) for operand in formula.operands])


def _of_links(links: tuple[Formula, ...]) -> Formula:
    """A chain that begins at the position; worked out from its end."""
    if not links:
        return FALSE
    _refuse_back(links[1:])
    chain, empty, lasts = _on_rest(links[-1]), _on_nothing(links[-1]), links[-1].is_lasting
    for link in reversed(links[:-1]):
        later = chain if lasts else Eventually(chain)
        follows: Formula = TRUE if empty else Next(later)
        chain = _before(link, follows)
        empty, lasts = empty and _on_nothing(link), True
    return chain


def _refuse_back(links: tuple[Formula, ...]) -> None:
    """Refuse what looks back no further than to where its part begins."""
    if any(node.is_past for link in links for node in link.walk()):
        raise _refusal("a link of a 'then' that looks back has no simple translation")


def _before(link: Formula, follows: Formula) -> Formula:
    """The link holds on a part from the position, and what follows is true at its last."""
    if not link.is_temporal:
        return Eventually(And((link, follows)))
    if isinstance(link, Or):
        return Or(tuple(_before(each, follows) for each in link.operands))
    if isinstance(link, Exists) and not follows.free & set(link.variables):
        return Exists(link.variables, _before(link.body, follows))
    if isinstance(link, Then) and link.links:
        first, *rest = reversed(link.links)
        chain = _before(first, follows)
        for each in rest:
            chain = _before(each, Next(chain))
        return chain
    raise _refusal(f"a link that is a {type(link).__name__} has no simple translation")


def _on_nothing(formula: Formula) -> bool:
    """Whether the formula holds on a part without positions."""
    if not formula.has_then or formula.is_linear:
        return False
    parts = [_on_nothing(part) for part in formula.operands]
    if isinstance(formula, Then):
        return all(parts)
    if not formula.variables:
        return bool(formula.combine(Bits(1), parts))
    # One that is true for every object holds even without objects, and one that is not, fails.
    if isinstance(formula, Quantifier) and parts[0] is not formula.wants:
        return parts[0]
    raise _refusal("whether the formula holds on nothing depends on the objects")


def _refusal(why: str) -> InputError:
    return InputError(why, expected="links without 'then' and linear temporal logic")
