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
    compares_numbers,
    conjuncts,
    function_terms,
    substituted,
    substituted_term,
)
from eai.pddl import (
    TOTAL_COST,
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


def guards(operator: Operator) -> tuple[EffectGuard, ...]:
    """Return the conditions under which an operator's effect is defined.

    First come the conditions that values exist, each once; then, for two changes of one function,
    that both are never made to one number; then the same for a change that is made for several
    objects: ``(forall (?x) (assign (total) (weight ?x)))`` is defined if there is one object only.
    """
    names = [parameter.name for parameter in operator.parameters]
    changes = list(numeric_clauses(operator.effect, names))
    # What the precondition reads in every state is tested there.
    read = {TOTAL_COST}
    for conjunct in conjuncts(operator.precondition):
        if isinstance(conjunct, NumericCondition):
            read.update(conjunct.function_terms)
    tests: list[Formula] = []
    for literal in clauses(operator.effect, names):
        tests += _has_truth(literal.variables, literal.condition)
    for change in changes:
        tests += _has_truth(change.variables, change.condition)
        tests += _has_values(change, read)
    effect_guards = [EffectGuard(test) for test in dict.fromkeys(tests)]
    for first, second in combinations(changes, 2):
        if first.target.predicate == second.target.predicate:
            agreements = _agree(first, second, names)
            effect_guards += [EffectGuard(test, (first, second)) for test in agreements]
    for change in changes:
        if change.variables and change.update not in _ADDING:
            agreements = _agrees_with_itself(change, names)
            effect_guards += [EffectGuard(test, (change, change)) for test in agreements]
    return tuple(effect_guards)


def changes_in_conflict(
    operator: CompiledOperator, test: int, arguments: Sequence[str]
) -> tuple[NumericEffect, ...]:
    """Return the contradictory changes of one number because of which a test fails.

    Args:
        operator: The operator.
        test: The number of the test.
        arguments: The arguments of the action.

    Returns:
        Two effects with the arguments in them; none if the test is about something else.
    """
    # The tests of guards are the last ones of an operator.
    guard_number = test - len(operator.tests) + len(operator.guards)
    if guard_number < 0:
        return ()
    names = [parameter.name for parameter in operator.operator.parameters]
    binding = dict(zip(names, arguments, strict=True))
    effects = []
    for change in operator.guards[guard_number].changes:
        target = substituted_term(change.target, binding)
        effects.append(NumericEffect(change.update, target, substituted(change.amount, binding)))
    return tuple(effects)


def _has_truth(variables: Sequence[Variable], condition: Formula) -> Iterator[Formula]:
    """Yield the condition that a condition of an effect can be evaluated, if it needs numbers."""
    if compares_numbers(condition):
        yield _for_all(variables, Or((condition, Not(condition))))


def _has_values(change: NumericClause, read: set[Atom]) -> Iterator[Formula]:
    """Yield the conditions under which a numeric change is defined.

    Args:
        change: The change.
        read: Function terms that are known to have values.
    """
    needed: list[Expression] = []
    if change.update in _SCALING:
        # The result may have too many digits, or be divided by zero.
        sign: ArithmeticSign = "*" if change.update == "scale-up" else "/"
        needed.append(Arithmetic(sign, (change.target, change.amount)))
    elif not read.issuperset(function_terms(change.amount)) or not _is_sum(change.amount):
        needed.append(change.amount)
    # An increase needs the old value as well; an assignment does not.
    if change.update in _ADDING and change.target not in read:
        needed.append(change.target)
    for expression in needed:
        test: Formula = NumericCondition("=", expression, expression)
        if change.condition != TRUE:
            test = Implies(change.condition, test)
        yield _for_all(change.variables, test)


def _is_sum(expression: Expression) -> bool:
    """Return whether an expression is calculated without products and quotients."""
    if not isinstance(expression, Arithmetic):
        return True
    return expression.sign in "+-" and all(map(_is_sum, expression.operands))


def _agree(first: NumericClause, second: NumericClause, names: Sequence[str]) -> Iterator[Formula]:
    """Yield the condition that two changes of one function do not conflict.

    Two sums never do; of others at most one may happen to a term at once.

    Args:
        first: One change.
        second: The other one.
        names: Names of the variables around them.
    """
    if first.update in _ADDING and second.update in _ADDING:
        return
    # Both conditions together on one term: variables of the two must have different names.
    taken = [*names, *(variable.name for variable in first.variables)]
    renamed = _renamed(second, taken)
    both = [*conjuncts(first.condition), *conjuncts(renamed.condition)]
    both += _equal(first.target.terms, renamed.target.terms)
    agreement = Not(And.of(both)) if both else FALSE
    yield _for_all((*first.variables, *renamed.variables), agreement)


def _agrees_with_itself(change: NumericClause, names: Sequence[str]) -> Iterator[Formula]:
    """Yield the condition that a change assigns each term at most once.

    ``(forall (?x) (assign (load ?truck) (weight ?x)))`` gives one term several values, unless its
    condition allows a single object only.

    Args:
        change: The change.
        names: Names of the variables around it.
    """
    mentioned = change.target.free_names
    if all(variable.name in mentioned for variable in change.variables):
        return  # different objects make different terms
    taken = [*names, *(variable.name for variable in change.variables)]
    renamed = _renamed(change, taken)
    # Two bindings that are not the same, both with a true condition, and with one term.
    both = [*conjuncts(change.condition), *conjuncts(renamed.condition)]
    both += _equal(change.target.terms, renamed.target.terms)
    both.append(Not(And.of(list(_equal(change.variables, renamed.variables)))))
    yield _for_all((*change.variables, *renamed.variables), Not(And.of(both)))


def _renamed(change: NumericClause, used_names: Sequence[str]) -> NumericClause:
    """Return a change with fresh names for its quantified variables.

    Two changes of one action are compared with each other, and a variable ``?x`` of the one is not
    the ``?x`` of the other.
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


def _equal(left: Sequence[Term], right: Sequence[Term]) -> Iterator[Formula]:
    """Yield the conditions that terms are the same, in pairs."""
    for left_term, right_term in zip(left, right, strict=True):
        if left_term != right_term:
            yield Equal(left_term, right_term)


def _for_all(variables: Sequence[Variable], formula: Formula) -> Formula:
    """Return a formula for all bindings of variables."""
    return Forall(tuple(variables), formula) if variables else formula
