"""Conditions under which a numeric effect is defined, as ordinary conditions.

An action cannot be done whose effect reads a number that has no value, divides by zero, or changes
one number in two ways that do not agree (Fox & Long 2003, definition 7). Each of these is a
formula, so that the engine tests, explains and remembers it like a conjunct of the precondition:

* an amount has a value if it is equal to itself;
* two updates of the same function agree, unless both happen to the same term.

Increases and decreases of one number add up. An assignment or a scaling agrees with no other
update of the same number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from eai.logic import (
    FALSE,
    TRUE,
    And,
    Arithmetic,
    ArithmeticSign,
    Atom,
    Equal,
    Expression,
    Forall,
    Formula,
    Implies,
    Not,
    NumericCondition,
    Or,
    Term,
    Variable,
    conjuncts,
    function_terms,
    substituted,
    substituted_term,
)
from eai.pddl import (
    TOTAL_COST,
    Domain,
    NumericClause,
    NumericEffect,
    Operator,
    clauses,
    numeric_clauses,
)

if TYPE_CHECKING:
    from eai.world.transition import CompiledOperator

_ADDING = frozenset({"increase", "decrease"})
"""Updates that agree with each other."""
_SCALING = frozenset({"scale-up", "scale-down"})


class EffectGuard(NamedTuple):
    """A condition under which an effect is defined.

    Args:
        test: The condition, over the parameters of the operator.
        changes: The changes of one number that contradict each other where it does not hold; none
            if it is about a missing value.
    """

    test: Formula
    changes: tuple[NumericClause, ...] = ()


def guards(operator: Operator, domain: Domain) -> tuple[EffectGuard, ...]:
    """Return the conditions under which the effect of an operator is defined.

    They come in this order:

    1. all values that are read exist;
    2. no two changes give the same number different values;
    3. no single change does so, as ``(forall (?x) (assign (total) (weight ?x)))`` would do for
       more than one object.

    Args:
        operator: The operator.
        domain: The domain, whose derived predicates may depend on numbers.
    """
    names = [parameter.name for parameter in operator.parameters]
    changes = list(numeric_clauses(operator.effect, names))
    definedness_tests = _definedness_tests(operator, changes, domain)
    effect_guards = [EffectGuard(test) for test in dict.fromkeys(definedness_tests)]
    for first_change, second_change in combinations(changes, 2):
        if first_change.target.predicate == second_change.target.predicate:
            agreements = _agreement_conditions(first_change, second_change, names)
            effect_guards += [
                EffectGuard(test, (first_change, second_change)) for test in agreements
            ]
    for change in changes:
        if change.variables and change.update not in _ADDING:
            agreements = _self_agreement_conditions(change, names)
            effect_guards += [EffectGuard(test, (change, change)) for test in agreements]
    return tuple(effect_guards)


def _definedness_tests(
    operator: Operator, changes: Sequence[NumericClause], domain: Domain
) -> list[Formula]:
    """Return the conditions under which all values exist that an effect reads."""
    # Terms that the precondition compares are known to have values.
    defined_terms = {TOTAL_COST}
    for conjunct in conjuncts(operator.precondition):
        if isinstance(conjunct, NumericCondition):
            defined_terms.update(conjunct.function_terms)
    definedness_tests: list[Formula] = []
    names = [parameter.name for parameter in operator.parameters]
    for literal in clauses(operator.effect, names):
        if domain.reads_numbers(literal.condition):
            definedness_tests.append(_is_defined(literal.variables, literal.condition))
    for change in changes:
        if domain.reads_numbers(change.condition):
            definedness_tests.append(_is_defined(change.variables, change.condition))
        definedness_tests += _change_is_defined(change, defined_terms)
    return definedness_tests


def changes_in_conflict(
    operator: CompiledOperator, test: int, arguments: Sequence[str]
) -> tuple[NumericEffect, ...]:
    """Return the two changes of one number that contradict each other where a test fails.

    Args:
        operator: The operator.
        test: The number of the test.
        arguments: The arguments of the action.

    Returns:
        Two effects with the arguments in them; none if the test is about something else.
    """
    # The last tests of an operator are those of its guards.
    guard_index = test - len(operator.tests) + len(operator.guards)
    if guard_index < 0:
        return ()
    parameter_names = [parameter.name for parameter in operator.operator.parameters]
    binding = dict(zip(parameter_names, arguments, strict=True))
    effects = []
    for change in operator.guards[guard_index].changes:
        target = substituted_term(change.target, binding)
        effects.append(NumericEffect(change.update, target, substituted(change.amount, binding)))
    return tuple(effects)


def _is_defined(variables: Sequence[Variable], condition: Formula) -> Formula:
    """Return the condition that a condition of an effect can be evaluated."""
    return _for_all(variables, Or((condition, Not(condition))))


def _change_is_defined(change: NumericClause, defined_terms: set[Atom]) -> Iterator[Formula]:
    """Yield the conditions under which a numeric change is defined.

    Args:
        change: The change.
        defined_terms: Function terms that are known to have values.
    """
    needed_values: list[Expression] = []
    if change.update in _SCALING:
        # The result may have too many digits, or be divided by zero.
        sign: ArithmeticSign = "*" if change.update == "scale-up" else "/"
        needed_values.append(Arithmetic(sign, (change.target, change.amount)))
    else:
        is_known = defined_terms.issuperset(function_terms(change.amount))
        if not is_known or not _is_sum(change.amount):
            needed_values.append(change.amount)
    # An increase needs the old value as well; an assignment does not.
    if change.update in _ADDING and change.target not in defined_terms:
        needed_values.append(change.target)
    for expression in needed_values:
        test: Formula = NumericCondition("=", expression, expression)
        if change.condition != TRUE:
            test = Implies(change.condition, test)
        yield _for_all(change.variables, test)


def _is_sum(expression: Expression) -> bool:
    """Return whether an expression is calculated without products and quotients."""
    if not isinstance(expression, Arithmetic):
        return True
    return expression.sign in "+-" and all(map(_is_sum, expression.operands))


def _agreement_conditions(
    first: NumericClause, second: NumericClause, names: Sequence[str]
) -> Iterator[Formula]:
    """Yield the condition that two changes of one function do not conflict.

    An increase and another increase or decrease never conflict, so they need no condition. Of
    other changes at most one may happen to the same term, such as ``(fuel truck1)``.

    Args:
        first: One change.
        second: The other one.
        names: Names of the variables around them.
    """
    if first.update in _ADDING and second.update in _ADDING:
        return
    # Both conditions together on one term: variables of the two must have different names.
    used_names = [*names, *(variable.name for variable in first.variables)]
    renamed = _with_fresh_variables(second, used_names)
    joint_conditions = [*conjuncts(first.condition), *conjuncts(renamed.condition)]
    joint_conditions += _equalities(first.target.terms, renamed.target.terms)
    agreement = Not(And.of(joint_conditions)) if joint_conditions else FALSE
    yield _for_all((*first.variables, *renamed.variables), agreement)


def _self_agreement_conditions(change: NumericClause, names: Sequence[str]) -> Iterator[Formula]:
    """Yield the condition that a change assigns each term at most once.

    ``(forall (?x) (assign (load ?truck) (weight ?x)))`` gives one term several values, unless its
    condition allows a single object only.

    Args:
        change: The change.
        names: Names of the variables around it.
    """
    target_variables = change.target.free_names
    if all(variable.name in target_variables for variable in change.variables):
        return  # different objects make different terms
    used_names = [*names, *(variable.name for variable in change.variables)]
    renamed = _with_fresh_variables(change, used_names)
    # Two bindings that are not the same, both with a true condition, and with one term.
    joint_conditions = [*conjuncts(change.condition), *conjuncts(renamed.condition)]
    joint_conditions += _equalities(change.target.terms, renamed.target.terms)
    joint_conditions.append(Not(And.of(list(_equalities(change.variables, renamed.variables)))))
    yield _for_all((*change.variables, *renamed.variables), Not(And.of(joint_conditions)))


def _with_fresh_variables(change: NumericClause, used_names: Sequence[str]) -> NumericClause:
    """Return a change with fresh names for its quantified variables.

    It is compared with another change of the same action, which may have a variable ``?x`` as well.

    Args:
        change: The change.
        used_names: Names that the variables must not get.
    """
    renamed_variables: dict[str, Variable] = {}
    for variable in change.variables:
        name = f"other-{variable.name}"
        while name in used_names:
            name = f"other-{name}"
        renamed_variables[variable.name] = Variable(name, variable.types)
    return change._replace(
        variables=tuple(renamed_variables.values()),
        condition=change.condition.substitute(renamed_variables),
        target=substituted_term(change.target, renamed_variables),
        amount=substituted(change.amount, renamed_variables),
    )


def _equalities(left: Sequence[Term], right: Sequence[Term]) -> Iterator[Formula]:
    """Yield the conditions that terms are the same, in pairs."""
    for left_term, right_term in zip(left, right, strict=True):
        if left_term != right_term:
            yield Equal(left_term, right_term)


def _for_all(variables: Sequence[Variable], formula: Formula) -> Formula:
    """Return a formula for all bindings of variables."""
    return Forall(tuple(variables), formula) if variables else formula
