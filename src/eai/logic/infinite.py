"""Satisfiability of formulas on infinite trajectories, with a trajectory that proves it.

Evaluators of translations to temporal logic compare formulas on infinite traces, where ``G F p``
says that p is true again and again. On finite trajectories it says that p is true at the last
position: the two semantics differ, and neither follows from the other.

Idea: a *tableau* (Gerth, Peled, Vardi & Wolper 1995). A state is a set of formulas that the rest of
the trajectory has to satisfy. Each is a condition on the letter that is read now and on the rest
after it, so a state has *covers*: literals of the letter, the next state, and the untils that it
puts off. A path is a trajectory unless it puts some until off forever (a generalised Büchi
condition on transitions).

A path of this kind exists if and only if a strongly connected component can be reached in which
every until that is put off is also met. It is written down as a *lasso*: positions, and the one
that comes after the last.

Cost: exponential in the formula at worst; states and covers are counted against a limit. A cover
that asks for more than another one asks for is left out, which loses no trajectory.

Examples:
    >>> from eai.logic import parse_formula
    >>> tableau = Tableau(None, limit=100)
    >>> satisfying_lasso(tableau, tableau.meaning(parse_formula("G p()"))).letters
    (frozenset({Atom(predicate='p', terms=())}),)
    >>> satisfying_lasso(tableau, tableau.meaning(parse_formula("G p() and F not p()"))) is None
    True
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Literal, NamedTuple, Union

from eai.errors import InputError, LimitError
from eai.logic.algebra import Algebra, Bits
from eai.logic.expansion import Binding, Expansion, Objects, ranges
from eai.logic.formula import ActionAtom, Proposition, Then
from eai.logic.progression.machine import check_states
from eai.logic.tree import Formula

_COVERS_PER_STATE = 1_000
"""Maximum number of pairs of covers that are looked at, for each state that the limit allows."""

TRUE = 0
FALSE = 1

_Node = Union[
    tuple[Literal["constant"], bool],
    tuple[Literal["letter"], int, bool],
    tuple[Literal["and", "or"], frozenset[int]],
    tuple[Literal["next"], int],
    tuple[Literal["until", "release"], int, int],
]
"""A formula in negation normal form; operands are numbers of nodes."""

_DUAL: Mapping[str, Literal["and", "or", "until", "release"]] = {
    "and": "or",
    "or": "and",
    "until": "release",
    "release": "until",
}
"""Kind of a node to the kind of its negation."""


class Lasso(NamedTuple):
    """An infinite trajectory that repeats itself.

    Args:
        letters: The true propositions at each position.
        loop: The position that comes after the last one.
    """

    letters: tuple[frozenset[Proposition], ...]
    loop: int


class _Cover(NamedTuple):
    """One way to satisfy formulas: literals that hold now, and formulas that hold next.

    Args:
        true: The letters that are true now.
        false: The letters that are false now.
        after: The formulas that the rest after this position has to satisfy: the next state.
        put_off: The untils that are not met now.
    """

    true: int = 0
    false: int = 0
    after: int = 0
    put_off: int = 0

    def join(self, other: _Cover) -> _Cover | None:
        """Return the way to satisfy both covers, or None if they contradict each other."""
        true, false = self.true | other.true, self.false | other.false
        if true & false:
            return None
        return _Cover(true, false, self.after | other.after, self.put_off | other.put_off)

    def is_within(self, other: _Cover) -> bool:
        """Return whether the other cover demands everything that this one demands."""
        return not (
            self.after & ~other.after
            or self.true & ~other.true
            or self.false & ~other.false
            or self.put_off & ~other.put_off
        )


class _FutureAlgebra(Algebra[int]):
    """An algebra for infinite trajectories that refuses past operators."""

    def previous(self, value: int, *, weak: bool) -> int:
        raise _refusal_of_past()

    def looking_back(self, keep: int, meet: int, *, weak: bool) -> int:
        raise _refusal_of_past()


def _refusal_of_past() -> InputError:
    """Return the error for a past operator."""
    return InputError(
        "operators of the past are not evaluated on infinite trajectories",
        expected="X, F, G, U, R, W, M",
        mend="compare the formulas on finite trajectories",
    )


class _NormalForms(_FutureAlgebra):
    """Hash-consed formulas in negation normal form: equal formulas have equal numbers."""

    true = TRUE
    false = FALSE

    def __init__(self) -> None:
        self.nodes: list[_Node] = []
        self._numbers: dict[_Node, int] = {}
        self._negations: dict[int, int] = {}
        self._number_of(("constant", True))
        self._number_of(("constant", False))

    def _number_of(self, node: _Node) -> int:
        """Return the number of a node, assigning the next one to a new node."""
        number = self._numbers.get(node)
        if number is None:
            number = self._numbers[node] = len(self.nodes)
            self.nodes.append(node)
        return number

    def letter(self, number: int, *, positive: bool = True) -> int:
        """Return the literal that a letter is true, or false."""
        return self._number_of(("letter", number, positive))

    def negation(self, value: int) -> int:
        negation = self._negations.get(value)
        if negation is None:
            negation = self._negations[value] = self._negate(self.nodes[value])
            # Negation is its own inverse, so that the way back is known as well.
            self._negations[negation] = value
        return negation

    def _negate(self, node: _Node) -> int:
        """Return the negation of a node in normal form: its dual with negated operands.

        The laws of De Morgan, and their like for time: not (f until g) is (not f) release (not g).
        """
        # A node is a tuple: its kind, then its operands or its value.
        if node[0] == "constant":
            return FALSE if node[1] else TRUE
        if node[0] == "letter":
            return self.letter(node[1], positive=not node[2])
        if node[0] == "next":
            return self._number_of(("next", self.negation(node[1])))
        if node[0] == "and":
            return self.any_of([self.negation(operand) for operand in node[1]])
        if node[0] == "or":
            return self.all_of([self.negation(operand) for operand in node[1]])
        left, right = self.negation(node[1]), self.negation(node[2])
        if node[0] == "until":
            return self._release(left, right)
        return self._until(left, right)

    def all_of(self, values: Iterable[int]) -> int:
        return self._flat_junction("and", values, neutral=TRUE, absorbing=FALSE)

    def any_of(self, values: Iterable[int]) -> int:
        return self._flat_junction("or", values, neutral=FALSE, absorbing=TRUE)

    def _flat_junction(
        self, kind: Literal["and", "or"], values: Iterable[int], *, neutral: int, absorbing: int
    ) -> int:
        """Return a conjunction or disjunction with nested ones of its kind flattened.

        Args:
            kind: Whether it is a conjunction or a disjunction.
            values: The operands.
            neutral: The constant that changes nothing, such as true in a conjunction.
            absorbing: The constant that decides it, such as false in a conjunction.
        """
        operands: set[int] = set()
        for value in values:
            # "a and (b and c)" is one node of three, so that equal formulas have equal numbers.
            node = self.nodes[value]
            if node[0] == kind:
                operands.update(node[1])
            else:
                operands.add(value)
        operands.discard(neutral)
        if absorbing in operands:
            return absorbing
        if not operands:
            return neutral
        if len(operands) == 1:
            return operands.pop()
        return self._number_of((kind, frozenset(operands)))

    def differ(self, left: int, right: int) -> int:
        only_left = self.all_of([left, self.negation(right)])
        only_right = self.all_of([self.negation(left), right])
        return self.any_of([only_left, only_right])

    def next(self, value: int, *, weak: bool) -> int:
        # There always is a next position, so strong and weak next are one operator.
        if value in (TRUE, FALSE):
            return value
        return self._number_of(("next", value))

    def lasting(self, keep: int, meet: int, *, weak: bool) -> int:
        if weak:
            # The greatest fixed point: ``keep`` or ``meet`` up to where ``meet`` is, or forever.
            return self._release(meet, self.any_of([keep, meet]))
        return self._until(keep, meet)

    def _until(self, keep: int, meet: int) -> int:
        """Return the number of an "until", simplified if an operand is constant."""
        # "p until true" is true, "p until false" is false, "false until q" is q.
        if meet in (TRUE, FALSE) or keep == FALSE:
            return meet
        return self._number_of(("until", keep, meet))

    def _release(self, free: int, hold: int) -> int:
        """Return the number of a "release", simplified if an operand is constant."""
        # The dual cases: "p release true" is true, "p release false" false, "true release q" is q.
        if hold in (TRUE, FALSE) or free == TRUE:
            return hold
        return self._number_of(("release", free, hold))


class Tableau(Expansion[int]):
    """Numbers formulas, and computes the covers of tableau states.

    Args:
        objects: The objects that quantifiers range over.
        limit: Maximum number of states.

    Raises:
        InputError: If the limit is not positive.
    """

    def __init__(self, objects: Objects, *, limit: int) -> None:
        """Begin with no formulas, no covers and the full budget of work."""
        if limit < 1:
            raise InputError(f"limit is {limit}", expected="a positive number of states")
        self.limit = limit
        self.normal = _NormalForms()
        self._budget = _COVERS_PER_STATE * limit
        self._numbers: dict[Proposition, int] = {}
        self._covers: dict[int, list[_Cover]] = {}
        super().__init__(self.normal, ranges(objects), self._letter, self._spend)

    def _spend(self, amount: int) -> None:
        """Count work, and raise an error beyond the limit."""
        self._budget -= amount
        if self._budget < 0:
            raise LimitError(
                f"the formulas need more work than a limit of {self.limit} states allows",
                mend="pass a larger limit",
            )

    def _letter(self, proposition: Proposition) -> int:
        """Return the node of a ground proposition; propositions are numbered as they come up."""
        return self.normal.letter(self._numbers.setdefault(proposition, len(self._numbers)))

    @property
    def propositions(self) -> tuple[Proposition, ...]:
        """The ground propositions met so far, by their numbers."""
        return tuple(self._numbers)

    def meaning(self, formula: Formula) -> int:
        """Return the number of a closed formula.

        Raises:
            InputError: If the formula is not closed, has a ``then`` or an operator of the past, or
                counts objects.
        """
        formula.check_closed()
        return self.value(formula, {})

    def then(self, formula: Then, binding: Binding) -> int:
        raise InputError(
            "'then' cuts a finite trajectory into pieces; there is none on infinite ones",
            mend="compare the formulas on finite trajectories",
        )

    def covers(self, state: int) -> list[_Cover]:
        """Return the minimal covers of a state.

        Args:
            state: The formulas that have to be satisfied, a bit for each.
        """
        covers = [_Cover()]
        for formula_number in _bits(state):
            covers = self._join_covers(covers, self._covers_of(formula_number))
        return [cover for cover in covers if self._has_one_action_at_most(cover)]

    def _covers_of(self, formula_number: int) -> list[_Cover]:
        """Return the covers of one formula, which are cached."""
        covers = self._covers.get(formula_number)
        if covers is None:
            covers = self._covers[formula_number] = self._compute_covers(formula_number)
        return covers

    def _compute_covers(self, formula_number: int) -> list[_Cover]:
        """Return the covers of one formula, computed from those of its operands.

        A cover is one way to satisfy the formula: letters that are true or false now, and formulas
        that have to hold at the next position. An ``until`` is met now, or put off to the next
        position.

        Args:
            formula_number: The number of the formula.
        """
        node = self.normal.nodes[formula_number]
        if node[0] == "constant":
            return [_Cover()] if node[1] else []
        if node[0] == "letter":
            _, letter, is_positive = node
            if is_positive:
                return [_Cover(true=1 << letter)]
            return [_Cover(false=1 << letter)]
        if node[0] == "next":
            return [_Cover(after=1 << node[1])]
        if node[0] == "and":
            covers = [_Cover()]
            for operand in sorted(node[1]):
                covers = self._join_covers(covers, self._covers_of(operand))
            return covers
        if node[0] == "or":
            alternatives: list[_Cover] = []
            for operand in sorted(node[1]):
                alternatives += self._covers_of(operand)
            return self._minimal_covers(alternatives)
        left = self._covers_of(node[1])
        right = self._covers_of(node[2])
        this_bit = 1 << formula_number
        if node[0] == "until":
            # Either the right side holds now, or it is postponed and the left side holds now.
            postponed = self._join_covers(left, [_Cover(after=this_bit, put_off=this_bit)])
            return self._minimal_covers([*right, *postponed])
        # A release: the right side holds now, and until the left side has held with it.
        return self._join_covers(right, [*left, _Cover(after=this_bit)])

    def _join_covers(self, covers: Sequence[_Cover], others: Sequence[_Cover]) -> list[_Cover]:
        """Return the joined covers of two lists, for the conjunction of two formulas.

        Every cover of one list is joined with every cover of the other. Contradictory pairs are
        dropped, and so are covers that are not minimal.
        """
        self._spend(len(covers) * len(others))
        joined = []
        for first_cover in covers:
            for other in others:
                cover = first_cover.join(other)
                if cover is not None:
                    joined.append(cover)
        return self._minimal_covers(joined)

    def _minimal_covers(self, covers: Iterable[_Cover]) -> list[_Cover]:
        """Return the covers that demand no more than another one.

        The other covers are redundant, as everything that satisfies them satisfies a smaller one.
        """
        minimal_covers: list[_Cover] = []
        for cover in dict.fromkeys(covers):
            self._spend(len(minimal_covers))
            if any(other.is_within(cover) for other in minimal_covers):
                continue
            # The new cover may in turn ask for less than some that were kept before it.
            minimal_covers = [other for other in minimal_covers if not cover.is_within(other)]
            minimal_covers.append(cover)
        return minimal_covers

    def _has_one_action_at_most(self, cover: _Cover) -> bool:
        """Return whether a cover has at most one action."""
        propositions = self.propositions
        action_count = 0
        for letter_index in _bits(cover.true):
            if isinstance(propositions[letter_index], ActionAtom):
                action_count += 1
        return action_count <= 1


def _bits(mask: int) -> Iterator[int]:
    """Yield the indices of set bits in ascending order."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


class _Edge(NamedTuple):
    """A tableau transition for the letters that match a cover."""

    source: int
    target: int
    cover: _Cover


def satisfying_lasso(tableau: Tableau, formula: int) -> Lasso | None:
    """Return an infinite trajectory on which a formula holds, or None.

    The trajectory is a lasso: a shortest path into a loop that is repeated forever.

    Args:
        tableau: The tableau that knows the formula.
        formula: The number that :meth:`Tableau.meaning` returned.

    Raises:
        InputError: If there are more states than the tableau's limit.
    """
    edges = _explore_states(tableau, formula)
    component = _fair_component(edges)
    if component is None:
        return None
    # First the path to the loop, which is empty if the loop begins at the start, state 0.
    path: list[_Edge] = []
    if 0 not in component:
        path = _shortest_path(edges, 0, lambda edge: edge.target in component)
    entry = path[-1].target if path else 0
    propositions = tableau.propositions
    letters = []
    for edge in (*path, *_fair_loop(edges, component, entry)):
        true_propositions = [propositions[letter_index] for letter_index in _bits(edge.cover.true)]
        letters.append(frozenset(true_propositions))
    return Lasso(tuple(letters), len(path))


def _explore_states(tableau: Tableau, formula: int) -> list[list[_Edge]]:
    """Return the edges of all reachable states, by the number of their source.

    States are numbered in the order in which breadth-first search meets them, from 0.
    """
    state_numbers = {1 << formula: 0}
    queue = list(state_numbers)
    edges = []
    for source, state in enumerate(queue):  # it grows meanwhile
        outgoing = []
        for cover in tableau.covers(state):
            if cover.after not in state_numbers:
                check_states(len(state_numbers), tableau.limit)
                state_numbers[cover.after] = len(state_numbers)
                queue.append(cover.after)
            outgoing.append(_Edge(source, state_numbers[cover.after], cover))
        edges.append(outgoing)
    return edges


def _fair_component(edges: Sequence[Sequence[_Edge]]) -> set[int] | None:
    """Return the nearest strongly connected component that fulfils every "until" it postpones.

    The formula is satisfiable if and only if there is such a component: a run can stay in it
    forever, and each "until" is met again and again.

    Args:
        edges: The edges of all states, by the number of their source.

    Returns:
        The numbers of its states; None if there is none.
    """
    import networkx as nx

    graph = nx.DiGraph()
    for outgoing in edges:
        graph.add_edges_from((edge.source, edge.target) for edge in outgoing)
    fair_components = []
    for component in nx.strongly_connected_components(graph):
        inner_edges = _edges_inside(edges, component)
        # An until is never met if all edges postpone it.
        always_postponed = -1  # every bit is set
        for edge in inner_edges:
            always_postponed &= edge.cover.put_off
        if not always_postponed:
            fair_components.append(component)
    # States are numbered by their distance from the start.
    return min(fair_components, key=min, default=None)


def _edges_inside(edges: Sequence[Sequence[_Edge]], component: set[int]) -> list[_Edge]:
    """Return the edges whose ends are both in a component."""
    inside: list[_Edge] = []
    for source in sorted(component):
        inside += [edge for edge in edges[source] if edge.target in component]
    return inside


def _fair_loop(edges: Sequence[Sequence[_Edge]], component: set[int], entry: int) -> list[_Edge]:
    """Return a cycle through a state of a fair component that fulfils every "until".

    For each "until" that some edge postpones, the path goes through an edge that does not postpone
    it. The path back to the entry closes the cycle.

    Args:
        edges: The edges of all states, by the number of their source.
        component: The states of the component.
        entry: The state at which the path begins and ends.
    """
    inner_edges: list[list[_Edge]] = [[] for _ in edges]
    postponed_untils = 0
    for edge in _edges_inside(edges, component):
        inner_edges[edge.source].append(edge)
        postponed_untils |= edge.cover.put_off
    loop: list[_Edge] = []
    state = entry  # the end of the path so far
    for until in _bits(postponed_untils):
        meets_until = partial(_fulfils_until, until)
        if not any(map(meets_until, loop)):
            loop += _shortest_path(inner_edges, state, meets_until)
            state = loop[-1].target
    if state != entry or not loop:
        loop += _shortest_path(inner_edges, state, lambda edge: edge.target == entry)
    return loop


def _fulfils_until(until: int, edge: _Edge) -> bool:
    """Return whether a path fulfils an "until" by taking an edge, instead of postponing it."""
    return not edge.cover.put_off >> until & 1


def _shortest_path(
    edges: Sequence[Sequence[_Edge]], start: int, is_last: Callable[[_Edge], bool]
) -> list[_Edge]:
    """Return a shortest path from a state to an accepted edge, which must exist.

    Args:
        edges: The edges of all states, by the number of their source.
        start: The state.
        is_last: Tells whether an edge is a wanted one.
    """
    # Breadth first; "edge_to" has for each state the edge by which it was reached first.
    edge_to: dict[int, _Edge] = {}
    queue = deque([start])
    while queue:
        source = queue.popleft()
        for edge in edges[source]:
            if is_last(edge):
                path = [edge]
                while path[-1].source != start:
                    path.append(edge_to[path[-1].source])
                path.reverse()
                return path
            # The start has no edge, which is where the way back ends.
            if edge.target != start and edge.target not in edge_to:
                edge_to[edge.target] = edge
                queue.append(edge.target)
    raise AssertionError("a component is strongly connected")


class Cycle(_FutureAlgebra, Bits):
    """An algebra of truth vectors over the positions of a lasso.

    Args:
        size: Number of positions.
        loop: The position that comes after the last one.
    """

    def __init__(self, size: int, loop: int) -> None:
        self.size = size
        self.loop = loop
        super().__init__((1 << size) - 1)

    def next(self, value: int, *, weak: bool) -> int:
        # All positions move down by one; the last one takes the value at the start of the loop.
        return value >> 1 | (value >> self.loop & 1) << self.size - 1

    def lasting(self, keep: int, meet: int, *, weak: bool) -> int:
        """Return where ``meet`` is true, or ``keep`` is and the same holds at the next position.

        Args:
            keep: Positions of the left operand of ``until``, as a mask.
            meet: Positions of its right operand, as a mask.
            weak: Whether ``keep`` for ever is enough.
        """
        # The greatest fixed point begins with all positions, the least with none. It is reached
        # after at most one step a position.
        value = self.full if weak else 0
        while True:
            next_value = meet | keep & self.next(value, weak=weak)
            if next_value == value:
                return value
            value = next_value


def holds_on(lasso: Lasso, formula: Formula, objects: Objects = None) -> bool:
    """Return whether a formula holds at the first position of an infinite trajectory.

    Args:
        lasso: The trajectory.
        formula: A closed formula without ``then`` and operators of the past.
        objects: The objects that quantifiers range over.
    """

    def positions_of(proposition: Proposition) -> int:
        """Return where a proposition is true, as a mask of positions."""
        position_mask = 0
        for position, true_propositions in enumerate(lasso.letters):
            position_mask |= (proposition in true_propositions) << position
        return position_mask

    cycle = Cycle(len(lasso.letters), lasso.loop)
    values = Expansion(cycle, ranges(objects), positions_of, lambda _: None)
    return bool(values.value(formula, {}) & 1)
