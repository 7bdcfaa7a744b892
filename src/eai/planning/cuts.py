"""Landmark cuts: a lower bound on the cost of a plan, and the search for cheapest plans by it.

The bound is LM-cut (Helmert & Domshlak 2009). Without deletions, every plan has an action of a
*disjunctive action landmark*. The cheapest cost in it is charged, taken off the cost of each of
its actions, and the next landmark is looked for, until what is left costs nothing. A landmark is a
cut in the graph that leads from the most expensive condition of an action to its effects: between
the facts of the state and the facts from which the goal costs nothing.

The sum never exceeds the cost of a plan, so A* finds a cheapest one. It may fall by more than an
action costs from one state to the next (it is not consistent), so states are opened again.

Cost: an evaluation takes one pass over the operators and, for each landmark, one over those whose
costs change. It is some hundred times slower than expanding a state and saves most expansions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heapify, heappop, heappush

from eai.planning.conditions import Condition, holds
from eai.planning.limits import Limits
from eai.planning.searches import operators_by_node, search_by_cost
from eai.planning.task import GroundAction, GroundTask, Plan, Search, Successors, operators_of
from eai.world.bits import bits

_FAR = float("inf")
"""Cost of what cannot be reached."""
_TRUE = 0
"""The node of what always holds; operators without conditions ask for it."""
_STATES = 20
"""States that are expanded by cost for each one by cuts."""
_SHARE = 4
"""Number of operators that take as long to examine as one instance."""


class LandmarkCuts:
    """Computes the LM-cut lower bound for the states of one task.

    Args:
        task: A task without conditional effects and derived predicates.
        limits: The limits of the search.
    """

    def __init__(self, task: GroundTask, limits: Limits) -> None:
        """Compile the actions of a task to operators on nodes."""
        self._limits = limits
        # Node 0 always holds, node 1 + n is literal n; alternatives and the goal come after these.
        self._number_of_nodes = 1 + 2 * len(task.atoms)
        self._alternatives: dict[object, int] = {}
        # By operator: the nodes that must be true, those that it makes true, and its cost.
        self._preconditions: list[tuple[int, ...]] = []
        self._effects: list[tuple[int, ...]] = []
        self._costs: list[float] = []
        for condition, effect, action in operators_of(task):
            literals = tuple(1 + literal for literal in bits(effect & task.needed))
            if literals:
                self._add_operator(self._nodes_of(condition), literals, task.actions[action].cost)
        # The goal is a node like any other, reached by an operator without cost.
        goal = self._nodes_of(task.goal)
        self._goal = self._number_of_nodes
        self._number_of_nodes += 1
        self._add_operator(goal, (self._goal,), 0.0)
        # By node: the operators that need it, and those that reach it.
        self._operators_needing = operators_by_node(self._preconditions, self._number_of_nodes)
        self._achievers = operators_by_node(self._effects, self._number_of_nodes)
        # By operator: how many nodes it needs.
        self._precondition_counts = [len(preconditions) for preconditions in self._preconditions]

    def _add_operator(
        self, preconditions: tuple[int, ...], effects: tuple[int, ...], cost: float
    ) -> None:
        """Add an operator that makes its effects true once all its preconditions are."""
        self._preconditions.append(preconditions or (_TRUE,))
        self._effects.append(effects)
        self._costs.append(cost)

    def _nodes_of(self, condition: Condition) -> tuple[int, ...]:
        """Return the nodes of a condition.

        Each literal is a node. A disjunction ``a or b`` is a node that free operators reach from
        each disjunct, so that every operator needs a conjunction of nodes.
        """
        every, clauses, choices = condition
        nodes = [1 + literal for literal in bits(every)]
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
                self._add_operator(self._nodes_of(option), (node,), 0.0)
        return node

    def bound(self, state: int) -> float:
        """Return a lower bound on the cost of a plan from a state, or infinity if there is none.

        This is LM-cut (Helmert & Domshlak 2009). A cut is a set of operators that no plan avoids:
        each plan has at least one of them. As long as the goal costs something, a cut is found, and
        the cost of its cheapest operator is added to the bound and subtracted from all of them.
        """
        graph = _JustificationGraph(
            self._preconditions,
            self._effects,
            self._operators_needing,
            self._precondition_counts,
            self._costs,
        )
        free_nodes = [_TRUE, *(1 + literal for literal in bits(state))]
        graph.explore(free_nodes, self._number_of_nodes)
        total = 0.0
        while 0 < graph.values[self._goal] < _FAR:
            zone = graph.goal_zone(self._goal, self._achievers)
            cut = graph.cut(free_nodes, zone)
            # Every plan has an action of the cut, and pays at least the cheapest one.
            charge = min(graph.costs[operator] for operator in cut)
            total += charge
            graph.reduce(cut, charge)
        self._limits.count(graph.work // _SHARE)
        self._limits.check()
        if graph.values[self._goal] == _FAR:
            return _FAR
        return total


class _JustificationGraph:
    """The cost of each node for one state (h-max), and each operator's most expensive condition.

    Args:
        preconditions: By operator, the nodes that it needs.
        effects: By operator, the nodes that it makes true.
        operators_needing: By node, the operators that need it.
        precondition_counts: By operator, the number of nodes that it needs.
        costs: By operator, its cost.

    Attributes:
        costs: The costs that are left after the charges so far.
        values: By node, its cost; infinite if it cannot be reached.
        work: Number of operators and nodes examined.
    """

    def __init__(
        self,
        preconditions: Sequence[tuple[int, ...]],
        effects: Sequence[tuple[int, ...]],
        operators_needing: Sequence[Sequence[int]],
        precondition_counts: Sequence[int],
        costs: Sequence[float],
    ) -> None:
        """Begin with all costs as they are, before any charge."""
        self._preconditions = preconditions
        self._effects = effects
        self._operators_needing = operators_needing
        self._precondition_counts = list(precondition_counts)
        self.costs = list(costs)
        self.values: list[float] = []
        # By operator, its most expensive condition (-1 while one is out of reach), and what that
        # condition costs.
        self._supporters = [-1] * len(preconditions)
        self._precondition_costs = [_FAR] * len(preconditions)
        self.work = 0

    def explore(self, free_nodes: Sequence[int], number_of_nodes: int) -> None:
        """Find the cost of every node, the cheapest first (Dijkstra).

        An operator costs as much as its most expensive condition and itself, the maximum heuristic.

        Args:
            free_nodes: The nodes that cost nothing.
            number_of_nodes: Number of nodes.
        """
        self.values = values = [_FAR] * number_of_nodes
        for node in free_nodes:
            values[node] = 0.0
        queue = [(0.0, node) for node in free_nodes]
        heapify(queue)
        unmet_counts = self._precondition_counts
        operators_needing = self._operators_needing
        supporters = self._supporters
        while queue:
            cost, node = heappop(queue)
            if cost > values[node]:
                continue  # the node was reached more cheaply since it was queued
            self.work += len(operators_needing[node])
            for operator in operators_needing[node]:
                unmet_counts[operator] -= 1
                if not unmet_counts[operator]:
                    # Nodes come by rising cost: the last one is the most expensive.
                    supporters[operator] = node
                    self._precondition_costs[operator] = cost
                    self._lower_costs(operator, cost, queue)

    def _lower_costs(
        self, operator: int, precondition_cost: float, queue: list[tuple[float, int]]
    ) -> None:
        """Lower the costs of an operator's effects, and queue those that changed.

        Args:
            operator: The operator.
            precondition_cost: The cost of its conditions.
            queue: Nodes whose cost fell, a heap by cost.
        """
        total = precondition_cost + self.costs[operator]
        values = self.values
        for node in self._effects[operator]:
            if total < values[node]:
                values[node] = total
                heappush(queue, (total, node))

    def goal_zone(self, goal: int, achievers: Sequence[Sequence[int]]) -> set[int]:
        """Return the nodes from which the goal is reached at no cost.

        The goal itself, and by steps back over operators that cost nothing the conditions that
        support them. Operators that lead from outside into this zone are a landmark: every plan has
        one of them.

        Args:
            goal: The node of the goal.
            achievers: By node: the operators that reach it.
        """
        zone = {goal}
        pending = [goal]
        while pending:
            for operator in achievers[pending.pop()]:
                supporter = self._supporters[operator]
                if self.costs[operator] == 0 and supporter >= 0 and supporter not in zone:
                    zone.add(supporter)
                    pending.append(supporter)
        self.work += len(zone)
        return zone

    def cut(self, free_nodes: Sequence[int], zone: set[int]) -> list[int]:
        """Return the operators that lead from reached nodes outside of the zone into it.

        Args:
            free_nodes: The nodes that cost nothing.
            zone: The nodes from which the goal costs nothing.
        """
        visited = set(free_nodes)
        pending = list(free_nodes)
        cut: list[int] = []
        while pending:
            node = pending.pop()
            for operator in self._operators_needing[node]:
                # Each operator is an edge from its most expensive condition only.
                if self._supporters[operator] != node:
                    continue
                effects = self._effects[operator]
                if not zone.isdisjoint(effects):
                    cut.append(operator)
                    continue
                for reached in effects:
                    if reached not in visited:
                        visited.add(reached)
                        pending.append(reached)
        self.work += len(visited)
        return cut

    def reduce(self, cut: Iterable[int], charge: float) -> None:
        """Subtract a charge from the costs of operators, and update the costs of nodes.

        Only nodes that become cheaper are visited, which costs less than exploring again.

        Args:
            cut: The operators that are charged.
            charge: The amount that is subtracted from the cost of each.
        """
        queue: list[tuple[float, int]] = []
        for operator in cut:
            self.costs[operator] -= charge
            self._lower_costs(operator, self._precondition_costs[operator], queue)
        values = self.values
        supporters = self._supporters
        precondition_costs = self._precondition_costs
        while queue:
            cost, node = heappop(queue)
            if cost > values[node]:
                continue
            self.work += len(self._operators_needing[node])
            for operator in self._operators_needing[node]:
                if supporters[operator] != node or precondition_costs[operator] <= cost:
                    continue
                # The most expensive condition became cheaper, so another may be the most
                # expensive now.
                supporter = max(self._preconditions[operator], key=values.__getitem__)
                supporters[operator] = supporter
                if values[supporter] < precondition_costs[operator]:
                    precondition_costs[operator] = values[supporter]
                    self._lower_costs(operator, values[supporter], queue)


def search_cheapest(task: GroundTask, limits: Limits) -> Search:
    """Search for a plan of least cost, by LM-cut and by uniform cost in turns.

    Cuts save nearly all states of most tasks. If the bound is weak, uniform-cost search sees so
    many more states in the same time that it ends first. A task with conditional effects,
    conditional costs or derived predicates is only searched by cost, because an action would become
    several operators, each of which is charged.
    """
    by_cost = search_by_cost(task, limits)
    has_conditions = any(action.conditional or action.conditional_costs for action in task.actions)
    if task.strata or has_conditions:
        return (yield from by_cost)
    by_cuts = _search_by_cuts(task, limits)
    # Both find a cheapest plan, so the first one that ends decides.
    while True:
        for search, turns in ((by_cuts, 1), (by_cost, _STATES)):
            for _ in range(turns):
                try:
                    next(search)
                except StopIteration as end:
                    plan: Plan | None = end.value
                    return plan
                yield


def _search_by_cuts(task: GroundTask, limits: Limits) -> Search:
    """Search by A* with the bound of landmark cuts.

    The queue is ordered by cost and bound together; of equal states the one with the smaller bound,
    and then the one that was found first, is taken.
    """
    cuts = LandmarkCuts(task, limits)
    successors = Successors(task)
    reached_by: dict[int, tuple[int, GroundAction]] = {}
    costs = {task.initial: 0.0}
    first_bound = cuts.bound(task.initial)
    bounds = {task.initial: first_bound}
    queue = [(first_bound, first_bound, 0, task.initial)]
    closed: dict[int, float] = {}
    while queue:
        estimate, _, _, state = heappop(queue)
        # The cheapest open state cannot reach the goal, so none can.
        if estimate >= _FAR:
            break
        cost = costs[state]
        # A state is opened again if it was reached more cheaply: the bound is not consistent.
        if closed.get(state, _FAR) <= cost:
            continue
        if holds(task.goal, state):
            return _plan_to(state, task.initial, reached_by)
        closed[state] = cost
        limits.expand(state, len(costs))
        yield
        for action in successors.applicable(state):
            successor = task.successor(state, action)
            cost_after = cost + action.cost
            if cost_after >= costs.get(successor, _FAR):
                continue
            costs[successor] = cost_after
            reached_by[successor] = (state, action)
            # A bound belongs to a state and not to a path, so each is computed once.
            if successor not in bounds:
                bounds[successor] = cuts.bound(successor)
            bound = bounds[successor]
            if bound < _FAR:
                heappush(queue, (cost_after + bound, bound, len(reached_by), successor))
    return None


def _plan_to(state: int, start: int, reached_by: dict[int, tuple[int, GroundAction]]) -> Plan:
    """Return the actions that lead from a start to a state.

    Args:
        state: The state.
        start: The first state.
        reached_by: Each other state on the way to the one before it, and the action between them.
    """
    plan: Plan = []
    while state != start:
        state, action = reached_by[state]
        plan.append(action)
    return plan[::-1]
