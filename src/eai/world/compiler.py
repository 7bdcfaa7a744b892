"""Conditions and effects of a domain, compiled to Python functions over states.

Recursive derived predicates: their extension as a least fixed point, once a state.

Derived predicates that do not depend on themselves are compiled into the conditions that use
them; only the others need a table, and those whose rules would get too long. Predicates that depend
on each other are computed together, after those whose negation they may use (stratified axioms:
Edelkamp & Hoffmann 2004, section 3).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from graphlib import TopologicalSorter
from itertools import groupby
from typing import Any

from eai.errors import InputError, UnknownNameError
from eai.logic import (
    TRUE,
    And,
    Atom,
    Bits,
    Exists,
    Formula,
    Not,
    Or,
    Truth,
    Variable,
    conjuncts,
)
from eai.nesting import on_own_stack
from eai.pddl import (
    Axiom,
    Clause,
    Domain,
    Effect,
    clauses,
    polarities,
    reachable,
    recursion_through_negation,
)
from eai.world.bits import bits, union
from eai.world.conditions import Environment, Translator, locations
from eai.world.state import Extension, Layout, State

Rule = tuple[tuple[Variable, ...], Callable[..., int]]
"""Variables of a rule's head, and a function of the state and the numbers of all but the last of
them that returns the mask of the last one (without variables: 0 or 1)."""


_LONGEST = 500
"""Atoms of a condition with the rules of derived predicates put in, up to which that is done: two
mentions in each of thirty rules make a thousand million atoms."""


_DEEPEST = 20
"""A predicate that is defined by others, those by others and so on, over more levels than this gets
a table, too: rules are put into each other by recursion."""


def tabled(axioms: Iterable[Axiom], *, where: str) -> tuple[tuple[str, ...], ...]:
    """Group the derived predicates of which a table is made.

    They are those that depend on themselves, and those whose rules are too long, or nested too
    deep, when the rules of others are put in.

    Returns:
        Groups of predicates that depend on each other, or of one.

    Raises:
        InputError: If a predicate depends on its own negation (the axioms are not stratified).
    """
    rules = tuple(axioms)
    for issue in recursion_through_negation(rules):
        raise InputError(issue.message, where=where, expected=issue.expected)
    uses: dict[str, set[str]] = {}
    for axiom in rules:
        names = {atom.predicate for atom, _ in polarities(axiom.body)}
        uses.setdefault(axiom.head.predicate, set()).update(names)
    reach = {name: reachable(name, uses) for name in uses}
    groups = {
        tuple(sorted(other for other in reach[name] if name in reach.get(other, ())))
        for name in uses
        if name in reach[name]
    }
    mentioned: dict[str, list[str]] = {name: [] for name in uses}
    for axiom in rules:
        mentioned[axiom.head.predicate] += [atom.predicate for atom, _ in polarities(axiom.body)]
    put_in = uses.keys() - {name for group in groups for name in group}
    sizes, depths = dict[str, int](), dict[str, int]()
    for name in TopologicalSorter({name: uses[name] & put_in for name in put_in}).static_order():
        size = sum([sizes.get(other, 1) for other in mentioned[name]])
        depth = 1 + max([depths.get(other, 0) for other in mentioned[name]], default=0)
        if size > _LONGEST or depth > _DEEPEST:
            groups.add((name,))
        else:
            sizes[name], depths[name] = size, depth
    return tuple(sorted(groups))


class Tables:
    """The extensions of derived predicates, made when a state is first asked.

    The groups are those of :func:`tabled`; ``rules`` compiles the rules of a predicate.
    """

    def __init__(
        self, layout: Layout, groups: Iterable[tuple[str, ...]], rules: Callable[[str], list[Rule]]
    ) -> None:
        self._layout = layout
        numbered = [tuple(layout.index[name] for name in group) for group in groups]
        self._groups = {p: group for group in numbered for p in group}
        self._compile = rules
        self._rules: dict[int, list[Rule]] = {}

    def of(self, state: State, predicate: int) -> Extension:
        """Return the extension of a derived predicate that has a table; the state keeps it.

        It is the least fixed point of the rules of its group. A rule that mentions a predicate of
        another group asks for its table in turn, and finds it finished.
        """
        found = state.memo.get(predicate)
        if found is not None:
            return found
        group, universe = self._groups[predicate], state.universe
        for p in group:
            if p not in self._rules:
                self._rules[p] = self._compile(self._layout.names[p])
        for p in group:
            lines = len(universe) if self._layout.arity[p] == 2 else 0
            state.memo[p] = (0, [0] * lines, [0] * lines, {})
        rules = [(p, *rule) for p in group for rule in self._rules[p]]
        changed = True
        while changed:
            changed = False
            for p, head, function in rules:
                ranges = [bits(universe.mask(variable.types)) for variable in head[:-1]]
                for numbers in itertools.product(*ranges):
                    mask = function(state, *numbers)
                    changed |= _learn(state, p, numbers, mask, len(head))
        return state.memo[predicate]


def _learn(state: State, p: int, numbers: tuple[int, ...], mask: int, arity: int) -> bool:
    """Add last arguments to a table; return whether anything is new."""
    known, rows, cols, wide = state.memo[p]
    if arity < 2:
        state.memo[p] = (known | mask, rows, cols, wide)
        return bool(mask & ~known)
    if arity > 2:
        old = wide.get(numbers, 0)
        wide[numbers] = old | mask
        return bool(mask & ~old)
    new = mask & ~rows[numbers[0]]
    rows[numbers[0]] |= new
    for number in bits(new):
        cols[number] |= 1 << numbers[0]
    return bool(new)


def _lines(group: Sequence[Clause], env: Environment, translator: Translator) -> Iterator[str]:
    """Translate literals of one condition to statements that append to ``adds`` and ``dels``."""
    bound_here, condition = group[0].variables, group[0].condition
    used = {name for clause in group for name in clause.atom.free_names}
    variables = [v for v in bound_here if v.name in used]
    vector = _vector(variables, [clause.atom for clause in group])
    if vector is not None:
        variables.remove(vector)
    # A variable that no literal mentions only has to exist.
    if idle := tuple(v for v in bound_here if v.name not in used):
        others = used.intersection(v.name for v in bound_here) - {v.name for v in variables[:1]}
        parts = [p for p in conjuncts(condition) if others.isdisjoint(p.free_names)]
        condition = Exists(idle, condition)
        if variables and others:  # what is needed without the others narrows the first loop
            condition = And((Exists(idle, And(tuple(parts))), condition))
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

    def fits(atom: Atom) -> bool:
        at = locations(atom, variable.name)
        return len(at) == 1 and (len(atom.terms) <= 2 or at[0] == len(atom.terms) - 1)

    for variable in reversed(variables):
        if all(map(fits, atoms)):
            return variable
    return None


def _place(
    atom: Atom, vector: Variable | None, env: Environment, translator: Translator
) -> tuple[int, int, str, str]:
    """Where an atom is kept: predicate, direction, fixed argument, and the line itself."""
    p = translator.predicate(atom)
    if atom.predicate in translator.axioms or atom.predicate in translator.computed:
        raise InputError(f"an effect changes the derived predicate {atom.predicate!r}")
    at = len(atom.terms) - 1 if vector is None else locations(atom, vector.name)[0]
    fixed = [translator.term(term, env) for i, term in enumerate(atom.terms) if i != at]
    if not fixed:
        return p, 0, "None", f"U[{p}]"
    if len(fixed) > 1:
        key = f"({', '.join(fixed)})"
        return p, 0, key, f"W[{p}].get({key}, 0)"
    column = int(at == 0)
    return p, column, fixed[0], f"{'RC'[column]}[{p}][{fixed[0]}]"


Computed = Callable[..., int]
"""A predicate whose extension the simulator computes: called with the state and the numbers of
all but the last argument, it returns the mask of the last arguments that satisfy it (for a
predicate without arguments: 0 or 1)."""

Updates = list[tuple[int, int, object, int]]
"""Additions or deletions of an effect: predicate number, direction, fixed argument, and mask."""

_TABLES = {
    "U": "s.unary",
    "R": "s.rows",
    "C": "s.cols",
    "W": "s.wide",
    "T": "s.universe.type_masks",
    "K": "s.universe.constants",
}


class Compiler:
    """Compiles the conditions and effects of one domain to functions of a state and object numbers.

    What cannot be compiled is an :class:`~eai.errors.InputError` that says why.
    """

    def __init__(
        self, domain: Domain, layout: Layout, *, computed: Mapping[str, Computed] | None = None
    ) -> None:
        self.domain = domain
        functions = dict(computed or {})
        axioms = [axiom for axiom in domain.axioms if axiom.head.predicate not in functions]
        groups = tabled(axioms, where=f"domain {domain.name!r}")
        in_tables = frozenset(name for group in groups for name in group)
        self._translator = Translator(domain, layout, computed=functions.keys(), tabled=in_tables)
        tables = Tables(layout, groups, self._rules)
        self._globals: dict[str, Any] = {
            "bits": bits,
            "union": union,
            "pairs": _pairs,
            "derived": tables.of,
        }
        for name, function in functions.items():
            if name not in layout.index:
                raise UnknownNameError("predicate", name, layout.names)
            self._globals[f"computed_{layout.index[name]}"] = function

    @on_own_stack
    def condition(self, formula: Formula, parameters: Sequence[Variable]) -> Callable[..., bool]:
        """Compile a condition to a function of a state and one object number a parameter."""
        with self._bounded(parameters) as (names, env):
            found = self._translator.truth(formula, env)
            return self._function(names, [f"    return bool({found})"])

    @on_own_stack
    def settled(self, formula: Formula) -> Formula:
        """Put in what the rules of the domain say of atoms without arguments, where it is fixed."""
        if isinstance(formula, Atom) and not formula.terms:
            bodies = [body for _, body in self._translator.axioms.get(formula.predicate, ())]
            fixed = bodies[0].split(True) if len(bodies) == 1 else None
            return formula if fixed is None or fixed.parts else Truth(fixed.every)
        split = formula.split(True)
        if split is None:
            return formula
        parts = [(self.settled(part), wanted) for part, wanted in split.parts]
        fixed_parts = {part.value is wanted for part, wanted in parts if isinstance(part, Truth)}
        if (not split.every) in fixed_parts:
            return Truth(not split.every)
        left = [p if wanted else Not(p) for p, wanted in parts if not isinstance(p, Truth)]
        return (And if split.every else Or).of(left) if left else Truth(split.every)

    @on_own_stack
    def instances(self, formula: Formula, size: Callable[[Variable], int]) -> int:
        """Count the atoms that testing a condition looks at, if it has to look at all of them."""
        with self._bounded(()):
            return self._translator.instances(formula, size)

    @on_own_stack
    def members(
        self, formula: Formula, variable: Variable, parameters: Sequence[Variable]
    ) -> Callable[..., int]:
        """Compile a condition to a function that returns which objects satisfy it, as a mask."""
        with self._bounded(parameters) as (names, env):
            found = self._translator.members(formula, variable, env)
            return self._function(names, [f"    return {found}"])

    @on_own_stack
    def first_failure(
        self, tests: Sequence[Formula], parameters: Sequence[Variable]
    ) -> Callable[..., int]:
        """Compile tests to one function that returns the number of the first that fails, or -1."""
        with self._bounded(parameters) as (names, env):
            lines = [
                f"    if not ({self._translator.truth(test, env)}): return {i}"
                for i, test in enumerate(tests)
            ]
            return self._function(names, [*lines, "    return -1"])

    @on_own_stack
    def effect(
        self, effect: Effect, parameters: Sequence[Variable]
    ) -> Callable[..., tuple[Updates, Updates]]:
        """Compile an effect to a function that returns its additions and its deletions.

        Additions are all there are; deletions are only those of atoms that hold.
        The conditions of effects are evaluated in the state that is given.
        """
        with self._bounded(parameters) as (names, env):
            # Neighbours that have the same variables and condition are made together.
            made = groupby(clauses(effect, env), key=lambda each: (each.variables, each.condition))
            lines = [line for _, g in made for line in _lines(list(g), env, self._translator)]
            start = ["    adds = []", "    dels = []"]
            return self._function(names, [*start, *lines, "    return adds, dels"])

    @on_own_stack
    def _rules(self, predicate: str) -> list[Rule]:
        """Compile the axioms of a derived predicate that has a table."""
        rules: list[Rule] = []
        for head, body in self._translator.axioms[predicate]:
            with self._bounded(head[:-1]) as (names, env):
                if head:
                    found = self._translator.members(body, head[-1], env)
                else:
                    found = f"1 if {self._translator.truth(body, env)} else 0"
                rules.append((head, self._function(names, [f"    return {found}"])))
        return rules

    def _function(self, names: list[str], lines: list[str]) -> Callable[..., Any]:
        functions = [_source("compiled", names, lines)]
        for name, own, expression in self._translator.parts_apart():
            functions.append(_source(name, own, [f"    return {expression}"]))
        source = "\n".join(functions)
        scope = dict(self._globals)
        # The source is built from trees: all names of the domain in it are quoted by repr.
        exec(compile(source, f"<{self.domain.name!r}>", "exec"), scope)  # noqa: S102
        function: Callable[..., Any] = scope["compiled"]
        return function

    @contextmanager
    def _bounded(
        self, parameters: Sequence[Variable]
    ) -> Iterator[tuple[list[str], dict[str, str]]]:
        """Name parameters; Python's own limits on nesting become an error that says so."""
        self._translator.forget()
        names = [f"a{i}" for i in range(len(parameters))]
        try:
            yield names, {v.name: name for v, name in zip(parameters, names, strict=True)}
        except (SyntaxError, MemoryError) as error:
            raise InputError(
                "a condition or effect is nested too deeply",
                where=f"domain {self.domain.name!r}",
                expected="at most 250 levels of connectives and quantifiers",
            ) from error


def _source(name: str, parameters: Sequence[str], lines: Sequence[str]) -> str:
    """The text of a function of a state and some object numbers."""
    body = "\n".join(lines)
    start = f"def {name}({', '.join(['s', *parameters])}):\n    u = s.universe"
    tables = [f"    {table} = {of}" for table, of in _TABLES.items() if f"{table}[" in body]
    return "\n".join([start, *tables, body])


def _pairs(
    names: Sequence[str],
    first: int,
    second: int,
    partners: Iterable[tuple[int, int]],
    number: int | None,
) -> bool:
    """Return whether so many pairs can be formed, of different objects that are in no other pair.

    Partners are, for objects of the first side, those of the second that they fit. Without a number
    as many pairs are needed as the smaller side has objects.
    """
    edges = {(names[a], names[b]): 1 for a, mask in partners for b in bits(mask & ~(1 << a))}
    needed = min(first.bit_count(), second.bit_count()) if number is None else number
    return bool(Bits(1).paired(edges, needed))
