"""Planning domains and problems: the objects that PDDL text describes.

Conditions are :mod:`eai.logic.formula` trees; effects are the small tree below. All names are
lower case, because PDDL ignores letter case. The language is ADL with numbers (PDDL 2.1 levels 1
and 2, with the derived predicates of PDDL 2.2 and action costs): Fox & Long 2003; Edelkamp &
Hoffmann 2004.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, NamedTuple

from eai.logic import (
    TRUE,
    And,
    Atom,
    Expression,
    Formula,
    Not,
    Rational,
    Term,
    Variable,
    atoms,
    compares_numbers,
    exact,
    numeric_terms,
    substituted,
    substituted_term,
)


@dataclass(frozen=True, slots=True)
class Predicate:
    """A declared predicate.

    Args:
        name: Its name.
        parameters: One typed variable for each argument.
    """

    name: str
    parameters: tuple[Variable, ...] = ()

    @property
    def arity(self) -> int:
        """Number of arguments."""
        return len(self.parameters)


@dataclass(frozen=True, slots=True)
class Function:
    """A declared numeric function.

    Args:
        name: Its name.
        parameters: One typed variable for each argument.
    """

    name: str
    parameters: tuple[Variable, ...] = ()


@dataclass(frozen=True, slots=True)
class Effect:
    """Base class of all effects."""


@dataclass(frozen=True, slots=True)
class AddEffect(Effect):
    """Makes an atom true."""

    atom: Atom


@dataclass(frozen=True, slots=True)
class DeleteEffect(Effect):
    """Makes an atom false, unless the same action also adds it (adding wins)."""

    atom: Atom


@dataclass(frozen=True, slots=True)
class AndEffect(Effect):
    """Several effects at once; none when empty.

    Conditions of all of them are evaluated before any of them happens (Fox & Long 2003, section 7).
    """

    parts: tuple[Effect, ...] = ()


@dataclass(frozen=True, slots=True)
class ForallEffect(Effect):
    """An effect for every binding of the variables."""

    variables: tuple[Variable, ...]
    effect: Effect


@dataclass(frozen=True, slots=True)
class WhenEffect(Effect):
    """An effect that happens if the condition holds *before* the action."""

    condition: Formula
    effect: Effect


@dataclass(frozen=True, slots=True)
class CostEffect(Effect):
    """Increases the total cost, by a number or by the value of a function term."""

    amount: float | Rational | Atom


Update = Literal["increase", "decrease", "assign", "scale-up", "scale-down"]
"""How an effect changes a number."""


@dataclass(frozen=True, slots=True)
class NumericEffect(Effect):
    """Changes a number. All amounts are evaluated before any number changes.

    Args:
        update: How it is changed.
        target: The function term whose value changes.
        amount: The amount that is added, assigned and so on.
    """

    update: Update
    target: Atom
    amount: Expression


@dataclass(frozen=True, slots=True)
class Preference:
    """A soft condition whose violations the metric may count (PDDL 3).

    Args:
        name: Its name, which several may share; empty if it has none.
        formula: In a precondition a condition on the state before the step. Elsewhere a formula of
            linear temporal logic over the whole plan; a goal is one about its end.
        variables: Variables that are bound around it: every binding counts for itself.
    """

    name: str
    formula: Formula
    variables: tuple[Variable, ...] = ()


@dataclass(frozen=True, slots=True)
class Operator:
    """An action schema.

    Args:
        name: Its name.
        parameters: Typed variables.
        precondition: The condition for the action to be applicable.
        effect: The changes that it makes.
        preferences: Conditions that should hold when it is done; each step that violates one
            counts.
    """

    name: str
    parameters: tuple[Variable, ...] = ()
    precondition: Formula = TRUE
    effect: Effect = AndEffect()
    preferences: tuple[Preference, ...] = ()


@dataclass(frozen=True, slots=True)
class DurativeAction:
    """An action that takes time.

    Args:
        name: Its name.
        parameters: Typed variables.
        start: The conditions and effects at its start, as an operator; constraints on the duration
            are conditions over :data:`DURATION`.
        end: The conditions and effects at its end.
        invariant: The condition that has to hold from right after its start until right before its
            end.
    """

    name: str
    parameters: tuple[Variable, ...]
    start: Operator
    end: Operator
    invariant: Formula = TRUE


@dataclass(frozen=True, slots=True)
class TimedLiteral:
    """A fact that becomes true or false by itself (PDDL 2.2).

    Args:
        time: When.
        atom: The fact.
        value: Whether it becomes true.
    """

    time: Rational
    atom: Atom
    value: bool


@dataclass(frozen=True, slots=True)
class Axiom:
    """A rule for a derived predicate: the head holds wherever the body does.

    Args:
        head: The derived predicate applied to variables.
        body: A condition over those variables.
    """

    head: Atom
    body: Formula

    @property
    def parameters(self) -> tuple[Variable, ...]:
        """The variables of the head."""
        return tuple([term for term in self.head.terms if isinstance(term, Variable)])

    def body_for(self, terms: Sequence[Term]) -> Formula:
        """Return the body with terms in the place of the head's variables.

        With the rule ``(near ?x ?y)`` if ``(on ?x ?y)``, the terms ``cup`` and ``?z`` give the body
        ``(on cup ?z)``.
        """
        names = [parameter.name for parameter in self.parameters]
        return self.body.substitute(dict(zip(names, terms, strict=True)))


@dataclass(frozen=True, slots=True)
class NamedPhrase:
    """A phrase that names other objects.

    Args:
        text: The phrase; the numbers from the predicate's arity on stand for those objects.
        search: For each of them, in order, the variable that stands for it and what has to hold
            of it. Variables are named by the numbers.
    """

    text: str
    search: tuple[tuple[Variable, Formula], ...]


@dataclass(frozen=True, slots=True)
class Phrase:
    """The wording of a predicate, for its truth and its falsity.

    Args:
        true: The text if it holds.
        false: The text if it does not hold.
        named: The text that replaces it if the objects to blame can be found.
        means: When a derived predicate holds, in words; empty if ``true`` says it all. If None,
            its rules are told.
    """

    true: str
    false: str
    named: Mapping[bool, NamedPhrase] = field(default_factory=dict)
    means: str | None = None


@dataclass(frozen=True)
class Domain:
    """A planning domain.

    Args:
        name: Its name.
        requirements: Requirement keys without the colon, as declared.
        types: Type name to its direct supertype (``"object"`` is the root and not listed).
        constants: Constant name to type.
        predicates: Name to declaration, derived predicates included.
        functions: Name to declaration.
        axioms: Rules for derived predicates.
        operators: Name to action schema, in the order of the text.
        phrases: Predicate to how it is put in words, where somebody said that
            (:func:`eai.pddl.phrases.with_phrases`); what a domain means does not depend on it.
        constraints: The constraint on the states of every plan, in linear temporal logic (PDDL 3).
        preferences: Constraints that a plan should satisfy, but need not.
        durative: Name to durative action.
        keeps_numbers: Whether states keep numbers although no action needs them
            (:attr:`with_numbers`).
    """

    name: str
    requirements: tuple[str, ...] = ()
    types: Mapping[str, str] = field(default_factory=dict)
    constants: Mapping[str, str] = field(default_factory=dict)
    predicates: Mapping[str, Predicate] = field(default_factory=dict)
    functions: Mapping[str, Function] = field(default_factory=dict)
    axioms: tuple[Axiom, ...] = ()
    operators: Mapping[str, Operator] = field(default_factory=dict)
    phrases: Mapping[str, Phrase] = field(default_factory=dict, compare=False, repr=False)
    constraints: Formula = TRUE
    preferences: tuple[Preference, ...] = ()
    durative: Mapping[str, DurativeAction] = field(default_factory=dict)
    keeps_numbers: bool = False

    @cached_property
    def has_numbers(self) -> bool:
        """Whether states have to store numbers.

        They do if some condition compares numbers, or some action changes a number other than the
        total cost. Action costs alone are added up beside the states.
        """
        # Durative actions do not count: they are run in a domain of their starts and ends.
        if self.keeps_numbers or compares_numbers(self.constraints):
            return True
        if any(compares_numbers(axiom.body) for axiom in self.axioms):
            return True
        if any(compares_numbers(preference.formula) for preference in self.preferences):
            return True
        return any(map(_has_numbers, self.operators.values()))

    @cached_property
    def has_costs(self) -> bool:
        """Whether some action adds to the total cost."""
        return any(any(cost_clauses(operator.effect)) for operator in self.operators.values())

    @cached_property
    def has_conditional_costs(self) -> bool:
        """Whether the cost of some action depends on facts."""
        for operator in self.operators.values():
            if any(clause.condition != TRUE for clause in cost_clauses(operator.effect)):
                return True
        return False

    @cached_property
    def with_numbers(self) -> Domain:
        """The domain with numbers, including the total cost, stored in states."""
        if self.has_numbers:
            return self
        # The total cost need not be declared in domains that were built in code.
        functions = {TOTAL_COST.predicate: Function(TOTAL_COST.predicate), **self.functions}
        return replace(self, functions=functions, keeps_numbers=True)

    @cached_property
    def changed_functions(self) -> frozenset[str]:
        """Names of the functions whose values some operator changes."""
        changed_names: set[str] = set()
        for operator in self.operators.values():
            for clause in numeric_clauses(operator.effect):
                changed_names.add(clause.target.predicate)
        # The duration has another value in every action, so it is not static either.
        if DURATION.predicate in self.functions:
            changed_names.add(DURATION.predicate)
        return frozenset(changed_names)

    @cached_property
    def derived(self) -> frozenset[str]:
        """Names of the predicates that axioms define."""
        return frozenset(axiom.head.predicate for axiom in self.axioms)

    @cached_property
    def fluents(self) -> frozenset[str]:
        """Names of the predicates that operators may change, directly or through axioms.

        All other predicates are static: their facts are the same in every state.
        """
        changed_predicates: set[str] = set()
        # Starts and ends of durative actions are operators of a domain of their own
        # (:func:`eai.world.temporal.instant_domain`).
        for operator in self.operators.values():
            for effect in literal_effects(operator.effect):
                changed_predicates.add(effect.atom.predicate)
        # Invariant: all of these are changed. The least fixed point is reached after at most as
        # many rounds as there are derived predicates.
        is_growing = True
        while is_growing:
            is_growing = False
            for axiom in self.axioms:
                name = axiom.head.predicate
                if name in changed_predicates:
                    continue
                is_fixed = changed_predicates.isdisjoint(_predicates_of(axiom.body))
                if not is_fixed or self._reads_changing_numbers(axiom.body):
                    changed_predicates.add(name)
                    is_growing = True
        return frozenset(changed_predicates)

    @cached_property
    def numeric_predicates(self) -> frozenset[str]:
        """Names of the derived predicates whose truth depends on numbers."""
        names: set[str] = set()
        # Invariant: all of these depend on numbers; like the fluents, a least fixed point.
        is_growing = True
        while is_growing:
            is_growing = False
            for axiom in self.axioms:
                if axiom.head.predicate in names:
                    continue
                if compares_numbers(axiom.body) or not names.isdisjoint(_predicates_of(axiom.body)):
                    names.add(axiom.head.predicate)
                    is_growing = True
        return frozenset(names)

    def reads_numbers(self, condition: Formula) -> bool:
        """Return whether a condition compares numbers, directly or through axioms."""
        if compares_numbers(condition):
            return True
        names = self.numeric_predicates
        return bool(names) and not names.isdisjoint(_predicates_of(condition))

    def is_static(self, condition: Formula) -> bool:
        """Return whether no operator changes any predicate or number that a condition is about."""
        core = condition.operand if isinstance(condition, Not) else condition
        if isinstance(core, Atom):  # the commonest condition, and it compares no numbers
            return core.predicate not in self.fluents
        if not self.fluents.isdisjoint(_predicates_of(condition)):
            return False
        return not self._reads_changing_numbers(condition)

    def _reads_changing_numbers(self, condition: Formula) -> bool:
        """Return whether a condition compares a number that some operator changes."""
        return any(term.predicate in self.changed_functions for term in numeric_terms(condition))

    def is_subtype(self, type_name: str, ancestor: str) -> bool:
        """Return whether ``type_name`` is ``ancestor`` or one of its descendants.

        Every type is a descendant of ``object``.
        """
        # A domain with mistakes may have types in a circle.
        visited: set[str] = set()
        while type_name != ancestor:
            if type_name == "object" or type_name in visited:
                return False
            visited.add(type_name)
            type_name = self.types.get(type_name, "object")
        return True

    def bodies_for(self, atom: Atom) -> list[Formula]:
        """Return the bodies of the rules that derive an atom, with its terms inserted."""
        bodies = []
        for axiom in self.axioms:
            if axiom.head.predicate == atom.predicate:
                bodies.append(axiom.body_for(atom.terms))
        return bodies


DURATION = Atom("?duration", ())
"""The duration of the action that a condition or effect belongs to, as a function term."""

TOTAL_COST = Atom("total-cost", ())
"""The term whose value actions increase and problems minimise."""


@dataclass(frozen=True, slots=True)
class Metric:
    """The measure by which plans are compared.

    Args:
        direction: Whether a smaller or a larger value is better.
        expression: The value at the end of a plan. ``total-time`` stands for its length.
    """

    direction: Literal["minimize", "maximize"]
    expression: Expression


TOTAL_TIME = Atom("total-time", ())
"""The length of a plan, in metrics."""

VIOLATIONS = "is-violated"
"""The function of metrics whose value is the number of violations of a preference."""

MINIMAL_COST = Metric("minimize", TOTAL_COST)
"""The metric of action costs."""


@dataclass(frozen=True)
class Problem:
    """A planning problem.

    Args:
        name: Its name.
        domain: Name of its domain.
        objects: Object name to type.
        initial: Atoms that hold at the start; their terms are object names.
        goal: The condition that has to hold at the end.
        values: Function terms with their initial values; others are undefined, except that the
            total cost begins at 0.
        metric: The metric by which plans are compared; None if nothing is said.
        constraints: The constraint on the states of a plan, in linear temporal logic (PDDL 3).
        preferences: Constraints and goals that a plan should satisfy, but need not.
        timed: Facts that change by themselves.
    """

    name: str
    domain: str
    objects: Mapping[str, str]
    initial: tuple[Atom, ...] = ()
    goal: Formula = TRUE
    values: Mapping[Atom, float | Rational] = field(default_factory=dict)
    metric: Metric | None = None
    constraints: Formula = TRUE
    preferences: tuple[Preference, ...] = ()
    timed: tuple[TimedLiteral, ...] = ()

    @property
    def minimize(self) -> bool:
        """Whether the total cost is to be minimised, and nothing else."""
        return self.metric == MINIMAL_COST

    @property
    def has_numbers(self) -> bool:
        """Whether its goal or metric uses numbers other than the total cost."""
        if compares_numbers(self.goal) or compares_numbers(self.constraints):
            return True
        if any(compares_numbers(preference.formula) for preference in self.preferences):
            return True
        return self.metric not in (None, MINIMAL_COST)


def has_times(domain: Domain, problem: Problem) -> bool:
    """Return whether a task has durative actions or timed literals, and thus a clock."""
    return bool(domain.durative or problem.timed)


def has_trajectory_constraints(domain: Domain, problem: Problem) -> bool:
    """Return whether a task has constraints or preferences (PDDL 3)."""
    if domain.preferences or problem.preferences:
        return True
    if domain.constraints != TRUE or problem.constraints != TRUE:
        return True
    return any(operator.preferences for operator in domain.operators.values())


def numeric_domain(domain: Domain, problem: Problem) -> Domain:
    """Return the domain, in whose states numbers are kept if the problem is about them."""
    return domain.with_numbers if problem.has_numbers else domain


def _has_numbers(operator: Operator) -> bool:
    """Return whether an operator compares or changes numbers other than the total cost.

    Preconditions, preferences, and the conditions of conditional effects may compare numbers.
    """
    if compares_numbers(operator.precondition):
        return True
    if any(compares_numbers(preference.formula) for preference in operator.preferences):
        return True
    for _, condition, leaf in _leaves(operator.effect, (), TRUE):
        if compares_numbers(condition) or isinstance(leaf, NumericEffect):
            return True
    return False


def _predicates_of(condition: Formula) -> Iterator[str]:
    """Yield the predicates of a condition.

    In constraints an atom may also mention an action that was done; that is not a predicate.
    """
    for atom in atoms(condition):
        if isinstance(atom, Atom):
            yield atom.predicate


def literal_effects(effect: Effect) -> Iterator[AddEffect | DeleteEffect]:
    """Yield the add and delete effects inside an effect, in reading order.

    They show which facts an action *may* change. Quantifiers and conditions around them, which
    decide when it does, are dropped; :func:`clauses` has them.
    """
    if isinstance(effect, (AddEffect, DeleteEffect)):
        yield effect
    elif isinstance(effect, AndEffect):
        for part in effect.parts:
            yield from literal_effects(part)
    elif isinstance(effect, (ForallEffect, WhenEffect)):
        yield from literal_effects(effect.effect)


class Clause(NamedTuple):
    """One literal of an effect, for all objects that satisfy its condition.

    ``(forall (?x) (when (in ?x ?box) (not (at ?x ?from))))`` is the clause with the variable
    ``?x``, the condition ``(in ?x ?box)``, not added, and the atom ``(at ?x ?from)``.

    Args:
        variables: Variables of the quantifiers around it, the outermost first.
        condition: Conjunction of the conditions around it.
        added: Whether the atom becomes true, or false.
        atom: The atom.
    """

    variables: tuple[Variable, ...]
    condition: Formula
    added: bool
    atom: Atom

    @property
    def effect(self) -> Effect:
        """The same as an effect."""
        literal = AddEffect(self.atom) if self.added else DeleteEffect(self.atom)
        return _within(literal, self.variables, self.condition)


class CostClause(NamedTuple):
    """One increase of the total cost, for all objects that satisfy its condition.

    Args:
        variables: Variables of the quantifiers around it, the outermost first.
        condition: Conjunction of the conditions around it.
        amount: A number, or a function term.
    """

    variables: tuple[Variable, ...]
    condition: Formula
    amount: float | Rational | Atom

    @property
    def effect(self) -> Effect:
        """The same as an effect."""
        return _within(CostEffect(self.amount), self.variables, self.condition)


class NumericClause(NamedTuple):
    """One change of a number, for all objects that satisfy its condition.

    Args:
        variables: Variables of the quantifiers around it, the outermost first.
        condition: Conjunction of the conditions around it.
        update: How the number is changed.
        target: The function term whose value changes.
        amount: The amount that is added, assigned and so on.
    """

    variables: tuple[Variable, ...]
    condition: Formula
    update: Update
    target: Atom
    amount: Expression

    @property
    def effect(self) -> Effect:
        """The same as an effect."""
        change = NumericEffect(self.update, self.target, self.amount)
        return _within(change, self.variables, self.condition)


def numeric_clauses(
    effect: Effect, names: Iterable[str] = (), *, has_costs: bool = True
) -> Iterator[NumericClause]:
    """Yield the changes of numbers in an effect, in reading order.

    Args:
        effect: The effect.
        names: Names of the variables that are bound outside of it. A variable of the effect with
            one of these names gets a new name.
        has_costs: Whether plain increases of the total cost are among them.
    """
    for variables, condition, leaf in _conditional_leaves(effect, names):
        if isinstance(leaf, NumericEffect):
            yield NumericClause(variables, condition, leaf.update, leaf.target, leaf.amount)
        elif isinstance(leaf, CostEffect) and has_costs:
            # Costs may have been built in code as floating-point numbers; states are exact.
            amount = leaf.amount if isinstance(leaf.amount, Atom) else exact(leaf.amount)
            yield NumericClause(variables, condition, "increase", TOTAL_COST, amount)


def clauses(effect: Effect, names: Iterable[str] = ()) -> Iterator[Clause]:
    """Yield the literals of an effect in reading order, without changes of numbers.

    Args:
        effect: The effect.
        names: Names of the action's parameters, which are bound outside of the effect. A variable
            of the effect with one of these names gets a new name.
    """
    for variables, condition, leaf in _conditional_leaves(effect, names):
        if isinstance(leaf, (AddEffect, DeleteEffect)):
            yield Clause(variables, condition, isinstance(leaf, AddEffect), leaf.atom)


def cost_clauses(effect: Effect, names: Iterable[str] = ()) -> Iterator[CostClause]:
    """Yield the increases of the total cost in an effect, in reading order.

    Args:
        effect: The effect.
        names: Names of the variables that are bound outside of it. A variable of the effect with
            one of these names gets a new name.
    """
    for variables, condition, leaf in _conditional_leaves(effect, names):
        if isinstance(leaf, CostEffect):
            yield CostClause(variables, condition, leaf.amount)


def _within(effect: Effect, variables: tuple[Variable, ...], condition: Formula) -> Effect:
    """Return an effect inside a condition and a quantifier, without trivial ones."""
    # The condition is inside of the quantifier: it may be about the quantified variables.
    if condition != TRUE:
        effect = WhenEffect(condition, effect)
    return ForallEffect(variables, effect) if variables else effect


def _conditional_leaves(
    effect: Effect, names: Iterable[str]
) -> Iterator[tuple[tuple[Variable, ...], Formula, Effect]]:
    """Yield the elementary effects with their quantified variables and conditions.

    Args:
        effect: Any effect.
        names: Names of the variables that are bound outside of it.
    """
    return _leaves(_distinct_variables(effect, {}, frozenset(names)), (), TRUE)


def _leaves(
    effect: Effect, variables: tuple[Variable, ...], condition: Formula
) -> Iterator[tuple[tuple[Variable, ...], Formula, Effect]]:
    """Yield the elementary effects with their quantified variables and conditions.

    Args:
        effect: An effect in which no variable hides another one.
        variables: Variables that quantifiers around it bind.
        condition: Conjunction of the conditions around it.
    """
    if isinstance(effect, AndEffect):
        for part in effect.parts:
            yield from _leaves(part, variables, condition)
    elif isinstance(effect, WhenEffect):
        all_conditions = effect.condition
        # All conditions are about the state before the step, also those inside others, so they
        # may be joined.
        if condition != TRUE:
            all_conditions = And((condition, effect.condition))
        yield from _leaves(effect.effect, variables, all_conditions)
    elif isinstance(effect, ForallEffect):
        # The condition gets inside of the quantifier here, which is right only because the names
        # of all variables differ.
        yield from _leaves(effect.effect, (*variables, *effect.variables), condition)
    else:
        yield variables, condition, effect


def _distinct_variables(
    effect: Effect, renamed: Mapping[str, Term], bound_names: frozenset[str]
) -> Effect:
    """Return an effect in which no variable hides another one.

    Only then can conditions from outside of a quantifier be put inside. A new name has a ``#``, as
    no name in a text has: with the parameter ``?x``, ``(forall (?x) (p ?x))`` becomes
    ``(forall (?x#1) (p ?x#1))``.

    Args:
        effect: The effect.
        renamed: New variables for the names that quantifiers around the effect bind.
        bound_names: Names that are bound around the effect.
    """
    if isinstance(effect, (AddEffect, DeleteEffect)):
        atom = effect.atom.substitute(renamed)
        assert isinstance(atom, Atom)  # noqa: S101 - an atom stays one
        # Unchanged parts are reused, as most effects hide no variable.
        return effect if atom is effect.atom else type(effect)(atom)
    if isinstance(effect, CostEffect) and isinstance(effect.amount, Atom):
        amount = effect.amount.substitute(renamed)
        assert isinstance(amount, Atom)  # noqa: S101 - an atom stays one
        return effect if amount is effect.amount else CostEffect(amount)
    if isinstance(effect, NumericEffect):
        target = substituted_term(effect.target, renamed)
        return NumericEffect(effect.update, target, substituted(effect.amount, renamed))
    if isinstance(effect, AndEffect):
        return AndEffect(
            tuple([_distinct_variables(operand, renamed, bound_names) for operand in effect.parts])
        )
    if isinstance(effect, WhenEffect):
        condition = effect.condition.substitute(renamed)
        return WhenEffect(condition, _distinct_variables(effect.effect, renamed, bound_names))
    if isinstance(effect, ForallEffect):
        return _distinct_quantifier(effect, renamed, bound_names)
    return effect


def _distinct_quantifier(
    effect: ForallEffect, new_names: Mapping[str, Term], bound_names: frozenset[str]
) -> ForallEffect:
    """Return a quantified effect in which no variable hides another one.

    In ``(forall (?x) (when (wet ?x) (forall (?x) (dry ?x))))``, the inner variable is renamed to a
    name like ``?x#1``, so that all names differ.

    Args:
        effect: The effect.
        new_names: The new names of variables around it.
        bound_names: All names of variables around it.
    """
    variables: list[Variable] = []
    # Copies, since outside of this quantifier the names keep their meaning.
    inner_names = dict(new_names)
    inner_bound_names = set(bound_names)
    for variable in effect.variables:
        new_variable = variable
        if variable.name in inner_bound_names:
            # The number of names differs at every level, so the new name is not taken.
            new_variable = Variable(f"{variable.name}#{len(inner_bound_names)}", variable.types)
        variables.append(new_variable)
        inner_names[variable.name] = new_variable
        inner_bound_names.add(new_variable.name)
    return ForallEffect(
        tuple(variables),
        _distinct_variables(effect.effect, inner_names, frozenset(inner_bound_names)),
    )
