"""Searches on ground tasks: greedy, by width, by cost, and for shortest plans.

Greedy best-first search goes by relaxed plans, preferred actions and landmarks.

In best-first width search states that show something new come first. The novelty of a state is 1
if some literal, and 2 if some pair of literals, is true in it for the first time among the states
with as many open landmarks; 3 otherwise (Lipovetzky & Geffner 2012; best-first in section 3 of
Lipovetzky & Geffner 2017, who count open goals and what was seen of a relaxed plan). Open landmarks
tell more states apart than open goals do, and cost less than relaxed plans. Nothing is pruned: when
the queue is empty, every reachable state was seen.

For cheapest plans, what grounding leaves out costs nothing: an action that the goal cannot depend
on is in no cheapest plan, and of actions that do the same the cheapest is kept.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush

from eai.planning.conditions import Condition, holds
from eai.planning.landmarks import Landmarks
from eai.planning.limits import Limits
from eai.planning.task import (
    GroundAction,
    GroundTask,
    Search,
    SearchSpace,
    Successors,
    operators_of,
)
from eai.world import mask_of
from eai.world.bits import bits

_FAR = float("inf")
"""Cost of what cannot be reached."""
_NO_ACTION = -1
"""Number of the action of an operator that is none: a rule, or an option of alternatives."""


class Relaxation:
    """Computes relaxed plans as FF does (Hoffmann & Nebel 2001), chosen by additive costs.

    Deletions are ignored, and a literal costs as much as the cheapest operator that makes it true:
    one action more than what its conditions cost together (Keyder & Geffner 2008). Clauses and
    choices are nodes like literals, and each of their options an operator without costs that makes
    the node true; so the condition of an operator is a list of nodes, and it is counted down.
    """

    def __init__(self, task: GroundTask, limits: Limits) -> None:
        self._limits = limits
        # Derived atoms are taken to be false at no cost: positive literal 2n, negative 2n + 1.
        self._always = task.derived << 1
        # Nodes with smaller numbers are literals, the others are alternatives.
        self._literals = self._nodes = 2 * len(task.atoms)
        self._alternatives: dict[object, int] = {}
        # By operator: the nodes that it asks for, those that it reaches, its cost, its action.
        self._asks: list[tuple[int, ...]] = []
        self._gives: list[tuple[int, ...]] = []
        self._costs: list[int] = []
        self._actions: list[int] = []
        for condition, effect, action in operators_of(task):
            literals = effect
            if action != _NO_ACTION:
                literals &= task.needed
            if literals:
                self._add_operator(self._nodes_of(condition), tuple(bits(literals)), action)
        goal = self._nodes_of(task.goal)  # this may add operators for alternatives
        self._goal = len(self._asks)
        self._add_operator(goal, ())
        # By node: the operators that ask for it. By operator: how many nodes it asks for.
        self._waiting: list[list[int]] = [[] for _ in range(self._nodes)]
        for operator, nodes in enumerate(self._asks):
            for node in nodes:
                self._waiting[node].append(operator)
        self._missing = [len(nodes) for nodes in self._asks]
        # Operators without conditions are reached at once.
        self._free = [operator for operator, missing in enumerate(self._missing) if not missing]
        self._tested = mask_of(n for n in range(self._literals) if self._waiting[n])

    def _add_operator(
        self, asks: tuple[int, ...], gives: tuple[int, ...], action: int = _NO_ACTION
    ) -> None:
        """Add an operator that makes some nodes true once all its conditions are true."""
        self._asks.append(asks)
        self._gives.append(gives)
        self._costs.append(int(action != _NO_ACTION))
        self._actions.append(action)

    def _nodes_of(self, condition: Condition) -> tuple[int, ...]:
        """Return the nodes of a condition; alternatives are a node with an operator for each."""
        every, clauses, choices = condition
        nodes = list(bits(every))
        # A clause is a disjunction of literals, a choice one of whole conditions.
        for clause in clauses:
            literals = [Condition(1 << literal) for literal in bits(clause)]
            nodes.append(self._node_of_alternatives(clause, literals))
        for choice in choices:
            nodes.append(self._node_of_alternatives(choice, choice))
        return tuple(dict.fromkeys(nodes))

    def _node_of_alternatives(self, key: object, options: Iterable[Condition]) -> int:
        """Return the node that is true if one of several conditions is true.

        Args:
            key: Key of the node: equal keys share a node.
            options: The conditions, each of which gets an operator that costs nothing.
        """
        node = self._alternatives.get(key)
        if node is None:
            node = self._alternatives[key] = self._nodes
            self._nodes += 1
            for option in options:
                self._add_operator(self._nodes_of(option), (node,))
        return node

    def plan(self, state: int) -> tuple[set[int], int] | None:
        """Find a relaxed plan.

        Returns:
            Numbers of its actions (in ``task.actions``), and the mask of the literals that it
            asks for and that are not true yet; None if there is none.
        """
        waiting = self._waiting
        goal = self._goal
        # Copies, as the search counts them down for this state alone.
        missing = self._missing[:]
        totals = self._costs[:]
        costs = [_FAR] * self._nodes
        source: dict[int, int] = {}
        # Nodes by cost, cheapest first. Costs are sums, which may double with every action.
        layers = {0: list(bits((state | self._always) & self._tested))}
        for node in layers[0]:
            costs[node] = 0
        ready: Sequence[int] = self._free
        waiting_costs = [0]
        work = 0
        # The goal counts as one more operator, so the search ends as soon as none of its conditions
        # is missing.
        while True:
            self._lower_costs(ready, totals, costs, source, layers, waiting_costs)
            if not missing[goal]:
                break
            ready = []
            if not waiting_costs:
                break
            cost = heappop(waiting_costs)
            for node in layers.pop(cost):
                # A node that became cheaper later was processed in an earlier layer.
                if costs[node] == cost:
                    work += len(waiting[node])
                    for operator in waiting[node]:
                        still_missing = missing[operator] = missing[operator] - 1
                        totals[operator] += cost
                        if not still_missing:
                            ready.append(operator)
        self._limits.count(work)
        self._limits.check()
        if missing[goal]:
            return None
        return self._actions_of_plan(source)

    def _lower_costs(
        self,
        ready: Sequence[int],
        totals: Sequence[int],
        costs: list[float],
        source: dict[int, int],
        layers: dict[int, list[int]],
        waiting_costs: list[int],
    ) -> None:
        """Update the nodes that some operators reach at a lower cost.

        Args:
            ready: Operators all of whose nodes were reached.
            totals: By operator, its cost with those of the nodes that it asks for.
            costs: By node, its cost so far; lowered here.
            source: By node, the operator that reached it most cheaply; set here.
            layers: Nodes that are to be looked at, by their cost.
            waiting_costs: The costs that have a layer, as a heap.
        """
        gives = self._gives
        for operator in ready:
            total = totals[operator]
            for node in gives[operator]:
                if total < costs[node]:
                    costs[node], source[node] = total, operator
                    if total in layers:
                        layers[total].append(node)
                    else:
                        layers[total] = [node]
                        heappush(waiting_costs, total)

    def _actions_of_plan(self, source: dict[int, int]) -> tuple[set[int], int]:
        """Return the relaxed plan, extracted backward from the goal.

        This is the relaxed plan of FF: it ignores that actions also make things false, and its
        length is the estimate.

        Args:
            source: For each node the operator that reached it first.

        Returns:
            The numbers of the actions, and a mask of the literals that they are needed for.
        """
        chosen = set[int]()
        facts = 0
        visited = set[int]()
        pending = list(self._asks[self._goal])
        while pending:
            node = pending.pop()
            if node in visited or node not in source:
                continue
            visited.add(node)
            if node < self._literals:
                facts |= 1 << node
            operator = source[node]
            if self._actions[operator] != _NO_ACTION:
                chosen.add(self._actions[operator])
            pending += self._asks[operator]
        return chosen, facts


_BOOST = 1000
"""Number of turns that preferred states get for progress."""


def search_greedily(task: GroundTask, limits: Limits) -> Search:
    """Search greedily with relaxed plans and landmarks, as LAMA does.

    Relaxed plans are computed when states are expanded, and successors are queued under the value
    of their parent (deferred evaluation; Helmert 2006, section 5). Open landmarks are counted at
    once, since that is cheap. Without a plan, every state is visited from which the relaxed goal is
    reachable.
    """
    if holds(task.goal, task.initial):
        return []
    space = SearchSpace(task, limits)
    relaxation = Relaxation(task, limits)
    landmarks = Landmarks(task, limits)
    queues = _Queues()
    queues.put((0, 0), task.initial, preferred=True)
    for state in queues:
        space.count(state)
        yield
        relaxed_plan = relaxation.plan(state)
        if relaxed_plan is None:
            continue
        numbers, _ = relaxed_plan
        plan_length = len(numbers)
        open_landmarks, wanted_literals = landmarks.look(state)
        helpful = {id(task.actions[number]) for number in numbers}
        queues.boost_preferred((plan_length, open_landmarks))
        for after, action in space.successors(state):
            if holds(task.goal, after):
                return space.plan_to(after)
            limits.check()  # with many landmarks, one successor takes long
            landmarks.follow(state, after)
            preferred = id(action) in helpful or bool(action.effect & wanted_literals)
            open_after, _ = landmarks.look(after)
            queues.put((plan_length, open_after), after, preferred=preferred)
    return None


class _Queues:
    """Four open lists: two heuristics (relaxed plans, landmarks), all states and preferred ones.

    They take turns; preferred states get more turns when a state is better than all before it
    (Richter & Helmert 2009).
    """

    def __init__(self) -> None:
        self._heaps: list[list[tuple[int, int, int, int]]] = [[], [], [], []]
        self._turns = [0, 0, 0, 0]
        self._best = [_FAR, _FAR]
        self._count = 0
        self._taken = set[int]()

    def put(self, values: tuple[int, int], state: int, *, preferred: bool) -> None:
        """Add a state under both heuristic values. Ties are broken by the other value."""
        # The count decides last: of states with equal values the older one is taken.
        self._count += 1
        for at, entry in enumerate((values, values[::-1])):
            heappush(self._heaps[at], (*entry, self._count, state))
            if preferred:
                heappush(self._heaps[at + 2], (*entry, self._count, state))

    def boost_preferred(self, values: tuple[int, int]) -> None:
        """Prefer the queues of preferred states after progress was made."""
        for at, value in enumerate(values):
            if value < self._best[at]:
                self._best[at] = value
                self._turns[2] -= _BOOST
                self._turns[3] -= _BOOST

    def __iter__(self) -> Iterator[int]:
        """Yield the states in the queues, each once, until all queues are empty.

        The least used queue is next. A queue gets priority by having its counter lowered. States
        may be added during the iteration.
        """
        while any(self._heaps):
            filled = [number for number, heap in enumerate(self._heaps) if heap]
            number = min(filled, key=self._turns.__getitem__)
            self._turns[number] += 1
            *_, state = heappop(self._heaps[number])
            if state not in self._taken:
                self._taken.add(state)
                yield state


class Novelty:
    """The literals and pairs of literals seen so far, for each class of states.

    Args:
        literals: Number of literals of the task.
        limits: Limits of the search, which count what is remembered.
    """

    def __init__(self, literals: int, limits: Limits) -> None:
        self._literals = literals
        self._limits = limits
        # By class: the literals seen, and for each literal those seen together with it.
        self._single: dict[object, int] = {}
        self._together: dict[object, dict[int, int]] = {}

    def measure(self, kind: object, state: int, new_atoms: int) -> int:
        """Return the novelty of a state, and record its literals.

        Invariant: the row of a literal has every literal that was true together with it. So a pair
        is new if one of the two is missing in the row of the other.

        Args:
            kind: Class of the state: it is compared with states of its class only.
            state: The state.
            new_atoms: The literals whose pairs need a look; all other pairs were seen before.

        Returns:
            1 if some literal is true for the first time, 2 if some pair is, 3 otherwise.
        """
        true = state & self._literals
        seen_atoms = self._single.get(kind, 0)
        self._single[kind] = seen_atoms | true
        novelty = 3
        if true & ~seen_atoms:
            novelty = 1
        rows = self._together.setdefault(kind, {})
        self._limits.count((true & new_atoms).bit_count())
        for literal in bits(true & new_atoms):
            row = rows.get(literal, 0)
            if not row:
                self._limits.keep(true)
            missing = true & ~row
            if not missing:
                continue
            rows[literal] = row | true
            # The pair may stand in the row of the other literal. After the first new pair the
            # others are only remembered.
            if novelty == 3 and any(not rows.get(i, 0) >> literal & 1 for i in bits(missing)):
                novelty = 2
        return novelty


def search_by_width(task: GroundTask, limits: Limits) -> Search:
    """Search for a plan, best-first by novelty and open landmarks.

    Without a plan, every reachable state is visited.
    """
    start = task.initial
    if holds(task.goal, start):
        return []
    space = SearchSpace(task, limits)
    landmarks = Landmarks(task, limits)
    # A false literal counts only if a plan has to make it so. Most false literals were never true,
    # and including them would make pairs ten times as expensive without a benefit.
    novelty = Novelty(task.needed & task.positive | landmarks.literals, limits)
    open_landmarks, _ = landmarks.look(start)
    novelty.measure(open_landmarks, start, start)
    queue: list[tuple[int, int, int, int]] = [(1, open_landmarks, 0, start)]
    while queue:
        _, before, _, state = heappop(queue)
        space.count(state)
        yield
        for after, _ in space.successors(state):
            if holds(task.goal, after):
                return space.plan_to(after)
            limits.check()  # with many landmarks, one successor takes long
            landmarks.follow(state, after)
            open_landmarks, _ = landmarks.look(after)
            # Pairs of what was true before were seen, unless the class is another one.
            new_atoms = after & ~state if open_landmarks == before else after
            rank = novelty.measure(open_landmarks, after, new_atoms)
            heappush(queue, (rank, open_landmarks, len(space), after))
    return None


def search_breadth_first(task: GroundTask, limits: Limits) -> Search:
    """Search for a plan with the fewest actions (:data:`~eai.planning.task.Search`).

    States are visited in the order of their distance, so the first that fulfils the goal is
    nearest.
    """
    space = SearchSpace(task, limits)
    goal = task.goal
    if holds(goal, task.initial):
        return []
    queue = deque([task.initial])
    while queue:
        state = queue.popleft()
        space.count(state)
        yield
        for after, _ in space.successors(state):
            if holds(goal, after):
                return space.plan_to(after)
            queue.append(after)
    return None


def search_by_cost(task: GroundTask, limits: Limits) -> Search:
    """Search for a plan of least cost: uniform-cost search (Dijkstra).

    A state is taken out of the queue only when no cheaper way to it is left.
    """
    successors = Successors(task)
    before: dict[int, tuple[int, GroundAction]] = {}
    costs: dict[int, float] = {task.initial: 0.0}
    queue: list[tuple[float, int, int]] = [(0.0, 0, task.initial)]
    while queue:
        cost, _, state = heappop(queue)
        # An older entry: a cheaper way to the state was found since.
        if cost > costs[state]:
            continue
        if holds(task.goal, state):
            plan = []
            while state != task.initial:
                state, action = before[state]
                plan.append(action)
            return plan[::-1]
        limits.expand(state, len(costs))
        yield
        applicable = successors.applicable(state)
        limits.count(len(applicable))
        for action in applicable:
            after = task.successor(state, action)
            total = cost + action.cost_in(state)
            if total < costs.get(after, float("inf")):
                costs[after] = total
                before[after] = (state, action)
                heappush(queue, (total, len(costs), after))
    return None
