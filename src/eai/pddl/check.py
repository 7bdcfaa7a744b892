"""Checks of domains, problems, operators and conditions.

Beside names, arities and types (:mod:`eai.pddl.checking`): which requirements are needed, and
whether axioms have one meaning, which is so if no derived predicate depends on its own negation
("stratified", Edelkamp & Hoffmann 2004, section 3).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from eai.logic import Atom, Equal, Formula, Not, NumericCondition, Variable, function_terms
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
    TOTAL_TIME,
    VIOLATIONS,
    AndEffect,
    Axiom,
    CostEffect,
    Domain,
    DurativeAction,
    Effect,
    ForallEffect,
    NumericEffect,
    Operator,
    Problem,
    WhenEffect,
)
from eai.text import with_article


def polarities(formula: Formula) -> Iterator[tuple[Atom, bool]]:
    """Yield (atom, is_positive) for every atom of a condition, in no fixed order.

    An atom below a counting quantifier, an equivalence or an exclusive or occurs both ways.

    Examples:
        >>> from eai.pddl import parse_condition
        >>> formula = parse_condition("(imply (open door) (not (locked door)))")
        >>> sorted((str(atom), positive) for atom, positive in polarities(formula))
        [('locked(door)', False), ('open(door)', False)]
    """
    pending = [(formula, True)]
    while pending:
        node, positive = pending.pop()
        if isinstance(node, Atom):
            yield node, positive
        elif split := node.split(positive):
            # Junctions are taken apart, as each operand has its own polarity.
            pending += split.parts
        else:
            # A quantifier passes on the polarity of its body.
            pending += [(operand, positive) for operand in node.operands]
            if not node.is_monotone:
                pending += [(operand, not positive) for operand in node.operands]


def recursion_through_negation(axioms: Sequence[Axiom]) -> Iterator[Issue]:
    """Yield an issue for each axiom by which a predicate depends on its own negation.

    Idea: the rules are a graph with an edge from each derived predicate to every predicate in the
    bodies of its rules. A negated predicate is an error if a path leads from it back to the head of
    the rule. Cost: one search of the graph for each negated predicate. Source: Edelkamp & Hoffmann
    2004, section 3.

    Args:
        axioms: The rules of a domain.
    """
    used_predicates: dict[str, set[str]] = {axiom.head.predicate: set() for axiom in axioms}
    negations: list[tuple[Axiom, str]] = []
    for axiom in axioms:
        for atom, positive in polarities(axiom.body):
            # Predicates that no rule derives lead nowhere.
            if atom.predicate not in used_predicates:
                continue
            used_predicates[axiom.head.predicate].add(atom.predicate)
            if not positive:
                negations.append((axiom, atom.predicate))
    reachable_from: dict[str, set[str]] = {}
    for axiom, negated_predicate in negations:
        head_predicate = axiom.head.predicate
        if negated_predicate not in reachable_from:
            reachable_from[negated_predicate] = {negated_predicate} | reachable(
                negated_predicate, used_predicates
            )
        if head_predicate in reachable_from[negated_predicate]:
            yield Issue(
                kind="derived-recursion",
                message=(
                    f"'{head_predicate}' depends on its own negation, through '{negated_predicate}'"
                ),
                where=f"derived predicate {head_predicate}",
                subject=axiom,
                expected="derived predicates that use only the negation of earlier ones",
            )


def reachable(start: str, uses: Mapping[str, set[str]]) -> set[str]:
    """Return the names that are reachable from a name in a graph.

    The name itself is among them only if it is on a cycle.

    Examples:
        >>> sorted(reachable("a", {"a": {"b"}, "b": {"c", "b"}}))
        ['b', 'c']
    """
    reached: set[str] = set()
    pending = [start]
    while pending:
        unseen = uses.get(pending.pop(), set()) - reached
        reached |= unseen
        pending += unseen
    return reached


# Requirements that others stand for, as PDDL defines them.
_QUANTIFIED = {"existential-preconditions", "universal-preconditions"}
_ADL = {
    *("adl", "strips", "typing", "negative-preconditions", "disjunctive-preconditions"),
    *("equality", "quantified-preconditions", "conditional-effects", *_QUANTIFIED),
}
_IMPLIED = {
    "adl": _ADL,
    "ucpop": _ADL,
    "quantified-preconditions": _QUANTIFIED,
    "fluents": {"action-costs", "numeric-fluents"},
    "numeric-fluents": {"action-costs"},
}
"""Requirement to those that follow from it."""
_CONDITIONS = {
    "exists": "existential-preconditions",
    "forall": "universal-preconditions",
    "implies": "disjunctive-preconditions",
    "or": "disjunctive-preconditions",
}
"""The word of an operator to the requirement that it needs."""
_EFFECTS: dict[type[Effect], str] = {
    CostEffect: "action-costs",
    NumericEffect: "numeric-fluents",
    ForallEffect: "conditional-effects",
    WhenEffect: "conditional-effects",
}
"""Kind of an effect to the requirement that it needs."""
_NONE = ("strips",)
"""Requirements of a domain that declares none."""


def undeclared_requirements(domain: Domain) -> Iterator[Issue]:
    """Yield a warning for each requirement that a domain needs but does not declare.

    Each warning is about the first part of the domain that needs the requirement.
    """
    declared: set[str] = set()
    for key in domain.requirements or _NONE:
        declared |= {key} | _IMPLIED.get(key, set())
    for key, subject, where in _requirements_used(domain):
        if key in declared:
            continue
        # From here on it counts as declared, so that one warning is enough.
        declared |= {key} | _IMPLIED.get(key, set())
        yield Issue(
            "undeclared-requirement",
            f"this needs :{key}, which is not declared",
            where,
            "warning",
            subject=subject,
            advice=f"add :{key} to (:requirements ...)",
        )


def _requirements_used(domain: Domain) -> Iterator[tuple[str, object, str]]:
    """Yield each use of a requirement in a domain.

    A requirement is a feature of PDDL that a domain has to announce, such as ``:typing``.

    Yields:
        The requirement without its colon, the part of the domain that uses it, and the place for
        messages: ``("typing", ("type", "block"), "types")`` for the type ``block``.
    """
    for name in domain.types:
        yield "typing", ("type", name), "types"
    for axiom in domain.axioms:
        where = f"derived predicate {axiom.head.predicate}"
        yield "derived-predicates", axiom, where
        for key, subject in _requirements_of_condition(axiom.body):
            yield key, subject, where
    for operator in domain.operators.values():
        where = f"action {operator.name}"
        for key, subject in _requirements_of_condition(operator.precondition):
            yield key, subject, f"{where}, precondition"
        for key, subject in _requirements_of_effect(operator.effect):
            yield key, subject, f"{where}, effect"


def _requirements_of_condition(formula: Formula) -> Iterator[tuple[str, object]]:
    """Yield the requirements of a condition, with the nodes that need them.

    ``(or (on ?x) (not (= ?x ?y)))`` needs ``:disjunctive-preconditions`` and ``:equality``.
    """
    for node in formula.walk():
        # The first word of a node is the one that is printed; atoms have none.
        key = _CONDITIONS.get("".join(node.words[:1]))
        if isinstance(node, Equal):
            key = "equality"
        elif isinstance(node, NumericCondition):
            key = "numeric-fluents"
        elif isinstance(node, Not) and isinstance(node.operand, Atom):
            key = "negative-preconditions"
        # (not (= a b)) needs no more than (= a b) does.
        elif isinstance(node, Not) and not isinstance(node.operand, Equal):
            key = "disjunctive-preconditions"
        if key is not None:
            yield key, node


def _requirements_of_effect(effect: Effect) -> Iterator[tuple[str, object]]:
    """Yield the requirements of an effect, with the nodes that need them.

    ``(when (or (wet ?x) (hot ?x)) (dry ?x))`` needs ``:conditional-effects`` and, for its
    condition, ``:disjunctive-preconditions``.
    """
    key = _EFFECTS.get(type(effect))
    if key is not None:
        yield key, effect
    if isinstance(effect, WhenEffect):
        yield from _requirements_of_condition(effect.condition)
    if isinstance(effect, AndEffect):
        for part in effect.parts:
            yield from _requirements_of_effect(part)
    elif isinstance(effect, (ForallEffect, WhenEffect)):
        yield from _requirements_of_effect(effect.effect)


@on_own_stack
def check_domain(domain: Domain) -> list[Issue]:
    """Return all errors and doubtful parts of a domain.

    Returns:
        Errors (undeclared names, wrong arities, types that cannot fit, unbound variables,
        effects on derived predicates, derived predicates that depend on their own negation,
        circular types, negative costs) and warnings (unused parameters, variables that are
        wider than the predicate's declaration, requirement keys that are not declared); empty if
        the domain is in order.
    """
    checker = Checker(domain, {})
    # In the order of the text: declarations come before their uses.
    _check_declarations(checker, domain)
    for axiom in domain.axioms:
        checker.where = f"derived predicate {axiom.head.predicate}"
        if len(axiom.parameters) < len(axiom.head.terms):
            checker.add(
                "derived-head",
                "the head of a rule has an object in it",
                axiom,
                expected="?variables",
            )
        scope = checker.variables(axiom.parameters)
        checker.atom(axiom.head, scope)
        checker.formula(axiom.body, scope)
    checker.issues += recursion_through_negation(domain.axioms)
    for operator in domain.operators.values():
        _check_operator_parts(checker, operator)
    for action in domain.durative.values():
        _check_durative_action(checker, action)
    checker.where = "constraints"
    # Constraints of a domain may name the objects of a problem.
    checker.path(domain.constraints, {}, names_objects=False)
    for preference in domain.preferences:
        scope = checker.variables(preference.variables)
        checker.path(preference.formula, scope, names_objects=False)
    return [*checker.issues, *undeclared_requirements(domain)]


@on_own_stack
def check_problem(problem: Problem, domain: Domain | None = None) -> list[Issue]:
    """Return all errors and doubtful parts of a problem.

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
    _check_objects(checker, problem)
    if domain is not None and problem.domain not in {"", domain.name}:
        checker.where = "domain"
        message = f"the problem is for '{problem.domain}', not for '{domain.name}'"
        expected = f"(:domain {domain.name})"
        checker.add("other-domain", message, ("problem", problem.name), expected=expected)
    _check_initial_state(checker, problem)
    checker.where = "goal"
    checker.formula(problem.goal, {})
    checker.where = "constraints"
    checker.path(problem.constraints, {})
    for preference in problem.preferences:
        checker.path(preference.formula, checker.variables(preference.variables))
    if problem.metric is not None:
        checker.where = "metric"
        for term in function_terms(problem.metric.expression):
            if term.predicate == VIOLATIONS:
                _check_violations(checker, problem, term)
            elif term != TOTAL_TIME:
                checker.function(term, {})
    return checker.issues


def _check_violations(checker: Checker, problem: Problem, term: Atom) -> None:
    """Check that the preference in a term ``(is-violated NAME)`` of a metric exists.

    Args:
        checker: Where the finding goes.
        problem: The problem.
        term: The term ``(is-violated NAME)``.
    """
    domain = checker.domain
    if domain is None:
        return
    preferences = [*problem.preferences, *domain.preferences]
    for operator in domain.operators.values():
        preferences += operator.preferences
    preference_names = {preference.name for preference in preferences}
    # "(is-violated p1)" counts the violations of the preference p1.
    counted_name = str(term.terms[0]) if len(term.terms) == 1 else ""
    if counted_name not in preference_names:
        message = f"there is no preference '{counted_name}'"
        expected = f"({VIOLATIONS} PREFERENCE)"
        checker.add(
            "unknown-preference",
            message,
            term,
            expected=expected,
            name=counted_name,
            known=sorted(preference_names),
            advice="name a (preference NAME CONDITION) of the goal, constraints or preconditions",
        )


def _check_objects(checker: Checker, problem: Problem) -> None:
    """Check the types of a problem's objects, and that their names are not used otherwise."""
    checker.where = "objects"
    domain = checker.domain
    for name, type_name in problem.objects.items():
        subject = ("object", name)
        checker.types((type_name,), subject)
        if domain is None:
            continue
        _warn_if_named_like_type(checker, domain, subject, type_name)
        if name in domain.constants:
            message = f"'{name}' is a constant of the domain already"
            checker.add("repeated-object", message, subject)


def _check_initial_state(checker: Checker, problem: Problem) -> None:
    """Check the initial facts and function values of a problem.

    Derived predicates cannot be given, and costs cannot be negative where states keep no numbers.
    """
    checker.where = "initial state"
    derived = checker.domain.derived if checker.domain else frozenset[str]()
    for atom in problem.initial:
        checker.atom(atom, {})
        if atom.predicate in derived:
            message = f"the derived predicate '{atom.predicate}' cannot be in the initial state"
            checker.add("derived-initial", message, atom)
    for literal in problem.timed:
        checker.atom(literal.atom, {})
    for term, value in problem.values.items():
        checker.function(term, {})
        is_cost = not checker.has_numbers and not problem.has_numbers
        if is_cost and not value >= 0:  # not the same as value < 0: a NaN is refused, too
            checker.add("negative-cost", f"the value {value} is not 0 or more", term)


def impossible_actions(domain: Domain, problem: Problem) -> Iterator[Issue]:
    """Yield issues for actions that are never applicable or have undefined costs.

    Args:
        domain: A domain without errors.
        problem: A problem without errors. Only facts that no action changes are looked at, so
            this takes time in large problems, and not every such action is found.

    Yields:
        Warnings.
    """
    join = StaticJoin(domain, problem)
    # Actions with the same reason share one warning, since a mistyped name in the initial state
    # makes most actions of a domain impossible at once.
    actions_by_reason: dict[str, list[str]] = {}
    undefined_functions: dict[str, _Undefined] = {}
    for name, operator in domain.operators.items():
        if not has_instance(join, operator):
            actions_by_reason.setdefault(_reason_for_no_instance(join, operator), []).append(name)
            continue
        # There are too many instances to examine, so the costs of this action are not checked.
        with suppress(JoinLimitError):
            for term in missing_values(join, operator, problem):
                function = undefined_functions.setdefault(term.predicate, _Undefined())
                function.terms.add(format_term(term))
                function.actions[name] = None
    for reason, action_names in actions_by_reason.items():
        advice = "look for mistyped names, and for objects and facts that are missing"
        yield _about_start(
            "no-instance", f"{reason}, so {_never_done_clause(action_names)}", advice
        )
    for name, function in undefined_functions.items():
        example = min(function.terms)
        never_done = _never_done_clause([*function.actions])
        message = f"{example} has no value, so {never_done} where it is the cost"
        if len(function.terms) > 1:
            message += f"; {len(function.terms)} terms of '{name}' are missing"
        advice = f"add (= {example} NUMBER) to :init if this is to be possible"
        yield _about_start("missing-value", message, advice)


@dataclass
class _Undefined:
    """Terms of one function without a value, and the actions whose cost needs them.

    The actions are the keys of a dictionary, which stay in order.
    """

    terms: set[str] = field(default_factory=set)
    actions: dict[str, None] = field(default_factory=dict)


def _about_start(kind: IssueKind, message: str, advice: str) -> Issue:
    """Return a warning about the initial state."""
    subject = ("problem", "initial state")
    return Issue(kind, message, "initial state", "warning", subject=subject, advice=advice)


_MAX_NAMES = 5
"""Maximum number of actions that one message names."""


def _never_done_clause(names: Sequence[str]) -> str:
    """Return a clause: ``the action 'lift' can never be done``."""
    shown = ", ".join(f"'{name}'" for name in names[:_MAX_NAMES])
    if len(names) == 1:
        return f"the action {shown} can never be done"
    if len(names) > _MAX_NAMES:
        shown += f" and {len(names) - _MAX_NAMES} more"
    return f"the actions {shown} can never be done"


def _reason_for_no_instance(join: StaticJoin, operator: Operator) -> str:
    """Return the reason why no instance of an action is applicable."""
    for parameter in operator.parameters:
        if not join.has_objects(parameter):
            return f"there is no object of type {' or '.join(parameter.types)}"
    return "no objects agree with the facts that no action changes"


@on_own_stack
def check_operator(operator: Operator, domain: Domain | None = None) -> list[Issue]:
    """Return all errors and doubtful parts of an operator.

    Args:
        operator: The operator. It need not be one of the domain's.
        domain: The domain whose names it may use. Without it, only its variables are checked.
    """
    checker = Checker(domain, {})
    _check_operator_parts(checker, operator)
    return checker.issues


@on_own_stack
def check_condition(
    formula: Formula,
    domain: Domain | None = None,
    *,
    objects: Mapping[str, str] | None = None,
    variables: Iterable[Variable] = (),
) -> list[Issue]:
    """Return all errors in one condition.

    Args:
        formula: The condition.
        domain: The domain whose names it may use. Without it, only the variables are checked.
        objects: Objects besides the domain's constants, with their types.
        variables: Variables that are bound outside of the condition.
    """
    checker = Checker(domain, objects or {})
    checker.where = "condition"
    checker.formula(formula, checker.variables(tuple(variables)))
    return checker.issues


def _check_declarations(checker: Checker, domain: Domain) -> None:
    """Check the types, constants, predicates and functions of a domain.

    Names must be declared once, and types must not be their own ancestors. The checker gets the
    name of each section for its messages.
    """
    checker.where = "types"
    circular = _circular_types(domain.types)
    for name, supertype in domain.types.items():
        checker.types((supertype,), ("type", name))
        if name in circular:
            message = f"the types above '{name}' form a cycle"
            advice = "take one of them out of the cycle: NAME - object"
            checker.add("cyclic-types", message, ("type", name), advice=advice)
    checker.where = "constants"
    for name, type_name in domain.constants.items():
        checker.types((type_name,), ("constant", name))
        _warn_if_named_like_type(checker, domain, ("constant", name), type_name)
    # In a declaration only the number and the types of variables matter, not their names.
    for predicate in domain.predicates.values():
        checker.where = f"predicate {predicate.name}"
        checker.variables(predicate.parameters, declared=True)
    for function in domain.functions.values():
        checker.where = f"function {function.name}"
        checker.variables(function.parameters, declared=True)


def _circular_types(types: Mapping[str, str]) -> set[str]:
    """Return the types that have no path of supertypes to ``object``.

    Each type is visited once: a walk stops at a type that was decided before.

    Examples:
        >>> sorted(_circular_types({"a": "b", "b": "a", "c": "a", "d": "object"}))
        ['a', 'b', 'c']
    """
    leads_to_root: dict[str, bool] = {"object": True}
    for name in types:
        walked_types: dict[str, None] = {}
        ancestor = name
        while ancestor not in leads_to_root and ancestor not in walked_types:
            walked_types[ancestor] = None
            ancestor = types.get(ancestor, "object")
        # A walk that comes to one of its own types goes round in a circle.
        has_root = leads_to_root.get(ancestor, False)
        leads_to_root.update(dict.fromkeys(walked_types, has_root))
    return {name for name, has_root in leads_to_root.items() if not has_root}


def _warn_if_named_like_type(
    checker: Checker, domain: Domain, subject: tuple[str, str], type_name: str
) -> None:
    """Warn of an object with the name of a type that is not its own.

    In ``(:objects cup1 block)`` the second word is probably the type of the first, without the dash
    before it.

    Args:
        checker: Where the findings go.
        domain: The domain with the types.
        subject: Kind and name: ``("object", "block")``.
        type_name: The type that the object has.
    """
    kind, name = subject
    if name not in domain.types or name == type_name:
        return
    message = f"'{name}' is the name of a type, but here it is the name of {with_article(kind)}"
    advice = "write '-' before it if it is the type of what stands before it"
    checker.add("missing-dash", message, subject, severity="warning", advice=advice)


def _check_durative_action(checker: Checker, action: DurativeAction) -> None:
    """Check the conditions and effects of a durative action, at all its times."""
    checker.where = f"durative action {action.name}"
    scope = checker.variables(action.parameters)
    checker.where = f"durative action {action.name}, condition"
    for condition in (action.start.precondition, action.invariant, action.end.precondition):
        checker.formula(condition, scope)
    checker.where = f"durative action {action.name}, effect"
    for effect in (action.start.effect, action.end.effect):
        checker.effect(effect, scope)


def _check_operator_parts(checker: Checker, operator: Operator) -> None:
    """Check an operator: parameters, precondition, preferences and effect, in this order."""
    checker.where = f"action {operator.name}"
    scope = checker.variables(operator.parameters)
    # Uses are noted by identity, since another variable of the same name may hide a parameter.
    checker.used.clear()
    checker.where = f"action {operator.name}, precondition"
    checker.formula(operator.precondition, scope)
    for preference in operator.preferences:
        inner = {**scope, **checker.variables(preference.variables)}
        checker.formula(preference.formula, inner)
    checker.where = f"action {operator.name}, effect"
    checker.effect(operator.effect, scope)
    checker.where = f"action {operator.name}"
    for parameter in operator.parameters:
        if id(parameter) not in checker.used:
            message = f"the parameter ?{parameter.name} is not used"
            checker.add("unused-parameter", message, parameter, severity="warning")
