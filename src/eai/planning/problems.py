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
the same formula is a proof, and a plan to a state that fulfils one goal only is a disproof.

Cost: one state space of at most ``states`` states, and comparisons of graphs: one for closed goals,
for others as many as the initial state has symmetries, at most :data:`_RENAMINGS`.

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
from typing import TYPE_CHECKING, Literal

from eai.budget import Budget
from eai.errors import InputError
from eai.logic import (
    And,
    Atom,
    Formula,
    Not,
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
    NumericClause,
    Problem,
    clauses,
    format_condition,
    numeric_clauses,
)
from eai.planning.differences import PddlDifference
from eai.planning.graphs import FormulaGraph
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
"""Maximum number of reachable states that are looked at."""
_RENAMINGS = 720
"""Maximum number of renamings: all of six objects."""
_SEARCH = Budget(states=20_000, actions=None, instances=5_000_000, bytes=500_000_000)
"""Budget of a search for a state that tells two goals apart."""


@dataclass(frozen=True, slots=True)
class ProblemComparison:
    """Whether two problems are the same; true if they are.

    Args:
        verdict: The verdict.
        renaming: Object of the first problem to that of the second: one that makes them equal, or
            by which differences are named.
        differences: What the second problem lacks or has in excess.
        plan: A plan of the first problem to a state that fulfils one of the goals only.
        reason: Why the verdict is what it is, in a sentence.
    """

    verdict: Verdict
    renaming: Mapping[str, str]
    differences: tuple[PddlDifference, ...] = ()
    plan: tuple[Action, ...] | None = None
    reason: str = ""

    def __bool__(self) -> bool:
        return self.verdict == "equivalent"

    def __str__(self) -> str:
        if self.verdict == "equivalent":
            renamed = [f"{one} is {other}" for one, other in self.renaming.items() if one != other]
            return "equivalent" + (f": {', '.join(renamed)}" if renamed else "")
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
        is_joint: Whether one renaming has to make both initial states and goals equal; else goals
            may be compared by a renaming of their own ("placeholder" in Planetarium: a goal such
            as "one tower" says which blocks are where in no way that a text could tell).

    Raises:
        InputError: If the domain cannot be run, or ``states`` is not positive.
    """
    if states < 1:
        raise InputError(f"states is {states}", expected="a positive number")
    whole = next(_renamings(domain, first, second, goals=True), None)
    if whole is not None:
        return ProblemComparison("equivalent", whole)
    start = next(_renamings(domain, first, second, goals=False), None)
    if start is None:
        return _different_start(first, second)
    reached = _reachable(domain, first, states, second.goal)
    goal = _renamed(second.goal, _inverse(start))
    if not is_joint and _has_same_goal(domain, first, replace(first, goal=goal), reached):
        return ProblemComparison("equivalent", start)
    if reached is not None and _is_plain(first.goal) and _is_plain(goal):
        return _compared_closed(domain, first, goal, start, reached)
    renamings = list(islice(_renamings(domain, first, second, goals=False), _RENAMINGS + 1))
    goals = [_renamed(second.goal, _inverse(renaming)) for renaming in renamings]
    if reached is None:
        return _compared_by_search(domain, first, renamings, goals)
    return _compared_on_states(domain, first, renamings, goals, reached)


def _has_same_goal(
    domain: Domain, first: Problem, second: Problem, reached: Sequence[_Reached] | None
) -> bool:
    """Return whether some renaming of objects makes two goals of one start equal."""
    goals = [first.goal, second.goal]
    if reached is not None and all(map(_is_plain, goals)):
        goals = [_closed(domain, goal, reached) for goal in goals]
    alone = [replace(first, initial=(), values={}, goal=goal) for goal in goals]
    return next(_renamings(domain, *alone, goals=True), None) is not None


def _is_plain(goal: Formula) -> bool:
    """Return whether a goal is a conjunction of literals."""
    parts = [part.operands[0] if isinstance(part, Not) else part for part in conjuncts(goal)]
    return all(isinstance(part, Atom) for part in parts)


def _compared_closed(
    domain: Domain,
    first: Problem,
    goal: Formula,
    renaming: Mapping[str, str],
    reached: Sequence[_Reached],
) -> ProblemComparison:
    """Compare goals that are conjunctions of literals, with all that follows from them.

    Args:
        domain: The domain.
        first: One problem.
        goal: The goal of the other one, in the names of the first.
        renaming: A renaming that makes the initial states equal.
        reached: All reachable states of the first problem.
    """
    one, other = [
        replace(first, goal=_closed(domain, part, reached)) for part in (first.goal, goal)
    ]
    mapping = next(_renamings(domain, one, other, goals=True), None)
    if mapping is not None:
        names = {name: renaming[mapping[name]] for name in first.objects}
        return ProblemComparison("equivalent", names)
    world, universe = world_of(domain), reached[0][0].universe
    holds = _truths(world.test_of(first.goal, universe), reached)
    witness = _first_parting(world.test_of(goal, universe), holds, reached)
    return _different_goals(first.goal, goal, renaming, witness)


def _truths(test: Callable[[State], bool], reached: Sequence[_Reached]) -> list[bool]:
    return [test(state) for state, _ in reached]


def _first_parting(
    test: Callable[[State], bool], holds: Sequence[bool], reached: Sequence[_Reached]
) -> tuple[Action, ...] | None:
    """Return the way to the nearest state in which a test has another value than is given."""
    for (state, steps), held in zip(reached, holds, strict=True):
        if test(state) != held:
            return steps
    return None


def _different_goals(
    first: Formula,
    second: Formula,
    renaming: Mapping[str, str],
    witness: tuple[Action, ...] | None,
) -> ProblemComparison:
    """Return that two goals differ, given both in the names of the first problem."""
    return ProblemComparison(
        "different",
        renaming,
        tuple(_both_ways("goal", conjuncts(first), conjuncts(second))),
        witness,
        "no renaming makes the goals hold in the same reachable states",
    )


def _closed(domain: Domain, goal: Formula, reached: Sequence[_Reached]) -> Formula:
    """Return all literals that hold in every reachable state that fulfils a goal."""
    fulfils = world_of(domain).test_of(goal, reached[0][0].universe)
    possible: set[Atom] = set()
    always: set[Atom] | None = None
    sometimes: set[Atom] = set()
    for state, _ in reached:
        atoms = set(state.atoms())
        possible |= atoms
        if fulfils(state):
            always = atoms if always is None else always & atoms
            sometimes |= atoms
    # A goal that no state fulfils has everything as a consequence.
    true = possible if always is None else always
    never = possible - sometimes
    literals: list[Formula] = [*sorted(true, key=str)]
    literals += [Not(atom) for atom in sorted(never, key=str)]
    return And.of(literals)


def _compared_on_states(
    domain: Domain,
    first: Problem,
    renamings: Sequence[Mapping[str, str]],
    goals: Sequence[Formula],
    reached: Sequence[_Reached],
) -> ProblemComparison:
    """Compare goals on all reachable states, the nearest first."""
    world = world_of(domain)
    universe = reached[0][0].universe
    holds = _truths(world.test_of(first.goal, universe), reached)
    witnesses = []
    for renaming, goal in zip(renamings, goals, strict=True):
        witness = _first_parting(world.test_of(goal, universe), holds, reached)
        if witness is None:
            return ProblemComparison("equivalent", renaming)
        witnesses.append(witness)
    if len(renamings) > _RENAMINGS:
        reason = f"the initial states are equal under more than {_RENAMINGS} renamings"
        return ProblemComparison("undecided", renamings[0], reason=reason)
    return _different_goals(first.goal, goals[0], renamings[0], witnesses[0])


def _compared_by_search(
    domain: Domain,
    first: Problem,
    renamings: Sequence[Mapping[str, str]],
    goals: Sequence[Formula],
) -> ProblemComparison:
    """Look for plans that tell goals apart, where there are too many states to look at all."""
    plans = []
    for goal in goals[:_RENAMINGS]:
        found = _parting_plan(domain, first, goal)
        if found is None:
            break
        plans.append(found)
    if len(plans) < len(goals):
        reason = "the goals are not the same formula, and there are too many states to look at all"
        return ProblemComparison("undecided", renamings[0], reason=reason)
    return _different_goals(first.goal, goals[0], renamings[0], plans[0])


def _parting_plan(domain: Domain, problem: Problem, goal: Formula) -> tuple[Action, ...] | None:
    """Return a plan to a state that fulfils one of two goals only; None if none was found."""
    for wanted, unwanted in ((problem.goal, goal), (goal, problem.goal)):
        for part in conjuncts(unwanted):
            parted = replace(problem, goal=And((wanted, Not(part))))
            found = plan(domain, parted, budget=_SEARCH.meter())
            if found.outcome is Outcome.SOLVED:
                return tuple(found.plan or ())
    return None


def _reachable(
    domain: Domain, problem: Problem, limit: int, other_goal: Formula
) -> list[_Reached] | None:
    """Return all reachable states with a shortest plan to each; None if there are too many.

    Of states that differ only in numbers that neither a goal nor an action reads, such as a cost,
    one is looked at.
    """
    world = world_of(domain)
    start = world.state(problem.objects, problem.initial, problem.values)
    functions = _functions_read(domain, (problem.goal, other_goal), start)
    seen = {_identity(start, functions)}
    reached: list[_Reached] = [(start, ())]
    queue = deque(reached)
    while queue:
        state, steps = queue.popleft()
        for action in applicable(world, state):
            after = state.copy()
            world.apply(after, action.name, world.numbers(after, action.name, action.arguments))
            identity = _identity(after, functions)
            if identity in seen:
                continue
            if len(seen) >= limit:
                return None
            seen.add(identity)
            reached.append((after, (*steps, action)))
            queue.append(reached[-1])
    return reached


def _identity(state: State, functions: Collection[int]) -> tuple[object, object]:
    """Return what tells a state from others: its facts, and the values of some functions."""
    facts = frozenset(state.facts())
    if state.numbers is None:
        return facts, None
    values = [(term, value) for term, value in state.numbers.items() if term[0] in functions]
    return facts, frozenset(values)


def _functions_read(domain: Domain, goals: Iterable[Formula], state: State) -> set[int]:
    """Return the numbers of the functions whose values say what can be done, or what is reached.

    A function that is only increased and decreased is not read by that: without a value it stays
    without one. An assignment may give it one.
    """
    if state.numbers is None:
        return set()
    terms: list[Atom] = []
    for condition in (*goals, *(axiom.body for axiom in domain.axioms)):
        terms += numeric_terms(condition)
    changes: list[NumericClause] = []
    for operator in domain.operators.values():
        terms += numeric_terms(operator.precondition)
        for literal in clauses(operator.effect):
            terms += numeric_terms(literal.condition)
        for change in numeric_clauses(operator.effect):
            terms += numeric_terms(change.condition)
            changes.append(change)
    functions = state.layout.functions
    read = {functions[term.predicate] for term in terms}
    for change in changes:
        # Even an amount that goes into a number that nothing reads may have no value.
        read |= {functions[term.predicate] for term in function_terms(change.amount)}
        if change.update not in ("increase", "decrease"):
            read.add(functions[change.target.predicate])
    return read


def _renamings(
    domain: Domain, first: Problem, second: Problem, *, goals: bool
) -> Iterator[dict[str, str]]:
    """Yield the renamings of objects that make the initial states (and goals) equal."""
    if goals and first.goal == second.goal and _plain_parts(first) == _plain_parts(second):
        yield {name: name for name in first.objects}
        return
    import networkx as nx

    one, other = _graph(domain, first, goals=goals), _graph(domain, second, goals=goals)
    labels = nx.get_node_attributes(one, "label"), nx.get_node_attributes(other, "label")
    if Counter(labels[0].values()) != Counter(labels[1].values()):
        return
    matcher = nx.isomorphism.GraphMatcher(
        one, other, node_match=nx.isomorphism.categorical_node_match("label", None)
    )
    for mapping in matcher.isomorphisms_iter():
        yield {name: mapping["object", name][1] for name in first.objects}


def _plain_parts(problem: Problem) -> tuple[object, ...]:
    return dict(problem.objects), frozenset(problem.initial), dict(problem.values)


def _graph(domain: Domain, problem: Problem, *, goals: bool) -> nx.Graph[object]:
    """Return a problem as a graph whose labels say everything but the names of objects.

    A constant of the domain keeps its name. The arguments of a fact are nodes of their own, which
    say at which position an object stands.
    """
    graph = FormulaGraph()
    for name, kind in problem.objects.items():
        graph.add(("object", name), ("object", kind))
    for name in domain.constants:
        graph.add(("object", name), ("constant", name))
    for number, atom in enumerate(dict.fromkeys(problem.initial)):
        graph.add_terms(("fact", number), ("fact", atom.predicate), atom.terms, {})
    for number, (term, value) in enumerate(problem.values.items()):
        label = ("value", term.predicate, value)
        graph.add_terms(("value", number), label, term.terms, {})
    if goals:
        graph.add_formula(problem.goal, ("goal",), {})
    return graph.graph


def _inverse(renaming: Mapping[str, str]) -> dict[str, str]:
    return {new: old for old, new in renaming.items()}


def _renamed(formula: Formula, names: Mapping[str, str]) -> Formula:
    """Return a formula with objects renamed."""

    def renamed(leaf: Formula) -> Formula:
        terms = []
        for term in leaf.terms:
            is_variable = isinstance(term, Variable)
            terms.append(term if is_variable else names.get(str(term), term))
        return leaf.with_terms(terms) if terms else leaf

    return formula.map_leaves(renamed)


def _different_start(first: Problem, second: Problem) -> ProblemComparison:
    """Name what tells two initial states apart, under the renaming that keeps most facts."""
    renaming = _closest(first, second)
    names = _inverse(renaming)
    differences = []
    for name, kind in first.objects.items():
        if name not in renaming:
            differences.append(PddlDifference("object", f"{name} - {kind}", True))
        elif second.objects[renaming[name]] != kind:
            differences.append(PddlDifference("type", f"{name} - {kind}", True))
    for name, kind in second.objects.items():
        if name not in names:
            differences.append(PddlDifference("object", f"{name} - {kind}", False))
    renamed = [_renamed(atom, names) for atom in second.initial]
    differences += _both_ways("initial fact", first.initial, renamed)
    differences += _different_values(first, second, names)
    goal = _renamed(second.goal, names)
    differences += _both_ways("goal", conjuncts(first.goal), conjuncts(goal))
    return ProblemComparison(
        "different",
        renaming,
        tuple(differences),
        reason="no renaming makes the initial states equal",
    )


def _different_values(
    first: Problem, second: Problem, names: Mapping[str, str]
) -> list[PddlDifference]:
    """Return the initial values of functions that only one of two problems has."""
    left = set(first.values.items())
    right = {(_renamed(term, names), value) for term, value in second.values.items()}
    differences = []
    for missing, values in ((True, left - right), (False, right - left)):
        texts = [
            f"(= {format_condition(term)} {format_number(exact(value))})" for term, value in values
        ]
        # Sets have no order of their own, and reports are the same at every run.
        for text in sorted(texts):
            differences.append(PddlDifference("initial fact", text, missing))
    return differences


def _both_ways(
    kind: str, some: Iterable[Formula], others: Iterable[Formula]
) -> list[PddlDifference]:
    """Return what only one of two collections has."""
    left, right = dict.fromkeys(some), dict.fromkeys(others)
    lacking = [part for part in left if part not in right]
    excess = [part for part in right if part not in left]
    differences = []
    for missing, parts in ((True, lacking), (False, excess)):
        for part in parts:
            differences.append(PddlDifference(kind, format_condition(part), missing))
    return differences


def _closest(first: Problem, second: Problem) -> dict[str, str]:
    """Return a renaming that keeps much: equal names, then objects that occur alike."""
    renaming = {name: name for name in first.objects if name in second.objects}
    if renaming:
        left = [name for name in first.objects if name not in renaming]
        right = [name for name in second.objects if name not in renaming]
    else:
        left, right = list(first.objects), list(second.objects)
    uses = _occurrences(first), _occurrences(second)
    for name in left:
        if not right:
            break

        def alikeness(other: str, name: str = name) -> tuple[bool, int]:
            same_type = first.objects[name] == second.objects[other]
            return same_type, (uses[0][name] & uses[1][other]).total()

        best = max(right, key=alikeness)
        right.remove(best)
        renaming[name] = best
    return renaming


def _occurrences(problem: Problem) -> dict[str, Counter[tuple[str, str, int]]]:
    """Return where each object occurs: in the start or the goal, by predicate and position."""
    uses: dict[str, Counter[tuple[str, str, int]]] = {name: Counter() for name in problem.objects}
    parts = [("start", atom) for atom in problem.initial]
    # The value of a function is part of where an object occurs: there may be nothing else.
    for function_term, value in problem.values.items():
        parts.append((f"value {format_number(exact(value))}", function_term))
    for node in problem.goal.walk():
        if isinstance(node, Atom):
            parts.append(("goal", node))
    parts += [("goal", term) for term in numeric_terms(problem.goal)]
    for part, atom in parts:
        for position, term in enumerate(atom.terms):
            if str(term) in uses:
                uses[str(term)][part, atom.predicate, position] += 1
    return uses
