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
        self.domain = domain
        self.layout = layout
        self.computed = computed
        self.tabled = tabled
        # By predicate: the variables of the head, and the body, of each of its rules.
        self.axioms: dict[str, list[tuple[tuple[Variable, ...], Formula]]] = {}
        for axiom in domain.axioms:
            name = axiom.head.predicate
            parameters = axiom.parameters
            if len({variable.name for variable in parameters}) != len(axiom.head.terms):
                raise InputError(
                    f"the head of a rule for {name!r} is not made of different variables",
                    expected="?variables, each of them once",
                )
            self.axioms.setdefault(name, []).append((parameters, axiom.body))
        # Numbers for names of loop variables.
        self._fresh = itertools.count()
        # Fractions that expressions mention, with the names of the variables that hold them.
        self.constants: dict[Fraction, str] = {}
        # Parts that are put into functions: their name, condition, open variable and parameters.
        self._apart: list[tuple[str, Formula, str, list[str]]] = []

    def variable(self) -> str:
        """Return a Python name that was not used before."""
        return f"v{next(self._fresh)}"

    def term(self, term: Term, env: Environment) -> str:
        """Return the code of a term's object number.

        A variable has a number in a Python variable. Constants of the domain are looked up in
        ``K``, which is filled once for each universe, other objects in the universe itself.
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

    def range(self, variable: Variable) -> str:
        """Return the code of the mask of a variable's objects.

        A problem may know kinds of objects that its domain does not declare: the universe says.
        """
        declared = self.domain.types
        if any(name != "object" and name not in declared for name in variable.types):
            return f"u.mask({variable.types!r})"
        if "object" in variable.types:
            return "u.everything"
        masks = [f"T[{name!r}]" for name in variable.types]
        return f"({' | '.join(masks) or '0'})"

    def predicate(self, atom: Atom) -> int:
        """Return the number of an atom's predicate.

        Raises:
            UnknownNameError: If there is no such predicate.
            InputError: If it takes another number of arguments.
        """
        number = self.layout.index.get(atom.predicate)
        if number is None:
            raise UnknownNameError("predicate", atom.predicate, self.layout.names)
        if len(atom.terms) != self.layout.arity[number]:
            raise InputError(
                f"{atom.predicate} takes {counted(self.layout.arity[number], 'argument')}, "
                f"not {len(atom.terms)}"
            )
        return number

    def is_inlined(self, predicate: str) -> bool:
        """Return whether a predicate's rules are inserted in its place."""
        return (
            predicate in self.axioms
            and predicate not in self.tabled
            and predicate not in self.computed
        )

    def line(self, name: str, p: int, terms: Sequence[str]) -> str:
        """Return the code of the mask of last arguments, given the other arguments.

        Atoms are stored as masks over their last argument: a predicate of two arguments has a row
        of masks, one for each first argument.

        Args:
            name: Name of the predicate.
            p: Number of the predicate.
            terms: Expressions of all arguments but the last.
        """
        if name in self.computed:
            return f"computed_{p}({', '.join(['s', *terms])})"
        unary, rows, _, wide = self.tables(name, p)
        if self.layout.arity[p] < 2:
            return unary
        if self.layout.arity[p] == 2:
            return f"{rows}[{terms[0]}]"
        return f"{wide}.get(({', '.join(terms)}), 0)"

    def tables(self, name: str, p: int) -> tuple[str, ...]:
        """Return the expressions of the mask, rows, columns and wide table of a predicate."""
        if name in self.tabled:
            return tuple(f"derived(s, {p})[{i}]" for i in range(4))
        return f"U[{p}]", f"R[{p}]", f"C[{p}]", f"W[{p}]"

    def expression(self, expression: Expression, env: Environment) -> str:
        """Return the code of an expression's value. An undefined term raises an error.

        Numbers that change are looked up in ``N``, others in ``F``.

        Args:
            expression: The expression.
            env: Names of Python variables, by the names of its variables.
        """
        if isinstance(expression, Atom):
            key = self.function_key(expression, env)
            changes = expression.predicate in self.layout.changed_functions
            return f"{'N' if changes else 'F'}[{key}]"
        if isinstance(expression, int):
            return f"({expression})"
        if isinstance(expression, Fraction):
            # Made once: to make a fraction takes longer than to compare it.
            return self.constants.setdefault(expression, f"q{len(self.constants)}")
        operands = [self.expression(operand, env) for operand in expression.operands]
        return _calculated(expression, operands)

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
        numbers = [self.term(argument, env) for argument in term.terms]
        return f"({', '.join([str(functions[term.predicate]), *numbers])},)"

    def parts_apart(self) -> Iterator[tuple[str, list[str], str]]:
        """Yield (name, parameters, expression) for each part with a function of its own.

        Translating one part may put others apart, so the list grows while it is worked off.
        """
        while self._apart:
            function, formula, name, free = self._apart.pop()
            parameters = [self.variable() for _ in free]
            env = dict(zip(free, parameters, strict=True))
            expression = self._mask_of(formula, name, env) if name else self._truth(formula, env)
            yield function, parameters, expression

    def forget(self) -> None:
        """Forget the parts of a function that was not finished."""
        self._apart.clear()

    def truth(self, formula: Formula, env: Environment) -> str:
        """Translate a condition to an expression that is true or false."""
        return self._put_apart(formula, "", env) or self._truth(formula, env)

    def _put_apart(self, formula: Formula, name: str, env: Environment) -> str:
        """Return a call of a separate function at every twentieth level, else "".

        Args:
            formula: The condition.
            name: The variable of its mask; empty if its truth is meant.
            env: The expressions of the variables around it.
        """
        # By depth and not by size: it is nesting that Python limits.
        if not formula.depth or formula.depth % _MAX_LEVELS:
            return ""
        function = f"part_{self.variable()}"
        free = sorted(formula.free_names & env.keys())
        self._apart.append((function, formula, name, free))
        arguments = ["s", *(env[variable] for variable in free)]
        return f"{function}({', '.join(arguments)})"

    def _truth(self, formula: Formula, env: Environment) -> str:
        """Return the code of a condition's truth, as a single expression.

        ``(and (on ?x) (not (= ?x ?y)))`` becomes an expression over masks of the state ``s``.

        Args:
            formula: The condition.
            env: Names of Python variables, by the names of its free variables.
        """
        if isinstance(formula, Atom):
            return self._atom_truth(formula, env)
        if isinstance(formula, Equal):
            return f"({self.term(formula.left, env)} == {self.term(formula.right, env)})"
        if isinstance(formula, NumericCondition):
            sign = "==" if formula.sign == "=" else formula.sign
            left = self.expression(formula.left, env)
            return f"({left} {sign} {self.expression(formula.right, env)})"
        if isinstance(formula, Count):
            members = self.members(formula.body, formula.variable, env)
            return f"({members}.bit_count() {_SIGNS[formula.comparison]} {formula.number})"
        if isinstance(formula, ForPairs):
            return self._pairs_truth(formula, env)
        if isinstance(formula, Quantifier):
            # "For all" means that there is no counterexample.
            exists = self._exists_truth(formula.variables, _deciding(formula), env)
            return exists if formula.wants else f"(not {exists})"
        _check_is_state(formula)
        return formula.combine(_TESTS, [self.truth(operand, env) for operand in formula.operands])

    def _atom_truth(self, atom: Atom, env: Environment) -> str:
        """Return the code of an atom's truth: a bit of its line, or its rules' bodies."""
        p = self.predicate(atom)
        terms = [self.term(term, env) for term in atom.terms]
        if self.is_inlined(atom.predicate):
            rules = self.axioms[atom.predicate]
            return f"({' or '.join(self._rule_truth(*rule, terms) for rule in rules)})"
        line = self.line(atom.predicate, p, terms[:-1])
        return f"({line} >> {terms[-1]} & 1)" if terms else line

    def _pairs_truth(self, formula: ForPairs, env: Environment) -> str:
        """Return the code that tests whether enough disjoint pairs exist."""
        first = self.range(formula.first)
        second = self.range(formula.second)
        name = self.variable()
        partners = self.members(formula.body, formula.second, {**env, formula.first.name: name})
        rows = f"(({name}, {partners}) for {name} in bits({first}))"
        return f"pairs(u.names, {first}, {second}, {rows}, {formula.number})"

    def _rule_truth(self, head: tuple[Variable, ...], body: Formula, terms: list[str]) -> str:
        """Return the code of an atom's truth by one rule.

        Args:
            head: The variables of the rule's head.
            body: Its body.
            terms: The expressions of the atom's terms.
        """
        env = {variable.name: term for variable, term in zip(head, terms, strict=True)}
        # A rule only applies to objects of its head's types.
        typed = [variable for variable in head if "object" not in variable.types]
        tests = [f"{self.range(v)} >> {env[v.name]} & 1" for v in typed]
        tests.append(self.truth(body, env))
        return f"({' and '.join(tests)})"

    def _exists_truth(self, variables: Sequence[Variable], body: Formula, env: Environment) -> str:
        """Return the code that tests whether objects satisfy a condition.

        Where the condition has a mask in the last variable, no loop is needed: some bit of it is
        set.

        Args:
            variables: The variables that stand for the objects.
            body: The condition.
            env: Names of Python variables, by the names of other variables.
        """
        if not variables:
            return self.truth(body, env)
        first, *other_variables = variables
        if first.name not in body.free_names:  # then any object does, if there is one
            return (
                f"({self.range(first)} != 0 and {self._exists_truth(other_variables, body, env)})"
            )
        # The range first, so that the rest of the body is tested for fewer objects.
        span, remaining = self.narrowed(body, first, env, other_variables=other_variables)
        inner = Exists(tuple(other_variables), remaining) if other_variables else remaining
        if self._has_mask(inner, first.name):
            return f"({self._within(span, inner, first.name, env)} != 0)"
        name = self.variable()
        test = self._exists_truth(other_variables, remaining, {**env, first.name: name})
        return f"any({test} for {name} in bits({span}))"

    def instances(self, formula: Formula, size: Callable[[Variable], int]) -> int:
        """Return how many atoms a test of a condition reads in the worst case.

        A variable for which a mask stands counts once; every other one multiplies what is below
        it by its objects. The rule of a derived predicate counts as one atom.
        """
        if isinstance(formula, Quantifier):
            if not formula.variables:
                return self.instances(formula.body, size)
            (first, *other_variables), body = formula.variables, formula.body
            inner = Exists(tuple(other_variables), body) if other_variables else body
            if first.name not in inner.free_names:
                return self.instances(inner, size)
            if self._has_mask(inner, first.name):
                return self._mask_instances(inner, size)
            return size(first) * self.instances(inner, size)
        if isinstance(formula, Count):
            if self._has_mask(formula.body, formula.variable.name):
                return self._mask_instances(formula.body, size)
            return size(formula.variable) * self.instances(formula.body, size)
        return sum([self.instances(operand, size) for operand in formula.operands]) or 1

    def _mask_instances(self, formula: Formula, size: Callable[[Variable], int]) -> int:
        """Return how many atoms the computation of a condition's mask reads."""
        count = sum([self._mask_instances(operand, size) for operand in formula.operands]) or 1
        if isinstance(formula, Quantifier):
            for variable in formula.variables:
                if variable.name in formula.body.free_names:
                    count *= size(variable)
        return count

    def members(self, body: Formula, variable: Variable, env: Environment) -> str:
        """Return the code of the mask of a variable's objects that satisfy a condition."""
        span, remaining = self.narrowed(body, variable, env)
        if self._has_mask(remaining, variable.name):
            return f"({self._within(span, remaining, variable.name, env)})"
        name = self.variable()
        test = self.truth(remaining, {**env, variable.name: name})
        return f"sum(1 << {name} for {name} in bits({span}) if {test})"

    def narrowed(
        self,
        body: Formula,
        variable: Variable,
        env: Environment,
        *,
        other_variables: Sequence[Variable] = (),
    ) -> tuple[str, Formula]:
        """Return a mask for the conjuncts that have one, and the remaining conjuncts.

        Args:
            body: A condition.
            variable: The variable.
            env: The expressions of the variables around the condition.
            other_variables: Variables that are bound after this one, and still open.

        Returns:
            The set of objects that these conjuncts leave, and the conjunction of the others.
        """
        name = variable.name
        bound = {name, *env} - {later.name for later in other_variables}
        masks = [self.range(variable)]
        remaining = []
        for conjunct in conjuncts(body):
            free = conjunct.free_names
            if name in free and free <= bound and self._has_mask(conjunct, name):
                masks.append(self._mask(conjunct, name, env))
            else:
                remaining.append(conjunct)
        return " & ".join(masks), And.of(remaining) if remaining else TRUE

    def _within(self, span: str, condition: Formula, name: str, env: Environment) -> str:
        """Translate the objects of a set that satisfy a condition, which has a mask."""
        if condition == TRUE:
            return span
        return f"{span} & {self._mask(condition, name, env)}"

    def _has_mask(self, formula: Formula, name: str) -> bool:
        """Return whether the objects that satisfy a condition can be computed as a mask.

        A row or a column of a table is one, and so is what bit operations make of them.

        Args:
            formula: The condition.
            name: Name of the variable that stands for the objects.
        """
        if name not in formula.free_names:
            return True
        if isinstance(formula, (Count, ForPairs, NumericCondition)):
            return False  # numbers are no sets of objects, so these are tested one by one
        if not isinstance(formula, Atom):
            return all(self._has_mask(operand, name) for operand in formula.operands)
        self.predicate(formula)
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

    def _mask(self, formula: Formula, name: str, env: Environment) -> str:
        """Return the code of a condition's mask, which may have bits outside the universe."""
        # Without the variable it holds for all objects or for none; -1 has all bits.
        if name not in formula.free_names:
            return f"(-1 if {self.truth(formula, env)} else 0)"
        # A parameter of this name is hidden by the variable.
        env = {other: value for other, value in env.items() if other != name}
        return self._put_apart(formula, name, env) or self._mask_of(formula, name, env)

    def _mask_of(self, formula: Formula, name: str, env: Environment) -> str:
        """Return the code of a condition's mask, as a single expression.

        Args:
            formula: The condition.
            name: Name of the variable that stands for the objects.
            env: Names of Python variables, by the names of other variables.
        """
        if isinstance(formula, Atom):
            return self._atom_mask(formula, name, env)
        if isinstance(formula, Equal):
            others = [term for term in formula.terms if not _is_variable(term, name)]
            # An object is equal to itself, so every object satisfies (= ?x ?x).
            return f"(1 << {self.term(others[0], env)})" if others else "-1"
        if isinstance(formula, Quantifier):
            exists = self._exists_mask(formula.variables, _deciding(formula), name, env)
            return exists if formula.wants else f"~{exists}"
        _check_is_state(formula)
        operands = [self._mask(operand, name, env) for operand in formula.operands]
        return formula.combine(_MASKS, operands)

    def _atom_mask(self, atom: Atom, name: str, env: Environment) -> str:
        """Return the code of the mask of objects for one variable of an atom.

        For ``on(x, y)`` and the variable ``y`` that is a row of the table, for ``x`` a column. The
        axioms of a derived predicate are put in its place if they are short.

        Args:
            atom: The atom, in which the variable occurs once.
            name: Name of the variable.
            env: Names of Python variables, by the names of the other variables.
        """
        p = self.predicate(atom)
        [position] = locations(atom, name)
        terms = []
        for i, term in enumerate(atom.terms):
            terms.append("" if i == position else self.term(term, env))
        if self.is_inlined(atom.predicate):
            rules = self.axioms[atom.predicate]
            return f"({' | '.join(self._rule_mask(*rule, terms, position) for rule in rules)})"
        if position == len(terms) - 1:
            return self.line(atom.predicate, p, terms[:-1])
        _, _, columns, _ = self.tables(atom.predicate, p)
        return f"{columns}[{terms[1]}]"

    def _exists_mask(
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
            return self._mask(body, name, env)
        if isinstance(body, Or):  # each case leaves fewer objects to look at
            cases = (self._exists_mask(variables, case, name, env) for case in body.operands)
            return f"({' | '.join(cases)})"
        first, *other_variables = variables
        if first.name not in body.free_names:
            mask = self._exists_mask(other_variables, body, name, env)
            return f"({mask} if {self.range(first)} else 0)"
        span, remaining = self.narrowed(body, first, env, other_variables=other_variables)
        # (exists y (and f(y) (= x y))) is the set of f itself.
        is_equality = isinstance(remaining, Equal) and remaining.free_names == {first.name, name}
        if not other_variables and is_equality:
            return f"({span})"
        loop_name = self.variable()
        inner = self._exists_mask(other_variables, remaining, name, {**env, first.name: loop_name})
        return f"union({inner} for {loop_name} in bits({span}))"

    def _rule_mask(
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
        for i, (variable, term) in enumerate(zip(head, terms, strict=True)):
            if i != position:
                env[variable.name] = term
            if "object" in variable.types:
                continue
            span = self.range(variable)
            # Of a term that is bound, the type is a test: all objects pass, or none.
            masks.append(span if i == position else f"(-1 if {span} >> {term} & 1 else 0)")
        masks.append(self._mask(body, head[position].name, env))
        return f"({' & '.join(masks)})"


def _check_is_state(formula: Formula) -> None:
    """Refuse formulas about time and about actions."""
    if not formula.is_derived or formula.is_linear:
        raise InputError(f"{type(formula).__name__} is not a condition on a single state")


def _deciding(formula: Quantifier) -> Formula:
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


def _calculated(expression: Arithmetic, operands: Sequence[str]) -> str:
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
