"""Why a formula holds on a trajectory, or fails, in data and in words.

Of a goal the walk goes down to the smallest part that already fails: through a conjunction to a
conjunct that never holds, or to conditions that never hold together; through ``forall`` to an
object; through ``then`` to the first link that cannot be reached. Of linear temporal logic it goes
down as long as one part at one position is to blame, and names the facts that it rests on
(:mod:`eai.logic.evidence`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from eai.errors import InputError
from eai.logic.algebra import lowest
from eai.logic.evidence import (
    Blame,
    Evidence,
    Seen,
    StepNames,
    facts,
    listing,
    only_actions,
    quoted,
)
from eai.logic.formula import Quantifier, Then, conjuncts
from eai.logic.printer import format_formula
from eai.logic.temporal import Neighbour, Sometime
from eai.logic.trace import Trajectory
from eai.logic.tree import TRUE, And, Formula, Implies, Not
from eai.nesting import on_own_stack

_Bound = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """The reason of a verdict, with the facts that it rests on.

    Args:
        holds: The verdict.
        text: One sentence.
        part: If the formula fails, the smallest part of it that fails; if it holds, the part
            that made it true. Variables that were decided are replaced by their objects.
        position: If it holds, the first position at which the part was fulfilled. If it fails,
            the position at which the part (or its first missing condition) last held.
        step: Number of the step that is taken from ``position``: the one that ended it, or, of
            an action, the one that is it.
        action: That action, if the plan was given.
        binding: Variables that were decided on the way, with their objects.
        missing: The conditions that are to blame. One or more of them never held; or, if all
            conditions of the part held at some time, those that did not hold when most did.
        link: 1-based link of a ``then`` that fails; None if it is not about a ``then``.
        reached: Positions at which the links of a ``then`` were reached, as far as they were.
        fails_at: Position at which the part is false, if it is about one position.
        others: How many more conditions fail.
        formula: What is explained.
        at: The position at which it was evaluated; None for the whole trajectory.
    """

    holds: bool
    text: str
    part: Formula
    position: int | None = None
    step: int | None = None
    action: str = ""
    binding: _Bound = ()
    missing: tuple[Formula, ...] = ()
    link: int | None = None
    reached: tuple[int, ...] = ()
    fails_at: int | None = None
    others: int = 0
    formula: Formula = TRUE
    at: int | None = None
    _evidence: Evidence | None = field(default=None, repr=False, compare=False)

    @property
    def blamed(self) -> tuple[Blame, ...]:
        """Propositions at positions that suffice for the verdict, in order of time.

        Every trajectory over the same objects and positions on which they have these values has
        the same verdict. If the formula holds, they are its witnesses. They are worked out when
        they are asked for.
        """
        return () if self._evidence is None else self._evidence.blamed(self.formula, self.at)

    def to_dict(self, *, most: int = 10_000) -> dict[str, Any]:
        """Return everything as plain data, formulas as text.

        Args:
            most: Largest number of facts that the verdict rests on.
        """
        same = ("holds", "text", "position", "step", "action", "link", "fails_at")
        blamed = [(format_formula(b.atom), b.position, b.holds) for b in self.blamed[:most]]
        return {
            **{name: getattr(self, name) for name in same},
            "formula": format_formula(self.formula),
            "part": format_formula(self.part),
            "binding": dict(self.binding),
            "missing": [format_formula(each) for each in self.missing],
            "reached": list(self.reached),
            "blamed": [dict(zip(("atom", "position", "holds"), b, strict=True)) for b in blamed],
        }


@on_own_stack
def explain(
    formula: Formula,
    trajectory: Trajectory,
    *,
    plan: Sequence[object] = (),
    numbers: Sequence[int] = (),
    at: int | None = None,
) -> Explanation:
    """Say why a formula holds on a trajectory, or why not.

    Args:
        formula: A closed formula.
        trajectory: The trajectory.
        plan: The actions of the trajectory in order; if given, sentences name them.
        numbers: The number of each action in the plan as its reader knows it, if that is not
            1, 2, 3 (because steps were left out).
        at: The position at which the formula is evaluated (-1 for a final goal). None for the
            reading that :func:`~eai.logic.evaluate` takes from the notation.

    Raises:
        UnknownNameError: If the trajectory does not know a predicate, an action or an object.
        SchemaError: If a part of the formula has no notation
            (see :func:`~eai.logic.format_formula`), or ``numbers`` has another length than the
            trajectory has actions.
        InputError: If a variable is not bound, or there is no such position.
    """
    formula.check_closed()
    names = StepNames(trajectory.length, plan, numbers)
    length = trajectory.length
    if length < 1 or (at is not None and not -length <= at < length):
        raise InputError(f"position {at or 0} is not one of the trajectory's {length}")
    reasons = _Reasons(trajectory, names)
    if at is None and formula.reading() == "ltlf":
        at = 0
    if at is not None:
        at %= length
        found = reasons.at_position(formula, at)
    elif reasons.holds(formula, 0):
        found = reasons.witness(formula, 0)
    else:
        found = reasons.reason(formula, 0)
    text = _sentence(found)
    text = f"{text[:1].upper()}{text[1:]}."
    return replace(found, text=text, formula=formula, at=at, _evidence=reasons.evidence)


def _sentence(found: Explanation) -> str:
    """The text, with how many more conditions fail."""
    if not found.others:
        return found.text
    fail = "condition fails" if found.others == 1 else "conditions fail"
    return f"{found.text}; {found.others} other {fail} too"


class _Reasons:
    """Says why formulas hold or fail on one trajectory."""

    def __init__(self, trajectory: Trajectory, names: StepNames) -> None:
        self.evidence = Evidence(trajectory)
        self.evaluation = self.evidence.evaluation
        self.end = trajectory.length
        self.names = names

    def holds(self, formula: Formula, start: int) -> bool:
        """Return whether the formula holds on the part from ``start`` to the end."""
        return bool(self.evaluation.ends(formula, start) >> self.end & 1)

    def since(self, formula: Formula, start: int) -> int:
        """Return where a state formula is true, from a position on."""
        return self.evaluation.truth(formula) >> start << start

    def parts(self, formula: Formula) -> tuple[bool, Iterable[tuple[_Bound, Formula]]]:
        """Return whether a formula needs all of its parts or only one, and the parts, if any.

        Those of a quantifier are its instances for the objects of its first variable. They are
        made one by one, because most are never looked at: the first true one is the witness, and
        a failing ``exists`` is not taken apart.
        """
        if isinstance(formula, Quantifier) and formula.variables:
            first, *rest = formula.variables
            body = formula.over(rest, formula.body) if rest else formula.body
            names = self.evaluation.positions.range(first)
            instances = ((((first.name, n),), body.substitute({first.name: n})) for n in names)
            return not formula.wants, instances
        split = formula.split(True)
        if split is None or not all(wanted for _, wanted in split.parts):
            return False, ()
        return split.every, [((), part) for part, _ in split.parts]

    def reason(self, formula: Formula, start: int) -> Explanation:
        """Say why the formula fails on the part from ``start`` to the end, if it does."""
        temporal = formula.is_temporal
        if not temporal and start >= self.end:
            text = f"the trajectory ends before {quoted(formula)} can hold"
            return Explanation(holds=False, text=text, part=formula, missing=(formula,))
        every, parts = self.parts(formula)
        if every:
            if not temporal and not formula.variables:
                parts = [((), part) for part in conjuncts(formula)]
            return self._of_all(list(parts), start)
        if isinstance(formula, Then) and formula.operands:
            return self._of_then(formula, start)
        if not temporal:
            # A state formula that is true at no position from ``start`` on
            found = self._last(formula, start)
            if isinstance(formula, Not):
                text = f"{quoted(formula.operand)} held all the time{self._later(start, formula)}"
                return replace(found, text=text)
            verb = "happened" if only_actions(formula) else "held"
            text = f"{quoted(formula)} never {verb}{self._later(start, formula)}{found.text}"
            return replace(found, text=text)
        # Other connectives above a `then`; what would mend them is not searched.
        if isinstance(formula, Not):
            text = f"{quoted(formula.operand)} holds"
        elif not formula.variables and (alternatives := list(parts)):
            first = self.reason(alternatives[0][1], start)
            text = f"no alternative holds; the first one because {_sentence(first)}"
        else:
            text = f"{quoted(formula)} is not met{self._later(start)}"
        return Explanation(holds=False, text=text, part=formula, missing=(formula,))

    def _of_all(self, parts: Sequence[tuple[_Bound, Formula]], start: int) -> Explanation:
        """Why several formulas do not all hold: one fails, or they never hold together."""
        failing = [(bound, part) for bound, part in parts if not self.holds(part, start)]
        if failing:
            (bound, first), *others = failing
            found = self.reason(first, start)
            return replace(
                found,
                binding=bound + found.binding,
                missing=found.missing + tuple(part for _, part in others),
                others=found.others + len(others),
            )
        vectors = {part: self.since(part, start) for _, part in parts}
        # What can be dropped while the rest still is never true together does not matter.
        everywhere = (1 << self.end) - (1 << start)
        for part in list(vectors):
            rest = everywhere
            for other, vector in vectors.items():
                rest &= vector if other != part else everywhere
            if not rest:
                del vectors[part]
        position = max(
            range(start, self.end), key=lambda i: (sum(v >> i & 1 for v in vectors.values()), i)
        )
        missing = [part for part, vector in vectors.items() if not vector >> position & 1]
        held = [quoted(part) for part in vectors if part not in missing]
        lost = max(missing, key=lambda part: self._before(part, position))
        found = self._last(lost, position)
        text = (
            f"{listing([quoted(part) for part in vectors])} never held together; "
            f"{self.names.when(position)} {listing(held)} held, but not "
            f"{listing([quoted(part) for part in missing])}{found.text}"
        )
        part = And(vectors)
        return replace(found, text=text, part=part, missing=tuple(missing), fails_at=position)

    def _of_then(self, formula: Then, start: int) -> Explanation:
        """The first link that cannot be reached, and how far the links before it got."""
        cuts = 1 << start
        reached: list[int] = []
        for number, link in enumerate(formula.operands, 1):
            ends = self.evaluation.link(link, cuts)
            is_last = number == len(formula.operands)
            if not (ends >> self.end & 1 if is_last else ends):
                break
            cuts = ends
            reached.append(lowest(ends) - 1)
        found = self.reason(link, lowest(cuts))
        before = ""
        if reached:
            place = self.names.when(reached[-1], formula.operands[number - 2])
            before = f", after link {number - 1} was reached {place}"
        return replace(
            found,
            text=f"link {number} of {len(formula.operands)} fails{before}: {_sentence(found)}",
            others=0,
            link=number,
            reached=tuple(reached),
        )

    def _before(self, formula: Formula, position: int) -> int:
        """The last position before the given one at which a state formula is true, or -1."""
        earlier = self.evaluation.truth(formula) & ((1 << position) - 1)
        return earlier.bit_length() - 1

    def _last(self, formula: Formula, position: int) -> Explanation:
        """Where a state formula last held before a position, and the step taken from there."""
        last = self._before(formula, position)
        found = Explanation(holds=False, text="", part=formula, missing=(formula,))
        if last < 0:
            return found
        number, action = self.names.number(last), self.names.action(last)
        step = self.names.step(last) + (f" ({action})" if action else "")
        if only_actions(formula):
            text = f"; it last happened in {step}"
        else:
            text = f"; it last held {self.names.when(last)}, until {step}"
        return replace(found, text=text, position=last, step=number, action=action)

    def _later(self, start: int, formula: Formula = TRUE) -> str:
        return f" {self.names.when(start, formula)} or later" if start else ""

    # Why a formula holds.

    def witness(self, formula: Formula, start: int) -> Explanation:
        """Say why the formula holds on the part from ``start`` to the end, if it does."""
        if not formula.is_temporal:
            return self._witness_at(formula, lowest(self.since(formula, start)))
        if isinstance(formula, Then):
            return self._witness_of_then(formula, start)
        every, parts = self.parts(formula)
        if not every and (true := next((p for p in parts if self.holds(p[1], start)), None)):
            bound, part = true
            found = self.witness(part, start)
            return replace(found, binding=bound + found.binding)
        if isinstance(formula, Not):
            text = _sentence(self.reason(formula.operand, start))
            return Explanation(holds=True, text=text, part=formula)
        if not formula.is_lasting:
            return Explanation(holds=True, text="all of it is met", part=formula)
        position = max(lowest(self.evaluation.ends(formula, start)) - 1, 0)
        text = f"all of it was met {self.names.when(position)}"
        return Explanation(holds=True, text=text, part=formula, position=position)

    def _witness_at(self, formula: Formula, position: int) -> Explanation:
        """Go down to the alternative and the objects that are true at the position."""
        every, parts = self.parts(formula)
        true = (p for p in parts if self.evaluation.truth(p[1]) >> position & 1)
        if not every and (first := next(true, None)):
            bound, part = first
            found = self._witness_at(part, position)
            return replace(found, binding=bound + found.binding)
        verb = "happened" if only_actions(formula) else "held"
        text = f"{quoted(formula)} {verb} {self.names.when(position, formula)}"
        return Explanation(holds=True, text=text, part=formula, position=position)

    def _witness_of_then(self, formula: Then, start: int) -> Explanation:
        cuts = [1 << start]
        for link in formula.operands:
            cuts.append(self.evaluation.link(link, cuts[-1]))
        if formula.is_lasting:  # every link is reached as early as it can be
            begins = map(lowest, cuts)
            links = [self.witness(*each) for each in zip(formula.operands, begins, strict=False)]
            reached = [lowest(each) - 1 for each in cuts[1:]]
            return Explanation(
                holds=True,
                text=", then ".join(link.text for link in links),
                part=formula,
                position=reached[-1],
                binding=tuple(pair for link in links for pair in link.binding),
                reached=tuple(reached),
            )
        # One cut will do; it is found backwards, from the end.
        ends = [self.end]
        for link, possible in zip(reversed(formula.operands), reversed(cuts[:-1]), strict=True):
            begin = possible
            while not self.evaluation.ends(link, lowest(begin)) >> ends[-1] & 1:
                begin &= begin - 1
            ends.append(lowest(begin))
        reached = [end - 1 for end in reversed(ends[:-1])]
        locations = ", ".join(map(self.names.when, reached)) or "before the start"
        text = f"its links hold on the parts that end {locations}"
        return Explanation(holds=True, text=text, part=formula, reached=tuple(reached))

    # Linear temporal logic: at a position.

    def at_position(self, formula: Formula, position: int) -> Explanation:
        """Say why a formula is true or false at a position."""
        seen = self.evidence.value(formula, {})
        part, place, binding, given = self._down(seen, position)
        if seen.at(position):
            rests_on = facts(self.evidence.blamed(formula, position), self.names)
            text = listing(rests_on) if rests_on else f"{quoted(formula)} holds whatever happens"
            return Explanation(
                holds=True,
                text=text,
                part=part,
                position=place,
                step=self.names.number(place),
                action=self.names.action(place),
                binding=binding,
            )
        also = "".join(f", and {fact}" for fact in facts(given, self.names)[:3])
        text = f"{self._failure(part, place)}{also}"
        found = Explanation(
            holds=False, text=text, part=part, binding=binding, missing=(part,), fails_at=place
        )
        if part.has_then or (isinstance(part, Sometime) and part.is_past):
            return found
        wanted = part.operand if isinstance(part, Sometime) else part
        last = self._last(wanted, place)
        it = "; it" if wanted is part else f"; {quoted(wanted)}"
        text += last.text.replace("; it", it, 1)
        return replace(found, text=text, position=last.position, step=last.step, action=last.action)

    def _down(self, seen: Seen, place: int) -> tuple[Formula, int, _Bound, tuple[Blame, ...]]:
        """Go down as long as a single part at a single position is the cause of the value.

        A false implication goes on with its right side, given what its left side rests on.
        """
        value = seen.at(place)
        bound: _Bound = ()
        given: tuple[Blame, ...] = ()
        while True:
            formula = seen.formula
            if isinstance(formula, Implies) and not value:
                given += self.evidence.blamed(formula.left, place)
                seen = self.evidence.value(formula.right, {})
                continue
            causes = self.evidence.causes(seen, place)
            # That nothing is so at any position is said of all of them, be it one.
            nowhere = isinstance(formula, Sometime) and not value
            cause, at = causes[0] if len(causes) == 1 else (None, place)
            if cause is None or cause.source is None or nowhere or cause.at(at) is not value:
                return formula, place, bound, given
            seen, place = cause, at
            for each in formula.variables:
                name = seen.binding.get(each.name) or self.evaluation.positions.range(each)[0]
                bound += ((each.name, name),)

    def _failure(self, part: Formula, place: int) -> str:
        names = self.names
        if isinstance(part, Neighbour):
            return f"{quoted(part)} is false {names.when(place)}, as there is no such position"
        if isinstance(part, Sometime):
            verb = "happened" if only_actions(part.operand) else "held"
            if part.is_past:
                return f"{quoted(part.operand)} never {verb} {names.when(place, part)} or before"
            return f"{quoted(part.operand)} never {verb}{self._later(place, part)}"
        if not part.operands:
            verb = "did not happen" if only_actions(part) else "is false"
            return f"{quoted(part)} {verb} {names.when(place, part)}"
        text = f"{quoted(part)} is false {names.when(place)}"
        rests_on = [] if isinstance(part, Not) else facts(self.evidence.blamed(part, place), names)
        return f"{text}: {listing(rests_on)}" if rests_on else text
