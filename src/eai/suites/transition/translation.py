"""Operators as the planner of the published results takes them (Fast Downward 24.06).

Its translator splits a text at blanks, brackets and question marks, and takes names that nobody
declared: an object that is only ever mentioned, a type without objects, a variable that nothing
binds. It refuses what is not PDDL, predicates that are not declared, and wrong numbers of
arguments. `=` is a predicate like any other: it holds of each declared object and itself, until an
effect says otherwise. What a precondition or the condition of an effect says to exist becomes a
parameter, and so what the effect calls by the same name. To make something true of a variable
that is still unbound stops the translator, where it explores such an action.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, count
from typing import Union

from eai.errors import InputError
from eai.logic import (
    FALSE,
    TRUE,
    And,
    Atom,
    Exists,
    Forall,
    Formula,
    Implies,
    Not,
    Or,
    Quantifier,
    Term,
    Variable,
    atoms,
)
from eai.nesting import NESTING_LIMIT
from eai.pddl import (
    AddEffect,
    AndEffect,
    Clause,
    DeleteEffect,
    Domain,
    Effect,
    ForallEffect,
    Operator,
    Predicate,
    Problem,
    WhenEffect,
    clauses,
)

STOP = Atom("translator stops", ())
"""Fact that marks a stop of the translator; no PDDL text can have such a name."""

_EQUAL = Predicate("=", (Variable("x"), Variable("y")))
_COMMENT = re.compile(r";[^\r\n]*")
_WORD = re.compile(r"[()]|\?[^\s()?]*|[^\s()?]+")
_DEEPEST = 100
"""So many brackets may be open, as in every PDDL text that is read here."""

_Item = Union[str, "list[_Item]"]
_Scope = Mapping[str, Variable]


def translate_operator(name: str, text: str, predicates: Mapping[str, Predicate]) -> Operator | str:
    """Return an operator as the translator understands it, or why it stops."""
    try:
        return _Translator({**predicates, "=": _EQUAL}).operator(name, _nested(text))
    except ValueError as error:
        return f"{name}: {error}"
    except InputError as error:  # more quantified variables inside of each other than are read
        return f"{name}: {error.what}"


def _nested(text: str) -> Sequence[_Item]:
    """The first brackets of a text, with those inside as lists."""
    text = _COMMENT.sub("", text)
    if not text.isascii():
        raise ValueError("it has a character that is not ASCII")
    outer: list[list[_Item]] = []
    items: list[_Item] = []
    for word in _WORD.findall(text.lower()):
        if word == "(":
            outer.append(items)
            items = []
        elif word != ")":
            items.append(word)
        elif len(outer) > 1:
            outer[-1].append(items)
            items = outer.pop()
        else:
            break
        if len(outer) > _DEEPEST:
            raise ValueError(f"brackets are nested more than {_DEEPEST} deep")
    else:
        raise ValueError("a bracket is not closed")
    return items


def _typed(items: Sequence[_Item]) -> list[tuple[str, str]]:
    """The words of a typed list, each with its type; of several types there is no object."""
    found: list[tuple[str, str]] = []
    while items:
        at = items.index("-") if "-" in items else len(items)
        kind = "object" if at == len(items) else next(iter(items[at + 1 :]), "")
        words = [kind] if isinstance(kind, str) else kind
        if not kind or not all(isinstance(each, str) for each in (*items[:at], *words)):
            raise ValueError("a list of variables or types is malformed")
        if words is kind and words[0] != "either":
            raise ValueError("these brackets are not a type")
        found += [(str(word), " ".join(map(str, words))) for word in items[:at]]
        items = items[at + 2 :]
    return found


def _bound(items: Sequence[_Item]) -> dict[str, Variable]:
    """Return the variables that a quantifier binds, by their words in the text."""
    typed = _typed(items)
    if any(kind.startswith(_EITHER) for _, kind in typed):
        raise ValueError("a quantified variable has several types")
    return {word: Variable(word.lstrip("?"), (kind,)) for word, kind in typed}


def _parts(form: Sequence[_Item], number: int | None = None) -> list[list[_Item]]:
    """Return the arguments of a form: ``number`` filled brackets."""
    found = [part for part in form[1:] if isinstance(part, list) and part]
    if len(found) != len(form) - 1 or len(found) != (number or len(found)):
        raise ValueError(f"'{form[0]}' is followed by something other than it takes")
    return found


_EITHER = "either "
"""Prefix of a choice between types, of which no object exists."""
_JUNCTIONS = {"and": And, "or": Or}
_QUANTIFIERS = {"exists": Exists, "forall": Forall}


@dataclass(frozen=True, slots=True)
class _Translator:
    """Makes operators of brackets, or raises ValueError where Fast Downward stops."""

    predicates: Mapping[str, Predicate]

    def operator(self, name: str, form: Sequence[_Item]) -> Operator:
        rest, parts = form[2:], dict[str, _Item]()
        for key in (":parameters", ":precondition", ":effect"):
            if rest[:1] == [key] and len(rest) > 1:
                parts[key], rest = rest[1], rest[2:]
        if rest or ":effect" not in parts or not all(isinstance(p, list) for p in parts.values()):
            raise ValueError("it is not made of :parameters, :precondition and :effect")
        typed = _typed(parts.get(":parameters", ()))
        if not all(word.startswith("?") for word, _ in typed):
            raise ValueError("a parameter is not a variable")
        scope = {word: Variable(word[1:], (kind,)) for word, kind in typed}
        before, after = parts.get(":precondition", ()), parts[":effect"]
        precondition = self.condition(before, scope) if before else TRUE
        # A parameter that stands twice is of both types.
        twins = [(Variable(f"{word[1:]}#", (kind,)), scope[word]) for word, kind in typed]
        types = [Exists((t,), Atom("=", (t, v))) for t, v in twins if t.types != v.types]
        operator = Operator(
            name,
            tuple(scope.values()),
            And((precondition, *types)) if types else precondition,
            self.effect(after, scope) if after else AndEffect(),
        )
        return _normal(operator)

    def condition(self, form: Sequence[_Item], scope: _Scope) -> Formula:
        head = str(form[0])
        if head in _JUNCTIONS:
            joined = [self.condition(part, scope) for part in _parts(form)]
            return _JUNCTIONS[head](tuple(joined)) if joined else (TRUE if head == "and" else FALSE)
        if head == "not":
            (part,) = _parts(form, 1)
            return Not(self.condition(part, scope))
        if head == "imply":
            return Implies(*[self.condition(part, scope) for part in _parts(form, 2)])
        if head in _QUANTIFIERS:
            variables, body = _parts(form, 2)
            bound = _bound(variables)
            inner = self.condition(body, {**scope, **bound})
            # What is no variable is sought among the objects of a type that there is not.
            never = [v if word[0] == "?" else replace(v, types=("",)) for word, v in bound.items()]
            return _QUANTIFIERS[head](tuple(never), inner)
        return self.atom(form, scope)

    def atom(self, form: Sequence[_Item], scope: _Scope) -> Atom:
        name, *words = form
        declared = self.predicates.get(name) if isinstance(name, str) else None
        if declared is None:
            raise ValueError(f"there is no predicate {name!r}")
        terms: list[Term] = [
            scope.get(word, Variable(word[1:]) if word[0] == "?" else word)
            for word in words
            if isinstance(word, str)
        ]
        if len(terms) < len(words) or len(terms) != declared.arity:
            raise ValueError(f"'{name}' takes {declared.arity} names, not {len(terms)}")
        return Atom(declared.name, tuple(terms))

    def effect(self, form: Sequence[_Item], scope: _Scope, *, within: bool = False) -> Effect:
        """Read an effect, perhaps ``within`` a quantifier or condition, where no cost can be."""
        head = form[0]
        if head == "and":
            return AndEffect(tuple([self.effect(p, scope, within=within) for p in _parts(form)]))
        if head == "forall":
            typed = form[1] if len(form) > 1 else ""
            (body,) = _parts([head, *form[2:]], 1)
            if isinstance(typed, str):
                raise ValueError("'forall' without a list of variables")
            bound = _bound(typed)
            if len(bound) > NESTING_LIMIT:
                raise ValueError(f"'forall' has more than {NESTING_LIMIT} variables")
            inner = self.effect(body, {**scope, **bound}, within=True)
            return ForallEffect(tuple(bound.values()), inner)
        if head == "when":
            condition, body = _parts(form, 2)
            inner = self.effect(body, scope, within=True)
            several, quantified = _flat(inner)
            if several and any(quantified):
                raise ValueError("'when' has several effects with a quantifier inside")
            return WhenEffect(self.condition(condition, scope), inner)
        if head == "increase" and form[1:2] == [["total-cost"]] and len(form) == 3 and not within:
            return AndEffect()
        if head == "not":
            (part,) = _parts(form, 1)
            return DeleteEffect(self.atom(part, scope))
        return AddEffect(self.atom(form, scope))


def with_equality(domain: Domain, problem: Problem) -> tuple[Domain, Problem]:
    """Return a task in which `=` is declared if an operator mentions it; else as it is."""
    if not any(map(_has_equality, domain.operators.values())):
        return domain, problem
    alike = [Atom("=", (name, name)) for name in (*domain.constants, *problem.objects)]
    predicates = {**domain.predicates, "=": _EQUAL}
    initial = (*problem.initial, *alike)
    return replace(domain, predicates=predicates), replace(problem, initial=initial)


@lru_cache(maxsize=1 << 9)
def _has_equality(operator: Operator) -> bool:
    parts = [operator.precondition]
    for clause in clauses(operator.effect):
        parts += [clause.condition, clause.atom]
    return any(a.predicate == "=" for part in parts for a in atoms(part) if isinstance(a, Atom))


def explored(operators: Sequence[Operator]) -> Sequence[Operator]:
    """Return operators that reach :data:`STOP` without deletions where the translator would stop.

    It stops when it instantiates an action that makes something true of a variable that nothing
    binds. Before that it explores what can be reached, and takes such variables in conditions as
    saying that something exists, and in effects as any object.

    Returns:
        The operators, each perhaps twice; none if there is no such effect.
    """
    found: list[Operator] = []
    stops = False
    for operator in operators:
        effects, every = list[Effect](), list[Effect]()
        own = operator.parameters
        for clause in clauses(operator.effect, [v.name for v in own]):
            bound = (*own, *clause.variables)
            free = _unbound((clause.condition, clause.atom), bound)
            stop = clause.added and bool(_unbound((clause.atom,), bound))
            stops = stops or stop
            effects.append((clause._replace(atom=STOP) if stop else clause).effect)
            every.append(clause._replace(variables=(*clause.variables, *free)).effect)
        found.append(replace(operator, effect=AndEffect(tuple(effects))))
        free = _unbound((operator.precondition,), own)
        if free or every != effects:
            condition = Exists(free, operator.precondition) if free else operator.precondition
            name = f"{operator.name} is explored"
            found.append(Operator(name, own, condition, AndEffect(tuple(every))))
    return found if stops else ()


def _unbound(formulas: Iterable[Formula], bound: Iterable[Variable]) -> tuple[Variable, ...]:
    """The variables that occur in formulas and are not bound, as objects of any type."""
    known = {variable.name for variable in bound}
    names = {variable.name for formula in formulas for variable in formula.free}
    return tuple([Variable(name) for name in sorted(names - known)])


def _normal(operator: Operator) -> Operator:
    """Bring an operator in which something is unbound into the translator's normal form.

    Bound variables get names of their own, which may be the name of an unbound one; then what
    conditions say to exist is bound around the whole action, or around the whole effect.

    Raises:
        ValueError: A quantifier over all objects mentions a variable that is bound nowhere.
    """
    parameters = operator.parameters
    literals = list(clauses(operator.effect, [v.name for v in parameters]))
    free = [_unbound((c.condition, c.atom), (*parameters, *c.variables)) for c in literals]
    if not any(free) and not _unbound((operator.precondition,), parameters):
        return operator
    taken = {v.name: v for v in parameters}
    precondition = _apart(operator.precondition, {}, taken)
    for i, clause in enumerate(literals):
        renamed = _renamed(clause.variables, taken)
        condition, atom = _apart(clause.condition, renamed, taken), clause.atom.substitute(renamed)
        assert isinstance(atom, Atom)  # noqa: S101 - an atom stays one
        literals[i] = Clause(tuple(renamed.values()), condition, clause.added, atom)
    for condition in (precondition, *(clause.condition for clause in literals)):
        bound = {v for v in taken if not taken[v].types[0].startswith(_EITHER)}
        pending = [(condition, True)]
        while pending:
            part, wanted = pending.pop()
            if isinstance(part, Quantifier):
                pending.append((part.body, wanted))
                unbound = {v.name for v in part.free}.difference(bound)
                if unbound and part.wants is not wanted:
                    raise ValueError(f"nothing binds ?{min(unbound)}, which a quantifier mentions")
            elif signed := part.split(wanted):
                pending += signed.parts
    found: list[Variable] = []
    precondition = _opened(precondition, found)
    effects: list[Effect] = []
    for clause in literals:
        more = list(clause.variables)
        condition = _opened(clause.condition, more)
        effects.append(clause._replace(variables=tuple(more), condition=condition).effect)
    return Operator(operator.name, (*parameters, *found), precondition, AndEffect(tuple(effects)))


def _renamed(variables: Iterable[Variable], taken: dict[str, Variable]) -> dict[str, Variable]:
    """The variables by name with names that are not taken, which they then are."""
    found: dict[str, Variable] = {}
    for variable in variables:
        plain = variable.name.partition("#")[0]
        name = next(n for n in chain([plain], (f"{plain}{i}" for i in count(1))) if n not in taken)
        taken[name] = found[variable.name] = Variable(name, variable.types)
    return found


def _apart(formula: Formula, renamed: _Scope, taken: dict[str, Variable]) -> Formula:
    if isinstance(formula, Atom):
        return formula.substitute(renamed)
    if isinstance(formula, Quantifier):
        own = _renamed(formula.variables, taken)
        return formula.over(tuple(own.values()), _apart(formula.body, {**renamed, **own}, taken))
    return formula.rebuild([_apart(part, renamed, taken) for part in formula.operands])


def _opened(formula: Formula, found: list[Variable]) -> Formula:
    """A condition without the quantifiers around it, whose variables are ``found``."""
    if isinstance(formula, And):
        return And(tuple([_opened(part, found) for part in formula.operands]))
    if isinstance(formula, Exists):
        found += formula.variables
        return _opened(formula.body, found)
    return formula


def _flat(effect: Effect) -> tuple[bool, list[bool]]:
    """Whether an effect becomes several, and which of them are quantified."""
    if isinstance(effect, AndEffect):
        return True, [each for part in effect.parts for each in _flat(part)[1]]
    if isinstance(effect, WhenEffect):
        return _flat(effect.effect)
    if isinstance(effect, ForallEffect):
        several, flags = _flat(effect.effect)
        return several, [True] * len(flags)
    return False, [False]
