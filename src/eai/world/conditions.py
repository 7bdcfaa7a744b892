"""Conditions, translated to Python expressions over a state.

Idea: a condition has two translations. Its *truth* is an expression for one binding of its
variables. Its *mask* in one variable is an expression of the set of all objects that satisfy it: an
atom with one open argument is a row, a column or a mask of the state, and the connectives are the
operations of integers. So ``exists y (next_to(c, y) and ontop(x, y))`` costs one AND. A condition
that has no mask becomes a loop over the objects that the rest of the condition leaves.

Invariant: a mask may contain bits outside the universe (the negation of a mask has them), so it is
always joined with the range of its variable before it is read as a set.

Cost: a quantifier whose body has a mask costs a few operations on integers of a bit per object; one
without costs its body once for every object in its range (:meth:`Translator.instances` counts).

The expressions are Python, in which ``s`` is the state; ``U``, ``R``, ``C`` and ``W`` are its
masks, rows, columns and wide tables; ``N`` and ``F`` are its numbers that actions change and those
that stay; ``u`` is the universe, ``T`` its types and ``K`` its
constants.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from eai.errors import InputError, UnknownNameError
from eai.logic import (
    TRUE,
    Algebra,
    And,
    Arithmetic,
    Atom,
    Count,
    Counting,
    Equal,
    Exists,
    Expression,
    Formula,
    ForPairs,
    Not,
    NumericCondition,
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
    """Translates conditions of one domain to Python expressions."""

    def __init__(
        self,
        domain: Domain,
        layout: Layout,
        *,
        computed: Collection[str] = (),
        tabled: Collection[str] = (),
    ) -> None:
        """Collect the rules of derived predicates, and begin without fresh names."""
        self.domain = domain
        self.layout = layout
        self.computed = computed
        self.tabled = tabled
        # By predicate: the variables of the head, and the body, of each of its rules.
        self.axioms: dict[str, list[tuple[tuple[Variable, ...], Formula]]] = {}
        for axiom in domain.axioms:
            predicate = axiom.head.predicate
            parameters = axiom.parameters
            if len({variable.name for variable in parameters}) != len(axiom.head.terms):
                raise InputError(
                    f"the head of a rule for {predicate!r} is not made of different variables",
                    expected="?variables, each of them once",
                )
            self.axioms.setdefault(predicate, []).append((parameters, axiom.body))
        # Numbers for names of loop variables.
        self._fresh = itertools.count()
        # Fractions that expressions mention, with the names of the variables that hold them.
        self.constants: dict[Fraction, str] = {}
        # Parts that are put into functions: their name, condition, open variable and parameters.
        self._apart: list[tuple[str, Formula, str, list[str]]] = []

    def new_variable_name(self) -> str:
        """Return a Python name that was not used before."""
        return f"v{next(self._fresh)}"

    def term_code(self, term: Term, env: Environment) -> str:
        """Return the Python code of the index of a term's object.

        The index of a variable's object is in a Python variable. A constant of the domain is looked
        up in the table ``K``, any other object in the universe ``u``.

        Args:
            term: The term.
            env: Names of Python variables, by the names of variables.
        """
        if isinstance(term, Variable):
            try:
                return env[term.name]
            except KeyError:
                raise InputError(
                    f"variable {term.name!r} is bound by no quantifier or parameter",
                    where=f"domain {self.domain.name!r}",
                ) from None
        return f"K[{term!r}]" if term in self.domain.constants else f"u.number({term!r})"

    def type_mask_code(self, variable: Variable) -> str:
        """Return the Python code of the mask of all objects of a variable's types.

        A problem may have types that its domain does not declare; these are looked up in the
        universe ``u`` when the code runs.
        """
        declared = self.domain.types
        if any(name != "object" and name not in declared for name in variable.types):
            return f"u.mask({variable.types!r})"
        if "object" in variable.types:
            return "u.everything"
        masks = [f"T[{name!r}]" for name in variable.types]
        return f"({' | '.join(masks) or '0'})"

    def predicate_id(self, atom: Atom) -> int:
        """Return the index of an atom's predicate among the predicates of the domain.

        Raises:
            UnknownNameError: If there is no such predicate.
            InputError: If the predicate takes another number of arguments.
        """
        predicate_id = self.layout.index.get(atom.predicate)
        if predicate_id is None:
            raise UnknownNameError("predicate", atom.predicate, self.layout.names)
        if len(atom.terms) != self.layout.arity[predicate_id]:
            raise InputError(
                f"{atom.predicate} takes {counted(self.layout.arity[predicate_id], 'argument')}, "
                f"not {len(atom.terms)}"
            )
        return predicate_id

    def is_inlined(self, predicate: str) -> bool:
        """Return whether a predicate's rules are inserted in its place."""
        return (
            predicate in self.axioms
            and predicate not in self.tabled
            and predicate not in self.computed
        )

    def line_code(self, name: str, predicate_id: int, terms: Sequence[str]) -> str:
        """Return the Python code of the mask of last arguments for given other arguments.

        Atoms are stored as masks over their last argument. For ``on(a, ?y)`` the result is the code
        of the row of ``a`` in the table of ``on``.

        Args:
            name: Name of the predicate.
            predicate_id: Index of the predicate.
            terms: Expressions of all arguments but the last.
        """
        if name in self.computed:
            return f"computed_{predicate_id}({', '.join(['s', *terms])})"
        unary, rows, _, wide = self.table_names(name, predicate_id)
        if self.layout.arity[predicate_id] < 2:
            return unary
        if self.layout.arity[predicate_id] == 2:
            return f"{rows}[{terms[0]}]"
        return f"{wide}.get(({', '.join(terms)}), 0)"

    def table_names(self, name: str, predicate_id: int) -> tuple[str, ...]:
        """Return the expressions of the mask, rows, columns and wide table of a predicate."""
        if name in self.tabled:
            return tuple(f"derived(s, {predicate_id})[{i}]" for i in range(4))
        return (
            f"U[{predicate_id}]",
            f"R[{predicate_id}]",
            f"C[{predicate_id}]",
            f"W[{predicate_id}]",
        )

    def expression_code(self, expression: Expression, env: Environment) -> str:
        """Return the Python code of an expression's value.

        When the code runs, a term without a value raises an error. Numbers that actions change are
        looked up in the table ``N``, others in ``F``.

        Args:
            expression: The expression.
            env: Names of Python variables, by the names of its variables.
        """
        if isinstance(expression, Atom):
            key = self.function_key(expression, env)
            is_changing = expression.predicate in self.layout.changed_functions
            return f"{'N' if is_changing else 'F'}[{key}]"
        if isinstance(expression, int):
            return f"({expression})"
        if isinstance(expression, Fraction):
            # The code only names the fraction: to make it takes longer than to compare it.
            return self.constants.setdefault(expression, f"q{len(self.constants)}")
        operands = [self.expression_code(operand, env) for operand in expression.operands]
        return _arithmetic_code(expression, operands)

    def function_key(self, term: Atom, env: Environment) -> str:
        """Return the code of a function term's key in a state.

        Raises:
            UnknownNameError: If the function is not declared.
            InputError: If it is declared for another number of terms.
        """
        # The key is a tuple, such as "(3, a0,)": the number of the function, then its arguments.
        functions = self.layout.functions
        if term.predicate not in functions:
            raise UnknownNameError("function", term.predicate, tuple(functions))
        arity = len(self.domain.functions[term.predicate].parameters)
        if len(term.terms) != arity:
            raise InputError(
                f"{term.predicate} takes {counted(arity, 'argument')}, not {len(term.terms)}"
            )
        argument_codes = [self.term_code(argument, env) for argument in term.terms]
        return f"({', '.join([str(functions[term.predicate]), *argument_codes])},)"

    def functions_apart(self) -> Iterator[tuple[str, list[str], str]]:
        """Yield (name, parameters, expression) for each part with a function of its own.

        Translating one part may put others apart, so the list grows while it is worked off.
        """
        while self._apart:
            function_name, formula, open_variable, free_variables = self._apart.pop()
            parameters = [self.new_variable_name() for _ in free_variables]
            env = dict(zip(free_variables, parameters, strict=True))
            expression = (
                self._compute_mask_code(formula, open_variable, env)
                if open_variable
                else self._compute_truth_code(formula, env)
            )
            yield function_name, parameters, expression

    def forget(self) -> None:
        """Forget the parts of a function that could not be compiled."""
        self._apart.clear()

    def truth_code(self, formula: Formula, env: Environment) -> str:
        """Translate a condition to an expression that is true or false."""
        return self._move_to_function(formula, "", env) or self._compute_truth_code(formula, env)

    def _move_to_function(self, formula: Formula, name: str, env: Environment) -> str:
        """Move every twentieth level of a condition to a function of its own.

        Args:
            formula: The condition.
            name: The variable of its mask; empty if its truth is computed.
            env: Python expressions of the variables around it.

        Returns:
            The code of the function's call; empty at all other levels.
        """
        # By depth and not by size, since it is nesting that Python limits.
        if not formula.depth or formula.depth % _MAX_LEVELS:
            return ""
        function_name = f"part_{self.new_variable_name()}"
        free_variables = sorted(formula.free_names & env.keys())
        self._apart.append((function_name, formula, name, free_variables))
        arguments = ["s", *(env[variable] for variable in free_variables)]
        return f"{function_name}({', '.join(arguments)})"

    def _compute_truth_code(self, formula: Formula, env: Environment) -> str:
        """Return the code of a condition's truth, as a single expression.

        ``(and (on ?x) (not (= ?x ?y)))`` becomes an expression over masks of the state ``s``.

        Args:
            formula: The condition.
            env: Names of Python variables, by the names of its free variables.
        """
        if isinstance(formula, Atom):
            return self._atom_truth_code(formula, env)
        if isinstance(formula, Equal):
            return f"({self.term_code(formula.left, env)} == {self.term_code(formula.right, env)})"
        if isinstance(formula, NumericCondition):
            sign = "==" if formula.sign == "=" else formula.sign
            left = self.expression_code(formula.left, env)
            return f"({left} {sign} {self.expression_code(formula.right, env)})"
        if isinstance(formula, Count):
            members = self.members_code(formula.body, formula.variable, env)
            return f"({members}.bit_count() {_SIGNS[formula.comparison]} {formula.number})"
        if isinstance(formula, ForPairs):
            return self._pairs_truth_code(formula, env)
        if isinstance(formula, Quantifier):
            # "For all" means that there is no counterexample.
            exists = self._exists_truth_code(formula.variables, _deciding_body(formula), env)
            return exists if formula.wants else f"(not {exists})"
        _check_is_state(formula)
        return formula.combine(
            _TESTS, [self.truth_code(operand, env) for operand in formula.operands]
        )

    def _atom_truth_code(self, atom: Atom, env: Environment) -> str:
        """Return the code of an atom's truth: a bit of its line, or its rules' bodies."""
        predicate_id = self.predicate_id(atom)
        term_codes = [self.term_code(term, env) for term in atom.terms]
        if self.is_inlined(atom.predicate):
            rules = self.axioms[atom.predicate]
            rule_tests = [self._rule_truth_code(*rule, term_codes) for rule in rules]
            return f"({' or '.join(rule_tests)})"
        line_mask = self.line_code(atom.predicate, predicate_id, term_codes[:-1])
        return f"({line_mask} >> {term_codes[-1]} & 1)" if term_codes else line_mask

    def _pairs_truth_code(self, formula: ForPairs, env: Environment) -> str:
        """Return the Python code that tests whether enough disjoint pairs of objects exist."""
        first_mask = self.type_mask_code(formula.first)
        second_mask = self.type_mask_code(formula.second)
        loop_name = self.new_variable_name()
        partners = self.members_code(
            formula.body, formula.second, {**env, formula.first.name: loop_name}
        )
        partner_rows = f"(({loop_name}, {partners}) for {loop_name} in bits({first_mask}))"
        return f"pairs(u.names, {first_mask}, {second_mask}, {partner_rows}, {formula.number})"

    def _rule_truth_code(self, head: tuple[Variable, ...], body: Formula, terms: list[str]) -> str:
        """Return the code of an atom's truth by one rule.

        Args:
            head: The variables of the rule's head.
            body: Its body.
            terms: The expressions of the atom's terms.
        """
        env = {variable.name: term for variable, term in zip(head, terms, strict=True)}
        # A rule only applies to objects of its head's types.
        typed_variables = [variable for variable in head if "object" not in variable.types]
        tests = [
            f"{self.type_mask_code(variable)} >> {env[variable.name]} & 1"
            for variable in typed_variables
        ]
        tests.append(self.truth_code(body, env))
        return f"({' and '.join(tests)})"

    def _exists_truth_code(
        self, variables: Sequence[Variable], body: Formula, env: Environment
    ) -> str:
        """Return the code that tests whether objects satisfy a condition.

        Where the condition has a mask in the last variable, no loop is needed: some bit of it is
        set.

        Args:
            variables: The variables that stand for the objects.
            body: The condition.
            env: Names of Python variables, by the names of other variables.
        """
        if not variables:
            return self.truth_code(body, env)
        first_variable, *other_variables = variables
        if first_variable.name not in body.free_names:  # then any object does, if there is one
            rest = self._exists_truth_code(other_variables, body, env)
            return f"({self.type_mask_code(first_variable)} != 0 and {rest})"
        # The range first, so that the rest of the body is tested for fewer objects.
        candidates, remaining = self.split_candidates(
            body, first_variable, env, other_variables=other_variables
        )
        inner = Exists(tuple(other_variables), remaining) if other_variables else remaining
        if self._has_mask(inner, first_variable.name):
            return (
                f"({self._members_within_code(candidates, inner, first_variable.name, env)} != 0)"
            )
        loop_name = self.new_variable_name()
        test = self._exists_truth_code(
            other_variables, remaining, {**env, first_variable.name: loop_name}
        )
        return f"any({test} for {loop_name} in bits({candidates}))"

    def instances(self, formula: Formula, size: Callable[[Variable], int]) -> int:
        """Return how many atoms the compiled test of a condition reads in the worst case.

        A quantified variable that is handled by a bit mask costs nothing extra. Any other becomes
        a loop, which multiplies the atoms in its scope by its number of objects. The rule of a
        derived predicate counts as one atom.

        Args:
            formula: The condition.
            size: Returns the number of objects of a variable.
        """
        if isinstance(formula, Quantifier):
            if not formula.variables:
                return self.instances(formula.body, size)
            (first_variable, *other_variables), body = formula.variables, formula.body
            inner_condition = Exists(tuple(other_variables), body) if other_variables else body
            if first_variable.name not in inner_condition.free_names:
                return self.instances(inner_condition, size)
            if self._has_mask(inner_condition, first_variable.name):
                return self._mask_instances(inner_condition, size)
            return size(first_variable) * self.instances(inner_condition, size)
        if isinstance(formula, Count):
            if self._has_mask(formula.body, formula.variable.name):
                return self._mask_instances(formula.body, size)
            return size(formula.variable) * self.instances(formula.body, size)
        return sum([self.instances(operand, size) for operand in formula.operands]) or 1

    def _mask_instances(self, formula: Formula, size: Callable[[Variable], int]) -> int:
        """Return how many atoms the computation of a condition's mask reads."""
        atom_count = sum([self._mask_instances(operand, size) for operand in formula.operands]) or 1
        if isinstance(formula, Quantifier):
            for variable in formula.variables:
                if variable.name in formula.body.free_names:
                    atom_count *= size(variable)
        return atom_count

    def members_code(self, body: Formula, variable: Variable, env: Environment) -> str:
        """Return the Python code of the mask of a variable's objects that satisfy a condition.

        The mask is computed at once if the condition allows it, otherwise object by object.

        Args:
            body: The condition.
            variable: The variable.
            env: Python expressions of the variables that are bound around the condition.
        """
        candidates, remaining = self.split_candidates(body, variable, env)
        if self._has_mask(remaining, variable.name):
            return f"({self._members_within_code(candidates, remaining, variable.name, env)})"
        loop_name = self.new_variable_name()
        test = self.truth_code(remaining, {**env, variable.name: loop_name})
        return f"sum(1 << {loop_name} for {loop_name} in bits({candidates}) if {test})"

    def split_candidates(
        self,
        body: Formula,
        variable: Variable,
        env: Environment,
        *,
        other_variables: Sequence[Variable] = (),
    ) -> tuple[str, Formula]:
        """Split a conjunction into a bit mask of a variable's candidates and the remaining tests.

        For the variable ``y`` in ``red(y) and on(x, y) and heavier(y, z)``, where ``z`` is not yet
        bound, the mask is that of the red objects on which ``x`` is, and ``heavier(y, z)`` remains.

        Args:
            body: A condition.
            variable: The variable.
            env: Python expressions of the variables that are bound around the condition.
            other_variables: Variables that are bound later, inside the condition.

        Returns:
            Code of the mask, and the conjunction of the conjuncts that it does not cover.
        """
        name = variable.name
        bound_names = {name, *env} - {later.name for later in other_variables}
        masks = [self.type_mask_code(variable)]
        remaining_conjuncts = []
        # Where a number has no value, the order of the text decides: what stands behind a
        # comparison must not be tested before it.
        has_read_numbers = False
        for conjunct in conjuncts(body):
            has_read_numbers = has_read_numbers or self.domain.reads_numbers(conjunct)
            free_names = conjunct.free_names
            is_about_variable = name in free_names and free_names <= bound_names
            if is_about_variable and not has_read_numbers and self._has_mask(conjunct, name):
                masks.append(self._mask_code(conjunct, name, env))
            else:
                remaining_conjuncts.append(conjunct)
        remaining: Formula = TRUE
        if remaining_conjuncts:
            remaining = And.of(remaining_conjuncts)
        return " & ".join(masks), remaining

    def _members_within_code(
        self, span: str, condition: Formula, name: str, env: Environment
    ) -> str:
        """Translate the objects of a set that satisfy a condition, which has a mask."""
        if condition == TRUE:
            return span
        return f"{span} & {self._mask_code(condition, name, env)}"

    def _has_mask(self, formula: Formula, name: str) -> bool:
        """Return whether the objects that satisfy a condition can be computed as a mask.

        A row or a column of a table is one, and so is what bit operations make of them.

        Args:
            formula: The condition.
            name: Name of the variable that stands for the objects.
        """
        if name not in formula.free_names:
            # Masks are computed even where no object is left for which a number would be read,
            # and that it has no value may then matter to nobody.
            return not self.domain.reads_numbers(formula)
        if isinstance(formula, (Count, ForPairs, NumericCondition)):
            return False  # numbers are no sets of objects, so these are tested one by one
        if not isinstance(formula, Atom):
            return all(self._has_mask(operand, name) for operand in formula.operands)
        self.predicate_id(formula)
        # The objects of on(x, x) are on the diagonal of a table, which is not a line.
        positions = locations(formula, name)
        if len(positions) != 1:
            return False
        [position] = positions
        if self.is_inlined(formula.predicate):
            rules = self.axioms[formula.predicate]
            return all(self._has_mask(body, head[position].name) for head, body in rules)
        if position == len(formula.terms) - 1:
            return True
        # A first argument has a column; computed predicates have rows only.
        return len(formula.terms) == 2 and formula.predicate not in self.computed

    def _mask_code(self, formula: Formula, name: str, env: Environment) -> str:
        """Return the code of a condition's mask, which may have bits outside the universe.

        Args:
            formula: The condition.
            name: Name of the variable that stands for the objects of the mask.
            env: Python expressions of the variables that are bound around the condition.
        """
        # A condition without the variable holds for all objects or for none; -1 has all bits set.
        if name not in formula.free_names:
            return f"(-1 if {self.truth_code(formula, env)} else 0)"
        # The variable hides a parameter of the same name.
        env = {other: value for other, value in env.items() if other != name}
        return self._move_to_function(formula, name, env) or self._compute_mask_code(
            formula, name, env
        )

    def _compute_mask_code(self, formula: Formula, name: str, env: Environment) -> str:
        """Return the code of a condition's mask, as a single expression.

        Args:
            formula: The condition.
            name: Name of the variable that stands for the objects.
            env: Names of Python variables, by the names of other variables.
        """
        if isinstance(formula, Atom):
            return self._atom_mask_code(formula, name, env)
        if isinstance(formula, Equal):
            others = [term for term in formula.terms if not _is_variable(term, name)]
            # An object is equal to itself, so every object satisfies (= ?x ?x).
            return f"(1 << {self.term_code(others[0], env)})" if others else "-1"
        if isinstance(formula, Quantifier):
            exists = self._exists_mask_code(formula.variables, _deciding_body(formula), name, env)
            return exists if formula.wants else f"~{exists}"
        _check_is_state(formula)
        operands = [self._mask_code(operand, name, env) for operand in formula.operands]
        return formula.combine(_MASKS, operands)

    def _atom_mask_code(self, atom: Atom, name: str, env: Environment) -> str:
        """Return the code of the mask of objects for one variable of an atom.

        For ``on(x, y)`` and the variable ``y`` that is a row of the table, for ``x`` a column. The
        axioms of a derived predicate are put in its place if they are short.

        Args:
            atom: The atom, in which the variable occurs once.
            name: Name of the variable.
            env: Names of Python variables, by the names of the other variables.
        """
        predicate_id = self.predicate_id(atom)
        [position] = locations(atom, name)
        term_codes = []
        for term_index, term in enumerate(atom.terms):
            term_codes.append("" if term_index == position else self.term_code(term, env))
        if self.is_inlined(atom.predicate):
            rules = self.axioms[atom.predicate]
            rule_masks = [self._rule_mask_code(*rule, term_codes, position) for rule in rules]
            return f"({' | '.join(rule_masks)})"
        if position == len(term_codes) - 1:
            return self.line_code(atom.predicate, predicate_id, term_codes[:-1])
        _, _, columns, _ = self.table_names(atom.predicate, predicate_id)
        return f"{columns}[{term_codes[1]}]"

    def _exists_mask_code(
        self, variables: Sequence[Variable], body: Formula, name: str, env: Environment
    ) -> str:
        """Return the code of the mask of objects for which others exist.

        For ``exists y: on(x, y) and red(y)`` and the variable x, that is the union of the columns
        of all red objects.

        Args:
            variables: The variables that stand for the others.
            body: The condition.
            name: Name of the variable that stands for the objects of the mask.
            env: Names of Python variables, by the names of further variables.
        """
        if not variables:
            return self._mask_code(body, name, env)
        if isinstance(body, Or):  # each case leaves fewer objects to look at
            cases = (self._exists_mask_code(variables, case, name, env) for case in body.operands)
            return f"({' | '.join(cases)})"
        first_variable, *other_variables = variables
        if first_variable.name not in body.free_names:
            mask = self._exists_mask_code(other_variables, body, name, env)
            return f"({mask} if {self.type_mask_code(first_variable)} else 0)"
        candidates, remaining = self.split_candidates(
            body, first_variable, env, other_variables=other_variables
        )
        # (exists y (and f(y) (= x y))) is the set of f itself.
        both_names = {first_variable.name, name}
        is_equality = isinstance(remaining, Equal) and remaining.free_names == both_names
        if not other_variables and is_equality:
            return f"({candidates})"
        loop_name = self.new_variable_name()
        inner_env = {**env, first_variable.name: loop_name}
        inner_mask = self._exists_mask_code(other_variables, remaining, name, inner_env)
        return f"union({inner_mask} for {loop_name} in bits({candidates}))"

    def _rule_mask_code(
        self, head: tuple[Variable, ...], body: Formula, terms: list[str], position: int
    ) -> str:
        """Return the code of an atom's mask by one rule.

        Args:
            head: The variables of the rule's head.
            body: Its body.
            terms: The expressions of the atom's terms; that at the open position is not read.
            position: The open position.
        """
        env = {}
        masks = []
        for head_index, (variable, term) in enumerate(zip(head, terms, strict=True)):
            is_open = head_index == position
            if not is_open:
                env[variable.name] = term
            if "object" in variable.types:
                continue
            type_mask = self.type_mask_code(variable)
            if is_open:
                masks.append(type_mask)
            else:
                # A bound term has the type or not, so all objects pass, or none.
                masks.append(f"(-1 if {type_mask} >> {term} & 1 else 0)")
        masks.append(self._mask_code(body, head[position].name, env))
        return f"({' & '.join(masks)})"


def _check_is_state(formula: Formula) -> None:
    """Refuse formulas about time and about actions."""
    if not formula.is_derived or formula.is_linear:
        raise InputError(f"{type(formula).__name__} is not a condition on a single state")


def _deciding_body(formula: Quantifier) -> Formula:
    """Return the formula of bindings that decide a quantifier, as a conjunction if possible.

    One binding that satisfies it makes ``exists`` true; one that denies the body makes ``forall``
    false. A conjunction is best, since each conjunct narrows the range of a variable down.
    """
    return formula.body if formula.wants else _denial(formula.body)


def _denial(formula: Formula) -> Formula:
    """Return the negation of a formula, pushed inward where that gives a conjunction."""
    split = formula.split(False)
    if split is None or not split.every:
        return Not(formula)
    return And.of([part if wanted else _denial(part) for part, wanted in split.parts])


class _Expressions(Algebra[str]):
    """Builds Python expressions for truth values and masks.

    Sets may contain bits outside the universe.
    """

    def __init__(self, true: str, false: str, *, no: str, both: str, either: str) -> None:
        self.true, self.false = true, false
        self._no = no
        self._both = both
        self._either = either

    def negation(self, value: str) -> str:
        return f"({self._no}{value})"

    def all_of(self, values: Iterable[str]) -> str:
        return f"({self._both.join(values) or self.true})"

    def any_of(self, values: Iterable[str]) -> str:
        return f"({self._either.join(values) or self.false})"

    def differ(self, left: str, right: str) -> str:
        # Both sides are negated, which changes nothing but makes truth values of numbers: without
        # it, 4 ^ 1 would be true although both are.
        return f"(({self._no}{left}) ^ ({self._no}{right}))"


_TESTS = _Expressions("True", "False", no="not ", both=" and ", either=" or ")
_MASKS = _Expressions("-1", "0", no="~", both=" & ", either=" | ")


_FUNCTIONS = {"-": "subtracted", "*": "multiplied", "/": "divided"}
_MAX_OPERANDS = 50
"""Maximum number of operands in one Python expression: its compiler recurses over long ones."""


def _arithmetic_code(expression: Arithmetic, operands: Sequence[str]) -> str:
    """Return the code of an arithmetic operation on translated operands.

    Products of values and quotients are calculated by functions that bound their digits, and that
    refuse to divide by zero.
    """
    sign = expression.sign
    if sign == "-" and len(operands) == 1:
        return f"(-{operands[0]})"
    if sign == "+" and len(operands) > _MAX_OPERANDS:
        return f"sum(({', '.join(operands)}))"
    if sign == "+" or (sign == "-" and len(operands) <= _MAX_OPERANDS):
        return f"({f' {sign} '.join(operands)})"
    if len(operands) == 2:
        return f"{_FUNCTIONS[sign]}({operands[0]}, {operands[1]})"
    return f"reduce({_FUNCTIONS[sign]}, ({', '.join(operands)},))"


def _is_variable(term: Term, name: str) -> bool:
    """Return whether a term is the variable of a name."""
    return isinstance(term, Variable) and term.name == name


def locations(atom: Atom, name: str) -> list[int]:
    """Return the positions of a variable among the arguments of an atom."""
    return [i for i, term in enumerate(atom.terms) if _is_variable(term, name)]


_MAX_LEVELS = 20
"""Levels of a condition after which it goes on in a function of its own: Python's parser takes at
most 200 parentheses inside each other."""

_SIGNS: Mapping[Counting, str] = {"exactly": "==", "at least": ">=", "at most": "<="}
