"""The engine: preconditions and effects of ground actions.

Operators are compiled when they are first used: each is a function of a state and of the numbers of
its arguments. The engine says which of an operator's tests is the first to fail, and on demand
which ones fail at all. Applying an action costs time in the atoms that it changes, not in the size
of the state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING

from eai.errors import InputError, UnknownNameError
from eai.logic import (
    FALSE,
    TRUE,
    Atom,
    Expression,
    Formula,
    Rational,
    Variable,
    atoms,
    compares_numbers,
    conjuncts,
    function_terms,
    generalize,
    generalized,
    objects_of,
)
from eai.pddl import (
    AndEffect,
    Clause,
    DeleteEffect,
    Domain,
    Operator,
    clauses,
    literal_effects,
    numeric_clauses,
)
from eai.text import counted
from eai.world.bits import mask_of
from eai.world.compiler import Compiler, Computed, NumericUpdate, Updates
from eai.world.guards import EffectGuard, guards
from eai.world.numbers import (
    Key,
    NumberChange,
    NumericChanges,
    UndefinedError,
    simplified,
    updated,
)
from eai.world.state import Change, Layout, State, Universe

if TYPE_CHECKING:
    from eai.budget import Meter


class CompiledOperator:
    """One operator, compiled.

    Its precondition is a list of *tests*: its conjuncts in the order of the text. Where states keep
    numbers, tests that its effect is defined come after them (:func:`eai.world.guards.guards`).
    """

    def __init__(self, operator: Operator, compiler: Compiler, *, numeric: bool = False) -> None:
        """Collect the tests of the precondition; they are compiled on first use."""
        self.operator = operator
        self.tests: tuple[Formula, ...] = conjuncts(operator.precondition)
        self.changes_numbers = False
        self.guards: tuple[EffectGuard, ...] = ()
        if numeric:
            self.guards = guards(operator, compiler.domain)
            self.tests += tuple(guard.test for guard in self.guards)
            self.changes_numbers = any(True for _ in numeric_clauses(operator.effect))
        # Positions of the parameters whose types have to be checked: "object" admits everything.
        typed: list[tuple[int, Variable]] = []
        for position, parameter in enumerate(operator.parameters):
            if "object" not in parameter.types:
                typed.append((position, parameter))
        self.typed = tuple(typed)
        self._compiler = compiler

    @cached_property
    def first_failure(self) -> Callable[..., int]:
        """Function of a state and object numbers: number of the first failing test, or -1."""
        return self._compiler.first_failure(self.tests, self.operator.parameters)

    @cached_property
    def effect(self) -> Callable[..., tuple[Updates, Updates]]:
        """Function of a state and object numbers: additions and deletions."""
        return self._compiler.effect(self.operator.effect, self.operator.parameters)

    @cached_property
    def numeric_effect(self) -> Callable[..., list[NumericUpdate]]:
        """Function of a state and object numbers: what the effect does to numbers."""
        return self._compiler.numeric_effect(self.operator.effect, self.operator.parameters)

    def number_changes(self, state: State, numbers: tuple[int, ...]) -> list[NumberChange]:
        """Return the numbers that an action of this operator changes in a state.

        Several updates of one number are joined: increases and decreases add up. Updates may
        contradict each other only where a test of the operator fails; then the last one counts.

        Args:
            state: The state.
            numbers: Indices of the action's arguments among the objects.

        Raises:
            UndefinedError: If a number that is needed has no value.
        """
        new_values: dict[Key, Rational] = {}
        old_values = state.numbers
        assert old_values is not None  # noqa: S101 - only states with numbers come here
        for key, update, amount in self.numeric_effect(state, *numbers):
            if update == "assign":
                new_values[key] = simplified(amount)
                continue
            # A number that is updated twice changes twice, so its newest value counts.
            current_value = new_values.get(key)
            if current_value is None:
                current_value = old_values[key]
            new_values[key] = updated(update, current_value, amount)
        changes = []
        for key, new_value in new_values.items():
            old_value = old_values.value(key)
            if old_value != new_value:
                changes.append(NumberChange(key, old_value, new_value))
        return changes

    @cached_property
    def effects(self) -> tuple[tuple[tuple[int, ...], Callable[..., tuple[Updates, Updates]]], ...]:
        """The effect in parts, each with the indices of the parameters that it depends on.

        The effect ``(and (at ?robot ?to) (lit ?lamp))`` has two parts. A search computes each part
        once for all actions that agree in its parameters. Each part is a function like
        :attr:`effect`. No part adds an atom that another part deletes.
        """
        parameters = self.operator.parameters
        names = [parameter.name for parameter in parameters]
        clauses_by_indices: dict[tuple[int, ...], list[Clause]] = {}
        for clause in clauses(self.operator.effect, names):
            condition = self._compiler.settled(clause.condition)
            if condition == FALSE:
                continue
            # Variables that the effect itself quantifies are not parameters.
            mentioned = condition.free_names | clause.atom.free_names
            mentioned -= {variable.name for variable in clause.variables}
            # Clauses that depend on the same parameters are compiled as one part.
            parameter_indices = tuple(
                index for index, name in enumerate(names) if name in mentioned
            )
            settled_clause = clause._replace(condition=condition)
            clauses_by_indices.setdefault(parameter_indices, []).append(settled_clause)
        # Adding wins over deleting within one action. If different parts add and delete atoms of
        # one predicate, neither part can respect that, so the effect is left whole.
        if _are_entangled(clauses_by_indices):
            return ((tuple(range(len(names))), self.effect),)
        effect_parts = []
        for parameter_indices, part_clauses in clauses_by_indices.items():
            effect = AndEffect(tuple([clause.effect for clause in part_clauses]))
            effect_parts.append((parameter_indices, self._compiler.effect(effect, parameters)))
        return tuple(effect_parts)

    @cached_property
    def test_functions(self) -> tuple[Callable[..., bool], ...]:
        """The tests, one function each."""
        parameters = self.operator.parameters
        return tuple(self._compiler.condition(test, parameters) for test in self.tests)

    @cached_property
    def has_effects(self) -> bool:
        """Whether the operator has any effects: talking and looking change nothing."""
        return self.changes_numbers or any(True for _ in literal_effects(self.operator.effect))

    @cached_property
    def takes_back(self) -> bool:
        """Whether some predicate is both added and deleted, so that the order matters."""
        added = set[str]()
        deleted = set[str]()
        for literal in literal_effects(self.operator.effect):
            predicates = deleted if isinstance(literal, DeleteEffect) else added
            predicates.add(literal.atom.predicate)
        return not added.isdisjoint(deleted)

    @cached_property
    def always_acts(self) -> bool:
        """Whether some effect of the operator is unconditional."""
        if any(clause.condition is TRUE for clause in clauses(self.operator.effect)):
            return True
        if not self.changes_numbers:
            return False
        return any(clause.condition is TRUE for clause in numeric_clauses(self.operator.effect))


_MAX_CONDITIONS = 4096
"""Maximum number of compiled conditions that a world keeps."""

_Lifted = tuple[Formula, tuple[Variable, ...]]
"""A condition with parameters in place of objects, and these parameters."""


class World:
    """A compiled domain, which executes actions.

    Args:
        domain: The domain.
        computed: Functions by the name of the predicate whose extension they compute: called with
            the state and the numbers of all but the last argument, such a function returns the mask
            of the last ones. A computed predicate replaces the axioms of that name. One without
            axioms counts as static.

    Attributes:
        derived: Names of the predicates that are not stored in states.
        computed: Names of those that a function computes.
        fluents: Numbers of the predicates that some operator changes, as a mask.

    Raises:
        UnknownNameError: If a computed predicate is not declared.
        InputError: If a derived predicate depends on its own negation.
    """

    def __init__(self, domain: Domain, *, computed: Mapping[str, Computed] | None = None) -> None:
        """Prepare the compiler; operators and conditions are compiled on first use."""
        self.domain = domain
        self.layout = Layout(domain)
        self.computed: frozenset[str] = frozenset(computed or ())
        self.derived: frozenset[str] = domain.derived | self.computed
        self._computed = computed
        self._compiler = Compiler(domain, self.layout, computed=computed)
        # By derived predicate: the bodies of its rules.
        self._bodies: dict[str, list[Formula]] = {}
        for axiom in domain.axioms:
            self._bodies.setdefault(axiom.head.predicate, []).append(axiom.body)
        # Results of `_stored_below`, and masks of the predicates that others depend on.
        self._below: dict[str, frozenset[int] | None] = {}
        self._depends: dict[int, int] = {}
        index = self.layout.index
        self.fluents = mask_of(index[name] for name in domain.fluents if name in index)
        # Operators and conditions are compiled when they are first used.
        self._operators: dict[str, CompiledOperator] = {}
        self._conditions: dict[_Lifted, Callable[..., bool]] = {}
        self._lifts: dict[Formula, tuple[list[str], _Lifted]] = {}
        # The types in a condition that the domain does not declare.
        self._foreign_types: dict[_Lifted, tuple[str, ...]] = {}
        # Compiled expressions, and compiled masks of what satisfies a condition.
        self._values: dict[tuple[Expression, tuple[Variable, ...]], Callable[..., Rational]] = {}
        self._members: dict[tuple[Formula, Variable, tuple[Variable, ...]], Callable[..., int]] = {}

    def __reduce__(self) -> tuple[object, ...]:
        """Return how to pickle the world: without compiled operators, which are compiled again."""
        return partial(World, computed=self._computed), (self.domain,)

    def count_loops(self, meter: Meter) -> None:
        """Count each object that a condition or effect with quantified variables looks at.

        Only what is compiled from now on is counted, so this is for worlds that were not used yet.
        Elsewhere nothing is counted, as it would take time where loops are short.

        Args:
            meter: Raises :class:`~eai.budget.BeyondBudgetError` when its budget is used up.
        """
        self._compiler.count_loops(meter)

    def universe(self, objects: Mapping[str, str]) -> Universe:
        """Number the objects of a problem (name to type)."""
        return Universe(self.domain, objects)

    def state(
        self,
        objects: Mapping[str, str],
        atoms: Iterable[Atom],
        values: Mapping[Atom, float | Rational] | None = None,
    ) -> State:
        """Build a state of this domain.

        Args:
            objects: Object name to type.
            atoms: The atoms that hold.
            values: Function terms with their values; only read where the domain has numbers.

        Raises:
            UnknownNameError: If a predicate, a function or an object is unknown.
            InputError: If an atom is none, or has the wrong number of arguments.
        """
        return State.of(self.layout, self.universe(objects), atoms, values)

    def operator(self, name: str) -> CompiledOperator:
        """Return a compiled operator.

        Raises:
            UnknownNameError: If the domain has no such operator.
        """
        compiled = self._operators.get(name)
        if compiled is None:
            schema = self.domain.operators.get(name)
            if schema is None:
                raise UnknownNameError("operator", name, self.domain.operators)
            compiled = self._operators[name] = CompiledOperator(
                schema, self._compiler, numeric=bool(self.layout.functions)
            )
        return compiled

    def numbers(self, state: State, name: str, arguments: Sequence[str]) -> tuple[int, ...]:
        """Return the indices of an action's arguments among the objects, after checking them.

        Args:
            state: A state, which knows the objects.
            name: Name of the action.
            arguments: Names of its arguments, the agent's among them.

        Raises:
            UnknownNameError: If the operator or an object is unknown.
            InputError: If the count or a type is wrong.
        """
        compiled = self.operator(name)
        universe = state.universe
        parameter_count = len(compiled.operator.parameters)
        if parameter_count != len(arguments):
            raise InputError(
                f"{name} takes {counted(parameter_count, 'argument')}, not {len(arguments)}"
            )
        id_of_object = universe.index
        try:
            object_ids = tuple([id_of_object[argument] for argument in arguments])
        except KeyError as error:
            raise UnknownNameError("object", error.args[0], universe.names) from None
        # Parameters of the type "object" need no check and are left out here.
        for position, parameter in compiled.typed:
            has_type = universe.mask(parameter.types) >> object_ids[position] & 1
            if not has_type:
                raise InputError(
                    f"{arguments[position]!r} is a {universe.types[object_ids[position]]}",
                    where=f"argument ?{parameter.name} of {name}",
                    expected=" or ".join(parameter.types),
                )
        return object_ids

    def first_failure(self, state: State, name: str, numbers: tuple[int, ...]) -> int:
        """Return the number of the first failing test of the precondition, or -1 if none fails."""
        return self.operator(name).first_failure(state, *numbers)

    def failures(self, state: State, name: str, numbers: tuple[int, ...]) -> list[int]:
        """Return the numbers of all failing tests of the precondition, in the order of the text."""
        tests = self.operator(name).test_functions
        return [i for i, test in enumerate(tests) if not test(state, *numbers)]

    def test(self, name: str, number: int, arguments: Sequence[str]) -> Formula:
        """Return one test of an operator's precondition as a ground formula."""
        compiled = self.operator(name)
        names = (parameter.name for parameter in compiled.operator.parameters)
        return compiled.tests[number].substitute(dict(zip(names, arguments, strict=True)))

    def changes(self, state: State, name: str, numbers: tuple[int, ...]) -> bool:
        """Return whether an action would change the state at all.

        Args:
            state: The state.
            name: Name of the action.
            numbers: Indices of its arguments among the objects.
        """
        operator = self.operator(name)
        try:
            if operator.changes_numbers and operator.number_changes(state, numbers):
                return True
            additions, deletions = operator.effect(state, *numbers)
        except UndefinedError:
            return True  # nobody can say that its effects hold already
        for predicate_id, column, key, mask in additions:
            if mask & ~_line_mask(state, predicate_id, column, key):
                return True
        # All added atoms hold already, and so do all atoms in the deletions. A deleted atom remains
        # true only if it is also added.
        if not operator.takes_back:
            return bool(deletions)
        return any(mask for _, _, _, mask in _without_added(deletions, additions))

    def apply(self, state: State, name: str, numbers: tuple[int, ...]) -> list[Change]:
        """Apply an action's effects to a state.

        As PDDL says, all conditions and amounts are evaluated before anything changes; then
        deletions are made, then additions, so that an atom in both is true afterwards.

        Args:
            state: The state, which is changed.
            name: Name of the action.
            numbers: Indices of its arguments among the objects.

        Returns:
            The changes of atoms; as :class:`NumericChanges` if numbers change, too.
        """
        operator = self.operator(name)
        additions, deletions = operator.effect(state, *numbers)
        number_changes = None
        if operator.changes_numbers:
            number_changes = operator.number_changes(state, numbers)
        # An atom that is deleted and added is no change. Few operators have such atoms.
        if operator.takes_back:
            deletions = _without_added(deletions, additions)
        changes: list[Change] = []
        # Two loops alike: an inner one for either kind would make short steps 3 % slower.
        for predicate_id, column, key, mask in deletions:
            changed_mask = state.write(predicate_id, column, key, mask, False)
            if changed_mask:
                changes.append((predicate_id, column, key, changed_mask, False))
        for predicate_id, column, key, mask in additions:
            changed_mask = state.write(predicate_id, column, key, mask, True)
            if changed_mask:
                changes.append((predicate_id, column, key, changed_mask, True))
        if not number_changes:
            return changes
        state.set_numbers(number_changes)
        return NumericChanges(changes, number_changes)

    def value(self, state: State, expression: Expression) -> Rational:
        """Return the value of an expression without variables in a state.

        Raises:
            UndefinedError: If the value is undefined; :meth:`why_undefined` says why.
            UnknownNameError: If a function or an object is unknown.
        """
        object_names = sorted(
            {str(name) for term in function_terms(expression) for name in term.terms}
        )
        # Objects become parameters, as in conditions: one function serves all of them.
        parameters = [Variable(f"?{i}") for i in range(len(object_names))]
        variables = dict(zip(object_names, parameters, strict=True))
        lifted = generalized(expression, variables)
        key = lifted, tuple(parameters)
        function = self._values.get(key)
        if function is None:
            function = self._compiler.value(lifted, parameters)
            if len(self._values) >= _MAX_CONDITIONS:
                self._values.clear()
            self._values[key] = function
        return function(state, *[state.universe.number(name) for name in object_names])

    def why_undefined(self, state: State, condition: Formula) -> str:
        """Return why a closed condition is undefined in a state, or "".

        Args:
            state: The state.
            condition: The condition.
        """
        if not self.layout.functions:
            return ""
        objects, (lifted, parameters) = self._lifted(condition)
        object_ids = [state.universe.number(name) for name in objects]
        error = self._compiler.undefined_part(lifted, parameters)(state, *object_ids)
        return "" if error is None else said_undefined(state, error)

    def holds(self, state: State, condition: Formula) -> bool:
        """Return whether a closed condition holds in a state (derived predicates included).

        Raises:
            InputError: If the condition has free or unknown names.
        """
        return self.test_of(condition, state.universe)(state)

    def test_of(self, condition: Formula, universe: Universe) -> Callable[[State], bool]:
        """Return a function that tests a closed condition in states over a universe.

        The condition is a formula about a single state. It may count objects and pairs, and it may
        have types that only the universe knows.

        Raises:
            InputError: If the condition has free or unknown names, or speaks of time or actions.
        """
        objects, lifted = self._lifted(condition)
        test = self.function_of(*lifted)
        # The universe refuses types that neither it nor the domain declares.
        universe.mask(self._foreign_types.get(lifted, ()))
        if not objects:
            return test
        object_ids = [universe.number(name) for name in objects]
        return lambda state: test(state, *object_ids)

    def _lifted(self, condition: Formula) -> tuple[list[str], _Lifted]:
        """Return the objects in a condition, and the condition with parameters for them.

        So one compiled function serves all objects; tasks of a domain differ in little else.
        """
        lifted = self._lifts.get(condition)
        if lifted is None:
            objects = sorted(objects_of(condition).difference(self.domain.constants))
            parameters = {name: Variable(f"?{i}") for i, name in enumerate(objects)}
            lifted = objects, (generalize(condition, parameters), tuple(parameters.values()))
            if len(self._lifts) >= _MAX_CONDITIONS:
                self._lifts.clear()
            self._lifts[condition] = lifted
        return lifted

    def instances(self, condition: Formula, universe: Universe) -> int:
        """Return how many atoms a test of a condition reads in the worst case.

        The number is computed without testing the condition: it is the product of the numbers of
        objects that quantified variables range over.
        """
        return self._compiler.instances(
            condition, lambda variable: universe.mask(variable.types).bit_count()
        )

    def function_of(
        self, condition: Formula, parameters: tuple[Variable, ...]
    ) -> Callable[..., bool]:
        """Return a condition as a function of a state and of object numbers for its variables.

        Raises:
            InputError: If the condition has other free variables, or unknown names.
        """
        key = condition, parameters
        function = self._conditions.get(key)
        if function is not None:
            return function
        _check_bound(condition, parameters)
        function = self._compiler.condition(condition, parameters)
        # Forgotten all at once: to know which of them is old would cost at every look-up.
        if len(self._conditions) >= _MAX_CONDITIONS:
            self._conditions.clear()
            self._foreign_types.clear()
        self._conditions[key] = function
        foreign = self._foreign_types_in(condition)
        if foreign:
            self._foreign_types[key] = foreign
        return function

    def _foreign_types_in(self, condition: Formula) -> tuple[str, ...]:
        """Return the types of quantified variables that the domain does not declare, sorted."""
        types: set[str] = set()
        for node in condition.walk():
            for variable in node.variables:
                types.update(variable.types)
        return tuple(sorted(types.difference(self.domain.types, ("object",))))

    def members_of(
        self, condition: Formula, variable: Variable, parameters: tuple[Variable, ...]
    ) -> Callable[..., int]:
        """Return a function that computes the mask of objects satisfying a condition.

        Args:
            condition: The condition.
            variable: The variable that stands for the objects; only objects of its types count.
            parameters: The other free variables; the function takes a state and their numbers.

        Raises:
            InputError: If the condition has other free variables, or unknown names.
        """
        key = condition, variable, parameters
        function = self._members.get(key)
        if function is None:
            _check_bound(condition, (variable, *parameters))
            if len(self._members) >= _MAX_CONDITIONS:
                self._members.clear()
            function = self._compiler.members(condition, variable, parameters)
            self._members[key] = function
        return function

    def reads(self, condition: Formula) -> frozenset[int] | None:
        """Return the indices of the stored predicates on which a condition's truth depends.

        Returns:
            The indices; None if the condition compares numbers, or depends on a computed predicate,
            which may read anything.

        Raises:
            UnknownNameError: If a predicate is unknown.
        """
        if compares_numbers(condition):
            return None
        return self.predicates_read(condition)

    def predicates_read(self, condition: Formula) -> frozenset[int] | None:
        """Return the indices of the stored predicates that a condition reads, apart from numbers.

        Returns:
            The indices; None if the condition depends on a computed predicate, which may read
            anything, or on a derived predicate whose rules compare numbers.

        Raises:
            UnknownNameError: If a predicate is unknown.
        """
        predicates: set[int] = set()
        for atom in atoms(condition):
            if not isinstance(atom, Atom):
                continue
            stored = self._stored_below(atom.predicate)
            if stored is None:
                return None
            predicates |= stored
        return frozenset(predicates)

    def depends(self, predicate_id: int) -> int:
        """Return the stored predicates on which a predicate depends, as a mask of their indices.

        Args:
            predicate_id: Index of the predicate.

        Returns:
            The mask; -1 if the predicate depends on a computed one, which may read anything.
        """
        mask = self._depends.get(predicate_id)
        if mask is None:
            stored = self._stored_below(self.layout.names[predicate_id])
            mask = -1 if stored is None else mask_of(stored)
            self._depends[predicate_id] = mask
        return mask

    def _stored_below(self, predicate: str) -> frozenset[int] | None:
        """Return the indices of the stored predicates that a predicate's rules use.

        Returns:
            The indices; None if the predicate also depends on numbers or on a function of the
            simulator, so that it may change while no stored predicate does.
        """
        if predicate not in self._below:
            if predicate not in self.layout.index:
                raise UnknownNameError("predicate", predicate, self.layout.names)
            reached = self._reached(predicate)
            if reached.isdisjoint(self.computed) and not self._compares_numbers(reached):
                stored = reached - self.derived
                self._below[predicate] = frozenset(self.layout.index[name] for name in stored)
            else:
                self._below[predicate] = None
        return self._below[predicate]

    def _compares_numbers(self, predicates: Iterable[str]) -> bool:
        """Return whether a rule of some derived predicate compares numbers."""
        for predicate in predicates:
            if any(map(compares_numbers, self._bodies.get(predicate, ()))):
                return True
        return False

    def _reached(self, predicate: str) -> set[str]:
        """Return the predicates that are reachable through axioms, itself included."""
        reached = {predicate}
        pending = [predicate]
        while pending:
            for body in self._bodies.get(pending.pop(), ()):
                used_predicates = {atom.predicate for atom in atoms(body) if isinstance(atom, Atom)}
                unseen = used_predicates - reached
                reached |= unseen
                pending += unseen
        return reached


def _check_bound(formula: Formula, parameters: Sequence[Variable]) -> None:
    """Refuse a formula with free variables that are no parameters."""
    unbound = formula.free_names - {parameter.name for parameter in parameters}
    if unbound:
        raise InputError(f"variable {min(unbound)!r} is bound by no quantifier")


def _are_entangled(clauses_by_part: Mapping[tuple[int, ...], Iterable[Clause]]) -> bool:
    """Return whether one part of an effect adds atoms of a predicate that another part deletes.

    Args:
        clauses_by_part: The clauses of each part.
    """
    parts_changing: dict[tuple[str, bool], set[tuple[int, ...]]] = {}
    for part, part_clauses in clauses_by_part.items():
        for clause in part_clauses:
            literal = (clause.atom.predicate, clause.added)
            parts_changing.setdefault(literal, set()).add(part)
    for (predicate, is_added), adding_parts in parts_changing.items():
        deleting_parts = parts_changing.get((predicate, False), set())
        if is_added and deleting_parts and len(adding_parts | deleting_parts) > 1:
            return True
    return False


def _without_added(deletions: Updates, additions: Updates) -> Updates:
    """Return the deletions of an effect without the atoms that it also adds.

    In PDDL adding wins over deleting. Both lists give atoms by row or by column of a predicate's
    table, as bit masks.

    Cost: one test for each pair of an added row and a deleted column of the same predicate (or an
    added column and a deleted row).
    """
    # By predicate: the added atoms by row, and those by column.
    added_lines: dict[int, tuple[dict[object, int], dict[object, int]]] = {}
    for predicate, column, key, mask in additions:
        rows_and_columns = added_lines.get(predicate)
        if rows_and_columns is None:
            rows_and_columns = added_lines[predicate] = {}, {}
        lines = rows_and_columns[column]
        lines[key] = lines.get(key, 0) | mask
    remaining_deletions = []
    for deletion in deletions:
        predicate, column, key, mask = deletion
        rows_and_columns = added_lines.get(predicate)
        if rows_and_columns is None:
            remaining_deletions.append(deletion)
            continue
        still_deleted = mask & ~rows_and_columns[column].get(key, 0)
        # An effect may add by rows and delete by columns: then atoms are where the two cross.
        crossing_lines = rows_and_columns[1 - column]
        if still_deleted and crossing_lines and isinstance(key, int):
            for crossing_key, added in crossing_lines.items():
                if added >> key & 1 and isinstance(crossing_key, int):
                    still_deleted &= ~(1 << crossing_key)
        remaining_deletions.append((predicate, column, key, still_deleted))
    return remaining_deletions


def _line_mask(state: State, predicate_id: int, column: int, key: object) -> int:
    """Return the true atoms in one line of a state as a mask of the open argument.

    Args:
        state: The state.
        predicate_id: Index of the predicate.
        column: 1 if the line is a column of a table of two arguments, else 0.
        key: The fixed argument; None for at most one argument, a tuple for more than two.
    """
    if key is None:
        return state.unary[predicate_id]
    if isinstance(key, int):
        return (state.cols if column else state.rows)[predicate_id][key]
    return state.wide[predicate_id].get(key, 0)  # type: ignore[call-overload, no-any-return]


def said_undefined(state: State, error: UndefinedError) -> str:
    """Return in words why a number is undefined."""
    if error.key is None:
        return error.what
    term = state.term_of(error.key)
    return f"({' '.join([term.predicate, *map(str, term.terms)])}) has no value"


_MAX_WORLDS = 64
"""Maximum number of worlds that are kept."""
_WORLDS: dict[int, World] = {}
"""Worlds by the identity of their domains; each keeps its domain, so that no identity is reused."""


def world_of(domain: Domain) -> World:
    """Return the world of a domain without computed predicates.

    Compiling takes longer than running, so some worlds are kept, by the identity of their domains
    (which contain mappings and cannot be hashed).

    Raises:
        InputError: If a derived predicate depends on its own negation.
    """
    world = _WORLDS.get(id(domain))
    if world is None or world.domain is not domain:
        if len(_WORLDS) >= _MAX_WORLDS:
            del _WORLDS[next(iter(_WORLDS))]
        world = _WORLDS[id(domain)] = World(domain)
    return world
