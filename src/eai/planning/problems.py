"""Whether two problems of a domain are the same, whatever their objects are called.

Two problems are *equivalent* if some renaming of objects, which keeps their types, turns one
initial state into the other and the goal into one that the same reachable states fulfil (Zuo et al.
2024, "Planetarium", section 3). So a goal need not say what follows from it: in a world of blocks
"b is on c" and "b is on c, and c is not clear" are one goal.

Idea: problems are compared as labelled graphs, a node for each object and each fact of the start
and the goal. A goal that is a conjunction of literals is first *closed*: whatever holds in all
reachable states that fulfil it is added, and whatever holds in none of them is denied. Closed goals
hold in the same states if and only if they are the same. Other goals are compared on all reachable
states, for every renaming that makes the initial states equal. If too many states can be reached,
goals are closed by the pairs of literals that exclude each other, as far as these go, and then the
planner looks for a state that fulfils one goal only: a plan to such a state is a disproof, and its
proof that there is none shows that the goals are the same.

Cost: one state space of at most ``states`` states, and comparisons of graphs: one for closed goals,
for others as many as the initial state has symmetries, at most :data:`_MAX_RENAMINGS`. With too
many states, a search for each conjunct that only one goal has, of at most :data:`_SEARCH_BUDGET`.

Examples:
    >>> from eai.pddl import parse_domain, parse_problem
    >>> domain = parse_domain("(define (domain d) (:predicates (on ?x) (off ?x)) (:action press"
    ...     " :parameters (?x) :precondition (off ?x) :effect (and (on ?x) (not (off ?x)))))")
    >>> first, second = [
    ...     parse_problem(f"(define (problem p) (:domain d) (:objects {name})"
    ...         f" (:init (off {name})) (:goal {goal}))", domain=domain)
    ...     for name, goal in (("a", "(on a)"), ("b", "(not (off b))"))]
    >>> print(equivalent_problems(domain, first, second))
    equivalent: a is b
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Literal, NamedTuple

from eai.budget import Budget
from eai.errors import InputError
from eai.logic import (
    TRUE,
    And,
    Atom,
    Formula,
    Not,
    Term,
    Variable,
    conjuncts,
    exact,
    format_number,
    function_terms,
    numeric_terms,
)
from eai.nesting import on_own_stack
from eai.pddl import (
    Domain,
    Problem,
    clauses,
    format_condition,
    numeric_clauses,
)
from eai.planning.differences import PddlDifference
from eai.planning.graphs import FormulaGraph
from eai.planning.pairs import close_by_pairs
from eai.planning.planner import plan
from eai.planning.repair.candidates import applicable
from eai.planning.results import Outcome
from eai.world import Action, State, plan_text, world_of

if TYPE_CHECKING:
    import networkx as nx

Verdict = Literal["equivalent", "different", "undecided"]
"""Whether two problems are the same; undecided if neither was proved."""

_Reached = tuple[State, tuple[Action, ...]]
"""A reachable state, and a shortest plan to it."""
STATES = 20_000
"""Maximum number of reachable states that are examined."""
_MAX_RENAMINGS = 720
"""Maximum number of renamings: all of six objects."""
_TOO_MANY_STATES = (
    "the goals are not the same formula, there are too many states to look at all, and searches"
    " neither found a state that fulfils one goal only nor proved that there is none"
)
"""Reason where searches decided nothing."""
_SEARCH_BUDGET = Budget(states=20_000, actions=None, instances=5_000_000, bytes=500_000_000)
"""Budget of a search for a state that tells two goals apart."""


@dataclass(frozen=True, slots=True)
class ProblemComparison:
    """The result of comparing two problems. It is true if they are equivalent.

    Args:
        verdict: The verdict.
        renaming: Object of the first problem to that of the second: one that makes them equal, or
            by which differences are named.
        differences: Formulas that the second problem lacks or has in excess.
        plan: A plan of the first problem to a state that fulfils one of the goals only.
        reason: The reason of the verdict, in a sentence.
    """

    verdict: Verdict
    renaming: Mapping[str, str]
    differences: tuple[PddlDifference, ...] = ()
    plan: tuple[Action, ...] | None = None
    reason: str = ""

    def __bool__(self) -> bool:
        return self.verdict == "equivalent"

    def __str__(self) -> str:
        """Return the verdict with the renamed objects, or with the differences.

        "equivalent: a is b1", or "different: REASON" with a line for each difference.
        """
        if self.verdict == "equivalent":
            renamed = [
                f"{first_name} is {second_name}"
                for first_name, second_name in self.renaming.items()
                if first_name != second_name
            ]
            if not renamed:
                return "equivalent"
            return f"equivalent: {', '.join(renamed)}"
        lines = [f"{self.verdict}: {self.reason}", *map(str, self.differences)]
        if self.plan is not None:
            lines.append(f"after {plan_text(self.plan) or 'no step'} only one of the goals holds")
        return "\n  ".join(lines)


@on_own_stack
def equivalent_problems(
    domain: Domain,
    first: Problem,
    second: Problem,
    *,
    states: int = STATES,
    is_joint: bool = True,
) -> ProblemComparison:
    """Return whether two problems are the same up to the names of objects.

    Metrics and names of problems are not compared.

    Args:
        domain: The domain of both.
        first: One problem, such as the reference.
        second: The other one.
        states: Maximum number of reachable states; with more, goals that are not the same
            formula may stay undecided.
        is_joint: Whether one renaming has to make both initial states and goals equal. Otherwise
            the goals may have a renaming of their own. Planetarium calls such a task a
            "placeholder": for the goal "one tower", a text cannot tell which block is on top. With
            too many states, such goals are compared by the consequences that are found for them.

    Raises:
        InputError: If the domain cannot be run, or ``states`` is not positive.
    """
    if states < 1:
        raise InputError(f"states is {states}", expected="a positive number")
    # The tests are in order of their cost. First, the problems may be equal as graphs.
    renaming = next(_renamings(domain, first, second, goals=True), None)
    if renaming is not None:
        return ProblemComparison("equivalent", renaming)
    # If the initial states differ, no search is needed.
    renaming = next(_renamings(domain, first, second, goals=False), None)
    if renaming is None:
        return _report_starts_differ(first, second)
    # The initial states are equal up to renaming, so one search finds the states of both problems.
    reached = _reachable(domain, first, states, second.goal)
    second_goal = _rename_objects(second.goal, _invert(renaming))
    both_goals = (first.goal, second_goal)
    are_literals = all(_is_conjunction_of_literals(domain, goal) for goal in both_goals)
    if are_literals:
        comparison = _compare_literal_goals(
            domain, first, both_goals, renaming, reached, is_joint=is_joint
        )
        if comparison is not None:
            return comparison
    elif not is_joint and _has_same_goal(domain, first, both_goals):
        return ProblemComparison("equivalent", renaming)
    # Last, goals are compared on all states, or by searches if there are too many.
    comparison = _compare_under_renamings(domain, first, second, reached)
    if comparison.verdict == "different" and are_literals and not is_joint:
        # The searches used renamings that preserve the initial state. Under another one the goals
        # may be equal in a way that pairs of literals do not show.
        return ProblemComparison("undecided", renaming, reason=_TOO_MANY_STATES)
    return comparison


def _compare_literal_goals(
    domain: Domain,
    first: Problem,
    goals: tuple[Formula, Formula],
    renaming: Mapping[str, str],
    reached: Sequence[_Reached] | None,
    *,
    is_joint: bool,
) -> ProblemComparison | None:
    """Compare two conjunctions of literals by all literals that they imply.

    Args:
        domain: The domain.
        first: One problem.
        goals: Its goal, and that of the other problem in the names of this one.
        renaming: A renaming that makes the initial states equal.
        reached: All reachable states; None if there are too many.
        is_joint: Whether one renaming has to make both initial states and goals equal.

    Returns:
        The comparison; None if not all implied literals are known and those that are differ.
    """
    closed_goals = _close_goals(domain, first, goals, reached)
    comparison = _match_closed_goals(domain, first, closed_goals, renaming, is_joint=is_joint)
    if comparison is None and reached is not None:
        return _report_closed_goals_differ(domain, first, goals[1], renaming, reached)
    return comparison


def _compare_under_renamings(
    domain: Domain, first: Problem, second: Problem, reached: Sequence[_Reached] | None
) -> ProblemComparison:
    """Compare goals under every renaming that makes the initial states equal.

    Args:
        domain: The domain.
        first: One problem.
        second: The other problem.
        reached: All reachable states of the first problem; None if there are too many.
    """
    # One renaming above the maximum is made. If it exists, not all renamings are tried.
    renamings = list(islice(_renamings(domain, first, second, goals=False), _MAX_RENAMINGS + 1))
    goals = [_rename_objects(second.goal, _invert(renaming)) for renaming in renamings]
    if reached is not None:
        return _compare_on_states(domain, first, renamings, goals, reached)
    return _compare_by_search(domain, first, renamings, goals)


def _close_goals(
    domain: Domain,
    problem: Problem,
    goals: tuple[Formula, Formula],
    reached: Sequence[_Reached] | None,
) -> list[Formula] | None:
    """Return goals extended by all implied literals, or None if there are none.

    Args:
        domain: The domain.
        problem: One problem.
        goals: The goals.
        reached: All reachable states; None if there are too many.
    """
    if reached is not None:
        return [_close_goal(domain, goal, reached) for goal in goals]
    return close_by_pairs(domain, problem, goals, _SEARCH_BUDGET.meter())


def _match_closed_goals(
    domain: Domain,
    problem: Problem,
    closed_goals: Sequence[Formula] | None,
    renaming: Mapping[str, str],
    *,
    is_joint: bool,
) -> ProblemComparison | None:
    """Return that two extended goals are equal, or None if they are not.

    Args:
        domain: The domain.
        problem: One problem.
        closed_goals: The goals of both, in the names of this one; None if they could not be closed.
        renaming: A renaming that makes the initial states equal.
        is_joint: Whether one renaming has to make both initial states and goals equal.
    """
    if closed_goals is None:
        return None
    if not is_joint and _has_same_goal(domain, problem, closed_goals):
        return ProblemComparison("equivalent", renaming)
    first_closed, second_closed = [replace(problem, goal=goal) for goal in closed_goals]
    mapping = next(_renamings(domain, first_closed, second_closed, goals=True), None)
    if mapping is None:
        return None
    # Both goals use the names of the first problem. The mapping leads to such names, and the
    # renaming from there to the names of the second problem.
    renaming_to_second = {name: renaming[mapping[name]] for name in problem.objects}
    return ProblemComparison("equivalent", renaming_to_second)


def _has_same_goal(domain: Domain, problem: Problem, goals: Sequence[Formula]) -> bool:
    """Return whether some renaming of objects makes two goals of one start equal."""
    alone = [replace(problem, initial=(), values={}, goal=goal) for goal in goals]
    return next(_renamings(domain, *alone, goals=True), None) is not None


def _is_conjunction_of_literals(domain: Domain, goal: Formula) -> bool:
    """Return whether a goal is a conjunction of literals of stored predicates.

    Derived predicates are excluded: closures are computed from the stored atoms of states.
    """
    derived = {axiom.head.predicate for axiom in domain.axioms}
    for conjunct in conjuncts(goal):
        literal = conjunct
        if isinstance(conjunct, Not):
            (literal,) = conjunct.operands
        if not isinstance(literal, Atom) or literal.predicate in derived:
            return False
    return True


def _report_closed_goals_differ(
    domain: Domain,
    first: Problem,
    goal: Formula,
    renaming: Mapping[str, str],
    reached: Sequence[_Reached],
) -> ProblemComparison:
    """Return that goals differ, with a shortest plan to a state with only one of them.

    Args:
        domain: The domain.
        first: One problem.
        goal: The goal of the other one, in the names of the first.
        renaming: A renaming that makes the initial states equal.
        reached: All reachable states of the first problem.
    """
    world = world_of(domain)
    start, _ = reached[0]
    universe = start.universe
    holds = _truth_by_state(world.test_of(first.goal, universe), reached)
    witness = _first_difference(world.test_of(goal, universe), holds, reached)
    return _report_goals_differ(first.goal, goal, renaming, witness)


def _truth_by_state(test: Callable[[State], bool], reached: Sequence[_Reached]) -> list[bool]:
    """Return the value of a test in each reachable state."""
    return [test(state) for state, _ in reached]


def _first_difference(
    test: Callable[[State], bool], holds: Sequence[bool], reached: Sequence[_Reached]
) -> tuple[Action, ...] | None:
    """Return the shortest plan to a state in which a test has an unexpected value, or None."""
    for (state, steps), holds_first in zip(reached, holds, strict=True):
        if test(state) != holds_first:
            return steps
    return None


def _report_goals_differ(
    first: Formula,
    second: Formula,
    renaming: Mapping[str, str],
    witness: tuple[Action, ...] | None,
) -> ProblemComparison:
    """Return that two goals differ, both given in the first problem's names.

    Args:
        first: The goal of the first problem.
        second: The goal of the second problem.
        renaming: The renaming by which it was put into these names.
        witness: A plan to a state that fulfils one of the goals only.
    """
    return ProblemComparison(
        "different",
        renaming,
        tuple(_differences_between("goal", conjuncts(first), conjuncts(second))),
        witness,
        "no renaming makes the goals hold in the same reachable states",
    )


def _close_goal(domain: Domain, goal: Formula, reached: Sequence[_Reached]) -> Formula:
    """Return all literals that hold in every reachable state with the goal.

    Args:
        domain: The domain.
        goal: The goal.
        reached: All reachable states.
    """
    start, _ = reached[0]
    is_goal_state = world_of(domain).test_of(goal, start.universe)
    # A literal follows from the goal if it holds in every goal state: an atom that is always true,
    # or a possible atom that is never true. Atoms that no reachable state has are not reported.
    reachable_atoms: set[Atom] = set()
    atoms_of_goal_states: set[Atom] = set()
    atoms_of_all_goal_states: set[Atom] | None = None  # while no state fulfils the goal
    for state, _ in reached:
        atoms = set(state.atoms())
        reachable_atoms |= atoms
        if not is_goal_state(state):
            continue
        atoms_of_goal_states |= atoms
        if atoms_of_all_goal_states is None:
            atoms_of_all_goal_states = atoms
        else:
            atoms_of_all_goal_states &= atoms
    if atoms_of_all_goal_states is None:
        # No state fulfils the goal, so every literal follows from it.
        atoms_of_all_goal_states = reachable_atoms
    never_in_goal_states = reachable_atoms - atoms_of_goal_states
    literals: list[Formula] = [*sorted(atoms_of_all_goal_states, key=str)]
    literals += [Not(atom) for atom in sorted(never_in_goal_states, key=str)]
    return And.of(literals)


def _compare_on_states(
    domain: Domain,
    first: Problem,
    renamings: Sequence[Mapping[str, str]],
    goals: Sequence[Formula],
    reached: Sequence[_Reached],
) -> ProblemComparison:
    """Compare goals in all reachable states, the nearest first.

    Args:
        domain: The domain.
        first: One problem.
        renamings: Renamings that make the initial states equal; one more than the maximum if there
            are too many.
        goals: For each of them, the goal of the other problem in the names of the first.
        reached: All reachable states of the first problem.
    """
    world = world_of(domain)
    start, _ = reached[0]
    universe = start.universe
    goal_truths = _truth_by_state(world.test_of(first.goal, universe), reached)
    witnesses = []
    for renaming, goal in zip(renamings, goals, strict=True):
        witness = _first_difference(world.test_of(goal, universe), goal_truths, reached)
        if witness is None:
            return ProblemComparison("equivalent", renaming)
        witnesses.append(witness)
    # None of these renamings works, but one that was not tried might.
    if len(renamings) > _MAX_RENAMINGS:
        reason = f"the initial states are equal under more than {_MAX_RENAMINGS} renamings"
        return ProblemComparison("undecided", renamings[0], reason=reason)
    return _report_goals_differ(first.goal, goals[0], renamings[0], witnesses[0])


def _compare_by_search(
    domain: Domain,
    first: Problem,
    renamings: Sequence[Mapping[str, str]],
    goals: Sequence[Formula],
) -> ProblemComparison:
    """Search plans that distinguish goals, for tasks with too many states to list.

    Args:
        domain: The domain.
        first: One problem.
        renamings: Renamings that make the initial states equal.
        goals: For each of them, the goal of the other problem in the names of the first.
    """
    plans = []
    pairs = zip(renamings, goals[:_MAX_RENAMINGS], strict=False)
    for renaming, goal in pairs:
        comparison = _search_for_difference(domain, first, goal)
        if comparison.verdict == "equivalent":
            return ProblemComparison("equivalent", renaming)
        # Without a plan, the goals can no longer be proved different.
        if comparison.plan is None:
            break
        plans.append(comparison.plan)
    # The goals differ only if every renaming leaves them different.
    if len(plans) < len(goals):
        return ProblemComparison("undecided", renamings[0], reason=_TOO_MANY_STATES)
    return _report_goals_differ(first.goal, goals[0], renamings[0], plans[0])


class _GoalComparison(NamedTuple):
    """Whether two goals hold in the same reachable states, as far as is known.

    Args:
        verdict: The verdict.
        plan: A plan to a state that fulfils one of the goals only.
    """

    verdict: Verdict
    plan: tuple[Action, ...] | None = None


def _search_for_difference(domain: Domain, problem: Problem, goal: Formula) -> _GoalComparison:
    """Search a reachable state that satisfies only one of two goals.

    Idea: a goal is missed if one of its conjuncts is false. So for each conjunct of one goal, the
    planner searches a state that satisfies the other goal and violates the conjunct. If it proves
    in both directions that there is no such state, then the goals hold in the same states. Static
    facts and mutually exclusive facts are often enough for such a proof, without visiting all
    states.

    Args:
        domain: The domain.
        problem: The problem with one of the goals.
        goal: The other goal.
    """
    is_proved = True
    for difference in _differences_of_goals(problem.goal, goal):
        # Any plan to such a state is enough, so costs and preferences are ignored.
        search = replace(problem, goal=difference, metric=None, constraints=TRUE, preferences=())
        result = plan(domain, search, budget=_SEARCH_BUDGET.meter())
        if result.outcome is Outcome.SOLVED:
            return _GoalComparison("different", tuple(result.plan or ()))
        if result.outcome is not Outcome.UNSOLVABLE:
            is_proved = False
    return _GoalComparison("equivalent" if is_proved else "undecided")


def _differences_of_goals(first: Formula, second: Formula) -> Iterator[Formula]:
    """Yield conditions; one of them holds in each state that satisfies only one of two goals."""
    for fulfilled, missed in ((first, second), (second, first)):
        fulfilled_parts = set(conjuncts(fulfilled))
        for conjunct in conjuncts(missed):
            # No state fulfils a conjunct and misses it.
            if conjunct not in fulfilled_parts:
                yield And((fulfilled, Not(conjunct)))


def _reachable(
    domain: Domain, problem: Problem, limit: int, other_goal: Formula
) -> list[_Reached] | None:
    """Return all reachable states with a shortest plan to each, or None if too many.

    Of several states that differ only in irrelevant numbers, such as costs, only one is visited.

    Args:
        domain: The domain.
        problem: The problem. Its initial state and its goal are used.
        limit: Maximum number of states.
        other_goal: A second goal. Numbers that it reads distinguish states, too.
    """
    world = world_of(domain)
    start = world.state(problem.objects, problem.initial, problem.values)
    functions = _functions_read(domain, (problem.goal, other_goal), start)
    visited = {_identity(start, functions)}
    # Breadth first: the list is in the order of distance, on which the nearest witness rests.
    reached: list[_Reached] = [(start, ())]
    queue = deque(reached)
    while queue:
        state, steps = queue.popleft()
        for action in applicable(world, state):
            successor = state.copy()
            world.apply(
                successor, action.name, world.numbers(successor, action.name, action.arguments)
            )
            identity = _identity(successor, functions)
            if identity in visited:
                continue
            if len(visited) >= limit:
                return None
            visited.add(identity)
            reached.append((successor, (*steps, action)))
            queue.append(reached[-1])
    return reached


def _identity(state: State, functions: Collection[int]) -> tuple[object, object]:
    """Return a key that identifies a state: its facts, and the values of some functions."""
    facts = frozenset(state.facts())
    if state.numbers is None:
        return facts, None
    values = [(term, value) for term, value in state.numbers.items() if term[0] in functions]
    return facts, frozenset(values)


def _functions_read(domain: Domain, goals: Iterable[Formula], state: State) -> set[int]:
    """Return the functions whose values affect which actions apply or which goals hold.

    An increase or decrease of a function does not read it, as it remains undefined if it is
    undefined before. An assignment may define it.

    Args:
        domain: The domain.
        goals: The goals that are compared.
        state: A state, whose layout numbers the functions.
    """
    # A state without numbers is that of a domain that reads none.
    if state.numbers is None:
        return set()
    functions = state.layout.functions
    rule_bodies = (axiom.body for axiom in domain.axioms)
    read: set[int] = set()
    for condition in (*goals, *rule_bodies, *_conditions_of_operators(domain)):
        read |= {functions[term.predicate] for term in numeric_terms(condition)}
    for operator in domain.operators.values():
        for change in numeric_clauses(operator.effect):
            # An amount is read even if its target is not, because the amount may be undefined.
            read |= {functions[term.predicate] for term in function_terms(change.amount)}
            if change.update not in ("increase", "decrease"):
                read.add(functions[change.target.predicate])
    return read


def _conditions_of_operators(domain: Domain) -> Iterator[Formula]:
    """Yield the preconditions of all operators, and the conditions of their effects."""
    for operator in domain.operators.values():
        yield operator.precondition
        for literal in clauses(operator.effect):
            yield literal.condition
        for change in numeric_clauses(operator.effect):
            yield change.condition


def _renamings(
    domain: Domain, first: Problem, second: Problem, *, goals: bool
) -> Iterator[dict[str, str]]:
    """Yield the renamings of objects that make the initial states (and goals) equal.

    Args:
        domain: The domain.
        first: One problem.
        second: The other problem.
        goals: Whether the goals have to be the same formula as well.
    """
    has_equal_goal = goals and first.goal == second.goal
    if has_equal_goal and _parts_without_goal(first) == _parts_without_goal(second):
        yield {name: name for name in first.objects}
        return
    # Imported here: that takes a while, and problems that are written the same need no graphs.
    import networkx as nx

    first_graph = _graph_of(domain, first, goals=goals)
    second_graph = _graph_of(domain, second, goals=goals)
    first_labels = nx.get_node_attributes(first_graph, "label")
    second_labels = nx.get_node_attributes(second_graph, "label")
    # Equal counts of labels are necessary, and much quicker to compare than graphs.
    if Counter(first_labels.values()) != Counter(second_labels.values()):
        return
    # The matcher keeps nodes in sets. Those of texts have another order in every process, those of
    # small numbers always the same: so the first of several renamings is the same everywhere.
    first_numbers = {node: number for number, node in enumerate(first_graph)}
    second_nodes = list(second_graph)
    matcher = nx.isomorphism.GraphMatcher(
        nx.convert_node_labels_to_integers(first_graph),
        nx.convert_node_labels_to_integers(second_graph),
        node_match=nx.isomorphism.categorical_node_match("label", None),
    )
    for mapping in matcher.isomorphisms_iter():
        # The node of an object is ("object", NAME).
        renaming = {}
        for name in first.objects:
            _, renaming[name] = second_nodes[mapping[first_numbers["object", name]]]
        yield renaming


def _parts_without_goal(problem: Problem) -> tuple[object, ...]:
    """Return the objects, initial facts and initial values of a problem, to be compared."""
    return dict(problem.objects), frozenset(problem.initial), dict(problem.values)


def _graph_of(domain: Domain, problem: Problem, *, goals: bool) -> nx.Graph[object]:
    """Return a problem as a labelled graph, in which objects have no names.

    Constants of the domain keep their names. Each argument of a fact is a node of its own, labelled
    by its position.
    """
    graph = FormulaGraph()
    # The label of an object is its type, and that of a constant its name.
    for name, type_name in problem.objects.items():
        graph.add(("object", name), ("object", type_name))
    for name in domain.constants:
        graph.add(("object", name), ("constant", name))
    for index, atom in enumerate(dict.fromkeys(problem.initial)):
        graph.add_terms(("fact", index), ("fact", atom.predicate), atom.terms, {})
    for index, (term, value) in enumerate(problem.values.items()):
        label = ("value", term.predicate, value)
        graph.add_terms(("value", index), label, term.terms, {})
    if goals:
        graph.add_formula(problem.goal, ("goal",), {})
    return graph.graph


def _invert(renaming: Mapping[str, str]) -> dict[str, str]:
    """Return the renaming from the new names back to the old ones."""
    return {new: old for old, new in renaming.items()}


def _rename_objects(formula: Formula, names: Mapping[str, str]) -> Formula:
    """Return a formula with objects renamed.

    Args:
        formula: The formula.
        names: New names by old ones; an object without a new name keeps its own.
    """

    def rename_terms(leaf: Formula) -> Formula:
        """Return an atom or an equality with renamed objects; other leaves stay as they are."""
        if not leaf.terms:
            return leaf
        terms: list[Term] = []
        for term in leaf.terms:
            if isinstance(term, Variable):
                terms.append(term)
            else:
                terms.append(names.get(term, term))
        return leaf.with_terms(terms)

    return formula.map_leaves(rename_terms)


def _report_starts_differ(first: Problem, second: Problem) -> ProblemComparison:
    """Return the difference of two initial states under the closest renaming.

    Objects, types, facts, values and goals are compared one after the other, as a reader would.

    Args:
        first: One problem.
        second: The other problem. No renaming gives it the same initial state.
    """
    renaming = _closest_renaming(first, second)
    names_in_first = _invert(renaming)
    # True: the second problem misses something of the first. False: it has something in excess.
    differences = []
    for name, type_name in first.objects.items():
        if name not in renaming:
            differences.append(PddlDifference("object", f"{name} - {type_name}", True))
        elif second.objects[renaming[name]] != type_name:
            differences.append(PddlDifference("type", f"{name} - {type_name}", True))
    for name, type_name in second.objects.items():
        if name not in names_in_first:
            differences.append(PddlDifference("object", f"{name} - {type_name}", False))
    renamed = [_rename_objects(atom, names_in_first) for atom in second.initial]
    differences += _differences_between("initial fact", first.initial, renamed)
    differences += _differing_values(first, second, names_in_first)
    goal = _rename_objects(second.goal, names_in_first)
    differences += _differences_between("goal", conjuncts(first.goal), conjuncts(goal))
    return ProblemComparison(
        "different",
        renaming,
        tuple(differences),
        reason="no renaming makes the initial states equal",
    )


def _differing_values(
    first: Problem, second: Problem, names: Mapping[str, str]
) -> list[PddlDifference]:
    """Return the initial function values that only one of two problems has.

    Args:
        first: One problem.
        second: The other problem.
        names: Objects of the second problem, with their names in the first.
    """
    values_of_first = set(first.values.items())
    values_of_second = set()
    for function_term, value in second.values.items():
        values_of_second.add((_rename_objects(function_term, names), value))
    missing_values = values_of_first - values_of_second
    excess_values = values_of_second - values_of_first
    differences = []
    for missing, values in ((True, missing_values), (False, excess_values)):
        texts = []
        for term, value in values:
            texts.append(f"(= {format_condition(term)} {format_number(exact(value))})")
        # Sets have no order of their own, and reports are the same at every run.
        for text in sorted(texts):
            differences.append(PddlDifference("initial fact", text, missing))
    return differences


def _differences_between(
    difference_kind: str, first_parts: Iterable[Formula], second_parts: Iterable[Formula]
) -> list[PddlDifference]:
    """Return the formulas that only one of two collections has.

    Args:
        difference_kind: Kind of the formulas: ``"initial fact"``.
        first_parts: The formulas of the first problem; those that the second lacks are missing.
        second_parts: The formulas of the second problem, in the names of the first.
    """
    left, right = dict.fromkeys(first_parts), dict.fromkeys(second_parts)
    differences = []
    for part in left:
        if part not in right:
            differences.append(PddlDifference(difference_kind, format_condition(part), True))
    for part in right:
        if part not in left:
            differences.append(PddlDifference(difference_kind, format_condition(part), False))
    return differences


def _closest_renaming(first: Problem, second: Problem) -> dict[str, str]:
    """Return a renaming of objects that keeps many facts, so that few differ.

    The choice is greedy. Objects with equal names are the same. Each other object gets the name of
    the unused object in the second problem that has the same type and the most similar uses.
    """
    renaming = {name: name for name in first.objects if name in second.objects}
    candidates = [name for name in second.objects if name not in renaming]
    uses_in_first = _occurrences(first)
    uses_in_second = _occurrences(second)
    for name in first.objects:
        if name in renaming:
            continue
        if not candidates:
            break
        # Type first: a cup that is used like a plate is still no plate.
        similarity: dict[str, tuple[bool, int]] = {}
        for candidate in candidates:
            has_same_type = first.objects[name] == second.objects[candidate]
            # The intersection of two counts: of each use the smaller number.
            shared_uses = (uses_in_first[name] & uses_in_second[candidate]).total()
            similarity[candidate] = (has_same_type, shared_uses)
        most_similar = max(candidates, key=similarity.__getitem__)
        candidates.remove(most_similar)
        renaming[name] = most_similar
    return renaming


def _occurrences(problem: Problem) -> dict[str, Counter[tuple[str, str, int]]]:
    """Count where each object occurs in the initial state and the goal of a problem.

    Returns:
        For each object the number of its uses, by part of the problem, predicate and position. In
        the problem with the fact ``on(a, b)``, ``a`` has one use ``("start", "on", 0)``.
    """
    atoms_by_part = [("start", atom) for atom in problem.initial]
    # The value of a function is part of where an object occurs: there may be nothing else.
    for function_term, value in problem.values.items():
        atoms_by_part.append((f"value {format_number(exact(value))}", function_term))
    for node in problem.goal.walk():
        if isinstance(node, Atom):
            atoms_by_part.append(("goal", node))
    atoms_by_part += [("goal", term) for term in numeric_terms(problem.goal)]
    uses: dict[str, Counter[tuple[str, str, int]]] = {name: Counter() for name in problem.objects}
    for part, atom in atoms_by_part:
        for position, term in enumerate(atom.terms):
            if str(term) in uses:
                uses[str(term)][part, atom.predicate, position] += 1
    return uses
