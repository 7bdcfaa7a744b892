"""Which instances of action schemas the facts allow that no action changes, without grounding.

The positive conjuncts of a precondition about static predicates, and its comparisons of terms, are
joined variable by variable. Everything else is left out, so an instance that is found may still be
impossible, but one that is not found is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from eai.logic import Atom, Equal, Formula, Not, Term, Variable, conjuncts
from eai.pddl.model import Domain, Operator, Problem, cost_clauses

MAX_STEPS = 100_000
"""Maximum number of objects and facts that are looked at for one action."""
MAX_ALL_STEPS = 500_000
"""Maximum number of them for all actions of a problem: some seconds."""


class JoinLimitError(Exception):
    """The join would take more than :data:`MAX_STEPS`, or all together :data:`MAX_ALL_STEPS`."""


_Row = tuple[Term, ...]
"""The arguments of a fact."""

Binding = dict[str, str]
"""Variable name to object."""


class StaticJoin:
    """The static facts of a problem, and the bindings of variables that agree with them.

    Args:
        domain: The domain.
        problem: The problem.
    """

    def __init__(self, domain: Domain, problem: Problem) -> None:
        self._domain = domain
        self._objects = {**domain.constants, **problem.objects}
        self._static = {*domain.predicates} - domain.fluents - domain.derived
        self._facts: dict[str, list[_Row]] = {name: [] for name in self._static}
        for atom in problem.initial:
            if atom.predicate in self._static:
                self._facts[atom.predicate].append(atom.terms)
        # Facts by the objects in some positions; objects by types.
        self._indices: dict[tuple[str, tuple[int, ...]], dict[_Row, list[_Row]]] = {}
        self._members: dict[tuple[str, ...], Sequence[str]] = {}
        self._steps = self._all_steps = 0

    def bindings(
        self, variables: Sequence[Variable], others: Sequence[Variable], conditions: list[Formula]
    ) -> Iterator[Binding]:
        """Yield the bindings of ``variables`` for which there is also one of the ``others``.

        Args:
            variables: Variables whose bindings are wanted.
            others: Further variables of the conditions.
            conditions: What has to hold, as far as it is static.

        Raises:
            JoinLimitError: If it takes too long.
        """
        self._steps = 0
        tests = [
            each
            for each in conditions
            if (isinstance(each, Atom) and each.predicate in self._static) or _compares(each)
        ]
        for binding in self._extended({}, variables, tests):
            if next(self._extended(binding, others, tests), None) is not None:
                yield binding

    def has_objects(self, variable: Variable) -> bool:
        """Return whether there is an object of any of a variable's types."""
        return bool(self._candidates(variable, (), {}))

    def _extended(
        self, binding: Binding, variables: Sequence[Variable], tests: Sequence[Formula]
    ) -> Iterator[Binding]:
        """Bind the variables one by one, depth first, however many there are."""
        abouts = [
            [test for test in tests if variable.name in test.free_names] for variable in variables
        ]
        waiting = [iter([binding])]
        while waiting:
            bound = next(waiting[-1], None)
            place = len(waiting) - 1
            if bound is None:
                waiting.pop()
            elif place == len(variables):
                yield bound
            else:
                waiting.append(self._with(variables[place], abouts[place], bound))

    def _with(
        self, variable: Variable, about: Sequence[Formula], binding: Binding
    ) -> Iterator[Binding]:
        """Bind one variable more, to each object that the conditions on it leave."""
        for name in self._candidates(variable, about, binding):
            self._count(1)
            extended = {**binding, variable.name: name}
            if all(self._may_hold(test, extended) for test in about):
                yield extended

    def _candidates(
        self, variable: Variable, tests: Sequence[Formula], binding: Mapping[str, str]
    ) -> Sequence[str]:
        """The objects of the variable's types that stand in some fitting fact of each test."""
        candidates = self._of_types(variable.types)
        for test in tests:
            if isinstance(test, Atom):
                position = next(i for i, t in enumerate(test.terms) if _is(t, variable))
                rows = self._rows(test, binding)
                seen = {row[position] for row in rows}
                self._count(len(rows) + len(candidates))
                candidates = [name for name in candidates if name in seen]
        return candidates

    def _of_types(self, types: tuple[str, ...]) -> Sequence[str]:
        found = self._members.get(types)
        if found is None:
            is_subtype = self._domain.is_subtype
            found = self._members[types] = [
                name
                for name, own in self._objects.items()
                if any(is_subtype(own, kind) for kind in types)
            ]
        return found

    def _count(self, steps: int) -> None:
        self._steps += steps
        self._all_steps += steps
        if self._steps > MAX_STEPS or self._all_steps > MAX_ALL_STEPS:
            raise JoinLimitError

    def _may_hold(self, test: Formula, binding: Mapping[str, str]) -> bool:
        if isinstance(test, Atom):
            return bool(self._rows(test, binding))
        if test.free_names - binding.keys():
            return True
        equal = test.operands[0] if isinstance(test, Not) else test
        left, right = (_ground(term, binding) for term in equal.terms)
        return (left == right) is not isinstance(test, Not)

    def _rows(self, atom: Atom, binding: Mapping[str, str]) -> Sequence[_Row]:
        """The facts that agree with an atom as far as its variables are bound."""
        pattern = [_ground(term, binding) for term in atom.terms]
        bound = tuple([i for i, term in enumerate(pattern) if not isinstance(term, Variable)])
        index = self._indices.get((atom.predicate, bound))
        if index is None:
            index = self._indices[atom.predicate, bound] = {}
            for row in self._facts[atom.predicate]:
                if len(row) == len(pattern):
                    index.setdefault(tuple([row[i] for i in bound]), []).append(row)
        return index.get(tuple([pattern[i] for i in bound]), ())


def _compares(formula: Formula) -> bool:
    return isinstance(formula, Equal) or (
        isinstance(formula, Not) and isinstance(formula.operand, Equal)
    )


def _is(term: Term, variable: Variable) -> bool:
    return isinstance(term, Variable) and term.name == variable.name


def _ground(term: Term, binding: Mapping[str, str]) -> Term:
    return binding.get(term.name, term) if isinstance(term, Variable) else term


def has_instance(join: StaticJoin, operator: Operator) -> bool:
    """Return whether static facts allow an instance of an action; True if that takes too long."""
    conditions = list(conjuncts(operator.precondition))
    try:
        found = next(join.bindings((), _narrowest_first(operator, conditions), conditions), None)
    except JoinLimitError:
        return True
    return found is not None


def _narrowest_first(operator: Operator, conditions: Sequence[Formula]) -> list[Variable]:
    """The parameters, those first that most conditions are about."""
    return sorted(
        operator.parameters, key=lambda v: -sum(v.name in each.free_names for each in conditions)
    )


def missing_values(join: StaticJoin, operator: Operator, problem: Problem) -> Iterator[Atom]:
    """Yield the function terms without a value that an action may add to the total cost.

    Args:
        join: The static facts of the problem.
        operator: The action.
        problem: The problem.

    Raises:
        JoinLimitError: If it takes too long to find out.
    """
    names = [variable.name for variable in operator.parameters]
    for clause in cost_clauses(operator.effect, names):
        amount = clause.amount
        if not isinstance(amount, Atom):
            continue
        bound = (*operator.parameters, *clause.variables)
        wanted = [v for v in bound if v.name in amount.free_names]
        others = [v for v in bound if v.name not in amount.free_names]
        conditions = [*conjuncts(operator.precondition), *conjuncts(clause.condition)]
        for binding in join.bindings(wanted, others, conditions):
            term = amount.substitute(binding)
            if isinstance(term, Atom) and term not in problem.values:
                yield term


def format_term(term: Atom) -> str:
    """Write a function term as it stands in ``:init``."""
    return f"({' '.join([term.predicate, *map(str, term.terms)])})"
