"""Evidence for a verdict: propositions at positions, read off truth vectors.

Idea: a value is a truth vector that also knows, at every position, which other values at which
positions suffice for it there. These links lead from a verdict down to ground propositions. As
operators are defined over any algebra, evidence needs no rule for each of them: it needs one for
each operation that they are made of (conjunction, next, fixed point, ...).

Invariant: on every trajectory on which the facts have the same values, so does the verdict. Of
several facts that would do the earliest are taken, or those of the first operand; they need not be
the fewest.

Cost: every pair of a value and a position is looked at once.

Positions and facts are put in the words of the reader of a plan (:class:`StepNames`).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Union, cast

from eai.errors import LimitError, SchemaError
from eai.logic.algebra import Algebra, Counting, Timeline, lowest_bit, reverse_bits
from eai.logic.evaluation import Evaluation
from eai.logic.expansion import Binding, Expansion, bindings
from eai.logic.formula import ActionAtom, Proposition, Then, atoms
from eai.logic.numeric import NumericCondition
from eai.logic.printer import format_formula
from eai.logic.trace import Trajectory, history_of
from eai.logic.tree import TRUE, Formula, Truth
from eai.nesting import on_own_stack

Fact = Union[Proposition, NumericCondition]
"""Formulas whose truth at a position rests on nothing else."""

Facts = frozenset[tuple[Fact, int]]
"""Facts with their positions."""


@dataclass(frozen=True, slots=True)
class Blame:
    """A proposition at a position on which a verdict depends.

    Args:
        atom: The proposition.
        position: The position.
        holds: Whether it is true there.
    """

    atom: Fact
    position: int
    holds: bool


class JustifiedTruth:
    """A truth vector, and the other vectors that explain it.

    Args:
        vector: The truth; bit i is position i.
        because: Function from a position to values at positions that suffice for the value there.
        letter: The proposition whose value it is, if it is that of one.

    Attributes:
        source: The formula whose value it is; None for an intermediate value of an operator.
        binding: The objects for the free variables of the formula.
    """

    source: Formula | None = None
    binding: Binding

    def __init__(
        self,
        vector: int,
        because: Callable[[int], Iterable[tuple[JustifiedTruth, int]]],
        letter: Fact | None = None,
    ) -> None:
        """Store a truth vector with the function that explains its values."""
        self.vector = vector
        self.because = because
        self.letter = letter

    @property
    def formula(self) -> Formula:
        """The formula, its variables replaced by their objects."""
        if self.source is None:
            return Truth(self.vector != 0)
        return self.source.substitute(self.binding)

    def at(self, position: int) -> bool:
        """Return the value at a position."""
        return bool(self.vector >> position & 1)

    def facts(self, positions: Iterable[int]) -> Facts:
        """Return facts that are sufficient for the values at some positions.

        Follows the reasons of each value down to letters: "a and b" is true because of both, and
        false because of one. A value at a position is visited once, however many others rest on it.

        Args:
            positions: The positions.

        Returns:
            Propositions, each with a position at which its value counts.
        """
        pending: list[tuple[JustifiedTruth, int]] = [(self, position) for position in positions]
        visited = set(pending)
        letters: set[tuple[Fact, int]] = set()
        while pending:
            value, position = pending.pop()
            if value.letter is not None:
                letters.add((value.letter, position))
            reasons = set(value.because(position)) - visited
            visited |= reasons
            pending += reasons
        return frozenset(letters)


_Because = Iterable[tuple[JustifiedTruth, int]]


class _EvidenceAlgebra(Algebra[JustifiedTruth]):
    """An algebra of truth vectors that record what they depend on."""

    def __init__(self, length: int) -> None:
        self._length = length
        self._line = Timeline(length)
        self.true = JustifiedTruth(self._line.full, lambda _: ())
        self.false = JustifiedTruth(0, lambda _: ())

    def negation(self, value: JustifiedTruth) -> JustifiedTruth:
        """Return the negation, which rests on the same facts."""
        return JustifiedTruth(self._line.full ^ value.vector, lambda p: ((value, p),))

    def all_of(self, values: Iterable[JustifiedTruth]) -> JustifiedTruth:
        """Return the conjunction: true because of all, false because of one."""
        operands = tuple(values)
        vector = self._line.all_of(operand.vector for operand in operands)
        return JustifiedTruth(vector, lambda p: _deciding_operands(operands, p, deciding=False))

    def any_of(self, values: Iterable[JustifiedTruth]) -> JustifiedTruth:
        """Return the disjunction: true because of one, false because of all."""
        operands = tuple(values)
        vector = self._line.any_of(operand.vector for operand in operands)
        return JustifiedTruth(vector, lambda p: _deciding_operands(operands, p, deciding=True))

    def differ(self, left: JustifiedTruth, right: JustifiedTruth) -> JustifiedTruth:
        return JustifiedTruth(left.vector ^ right.vector, lambda p: ((left, p), (right, p)))

    def count(
        self, threshold: int, comparison: Counting, values: Sequence[JustifiedTruth]
    ) -> JustifiedTruth:
        """Return where the number of true values is as required.

        The reasons are only as many true values, or false ones, as decide the comparison: three
        true ones for "at least 3".

        Args:
            threshold: The number that the count is compared with.
            comparison: At least, at most or exactly that number.
            values: The values that are counted.
        """
        vector = self._line.count(threshold, comparison, [value.vector for value in values])

        def because(position: int) -> _Because:
            true_values = [value for value in values if value.at(position)]
            false_values = [value for value in values if not value.at(position)]
            deciding = _values_deciding_count(threshold, comparison, true_values, false_values)
            return [(value, position) for value in deciding]

        return JustifiedTruth(vector, because)

    def paired(
        self, values: Mapping[tuple[str, str], JustifiedTruth], pair_count: int
    ) -> JustifiedTruth:
        """Return where at least ``pair_count`` pairs of objects can be formed.

        If enough pairs exist, the reasons are all true pairs, and otherwise all false pairs. A
        smaller set would often suffice, but these are what a reader would check.
        """
        vectors = {pair: value.vector for pair, value in values.items()}
        vector = self._line.paired(vectors, pair_count)

        def because(position: int) -> _Because:
            holds = bool(vector >> position & 1)
            return [(value, position) for value in values.values() if value.at(position) is holds]

        return JustifiedTruth(vector, because)

    # Vectors have bit i for position i here; a timeline has bit 0 for the last position.

    def next(self, value: JustifiedTruth, *, weak: bool) -> JustifiedTruth:
        turned = self._line.next(self._as_timeline(value), weak=weak)
        last = self._length - 1
        vector = reverse_bits(turned, self._length)
        # At the last position nothing follows: the value there rests on no other one.
        return JustifiedTruth(vector, lambda p: ((value, p + 1),) if p < last else ())

    def previous(self, value: JustifiedTruth, *, weak: bool) -> JustifiedTruth:
        turned = self._line.previous(self._as_timeline(value), weak=weak)
        vector = reverse_bits(turned, self._length)
        return JustifiedTruth(vector, lambda p: ((value, p - 1),) if p else ())

    def lasting(self, keep: JustifiedTruth, meet: JustifiedTruth, *, weak: bool) -> JustifiedTruth:
        """Return where ``meet`` is true, or ``keep`` until ``meet`` is.

        A value is explained by the position at which ``meet`` becomes true, and by ``keep`` at the
        positions before it.

        Args:
            keep: The left operand of "until".
            meet: Its right operand.
            weak: Whether ``keep`` up to the last position is enough.
        """
        turned = self._line.lasting(self._as_timeline(keep), self._as_timeline(meet), weak=weak)
        vector = reverse_bits(turned, self._length)
        return JustifiedTruth(
            vector, lambda p: _fixed_point(keep, meet, vector, range(p, self._length))
        )

    def looking_back(
        self, keep: JustifiedTruth, meet: JustifiedTruth, *, weak: bool
    ) -> JustifiedTruth:
        """Return where ``meet`` was true, and ``keep`` at all positions since then.

        Args:
            keep: The left operand of "since".
            meet: Its right operand.
            weak: Whether ``keep`` at all positions so far is enough.
        """
        turned = self._line.looking_back(
            self._as_timeline(keep), self._as_timeline(meet), weak=weak
        )
        vector = reverse_bits(turned, self._length)
        return JustifiedTruth(vector, lambda p: _fixed_point(keep, meet, vector, range(p, -1, -1)))

    def _as_timeline(self, value: JustifiedTruth) -> int:
        """Return a vector as a timeline reads it."""
        return reverse_bits(value.vector, self._length)


def _deciding_operands(
    operands: Sequence[JustifiedTruth], position: int, *, deciding: bool
) -> _Because:
    """Return the first operand that alone decides the value, or else all operands."""
    # Any deciding operand would do; the first is the same in every run.
    for operand in operands:
        if operand.at(position) is deciding:
            return [(operand, position)]
    return [(operand, position) for operand in operands]


def _values_deciding_count(
    threshold: int,
    comparison: Counting,
    true_values: Sequence[JustifiedTruth],
    false_values: Sequence[JustifiedTruth],
) -> Sequence[JustifiedTruth]:
    """Return values that are sufficient for the truth of a count, such as "at least 3 are true".

    Args:
        threshold: The number in the count, 3 in the example.
        comparison: The words before it, "at least" in the example.
        true_values: The values that are true.
        false_values: The values that are false.
    """
    if len(true_values) > threshold and comparison == "at most":
        # There are too many: one more than the threshold is enough to show it.
        return true_values[: max(threshold, 0) + 1]
    if len(true_values) > threshold and comparison == "exactly":
        return true_values
    if len(true_values) < threshold and comparison != "at most":
        # There are too few, because of the false ones.
        return false_values
    if comparison == "at least":
        return true_values
    if comparison == "at most":
        return false_values
    return [*true_values, *false_values]


def _fixed_point(
    keep: JustifiedTruth, meet: JustifiedTruth, vector: int, positions: range
) -> _Because:
    """Yield the values that are sufficient for a fixed point at the first position.

    The fixed point is "``meet``, or ``keep`` and the same at the next of the positions".

    Args:
        keep: The condition that has to be true until ``meet`` is.
        meet: The condition that has to become true.
        vector: The truth of the fixed point.
        positions: The position, and those that the fixed point looks at after it.
    """
    holds = bool(vector >> positions[0] & 1)
    # A true fixed point ends where ``meet`` is true, and needs ``keep`` before. A false one ends
    # where ``keep`` is false, and needs that ``meet`` is false until then.
    if holds:
        ending_condition, passed_condition = meet, keep
    else:
        ending_condition, passed_condition = keep, meet
    for position in positions:
        if ending_condition.at(position) is holds:
            yield ending_condition, position
            if not holds:  # a false `keep` is the end only as nothing is met there either
                yield passed_condition, position
            return
        yield passed_condition, position


EVIDENCE_LIMIT = 200_000
"""Maximum number of subformulas and bindings that are looked at for the reasons of a verdict."""


class TruthEvidence(Expansion[JustifiedTruth]):
    """Collects the facts that verdicts on one trajectory depend on.

    Raises:
        LimitError: If a formula has too many subformulas once its quantifiers are resolved. A
            verdict does not resolve them, so there may be one without reasons.
    """

    def __init__(self, trajectory: Trajectory) -> None:
        self.trajectory = trajectory
        self.evaluation = Evaluation(trajectory)
        algebra = _EvidenceAlgebra(trajectory.length)
        self._spent = 0
        super().__init__(algebra, trajectory.objects, self._letter_of, self._spend)

    def _spend(self, count: int) -> None:
        """Count subformulas or bindings, and raise an error beyond the limit."""
        self._spent += count
        if self._spent > EVIDENCE_LIMIT:
            raise LimitError(
                f"the reasons are not worked out: with its quantifiers resolved the formula has "
                f"more than {EVIDENCE_LIMIT:,} parts"
            )

    def _letter_of(self, proposition: Fact) -> JustifiedTruth:
        """Return the truth of a ground proposition, which rests on nothing else."""
        vector = history_of(proposition, self.trajectory)
        return JustifiedTruth(vector, lambda _: (), proposition)

    def value(self, formula: Formula, binding: Binding) -> JustifiedTruth:
        """Return the truth of a formula at all positions.

        A truth without a source is labelled with the formula and the binding. Two kinds stay as
        they are: the truth of a part that was labelled before, and the constants, which all
        formulas share.
        """
        if isinstance(formula, NumericCondition):
            truth = self._truth_of_numeric(formula, binding)
        else:
            truth = super().value(formula, binding)
        if truth.source is None and not self._is_constant(truth):
            truth.source = formula
            truth.binding = binding
        return truth

    def _truth_of_numeric(self, condition: NumericCondition, binding: Binding) -> JustifiedTruth:
        """Return the truth of a numeric condition, which :class:`Expansion` cannot expand.

        The numbers are known on a trajectory, so the condition is a proposition like any other.
        """
        ground = cast("NumericCondition", condition.substitute(binding))
        return self._letter_of(ground)

    def _is_constant(self, truth: JustifiedTruth) -> bool:
        """Return whether a value is true or false whatever the trajectory is."""
        return truth is self.algebra.true or truth is self.algebra.false

    def causes(self, truth: JustifiedTruth, position: int) -> list[tuple[JustifiedTruth, int]]:
        """Return values that suffice for a value at a position, constants apart."""
        return [cause for cause in truth.because(position) if not self._is_constant(cause[0])]

    def then(self, formula: Then, binding: Binding) -> JustifiedTruth:
        """Return where a ``then`` holds on the rest of the trajectory.

        The cuts may be anywhere in the rest of the trajectory, so the verdict depends on all
        letters of the formula at all later positions.
        """
        mentioned = dict.fromkeys(self._mentioned_facts(formula, binding))
        letters = [self._letter_of(proposition) for proposition in mentioned]
        length = self.trajectory.length

        def because(position: int) -> _Because:
            return itertools.product(letters, range(position, length))

        return JustifiedTruth(self.evaluation.truth(formula.substitute(binding)), because)

    @on_own_stack
    def blamed(self, formula: Formula, at: int | None) -> tuple[Blame, ...]:
        """Return the facts that a verdict depends on, in order of time.

        Args:
            formula: The formula.
            at: The position at which it was evaluated; None for a goal, which is evaluated on the
                whole trajectory.
        """
        if at is None:
            facts_of_verdict = self._facts_of_goal(formula)
        else:
            facts_of_verdict = self.value(formula, {}).facts([at])
        blames = []
        for atom, position in facts_of_verdict:
            holds = bool(history_of(atom, self.trajectory) >> position & 1)
            blames.append(Blame(atom, position, holds))
        blames.sort(key=lambda blame: (blame.position, str(blame.atom)))
        return tuple(blames)

    def _facts_of_goal(self, formula: Formula) -> Facts:
        """Return facts that are sufficient for the verdict on a goal: a condition or a chain."""
        positions = range(self.trajectory.length)
        if not formula.is_temporal:
            truth = self.value(formula, {})
            for position in positions:
                if truth.at(position):
                    return truth.facts([position])
            return truth.facts(positions)
        if isinstance(formula, Then) and not any(link.is_temporal for link in formula.links):
            return self._facts_of_links(formula)
        # Other formulas may rest on anything that they mention.
        letters = dict.fromkeys(self._mentioned_facts(formula, {}))
        return frozenset(itertools.product(letters, positions))

    def _facts_of_links(self, formula: Then) -> Facts:
        """Return facts that are sufficient for the verdict on a chain ``f then g then h``.

        If the chain holds, they are the facts that make each link true at its earliest position. If
        not, they are the facts that keep the links from being true earlier.

        Args:
            formula: The chain, all of whose links are state formulas.
        """
        # Each link takes the first position at which it is true, which leaves the next link the
        # most room: if this fails, every other way to cut the trajectory fails.
        start, end = 0, self.trajectory.length
        met_facts = unmet_facts = Facts()
        for link in formula.links:
            link_truth = self.value(link, {})
            match_position = end
            if link_truth.vector >> start:
                match_position = start + lowest_bit(link_truth.vector >> start)
            unmet_facts |= link_truth.facts(range(start, min(match_position, end)))
            if match_position >= end:
                return unmet_facts
            met_facts |= link_truth.facts([match_position])
            start = match_position + 1
        return met_facts

    def _mentioned_facts(self, formula: Formula, binding: Binding) -> Iterator[Fact]:
        """Yield every ground proposition and numeric condition of a formula, for all bindings."""
        if isinstance(formula, Proposition):
            yield self.grounded(formula, binding)
        if isinstance(formula, NumericCondition):
            ground_condition = formula.substitute(binding)
            assert isinstance(ground_condition, NumericCondition)  # noqa: S101 - a condition stays one
            yield ground_condition
        inner_bindings = [binding]
        if formula.variables:
            inner_bindings = [*bindings(formula.variables, self.objects, binding)]
        for operand, inner_binding in itertools.product(formula.operands, inner_bindings):
            yield from self._mentioned_facts(operand, inner_binding)


class StepNames:
    """Names positions by the steps of a plan (arguments as for :func:`~eai.logic.explain`)."""

    def __init__(
        self, length: int, plan: Sequence[object] = (), numbers: Sequence[int] = ()
    ) -> None:
        """Store the plan and the numbers of its steps, 1, 2, 3 by default."""
        if numbers and len(numbers) != length - 1:
            raise SchemaError(
                f"{len(numbers)} step numbers were given", expected=f"{length - 1}, one a step"
            )
        self.length = length
        self.plan = plan
        self.numbers = numbers or range(1, length)

    def when(self, position: int, formula: Formula = TRUE) -> str:
        """Return in words when a formula holds or happens.

        Args:
            position: The position; -1 if it has to be before all positions.
            formula: The formula: an action happens in a step, a state is there after it.
        """
        if position < 0:
            return "before the start"
        if only_actions(formula):
            return f"in {self.step(position)}"
        if position == 0:
            return "at the start"
        return f"after {self.step(position - 1)}"

    def span(self, first: int, last: int, formula: Formula = TRUE) -> str:
        """Return several positions in words.

        For positions 0 to 3 that is ``from the start to after step 3``, and ``in step 1 to step 4``
        if the formula is about actions only.

        Args:
            first: The first position.
            last: The last position.
            formula: The formula that the words are about.
        """
        if first == last:
            return self.when(first, formula)
        if only_actions(formula):
            return f"in {self.step(first)} to {self.step(last)}"
        begin = "the start"
        if first > 0:
            begin = f"after {self.step(first - 1)}"
        return f"from {begin} to after {self.step(last - 1)}"

    def step(self, position: int) -> str:
        """Return the step taken from a position in words, or "" for the last position."""
        if position < len(self.numbers):
            return f"step {self.numbers[position]}"
        # The step that would come next.
        last_number = self.numbers[-1] if self.numbers else 0
        return f"step {last_number + 1}"

    def number(self, position: int) -> int | None:
        """Return the number of the step that is taken from a position; None for the last one."""
        if position >= len(self.numbers):
            return None
        return self.numbers[position]

    def action(self, position: int) -> str:
        """Return the action that is taken from a position; empty if the plan is not known."""
        if position >= len(self.plan):
            return ""
        return str(self.plan[position])

    def label(self, position: int) -> str:
        """Return the number of the step that led to a position; 0 for the first one."""
        if position == 0:
            return "0"
        return str(self.numbers[position - 1])


def quoted(formula: Formula) -> str:
    """Return the formula in quotes for a sentence, as a tree if it cannot be written as text."""
    if isinstance(formula, Then) and not formula.operands:
        return "a 'then' without parts"
    try:
        return f"'{format_formula(formula)}'"
    except SchemaError:
        return f"'{formula!r}'"


def only_actions(formula: Formula) -> bool:
    """Return whether the formula speaks of actions only, and so happens rather than holds."""
    propositions = list(atoms(formula))
    return bool(propositions) and all(isinstance(atom, ActionAtom) for atom in propositions)


def listing(items: Sequence[str]) -> str:
    """Return items as a list within a sentence, abbreviated if there are many.

    Examples:
        >>> listing(["a", "b", "c"])
        'a, b and c'
        >>> listing(["a", "b", "c", "d", "e", "f"])
        'a, b, c, d and 2 more'
    """
    shown_items = list(items)
    if len(shown_items) > 5:
        shown_items = [*items[:4], f"{len(items) - 4} more"]
    if len(shown_items) == 1:
        return shown_items[0]
    return f"{', '.join(shown_items[:-1])} and {shown_items[-1]}"


_VERBS = {
    # (whether it is an action, whether it is true)
    (True, True): "happened",
    (True, False): "did not happen",
    (False, True): "held",
    (False, False): "did not hold",
}
"""Whether letters are actions, and whether they are true, to the verb for it."""


def facts(blamed: Iterable[Blame], names: StepNames) -> list[str]:
    """Return what a verdict rests on in words, consecutive positions put together.

    ``on(cup.1)`` blamed at positions 0, 1 and 2 becomes one sentence about the span from 0 to 2.
    """
    positions_by_literal: dict[tuple[Formula, bool], list[int]] = {}
    for blame in sorted(blamed, key=lambda blame: blame.position):
        positions_by_literal.setdefault((blame.atom, blame.holds), []).append(blame.position)
    sentences = []
    for (atom, holds), positions in positions_by_literal.items():
        verb = _VERBS[only_actions(atom), holds]
        for first, last in _consecutive_runs(positions):
            sentences.append(f"{quoted(atom)} {verb} {names.span(first, last, atom)}")
    return sentences


def _consecutive_runs(positions: Sequence[int]) -> list[tuple[int, int]]:
    """Return (first, last) of each run of consecutive numbers in a sorted list.

    Examples:
        >>> _consecutive_runs([1, 2, 3, 7])
        [(1, 3), (7, 7)]
    """
    runs: list[tuple[int, int]] = []
    for position in positions:
        run_start, run_end = runs[-1] if runs else (position, position)
        if runs and run_end == position - 1:
            runs[-1] = run_start, position
        else:
            runs.append((position, position))
    return runs
