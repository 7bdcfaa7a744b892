"""Whether two domains are the same, whatever their names are, and a problem that tells them apart.

Two domains are *equivalent* if, under a matching of their names, every plan that can be done from a
state in one can be done in the other, and leads to the same facts. That plans of each are valid in
the other is the heuristic of Oswald et al. 2024; here it is decided where it can be:

1. Domains that are the same as they are written, up to names and order, are equivalent: a proof.
2. With problems, all states that can be reached are walked through breadth first in both domains at
   once. As long as no difference was met, both are in states with the same facts, so the first
   difference that is met ends a shortest plan that tells them apart. Without any, the domains are
   equivalent on these problems.
3. Without problems, small states are made for each action: what it needs in one of the domains, and
   the same with one fact more or less. A difference is a problem with a plan of one step; no
   difference is no proof.

Facts of a predicate that only one domain has, and of derived ones, are carried along and not
compared, but goals of problems are. Costs are not compared. Domains with numbers are compared by
their structure only, functions by name, and those with times as they are written.

Cost: of 2, one walk through at most ``states`` pairs of states for each problem; of 3, at most
:data:`_MAX_STATES_FOR_OBJECTS` states for each action and choice of its objects.

Examples:
    >>> from eai.pddl import parse_domain
    >>> text = ("(define (domain d) (:predicates (on ?x) (off ?x)) (:action press :parameters (?x)"
    ...     " :precondition (off ?x) :effect (and (on ?x) (not (off ?x)))))")
    >>> first, second = parse_domain(text), parse_domain(text.replace("press", "push"))
    >>> print(equivalent_domains(first, second))
    equivalent: press is push
    >>> third = parse_domain(text.replace("(and (on ?x) (not (off ?x)))", "(on ?x)"))
    >>> print(equivalent_domains(first, third))
    different: (off o1) holds in the second domain only, after (press o1)
      from a state with (off o1)
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, islice, product
from random import Random
from typing import Literal

from eai.errors import EaiError
from eai.logic import TRUE, Atom, Formula, Variable
from eai.nesting import on_own_stack
from eai.pddl import Domain, Operator, Problem, clauses, format_condition, polarities
from eai.planning.differences import PddlDifference
from eai.planning.domain_names import DomainNames, guessed_names, in_names_of, same_structure
from eai.planning.problems import Verdict
from eai.planning.repair.candidates import applicable
from eai.text import counted
from eai.world import Action, State, World, plan_text, world_of

STATES = 2_000
"""Maximum number of pairs of states that are examined for a problem."""
_MAX_STATES_FOR_OBJECTS = 600
"""Maximum number of states that are made for an action and its objects."""
_MAX_STATES_FOR_ACTION = 3_000
"""Maximum number of states that are made for an action."""
_MAX_ARGUMENT_CHOICES = 200
"""Maximum number of choices of objects for an action."""
_RANDOM_STATES = 60
"""Number of random states for an action and its objects."""
_MAX_FACTS_TO_COMBINE = 8
"""Maximum number of facts of which all combinations are made."""

Only = Literal["first", "second"]
"""The domain in which something holds only."""


@dataclass(frozen=True, slots=True)
class DomainWitness:
    """A problem with a plan that is valid in only one of two domains.

    Args:
        problem: The problem, in the names of the first domain.
        plan: The plan, likewise. Its last step cannot be done in the other domain, or the goal does
            not hold after it.
        works_in: The domain in which the plan is valid.
    """

    problem: Problem
    plan: tuple[Action, ...]
    works_in: Only

    def __str__(self) -> str:
        """Return the action or fact that only one domain has after the plan."""
        # The goal of a witness is true if the last action itself cannot be done in one domain.
        if self.problem.goal == TRUE:
            *earlier_steps, last_step = self.plan
            text = f"{last_step.in_pddl} can be done in the {self.works_in} domain only"
            if earlier_steps:
                text += f", after {plan_text(earlier_steps)}"
            return text
        goal = format_condition(self.problem.goal)
        return f"{goal} holds in the {self.works_in} domain only, after {plan_text(self.plan)}"


@dataclass(frozen=True, slots=True)
class DomainComparison:
    """The result of comparing two domains. It is true if they are equivalent.

    Args:
        verdict: The verdict.
        names: The names of the second domain with those of the first.
        differences: Names without a counterpart.
        witness: A problem and a plan that tell the domains apart; None if they are the same, or if
            only names are missing.
        reason: The reason of the verdict, in a sentence.
        is_made: Whether the problem of the witness was made for it; else it was given.
    """

    verdict: Verdict
    names: DomainNames
    differences: tuple[PddlDifference, ...] = ()
    witness: DomainWitness | None = None
    reason: str = ""
    is_made: bool = False

    def __bool__(self) -> bool:
        return self.verdict == "equivalent"

    def __str__(self) -> str:
        """Return the verdict with its reason, the witness and the differences.

        The first line is the verdict; each of the others is indented.
        """
        notes = self._notes()
        headline: str = self.verdict
        if notes:
            headline += f": {'; '.join(notes)}"
        lines = [headline]
        if self.witness is not None:
            lines.append(self._start_of_witness(self.witness.problem))
        return "\n  ".join((*lines, *map(str, self.differences)))

    def _notes(self) -> list[str]:
        """Return the reason of the verdict, the renamed names and the reordered arguments."""
        notes = []
        if self.reason:
            notes.append(self.reason)
        renamed = [f"{first} is {second}" for first, second in self.names.renamed()]
        if renamed:
            notes.append(", ".join(renamed))
        for action, order in self.names.reordered():
            position_list = ", ".join(str(position + 1) for position in order)
            notes.append(f"{action} takes its arguments in the order {position_list}")
        return notes

    def _start_of_witness(self, problem: Problem) -> str:
        """Return in words where the plan of the witness starts."""
        if not self.is_made:
            return f"from the start of the problem {problem.name}"
        facts = " ".join(map(format_condition, problem.initial))
        if facts:
            return f"from a state with {facts}"
        return "from a state without facts"


@on_own_stack
def equivalent_domains(
    first: Domain,
    second: Domain,
    problems: Sequence[Problem] = (),
    *,
    names: Mapping[str, str] | None = None,
    states: int = STATES,
) -> DomainComparison:
    """Compare two domains by what their actions do.

    Args:
        first: One domain.
        second: The other one.
        problems: Problems of the first domain. The domains are compared in all reachable states of
            these; without any, in small states that are made for each action.
        names: Names of the second domain, with the names of the first that they stand for. Other
            names are matched by spelling and use.
        states: Maximum number of pairs of states that are visited for each problem.

    Returns:
        The comparison; ``"undecided"`` if there is neither a proof nor a witness.
    """
    # The tests are in order of their cost, from the cheapest proof to the costliest search.
    given_names = names or {}
    if first.durative or second.durative:
        return _compare_as_written(first, second, given_names)
    proof = same_structure(first, second, given_names)
    if proof is not None:
        return _compare_names(first, second, proof)
    # From here on the matching of names is a guess, so only a witness can prove a difference.
    name_pairs = guessed_names(first, second, given_names)
    if first.has_numbers or second.has_numbers:
        differences = _differences(first, second, name_pairs)
        reason = "domains with numbers are compared by their structure, and these differ"
        return DomainComparison("undecided", name_pairs, differences, reason=reason)
    pair = _Pair(first, in_names_of(first, second, name_pairs))
    differences = _differences(first, second, name_pairs)
    reason = ""
    if problems:
        witness, reason = _search_problems(pair, problems, states)
    else:
        witness = _construct_witness(pair)
    if witness is not None:
        reason = str(witness)
        # Without regard to spelling, another matching of names may make the domains the same.
        if same_structure(first, second, given_names, is_spelling_kept=False) is not None:
            reason += "; right but for its names"
        return DomainComparison(
            "different", name_pairs, differences, witness, reason, is_made=not problems
        )
    # The search compares only facts that both domains have, but a goal may be about others.
    unmatched_goal = _goal_without_counterpart(pair, problems)
    if unmatched_goal:
        return DomainComparison("different", name_pairs, differences, reason=unmatched_goal)
    if reason:
        return DomainComparison("undecided", name_pairs, differences, reason=reason)
    if problems:
        reason = f"in all reachable states of {counted(len(problems), 'problem')}"
        return DomainComparison("equivalent", name_pairs, differences, reason=reason)
    return _compare_without_witness(name_pairs, differences)


def _compare_without_witness(
    names: DomainNames, differences: tuple[PddlDifference, ...]
) -> DomainComparison:
    """Compare domains that no constructed state tells apart, by their names alone."""
    if any(difference.missing and difference.kind != "action" for difference in differences):
        return DomainComparison("different", names, differences, reason=_NOT_POSED)
    reason = "no small state tells them apart, which is no proof; problems would help"
    return DomainComparison("undecided", names, differences, reason=reason)


def _compare_names(first: Domain, second: Domain, names: DomainNames) -> DomainComparison:
    """Compare domains that are equal in everything that is used."""
    differences = _differences(first, second, names)
    if any(difference.missing for difference in differences):
        return DomainComparison("different", names, differences, reason=_NOT_POSED)
    return DomainComparison("equivalent", names, differences)


_NOT_POSED = "problems with the missing names cannot be posed"


def _goal_without_counterpart(pair: _Pair, problems: Sequence[Problem]) -> str:
    """Return a goal that the second domain cannot express, in words, or "".

    Args:
        pair: The domains.
        problems: Problems of the first domain.
    """
    for problem in problems:
        for node in problem.goal.walk():
            if isinstance(node, Atom) and not pair.has_both(node.predicate):
                return (
                    f"the goal of {problem.name} names {node.predicate}, which has no counterpart"
                )
    return ""


def _compare_as_written(
    first: Domain, second: Domain, given_names: Mapping[str, str]
) -> DomainComparison:
    """Compare domains with durative actions: equal text, or undecided."""
    names = guessed_names(first, second, given_names)
    if _parts_as_written(first) == _parts_as_written(second):
        return DomainComparison("equivalent", names)
    reason = "domains with times are compared as they are written, and these differ"
    return DomainComparison("undecided", names, _differences(first, second, names), reason=reason)


def _parts_as_written(domain: Domain) -> tuple[object, ...]:
    """Return everything that a domain declares, to compare two domains as they are written.

    The order of rules makes no difference.
    """
    return (
        dict(domain.types),
        dict(domain.predicates),
        dict(domain.functions),
        dict(domain.operators),
        dict(domain.durative),
        frozenset(domain.axioms),
    )


def _differences(first: Domain, second: Domain, names: DomainNames) -> tuple[PddlDifference, ...]:
    """Return the types, predicates and actions that have no counterpart in the other domain.

    Args:
        first: One domain.
        second: The other one.
        names: Names of the second domain with those of the first that they are matched with.
    """
    compared = (
        ("type", first.types, second.types, names.types),
        ("predicate", first.predicates, second.predicates, names.predicates),
        ("action", first.operators, second.operators, names.actions),
    )
    differences = []
    for kind, names_of_first, names_of_second, name_pairs in compared:
        matched_first_names = set(name_pairs.values())
        # True: the name is missing in the second domain. False: it is in excess there.
        for name in names_of_first:
            if name not in matched_first_names:
                differences.append(PddlDifference(kind, name, True))
        for name in names_of_second:
            if name not in name_pairs:
                differences.append(PddlDifference(kind, name, False))
    return tuple(differences)


@dataclass(frozen=True)
class _Pair:
    """Two domains in the same names, and the states of both.

    Args:
        first: One domain.
        second: The other one, in the names of the first.
    """

    first: Domain
    second: Domain
    worlds: tuple[World, World] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "worlds", (world_of(self.first), world_of(self.second)))

    @cached_property
    def shared(self) -> frozenset[str]:
        """Predicates whose facts are compared: both domains state them."""
        derived = self.first.derived | self.second.derived
        shared = []
        for name in self.first.predicates:
            if self.has_both(name) and name not in derived:
                shared.append(name)
        return frozenset(shared)

    def has_both(self, predicate: str) -> bool:
        """Return whether both domains have a predicate with the same arity."""
        in_first = self.first.predicates.get(predicate)
        in_second = self.second.predicates.get(predicate)
        if in_first is None or in_second is None:
            return False
        return in_first.arity == in_second.arity

    def is_stated(self, atom: Atom) -> bool:
        """Return whether a problem may state an atom: it exists and is not derived.

        The second domain does not know it if it lacks the predicate.
        """
        predicate = atom.predicate
        return predicate in self.first.predicates and predicate not in self.first.derived

    def start(self, objects: Mapping[str, str], atoms: Iterable[Atom]) -> tuple[State, State]:
        """Return the states of both domains in which some atoms hold.

        Args:
            objects: Types of the objects, in the names of the first domain.
            atoms: The atoms; those that the second domain cannot state hold in the first only.
        """
        facts = tuple(atoms)
        shared_facts = [atom for atom in facts if atom.predicate in self.shared]
        objects_of_second = {}
        # Constants of the first domain may be missing in the second: there they are objects.
        for name, type_name in (*self.first.constants.items(), *objects.items()):
            if name not in self.second.constants:
                objects_of_second[name] = self.type_in_second(type_name)
        first_world, second_world = self.worlds
        state_in_first = first_world.state(objects, facts)
        state_in_second = second_world.state(objects_of_second, shared_facts)
        return state_in_first, state_in_second

    def type_in_second(self, kind: str) -> str:
        """Return the nearest supertype of a type that the second domain has."""
        visited: set[str] = set()
        while kind not in self.second.types and kind != "object" and kind not in visited:
            visited.add(kind)
            kind = self.first.types.get(kind, "object")
        return kind if kind in self.second.types else "object"

    def facts(self, state: State) -> frozenset[Atom]:
        """Return the facts of a state that are compared."""
        return frozenset(atom for atom in state.atoms() if atom.predicate in self.shared)


def _successor(world: World, state: State, action: Action) -> State | None:
    """Return the state after an action, or None if it is unknown or not applicable."""
    # Other parameters, or no such action at all, are a difference like any other.
    try:
        arguments = world.numbers(state, action.name, action.arguments)
    except EaiError:
        return None
    if world.first_failure(state, action.name, arguments) >= 0:
        return None
    next_state = state.copy()
    world.apply(next_state, action.name, arguments)
    return next_state


class _Step:
    """An action in a pair of states, one of each domain.

    Args:
        pair: The domains.
        states: The state, in either domain.
        action: The action.
    """

    def __init__(self, pair: _Pair, states: tuple[State, State], action: Action) -> None:
        self.pair = pair
        self.action = action
        # The state after the action in each domain; None where it cannot be done.
        self.after: list[State | None] = []
        for world, state in zip(pair.worlds, states, strict=True):
            self.after.append(_successor(world, state, action))

    def next_states(self) -> tuple[State, State] | None:
        """Return the two states after the action, or None unless both domains permit it."""
        first, second = self.after
        if first is None or second is None:
            return None
        return first, second

    def difference(self) -> tuple[Only, Formula] | None:
        """Return how the domains differ in this step, or None if they agree.

        Returns:
            The only domain in which the action works, with the goal ``TRUE``; or the only domain
            in which some fact holds afterwards, with the fact as the goal.
        """
        first, second = self.after
        if first is None and second is None:
            return None
        if first is None:
            return "second", TRUE
        if second is None:
            return "first", TRUE
        facts_of_first = self.pair.facts(first)
        differing = facts_of_first ^ self.pair.facts(second)
        if not differing:
            return None
        # Any of the facts will do; the first by name is the same in every run.
        fact = min(differing, key=str)
        if fact in facts_of_first:
            return "first", fact
        return "second", fact


def _search_problems(
    pair: _Pair, problems: Sequence[Problem], states: int
) -> tuple[DomainWitness | None, str]:
    """Search the states of some problems for a shortest witness.

    Args:
        pair: The domains.
        problems: The problems.
        states: Maximum number of pairs of states that are examined for each problem.

    Returns:
        The witness or None; and if there is none, the reason why one may exist still (empty if all
        states were visited).
    """
    shortest_witness: DomainWitness | None = None
    reason = ""
    for problem in problems:
        max_steps: int | None = None
        if shortest_witness is not None:
            max_steps = len(shortest_witness.plan) - 1  # only a shorter plan is of interest
        witness, is_exhausted = _search_states(pair, problem, states, max_steps)
        if witness is not None:
            shortest_witness = witness
        elif not is_exhausted and shortest_witness is None:
            reason = f"{problem.name} has more than {states} states; none of these differs"
    if shortest_witness is not None:
        return shortest_witness, ""
    return None, reason


def _search_states(
    pair: _Pair, problem: Problem, limit: int, max_steps: int | None
) -> tuple[DomainWitness | None, bool]:
    """Search the states of a problem breadth first for a witness.

    Invariant: in each queued pair of states, the facts that are compared are the same.

    Args:
        pair: The domains.
        problem: The problem.
        limit: Maximum number of pairs of states.
        max_steps: Maximum number of steps before the last one; None for any number.

    Returns:
        A witness with a shortest plan, or None; and whether there certainly is none.
    """
    start = pair.start(problem.objects, problem.initial)
    goals = _goal_tests(pair, problem, start)
    visited = {_fact_key(start)}
    pending: deque[tuple[tuple[State, State], tuple[Action, ...]]] = deque([(start, ())])
    while pending:
        states, steps = pending.popleft()
        # The queue is in the order of steps, so all states behind this one are as far away.
        if max_steps is not None and len(steps) >= max_steps:
            return None, False
        # Breadth first: the first difference that is found ends a shortest plan.
        goal_met_only_in = _only_goal_of(goals, states)
        if goal_met_only_in is not None:
            return DomainWitness(problem, steps, goal_met_only_in), False
        # An action that only one domain allows here is a difference as well.
        for action in _applicable_in_either(pair, states):
            step = _Step(pair, states, action)
            difference = step.difference()
            if difference is not None:
                valid_in, goal = difference
                witness = DomainWitness(_with_goal(problem, goal), (*steps, action), valid_in)
                return witness, False
            next_states = step.next_states()
            if next_states is None or _fact_key(next_states) in visited:
                continue
            if len(visited) >= limit:
                return None, False
            visited.add(_fact_key(next_states))
            pending.append((next_states, (*steps, action)))
    return None, True


def _only_goal_of(
    goals: Sequence[Callable[[State], bool]], states: tuple[State, State]
) -> Only | None:
    """Return the domain in which alone the goal holds; None if it holds in both or in none.

    Args:
        goals: The test of the goal in each domain; none if the goal is not compared.
        states: The state in each domain.
    """
    # Without tests there is nothing to compare, and the list is empty.
    is_goal = [test(state) for test, state in zip(goals, states, strict=False)]
    if is_goal == [True, False]:
        return "first"
    if is_goal == [False, True]:
        return "second"
    return None


def _goal_tests(
    pair: _Pair, problem: Problem, start: tuple[State, State]
) -> list[Callable[[State], bool]]:
    """Return the tests of a goal in both domains.

    A goal is worth testing only if it mentions a predicate that may differ: facts that both domains
    share are compared already.

    Args:
        pair: The domains.
        problem: The problem with the goal.
        start: Its initial state in each of them.

    Returns:
        A test for each domain; empty if the goal is not worth testing, or has a predicate that one
        of the domains lacks.
    """
    predicates = {node.predicate for node in problem.goal.walk() if isinstance(node, Atom)}
    if predicates <= pair.shared or not all(map(pair.has_both, predicates)):
        return []
    tests = []
    for world, state in zip(pair.worlds, start, strict=True):
        tests.append(world.test_of(problem.goal, state.universe))
    return tests


def _fact_key(states: tuple[State, State]) -> tuple[frozenset[object], ...]:
    """Return the facts of both states, which identify the pair.

    Facts that only one domain has belong to it: they may make actions differ later on.
    """
    return tuple(frozenset[object](state.facts()) for state in states)


def _applicable_in_either(pair: _Pair, states: tuple[State, State]) -> list[Action]:
    """Return the actions that are applicable in at least one domain, in a fixed order."""
    actions: dict[Action, None] = {}
    for world, state in zip(pair.worlds, states, strict=True):
        actions.update(dict.fromkeys(applicable(world, state)))
    return list(actions)


def _with_goal(problem: Problem, goal: Formula) -> Problem:
    """Return a problem with the goal that one of two domains reaches only."""
    return Problem(problem.name, problem.domain, problem.objects, problem.initial, goal)


def _construct_witness(pair: _Pair) -> DomainWitness | None:
    """Return a small problem with one step that tells two domains apart, or None.

    Only actions with different definitions in the two domains are examined.
    """
    smallest_witness: DomainWitness | None = None
    # Each action yields its first difference. The smallest of them is the easiest to understand.
    for name in dict.fromkeys((*pair.first.operators, *pair.second.operators)):
        if _is_written_alike(pair, name):
            continue
        for witness in _witnesses_of(pair, name):
            if smallest_witness is None or _witness_size(witness) < _witness_size(smallest_witness):
                smallest_witness = witness
    return smallest_witness


def _is_written_alike(pair: _Pair, name: str) -> bool:
    """Return whether an action has the same definition in both domains.

    Preconditions and effects are compared as they are written, and rules have to be equal, since
    they say what conditions mean.
    """
    first_operator = pair.first.operators.get(name)
    second_operator = pair.second.operators.get(name)
    if first_operator is None or second_operator is None:
        return False
    # With other rules, the same condition has another meaning. With other types, the same
    # parameters have other objects.
    if set(pair.first.axioms) != set(pair.second.axioms):
        return False
    if dict(pair.first.types) != dict(pair.second.types):
        return False
    if first_operator.parameters != second_operator.parameters:
        return False
    if first_operator.precondition != second_operator.precondition:
        return False
    parameter_names = [variable.name for variable in first_operator.parameters]
    return set(clauses(first_operator.effect, parameter_names)) == set(
        clauses(second_operator.effect, parameter_names)
    )


def _witness_size(witness: DomainWitness) -> tuple[bool, int, int]:
    """Return a sort key that puts witnesses first which are easy to understand.

    Returns:
        Whether its step has an argument twice, its number of objects, and its number of facts.
    """
    (step,) = witness.plan
    has_repeats = len(set(step.arguments)) < len(step.arguments)
    return has_repeats, len(witness.problem.objects), len(witness.problem.initial)


def _witnesses_of(pair: _Pair, name: str) -> Iterator[DomainWitness]:
    """Yield the smallest distinguishing state for each choice of an action's objects.

    States with few facts are constructed first, so that the first difference is a small one.

    Args:
        pair: The domains.
        name: Name of the action.
    """
    number_of_states = (
        0  # over all choices, so that an action with many of them does not take for ever
    )
    for objects, arguments in _choices_of_objects(pair, name):
        action = Action(name, arguments)
        for facts in islice(_construct_states(pair, action, objects), _MAX_STATES_FOR_OBJECTS):
            number_of_states += 1
            if number_of_states > _MAX_STATES_FOR_ACTION:
                return
            difference = _Step(pair, pair.start(objects, facts), action).difference()
            if difference is not None:
                valid_in, goal = difference
                problem = Problem("apart", pair.first.name, objects, facts, goal)
                yield DomainWitness(problem, (action,), valid_in)
                break


def _choices_of_objects(pair: _Pair, name: str) -> list[tuple[Mapping[str, str], tuple[str, ...]]]:
    """Return the objects, with types, and the arguments with which an action is tested.

    Each choice is repeated with an additional object of each quantified type, because quantifiers
    may only differ on an object that is not an argument.
    """
    choices: list[tuple[Mapping[str, str], tuple[str, ...]]] = []
    choices += islice(_choose_arguments(pair, name), _MAX_ARGUMENT_CHOICES)
    bystanders: dict[str, str] = {}
    for index, type_name in enumerate(_quantified_types(pair, name), start=1):
        bystanders[f"other{index}"] = type_name
    if bystanders:
        choices += [({**objects, **bystanders}, arguments) for objects, arguments in choices]
    return choices


def _quantified_types(pair: _Pair, name: str) -> list[str]:
    """Return the types of quantified variables in an action or a rule.

    A problem that distinguishes two domains needs objects of these types.

    Args:
        pair: The domains.
        name: Name of the action.
    """
    variables: list[Variable] = []
    for domain in (pair.first, pair.second):
        if name in domain.operators:
            variables += _bound_variables(domain, domain.operators[name])
    types: dict[str, None] = {}
    for variable in variables:
        types.update(dict.fromkeys(variable.types))
    # The problem belongs to the first domain, so other types cannot be used.
    return [
        type_name for type_name in types if type_name in pair.first.types or type_name == "object"
    ]


def _bound_variables(domain: Domain, operator: Operator) -> list[Variable]:
    """Return the variables that quantifiers bind in an action, or in a rule of its domain."""
    variables: list[Variable] = []
    formulas = [operator.precondition, *(axiom.body for axiom in domain.axioms)]
    names = [variable.name for variable in operator.parameters]
    for clause in clauses(operator.effect, names):
        variables += clause.variables
        formulas.append(clause.condition)
    for formula in formulas:
        for node in formula.walk():
            variables += node.variables
    return variables


def _choose_arguments(pair: _Pair, name: str) -> Iterator[tuple[dict[str, str], tuple[str, ...]]]:
    """Yield objects with their types, and some of them as arguments of an action.

    Types that parameters of both domains do not tell apart are tried once. First all arguments
    differ, then two of them are the same object.

    Args:
        pair: The domains, of which at least one has the action.
        name: Name of the action.
    """
    operators = _operators_with_equal_arity(pair, name)
    arity = len(operators[0].parameters)
    distinguishable_types = [
        _types_told_apart(pair, operators, position) for position in range(arity)
    ]
    distinct_names = [f"o{index}" for index in range(1, arity + 1)]
    for types in islice(product(*distinguishable_types), _MAX_ARGUMENT_CHOICES):
        yield dict(zip(distinct_names, types, strict=True)), tuple(distinct_names)
    for types in islice(product(*distinguishable_types), _MAX_ARGUMENT_CHOICES):
        for first_position, second_position in combinations(range(arity), 2):
            # Arguments with different types cannot be the same object.
            if types[first_position] != types[second_position]:
                continue
            names = distinct_names.copy()
            names[second_position] = names[first_position]
            yield dict(zip(names, types, strict=True)), tuple(names)


def _operators_with_equal_arity(pair: _Pair, name: str) -> list[Operator]:
    """Return the operators of an action in both domains, if they have equally many parameters.

    Otherwise only the first operator is returned, because no arguments fit both.
    """
    operators: list[Operator] = []
    for domain in (pair.first, pair.second):
        operator = domain.operators.get(name)
        if operator is not None:
            operators.append(operator)
    arities = {len(operator.parameters) for operator in operators}
    return operators if len(arities) == 1 else operators[:1]


def _types_told_apart(pair: _Pair, operators: Sequence[Operator], position: int) -> list[str]:
    """Return one type for each class of types that fit a parameter in the same domains.

    Args:
        pair: The domains.
        operators: The action in both domains, or in one of them.
        position: Position of the parameter.
    """
    # The root type is tried first, so that the most general type represents each class.
    type_by_fits: dict[tuple[bool, ...], str] = {}
    for type_name in ("object", *pair.first.types):
        fits = []
        for operator in operators:
            parameter = operator.parameters[position]
            if operator is pair.second.operators.get(operator.name):
                fits.append(_fits(pair.second, pair.type_in_second(type_name), parameter))
            else:
                fits.append(_fits(pair.first, type_name, parameter))
        if any(fits):
            type_by_fits.setdefault(tuple(fits), type_name)
    return list(type_by_fits.values())


def _construct_states(
    pair: _Pair, action: Action, objects: Mapping[str, str]
) -> Iterator[tuple[Atom, ...]]:
    """Yield sets of facts to test an action in, beginning with small ones.

    Idea: for conjunctive conditions, a difference shows in a state with the facts that one of them
    needs, after adding or removing one fact of the other.

    Args:
        pair: The domains that are compared.
        action: The action.
        objects: The type of each object.
    """
    facts: dict[Atom, None] = {}
    base_states: list[frozenset[Atom]] = []
    for domain in (pair.first, pair.second):
        operator = domain.operators.get(action.name)
        if operator is None or len(operator.parameters) != len(action.arguments):
            continue
        # The needed facts alone make the action applicable. All facts that it reads may change its
        # effects.
        needed, read = _ground_facts(domain, operator, action, objects)
        facts_of_rules = _facts_in_rules(domain, read, objects)
        facts.update(dict.fromkeys(filter(pair.is_stated, (*read, *facts_of_rules))))
        base = frozenset(filter(pair.is_stated, needed))
        base_states += [base, base | frozenset(filter(pair.is_stated, facts_of_rules))]
    if len(facts) <= _MAX_FACTS_TO_COMBINE:
        states = _all_subsets(facts)
    else:
        states = _neighbours(
            [*base_states, frozenset[Atom]().union(*base_states), frozenset(facts)], facts
        )
        states.update(dict.fromkeys(_random_states(base_states[0], list(facts))))
    for state in sorted(states, key=len):
        yield tuple(sorted(state, key=str))


def _all_subsets(facts: Collection[Atom]) -> dict[frozenset[Atom], None]:
    """Return all sets of some facts, smaller ones first."""
    # A dict, not a set: states of the same size are tried in the order in which they were made.
    subsets: dict[frozenset[Atom], None] = {}
    for size in range(len(facts) + 1):
        subsets.update(dict.fromkeys(map(frozenset, combinations(facts, size))))
    return subsets


def _neighbours(
    bases: Iterable[frozenset[Atom]], facts: Iterable[Atom]
) -> dict[frozenset[Atom], None]:
    """Return sets of facts, each followed by the sets that differ from it in one fact."""
    states: dict[frozenset[Atom], None] = {}
    for base in bases:
        states[base] = None
        # "^" adds a missing fact, and removes one that is present.
        for fact in facts:
            states[base ^ {fact}] = None
    return states


def _random_states(base: frozenset[Atom], facts: Sequence[Atom]) -> Iterator[frozenset[Atom]]:
    """Yield random states with few, half or most of some facts.

    Args:
        base: Facts that an action needs: every second state has all of them.
        facts: The facts.
    """
    # The same facts give the same states in every run.
    random = Random(len(facts))  # noqa: S311 - nothing is secret
    for seed in range(_RANDOM_STATES):
        share = random.choice((0.15, 0.5, 0.85))
        drawn = frozenset(fact for fact in facts if random.random() < share)
        if seed % 2:
            yield drawn | base
        else:
            yield drawn


def _facts_in_rules(
    domain: Domain, atoms: Iterable[Atom], objects: Mapping[str, str]
) -> list[Atom]:
    """Return the instances of the atoms in the rules from which some atoms are derived.

    The rules of predicates in the bodies of these rules are included.

    Args:
        domain: The domain.
        atoms: The atoms, which may be derived.
        objects: The type of each object.
    """
    names = {**domain.constants, **objects}
    pending = [atom.predicate for atom in atoms]
    visited: set[str] = set()
    body_atoms: list[Atom] = []
    while pending:
        predicate = pending.pop()
        if predicate in visited:
            continue  # rules may be recursive
        visited.add(predicate)
        bodies = [axiom.body for axiom in domain.axioms if axiom.head.predicate == predicate]
        for body in bodies:
            for node in body.walk():
                if isinstance(node, Atom):
                    body_atoms += _instances(domain, node, {}, names)
                    pending.append(node.predicate)
    return body_atoms


def _ground_facts(
    domain: Domain, operator: Operator, action: Action, objects: Mapping[str, str]
) -> tuple[list[Atom], list[Atom]]:
    """Return the atoms that an action needs positively, and all that it reads or changes.

    Args:
        domain: The domain.
        operator: The operator of the action in this domain.
        action: The action.
        objects: All objects with their types.
    """
    names = [variable.name for variable in operator.parameters]
    binding = dict(zip(names, action.arguments, strict=True))
    # With these alone the precondition holds if it is a conjunction of literals.
    required_atoms: list[Atom] = []
    for atom, is_positive in polarities(operator.precondition):
        if is_positive:
            required_atoms += _instances(domain, atom, binding, objects)
    formulas = [operator.precondition]
    for clause in clauses(operator.effect, names):
        formulas += [clause.condition, clause.atom]
    mentioned: list[Atom] = []
    for formula in formulas:
        for node in formula.walk():
            if isinstance(node, Atom):
                mentioned += _instances(domain, node, binding, objects)
    return required_atoms, mentioned


def _instances(
    domain: Domain, atom: Atom, binding: Mapping[str, str], objects: Mapping[str, str]
) -> Iterator[Atom]:
    """Yield the instances of an atom for all values of its quantified variables.

    Args:
        domain: The domain, which declares the types of the atom's arguments.
        atom: The atom.
        binding: Names of parameters, with the objects that they stand for.
        objects: All objects with their types.
    """
    declared_parameters = domain.predicates[atom.predicate].parameters
    candidates_by_position: list[Sequence[str]] = []
    for term, parameter in zip(atom.terms, declared_parameters, strict=True):
        name = str(term)
        if isinstance(term, str):
            candidates_by_position.append((name,))
        elif name in binding:
            candidates_by_position.append((binding[name],))
        else:
            # A quantified variable may be any object of the declared type.
            fitting = [name for name in objects if _fits(domain, objects[name], parameter)]
            candidates_by_position.append(fitting)
    for terms in islice(product(*candidates_by_position), _MAX_ARGUMENT_CHOICES):
        yield Atom(atom.predicate, terms)


def _fits(domain: Domain, kind: str, variable: Variable) -> bool:
    """Return whether an object of a type is in the range of a variable."""
    return any(domain.is_subtype(kind, name) for name in variable.types)
