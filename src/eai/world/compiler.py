"""Conditions and effects of a domain, compiled to Python functions over states.

A condition becomes one expression (:mod:`eai.world.conditions`). An effect becomes loops that
append to a list of additions and a list of deletions: a literal with a quantified variable in one
open position is changed for all objects at once, as one mask.

Derived predicates that do not depend on themselves are compiled into the conditions that use
them. The others, and those whose rules would get too long, have a table in every state that is
asked for them: the least fixed point of their rules. It is found by applying the rules of a group
until nothing is added; each round costs a call for every combination of all arguments but the last,
and there are at most as many rounds as atoms. Predicates that depend on each other are computed
together, after those whose negation they may use (stratified axioms: Edelkamp & Hoffmann 2004,
section 3; Thiébaux, Hoffmann & Nebel 2005).
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import reduce
from graphlib import TopologicalSorter
from itertools import groupby
from typing import TYPE_CHECKING, Any

from eai.errors import InputError, UnknownNameError
from eai.logic import (
    TRUE,
    And,
    Atom,
    Bits,
    Exists,
    Expression,
    Formula,
    Not,
    Or,
    Rational,
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
    NumericClause,
    clauses,
    numeric_clauses,
    polarities,
    reachable,
    recursion_through_negation,
)
from eai.world.bits import bits, union
from eai.world.conditions import Environment, Translator, locations
from eai.world.numbers import Key, UndefinedError, divided, multiplied
from eai.world.state import Extension, Layout, State

if TYPE_CHECKING:
    from eai.budget import Meter

Rule = tuple[tuple[Variable, ...], Callable[..., int]]
"""Variables of a rule's head, and a function of the state and the numbers of all but the last of
them that returns the mask of the last one (without variables: 0 or 1)."""


_MAX_ATOMS = 500
"""Maximum number of atoms of a rule with the rules of derived predicates put in; beyond it the
predicate gets a table. Two mentions in each of thirty rules make a thousand million atoms."""

_MAX_RULE_DEPTH = 20
"""Maximum number of rules that are put into each other, which is done by recursion; beyond it the
predicate gets a table, too."""


def tabled(axioms: Iterable[Axiom], *, where: str) -> tuple[tuple[str, ...], ...]:
    """Return the groups of derived predicates whose extensions are stored in tables.

    These are the recursive predicates, and those whose rules become too long or too deeply nested
    when other rules are inserted into them.

    Args:
        axioms: The rules of a domain.
        where: Name of the domain for messages.

    Returns:
        Groups of predicates that depend on each other, or of one.

    Raises:
        InputError: If a predicate depends on its own negation (the axioms are not stratified).
    """
    rules = tuple(axioms)
    for issue in recursion_through_negation(rules):
        raise InputError(issue.message, where=where, expected=issue.expected)
    predicates_in_bodies: dict[str, list[str]] = {}
    for axiom in rules:
        predicates = predicates_in_bodies.setdefault(axiom.head.predicate, [])
        predicates += [atom.predicate for atom, _ in polarities(axiom.body)]
    used_predicates = {name: set(predicates) for name, predicates in predicates_in_bodies.items()}
    groups = _recursive_groups(used_predicates)
    inlined = used_predicates.keys() - set(itertools.chain.from_iterable(groups))
    sizes = dict[str, int]()
    depths = dict[str, int]()
    # In topological order, since the size and depth of a rule follow from the inserted rules.
    sorter = TopologicalSorter({name: used_predicates[name] & inlined for name in inlined})
    for name in sorter.static_order():
        predicates = predicates_in_bodies[name]
        size = sum([sizes.get(predicate, 1) for predicate in predicates])
        depth = 1 + max([depths.get(predicate, 0) for predicate in predicates], default=0)
        if size > _MAX_ATOMS or depth > _MAX_RULE_DEPTH:
            # A rule that uses a table has a single atom for it, so no size or depth is recorded.
            groups.add((name,))
        else:
            sizes[name] = size
            depths[name] = depth
    return tuple(sorted(groups))


def _recursive_groups(used_predicates: Mapping[str, set[str]]) -> set[tuple[str, ...]]:
    """Return the groups of mutually dependent predicates.

    These are the strongly connected components of the graph of uses, apart from single predicates
    that do not use themselves.

    Args:
        used_predicates: The predicates that the rules of each derived predicate mention.
    """
    reachable_predicates = {name: reachable(name, used_predicates) for name in used_predicates}
    groups = set()
    for name in used_predicates:
        if name in reachable_predicates[name]:
            members = [
                other
                for other in reachable_predicates[name]
                if name in reachable_predicates.get(other, ())
            ]
            groups.add(tuple(sorted(members)))
    return groups


_TUPLE_BYTES = 200
"""Bytes of an entry of a table, with a key of some numbers (measured on CPython 3.11)."""

_Tuples = Iterable[tuple[int, ...]]
"""Objects in the place of several variables."""


class Tables:
    """Computes the extensions of derived predicates on first access in a state.

    Args:
        layout: The layout of states.
        groups: The groups of :func:`tabled`.
        compile_rules: Function that compiles the rules of a predicate, given its name.

    Attributes:
        visited: Yields the same objects; it may count them.
    """

    def __init__(
        self,
        layout: Layout,
        groups: Iterable[tuple[str, ...]],
        compile_rules: Callable[[str], list[Rule]],
    ) -> None:
        """Store the groups of predicates; rules are compiled on first use."""
        self._layout = layout
        self.visited: Callable[[_Tuples], _Tuples] = iter
        # By predicate: the predicates with which it is recursive, whose tables are made together.
        self._groups: dict[int, tuple[int, ...]] = {}
        for group in groups:
            predicate_ids = tuple(layout.index[name] for name in group)
            self._groups.update(dict.fromkeys(predicate_ids, predicate_ids))
        self._compile = compile_rules
        self._rules: dict[int, list[Rule]] = {}

    def of(self, state: State, predicate: int) -> Extension:
        """Return the extension of a derived predicate: all its atoms that hold in a state.

        The extension is the least fixed point of the rules of all predicates in its group. It is
        computed once per state and cached there.

        Args:
            state: The state.
            predicate: Index of the predicate in the layout.
        """
        extension = state.memo.get(predicate)
        if extension is not None:
            return extension
        group = self._groups[predicate]
        # All rules are compiled before any table is begun: one that cannot be compiled must not
        # leave empty tables behind, which would count as finished.
        for predicate_id in group:
            if predicate_id not in self._rules:
                self._rules[predicate_id] = self._compile(self._layout.names[predicate_id])
        # Rows and columns are there for two arguments only; the mask stands for one or none, the
        # dictionary for more.
        object_count = len(state.universe)
        for predicate_id in group:
            line_count = object_count if self._layout.arity[predicate_id] == 2 else 0
            state.memo[predicate_id] = (0, [0] * line_count, [0] * line_count, {})
        try:
            # Rounds over all rules of the group, until one adds nothing. Tables only grow.
            while self._apply_rules(state, group):
                pass
        except BaseException:
            # Tables that were begun would count as finished.
            for predicate_id in group:
                del state.memo[predicate_id]
            raise
        return state.memo[predicate]

    def _apply_rules(self, state: State, group: Iterable[int]) -> bool:
        """Apply each rule of some predicates once; return whether any atom is new."""
        is_growing = False
        for predicate_id in group:
            for rule in self._rules[predicate_id]:
                if _apply_rule(state, predicate_id, rule, self.visited):
                    is_growing = True
        return is_growing


def _apply_rule(
    state: State,
    predicate_id: int,
    rule: Rule,
    visited: Callable[[_Tuples], _Tuples],
) -> bool:
    """Add the atoms that a rule derives to its predicate's table.

    Args:
        state: The state, which holds the table.
        predicate_id: Index of the derived predicate in the layout.
        rule: One of its rules: the variables of the head, and the function that computes for which
            objects the body holds.
        visited: Yields the same objects; it may count them.

    Returns:
        Whether any of the atoms is new.
    """
    head_variables, derived_mask = rule
    unary, rows, columns, wide = state.memo[predicate_id]
    if len(head_variables) < 2:
        derived = derived_mask(state)
        state.memo[predicate_id] = (unary | derived, rows, columns, wide)
        return bool(derived & ~unary)
    if len(head_variables) == 2:
        return _apply_binary(state, rows, columns, rule)
    is_new = False
    # All objects of the last variable are one mask: only those before it are gone through.
    ranges = [bits(state.universe.mask(variable.types)) for variable in head_variables[:-1]]
    for first_objects in visited(itertools.product(*ranges)):
        known = wide.get(first_objects, 0)
        derived = derived_mask(state, *first_objects)
        wide[first_objects] = known | derived
        is_new |= bool(derived & ~known)
    return is_new


def _apply_binary(state: State, rows: list[int], columns: list[int], rule: Rule) -> bool:
    """Add the pairs of objects that a rule derives to the table of a binary predicate.

    The rule's function is called once for each first object, and returns a mask of second objects.

    Args:
        state: The state.
        rows: Second objects by first object, as masks; extended in place.
        columns: First objects by second object, as masks; extended in place.
        rule: The variables of the rule's head, and the function of its body.

    Returns:
        Whether any of the pairs is new.
    """
    (first_variable, _), partners_of = rule
    is_new = False
    for first_object in bits(state.universe.mask(first_variable.types)):
        new_partners = partners_of(state, first_object) & ~rows[first_object]
        if not new_partners:
            continue
        is_new = True
        rows[first_object] |= new_partners
        for second_object in bits(new_partners):
            columns[second_object] |= 1 << first_object
    return is_new


def _literal_lines(
    group: Sequence[Clause], env: Environment, translator: Translator
) -> Iterator[str]:
    """Yield Python lines that append a group of literals to the lists ``adds`` and ``dels``.

    The lines are nested loops, one for each quantified variable that the literals mention. One of
    these variables, the vector, needs no loop: a single bit mask changes the atoms of all its
    objects.

    Args:
        group: Literals with the same quantified variables and the same condition.
        env: Python expressions of the parameters, by the parameters' names.
        translator: Translates conditions to Python expressions.
    """
    quantified = group[0].variables
    mentioned: set[str] = set()
    for clause in group:
        mentioned |= clause.atom.free_names
    loop_variables = [variable for variable in quantified if variable.name in mentioned]
    vector = _vector_variable(loop_variables, [clause.atom for clause in group])
    if vector is not None:
        loop_variables.remove(vector)
    condition = _with_idle_quantified(group[0], loop_variables, mentioned)
    expressions = dict(env)
    indent = "    "
    # Outermost loop first.
    for index, variable in enumerate(loop_variables):
        later_variables = loop_variables[index + 1 :]
        if vector is not None:
            later_variables.append(vector)
        candidates, condition = translator.split_candidates(
            condition, variable, expressions, other_variables=later_variables
        )
        loop_name = translator.new_variable_name()
        expressions[variable.name] = loop_name
        yield f"{indent}for {loop_name} in bits({candidates}):"
        indent += "    "
    mask = ""
    if vector is not None:
        mask = translator.new_variable_name()
        yield f"{indent}{mask} = {translator.members_code(condition, vector, expressions)}"
        yield f"{indent}if {mask}:"
        indent += "    "
    elif condition != TRUE:
        yield f"{indent}if {translator.truth_code(condition, expressions)}:"
        indent += "    "
    for clause in group:
        predicate_id, column, key, current_mask = _storage_of(
            clause.atom, vector, expressions, translator
        )
        if vector is None:
            mask = _mask_of_last(clause.atom, expressions, translator)
        if clause.added:
            yield f"{indent}adds.append(({predicate_id}, {column}, {key}, {mask}))"
        else:
            # Only atoms that hold are deleted, so that nobody has to test it again.
            yield f"{indent}if m := {current_mask} & ({mask}):"
            yield f"{indent}    dels.append(({predicate_id}, {column}, {key}, m))"


def _mask_of_last(atom: Atom, env: Environment, translator: Translator) -> str:
    """Return the code of the mask of a single atom: a bit for its last argument, if it has one."""
    if not atom.terms:
        return "1"
    return f"1 << {translator.term_code(atom.terms[-1], env)}"


def _numeric_lines(
    clause: NumericClause, env: Environment, translator: Translator
) -> Iterator[str]:
    """Yield Python lines that append a change of a number to the list ``updates``.

    A quantified variable becomes a loop, and a condition an ``if``. Both indent the lines that
    follow.

    Args:
        clause: The change.
        env: Python expressions of the parameters, by the parameters' names.
        translator: Translates conditions and amounts to Python expressions.
    """
    expressions = dict(env)
    indent = "    "
    for variable in clause.variables:
        loop_name = translator.new_variable_name()
        expressions[variable.name] = loop_name
        yield f"{indent}for {loop_name} in bits({translator.type_mask_code(variable)}):"
        indent += "    "
    if clause.condition != TRUE:
        yield f"{indent}if {translator.truth_code(clause.condition, expressions)}:"
        indent += "    "
    key = translator.function_key(clause.target, expressions)
    amount = translator.expression_code(clause.amount, expressions)
    yield f"{indent}updates.append(({key}, {clause.update!r}, {amount}))"


def _with_idle_quantified(
    clause: Clause, loop_variables: Sequence[Variable], mentioned_names: set[str]
) -> Formula:
    """Return the condition of an effect with ``exists`` for the variables that its literal lacks.

    In ``(forall (?x ?y) (when (on ?x ?y) (clear ?y)))`` the literal ``(clear ?y)`` lacks ``?x``. It
    is enough that one such object exists, so the result is ``(exists (?x) (on ?x ?y))``, and the
    generated code needs no loop over ``?x``.

    Args:
        clause: The literal with its quantified variables and its condition.
        loop_variables: Variables that get a loop in the generated code, outermost first.
        mentioned_names: Names of all variables in the literals that share the loops.
    """
    condition = clause.condition
    idle_variables = tuple(
        variable for variable in clause.variables if variable.name not in mentioned_names
    )
    if not idle_variables:
        return condition
    exists = Exists(idle_variables, condition)
    # Inside of a quantifier no conjunct narrows a loop any more, and loops over all objects take
    # long. So what the outermost loop can use stands once more in front of it.
    outermost = {variable.name for variable in loop_variables[:1]}
    inner_names = {variable.name for variable in clause.variables} & mentioned_names - outermost
    if not loop_variables or not inner_names:
        return exists
    # The conjuncts that need none of the variables bound later narrow the outermost loop.
    outer_conjuncts = []
    for conjunct in conjuncts(condition):
        if inner_names.isdisjoint(conjunct.free_names):
            outer_conjuncts.append(conjunct)
    return And((Exists(idle_variables, And(tuple(outer_conjuncts))), exists))


def _vector_variable(variables: Sequence[Variable], atoms: Sequence[Atom]) -> Variable | None:
    """Return the variable whose objects are all handled by one mask, or None."""
    # From the end: the innermost loop runs most often, so it is the one that is worth saving.
    for variable in reversed(variables):
        if all(_is_open(atom, variable) for atom in atoms):
            return variable
    return None


def _is_open(atom: Atom, variable: Variable) -> bool:
    """Return whether the atoms for all objects of a variable lie in one row or column."""
    positions = locations(atom, variable.name)
    if len(positions) != 1:
        return False
    return len(atom.terms) <= 2 or positions[0] == len(atom.terms) - 1


def _storage_of(
    atom: Atom, vector: Variable | None, env: Environment, translator: Translator
) -> tuple[int, int, str, str]:
    """Return where an effect changes an atom: the table, its line, and code for both.

    For ``(on ?x ?y)``, where ``?x`` is bound and ``?y`` is the vector, this is the row of ``?x`` in
    the table of ``on``.

    Args:
        atom: The atom.
        vector: Variable whose objects are all changed by one mask; None to change a single atom.
        env: Names of Python variables, by the names of variables.
        translator: Translates terms to Python expressions.

    Returns:
        Index of the predicate; 1 for a column and 0 for a row; code of the fixed argument; code of
        the line.
    """
    predicate_id = translator.predicate_id(atom)
    if atom.predicate in translator.axioms or atom.predicate in translator.computed:
        raise InputError(f"an effect changes the derived predicate {atom.predicate!r}")
    # Tables by number of arguments: U for at most one, R (rows) and C (columns) for two, W for
    # more. The open argument is the one whose objects are a mask.
    open_position = len(atom.terms) - 1
    if vector is not None:
        [open_position] = locations(atom, vector.name)
    fixed_arguments: list[str] = []
    for position, term in enumerate(atom.terms):
        if position != open_position:
            fixed_arguments.append(translator.term_code(term, env))
    if not fixed_arguments:
        return predicate_id, 0, "None", f"U[{predicate_id}]"
    if len(fixed_arguments) > 1:
        key = f"({', '.join(fixed_arguments)})"
        return predicate_id, 0, key, f"W[{predicate_id}].get({key}, 0)"
    if open_position == 0:
        return predicate_id, 1, fixed_arguments[0], f"C[{predicate_id}][{fixed_arguments[0]}]"
    return predicate_id, 0, fixed_arguments[0], f"R[{predicate_id}][{fixed_arguments[0]}]"


Computed = Callable[..., int]
"""A predicate whose extension the simulator computes: called with the state and the numbers of
all but the last argument, it returns the mask of the last arguments that satisfy it (for a
predicate without arguments: 0 or 1)."""

Updates = list[tuple[int, int, object, int]]
"""Additions or deletions of an effect: predicate number, direction, fixed argument, and mask."""

NumericUpdate = tuple[Key, str, Rational]
"""A change of a number: its function term, how it changes, and by which amount."""

_TABLES = {
    "U": "s.unary",
    "R": "s.rows",
    "C": "s.cols",
    "W": "s.wide",
    "T": "s.universe.type_masks",
    "K": "s.universe.constants",
    "N": "s.numbers",
    "F": "s.numbers.fixed",
}

_UNDEFINED = ("    except UndefinedError:",)


class Compiler:
    """Compiles conditions and effects to functions of a state and object numbers.

    Conditions that cannot be compiled raise an :class:`~eai.errors.InputError` with the reason.
    """

    def __init__(
        self, domain: Domain, layout: Layout, *, computed: Mapping[str, Computed] | None = None
    ) -> None:
        """Prepare the translation of conditions and the names that generated code uses."""
        self.domain = domain
        computed_functions = dict(computed or {})
        axioms = [
            axiom for axiom in domain.axioms if axiom.head.predicate not in computed_functions
        ]
        table_groups = tabled(axioms, where=f"domain {domain.name!r}")
        tabled_predicates = frozenset(name for group in table_groups for name in group)
        self._translator = Translator(
            domain, layout, computed=computed_functions.keys(), tabled=tabled_predicates
        )
        self._tables = Tables(layout, table_groups, self._rules)
        # Objects that the generated code uses, by their names in it.
        self._globals: dict[str, Any] = {
            "bits": bits,
            "union": union,
            "pairs": _can_form_pairs,
            "derived": self._tables.of,
            "UndefinedError": UndefinedError,
            "multiplied": multiplied,
            "divided": divided,
            "subtracted": operator.sub,
            "reduce": reduce,
        }
        for name, function in computed_functions.items():
            if name not in layout.index:
                raise UnknownNameError("predicate", name, layout.names)
            self._globals[f"computed_{layout.index[name]}"] = function

    def count_loops(self, meter: Meter) -> None:
        """Count every object that a loop visits, in all functions that are compiled from now on."""

        def counted_bits(mask: int) -> Iterator[int]:
            for visited_object in bits(mask):
                meter.count_instances()
                yield visited_object

        def counted_tuples(tuples: _Tuples) -> _Tuples:
            for number, visited_objects in enumerate(tuples, 1):
                meter.count_instances()
                meter.hold(number * _TUPLE_BYTES)
                yield visited_objects

        # All loops of compiled code are over masks.
        self._globals["bits"] = counted_bits
        self._tables.visited = counted_tuples

    @on_own_stack
    def condition(self, formula: Formula, parameters: Sequence[Variable]) -> Callable[..., bool]:
        """Compile a condition to a function that tests it in a state.

        Args:
            formula: The condition.
            parameters: Its free variables: the parameters of the function, after the state.
        """
        with self._bounded(parameters) as (names, env):
            expression = self._translator.truth_code(formula, env)
            lines = [f"    return bool({expression})"]
            if self._reads_numbers(formula):
                # A condition that cannot be evaluated does not hold, and neither does its negation.
                lines = ["    try:", f"    {lines[0]}", *_UNDEFINED, "        return False"]
            return self._function(names, lines)

    @on_own_stack
    def undefined_part(
        self, formula: Formula, parameters: Sequence[Variable]
    ) -> Callable[..., UndefinedError | None]:
        """Compile a condition to a function that says why it is undefined.

        A condition is undefined if it divides by zero or reads a number that was never set. The
        function returns the error, or None if the condition is defined.

        Args:
            formula: The condition.
            parameters: Its free variables: the parameters of the function, after the state.
        """
        with self._bounded(parameters) as (names, env):
            expression = self._translator.truth_code(formula, env)
            lines = ["    try:", f"        {expression}", "    except UndefinedError as error:"]
            lines += ["        return error", "    return None"]
            return self._function(names, lines)

    @on_own_stack
    def value(
        self, expression: Expression, parameters: Sequence[Variable]
    ) -> Callable[..., Rational]:
        """Compile a numeric expression to a function that computes its value in a state.

        Args:
            expression: The expression.
            parameters: Its free variables: the parameters of the function, after the state.
        """
        with self._bounded(parameters) as (names, env):
            code = self._translator.expression_code(expression, env)
            return self._function(names, [f"    return {code}"])

    def _reads_numbers(self, formula: Formula) -> bool:
        """Return whether a condition may need a number that has no value."""
        return bool(self._translator.layout.functions) and self.domain.reads_numbers(formula)

    @on_own_stack
    def settled(self, formula: Formula) -> Formula:
        """Return a formula with constants in place of the atoms that are always true or false.

        Only atoms without arguments are replaced, since domains use them as switches. If a switch
        ``(fast)`` is always true, ``(and (fast) (at ?x))`` becomes ``(at ?x)``.
        """
        if isinstance(formula, Atom) and not formula.terms:
            return self._settled_atom(formula)
        split = formula.split(True)
        if split is None:
            return formula
        # A conjunction is settled by an operand that is false, a disjunction by one that is true.
        deciding = not split.every
        open_operands: list[Formula] = []
        for operand, wanted in split.parts:
            settled = self.settled(operand)
            if not wanted:
                settled = _negation(settled)
            if not isinstance(settled, Truth):
                open_operands.append(settled)
            elif settled.value is deciding:
                return Truth(deciding)
        if not open_operands:
            return Truth(split.every)
        return And.of(open_operands) if split.every else Or.of(open_operands)

    def _settled_atom(self, atom: Atom) -> Formula:
        """Return the truth of an atom whose only rule has a constant body, or the atom itself."""
        rules = self._translator.axioms.get(atom.predicate, ())
        if len(rules) != 1:
            return atom
        [(_, body)] = rules
        split = body.split(True)
        # An empty conjunction is true, an empty disjunction false.
        if split is None or split.parts:
            return atom
        return Truth(split.every)

    @on_own_stack
    def instances(self, formula: Formula, size: Callable[[Variable], int]) -> int:
        """Count the atoms that testing a condition looks at, if it has to look at all of them."""
        with self._bounded(()):
            return self._translator.instances(formula, size)

    @on_own_stack
    def members(
        self, formula: Formula, variable: Variable, parameters: Sequence[Variable]
    ) -> Callable[..., int]:
        """Compile a condition to a function that computes which objects satisfy it, as a mask.

        Args:
            formula: The condition.
            variable: The variable that stands for the objects.
            parameters: Its other free variables: the parameters of the function, after the state.
        """
        with self._bounded(parameters) as (names, env):
            expression = self._translator.members_code(formula, variable, env)
            return self._function(names, [f"    return {expression}"])

    @on_own_stack
    def first_failure(
        self, tests: Sequence[Formula], parameters: Sequence[Variable]
    ) -> Callable[..., int]:
        """Compile several tests to one function that finds the first test that fails.

        A single function saves calls, which take most of the time. A test that reads an undefined
        number counts as failed.

        Args:
            tests: The conditions.
            parameters: Their free variables: the parameters of the function, after the state.

        Returns:
            The function; it returns the index of the first failing test, or -1 if none fails.
        """
        with self._bounded(parameters) as (parameter_names, env):
            lines = []
            for test_index, test in enumerate(tests):
                expression = self._translator.truth_code(test, env)
                return_if_false = f"    if not ({expression}): return {test_index}"
                # Only tests of numbers pay for the handler: no other can meet an undefined one.
                if self._reads_numbers(test):
                    lines += [
                        "    try:",
                        f"    {return_if_false}",
                        *_UNDEFINED,
                        f"        return {test_index}",
                    ]
                else:
                    lines.append(return_if_false)
            lines.append("    return -1")
            return self._function(parameter_names, lines)

    @on_own_stack
    def effect(
        self, effect: Effect, parameters: Sequence[Variable]
    ) -> Callable[..., tuple[Updates, Updates]]:
        """Compile an effect to a function that computes its additions and deletions.

        The function evaluates the conditions of the effect in the state that it is called with. It
        returns all additions, but only the deletions of atoms that hold.

        Args:
            effect: The effect.
            parameters: Its free variables: the parameters of the function, after the state.
        """
        with self._bounded(parameters) as (names, env):
            lines = ["    adds = []", "    dels = []"]
            # Neighbours that have the same variables and condition share their loops.
            for _, group in groupby(clauses(effect, env), key=_scope_of):
                lines += _literal_lines(list(group), env, self._translator)
            lines.append("    return adds, dels")
            return self._function(names, lines)

    @on_own_stack
    def numeric_effect(
        self, effect: Effect, parameters: Sequence[Variable]
    ) -> Callable[..., list[NumericUpdate]]:
        """Compile an effect to a function that computes its changes of numbers.

        Each change is the key of a function term, the kind of change, and an amount. Conditions and
        amounts are evaluated in the state that the function is called with.

        Args:
            effect: The effect.
            parameters: Its free variables: the parameters of the function, after the state.
        """
        with self._bounded(parameters) as (names, env):
            lines = ["    updates = []"]
            for clause in numeric_clauses(effect, env):
                lines += _numeric_lines(clause, env, self._translator)
            lines.append("    return updates")
            return self._function(names, lines)

    @on_own_stack
    def _rules(self, predicate: str) -> list[Rule]:
        """Compile the rules of a derived predicate.

        Each function takes a state and all arguments of the predicate but the last. It returns the
        mask of the objects that the last argument may be; without arguments the mask is 1 or 0.
        """
        rules: list[Rule] = []
        for head, body in self._translator.axioms[predicate]:
            with self._bounded(head[:-1]) as (names, env):
                if head:
                    expression = self._translator.members_code(body, head[-1], env)
                else:
                    expression = f"1 if {self._translator.truth_code(body, env)} else 0"
                rules.append((head, self._function(names, [f"    return {expression}"])))
        return rules

    def _function(self, names: list[str], lines: list[str]) -> Callable[..., Any]:
        """Compile a function from the lines of its body.

        Python limits how deep expressions nest. The translator therefore moves parts of a long
        condition to functions of their own, which are compiled with this one.

        Args:
            names: Names of the parameters after the state, each the number of an object.
            lines: The lines of the body, indented.

        Returns:
            The compiled function.
        """
        functions = [_source("compiled", names, lines)]
        for name, parameters, expression in self._translator.functions_apart():
            functions.append(_source(name, parameters, [f"    return {expression}"]))
        source = "\n".join(functions)
        # A copy for each function: "compiled" and the names of its parts are used again.
        scope = dict(self._globals)
        scope.update((name, value) for value, name in self._translator.constants.items())
        # The source is built from trees: all names of the domain in it are quoted by repr.
        exec(compile(source, f"<{self.domain.name!r}>", "exec"), scope)  # noqa: S102
        function: Callable[..., Any] = scope["compiled"]
        return function

    @contextmanager
    def _bounded(
        self, parameters: Sequence[Variable]
    ) -> Iterator[tuple[list[str], dict[str, str]]]:
        """Name the parameters of a function while its code is generated in the ``with`` block.

        If the code exceeds Python's limits on nesting (``SyntaxError``, ``MemoryError``), an
        :class:`InputError` is raised instead.

        Args:
            parameters: The parameters.

        Yields:
            Their names in the code, ``a0``, ``a1`` and so on, and the same by the variables' names.
        """
        # An earlier function may have failed half-way and left parts behind.
        self._translator.forget()
        names = [f"a{index}" for index in range(len(parameters))]
        variable_names = [variable.name for variable in parameters]
        try:
            yield names, dict(zip(variable_names, names, strict=True))
        except (SyntaxError, MemoryError) as error:
            raise InputError(
                "a condition or effect is nested too deeply",
                where=f"domain {self.domain.name!r}",
                expected="at most 250 levels of connectives and quantifiers",
            ) from error


def _negation(formula: Formula) -> Formula:
    """Return the negation of a formula; of a constant, the other constant."""
    if isinstance(formula, Truth):
        return formula.negated()
    return Not(formula)


def _scope_of(clause: Clause) -> tuple[tuple[Variable, ...], Formula]:
    """Return the quantified variables and the condition of a literal."""
    return clause.variables, clause.condition


def _source(name: str, parameters: Sequence[str], lines: Sequence[str]) -> str:
    """Return the Python source of a function whose first parameter is the state ``s``.

    Args:
        name: Name of the function.
        parameters: Names of the parameters after ``s``.
        lines: The indented lines of its body.
    """
    body = "\n".join(lines)
    heading = [f"def {name}({', '.join(['s', *parameters])}):", "    u = s.universe"]
    # Local names are faster than attributes, so the tables that the body uses become local names.
    for table, expression in _TABLES.items():
        if f"{table}[" in body:
            heading.append(f"    {table} = {expression}")
    return "\n".join([*heading, body])


def _can_form_pairs(
    names: Sequence[str],
    first_mask: int,
    second_mask: int,
    partners: Iterable[tuple[int, int]],
    pair_count: int | None,
) -> bool:
    """Return whether ``pair_count`` disjoint pairs of objects exist.

    Args:
        names: Names of the objects.
        first_mask: The objects of the first side, as a mask.
        second_mask: The objects of the second side, as a mask.
        partners: For objects of the first side, those of the second that they fit, as a mask.
        pair_count: The number of pairs; without it as many as the smaller side has objects.
    """
    needed_pairs = pair_count
    if needed_pairs is None:
        needed_pairs = min(first_mask.bit_count(), second_mask.bit_count())
    # Disjoint pairs are a matching of this bipartite graph.
    edges = {}
    for first_object, partner_mask in partners:
        # No object is its own partner.
        others = partner_mask & ~(1 << first_object)
        for second_object in bits(others):
            edges[names[first_object], names[second_object]] = 1
    return bool(Bits(1).paired(edges, needed_pairs))
