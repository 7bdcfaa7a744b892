"""Tasks in the part of PDDL that unified-planning reads, with the same plans.

Its ``PDDLReader`` (1.3.0) has no variables of several types and no quantifiers without variables,
takes an object for the predicate of the same name, knows the type ``object`` only if a declaration
of the domain mentions it, compares only terms with a type above both, and keeps the innermost of
nested conditions of an effect. All of this can be said otherwise. The names of actions and objects,
which plans mention, stay as they are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count, groupby, product

from eai.errors import InputError
from eai.logic import (
    TRUE,
    And,
    Atom,
    Equal,
    Forall,
    Formula,
    Or,
    Quantifier,
    Rational,
    Truth,
    Variable,
)
from eai.nesting import on_own_stack
from eai.pddl import (
    TOTAL_COST,
    AddEffect,
    AndEffect,
    Clause,
    CostEffect,
    DeleteEffect,
    Domain,
    Effect,
    ForallEffect,
    Function,
    Operator,
    Predicate,
    Problem,
    WhenEffect,
    clauses,
    cost_clauses,
)

_OBJECT = "object"


@on_own_stack
def in_dialect(domain: Domain, problem: Problem) -> tuple[Domain, Problem]:
    """Return an equivalent task that unified-planning is able to read.

    * A condition or effect on all objects of several types becomes one for each of the types. A
      parameter of several types gets their common supertype, and the action a precondition with a
      new predicate, which holds of the objects of these types.
    * Predicates and functions that are called like an object, or like each other, get new names.
    * A quantifier keeps the variables that something mentions: the reader would drop the others,
      even those of a type without objects, for which conditions are constant and nothing happens.
    * Effects become a list of literals, those with the same quantifier and condition together. What
      an action adds anyway it does not delete, because with ENHSP deleting would win.
    * A new type takes the place of ``object`` if only quantifiers or the problem mention that, or
      if an equality compares terms that have no other type above both.

    Args:
        domain: The domain.
        problem: The problem. Everything that it mentions must be declared.

    Raises:
        InputError: If unified-planning has no words for the task: it has derived predicates, costs
            for each of some objects, or an action with several costs that are not numbers.
    """
    if domain.axioms:
        raise InputError(
            f"{domain.axioms[0].head.predicate!r} is a derived predicate, which unified-planning "
            "cannot express",
            where=f"domain {domain.name!r}",
        )
    rewriting = _Rewriting(domain, problem, _OBJECT)
    rewritten = rewriting.task()
    if not rewriting.has_lost_object:
        return rewritten
    root = _new_name("thing", domain.types)
    return _Rewriting(domain, problem, root).task()


class _Rewriting:
    """Rewrites one task for unified-planning.

    Args:
        domain: The domain.
        problem: The problem.
        root: The name that the type ``object`` gets.
    """

    def __init__(self, domain: Domain, problem: Problem, root: str) -> None:
        """Choose new names for predicates and functions, and collect the types in use."""
        self._domain = domain
        self._problem = problem
        self._root = root
        self._objects = {**domain.constants, **problem.objects}
        self._taken = {*domain.predicates, *domain.functions, *self._objects}
        # unified-planning has one namespace: a predicate and an object may not share a name.
        clashing = {*self._objects, TOTAL_COST.predicate}
        self._predicate_names = self._new_names(domain.predicates, clashing)
        clashing = {*self._objects, *domain.predicates}
        self._function_names = self._new_names(domain.functions, clashing)
        # Types of variables, with the new predicate that holds of the objects of these types.
        self._guards: dict[tuple[str, ...], str] = {}
        self._types_declared = set(domain.constants.values())
        self._types_bound = set(problem.objects.values())

    @property
    def has_lost_object(self) -> bool:
        """Whether the rewritten task needs the type ``object``, and no declaration mentions it."""
        return _OBJECT in self._types_bound - self._types_declared

    def task(self) -> tuple[Domain, Problem]:
        """Return the rewritten domain and problem.

        Operators and the goal are rewritten first. They decide which guards are needed: predicates
        with declarations and facts of their own.
        """
        domain = self._domain
        problem = self._problem
        operators = {
            name: self._rewrite_operator(operator) for name, operator in domain.operators.items()
        }
        goal = self._rewrite_condition(problem.goal)
        predicates = list(map(self._rewrite_predicate, domain.predicates.values()))
        predicates += map(self._guard_predicate, self._guards)
        functions = list(map(self._rewrite_function, domain.functions.values()))
        facts = list(map(self._rewrite_fact, problem.initial))
        rewritten_domain = replace(
            domain,
            types=self._hierarchy(),
            constants=self._rename_types(domain.constants),
            predicates={predicate.name: predicate for predicate in predicates},
            functions={function.name: function for function in functions},
            operators=operators,
        )
        rewritten_problem = replace(
            problem,
            objects=self._rename_types(problem.objects),
            initial=(*facts, *self._guard_facts()),
            goal=goal,
            values={self._rewrite_term(term): value for term, value in problem.values.items()},
        )
        if not operators:
            # The reader of unified-planning fails on a metric if there are no actions.
            rewritten_problem = replace(rewritten_problem, metric=None)
        return rewritten_domain, rewritten_problem

    # Names.

    def _new_names(self, declared: Iterable[str], clashing: Collection[str]) -> dict[str, str]:
        """Return new names for the declared names that clash."""
        names: dict[str, str] = {}
        for name in declared:
            if name in clashing and name != TOTAL_COST.predicate:
                names[name] = _new_name(name, self._taken)
                self._taken.add(names[name])
        return names

    def _rewrite_fact(self, atom: Atom) -> Atom:
        """Return an atom with the new name of its predicate."""
        return Atom(self._predicate_names.get(atom.predicate, atom.predicate), atom.terms)

    def _rewrite_term(self, term: Atom) -> Atom:
        """Return a function term with the new name of its function."""
        return Atom(self._function_names.get(term.predicate, term.predicate), term.terms)

    def _rewrite_predicate(self, declared: Predicate) -> Predicate:
        """Return a predicate with its new name."""
        name = self._predicate_names.get(declared.name, declared.name)
        return Predicate(name, self._with_common_types(declared.parameters))

    def _rewrite_function(self, declared: Function) -> Function:
        """Return a function with its new name."""
        name = self._function_names.get(declared.name, declared.name)
        return Function(name, self._with_common_types(declared.parameters))

    # Types.

    def _rename_type(self, type_name: str) -> str:
        """Return the new name of a type: only that of the root may differ."""
        return self._root if type_name == _OBJECT else type_name

    def _rename_types(self, types: Mapping[str, str]) -> dict[str, str]:
        """Return types, or objects, with the new names of their types."""
        return {name: self._rename_type(type_name) for name, type_name in types.items()}

    def _hierarchy(self) -> dict[str, str]:
        """Return the supertype of each type, with a new root below ``object``."""
        types = self._rename_types(self._domain.types)
        if self._root == _OBJECT:
            return types
        return {self._root: _OBJECT, **types}

    def _topmost_types(self, variable: Variable) -> tuple[str, ...]:
        """Return the types of a variable that are not subtypes of another one of them.

        ``(either truck vehicle)`` is ``vehicle``, if trucks are vehicles.
        """
        types = tuple(dict.fromkeys(variable.types))
        is_below = self._domain.is_subtype
        topmost = []
        for type_name in types:
            if not any(
                type_name != other_type and is_below(type_name, other_type) for other_type in types
            ):
                topmost.append(type_name)
        return tuple(topmost)

    def _common_type(self, types: Sequence[str]) -> str:
        """Return the lowest common supertype of some types."""
        # Up from the first type until all others are below, at the latest at the root.
        common_types = types[0]
        while not all(self._domain.is_subtype(type_name, common_types) for type_name in types):
            common_types = self._domain.types.get(common_types, _OBJECT)
        self._types_declared.add(common_types)
        return self._rename_type(common_types)

    def _with_common_types(self, variables: Sequence[Variable]) -> tuple[Variable, ...]:
        """Return declared variables, each with the common supertype of its types."""
        declared = []
        for variable in variables:
            common_type = self._common_type(self._topmost_types(variable))
            declared.append(Variable(variable.name, (common_type,)))
        return tuple(declared)

    def _choose_types(self, variables: Sequence[Variable]) -> Iterator[tuple[Variable, ...]]:
        """Yield quantified variables with one type each, for every combination of types."""
        for types in product(*[self._topmost_types(variable) for variable in variables]):
            self._types_bound.update(types)
            bound = []
            for variable, type_name in zip(variables, types, strict=True):
                bound.append(Variable(variable.name, (self._rename_type(type_name),)))
            yield tuple(bound)

    def _is_of_type(self, type_name: str, types: Sequence[str]) -> bool:
        """Return whether a type is one of some types, or below one of them."""
        return any(self._domain.is_subtype(type_name, ancestor) for ancestor in types)

    def _guard_of(self, variable: Variable) -> Atom:
        """Return the condition that a variable's object has one of the variable's types."""
        types = self._topmost_types(variable)
        if types not in self._guards:
            self._guards[types] = _new_name("-or-".join(types), self._taken)
            self._taken.add(self._guards[types])
        return Atom(self._guards[types], (variable,))

    def _guard_predicate(self, types: tuple[str, ...]) -> Predicate:
        """Return the predicate that says of an object that it has one of some types."""
        return Predicate(self._guards[types], (Variable("x", (self._common_type(types),)),))

    def _guard_facts(self) -> Iterator[Atom]:
        """Yield initial facts that state the types of objects for the guards."""
        for types, predicate in self._guards.items():
            for name, own_type in self._objects.items():
                if self._is_of_type(own_type, types):
                    yield Atom(predicate, (name,))

    # Conditions, actions and their effects.

    def _rewrite_condition(self, formula: Formula) -> Formula:
        """Return a condition in new names, with one type for each quantified variable."""
        if isinstance(formula, Atom):
            return self._rewrite_fact(formula)
        if isinstance(formula, Equal) and not self._have_type_above(formula):
            self._types_bound.add(_OBJECT)
        operands = []
        for operand in formula.operands:  # no comprehension: it would take a frame for each level
            operands.append(self._rewrite_condition(operand))
        if not isinstance(formula, Quantifier):
            return formula.rebuild(operands)
        return self._rewrite_quantifier(formula, operands[0])

    def _have_type_above(self, equality: Equal) -> bool:
        """Return whether all terms of an equality have a common supertype below ``object``."""
        highest: set[str] = set()
        for term in equality.terms:
            types = term.types if isinstance(term, Variable) else (self._objects[term],)
            highest.update(self._highest_type(type_name) for type_name in types)
        return len(highest) == 1

    def _highest_type(self, type_name: str) -> str:
        """Return the ancestor of a type right below ``object``; for ``object`` that itself."""
        while (above := self._domain.types.get(type_name, _OBJECT)) != _OBJECT:
            type_name = above
        return type_name

    def _rewrite_quantifier(self, formula: Quantifier, body: Formula) -> Formula:
        """Return a quantifier for each choice of types of its variables.

        ``forall`` over ``(either a b)`` becomes a conjunction of a ``forall`` over ``a`` and one
        over ``b``.

        Args:
            formula: The quantifier.
            body: Its body, rewritten.
        """
        is_forall = isinstance(formula, Forall)
        if not all(map(self._has_objects, formula.variables)):
            # Without objects, "forall" is true and "exists" is false.
            return Truth(value=is_forall)
        mentioned = formula.operands[0].free_names
        used_variables = [variable for variable in formula.variables if variable.name in mentioned]
        if not used_variables:
            return body
        quantifiers = tuple(
            type(formula)(variables, body) for variables in self._choose_types(used_variables)
        )
        if len(quantifiers) == 1:
            return quantifiers[0]
        if is_forall:
            return And(quantifiers)
        return Or(quantifiers)

    def _rewrite_operator(self, operator: Operator) -> Operator:
        """Return an action with one type for each parameter and a flat list of effects.

        A parameter of the type ``(either a b)`` gets the common supertype of both. A guard in the
        precondition then restricts it to objects of ``a`` and ``b``.
        """
        precondition = self._rewrite_condition(operator.precondition)
        guards = []
        for variable in operator.parameters:
            # With a single type, the declaration of the parameter is enough.
            if len(self._topmost_types(variable)) > 1:
                guards.append(self._guard_of(variable))
        if guards:
            precondition = And((*guards, precondition))
        return Operator(
            operator.name,
            self._with_common_types(operator.parameters),
            precondition,
            AndEffect((*self._literal_effects(operator), *self._cost_effects(operator))),
        )

    def _literal_effects(self, operator: Operator) -> Iterator[Effect]:
        """Yield the effects of an action on predicates, nested as in PDDL.

        Overruled deletions are left out: in PDDL adding wins, but unified-planning refuses such
        pairs.
        """
        parameter_names = [variable.name for variable in operator.parameters]
        rewritten_clauses: list[Clause] = []
        for clause in clauses(operator.effect, parameter_names):
            rewritten_clauses += self._rewrite_clause(clause)
        effective_clauses = [
            clause for clause in rewritten_clauses if not _is_overruled(clause, rewritten_clauses)
        ]
        # Effects with the same variables and condition share one quantifier.
        clauses_by_condition = groupby(effective_clauses, key=lambda clause: clause[:2])
        for (variables, condition), clause_group in clauses_by_condition:
            literals = tuple(map(_literal_effect, clause_group))
            effect: Effect = AndEffect(literals)
            if len(literals) == 1:
                effect = literals[0]
            if condition != TRUE:
                effect = WhenEffect(condition, effect)
            if variables:
                effect = ForallEffect(variables, effect)
            yield effect

    def _rewrite_clause(self, clause: Clause) -> Iterator[Clause]:
        """Yield equivalent clauses in which every variable is used and has exactly one type.

        Nothing is yielded if a variable has no object, because the clause then never happens.
        """
        if not all(self._has_objects(variable) for variable in clause.variables):
            return
        mentioned = clause.condition.free_names | clause.atom.free_names
        used_variables = [variable for variable in clause.variables if variable.name in mentioned]
        condition = self._rewrite_condition(clause.condition)
        atom = self._rewrite_fact(clause.atom)
        for variables in self._choose_types(used_variables):
            yield Clause(variables, condition, clause.added, atom)

    def _has_objects(self, variable: Variable) -> bool:
        """Return whether there is an object that a variable may stand for."""
        return any(
            self._is_of_type(type_name, variable.types) for type_name in self._objects.values()
        )

    def _cost_effects(self, operator: Operator) -> Iterator[Effect]:
        """Yield the costs of an action, with constant ones summed up.

        Raises:
            InputError: If unified-planning cannot express the costs: they are quantified, or two of
                them are function terms.
        """
        parameter_names = [variable.name for variable in operator.parameters]
        unconditional_amounts: list[float | Rational | Atom] = []
        for clause in cost_clauses(operator.effect, parameter_names):
            if clause.variables:
                raise _refusal(operator, "has costs for each of some objects")
            amount = clause.amount
            if isinstance(amount, Atom):
                amount = self._rewrite_term(amount)
            if clause.condition == TRUE:
                unconditional_amounts.append(amount)
            else:
                yield WhenEffect(self._rewrite_condition(clause.condition), CostEffect(amount))
        # Numbers can be added up here, but unified-planning accepts only one function term.
        numbers = [amount for amount in unconditional_amounts if not isinstance(amount, Atom)]
        if len(unconditional_amounts) > max(1, len(numbers)):
            raise _refusal(operator, "has several costs that are not numbers")
        if numbers:
            yield CostEffect(sum(numbers))
        elif unconditional_amounts:
            yield CostEffect(unconditional_amounts[0])


def _is_overruled(clause: Clause, effects: Sequence[Clause]) -> bool:
    """Return whether another effect certainly adds what a clause deletes."""
    if clause.added:
        return False
    for other_effect in effects:
        is_opposite = other_effect.added and other_effect.atom == clause.atom
        # It happens whenever the clause does: without a condition, or under the same one.
        is_as_wide = other_effect.variables in ((), clause.variables)
        is_as_likely = other_effect.condition in (TRUE, clause.condition)
        if is_opposite and is_as_wide and is_as_likely:
            return True
    return False


def _literal_effect(clause: Clause) -> AddEffect | DeleteEffect:
    """Return the literal of a clause as an effect."""
    if clause.added:
        return AddEffect(clause.atom)
    return DeleteEffect(clause.atom)


def _refusal(operator: Operator, what: str) -> InputError:
    """Return the error for an action that unified-planning cannot express."""
    return InputError(
        f"the action {operator.name!r} {what}, which unified-planning cannot express",
        where=f"action {operator.name!r}",
    )


def _new_name(wanted: str, taken: Collection[str]) -> str:
    """Return a name that is not taken, with a number if needed."""
    if wanted not in taken:
        return wanted
    numbered = (f"{wanted}-{number}" for number in count(2))
    return next(name for name in numbered if name not in taken)
