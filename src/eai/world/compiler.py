"""Conditions and effects of a domain, compiled to Python functions over states.

A condition becomes one expression. A quantified variable is not enumerated where its body can
be computed for all objects at once: an atom with one open argument is a row, a column or a mask
of the state, and the connectives are the operations of integers. So ``exists y (next_to(c, y)
and ontop(x, y))`` costs one AND. What cannot be computed like this is a loop over the objects
that the rest of the condition leaves.

An effect becomes a list of changes, each about a whole row, column or mask.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import Any

from eai.errors import InputError, UnknownNameError
from eai.logic.formula import (
    TRUE,
    And,
    Atom,
    Count,
    Equal,
    Exists,
    Forall,
    Formula,
    Implies,
    Not,
    Or,
    Term,
    Truth,
    Variable,
    children,
    free_variables,
)
from eai.pddl.model import (
    AddEffect,
    AndEffect,
    CostEffect,
    DeleteEffect,
    Domain,
    Effect,
    ForallEffect,
    WhenEffect,
)
from eai.world.bits import bits, union
from eai.world.derived import extension, recursive_predicates
from eai.world.state import Layout, State

__all__ = ["Compiler", "Computed"]

Computed = Callable[..., int]
"""A predicate whose extension the simulator computes: called with the state and the numbers of
all but the last argument, it returns the mask of the last arguments that satisfy it."""

Environment = Mapping[str, str]
"""Variable name to the Python expression of its object number."""

_Clause = tuple[tuple[Variable, ...], Formula, list[tuple[bool, Atom]]]


class Compiler:
    """Compiles the conditions and effects of one domain.

    Args:
        domain: The domain.
        layout: Its layout.
        computed: Predicates that the simulator computes; they replace axioms of that name.
    """

    def __init__(
        self, domain: Domain, layout: Layout, *, computed: Mapping[str, Computed] | None = None
    ) -> None:
        self.domain = domain
        self.layout = layout
        self.computed = dict(computed or {})
        self._axioms: dict[str, list[tuple[tuple[Variable, ...], Formula]]] = {}
        for axiom in domain.axioms:
            head = tuple(term for term in axiom.head.terms if isinstance(term, Variable))
            self._axioms.setdefault(axiom.head.predicate, []).append((head, axiom.body))
        self.recursive = recursive_predicates(domain)
        self._rules: dict[str, list[tuple[tuple[Variable, ...], Callable[..., bool]]]] = {}
        self._fresh = itertools.count()
        self._globals: dict[str, Any] = {"bits": bits, "union": union, "derived": self._derived}
        for name, function in self.computed.items():
            self._globals[f"computed_{layout.index[name]}"] = function

    # ------------------------------------------------------------------ public

    def condition(self, formula: Formula, parameters: tuple[Variable, ...]) -> Callable[..., bool]:
        """Compile a condition to a function of a state and one object number a parameter."""
        names, env = self._parameters(parameters)
        body = f"    return bool({self._truth(formula, env)})"
        return self._function(names, [body])

    def first_failure(
        self, tests: tuple[Formula, ...], parameters: tuple[Variable, ...]
    ) -> Callable[..., int]:
        """Compile tests to one function that returns the number of the first that fails, or -1."""
        names, env = self._parameters(parameters)
        lines = [
            f"    if not ({self._truth(test, env)}): return {i}" for i, test in enumerate(tests)
        ]
        return self._function(names, [*lines, "    return -1"])

    def effect(
        self, effect: Effect, parameters: tuple[Variable, ...]
    ) -> Callable[..., tuple[list[tuple[int, int, object, int]], ...]]:
        """Compile an effect to a function that returns its additions and its deletions.

        Each is a list of (predicate number, direction, fixed argument, mask); conditions are
        evaluated in the state that is given.
        """
        names, env = self._parameters(parameters)
        lines = ["    adds = []", "    dels = []"]
        for clause in _clauses(effect, (), TRUE):
            self._emit(clause, env, lines)
        return self._function(names, [*lines, "    return adds, dels"])

    def rules(self, predicate: str) -> list[tuple[tuple[Variable, ...], Callable[..., bool]]]:
        """The axioms of a derived predicate: head variables and compiled body."""
        found = self._rules.get(predicate)
        if found is None:
            found = [(head, self.condition(body, head)) for head, body in self._axioms[predicate]]
            self._rules[predicate] = found
        return found

    # ------------------------------------------------------------------ functions

    def _parameters(self, parameters: tuple[Variable, ...]) -> tuple[list[str], dict[str, str]]:
        names = [f"a{i}" for i in range(len(parameters))]
        return names, {v.name: name for v, name in zip(parameters, names, strict=True)}

    def _function(self, names: list[str], lines: list[str]) -> Callable[..., Any]:
        source = "\n".join(
            [
                f"def compiled({', '.join(['s', *names])}):",
                "    U = s.unary; R = s.rows; C = s.cols; W = s.wide; u = s.universe",
                "    T = u.type_masks; K = u.constants; I = u.index",
                *lines,
            ]
        )
        scope = dict(self._globals)
        # The source is built from parsed trees: names in it are quoted by repr.
        exec(compile(source, f"<{self.domain.name}>", "exec"), scope)  # noqa: S102
        function: Callable[..., Any] = scope["compiled"]
        return function

    def _derived(self, state: State, predicate: int) -> Any:  # noqa: ANN401
        return extension(self, state, predicate)

    # ------------------------------------------------------------------ terms

    def _term(self, term: Term, env: Environment) -> str:
        if isinstance(term, Variable):
            try:
                return env[term.name]
            except KeyError:
                raise InputError(
                    f"variable {term.name!r} is bound by no quantifier or parameter",
                    where=f"domain {self.domain.name!r}",
                ) from None
        return f"K[{term!r}]" if term in self.domain.constants else f"I[{term!r}]"

    def _range(self, variable: Variable) -> str:
        known = self.domain.types
        for name in variable.types:
            if name != "object" and name not in known:
                raise UnknownNameError("type", name, ("object", *known))
        if "object" in variable.types:
            return "u.everything"
        return "(" + " | ".join(f"T[{name!r}]" for name in variable.types) + ")"

    def _predicate(self, atom: Atom) -> int:
        p = self.layout.index.get(atom.predicate)
        if p is None:
            raise UnknownNameError("predicate", atom.predicate, self.layout.names)
        if len(atom.terms) != self.layout.arity[p]:
            raise InputError(
                f"{atom.predicate} takes {self.layout.arity[p]} arguments, not {len(atom.terms)}"
            )
        return p

    def _variable(self) -> str:
        return f"v{next(self._fresh)}"

    # ------------------------------------------------------------------ truth

    def _truth(self, formula: Formula, env: Environment) -> str:
        if isinstance(formula, Truth):
            return repr(formula.value)
        if isinstance(formula, Atom):
            return self._atom_truth(formula, env)
        if isinstance(formula, Equal):
            return f"({self._term(formula.left, env)} == {self._term(formula.right, env)})"
        if isinstance(formula, Not):
            return f"(not {self._truth(formula.operand, env)})"
        if isinstance(formula, (And, Or)):
            word = " and " if isinstance(formula, And) else " or "
            parts = [self._truth(part, env) for part in formula.operands]
            return f"({word.join(parts)})" if parts else repr(isinstance(formula, And))
        if isinstance(formula, Implies):
            return f"(not {self._truth(formula.left, env)} or {self._truth(formula.right, env)})"
        if isinstance(formula, Count):
            return self._count_truth(formula, env)
        if isinstance(formula, (Exists, Forall)):
            return self._quantifier_truth(formula, env)
        raise InputError(f"{type(formula).__name__} cannot stand in a condition of a domain")

    def _atom_truth(self, atom: Atom, env: Environment) -> str:
        p = self._predicate(atom)
        terms = [self._term(term, env) for term in atom.terms]
        if atom.predicate in self.computed:
            call = f"computed_{p}({', '.join(['s', *terms[:-1]])})"
            return f"({call} >> {terms[-1]} & 1)"
        if atom.predicate in self._axioms and atom.predicate not in self.recursive:
            bodies = [
                self._axiom_truth(head, body, terms) for head, body in self._axioms[atom.predicate]
            ]
            return f"({' or '.join(bodies)})"
        u, r, _, w = self._tables(atom.predicate, p)
        if not terms:
            return u
        if len(terms) == 1:
            return f"({u} >> {terms[0]} & 1)"
        if len(terms) == 2:
            return f"({r}[{terms[0]}] >> {terms[1]} & 1)"
        key = "".join(f"{term}, " for term in terms[:-1])
        return f"({w}.get(({key}), 0) >> {terms[-1]} & 1)"

    def _axiom_truth(self, head: tuple[Variable, ...], body: Formula, terms: list[str]) -> str:
        env = {v.name: term for v, term in zip(head, terms, strict=True)}
        typed = [
            f"{self._range(v)} >> {term} & 1"
            for v, term in zip(head, terms, strict=True)
            if "object" not in v.types
        ]
        return f"({' and '.join([*typed, self._truth(body, env)])})"

    def _tables(self, name: str, p: int) -> tuple[str, str, str, str]:
        """Expressions of the mask, rows, columns and wide table of a predicate."""
        if name in self.recursive:
            return tuple(f"derived(s, {p})[{i}]" for i in range(4))  # type: ignore[return-value]
        return f"U[{p}]", f"R[{p}]", f"C[{p}]", f"W[{p}]"

    def _count_truth(self, formula: Count, env: Environment) -> str:
        variable = formula.variable
        mask = self._mask(formula.body, variable, env)
        if mask is not None:
            return f"(({self._range(variable)} & {mask}).bit_count() == {formula.number})"
        name = self._variable()
        test = self._truth(formula.body, {**env, variable.name: name})
        return f"(sum(1 for {name} in bits({self._range(variable)}) if {test}) == {formula.number})"

    def _quantifier_truth(self, formula: Exists | Forall, env: Environment) -> str:
        positive = isinstance(formula, Exists)
        if not formula.variables:
            return self._truth(formula.body, env)
        variable, *rest = formula.variables
        inner = type(formula)(tuple(rest), formula.body) if rest else formula.body
        span = self._range(variable)
        mask = self._mask(inner, variable, env)
        if mask is not None:
            return f"({span} & {mask} != 0)" if positive else f"({span} & ~{mask} == 0)"
        name = self._variable()
        bound = {**env, variable.name: name}
        if positive:
            candidates = self._candidates(formula.body, variable, env)
            return f"any({self._truth(inner, bound)} for {name} in bits({span}{candidates}))"
        return f"all({self._truth(inner, bound)} for {name} in bits({span}))"

    def _candidates(self, body: Formula, variable: Variable, env: Environment) -> str:
        """Conjuncts of the body that narrow a variable and need no other open variable."""
        parts = body.operands if isinstance(body, And) else (body,)
        masks = [
            mask
            for part in parts
            if variable.name in _free_names(part) and _free_names(part) <= {variable.name, *env}
            for mask in [self._mask(part, variable, env)]
            if mask is not None
        ]
        return "".join(f" & {mask}" for mask in masks)

    # ------------------------------------------------------------------ masks

    def _mask(self, formula: Formula, variable: Variable, env: Environment) -> str | None:
        """Expression of the set of objects for which the formula holds, or None.

        The set may contain anything outside the universe: callers intersect it with a range.
        """
        if variable.name not in _free_names(formula):
            return f"(-1 if {self._truth(formula, env)} else 0)"
        if isinstance(formula, Atom):
            return self._atom_mask(formula, variable, env)
        if isinstance(formula, Equal):
            return self._equal_mask(formula, variable, env)
        if isinstance(formula, Exists):
            return self._exists_mask(formula, variable, env)
        if isinstance(formula, Forall):
            refuted = self._exists_mask(Exists(formula.variables, Not(formula.body)), variable, env)
            return None if refuted is None else f"~{refuted}"
        if isinstance(formula, Count):
            return None
        parts = [self._mask(child, variable, env) for child in children(formula)]
        if any(part is None for part in parts):
            return None
        known = [part for part in parts if part is not None]
        if isinstance(formula, Not):
            return f"~{known[0]}"
        if isinstance(formula, Implies):
            return f"(~{known[0]} | {known[1]})"
        return "(" + (" & " if isinstance(formula, And) else " | ").join(known) + ")"

    def _equal_mask(self, formula: Equal, variable: Variable, env: Environment) -> str:
        names = [
            term.name if isinstance(term, Variable) else None
            for term in (formula.left, formula.right)
        ]
        if names == [variable.name, variable.name]:
            return "-1"
        other = formula.right if names[0] == variable.name else formula.left
        return f"(1 << {self._term(other, env)})"

    def _exists_mask(self, formula: Exists, variable: Variable, env: Environment) -> str | None:
        if not formula.variables:
            return self._mask(formula.body, variable, env)
        first, *rest = formula.variables
        if first.name == variable.name:
            return None
        inner = Exists(tuple(rest), formula.body) if rest else formula.body
        name = self._variable()
        mask = self._mask(inner, variable, {**env, first.name: name})
        if mask is None:
            return None
        candidates = self._candidates(formula.body, first, env)
        return f"union({mask} for {name} in bits({self._range(first)}{candidates}))"

    def _atom_mask(self, atom: Atom, variable: Variable, env: Environment) -> str | None:
        p = self._predicate(atom)
        open_at = [
            i
            for i, term in enumerate(atom.terms)
            if isinstance(term, Variable) and term.name == variable.name
        ]
        if len(open_at) != 1:
            return None
        [at] = open_at
        if atom.predicate in self.computed:
            if at != len(atom.terms) - 1:
                return None
            terms = [self._term(term, env) for term in atom.terms[:-1]]
            return f"computed_{p}({', '.join(['s', *terms])})"
        if atom.predicate in self._axioms and atom.predicate not in self.recursive:
            return self._axiom_mask(atom, at, env)
        u, r, c, w = self._tables(atom.predicate, p)
        if len(atom.terms) == 1:
            return u
        if len(atom.terms) == 2:
            fixed = self._term(atom.terms[1 - at], env)
            return f"{r}[{fixed}]" if at == 1 else f"{c}[{fixed}]"
        if at != len(atom.terms) - 1:
            return None
        key = "".join(f"{self._term(term, env)}, " for term in atom.terms[:-1])
        return f"{w}.get(({key}), 0)"

    def _axiom_mask(self, atom: Atom, at: int, env: Environment) -> str | None:
        masks = []
        for head, body in self._axioms[atom.predicate]:
            inner: dict[str, str] = {}
            tests = []
            for i, (v, term) in enumerate(zip(head, atom.terms, strict=True)):
                if i != at:
                    inner[v.name] = self._term(term, env)
                if "object" not in v.types:
                    span = self._range(v)
                    tests.append(
                        span if i == at else f"(-1 if {span} >> {inner[v.name]} & 1 else 0)"
                    )
            mask = self._mask(body, head[at], inner)
            if mask is None:
                return None
            masks.append("(" + " & ".join([*tests, mask]) + ")")
        return "(" + " | ".join(masks) + ")"

    # ------------------------------------------------------------------ effects

    def _emit(self, clause: _Clause, env: Environment, lines: list[str]) -> None:
        variables, condition, literals = clause
        indent = "    "
        variables, condition = self._absorb(variables, condition, literals)
        vector = self._vector(variables, literals)
        bound = dict(env)
        pending = [v for v in variables if v is not vector]
        for variable in pending:
            name = self._variable()
            narrowed = self._candidates(condition, variable, bound)
            lines.append(f"{indent}for {name} in bits({self._range(variable)}{narrowed}):")
            bound[variable.name] = name
            indent += "    "
        if vector is None:
            if condition != TRUE:
                lines.append(f"{indent}if {self._truth(condition, bound)}:")
                indent += "    "
            for added, atom in literals:
                lines.append(indent + self._change(added, atom, None, "", bound))
            return
        mask = self._mask(condition, vector, bound)
        name = self._variable()
        if mask is None:
            each = self._variable()
            test = self._truth(condition, {**bound, vector.name: each})
            mask = f"union(1 << {each} for {each} in bits({self._range(vector)}) if {test})"
        lines.append(f"{indent}{name} = {self._range(vector)} & {mask}")
        lines.append(f"{indent}if {name}:")
        for added, atom in literals:
            lines.append(indent + "    " + self._change(added, atom, vector, name, bound))

    def _absorb(
        self,
        variables: tuple[Variable, ...],
        condition: Formula,
        literals: list[tuple[bool, Atom]],
    ) -> tuple[tuple[Variable, ...], Formula]:
        """Variables that no literal mentions only have to exist."""
        used = {name for _, atom in literals for name in _free_names(atom)}
        idle = tuple(v for v in variables if v.name not in used)
        kept = tuple(v for v in variables if v.name in used)
        return kept, Exists(idle, condition) if idle else condition

    def _vector(
        self, variables: tuple[Variable, ...], literals: list[tuple[bool, Atom]]
    ) -> Variable | None:
        """The variable that the changes are made for all at once: the last that fits."""
        for variable in reversed(variables):
            if all(_fits(atom, variable) for _, atom in literals):
                return variable
        return None

    def _change(
        self,
        added: bool,
        atom: Atom,
        vector: Variable | None,
        mask: str,
        env: Environment,
    ) -> str:
        p = self._predicate(atom)
        if atom.predicate in self._axioms or atom.predicate in self.computed:
            raise InputError(f"an effect changes the derived predicate {atom.predicate!r}")
        target = "adds" if added else "dels"
        names = [term.name if isinstance(term, Variable) else None for term in atom.terms]
        at = names.index(vector.name) if vector is not None else max(0, len(names) - 1)
        terms = [
            "" if vector is not None and i == at else self._term(term, env)
            for i, term in enumerate(atom.terms)
        ]
        if vector is None:
            mask = f"1 << {terms[at]}" if terms else "1"
        column, key = 0, "None"
        if len(terms) == 2:
            column, key = int(at == 0 and vector is not None), terms[1 - at]
        elif len(terms) > 2:
            key = "(" + "".join(f"{term}, " for term in terms[:-1]) + ")"
        return f"{target}.append(({p}, {column}, {key}, {mask}))"


def _fits(atom: Atom, variable: Variable) -> bool:
    at = [
        i
        for i, term in enumerate(atom.terms)
        if isinstance(term, Variable) and term.name == variable.name
    ]
    return len(at) == 1 and (len(atom.terms) <= 2 or at[0] == len(atom.terms) - 1)


def _free_names(formula: Formula) -> set[str]:
    return {variable.name for variable in free_variables(formula)}


def _clauses(effect: Effect, variables: tuple[Variable, ...], condition: Formula) -> list[_Clause]:
    """Flatten an effect: literals grouped under their variables and their condition."""
    if isinstance(effect, AddEffect):
        return [(variables, condition, [(True, effect.atom)])]
    if isinstance(effect, DeleteEffect):
        return [(variables, condition, [(False, effect.atom)])]
    if isinstance(effect, ForallEffect):
        return _clauses(effect.effect, variables + effect.variables, condition)
    if isinstance(effect, WhenEffect):
        joined = effect.condition if condition == TRUE else And((condition, effect.condition))
        return _clauses(effect.effect, variables, joined)
    if isinstance(effect, CostEffect):
        return []
    grouped: list[_Clause] = []
    for part in effect.parts if isinstance(effect, AndEffect) else ():
        for names, test, literals in _clauses(part, variables, condition):
            if grouped and grouped[-1][:2] == (names, test):
                grouped[-1][2].extend(literals)
            else:
                grouped.append((names, test, literals))
    return grouped
