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


def operators_by_node(
    nodes_of_operators: Sequence[Sequence[int]], number_of_nodes: int
) -> list[list[int]]:
    """Return for each node the operators that have it among their nodes, in order.

    Args:
        nodes_of_operators: The nodes of each operator.
        number_of_nodes: Number of all nodes.
    """
    operators: list[list[int]] = [[] for _ in range(number_of_nodes)]
    for operator, own_nodes in enumerate(nodes_of_operators):
        for node in own_nodes:
            operators[node].append(operator)
    return operators


class Relaxation:
    """Computes relaxed plans as FF does (Hoffmann & Nebel 2001), chosen by additive costs.

    Deletions are ignored, and a literal costs as much as the cheapest operator that makes it true:
    one action more than what its conditions cost together (Keyder & Geffner 2008). Clauses and
    choices are nodes like literals, and each of their options an operator without costs that makes
    the node true; so the condition of an operator is a list of nodes, and it is counted down.
    """

    def __init__(self, task: GroundTask, limits: Limits) -> None:
        """Compile the actions and rules of a task to operators of the relaxation.

        Args:
            task: The task.
            limits: Limits of the search, which count the work on relaxed plans.
        """
        self._limits = limits
        # Derived atoms are taken to be false at no cost: positive literal 2n, negative 2n + 1.
        self._always = task.derived << 1
        # Nodes with smaller numbers are literals, the others are alternatives.
        self._number_of_literals = self._number_of_nodes = 2 * len(task.atoms)
        self._alternatives: dict[object, int] = {}
        # By operator: the nodes that must be true, those that it makes true, its cost, its action.
        self._preconditions: list[tuple[int, ...]] = []
        self._effects: list[tuple[int, ...]] = []
        self._costs: list[int] = []
        self._actions: list[int] = []
        for condition, effect, action in operators_of(task):
            literals = effect
            if action != _NO_ACTION:
                literals &= task.needed
            if literals:
                self._add_operator(self._nodes_of(condition), tuple(bits(literals)), action)
        goal = self._nodes_of(task.goal)  # this may add operators for alternatives
        self._goal = len(self._preconditions)
        self._add_operator(goal, ())
        # By node: the operators that need it. By operator: how many nodes it needs.
        self._operators_needing = operators_by_node(self._preconditions, self._number_of_nodes)
        self._precondition_counts = [len(preconditions) for preconditions in self._preconditions]
        # Operators without conditions are reached at once.
        self._unconditional = []
        for operator, count in enumerate(self._precondition_counts):
            if not count:
                self._unconditional.append(operator)
        self._tested = mask_of(
            n for n in range(self._number_of_literals) if self._operators_needing[n]
        )

    def _add_operator(
        self, preconditions: tuple[int, ...], effects: tuple[int, ...], action: int = _NO_ACTION
    ) -> None:
        """Add an operator that makes some nodes true once all its conditions are true."""
        self._preconditions.append(preconditions)
        self._effects.append(effects)
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
            node = self._alternatives[key] = self._number_of_nodes
            self._number_of_nodes += 1
            for option in options:
                self._add_operator(self._nodes_of(option), (node,))
        return node

    def plan(self, state: int) -> tuple[set[int], int] | None:
        """Find a relaxed plan.

        Returns:
            The indices of its actions (in ``task.actions``), and a mask of the literals that it
            makes true; None if there is none.
        """
        operators_needing = self._operators_needing
        goal = self._goal
        # A copy, as the search counts down for this state alone.
        unmet_counts = self._precondition_counts[:]
        true_nodes = list(bits((state | self._always) & self._tested))
        reached = _ReachedNodes(true_nodes, self._number_of_nodes, self._costs)
        node_costs = reached.costs
        operator_costs = reached.operator_costs
        ready: Sequence[int] = self._unconditional
        work = 0
        # The goal counts as one more operator, so the search ends as soon as none of its conditions
        # is missing.
        while True:
            reached.apply(ready, self._effects)
            if not unmet_counts[goal]:
                break
            ready = []
            if not reached.pending_costs:
                break
            cost = heappop(reached.pending_costs)
            for node in reached.pending.pop(cost):
                # A node that became cheaper later was processed in an earlier layer.
                if node_costs[node] == cost:
                    work += len(operators_needing[node])
                    for operator in operators_needing[node]:
                        unmet = unmet_counts[operator] = unmet_counts[operator] - 1
                        operator_costs[operator] += cost
                        if not unmet:
                            ready.append(operator)
        self._limits.count(work)
        self._limits.check()
        if unmet_counts[goal]:
            return None
        return self._actions_of_plan(reached.cheapest_achiever)

    def _actions_of_plan(self, cheapest_achiever: dict[int, int]) -> tuple[set[int], int]:
        """Return the relaxed plan, extracted backward from the goal.

        This is the relaxed plan of FF: it ignores that actions also make things false, and its
        length is the estimate.

        Args:
            cheapest_achiever: For each node the operator that reaches it at the lowest cost.

        Returns:
            The indices of the actions (in ``task.actions``), and a mask of the literals that the
            plan makes true.
        """
        plan_actions = set[int]()
        needed_literals = 0
        visited = set[int]()
        # Nodes without an achiever are true in the state, so they end the extraction.
        pending = list(self._preconditions[self._goal])
        while pending:
            node = pending.pop()
            if node in visited or node not in cheapest_achiever:
                continue
            visited.add(node)
            if node < self._number_of_literals:
                needed_literals |= 1 << node
            operator = cheapest_achiever[node]
            if self._actions[operator] != _NO_ACTION:
                plan_actions.add(self._actions[operator])
            pending += self._preconditions[operator]
        return plan_actions, needed_literals


class _ReachedNodes:
    """The nodes that an exploration of the relaxation has reached from one state.

    Args:
        true_nodes: The nodes that are true in the state.
        number_of_nodes: Number of all nodes.
        own_costs: The cost of each operator without its conditions.

    Attributes:
        costs: By node, the lowest cost at which it was reached so far.
        operator_costs: By operator, its cost and the costs of its conditions that were reached.
        cheapest_achiever: By node, the operator that reached it at the lowest cost.
        pending: Nodes to be processed, by their cost. Costs are sums, which may double with every
            action, so they are keys and not indices.
        pending_costs: The costs in ``pending``, as a heap.
    """

    def __init__(
        self, true_nodes: list[int], number_of_nodes: int, own_costs: Sequence[int]
    ) -> None:
        """Begin with the true nodes, which cost nothing."""
        self.costs: list[float] = [_FAR] * number_of_nodes
        for node in true_nodes:
            self.costs[node] = 0
        self.operator_costs = list(own_costs)
        self.cheapest_achiever: dict[int, int] = {}
        self.pending = {0: true_nodes}
        self.pending_costs = [0]

    def apply(self, operators: Sequence[int], effects: Sequence[tuple[int, ...]]) -> None:
        """Apply operators, and queue the nodes that they reach at a lower cost than before.

        Args:
            operators: Operators, the conditions of which were all reached.
            effects: By operator, the nodes that it makes true.
        """
        costs = self.costs
        pending = self.pending
        for operator in operators:
            cost = self.operator_costs[operator]
            for node in effects[operator]:
                if cost >= costs[node]:
                    continue
                costs[node] = cost
                self.cheapest_achiever[node] = operator
                # The heap has each cost once, however many nodes are pending at this cost.
                if cost in pending:
                    pending[cost].append(node)
                else:
                    pending[cost] = [node]
                    heappush(self.pending_costs, cost)


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
        plan_actions, _ = relaxed_plan
        plan_length = len(plan_actions)
        open_landmarks, wanted_literals = landmarks.look(state)
        helpful = {id(task.actions[action_index]) for action_index in plan_actions}
        queues.boost_preferred((plan_length, open_landmarks))
        for successor, action in space.successors(state):
            if holds(task.goal, successor):
                return space.plan_to(successor)
            limits.check()  # with many landmarks, one successor takes long
            landmarks.follow(state, successor)
            is_preferred = id(action) in helpful or bool(action.effect & wanted_literals)
            open_landmarks_after, _ = landmarks.look(successor)
            queues.put((plan_length, open_landmarks_after), successor, preferred=is_preferred)
    return None


class _Queues:
    """Four open lists: two heuristics (relaxed plans, landmarks), all states and preferred ones.

    They take turns; preferred states get more turns when a state is better than all before it
    (Richter & Helmert 2009).
    """

    def __init__(self) -> None:
        """Begin with empty queues, of which none was used."""
        # In this order: relaxed plans, landmarks; then the same two for preferred states only.
        self._heaps: list[list[tuple[int, int, int, int]]] = [[], [], [], []]
        self._turns = [0, 0, 0, 0]
        self._best_values = [_FAR, _FAR]
        self._entries = 0
        self._visited = set[int]()

    def put(self, values: tuple[int, int], state: int, *, preferred: bool) -> None:
        """Add a state under both heuristic values. Ties are broken by the other value."""
        # The count decides last: of states with equal values the older one is taken.
        self._entries += 1
        for heuristic, key in enumerate((values, values[::-1])):
            heappush(self._heaps[heuristic], (*key, self._entries, state))
            if preferred:
                heappush(self._heaps[heuristic + 2], (*key, self._entries, state))

    def boost_preferred(self, values: tuple[int, int]) -> None:
        """Give the preferred states more turns if a heuristic value is the lowest so far."""
        for heuristic, value in enumerate(values):
            if value < self._best_values[heuristic]:
                self._best_values[heuristic] = value
                self._turns[2] -= _BOOST
                self._turns[3] -= _BOOST

    def __iter__(self) -> Iterator[int]:
        """Yield the states in the queues, each once, until all queues are empty.

        The least used queue is next. A queue gets priority by having its counter lowered. States
        may be added during the iteration.
        """
        while any(self._heaps):
            nonempty = [heap_index for heap_index, heap in enumerate(self._heaps) if heap]
            heap_index = min(nonempty, key=self._turns.__getitem__)
            self._turns[heap_index] += 1
            *_, state = heappop(self._heaps[heap_index])
            if state not in self._visited:
                self._visited.add(state)
                yield state


class Novelty:
    """The literals and pairs of literals seen so far, for each class of states.

    Args:
        observed_literals: Mask of the literals that count; others are ignored.
        limits: Limits of the search, which count the memory that is used.
    """

    def __init__(self, observed_literals: int, limits: Limits) -> None:
        """Remember no state yet."""
        self._observed_literals = observed_literals
        self._limits = limits
        # By class: the literals seen, and for each literal those seen together with it.
        self._seen_literals: dict[object, int] = {}
        self._seen_pairs: dict[object, dict[int, int]] = {}

    def measure(self, state_class: object, state: int, candidates: int) -> int:
        """Return the novelty of a state, and record its literals.

        Invariant: the row of a literal has every literal that was true together with it. So a pair
        is new if one of the two is missing in the row of the other.

        Args:
            state_class: Class of the state: it is compared with states of its class only.
            state: The state.
            candidates: Literals that may be in a new pair. No pair of two others is new.

        Returns:
            1 if some literal is true for the first time, 2 if some pair is, 3 otherwise.
        """
        true_literals = state & self._observed_literals
        seen_literals = self._seen_literals.get(state_class, 0)
        self._seen_literals[state_class] = seen_literals | true_literals
        novelty = 3
        if true_literals & ~seen_literals:
            novelty = 1
        partners_of = self._seen_pairs.setdefault(state_class, {})
        self._limits.count((true_literals & candidates).bit_count())
        for literal in bits(true_literals & candidates):
            partners = partners_of.get(literal, 0)
            if not partners:
                self._limits.keep(true_literals)
            new_partners = true_literals & ~partners
            if not new_partners:
                continue
            partners_of[literal] = partners | true_literals
            # The pair may stand in the row of the other literal. After the first new pair the
            # others are only remembered.
            if novelty == 3 and any(
                not partners_of.get(i, 0) >> literal & 1 for i in bits(new_partners)
            ):
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
        _, open_before, _, state = heappop(queue)
        space.count(state)
        yield
        for successor, _ in space.successors(state):
            if holds(task.goal, successor):
                return space.plan_to(successor)
            limits.check()  # with many landmarks, one successor takes long
            landmarks.follow(state, successor)
            open_landmarks, _ = landmarks.look(successor)
            # Pairs of literals that were true before were seen, unless the class is another one.
            candidates = successor
            if open_landmarks == open_before:
                candidates = successor & ~state
            rank = novelty.measure(open_landmarks, successor, candidates)
            heappush(queue, (rank, open_landmarks, len(space), successor))
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
    # The space yields each state only once, so the queue has no duplicates.
    queue = deque([task.initial])
    while queue:
        state = queue.popleft()
        space.count(state)
        yield
        for successor, _ in space.successors(state):
            if holds(goal, successor):
                return space.plan_to(successor)
            queue.append(successor)
    return None


def search_by_cost(task: GroundTask, limits: Limits) -> Search:
    """Search for a plan of least cost: uniform-cost search (Dijkstra).

    A state is expanded only after the cheapest plan that leads to it was found.
    """
    successors = Successors(task)
    reached_by: dict[int, tuple[int, GroundAction]] = {}
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
                state, action = reached_by[state]
                plan.append(action)
            return plan[::-1]
        limits.expand(state, len(costs))
        yield
        applicable = successors.applicable(state)
        limits.count(len(applicable))
        for action in applicable:
            successor = task.successor(state, action)
            cost_after = cost + action.cost_in(state)
            if cost_after < costs.get(successor, float("inf")):
                costs[successor] = cost_after
                reached_by[successor] = (state, action)
                heappush(queue, (cost_after, len(costs), successor))
    return None
