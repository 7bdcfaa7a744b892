"""Conditions, translated to Python expressions over a state.

A condition has two translations. Its *truth* is an expression for one binding of its variables.
Its *mask* in one variable is an expression of the set of all objects that satisfy it: an atom
with one open argument is a row, a column or a mask of the state, and the connectives are the
operations of integers. So ``exists y (next_to(c, y) and ontop(x, y))`` costs one AND. What has
no mask is a loop over the objects that the rest of the condition leaves.

The expressions are Python, in which ``s`` is the state; ``U``, ``R``, ``C`` and ``W`` are its
masks, rows, columns and wide tables; ``u`` is the universe, ``T`` its types and ``K`` its
constants.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from math import prod

from eai.errors import InputError, UnknownNameError
from eai.logic import (
    TRUE,
    Algebra,
    And,
    Atom,
    Count,
    Counting,
    Equal,
    Exists,
    Formula,
    ForPairs,
    Not,
    Or,
    Quantifier,
    Term,
    Variable,
    conjuncts,
)
from eai.pddl import Domain
from eai.text import counted
from eai.world.state import Layout

Environment = Mapping[str, str]
"""Variable name to the Python expression of its object number."""


class Translator:
    """Translates the conditions of one domain; what it cannot say is an ``InputError``."""

    def __init__(
        self,
        domain: Domain,
        layout: Layout,
        *,
        computed: Collection[str] = (),
        tabled: Collection[str] = (),
    ) -> None:
        self.domain = domain
        self.layout = layout
        self.computed = computed
        self.tabled = tabled
        self.axioms: dict[str, list[tuple[tuple[Variable, ...], Formula]]] = {}
        for axiom in domain.axioms:
            name, terms = axiom.head.predicate, axiom.head.terms
            head = tuple(term for term in terms if isinstance(term, Variable))
            if len({v.name for v in head}) != len(terms):
                raise InputError(
                    f"the head of a rule for {name!r} is not made of different variables",
                    expected="?variables, each of them once",
                )
            self.axioms.setdefault(name, []).append((head, axiom.body))
        self._fresh = itertools.count()
        self._apart: list[tuple[str, Formula, str, list[str]]] = []

    def variable(self) -> str:
        """Return a Python name that was not used before."""
        return f"v{next(self._fresh)}"

    def term(self, term: Term, env: Environment) -> str:
        """Translate a term to the expression of its object number."""
        if isinstance(term, Variable):
            try:
                return env[term.name]
            except KeyError:
                raise InputError(
                    f"variable {term.name!r} is bound by no quantifier or parameter",
                    where=f"domain {self.domain.name!r}",
                ) from None
        return f"K[{term!r}]" if term in self.domain.constants else f"u.number({term!r})"

    def range(self, variable: Variable) -> str:
        """Translate the types of a variable to the mask of its objects.

        A problem may know kinds of objects that its domain does not declare: the universe says.
        """
        known = self.domain.types
        if any(name != "object" and name not in known for name in variable.types):
            return f"u.mask({variable.types!r})"
        if "object" in variable.types:
            return "u.everything"
        return "(" + (" | ".join(f"T[{name!r}]" for name in variable.types) or "0") + ")"

    def predicate(self, atom: Atom) -> int:
        """Return the number of an atom's predicate, which must be declared for so many terms."""
        p = self.layout.index.get(atom.predicate)
        if p is None:
            raise UnknownNameError("predicate", atom.predicate, self.layout.names)
        if len(atom.terms) != self.layout.arity[p]:
            raise InputError(
                f"{atom.predicate} takes {counted(self.layout.arity[p], 'argument')}, "
                f"not {len(atom.terms)}"
            )
        return p

    def is_inlined(self, predicate: str) -> bool:
        """Return whether the rules of a predicate take its place in conditions."""
        return (
            predicate in self.axioms
            and predicate not in self.tabled
            and predicate not in self.computed
        )

    def line(self, name: str, p: int, terms: Sequence[str]) -> str:
        """Expression of the mask of last arguments for the arguments before it."""
        if name in self.computed:
            return f"computed_{p}({', '.join(['s', *terms])})"
        unary, rows, _, wide = self.tables(name, p)
        if self.layout.arity[p] < 2:
            return unary
        if self.layout.arity[p] == 2:
            return f"{rows}[{terms[0]}]"
        return f"{wide}.get(({', '.join(terms)}), 0)"

    def tables(self, name: str, p: int) -> tuple[str, ...]:
        """Expressions of the mask, rows, columns and wide table of a predicate."""
        if name in self.tabled:
            return tuple(f"derived(s, {p})[{i}]" for i in range(4))
        return f"U[{p}]", f"R[{p}]", f"C[{p}]", f"W[{p}]"

    def parts_apart(self) -> Iterator[tuple[str, list[str], str]]:
        """Yield the parts that were put into functions: name, parameters, what is returned."""
        while self._apart:
            function, formula, name, free = self._apart.pop()
            names = [self.variable() for _ in free]
            env = dict(zip(free, names, strict=True))
            found = self._mask_of(formula, name, env) if name else self._truth(formula, env)
            yield function, names, found

    def forget(self) -> None:
        """Forget the parts of a function that was not finished."""
        self._apart.clear()

    # ------------------------------------------------------------------ truth

    def truth(self, formula: Formula, env: Environment) -> str:
        """Translate a condition to an expression that is true or false."""
        return self._put_apart(formula, "", env) or self._truth(formula, env)

    def _put_apart(self, formula: Formula, name: str, env: Environment) -> str:
        """Call a function of its own for every twentieth level; empty for the others."""
        if not formula.depth or formula.depth % _HEIGHT:
            return ""
        function, free = f"part_{self.variable()}", sorted(formula.free_names & env.keys())
        self._apart.append((function, formula, name, free))
        return f"{function}({', '.join(['s', *(env[each] for each in free)])})"

    def _truth(self, formula: Formula, env: Environment) -> str:
        if isinstance(formula, Atom):
            p = self.predicate(formula)
            terms = [self.term(term, env) for term in formula.terms]
            if self.is_inlined(formula.predicate):
                rules = self.axioms[formula.predicate]
                return f"({' or '.join(self._rule_truth(*rule, terms) for rule in rules)})"
            line = self.line(formula.predicate, p, terms[:-1])
            return f"({line} >> {terms[-1]} & 1)" if terms else line
        if isinstance(formula, Equal):
            return f"({self.term(formula.left, env)} == {self.term(formula.right, env)})"
        if isinstance(formula, Count):
            found = self.members(formula.body, formula.variable, env)
            return f"({found}.bit_count() {_SIGNS[formula.comparison]} {formula.number})"
        if isinstance(formula, ForPairs):
            first, second = self.range(formula.first), self.range(formula.second)
            name = self.variable()
            inner = {**env, formula.first.name: name}
            partners = self.members(formula.body, formula.second, inner)
            rows = f"(({name}, {partners}) for {name} in bits({first}))"
            return f"pairs(u.names, {first}, {second}, {rows}, {formula.number})"
        if isinstance(formula, Quantifier):
            found = self._exists_truth(formula.variables, _deciding(formula), env)
            return found if formula.wants else f"(not {found})"
        _check_is_state(formula)
        return formula.combine(_TESTS, [self.truth(part, env) for part in formula.operands])

    def _rule_truth(self, head: tuple[Variable, ...], body: Formula, terms: list[str]) -> str:
        env = {v.name: term for v, term in zip(head, terms, strict=True)}
        typed = [f"{self.range(v)} >> {env[v.name]} & 1" for v in head if "object" not in v.types]
        return f"({' and '.join([*typed, self.truth(body, env)])})"

    def _exists_truth(self, variables: Sequence[Variable], body: Formula, env: Environment) -> str:
        if not variables:
            return self.truth(body, env)
        first, *rest = variables
        if first.name not in body.free_names:  # then any object does, if there is one
            return f"({self.range(first)} != 0 and {self._exists_truth(rest, body, env)})"
        span, left = self.narrowed(body, first, env, rest=rest)
        inner = Exists(tuple(rest), left) if rest else left
        if self._has_mask(inner, first.name):
            return f"({self._within(span, inner, first.name, env)} != 0)"
        name = self.variable()
        test = self._exists_truth(rest, left, {**env, first.name: name})
        return f"any({test} for {name} in bits({span}))"

    def instances(self, formula: Formula, size: Callable[[Variable], int]) -> int:
        """Count the atoms that testing a condition looks at, if it has to look at all of them.

        A variable for which a mask stands counts once; every other one multiplies what is below
        it by its objects. The rule of a derived predicate counts as one atom.
        """
        if isinstance(formula, Quantifier):
            (first, *rest), body = formula.variables, formula.body
            inner = Exists(tuple(rest), body) if rest else body
            if first.name not in inner.free_names:
                return self.instances(inner, size)
            if self._has_mask(inner, first.name):
                return self._mask_instances(inner, size)
            return size(first) * self.instances(inner, size)
        if isinstance(formula, Count):
            if self._has_mask(formula.body, formula.variable.name):
                return self._mask_instances(formula.body, size)
            return size(formula.variable) * self.instances(formula.body, size)
        return sum([self.instances(part, size) for part in formula.operands]) or 1

    def _mask_instances(self, formula: Formula, size: Callable[[Variable], int]) -> int:
        below = sum([self._mask_instances(part, size) for part in formula.operands]) or 1
        free = formula.body.free_names if isinstance(formula, Quantifier) else frozenset()
        return prod([size(v) for v in formula.variables if v.name in free]) * below

    # ------------------------------------------------------------------ sets of objects

    def members(self, body: Formula, variable: Variable, env: Environment) -> str:
        """Translate to the set of the objects in a variable's range that satisfy a condition."""
        span, left = self.narrowed(body, variable, env)
        if self._has_mask(left, variable.name):
            return f"({self._within(span, left, variable.name, env)})"
        name = self.variable()
        test = self.truth(left, {**env, variable.name: name})
        return f"sum(1 << {name} for {name} in bits({span}) if {test})"

    def narrowed(
        self, body: Formula, variable: Variable, env: Environment, *, rest: Sequence[Variable] = ()
    ) -> tuple[str, Formula]:
        """Translate the conjuncts that have a mask in a variable and need no open variable.

        Returns the set of objects that are left, and what remains to be tested.
        """
        name = variable.name
        known = {name, *env} - {later.name for later in rest}
        masks, left = [self.range(variable)], []
        for part in conjuncts(body):
            free = part.free_names
            if name in free and free <= known and self._has_mask(part, name):
                masks.append(self._mask(part, name, env))
            else:
                left.append(part)
        return " & ".join(masks), And.of(left) if left else TRUE

    def _within(self, span: str, condition: Formula, name: str, env: Environment) -> str:
        return span if condition == TRUE else f"{span} & {self._mask(condition, name, env)}"

    def _has_mask(self, formula: Formula, name: str) -> bool:
        if name not in formula.free_names:
            return True
        if not isinstance(formula, Atom):
            return not isinstance(formula, (Count, ForPairs)) and all(
                self._has_mask(child, name) for child in formula.operands
            )
        self.predicate(formula)
        at = locations(formula, name)
        if len(at) != 1:
            return False
        if self.is_inlined(formula.predicate):
            rules = self.axioms[formula.predicate]
            return all(self._has_mask(body, head[at[0]].name) for head, body in rules)
        last = at[0] == len(formula.terms) - 1
        return last or (len(formula.terms) == 2 and formula.predicate not in self.computed)

    def _mask(self, formula: Formula, name: str, env: Environment) -> str:
        """Translate a condition that has a mask; it may contain bits outside the universe."""
        if name not in formula.free_names:
            return f"(-1 if {self.truth(formula, env)} else 0)"
        # A parameter of this name is hidden by the variable.
        env = {other: value for other, value in env.items() if other != name}
        return self._put_apart(formula, name, env) or self._mask_of(formula, name, env)

    def _mask_of(self, formula: Formula, name: str, env: Environment) -> str:
        if isinstance(formula, Atom):
            p = self.predicate(formula)
            [at] = locations(formula, name)
            terms = ["" if i == at else self.term(t, env) for i, t in enumerate(formula.terms)]
            if self.is_inlined(formula.predicate):
                rules = self.axioms[formula.predicate]
                return f"({' | '.join(self._rule_mask(*rule, terms, at) for rule in rules)})"
            if at < len(terms) - 1:
                return f"{self.tables(formula.predicate, p)[2]}[{terms[1]}]"
            return self.line(formula.predicate, p, terms[:-1])
        if isinstance(formula, Equal):
            others = [term for term in formula.terms if not _is_variable(term, name)]
            return f"(1 << {self.term(others[0], env)})" if others else "-1"
        if isinstance(formula, Quantifier):
            found = self._exists_mask(formula.variables, _deciding(formula), name, env)
            return found if formula.wants else f"~{found}"
        _check_is_state(formula)
        return formula.combine(_MASKS, [self._mask(part, name, env) for part in formula.operands])

    def _exists_mask(
        self, variables: Sequence[Variable], body: Formula, name: str, env: Environment
    ) -> str:
        if not variables:
            return self._mask(body, name, env)
        if isinstance(body, Or):  # each case leaves fewer objects to look at
            cases = (self._exists_mask(variables, part, name, env) for part in body.operands)
            return f"({' | '.join(cases)})"
        first, *rest = variables
        if first.name not in body.free_names:
            return f"({self._exists_mask(rest, body, name, env)} if {self.range(first)} else 0)"
        span, left = self.narrowed(body, first, env, rest=rest)
        if not rest and isinstance(left, Equal) and left.free_names == {first.name, name}:
            return f"({span})"
        each = self.variable()
        inner = self._exists_mask(rest, left, name, {**env, first.name: each})
        return f"union({inner} for {each} in bits({span}))"

    def _rule_mask(
        self, head: tuple[Variable, ...], body: Formula, terms: list[str], at: int
    ) -> str:
        env = {v.name: term for i, (v, term) in enumerate(zip(head, terms, strict=True)) if i != at}
        typed = [
            self.range(v) if i == at else f"(-1 if {self.range(v)} >> {terms[i]} & 1 else 0)"
            for i, v in enumerate(head)
            if "object" not in v.types
        ]
        return f"({' & '.join([*typed, self._mask(body, head[at].name, env)])})"


def _check_is_state(formula: Formula) -> None:
    if not formula.is_derived or formula.is_linear:
        raise InputError(f"{type(formula).__name__} is not a condition on a single state")


def _deciding(formula: Quantifier) -> Formula:
    """Return the formula of the bindings that decide a quantifier; a conjunction if possible."""
    return formula.body if formula.wants else _denial(formula.body)


def _denial(formula: Formula) -> Formula:
    split = formula.split(False)
    if split is None or not split.every:
        return Not(formula)
    parts = [part if wanted else _denial(part) for part, wanted in split.parts]
    return And.of(parts)


class _Expressions(Algebra[str]):
    """Expressions that are true or false, or of sets of objects.

    Sets may contain bits outside the universe.
    """

    def __init__(self, true: str, false: str, *, no: str, both: str, either: str) -> None:
        self.true, self.false = true, false
        self._no, self._both, self._either = no, both, either

    def negation(self, value: str) -> str:
        return f"({self._no}{value})"

    def all_of(self, values: Iterable[str]) -> str:
        return f"({self._both.join(values) or self.true})"

    def any_of(self, values: Iterable[str]) -> str:
        return f"({self._either.join(values) or self.false})"

    def differ(self, left: str, right: str) -> str:
        return f"(({self._no}{left}) ^ ({self._no}{right}))"


_TESTS = _Expressions("True", "False", no="not ", both=" and ", either=" or ")
_MASKS = _Expressions("-1", "0", no="~", both=" & ", either=" | ")


def _is_variable(term: Term, name: str) -> bool:
    return isinstance(term, Variable) and term.name == name


def locations(atom: Atom, name: str) -> list[int]:
    """Positions of a variable among the arguments of an atom."""
    return [i for i, term in enumerate(atom.terms) if _is_variable(term, name)]


_HEIGHT = 20
"""After so many levels a condition goes on in a function of its own: Python's parser takes at most
200 parentheses inside each other."""

_SIGNS: Mapping[Counting, str] = {"exactly": "==", "at least": ">=", "at most": "<="}
