"""Checks of domains, problems, operators and conditions.

Beside names, arities and types (:mod:`eai.pddl.checking`): which requirements are needed, and
whether axioms have one meaning, which is so if no derived predicate depends on its own negation
("stratified", Edelkamp & Hoffmann 2004, section 3).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from eai.logic import Atom, Equal, Formula, Not, Variable
from eai.nesting import on_own_stack
from eai.pddl.checking import Checker
from eai.pddl.instances import (
    JoinLimitError,
    StaticJoin,
    format_term,
    has_instance,
    missing_values,
)
from eai.pddl.issues import Issue, IssueKind
from eai.pddl.model import (
    AndEffect,
    Axiom,
    CostEffect,
    Domain,
    Effect,
    ForallEffect,
    Operator,
    Problem,
    WhenEffect,
)
from eai.text import with_article


def polarities(formula: Formula) -> Iterator[tuple[Atom, bool]]:
    """Yield every atom of a condition and whether it occurs positively, in no fixed order.

    An atom below a counting quantifier, an equivalence or an exclusive or occurs both ways.
    """
    pending = [(formula, True)]
    while pending:
        node, positive = pending.pop()
        if isinstance(node, Atom):
            yield node, positive
        elif split := node.split(positive):
            pending += split.parts
        else:
            signs = (positive,) if node.is_monotone else (True, False)
            pending += [(operand, sign) for operand in node.operands for sign in signs]


def recursion_through_negation(axioms: Sequence[Axiom]) -> Iterator[Issue]:
    """Find the axioms that make a derived predicate depend on its own negation."""
    uses: dict[str, set[str]] = {axiom.head.predicate: set() for axiom in axioms}
    denied: list[tuple[Axiom, str]] = []
    for axiom in axioms:
        for atom, positive in polarities(axiom.body):
            if atom.predicate in uses:
                uses[axiom.head.predicate].add(atom.predicate)
                if not positive:
                    denied.append((axiom, atom.predicate))
    reached: dict[str, set[str]] = {}
    for axiom, predicate in denied:
        name = axiom.head.predicate
        if name in {predicate, *reached.setdefault(predicate, reachable(predicate, uses))}:
            yield Issue(
                kind="derived-recursion",
                message=f"'{name}' depends on its own negation, through '{predicate}'",
                where=f"derived predicate {name}",
                subject=axiom,
                expected="derived predicates that use only the negation of earlier ones",
            )


def reachable(start: str, uses: Mapping[str, set[str]]) -> set[str]:
    """Return the names to which uses lead from a name; itself only if they lead back."""
    found, pending = set[str](), [start]
    while pending:
        more = uses.get(pending.pop(), set()) - found
        found |= more
        pending += more
    return found


_QUANTIFIED = {"existential-preconditions", "universal-preconditions"}
_ADL = {
    *("adl", "strips", "typing", "negative-preconditions", "disjunctive-preconditions"),
    *("equality", "quantified-preconditions", "conditional-effects", *_QUANTIFIED),
}
_IMPLIED = {
    "adl": _ADL,
    "ucpop": _ADL,
    "quantified-preconditions": _QUANTIFIED,
    "fluents": {"action-costs"},
    "numeric-fluents": {"action-costs"},
}
_CONDITIONS = {
    "exists": "existential-preconditions",
    "forall": "universal-preconditions",
    "implies": "disjunctive-preconditions",
    "or": "disjunctive-preconditions",
}
"""The word of an operator to the requirement that it needs."""
_EFFECTS: dict[type[Effect], str] = {
    CostEffect: "action-costs",
    ForallEffect: "conditional-effects",
    WhenEffect: "conditional-effects",
}
_NONE = ("strips",)
"""Requirements of a domain that declares none."""


def undeclared_requirements(domain: Domain) -> Iterator[Issue]:
    """Find the requirement keys that are needed and not declared, one warning for each.

    The warning is about the first part of the domain that needs the key.
    """
    declared: set[str] = set()
    for key in domain.requirements or _NONE:
        declared |= {key} | _IMPLIED.get(key, set())
    for key, subject, where in _needs(domain):
        if key not in declared:
            declared |= {key} | _IMPLIED.get(key, set())
            yield Issue(
                "undeclared-requirement",
                f"this needs :{key}, which is not declared",
                where,
                "warning",
                subject=subject,
                advice=f"add :{key} to (:requirements ...)",
            )


def _needs(domain: Domain) -> Iterator[tuple[str, object, str]]:
    for name in domain.types:
        yield "typing", ("type", name), "types"
    for axiom in domain.axioms:
        where = f"derived predicate {axiom.head.predicate}"
        yield "derived-predicates", axiom, where
        yield from ((*need, where) for need in _condition(axiom.body))
    for operator in domain.operators.values():
        where = f"action {operator.name}"
        yield from ((*need, f"{where}, precondition") for need in _condition(operator.precondition))
        yield from ((*need, f"{where}, effect") for need in _effect(operator.effect))


def _condition(formula: Formula) -> Iterator[tuple[str, object]]:
    for node in formula.walk():
        key = _CONDITIONS.get("".join(node.words[:1]))
        if isinstance(node, Equal):
            key = "equality"
        elif isinstance(node, Not) and not isinstance(node.operand, Equal):
            simple = isinstance(node.operand, Atom)
            key = "negative-preconditions" if simple else "disjunctive-preconditions"
        if key is not None:
            yield key, node


def _effect(effect: Effect) -> Iterator[tuple[str, object]]:
    key = _EFFECTS.get(type(effect))
    if key is not None:
        yield key, effect
    if isinstance(effect, WhenEffect):
        yield from _condition(effect.condition)
    if isinstance(effect, AndEffect):
        for part in effect.parts:
            yield from _effect(part)
    elif isinstance(effect, (ForallEffect, WhenEffect)):
        yield from _effect(effect.effect)


@on_own_stack
def check_domain(domain: Domain) -> list[Issue]:
    """Find what is wrong or doubtful in a domain.

    Returns:
        Errors (undeclared names, wrong arities, types that cannot fit, unbound variables,
        effects on derived predicates, derived predicates that depend on their own negation,
        circular types, negative costs) and warnings (unused parameters, variables that are
        wider than the predicate's declaration, requirement keys that are not declared); empty if
        the domain is in order.
    """
    checker = Checker(domain, {})
    _declarations(checker, domain)
    for axiom in domain.axioms:
        checker.where = f"derived predicate {axiom.head.predicate}"
        variables = [term for term in axiom.head.terms if isinstance(term, Variable)]
        if len(variables) < len(axiom.head.terms):
            checker.add(
                "derived-head",
                "the head of a rule has an object in it",
                axiom,
                expected="?variables",
            )
        scope = checker.variables(variables)
        checker.atom(axiom.head, scope)
        checker.formula(axiom.body, scope)
    checker.issues += recursion_through_negation(domain.axioms)
    for operator in domain.operators.values():
        _operator(checker, operator)
    return [*checker.issues, *undeclared_requirements(domain)]


@on_own_stack
def check_problem(problem: Problem, domain: Domain | None = None) -> list[Issue]:
    """Find what is wrong or doubtful in a problem.

    Args:
        problem: The problem.
        domain: Its domain. Without it, only the variables of the goal are checked.

    Returns:
        Errors (undeclared names, wrong arities, unbound variables, derived predicates in the
        initial state, another domain's name) and warnings (types that cannot fit, an object is
        named like a type); empty if the problem is in order.
    """
    checker = Checker(domain, problem.objects)
    checker.ill_typed = "warning"  # an atom holds or not, whatever its predicate was declared for
    checker.where = "objects"
    for name, type_name in problem.objects.items():
        checker.types((type_name,), ("object", name))
        if domain is not None:
            _named_like_type(checker, domain, ("object", name), type_name)
        if domain is not None and name in domain.constants:
            checker.add(
                "repeated-object", f"'{name}' is a constant of the domain already", ("object", name)
            )
    if domain is not None and problem.domain not in {"", domain.name}:
        checker.where = "domain"
        message = f"the problem is for '{problem.domain}', not for '{domain.name}'"
        checker.add(
            "other-domain", message, ("problem", problem.name), expected=f"(:domain {domain.name})"
        )
    checker.where = "initial state"
    derived = checker.domain.derived if checker.domain else frozenset[str]()
    for atom in problem.initial:
        checker.atom(atom, {})
        if atom.predicate in derived:
            message = f"the derived predicate '{atom.predicate}' cannot be in the initial state"
            checker.add("derived-initial", message, atom)
    for term, value in problem.values.items():
        checker.function(term, {})
        if not value >= 0:
            checker.add("negative-cost", f"the value {value} is not 0 or more", term)
    checker.where = "goal"
    checker.formula(problem.goal, {})
    return checker.issues


def impossible_actions(domain: Domain, problem: Problem) -> Iterator[Issue]:
    """Find actions that can never be done, and those whose cost is undefined for some objects.

    Args:
        domain: A domain without errors.
        problem: A problem without errors. Only facts that no action changes are looked at, so
            this takes time in large problems, and not every such action is found.

    Yields:
        Warnings.
    """
    join = StaticJoin(domain, problem)
    impossible: dict[str, list[str]] = {}
    lacking: dict[str, tuple[list[str], set[str]]] = {}
    for name, operator in domain.operators.items():
        if not has_instance(join, operator):
            impossible.setdefault(_why_never(join, operator), []).append(name)
            continue
        with suppress(JoinLimitError):
            for missing in missing_values(join, operator, problem):
                actions, terms = lacking.setdefault(missing.predicate, ([], set()))
                terms.add(format_term(missing))
                if name not in actions:
                    actions.append(name)
    for reason, names in impossible.items():
        advice = "look for mistyped names, and for objects and facts that are missing"
        yield _about_start("no-instance", f"{reason}, so {_never(names)}", advice)
    for function, (names, terms) in lacking.items():
        example = min(terms)
        message = f"{example} has no value, so {_never(names)} where it is the cost"
        if len(terms) > 1:
            message += f"; {len(terms)} terms of '{function}' are missing"
        advice = f"add (= {example} NUMBER) to :init if this is to be possible"
        yield _about_start("missing-value", message, advice)


def _about_start(kind: IssueKind, message: str, advice: str) -> Issue:
    subject = ("problem", "initial state")
    return Issue(kind, message, "initial state", "warning", subject=subject, advice=advice)


_MOST_NAMES = 5
"""Maximum number of actions that one message names."""


def _never(names: Sequence[str]) -> str:
    """Say that actions cannot be done."""
    shown = ", ".join(f"'{name}'" for name in names[:_MOST_NAMES])
    if len(names) == 1:
        return f"the action {shown} can never be done"
    more = len(names) - _MOST_NAMES
    return f"the actions {shown}{f' and {more} more' if more > 0 else ''} can never be done"


def _why_never(join: StaticJoin, operator: Operator) -> str:
    for parameter in operator.parameters:
        if not join.has_objects(parameter):
            return f"there is no object of type {' or '.join(parameter.types)}"
    return "no objects agree with the facts that no action changes"


@on_own_stack
def check_operator(operator: Operator, domain: Domain | None = None) -> list[Issue]:
    """Find what is wrong or doubtful in one operator.

    Args:
        operator: The operator. It need not be one of the domain's.
        domain: What it may mention. Without it, only its variables are checked.
    """
    checker = Checker(domain, {})
    _operator(checker, operator)
    return checker.issues


@on_own_stack
def check_condition(
    formula: Formula,
    domain: Domain | None = None,
    *,
    objects: Mapping[str, str] | None = None,
    variables: Iterable[Variable] = (),
) -> list[Issue]:
    """Find what is wrong in one condition.

    Args:
        formula: The condition.
        domain: What it may mention. Without it, only the variables are checked.
        objects: Objects besides the domain's constants, with their types.
        variables: Variables that are bound outside of the condition.
    """
    checker = Checker(domain, objects or {})
    checker.where = "condition"
    checker.formula(formula, checker.variables(tuple(variables)))
    return checker.issues


def _declarations(checker: Checker, domain: Domain) -> None:
    checker.where = "types"
    # find the types from which the way up never ends; each type is passed once
    ends: dict[str, bool] = {"object": True}
    for name in domain.types:
        way: dict[str, None] = {}
        above = name
        while above not in ends and above not in way:
            way[above] = None
            above = domain.types.get(above, "object")
        ends.update(dict.fromkeys(way, ends.get(above, False)))
    circular = {name for name, end in ends.items() if not end}
    for name, parent in domain.types.items():
        checker.types((parent,), ("type", name))
        if name in circular:
            message = f"the types above '{name}' form a cycle"
            advice = "take one of them out of the cycle: NAME - object"
            checker.add("cyclic-types", message, ("type", name), advice=advice)
    checker.where = "constants"
    for name, type_name in domain.constants.items():
        checker.types((type_name,), ("constant", name))
        _named_like_type(checker, domain, ("constant", name), type_name)
    for predicate in domain.predicates.values():
        checker.where = f"predicate {predicate.name}"
        checker.variables(predicate.parameters, declared=True)
    for function in domain.functions.values():
        checker.where = f"function {function.name}"
        checker.variables(function.parameters, declared=True)


def _named_like_type(
    checker: Checker, domain: Domain, subject: tuple[str, str], type_name: str
) -> None:
    """Doubt an object that is named like a type which is not its own."""
    kind, name = subject
    if name in domain.types and name != type_name:
        other = with_article(kind)
        message = f"'{name}' is the name of a type, but here it is the name of {other}"
        advice = "write '-' before it if it is the type of what stands before it"
        checker.add("missing-dash", message, subject, severity="warning", advice=advice)


def _operator(checker: Checker, operator: Operator) -> None:
    checker.where = f"action {operator.name}"
    scope = checker.variables(operator.parameters)
    checker.used.clear()
    checker.where = f"action {operator.name}, precondition"
    checker.formula(operator.precondition, scope)
    checker.where = f"action {operator.name}, effect"
    checker.effect(operator.effect, scope)
    checker.where = f"action {operator.name}"
    for parameter in operator.parameters:
        if id(parameter) not in checker.used:
            message = f"the parameter ?{parameter.name} is not used"
            checker.add("unused-parameter", message, parameter, severity="warning")
