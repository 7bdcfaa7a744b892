"""Evidence for a verdict: propositions at positions, read off truth vectors.

Values are truth vectors that know, at every position, which facts suffice for what they say
there. As operators are defined over any algebra, evidence needs no rule for each of them: it
needs one for each thing that they are made of. Of several facts that would do the earliest are
taken, or those of the first operand; they need not be the fewest.

Positions and facts of a trajectory in the words of the reader of a plan.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from eai.errors import SchemaError
from eai.logic.algebra import Algebra, Counting, Timeline, lowest, mirror
from eai.logic.evaluation import Evaluation
from eai.logic.expansion import Binding, Expansion, bindings
from eai.logic.formula import ActionAtom, Proposition, Then, atoms
from eai.logic.printer import format_formula
from eai.logic.trace import Trajectory, history_of
from eai.logic.tree import TRUE, Formula, Truth
from eai.nesting import on_own_stack

Facts = frozenset[tuple[Proposition, int]]
"""Propositions with their positions."""


@dataclass(frozen=True, slots=True)
class Blame:
    """A proposition at a position that a verdict rests on."""

    atom: Proposition
    position: int
    holds: bool


class Seen:
    """Truth at positions (bit i is position i), and what it rests on.

    ``because`` leads from a position to other values at positions that suffice for the value there.
    A value of a proposition knows this ``letter``; one of a formula this ``source`` and the objects
    for its free variables; any other is only a part of what an operator means.
    """

    source: Formula | None = None
    binding: Binding

    def __init__(
        self,
        vector: int,
        because: Callable[[int], Iterable[tuple[Seen, int]]],
        letter: Proposition | None = None,
    ) -> None:
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
        """Return facts that suffice for the values at some positions."""
        pending: list[tuple[Seen, int]] = [(self, position) for position in positions]
        met = set(pending)
        found: set[tuple[Proposition, int]] = set()
        while pending:
            seen, position = pending.pop()
            if seen.letter is not None:
                found.add((seen.letter, position))
            fresh = set(seen.because(position)) - met
            met |= fresh
            pending += fresh
        return frozenset(found)


_Because = Iterable[tuple[Seen, int]]


class _SeenAlgebra(Algebra[Seen]):
    """Truth vectors that know what they rest on."""

    def __init__(self, length: int) -> None:
        self._length = length
        self._line = Timeline(length)
        self.true = Seen(self._line.full, lambda _: ())
        self.false = Seen(0, lambda _: ())

    def negation(self, value: Seen) -> Seen:
        """The same facts."""
        return Seen(self._line.full ^ value.vector, lambda p: ((value, p),))

    def all_of(self, values: Iterable[Seen]) -> Seen:
        """True because of all, false because of one."""
        parts = tuple(values)
        vector = self._line.all_of(part.vector for part in parts)
        return Seen(vector, lambda p: _one_or_all(parts, p, one=False))

    def any_of(self, values: Iterable[Seen]) -> Seen:
        """True because of one, false because of all."""
        parts = tuple(values)
        vector = self._line.any_of(part.vector for part in parts)
        return Seen(vector, lambda p: _one_or_all(parts, p, one=True))

    def differ(self, left: Seen, right: Seen) -> Seen:
        return Seen(left.vector ^ right.vector, lambda p: ((left, p), (right, p)))

    def count(self, number: int, comparison: Counting, values: Sequence[Seen]) -> Seen:
        """Because of enough true ones, or enough false ones, or all."""
        vector = self._line.count(number, comparison, [value.vector for value in values])

        def because(position: int) -> _Because:
            true = [value for value in values if value.at(position)]
            false = [value for value in values if not value.at(position)]
            if len(true) > number and comparison != "at least":
                some = true[: max(number, 0) + 1] if comparison == "at most" else true
            elif len(true) < number and comparison != "at most":
                some = false
            else:
                some = {"at least": true, "at most": false, "exactly": true + false}[comparison]
            return [(value, position) for value in some]

        return Seen(vector, because)

    def paired(self, values: Mapping[tuple[str, str], Seen], number: int) -> Seen:
        """Because of all true pairs, or all false ones."""
        vectors = {pair: value.vector for pair, value in values.items()}
        vector = self._line.paired(vectors, number)

        def because(position: int) -> _Because:
            holds = bool(vector >> position & 1)
            return [(v, position) for v in values.values() if v.at(position) is holds]

        return Seen(vector, because)

    # Vectors are the right way round here, and the line reads them in reverse.

    def next(self, value: Seen, *, weak: bool) -> Seen:
        turned = self._line.next(self._turned(value), weak=weak)
        last = self._length - 1
        vector = mirror(turned, self._length)
        return Seen(vector, lambda p: ((value, p + 1),) if p < last else ())

    def previous(self, value: Seen, *, weak: bool) -> Seen:
        turned = self._line.previous(self._turned(value), weak=weak)
        vector = mirror(turned, self._length)
        return Seen(vector, lambda p: ((value, p - 1),) if p else ())

    def lasting(self, keep: Seen, meet: Seen, *, weak: bool) -> Seen:
        """Because of what is met and was kept until then, or the other way round."""
        turned = self._line.lasting(self._turned(keep), self._turned(meet), weak=weak)
        vector = mirror(turned, self._length)
        return Seen(vector, lambda p: _fixed_point(keep, meet, vector, range(p, self._length)))

    def looking_back(self, keep: Seen, meet: Seen, *, weak: bool) -> Seen:
        turned = self._line.looking_back(self._turned(keep), self._turned(meet), weak=weak)
        vector = mirror(turned, self._length)
        return Seen(vector, lambda p: _fixed_point(keep, meet, vector, range(p, -1, -1)))

    def _turned(self, value: Seen) -> int:
        return mirror(value.vector, self._length)


def _one_or_all(parts: Sequence[Seen], position: int, *, one: bool) -> _Because:
    for part in parts:
        if part.at(position) is one:
            return [(part, position)]
    return [(part, position) for part in parts]


def _fixed_point(keep: Seen, meet: Seen, vector: int, way: range) -> _Because:
    holds = bool(vector >> way[0] & 1)
    # What is looked for on the way ends it; what is passed has to be as it is until then.
    ends, passed = (meet, keep) if holds else (keep, meet)
    for position in way:
        if ends.at(position) is holds:
            yield ends, position
            if not holds:  # a false `keep` ends the way only as nothing is met there either
                yield passed, position
            return
        yield passed, position


class Evidence(Expansion[Seen]):
    """The evidence for formulas on one trajectory."""

    def __init__(self, trajectory: Trajectory) -> None:
        self.trajectory = trajectory
        self.evaluation = Evaluation(trajectory)
        algebra = _SeenAlgebra(trajectory.length)
        super().__init__(algebra, trajectory.objects, self._letter_of, lambda _count: None)

    def _letter_of(self, proposition: Proposition) -> Seen:
        vector = history_of(proposition, self.trajectory)
        return Seen(vector, lambda _: (), proposition)

    def value(self, formula: Formula, binding: Binding) -> Seen:
        """Return the truth of a formula, which knows whose truth it is."""
        seen = super().value(formula, binding)
        if seen.source is None and not self._is_constant(seen):
            seen.source, seen.binding = formula, binding
        return seen

    def _is_constant(self, seen: Seen) -> bool:
        return seen is self.algebra.true or seen is self.algebra.false

    def causes(self, seen: Seen, position: int) -> list[tuple[Seen, int]]:
        """Return what suffices for a value at a position, constants apart."""
        return [each for each in seen.because(position) if not self._is_constant(each[0])]

    def then(self, formula: Then, binding: Binding) -> Seen:
        """On the rest from a position; it rests on anything that it mentions."""
        letters = [
            self._letter_of(each) for each in dict.fromkeys(self._mentioned(formula, binding))
        ]
        locations = range(self.trajectory.length)
        return Seen(
            self.evaluation.truth(formula.substitute(binding)),
            lambda p: [(letter, place) for letter in letters for place in locations[p:]],
        )

    @on_own_stack
    def blamed(self, formula: Formula, at: int | None) -> tuple[Blame, ...]:
        """Return the facts that a verdict rests on, in order of time."""
        if at is None:
            found = self.of_part(formula, 0, self.trajectory.length)
        else:
            found = self.value(formula, {}).facts([at])
        blames = [Blame(a, p, bool(history_of(a, self.trajectory) >> p & 1)) for a, p in found]
        return tuple(sorted(blames, key=lambda blame: (blame.position, str(blame.atom))))

    def of_part(self, formula: Formula, start: int, end: int) -> Facts:
        """Return facts that suffice for the verdict on a part, which goes by its positions."""
        locations = range(start, end)
        if not formula.is_temporal:
            seen = self.value(formula, {})
            first = next((p for p in locations if seen.at(p)), None)
            return seen.facts(locations if first is None else [first])
        if not formula.has_then and end == self.trajectory.length and start == 0:
            return self.value(formula, {}).facts([0])
        if isinstance(formula, Then) and not any(link.is_temporal for link in formula.links):
            # each link at its earliest match; if one has none, what kept the links so late
            met = unmet = Facts()
            for link in formula.links:
                seen = self.value(link, {})
                place = start + lowest(seen.vector >> start) if seen.vector >> start else end
                unmet |= seen.facts(range(start, min(place, end)))
                if place >= end:
                    return unmet
                met |= seen.facts([place])
                start = place + 1
            return met
        # Other formulas may rest on anything that they mention.
        letters = dict.fromkeys(self._mentioned(formula, {}))
        return frozenset((letter, place) for letter in letters for place in locations)

    def _mentioned(self, formula: Formula, binding: Binding) -> Iterator[Proposition]:
        """Every ground proposition of a formula."""
        if isinstance(formula, Proposition):
            yield self.grounded(formula, binding)
        inner = [binding]
        if formula.variables:
            inner = [*bindings(formula.variables, self.objects, binding)]
        for operand in formula.operands:
            for each in inner:
                yield from self._mentioned(operand, each)


class StepNames:
    """Names positions by the steps of a plan; arguments as for :func:`~eai.logic.explain`."""

    def __init__(
        self, length: int, plan: Sequence[object] = (), numbers: Sequence[int] = ()
    ) -> None:
        if numbers and len(numbers) != length - 1:
            raise SchemaError(
                f"{len(numbers)} step numbers were given", expected=f"{length - 1}, one a step"
            )
        self.length = length
        self.plan = plan
        self.numbers = numbers or range(1, length)

    def when(self, position: int, formula: Formula = TRUE) -> str:
        """Return in words when something is so; where no position at all fulfils it: -1."""
        if position < 0:
            return "before the start"
        if only_actions(formula):
            return f"in {self.step(position)}"
        return f"after {self.step(position - 1)}" if position > 0 else "at the start"

    def span(self, first: int, last: int, formula: Formula = TRUE) -> str:
        """Return several positions in words."""
        if first == last:
            return self.when(first, formula)
        if only_actions(formula):
            return f"in {self.step(first)} to {self.step(last)}"
        begin = f"after {self.step(first - 1)}" if first else "the start"
        return f"from {begin} to after {self.step(last - 1)}"

    def step(self, position: int) -> str:
        """The step that is taken from a position, in words; the last position has none."""
        if position < len(self.numbers):
            return f"step {self.numbers[position]}"
        return f"step {self.numbers[-1] + 1 if self.numbers else 1}"

    def number(self, position: int) -> int | None:
        """The number of the step that is taken from a position; None for the last one."""
        return self.numbers[position] if position < len(self.numbers) else None

    def action(self, position: int) -> str:
        """The action that is taken from a position, if the plan is known."""
        return str(self.plan[position]) if position < len(self.plan) else ""

    def label(self, position: int) -> str:
        """The number of the step that led to a position; 0 for the first one."""
        return str(self.numbers[position - 1]) if position else "0"


def quoted(formula: Formula) -> str:
    """Return the formula's text in quotes, for a sentence; its tree if no text says it."""
    if isinstance(formula, Then) and not formula.operands:
        return "a 'then' without parts"
    try:
        return f"'{format_formula(formula)}'"
    except SchemaError:
        return f"'{formula!r}'"


def only_actions(formula: Formula) -> bool:
    """Return whether the formula speaks of actions only, and so happens rather than holds."""
    propositions = list(atoms(formula))
    return bool(propositions) and all(isinstance(each, ActionAtom) for each in propositions)


def listing(parts: Sequence[str]) -> str:
    """Return some parts of a sentence as a list; of many, the first few."""
    shown = [*parts[:4], f"{len(parts) - 4} more"] if len(parts) > 5 else list(parts)
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


_VERBS = {True: ("happened", "did not happen"), False: ("held", "did not hold")}


def facts(blamed: Iterable[Blame], names: StepNames) -> list[str]:
    """Return what a verdict rests on in words, consecutive positions put together."""
    by_atom: dict[tuple[Formula, bool], list[int]] = {}
    for blame in sorted(blamed, key=lambda blame: blame.position):
        by_atom.setdefault((blame.atom, blame.holds), []).append(blame.position)
    found = []
    for (atom, holds), positions in by_atom.items():
        verb = _VERBS[only_actions(atom)][0 if holds else 1]
        for _, group in groupby(enumerate(positions), lambda pair: pair[1] - pair[0]):
            run = [position for _, position in group]
            found.append(f"{quoted(atom)} {verb} {names.span(run[0], run[-1], atom)}")
    return found
