"""Evaluation of formulas on a trajectory.

**Goals** of the Embodied Agent Interface (sections 2.2 and C.3). A *state formula* is one without
operators of time; it is true or false at a position. On a *part* of the trajectory (some
consecutive positions, perhaps none) every formula holds or fails:

- a state formula holds if it is true at one of the positions, so never on an empty part;
- ``f then g`` holds if the part can be cut in two so that f holds on the first piece and g on
  the rest;
- ``and``, ``or``, ``not`` and other connectives and quantifiers above a ``then`` speak about the
  same part.

**Linear temporal logic** on finite traces (De Giacomo & Vardi 2013) evaluates a formula at the
first position of the whole trajectory; operators that look ahead end with the last position,
operators that look back (De Giacomo et al. 2020) with the first. Every operator but next and
previous counts the present position.

**Both in one formula**: a part is a trace of its own. A formula of linear temporal logic without
``then`` holds on a part if it is true at the part's first position, so never on an empty part.
A ``then`` below such an operator speaks, at a position, about the rest of the part from there.

A part is the positions from ``start`` up to, not including, ``end``. For one start, the ends of all
parts on which a formula holds are one integer (bit ``end``); above a ``then``, connectives and
quantifiers are operations on these. A formula is *lasting* if it cannot be lost by making the part
longer at either side (see :attr:`Formula.is_lasting`): a lasting link of a ``then`` needs to be
tried after the earliest possible cut only, and the work is linear in the links.

For other links every cut matters. On a long trajectory the automaton of such a link, if it is
small, reads the trajectory once, whatever the number of cuts (:mod:`eai.logic.links`). Otherwise
the link is looked at backwards: for one end, the beginnings of all parts on which it holds are one
integer as well. Linear temporal logic that does not look back costs one truth vector an end then,
because its truth at a position is the same for all parts that contain the position.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from eai.logic.algebra import Bits, Timeline, bits_at, lowest_bit, reverse_bits
from eai.logic.formula import Forall, ForPairs, Quantifier, Then, not_at_a_position
from eai.logic.nodes import Binding, Variable
from eai.logic.positions import Positions
from eai.logic.trace import Trajectory, TrajectoryPart
from eai.logic.tree import Formula, Reading
from eai.nesting import on_own_stack


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a formula holds on a trajectory.

    Args:
        holds: The answer; a verdict is also true or false itself.
        position: The position at which the formula was first fulfilled, if it holds and is
            lasting (the trajectory up to and including this position satisfies it); else None.
        reading: Which semantics was used: ``"eai"``, that of the Embodied Agent Interface, or
            ``"ltlf"``, linear temporal logic on finite traces at the first position.
    """

    holds: bool
    position: int | None = None
    reading: Reading = "eai"

    def __bool__(self) -> bool:
        return self.holds


def evaluate(
    formula: Formula, trajectory: Trajectory, *, reading: Reading | None = None
) -> Verdict:
    """Return whether a formula holds on a trajectory.

    Args:
        formula: A closed formula.
        trajectory: The trajectory.
        reading: ``"eai"`` for goals: without ``then``, the formula has to be true at one of the
            positions. ``"ltlf"`` for linear temporal logic: it has to be true at the first
            position. None takes it from the notation: ``"ltlf"`` if there are operators of
            linear temporal logic and no ``then``. The verdict says which was used.

    Raises:
        UnknownNameError: If the trajectory does not know a predicate, an action or an object.
        InputError: If a variable is not bound, the trajectory has no position, or there is no
            such reading.
    """
    return Evaluation(trajectory).verdict(formula, reading=reading)


def truth(formula: Formula, trajectory: Trajectory) -> int:
    """Return the positions at which a formula is true: bit i is position i.

    Raises:
        UnknownNameError: If the trajectory does not know a predicate, an action or an object.
        InputError: If the formula contains ``then``, or as for :func:`evaluate`.
    """
    if formula.has_then:
        raise not_at_a_position()
    return Evaluation(trajectory).truth(formula)


def final(formula: Formula, trajectory: Trajectory) -> bool:
    """Return whether a formula is true at the last position.

    Raises:
        UnknownNameError: If the trajectory does not know a predicate, an action or an object.
        InputError: If the formula contains ``then``, or as for :func:`evaluate`.
    """
    return bool(truth(formula, trajectory) >> (trajectory.length - 1) & 1)


_NOTHING: Mapping[str, str] = {}
_LTLF = tuple(Verdict(holds, reading="ltlf") for holds in (False, True))
"""Both verdicts in the reading ``"ltlf"``, by truth; most verdicts are one of these."""


class Evaluation:
    """Evaluates any number of formulas on one trajectory and remembers shared work.

    Args:
        trajectory: The trajectory; it must not change meanwhile.
    """

    def __init__(self, trajectory: Trajectory) -> None:
        self.trajectory = trajectory
        self._positions: Positions | None = None
        self._trace: Positions | None = None
        self._trace_with_then: Positions | None = None
        self._memo: dict[tuple[object, ...], int] = {}

    @property
    def positions(self) -> Positions:
        """The truth of state formulas at positions."""
        if self._positions is None:
            self._positions = Positions(self.trajectory)
        return self._positions

    @on_own_stack
    def verdict(self, formula: Formula, *, reading: Reading | None = None) -> Verdict:
        """Return whether a formula holds on the whole trajectory.

        Args:
            formula: A closed formula.
            reading: Which semantics to use; None takes it from the notation.

        Raises:
            InputError: If there is no such reading.
        """
        formula.check_closed()
        length = self.trajectory.length
        if formula.reading(reading) == "ltlf":
            if formula.has_then:
                return _LTLF[self._holds_at_start(formula, 0, length, Binding())]
            if self._trace is None:
                self._trace = Positions(self.trajectory, timeline=Timeline(length))
            return _LTLF[self._trace.truth(formula, Binding()) >> length - 1]
        if not formula.has_then and formula.has_linear:
            return Verdict(self.truth(formula) != 0)
        # By the semantics of EAI: a part that satisfies the formula has to end with the trajectory.
        ends = self._ends_of_parts(formula, 0, Binding())
        holds = bool(ends >> length & 1)
        if not (holds and formula.is_lasting):
            return Verdict(holds)
        return Verdict(holds, max(lowest_bit(ends) - 1, 0))

    @on_own_stack
    def truth(self, formula: Formula, binding: Mapping[str, str] = _NOTHING) -> int:
        """Return the positions at which a formula is true: bit i is position i.

        Args:
            formula: Any formula. A ``then`` is true at a position if it holds on the part
                from there to the end.
            binding: Objects for its free variables.
        """
        formula.check_closed(binding)
        bound = Binding(binding)
        if not formula.is_temporal:
            return self.positions.truth(formula, bound)
        length = self.trajectory.length
        return reverse_bits(self._truth_on_part(0, length).truth(formula, bound), length)

    @on_own_stack
    def ends(self, formula: Formula, start: int) -> int:
        """Return where the parts that begin at ``start`` and satisfy a closed formula may end.

        Args:
            formula: The formula.
            start: First position of the parts, 0 up to and including the trajectory's length.

        Returns:
            Bit ``end`` is set if the formula holds on the positions ``start`` <= i < ``end``.
        """
        formula.check_closed()
        return self._ends_of_parts(formula, start, Binding())

    @on_own_stack
    def link(self, operand: Formula, cuts: int, binding: Binding | None = None) -> int:
        """Return where one operand of a ``then`` may end, given where it may begin.

        Args:
            operand: The link.
            cuts: Bit k is set if the link may begin at position k.
            binding: Objects for its free variables.
        """
        return self._ends_of_link(operand, cuts, Binding() if binding is None else binding)

    def _ends_of_link(self, operand: Formula, cuts: int, binding: Binding) -> int:
        """Return where one operand of a ``then`` may end, given where it may begin.

        A lasting operand stays true on longer parts. Then the earliest cut has all the ends that
        later cuts have, and the others need not be examined.

        Args:
            operand: The operand.
            cuts: Bit k is set if the operand may begin at position k.
            binding: Objects for its free variables.
        """
        if not cuts:
            return 0
        if operand.is_lasting:  # only the earliest cut matters
            return self._ends_of_parts(operand, lowest_bit(cuts), binding)
        key = ("link", cuts, *operand.under(binding))
        ends = self._memo.get(key)
        if ends is None:
            ends = self._memo[key] = self._ends_of_losable_link(operand, cuts, binding)
        return ends

    def _ends_of_losable_link(self, operand: Formula, cuts: int, binding: Binding) -> int:
        """Return where an operand of a ``then`` may end if its truth can be lost on longer parts.

        Each cut may lead to other ends, so all cuts are examined. The cheapest method that applies
        is used: link by link for a chain; from a single cut; one pass of an automaton for all cuts;
        or each end for itself.

        Args:
            operand: The link.
            cuts: Bit k is set if the link may begin at position k.
            binding: Objects for its free variables.

        Returns:
            A mask of ends: bit k is set if the link can end before position k.
        """
        if isinstance(operand, Then):
            for link in operand.operands:
                cuts = self._ends_of_link(link, cuts, binding)
            return cuts
        has_single_cut = cuts & (cuts - 1) == 0  # only one bit is set
        if has_single_cut and not _is_trace_formula(operand):
            return self._ends_of_parts(operand, lowest_bit(cuts), binding)
        length = self.trajectory.length
        if length >= _MIN_LENGTH_FOR_AUTOMATON:
            from eai.logic.links import automaton_of_link  # not loaded for state formulas

            machine = automaton_of_link(operand)
            if machine is not None:
                vectors = [self._truth_at_positions(leaf, binding) for leaf in machine.leaves]
                return machine.ends(vectors, cuts, length)
        return self._ends_one_by_one(operand, cuts, binding)

    def _ends_one_by_one(self, operand: Formula, cuts: int, binding: Binding) -> int:
        """Return where an operand may end, by testing every end after the first cut.

        Args:
            operand: The link.
            cuts: Bit k is set if the link may begin at position k; at least one is.
            binding: Objects for its free variables.
        """
        length = self.trajectory.length
        # Its truth at a position may depend on where the part begins: then each cut is tried.
        depends_on_begin = operand.looks_back and _is_trace_formula(operand)
        begins = reverse_bits(cuts, length + 1)
        possible_ends = []
        for end in range(lowest_bit(cuts), length + 1):
            if depends_on_begin:
                can_end = self._holds_on_some_trace(operand, cuts, end, binding)
            else:
                can_end = bool(self._begins_of_parts(operand, end, binding) & begins)
            if can_end:
                possible_ends.append(end)
        return bits_at(possible_ends, length + 1)

    def _truth_at_positions(self, formula: Formula, binding: Binding) -> int:
        """Return the positions at which a state formula is true: bit i is position i."""
        key = ("where", *formula.under(binding))
        truth = self._memo.get(key)
        if truth is None:
            truth = self._memo[key] = self.positions.truth(formula, binding)
        return truth

    # Forwards: where the parts end that begin at a position. Bit ``end`` is an end.

    def _ends_of_parts(self, formula: Formula, start: int, binding: Binding) -> int:
        """Return where the parts that begin at a position and satisfy a formula may end.

        Args:
            formula: The formula.
            start: The first position of the parts.
            binding: Objects for its free variables.

        Returns:
            A mask: bit ``end`` is set for the part of the positions from ``start`` up to, not
            including, ``end``.
        """
        if not formula.is_temporal:
            # It holds on a part from the first position on at which it is true.
            true_positions = self._truth_at_positions(formula, binding) >> start
            if not true_positions:
                return 0
            return self._ends_from(start + lowest_bit(true_positions) + 1)
        key = ("ends", start, *formula.under(binding))
        cached = self._memo.get(key)
        if cached is not None:
            return cached
        if isinstance(formula, Then):
            # The ends of one link are the cuts at which the next one begins.
            ends = 1 << start
            for operand in formula.operands:
                ends = self._ends_of_link(operand, ends, binding)
        elif _is_trace_formula(formula):
            ends = self._ends_of_link(formula, 1 << start, binding)
        elif formula.variables:

            def ends_of(body: Formula, inner_binding: Binding) -> int:
                """Return where the body can end."""
                return self._ends_of_parts(body, start, inner_binding)

            ends = self._quantify_over_cuts(
                formula, binding, ends_of, all_cuts=self._ends_from(start)
            )
        else:
            # Both sides of a connective above a "then" are evaluated on the same part.
            operands = []
            for operand in formula.operands:
                operands.append(self._ends_of_parts(operand, start, binding))
            ends = formula.combine(Bits(self._ends_from(start)), operands)
        self._memo[key] = ends
        return ends

    def _ends_from(self, end: int) -> int:
        """Return the mask of all ends that are not before ``end``."""
        return (2 << self.trajectory.length) - (1 << end)

    # Backwards: where the parts begin that end at a position. Bit ``length - start`` is a
    # beginning, so that time runs from high bits to low ones, as in truth vectors.

    def _begins_of_parts(self, formula: Formula, end: int, binding: Binding) -> int:
        """Return where the parts that end at a position and satisfy a formula may begin.

        Args:
            formula: The formula.
            end: The first position behind the parts.
            binding: Objects for its free variables.

        Returns:
            A mask: bit ``length - start`` is set for the part that begins at ``start``.
        """
        length = self.trajectory.length
        if not formula.is_temporal:
            # The part has to include a true position, so it begins at the last one or before.
            true_positions = self._truth_at_positions(formula, binding) & (1 << end) - 1
            return self._begins_up_to(true_positions.bit_length() - 1)
        if isinstance(formula, Then):
            # The beginnings of one link are the ends of the link before it.
            begins = 1 << length - end
            for link in reversed(formula.operands):
                begins = self._begins_before(link, begins, binding)
            return begins
        if _is_trace_formula(formula):
            return self._begins_of_traces(formula, end, binding) << length - end + 1
        if formula.variables:

            def begins_of(body: Formula, inner_binding: Binding) -> int:
                """Return where the body can begin."""
                return self._begins_of_parts(body, end, inner_binding)

            return self._quantify_over_cuts(
                formula, binding, begins_of, all_cuts=self._begins_up_to(end)
            )
        # All operands of a connective above a "then" are evaluated on the same part.
        operands = []
        for operand in formula.operands:
            operands.append(self._begins_of_parts(operand, end, binding))
        return formula.combine(Bits(self._begins_up_to(end)), operands)

    def _begins_up_to(self, start: int) -> int:
        """Return the mask of all beginnings that are not after ``start``; none for -1."""
        if start < 0:
            return 0
        return (2 << start) - 1 << self.trajectory.length - start

    def _begins_before(self, link: Formula, ends: int, binding: Binding) -> int:
        """Return where one operand of a ``then`` may begin, given where it may end.

        Args:
            link: The link.
            ends: Bit ``length - k`` is set if the link may end at position k.
            binding: Objects for its free variables.
        """
        if not ends:
            return 0
        length = self.trajectory.length
        if link.is_lasting:  # only the latest end matters
            return self._begins_of_parts(link, length - lowest_bit(ends), binding)
        all_begins = 0
        while ends:
            end = length - lowest_bit(ends)
            ends &= ends - 1  # without the end that is looked at now
            key = ("begins", end, *link.under(binding))
            begins = self._memo.get(key)
            if begins is None:
                begins = self._memo[key] = self._begins_of_parts(link, end, binding)
            all_begins |= begins
        return all_begins

    # Parts as traces of their own, for linear temporal logic.

    def _begins_of_traces(self, formula: Formula, end: int, binding: Binding) -> int:
        """Return where traces that end at a position and satisfy a formula may begin.

        A formula that does not look back has the same truth at a position wherever the trace
        begins, so it is evaluated only once.

        Args:
            formula: The formula.
            end: The position after the last one of the traces.
            binding: Objects for the formula's free variables.

        Returns:
            A mask of first positions, in which bit 0 is the last position of the traces.
        """
        if not end:
            return 0
        if not formula.looks_back:
            return self._truth_on_part(0, end).truth(formula, binding)
        begins = 0
        for start in range(end):
            begins |= self._holds_at_start(formula, start, end, binding) << end - 1 - start
        return begins

    def _holds_on_some_trace(self, formula: Formula, cuts: int, end: int, binding: Binding) -> bool:
        """Return whether a formula is true at the start of some part with a given end.

        Args:
            formula: The formula.
            cuts: Bit k is set if the part may begin at position k.
            end: The position after the last one of the part.
            binding: Objects for the formula's free variables.
        """
        cuts &= (1 << end) - 1
        while cuts:
            if self._holds_at_start(formula, lowest_bit(cuts), end, binding):
                return True
            cuts &= cuts - 1
        return False

    def _holds_at_start(self, formula: Formula, start: int, end: int, binding: Binding) -> int:
        """Return 1 if a formula is true at the first position of a part, else 0."""
        return self._truth_on_part(start, end).truth(formula, binding) >> end - start - 1

    def _truth_on_part(self, start: int, end: int) -> Positions:
        """Return the truth vectors on a part, as if it was the whole trajectory.

        Args:
            start: First position of the part.
            end: The position after its last one.
        """
        is_whole = end - start == self.trajectory.length
        if is_whole and self._trace_with_then is not None:
            return self._trace_with_then

        def starts_of_suffixes(formula: Then, binding: Binding) -> int:
            """Return where a formula holds up to the end of the part."""
            # Where the parts begin that end here and satisfy the formula.
            begins = self._begins_of_parts(formula, end, binding)
            return begins >> self.trajectory.length - end + 1 & (1 << end - start) - 1

        part: Trajectory = self.trajectory
        if not is_whole:
            part = TrajectoryPart(part, start, end)
        vectors = Positions(part, timeline=Timeline(end - start), then=starts_of_suffixes)
        if is_whole:
            self._trace_with_then = vectors
        return vectors

    # Quantifiers above a ``then``.

    def _quantify_over_cuts(
        self,
        formula: Formula,
        binding: Binding,
        value_of: Callable[[Formula, Binding], int],
        *,
        all_cuts: int,
    ) -> int:
        """Return the cuts at which a quantifier above a ``then`` holds, as a mask.

        Args:
            formula: The quantifier.
            binding: The objects of the variables around it.
            value_of: Function from the body and a binding to the mask of cuts at which it holds.
            all_cuts: The mask of all cuts that come into question.
        """
        (body,) = formula.operands
        outer_binding = binding.without(variable.name for variable in formula.variables)
        if isinstance(formula, ForPairs):
            values = {}
            for pair in self.positions.pairs(formula, outer_binding):
                inner_binding = Binding(outer_binding)
                inner_binding[formula.first.name], inner_binding[formula.second.name] = pair
                values[pair] = value_of(body, inner_binding)
            first_objects = self.positions.range(formula.first)
            second_objects = self.positions.range(formula.second)
            # The result may have bits that are not cuts, which are removed.
            all_positions = Bits((2 << self.trajectory.length) - 1)
            return formula.paired(all_positions, values, (first_objects, second_objects)) & all_cuts
        deciding_value: int | None = None
        if isinstance(formula, Quantifier):
            # "exists" is decided by a body that holds at all cuts, "forall" by one at none.
            deciding_value = all_cuts if formula.wants else 0
        values_of_body = []
        for inner_binding in self._bindings(formula.variables, formula, outer_binding):
            value = value_of(body, inner_binding)
            values_of_body.append(value)
            if value == deciding_value:
                break
        return formula.combine(Bits(all_cuts), values_of_body)

    def _bindings(
        self, variables: Sequence[Variable], formula: Formula, binding: Binding
    ) -> Iterator[Binding]:
        """Yield the relevant bindings of some variables, each as a separate dictionary.

        Args:
            variables: The variables that are left to be bound.
            formula: The quantifier. For ``forall`` every object matters; for others only those with
                which the body can be true.
            binding: The objects of the variables before.
        """
        if not variables:
            yield binding
            return
        first_variable, *other_variables = variables
        object_names: Iterable[str] = self.positions.range(first_variable)
        if not isinstance(formula, Forall):
            (body,) = formula.operands
            object_names = self.positions.pool(first_variable, ((body, True),), binding)
        for object_name in object_names:
            extended_binding = Binding(binding)
            extended_binding[first_variable.name] = object_name
            yield from self._bindings(other_variables, formula, extended_binding)


def _is_trace_formula(formula: Formula) -> bool:
    """Return whether a formula holds on a part if it is true at the part's first position."""
    return formula.is_linear or not formula.has_then


_MIN_LENGTH_FOR_AUTOMATON = 60
"""From so many positions on, the automaton of a link is run, if it is small."""
