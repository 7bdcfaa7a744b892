"""Effects, translated to Python statements that list changes of a state.

Each change is about a whole row, column or mask: an effect for all objects is one change.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from eai.errors import InputError
from eai.logic.formula import TRUE, Atom, Exists, Variable
from eai.pddl.model import Clause, Effect, clauses
from eai.world.access import Environment
from eai.world.expressions import Translator, places

__all__ = ["effect_lines"]


def effect_lines(effect: Effect, env: Environment, translator: Translator) -> list[str]:
    """Translate an effect to indented statements that append to ``adds`` and ``dels``.

    Args:
        effect: The effect.
        env: The parameters.
        translator: Translator of the domain's conditions.

    Raises:
        InputError: If it changes a derived predicate or mentions unknown names.
    """
    # Neighbours that have the same variables and condition are made together.
    groups = groupby(clauses(effect, env), key=lambda clause: (clause.variables, clause.condition))
    return [line for _, group in groups for line in _lines(list(group), env, translator)]


def _lines(group: Sequence[Clause], env: Environment, translator: Translator) -> Iterator[str]:
    bound_here, condition = group[0].variables, group[0].condition
    used = {name for clause in group for name in translator.free(clause.atom)}
    # A variable that no literal mentions only has to exist.
    if idle := tuple(v for v in bound_here if v.name not in used):
        condition = Exists(idle, condition)
    variables = [v for v in bound_here if v.name in used]
    vector = _vector(variables, [clause.atom for clause in group])
    if vector is not None:
        variables.remove(vector)
    bound, indent = dict(env), "    "
    for at, variable in enumerate(variables):
        later = variables[at + 1 :] + ([] if vector is None else [vector])
        span, condition = translator.narrowed(condition, variable, bound, rest=later)
        name = bound[variable.name] = translator.variable()
        yield f"{indent}for {name} in bits({span}):"
        indent += "    "
    mask = ""
    if vector is not None:
        mask = translator.variable()
        yield f"{indent}{mask} = {translator.members(condition, vector, bound)}"
        yield f"{indent}if {mask}:"
        indent += "    "
    elif condition != TRUE:
        yield f"{indent}if {translator.truth(condition, bound)}:"
        indent += "    "
    for _, _, added, atom in group:
        p, column, key, line = _place(atom, vector, bound, translator)
        if vector is None:
            mask = f"1 << {translator.term(atom.terms[-1], bound)}" if atom.terms else "1"
        if added:
            yield f"{indent}adds.append(({p}, {column}, {key}, {mask}))"
        else:
            yield f"{indent}if m := {line} & ({mask}): dels.append(({p}, {column}, {key}, m))"


def _vector(variables: Sequence[Variable], atoms: Sequence[Atom]) -> Variable | None:
    """The variable that the changes are made for all at once: the last that fits."""
    for variable in reversed(variables):
        if all(_fits(atom, variable) for atom in atoms):
            return variable
    return None


def _fits(atom: Atom, variable: Variable) -> bool:
    at = places(atom, variable.name)
    return len(at) == 1 and (len(atom.terms) <= 2 or at[0] == len(atom.terms) - 1)


def _place(
    atom: Atom, vector: Variable | None, env: Environment, translator: Translator
) -> tuple[int, int, str, str]:
    """Where an atom is kept: predicate, direction, fixed argument, and the line itself."""
    p = translator.predicate(atom)
    if atom.predicate in translator.axioms or atom.predicate in translator.computed:
        raise InputError(f"an effect changes the derived predicate {atom.predicate!r}")
    at = len(atom.terms) - 1 if vector is None else places(atom, vector.name)[0]
    fixed = [translator.term(term, env) for i, term in enumerate(atom.terms) if i != at]
    if not fixed:
        return p, 0, "None", f"U[{p}]"
    if len(fixed) > 1:
        key = f"({', '.join(fixed)})"
        return p, 0, key, f"W[{p}].get({key}, 0)"
    column = int(at == 0)
    return p, column, fixed[0], f"{'RC'[column]}[{p}][{fixed[0]}]"
