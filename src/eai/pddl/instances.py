"""Search for instances of action schemas that the static facts allow, without grounding.

Idea: the positive conjuncts of a precondition about static predicates, and its comparisons of
terms, are joined as tables of a database are: variable by variable, depth first, each bound only to
the objects that stand in a fitting fact of every conjunct. Everything else is left out, so an
instance that is found may still be impossible, but one that is not found is impossible.

Invariant: a binding that is extended agrees with every conjunct whose variables are all bound.
Facts are indexed by the arguments that are bound, when an index is first asked for.

Cost: the number of objects and facts that are looked at, which is exponential in the variables at
worst and therefore counted (:data:`MAX_STEPS`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from eai.logic import Atom, Equal, Formula, Not, Term, Variable, conjuncts
from eai.pddl.model import Domain, Operator, Problem, cost_clauses

MAX_STEPS = 100_000
"""Maximum number of objects and facts that are looked at for one action."""
MAX_ALL_STEPS = 500_000
"""Maximum number of them for all actions of a problem: some seconds."""


class JoinLimitError(Exception):
    """Raised if the join exceeds :data:`MAX_STEPS`, or all joins :data:`MAX_ALL_STEPS`."""


_Row = tuple[Term, ...]
"""The arguments of a fact."""

Binding = dict[str, str]
"""Variable name to object."""


class StaticJoin:
    """Finds the variable bindings that satisfy static conditions in a problem.

    Args:
        domain: The domain.
        problem: The problem.
    """

    def __init__(self, domain: Domain, problem: Problem) -> None:
        """Collect the facts of static predicates, and begin with empty indices."""
        self._domain = domain
        self.changed_functions = domain.changed_functions
        self._objects = {**domain.constants, **problem.objects}
        # Facts of these predicates are the same in every state.
        self._static = {*domain.predicates} - domain.fluents - domain.derived
        self._facts: dict[str, list[_Row]] = {name: [] for name in self._static}
        for atom in problem.initial:
            if atom.predicate in self._static:
                self._facts[atom.predicate].append(atom.terms)
        # Facts by the objects in some positions; objects by types.
        self._indices: dict[tuple[str, tuple[int, ...]], dict[_Row, list[_Row]]] = {}
        self._members: dict[tuple[str, ...], Sequence[str]] = {}
        # Work since the last check of the limit, and in all.
        self._steps = self._all_steps = 0

    def bindings(
        self, variables: Sequence[Variable], others: Sequence[Variable], conditions: list[Formula]
    ) -> Iterator[Binding]:
        """Yield the bindings of some variables under which static conditions can hold.

        A condition is static if no action changes its truth.

        Args:
            variables: Variables that are bound.
            others: Further variables of the conditions, for which some objects have to exist.
            conditions: The static conditions that have to hold.

        Raises:
            JoinLimitError: If it takes too long.
        """
        self._steps = 0
        tests = [condition for condition in conditions if self._is_test(condition)]
        for binding in self._extend({}, variables, tests):
            # One binding of the others is enough.
            if next(self._extend(binding, others, tests), None) is not None:
                yield binding

    def _is_test(self, condition: Formula) -> bool:
        """Return whether the truth of a condition is known for all states."""
        if isinstance(condition, Atom):
            return condition.predicate in self._static
        return _compares(condition)

    def has_objects(self, variable: Variable) -> bool:
        """Return whether there is an object of any of a variable's types."""
        return bool(self._candidates(variable, (), {}))

    def _extend(
        self, binding: Binding, variables: Sequence[Variable], tests: Sequence[Formula]
    ) -> Iterator[Binding]:
        """Yield the extensions of a binding to more variables, depth first.

        The stack is a list of iterators, one for each variable being bound, so that Python's
        recursion limit does not restrict the number of variables.

        Args:
            binding: The objects of variables that are bound already.
            variables: The variables to bind, in this order.
            tests: Conditions; objects that make one of them false are passed over.
        """
        tests_by_variable = [_tests_about(variable, tests) for variable in variables]
        stack = [iter([binding])]
        # Invariant: each iterator yields extensions of what the one below it yielded last.
        while stack:
            extended_binding = next(stack[-1], None)
            bound_count = len(stack) - 1
            if extended_binding is None:
                stack.pop()
            elif bound_count == len(variables):
                yield extended_binding
            else:
                stack.append(
                    self._extend_by_variable(
                        variables[bound_count], tests_by_variable[bound_count], extended_binding
                    )
                )

    def _extend_by_variable(
        self, variable: Variable, tests: Sequence[Formula], binding: Binding
    ) -> Iterator[Binding]:
        """Yield a binding extended by each object that the tests permit.

        Args:
            variable: The variable.
            tests: Static conditions; those with other open variables must be possible for some of
                them.
            binding: Objects of the variables that are bound.
        """
        for name in self._candidates(variable, tests, binding):
            self._count_steps(1)
            extended = {**binding, variable.name: name}
            if all(self._may_hold(test, extended) for test in tests):
                yield extended

    def _candidates(
        self, variable: Variable, tests: Sequence[Formula], binding: Mapping[str, str]
    ) -> Sequence[str]:
        """Return the objects of a variable that occur in a matching fact of each test.

        Args:
            variable: The variable.
            tests: Static conditions that mention it and otherwise only bound variables.
            binding: Objects of the variables that are bound.
        """
        # Each test leaves the objects at the variable's place in facts that agree with the binding.
        candidates = self._of_types(variable.types)
        for test in tests:
            if not isinstance(test, Atom):
                continue
            position = _position_of(variable, test)
            matching_facts = self._matching_facts(test, binding)
            # Rows count, too: a fact of a large table may leave a single object.
            self._count_steps(len(matching_facts) + len(candidates))
            objects_in_facts = {fact[position] for fact in matching_facts}
            candidates = [name for name in candidates if name in objects_in_facts]
        return candidates

    def _of_types(self, types: tuple[str, ...]) -> Sequence[str]:
        """Return the objects of any of the types."""
        members = self._members.get(types)
        if members is None:
            members = [
                name
                for name, type_name in self._objects.items()
                if self._is_of_types(type_name, types)
            ]
            self._members[types] = members
        return members

    def _is_of_types(self, own: str, types: tuple[str, ...]) -> bool:
        """Return whether a type is one of some types, or below one of them."""
        return any(self._domain.is_subtype(own, ancestor) for ancestor in types)

    def _count_steps(self, steps: int) -> None:
        """Count examined objects and facts, and raise an error beyond the limit."""
        self._steps += steps
        self._all_steps += steps
        if self._steps > MAX_STEPS or self._all_steps > MAX_ALL_STEPS:
            raise JoinLimitError

    def _may_hold(self, test: Formula, binding: Mapping[str, str]) -> bool:
        """Return whether a test may hold for some values of the unbound variables."""
        if isinstance(test, Atom):
            return bool(self._matching_facts(test, binding))
        # A comparison cannot be tested until both sides are bound.
        if test.free_names - binding.keys():
            return True
        is_negated = isinstance(test, Not)
        equality = test.operands[0] if is_negated else test
        left, right = equality.terms
        is_equal = _bound_object(left, binding) == _bound_object(right, binding)
        return is_equal is not is_negated

    def _matching_facts(self, atom: Atom, binding: Mapping[str, str]) -> Sequence[_Row]:
        """Return the facts that match an atom under a partial binding.

        For ``at(?truck, ?place)`` with a bound truck, these are the facts with this truck. They are
        looked up in an index by truck, which is made on first use.

        Args:
            atom: The atom, of a static predicate.
            binding: Variable name to object.
        """
        pattern = [_bound_object(term, binding) for term in atom.terms]
        bound_positions = tuple(
            [position for position, term in enumerate(pattern) if not isinstance(term, Variable)]
        )
        index = self._indices.get((atom.predicate, bound_positions))
        if index is None:
            index = self._indices[atom.predicate, bound_positions] = {}
            for row in self._facts[atom.predicate]:
                # A fact may have been written with too few arguments.
                if len(row) == len(pattern):
                    index.setdefault(
                        tuple([row[position] for position in bound_positions]), []
                    ).append(row)
        return index.get(tuple([pattern[position] for position in bound_positions]), ())


def _tests_about(variable: Variable, tests: Sequence[Formula]) -> list[Formula]:
    """Return the tests that mention a variable."""
    return [test for test in tests if variable.name in test.free_names]


def _compares(formula: Formula) -> bool:
    """Return whether a formula compares two terms, or denies that they are equal."""
    if isinstance(formula, Not):
        return isinstance(formula.operand, Equal)
    return isinstance(formula, Equal)


def _position_of(variable: Variable, atom: Atom) -> int:
    """Return the first position of a variable in an atom that contains it."""
    for position, term in enumerate(atom.terms):
        if isinstance(term, Variable) and term.name == variable.name:
            return position
    raise ValueError(variable.name)  # callers ask only for variables of the atom


def _bound_object(term: Term, binding: Mapping[str, str]) -> Term:
    """Return the object that is bound to a term, or the term itself."""
    return binding.get(term.name, term) if isinstance(term, Variable) else term


def has_instance(join: StaticJoin, operator: Operator) -> bool:
    """Return whether static facts permit an instance of an action, or the search was too long."""
    conditions = list(conjuncts(operator.precondition))
    # The parameter with the most conditions is bound first, so that most branches end early.
    parameters = _narrowest_first(operator, conditions)
    try:
        return next(join.bindings((), parameters, conditions), None) is not None
    except JoinLimitError:
        return True


def _narrowest_first(operator: Operator, conditions: Sequence[Formula]) -> list[Variable]:
    """Return the parameters sorted by the number of conditions on them, most first."""
    mentions: Counter[str] = Counter()
    for condition in conditions:
        mentions.update(condition.free_names)
    return sorted(operator.parameters, key=lambda parameter: -mentions[parameter.name])


def missing_values(join: StaticJoin, operator: Operator, problem: Problem) -> Iterator[Atom]:
    """Yield the function terms that have no value but are the cost of a possible action.

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
        # A value that actions change may be there when it is needed.
        if not isinstance(amount, Atom) or amount.predicate in join.changed_functions:
            continue
        # Different bindings of variables outside of the term would only repeat it.
        term_variables: list[Variable] = []
        other_variables: list[Variable] = []
        for variable in (*operator.parameters, *clause.variables):
            if variable.name in amount.free_names:
                term_variables.append(variable)
            else:
                other_variables.append(variable)
        conditions = [*conjuncts(operator.precondition), *conjuncts(clause.condition)]
        for binding in join.bindings(term_variables, other_variables, conditions):
            term = amount.substitute(binding)
            # Without a value the action cannot be done, which is mostly a forgotten line.
            if isinstance(term, Atom) and term not in problem.values:
                yield term


def format_term(term: Atom) -> str:
    """Write a function term as it stands in ``:init``."""
    return f"({' '.join([term.predicate, *map(str, term.terms)])})"
