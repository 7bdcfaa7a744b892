"""Effects, translated to Python statements that list changes of a state.

Each change is about a whole row, column or mask: an effect for all objects is one change.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from eai.errors import InputError
from eai.logic.formula import TRUE, And, Atom, Exists, Formula, Term, Variable, substitute
from eai.pddl.model import (
    AddEffect,
    AndEffect,
    DeleteEffect,
    Effect,
    ForallEffect,
    WhenEffect,
)
from eai.world.access import Environment
from eai.world.expressions import Translator, places

__all__ = ["effect_lines"]


@dataclass(frozen=True, slots=True)
class _Clause:
    """Literals (whether added, atom) that become true under the same condition."""

    variables: tuple[Variable, ...]
    condition: Formula
    literals: tuple[tuple[bool, Atom], ...]


@dataclass(frozen=True, slots=True)
class _Context:
    """What stands around an effect: quantifiers, conditions, and new names of variables."""

    variables: tuple[Variable, ...] = ()
    condition: Formula = TRUE
    renamed: Mapping[str, Term] | None = None
    taken: frozenset[str] = frozenset()


def effect_lines(effect: Effect, env: Environment, translator: Translator) -> list[str]:
    """Translate an effect to indented statements that append to ``adds`` and ``dels``.

    Args:
        effect: The effect.
        env: The parameters.
        translator: Translator of the domain's conditions.

    Raises:
        InputError: If it changes a derived predicate or mentions unknown names.
    """
    found = _clauses(effect, _Context(taken=frozenset(env)))
    return [line for clause in _grouped(found) for line in _clause_lines(clause, env, translator)]


def _clauses(effect: Effect, context: _Context) -> Iterator[_Clause]:
    """Yield the literals of an effect, one clause each."""
    renamed = context.renamed or {}
    if isinstance(effect, (AddEffect, DeleteEffect)):
        atom = Atom(effect.atom.predicate, tuple(_rename(t, renamed) for t in effect.atom.terms))
        literal = (isinstance(effect, AddEffect), atom)
        yield _Clause(context.variables, context.condition, (literal,))
    elif isinstance(effect, ForallEffect):
        yield from _clauses(effect.effect, _below(context, effect.variables))
    elif isinstance(effect, WhenEffect):
        test = substitute(effect.condition, renamed)
        test = test if context.condition == TRUE else And((context.condition, test))
        inner = _Context(context.variables, test, context.renamed, context.taken)
        yield from _clauses(effect.effect, inner)
    elif isinstance(effect, AndEffect):
        for part in effect.parts:
            yield from _clauses(part, context)


def _below(context: _Context, variables: tuple[Variable, ...]) -> _Context:
    """The context inside a quantifier. A variable that hides another one gets a new name."""
    renamed, taken, bound = dict(context.renamed or {}), set(context.taken), []
    for variable in variables:
        new = variable
        if variable.name in taken:
            new = Variable(f"{variable.name}#{len(taken)}", variable.types)
        renamed[variable.name] = new
        taken.add(new.name)
        bound.append(new)
    inner = (*context.variables, *bound)
    return _Context(inner, context.condition, renamed, frozenset(taken))


def _rename(term: Term, renamed: Mapping[str, Term]) -> Term:
    return renamed.get(term.name, term) if isinstance(term, Variable) else term


def _grouped(found: Iterator[_Clause]) -> list[_Clause]:
    """Join neighbours that have the same variables and condition."""
    grouped: list[_Clause] = []
    for clause in found:
        last = grouped[-1] if grouped else None
        if last and (last.variables, last.condition) == (clause.variables, clause.condition):
            joined = last.literals + clause.literals
            grouped[-1] = _Clause(clause.variables, clause.condition, joined)
        else:
            grouped.append(clause)
    return grouped


def _clause_lines(clause: _Clause, env: Environment, translator: Translator) -> Iterator[str]:
    used = {name for _, atom in clause.literals for name in translator.free(atom)}
    # A variable that no literal mentions only has to exist.
    idle = tuple(v for v in clause.variables if v.name not in used)
    condition = Exists(idle, clause.condition) if idle else clause.condition
    variables = [v for v in clause.variables if v.name in used]
    vector = _vector(variables, clause.literals)
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
    for added, atom in clause.literals:
        p, column, key, line = _place(atom, vector, bound, translator)
        if vector is None:
            mask = f"1 << {translator.term(atom.terms[-1], bound)}" if atom.terms else "1"
        if added:
            yield f"{indent}adds.append(({p}, {column}, {key}, {mask}))"
        else:
            yield f"{indent}if m := {line} & ({mask}): dels.append(({p}, {column}, {key}, m))"


def _vector(
    variables: Sequence[Variable], literals: Sequence[tuple[bool, Atom]]
) -> Variable | None:
    """The variable that the changes are made for all at once: the last that fits."""
    for variable in reversed(variables):
        if all(_fits(atom, variable) for _, atom in literals):
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
