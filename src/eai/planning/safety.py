"""Rules that a plan has to keep, compiled into the planning task.

Idea: the automaton of a rule runs along with the plan. Its states are new atoms, one of which is
true; every action moves them by conditional effects, and the goal asks for a state in which the
rule holds if the plan ends there (Baier & McIlraith 2006). So every engine finds safe plans, and an
optimal one the cheapest; a proof that there is no plan is one that no safe plan exists.

Invariant: before step i of a plan the atoms are the state after positions 0 to i - 1. An effect is
conditional on the facts before its action, so it reads position i; the goal reads the last one.

Cost: an effect for each operator and cube of the automaton's guards. A rule ``forall x. (body)``
has atoms with the argument x, so nothing grows with the number of objects before grounding.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations

from eai.budget import Budget, Meter
from eai.errors import InputError
from eai.logic import (
    MARK,
    And,
    Atom,
    Automaton,
    Equal,
    Exists,
    Forall,
    Formula,
    LogicVocabulary,
    Not,
    Or,
    Reading,
    Then,
    Variable,
    automaton,
    bindings,
    contains,
    evaluate,
    objects_of,
    parts_of,
)
from eai.logic.automata import Cube
from eai.pddl import (
    AddEffect,
    AndEffect,
    DeleteEffect,
    Domain,
    Effect,
    ForallEffect,
    Operator,
    Predicate,
    Problem,
    WhenEffect,
    literal_effects,
    polarities,
)
from eai.planning.metrics import executed
from eai.planning.planner import plan
from eai.planning.results import Engine, Outcome, PlanningResult
from eai.planning.validation import validate
from eai.world import Action, Trajectory, Universe, world_of


@dataclass(frozen=True)
class _RulePart:
    """One part of a rule: its automaton, with a predicate for each state.

    Args:
        prefix: Begins the name of each predicate, such as ``rule-0-1``.
        variables: The variables that quantifiers before the part bind; its atoms have them as
            arguments.
        machine: The automaton.
        agent: The object that rules leave out of actions; empty if there is none.
    """

    prefix: str
    variables: tuple[Variable, ...]
    machine: Automaton
    agent: str

    def state(self, number: int) -> Atom:
        """Return the atom that is true in a state."""
        return Atom(f"{self.prefix}-{number}", self.variables)

    def is_lost(self, number: int) -> bool:
        """Return whether nothing keeps the rule from a state on."""
        return self.machine.verdict(number) is False

    def condition(self, cube: Cube, operator: Operator | None) -> Formula | None:
        """Return the condition under which a cube holds before an operator, or None for never.

        A cube is a conjunction of literals on a transition of the automaton. Its facts are tested
        in the state, and its actions are compared with the operator.

        Args:
            cube: Facts and actions, each with the truth value that it must have.
            operator: The operator; None after the last action.
        """
        literals: list[Formula] = []
        for proposition, is_wanted in cube:
            terms = [self._term(str(term)) for term in proposition.terms]
            proposition_condition: Formula | None
            if isinstance(proposition, Atom):
                proposition_condition = Atom(proposition.predicate, tuple(terms))
            else:
                proposition_condition = self._is_action(proposition.name, terms, operator)
            if proposition_condition is None:
                # The operator is never this action.
                if is_wanted:
                    return None
            elif is_wanted:
                literals.append(proposition_condition)
            else:
                literals.append(Not(proposition_condition))
        return And.of(literals)

    def _term(self, text: str) -> str | Variable:
        """Return the variable for a marked term, or the object itself."""
        for variable in self.variables:
            if text == MARK + variable.name:
                return variable
        return text

    def _is_action(
        self, name: str, terms: Sequence[str | Variable], operator: Operator | None
    ) -> Formula | None:
        """Return the condition under which an operator is a given action, or None.

        Args:
            name: Name of the action.
            terms: Its arguments, without the agent.
            operator: The operator; None at the end of a plan, where no action is taken.

        Returns:
            Equalities of parameters and arguments; None if the operator never is the action.
        """
        if operator is None or operator.name != name:
            return None
        # Rules have ``grab(cup)`` where the operator is ``grab(agent, cup)``.
        parameters = operator.parameters
        if self.agent:
            parameters = parameters[1:]
        if len(parameters) != len(terms):
            return None
        pairs = zip(parameters, terms, strict=True)
        return And.of([Equal(parameter, term) for parameter, term in pairs])

    def effects(self, operator: Operator) -> Iterator[Effect]:
        """Yield the effects by which an operator advances the automaton.

        Each transition from a state S to another state T becomes a conditional effect: when the
        automaton is in S and the condition of the transition holds, it is in T afterwards.
        """
        for transition in self.machine.transitions:
            # A loop changes nothing, and preconditions exclude actions that lead to a lost state.
            if transition.source == transition.target or self.is_lost(transition.target):
                continue
            source, target = self.state(transition.source), self.state(transition.target)
            for cube in transition.cubes:
                condition = self.condition(cube, operator)
                if condition is None:
                    continue
                state_change = AndEffect((DeleteEffect(source), AddEffect(target)))
                effect: Effect = WhenEffect(And.of([source, condition]), state_change)
                if self.variables:
                    effect = ForallEffect(self.variables, effect)
                yield effect

    def preconditions(self, operator: Operator) -> Iterator[Formula]:
        """Yield the conditions that keep an operator from violating the rule.

        A rule is broken if its automaton enters a lost state: a state from which the rule can no
        longer be satisfied. For each transition into such a state, the operator requires that the
        automaton is not in the state before, or that the condition of the transition is false.

        Args:
            operator: The operator.
        """
        for transition in self.machine.transitions:
            if not self.is_lost(transition.target) or self.is_lost(transition.source):
                continue
            for cube in transition.cubes:
                condition = self.condition(cube, operator)
                if condition is None:
                    continue
                violation: Formula = And.of([self.state(transition.source), condition])
                for variable in reversed(self.variables):
                    violation = Exists([variable], violation)
                yield Not(violation)

    def goal(self) -> Formula:
        """Return the condition that the automaton accepts if the plan ends."""
        # At the end, the automaton has not yet read the last position, because only actions make
        # it move.
        accepting_conditions = []
        for transition in self.machine.transitions:
            if transition.target not in self.machine.accepting:
                continue
            source = self.state(transition.source)
            for cube in transition.cubes:
                condition = self.condition(cube, None)
                if condition is not None:
                    accepting_conditions.append(And.of([source, condition]))
        # The rule has to hold for all objects of its variables.
        goal = Or.of(accepting_conditions)
        for variable in reversed(self.variables):
            goal = Forall([variable], goal)
        return goal


def with_rules(
    domain: Domain, problem: Problem, rules: Sequence[Formula], *, agent: str = ""
) -> tuple[Domain, Problem]:
    """Return a task whose plans are exactly the plans that satisfy all rules.

    Args:
        domain: The domain.
        problem: The problem.
        rules: Formulas over its predicates, actions and objects.
        agent: The object that is the first argument of every action and that rules leave out;
            empty if there is none.

    Raises:
        InputError: If the automaton of a rule is too large.
    """
    objects = {**domain.constants, **problem.objects}
    universe = world_of(domain).universe(objects)
    rule_parts = _split_rules(rules, universe, agent)
    # Each state of an automaton is a new predicate, with the variables of the rule as parameters.
    predicates = dict(domain.predicates)
    initial = list(problem.initial)
    for rule_part in rule_parts:
        for state in rule_part.machine.states:
            name = rule_part.state(state).predicate
            predicates[name] = Predicate(name, rule_part.variables)
        initial += _initial_states(rule_part, universe)
    _refuse_many_effects(domain, rule_parts)
    operators = {
        name: _track_rules(operator, rule_parts) for name, operator in domain.operators.items()
    }
    goal = And.of([problem.goal, *(rule_part.goal() for rule_part in rule_parts)])
    return (
        replace(domain, predicates=predicates, operators=operators),
        replace(problem, initial=tuple(initial), goal=goal),
    )


def _split_rules(rules: Sequence[Formula], universe: Universe, agent: str) -> list[_RulePart]:
    """Return the parts of rules, each with its own automaton.

    Args:
        rules: The rules.
        universe: The objects.
        agent: The first argument of every action, which rules leave out; empty if there is none.
    """
    rule_parts = []
    for rule_index, rule in enumerate(rules):
        for part_index, (body, variables) in enumerate(parts_of(rule)):
            automaton = _automaton_of_part(rule, body, variables, universe)
            # Parameters of operators have other names, so no variable is captured.
            new_variables = {v.name: Variable(f"rule-{v.name}", v.types) for v in variables}
            automaton = _rename_marks(automaton, new_variables)
            name = f"rule-{rule_index}-{part_index}"
            rule_parts.append(_RulePart(name, tuple(new_variables.values()), automaton, agent))
    return rule_parts


def _initial_states(rule_part: _RulePart, universe: Universe) -> Iterator[Atom]:
    """Yield atoms which say that a part's automaton is in its initial state, for all objects.

    "forall x: G f(x)" has a single automaton, whose state predicates have x as an argument.
    """
    predicate = rule_part.state(rule_part.machine.initial).predicate
    for binding in bindings(rule_part.variables, universe.of_types, {}):
        yield Atom(predicate, tuple(binding[variable.name] for variable in rule_part.variables))


def _automaton_of_part(
    rule: Formula, body: Formula, variables: Sequence[Variable], universe: Universe
) -> Automaton:
    """Return the automaton of one part of a rule, with variables as marked objects.

    Args:
        rule: The whole rule, which decides how its parts are read.
        body: The part.
        variables: Its variables.
        universe: The objects.
    """
    # An automaton has ground letters: a marked object stands for whatever the variable will be.
    marks = {variable.name: MARK + variable.name for variable in variables}
    reading: Reading = "eai"
    if rule.is_temporal and not contains(rule, Then):
        reading = "ltlf"
    return automaton(body.substitute(marks), objects=universe.of_types, reading=reading)


_MAX_EFFECTS = 60_000
"""Maximum number of effects that rules add; grounding ten times as many takes a minute."""


def _refuse_many_effects(domain: Domain, rule_parts: Sequence[_RulePart]) -> None:
    """Refuse rules whose automata would add too many effects.

    Raises:
        InputError: If there are more than :data:`_MAX_EFFECTS`.
    """
    cubes = 0
    for rule_part in rule_parts:
        for transition in rule_part.machine.transitions:
            cubes += len(transition.cubes)
    effects = cubes * len(domain.operators)
    if effects > _MAX_EFFECTS:
        raise InputError(
            f"the rules add {effects:,} effects to the actions",
            expected=f"at most {_MAX_EFFECTS:,}",
            mend="quantify over fewer objects inside of a rule, or leave rules out",
        )


def _rename_marks(machine: Automaton, named: Mapping[str, Variable]) -> Automaton:
    """Return an automaton with its markers renamed to other variables."""
    marks = {MARK + old: MARK + new.name for old, new in named.items()}
    letters = []
    for letter in machine.letters:
        letters.append(letter.with_terms([marks.get(str(term), term) for term in letter.terms]))
    return replace(machine, letters=tuple(letters))


def _track_rules(operator: Operator, rule_parts: Sequence[_RulePart]) -> Operator:
    """Return an operator that also advances the automata of the rules."""
    preconditions = [operator.precondition]
    effects = [operator.effect]
    for rule_part in rule_parts:
        preconditions.extend(rule_part.preconditions(operator))
        effects.extend(rule_part.effects(operator))
    return replace(operator, precondition=And.of(preconditions), effect=AndEffect(tuple(effects)))


@dataclass(frozen=True)
class Scope:
    """The part of a task that a search considers.

    Args:
        objects: Names of objects; constants of the domain are always known.
        operators: Names of operators.
    """

    objects: frozenset[str]
    operators: frozenset[str]


def safe_plan(
    domain: Domain,
    problem: Problem,
    rules: Sequence[Formula],
    *,
    agent: str = "",
    engine: str | Engine = "eai",
    budget: Budget | Meter | None = None,
    scope: Scope | None = None,
) -> PlanningResult:
    """Find a plan that reaches the goal and satisfies all rules.

    A rule is compiled into the task only after a plan was found that breaks it. Fewer rules permit
    more plans. So the first plan that satisfies all rules is a cheapest one if the engine is
    optimal. And if no plan satisfies some of the rules, no plan satisfies all of them.

    Args:
        domain: The domain.
        problem: The problem.
        rules: The rules.
        agent: As for :func:`with_rules`.
        engine: An engine or the name of one; ``"eai-optimal"`` finds a shortest plan.
        budget: The limits of each search; None for no limit. There are at most as many searches as
            rules, and two more.
        scope: The objects and operators of the search; None for all. A plan that is found is
            tested with all objects. If no plan is found, that proves nothing.

    Returns:
        The plan, or the reason why there is none. With a scope, the reason is never that no plan
        exists.

    Raises:
        InputError: If the automaton of a rule is too large.
    """
    # Invariant: every tracked rule was broken by some plan, so each round adds at least one. A plan
    # over few objects is found faster, but it is tested with all objects.
    searched_task = domain, problem
    if scope is not None:
        searched_task = _within(domain, problem, scope)
    tracked_rules: list[Formula] = []
    while True:
        task_with_rules = with_rules(*searched_task, tracked_rules, agent=agent)
        result = plan(*task_with_rules, engine=engine, budget=budget)
        if result.plan is None:
            break
        broken_rules = _broken(domain, problem, rules, result.plan, agent)
        if broken_rules is None:
            # A condition on all objects of the scope may be false for objects outside of it.
            reason = "what was found cannot be done among all objects"
            result = replace(result, outcome=Outcome.INCOMPLETE, plan=None, reason=reason)
            break
        if not broken_rules:
            return replace(result, optimal=result.optimal and scope is None)
        tracked_rules += broken_rules
    if scope is not None:
        return _without_proof(result)
    if result.outcome is Outcome.UNSOLVABLE or len(tracked_rules) == len(rules):
        return result
    # Rules can also make a search smaller, because they forbid actions.
    task_with_rules = with_rules(domain, problem, rules, agent=agent)
    return plan(*task_with_rules, engine=engine, budget=budget)


def _without_proof(result: PlanningResult) -> PlanningResult:
    """Return the result of a search within a scope, which proves nothing about all objects."""
    if result.outcome is not Outcome.UNSOLVABLE:
        return result
    reason = "there is no safe plan within the scope"
    return replace(result, outcome=Outcome.INCOMPLETE, reason=reason)


def _within(domain: Domain, problem: Problem, scope: Scope) -> tuple[Domain, Problem]:
    """Return a task restricted to the objects and operators of a scope.

    Args:
        domain: The domain.
        problem: The problem.
        scope: The objects and operators that are kept.
    """
    excluded_objects = problem.objects.keys() - scope.objects
    objects = {}
    for name, type_name in problem.objects.items():
        if name not in excluded_objects:
            objects[name] = type_name
    # Facts about excluded objects are dropped; constants of the domain are never excluded.
    initial = []
    for atom in problem.initial:
        if excluded_objects.isdisjoint(map(str, atom.terms)):
            initial.append(atom)
    operators = {}
    for name, operator in domain.operators.items():
        if name in scope.operators:
            operators[name] = operator
    smaller_domain = replace(domain, operators=operators)
    return smaller_domain, replace(problem, objects=objects, initial=tuple(initial))


def _broken(
    domain: Domain, problem: Problem, rules: Sequence[Formula], steps: Sequence[Action], agent: str
) -> list[Formula] | None:
    """Return the rules that a plan violates, or None if it is not a valid plan.

    Args:
        domain: The domain.
        problem: The problem.
        rules: The rules.
        steps: The plan.
        agent: First argument of all actions, which rules leave out; empty if there is none.
    """
    if not validate(domain, problem, steps).valid:
        return None
    trajectory = executed(domain, problem, steps)
    if agent:
        # Rules write actions as plans of a suite do: "open(door)", not "open(robot, door)".
        steps_of_rules = []
        for step in trajectory.steps:
            steps_of_rules.append(replace(step, action=without_agent(step.action)))
        trajectory = Trajectory(
            trajectory.world, trajectory.start, steps_of_rules, trajectory.final
        )
    return [rule for rule in rules if not evaluate(rule, trajectory)]


def without_agent(action: Action) -> Action:
    """Return an action of a domain as rules and plans of a suite write it."""
    return Action(action.name, action.arguments[1:])


def scopes_of(
    domain: Domain,
    problem: Problem,
    rules: Sequence[Formula],
    plans: Sequence[Sequence[Action]],
    *,
    agent: str = "",
) -> Iterator[Scope]:
    """Yield a small and a larger scope in which a safe plan like given plans may exist.

    The objects are those in the goal and the plans, with their containers at the start, and in the
    larger scope also those in a common fact with one of them. The operators are those in the plans,
    and those that achieve something in the rules.

    Args:
        domain: The domain.
        problem: The problem.
        rules: The rules.
        plans: Plans that reach the goal, whether they keep the rules or not.
        agent: As for :func:`with_rules`; the plans leave it out.
    """
    mentioned_objects = {agent}
    operators = set()
    for step in chain.from_iterable(plans):
        mentioned_objects.update(step.arguments)
        operators.add(step.name)
    for formula in (problem.goal, *rules):
        mentioned_objects |= objects_of(formula)
    operators |= _operators_for_rules(domain, rules)
    # Rules and goals may name constants, which the search knows in any case.
    objects = mentioned_objects & problem.objects.keys()
    yield Scope(_with_containers(problem, objects), frozenset(operators))
    neighbours = set(objects)
    for atom in problem.initial:
        names = set(map(str, atom.terms))
        if not names.isdisjoint(objects):
            neighbours |= names
    yield Scope(_with_containers(problem, neighbours), frozenset(operators))


def _operators_for_rules(domain: Domain, rules: Sequence[Formula]) -> set[str]:
    """Return the operators that make something in the rules true.

    A rule may need an operator that the goal does not need.
    """
    predicates: set[str] = set()
    for rule in rules:
        predicates.update(atom.predicate for atom, _ in polarities(rule))
    names = set()
    for name, operator in domain.operators.items():
        for effect in literal_effects(operator.effect):
            if isinstance(effect, AddEffect) and effect.atom.predicate in predicates:
                names.add(name)
    return names


def _with_containers(problem: Problem, objects: Collection[str]) -> frozenset[str]:
    """Return objects and everything that contains or supports them at the start.

    A fact with two arguments, ``on(cup, table)``, says that the second contains or supports the
    first. Symmetric predicates such as ``next_to`` are ignored.
    """
    facts_of_two: set[tuple[str, str, str]] = set()
    for atom in problem.initial:
        if len(atom.terms) == 2:
            contained, container = map(str, atom.terms)
            facts_of_two.add((atom.predicate, contained, container))
    symmetric = {
        name
        for name, contained, container in facts_of_two
        if (name, container, contained) in facts_of_two
    }
    containers: dict[str, set[str]] = {}
    for name, contained, container in facts_of_two:
        if name not in symmetric:
            containers.setdefault(contained, set()).add(container)
    # For example from a cup to the table under it, and from there to the room.
    reached = set(objects)
    pending = list(objects)
    while pending:
        unseen = containers.get(pending.pop(), set()) - reached
        reached |= unseen
        pending += unseen
    return frozenset(reached)


def smallest_conflict(
    domain: Domain,
    problem: Problem,
    rules: Mapping[str, Formula],
    *,
    agent: str = "",
    budget: Budget | Meter | None = None,
) -> tuple[str, ...] | None:
    """Return the fewest rules that no plan for the goal satisfies together, or None.

    Returns:
        The names, none if the goal itself cannot be reached; None if the rules are not proved to
        conflict. Sets are tried by size, so it may take as many searches as there are sets.
    """
    for size in range(len(rules) + 1):
        for names in combinations(rules, size):
            chosen = [rules[name] for name in names]
            result = safe_plan(domain, problem, chosen, agent=agent, budget=budget)
            if result.outcome is Outcome.UNSOLVABLE:
                return names
    return None


def names_of(domain: Domain, problem: Problem) -> LogicVocabulary:
    """Return the names that rules of a PDDL task may use."""
    return LogicVocabulary(
        {name: predicate.arity for name, predicate in domain.predicates.items()},
        {name: len(operator.parameters) for name, operator in domain.operators.items()},
        {**domain.constants, **problem.objects},
        {"object": "object", **domain.types},
    )
