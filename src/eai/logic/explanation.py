"""Why a formula holds on a trajectory, or fails, in data and in words.

Of a goal the walk goes down to the smallest part that already fails: through a conjunction to a
conjunct that never holds, or to conditions that never hold together; through ``forall`` to an
object; through ``then`` to the first link that cannot be reached. Of linear temporal logic it goes
down as long as one part at one position is to blame, and names the facts that it rests on
(:mod:`eai.logic.evidence`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from eai.errors import InputError
from eai.logic.algebra import lowest
from eai.logic.evidence import Blame, Evidence
from eai.logic.formula import (
    TRUE,
    Always,
    And,
    Eventually,
    Exists,
    Forall,
    Formula,
    Historically,
    Implies,
    Next,
    Not,
    Once,
    Or,
    Previous,
    Then,
    WeakNext,
    WeakPrevious,
    conjuncts,
)
from eai.logic.printer import format_formula
from eai.logic.trace import Trajectory
from eai.logic.wording import StepNames, facts, listing, only_actions, quoted

__all__ = ["Explanation", "Reason", "explain"]

_Bound = tuple[tuple[str, str], ...]
_NOTHING: _Bound = ()


@dataclass(frozen=True, slots=True)
class Reason:
    """The reason of a verdict.

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
    """

    holds: bool
    text: str
    part: Formula
    position: int | None = None
    step: int | None = None
    action: str = ""
    binding: tuple[tuple[str, str], ...] = ()
    missing: tuple[Formula, ...] = ()
    link: int | None = None
    reached: tuple[int, ...] = ()
    fails_at: int | None = None
    others: int = 0

    @property
    def sentence(self) -> str:
        """The text, with how many more conditions fail."""
        if not self.others:
            return self.text
        fail = "condition fails" if self.others == 1 else "conditions fail"
        return f"{self.text}; {self.others} other {fail} too"


@dataclass(frozen=True, slots=True)
class Explanation(Reason):
    """The reason of a verdict, with the facts that it rests on.

    Args:
        formula: What is explained.
        at: The position at which it was evaluated; None for the whole trajectory.
    """

    formula: Formula = field(kw_only=True)
    at: int | None = field(default=None, kw_only=True)
    _evidence: Evidence = field(kw_only=True, repr=False, compare=False)

    @property
    def blamed(self) -> tuple[Blame, ...]:
        """Propositions at positions that suffice for the verdict, in order of time.

        Every trajectory over the same objects and positions on which they have these values has
        the same verdict. If the formula holds, they are its witnesses. They are worked out when
        they are asked for.
        """
        return self._evidence.blamed(self.formula, self.at)

    def to_dict(self, *, most: int = 10_000) -> dict[str, Any]:
        """Return everything as plain data, formulas as text.

        Args:
            most: Largest number of facts that the verdict rests on.
        """
        return {
            "holds": self.holds,
            "text": self.text,
            "formula": format_formula(self.formula),
            "part": format_formula(self.part),
            "position": self.position,
            "step": self.step,
            "action": self.action,
            "binding": dict(self.binding),
            "missing": [format_formula(each) for each in self.missing],
            "link": self.link,
            "reached": list(self.reached),
            "fails_at": self.fails_at,
            "blamed": [
                {
                    "atom": format_formula(blame.atom),
                    "position": blame.position,
                    "holds": blame.holds,
                }
                for blame in self.blamed[:most]
            ],
        }


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
    kept = {each.name: getattr(found, each.name) for each in fields(found)}
    text = found.sentence
    kept["text"] = f"{text[:1].upper()}{text[1:]}."
    return Explanation(**kept, formula=formula, at=at, _evidence=reasons.evidence)


def _instance(formula: Forall | Exists, name: str) -> Formula:
    """Return the body of a quantifier with its first variable bound to an object."""
    first, *rest = formula.variables
    body = type(formula)(tuple(rest), formula.body) if rest else formula.body
    return body.substitute({first.name: name})


class _Reasons:
    """Says why formulas fail on one trajectory.

    Args:
        trajectory: The trajectory.
        names: Names its positions.
    """

    def __init__(self, trajectory: Trajectory, names: StepNames) -> None:
        self.trajectory = trajectory
        self.evidence = Evidence(trajectory)
        self.evaluation = self.evidence.evaluation
        self.end = trajectory.length
        self.names = names

    def holds(self, formula: Formula, start: int) -> bool:
        """Whether the formula holds on the part from ``start`` to the end."""
        return bool(self.evaluation.ends(formula, start) >> self.end & 1)

    def since(self, formula: Formula, start: int) -> int:
        """Return where a state formula is true, from a position on."""
        return self.evaluation.truth(formula) >> start << start

    def reason(self, formula: Formula, start: int) -> Reason:
        """Say why the formula fails on the part from ``start`` to the end, if it does."""
        temporal = formula.is_temporal
        if not temporal and start >= self.end:
            text = f"no position is left for {quoted(formula)}"
            return Reason(holds=False, text=text, part=formula, missing=(formula,))
        if isinstance(formula, And):
            parts = formula.operands if temporal else conjuncts(formula)
            return self._of_all([(part, ()) for part in parts], start)
        if isinstance(formula, Forall) and formula.variables:
            instances = [(body, (bound,)) for bound, body in self.instances(formula)]
            return self._of_all(instances, start)
        if isinstance(formula, Then) and formula.operands:
            return self._of_then(formula, start)
        return self._temporal(formula, start) if temporal else self._never(formula, start)

    def instances(self, formula: Forall | Exists) -> list[tuple[tuple[str, str], Formula]]:
        """Return the body for every object of the first variable, with both."""
        variable = formula.variables[0]
        names = self.evaluation.positions.range(variable)
        return [((variable.name, name), _instance(formula, name)) for name in names]

    def _of_all(self, parts: Sequence[tuple[Formula, _Bound]], start: int) -> Reason:
        """Why several formulas do not all hold: one fails, or they never hold together."""
        failing = [(part, bound) for part, bound in parts if not self.holds(part, start)]
        if not failing:
            return self._never_together([part for part, _ in parts], start)
        (first, bound), *others = failing
        found = self.reason(first, start)
        return replace(
            found,
            binding=bound + found.binding,
            missing=found.missing + tuple(part for part, _ in others),
            others=found.others + len(others),
        )

    def _never_together(self, parts: Sequence[Formula], start: int) -> Reason:
        vectors = self._clashing({part: self.since(part, start) for part in parts}, start)
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
        return replace(
            found,
            text=text,
            part=And(tuple(vectors)),
            missing=tuple(missing),
            fails_at=position,
        )

    def _clashing(self, vectors: dict[Formula, int], start: int) -> dict[Formula, int]:
        """Drop what can be dropped while the rest still is never true together."""
        everywhere = (1 << self.end) - (1 << start)
        for part in list(vectors):
            rest = everywhere
            for other, vector in vectors.items():
                rest &= vector if other != part else everywhere
            if not rest:
                del vectors[part]
        return vectors

    def _of_then(self, formula: Then, start: int) -> Reason:
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
            text=f"link {number} of {len(formula.operands)} fails{before}: {found.sentence}",
            others=0,
            link=number,
            reached=tuple(reached),
        )

    def _temporal(self, formula: Formula, start: int) -> Reason:
        """Other connectives above a ``then``; what would mend them is not searched."""
        if isinstance(formula, Not):
            text = f"{quoted(formula.operand)} holds"
        elif isinstance(formula, Or) and formula.operands:
            first = self.reason(formula.operands[0], start)
            text = f"no alternative holds; the first one because {first.sentence}"
        else:
            text = f"{quoted(formula)} is not met{self._later(start)}"
        return Reason(holds=False, text=text, part=formula, missing=(formula,))

    def _never(self, formula: Formula, start: int) -> Reason:
        """A state formula that is true at no position from ``start`` on."""
        found = self._last(formula, start)
        if isinstance(formula, Not):
            text = f"{quoted(formula.operand)} held all the time{self._later(start, formula)}"
            return replace(found, text=text)
        verb = "happened" if only_actions(formula) else "held"
        text = f"{quoted(formula)} never {verb}{self._later(start, formula)}{found.text}"
        return replace(found, text=text)

    def _before(self, formula: Formula, position: int) -> int:
        """The last position before the given one at which a state formula is true, or -1."""
        earlier = self.evaluation.truth(formula) & ((1 << position) - 1)
        return earlier.bit_length() - 1

    def _last(self, formula: Formula, position: int) -> Reason:
        """Where a state formula last held before a position, and the step taken from there."""
        last = self._before(formula, position)
        found = Reason(holds=False, text="", part=formula, missing=(formula,))
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

    def witness(self, formula: Formula, start: int) -> Reason:
        """Say why the formula holds on the part from ``start`` to the end, if it does."""
        if not formula.is_temporal:
            return self._witness_at(formula, lowest(self.since(formula, start)))
        if isinstance(formula, Then):
            return self._witness_of_then(formula, start)
        if isinstance(formula, Or):
            return self.witness(
                next(each for each in formula.operands if self.holds(each, start)), start
            )
        if isinstance(formula, Exists) and formula.variables:
            return self._of_exists(formula, start)
        return self._of_other(formula, start)

    def _witness_at(self, formula: Formula, position: int) -> Reason:
        """Go down to the alternative and the objects that are true at the position."""
        if isinstance(formula, Or):
            true = (each for each in formula.operands if self._is_true(each, position))
            return self._witness_at(next(true), position)
        if isinstance(formula, Exists) and formula.variables:
            for bound, body in self.instances(formula):
                if self._is_true(body, position):
                    found = self._witness_at(body, position)
                    return replace(found, binding=(bound, *found.binding))
        verb = "happened" if only_actions(formula) else "held"
        text = f"{quoted(formula)} {verb} {self.names.when(position, formula)}"
        return Reason(holds=True, text=text, part=formula, position=position)

    def _is_true(self, formula: Formula, position: int) -> bool:
        return bool(self.evaluation.truth(formula) >> position & 1)

    def _witness_of_then(self, formula: Then, start: int) -> Reason:
        if not formula.is_lasting:
            return self._of_cut(formula, start)
        cuts = 1 << start
        links: list[Reason] = []
        reached: list[int] = []
        for link in formula.operands:
            links.append(self.witness(link, lowest(cuts)))
            cuts = self.evaluation.link(link, cuts)
            reached.append(lowest(cuts) - 1)
        return Reason(
            holds=True,
            text=", then ".join(link.text for link in links),
            part=formula,
            position=reached[-1],
            binding=tuple(pair for link in links for pair in link.binding),
            reached=tuple(reached),
        )

    def _of_cut(self, formula: Then, start: int) -> Reason:
        """One cut will do; it is found backwards, from the end."""
        cuts = [1 << start]
        for link in formula.operands:
            cuts.append(self.evaluation.link(link, cuts[-1]))
        ends = [self.end]
        for link, begins in zip(reversed(formula.operands), reversed(cuts[:-1]), strict=True):
            ends.append(self._begin(link, begins, ends[-1]))
        reached = [end - 1 for end in reversed(ends[:-1])]
        places = [self.names.when(place) if place >= 0 else "before the start" for place in reached]
        text = f"its links hold on the parts that end {', '.join(places) or 'before the start'}"
        return Reason(holds=True, text=text, part=formula, reached=tuple(reached))

    def _begin(self, link: Formula, begins: int, end: int) -> int:
        """The first of the positions from which the link holds up to the end."""
        while not self.evaluation.ends(link, lowest(begins)) >> end & 1:
            begins &= begins - 1
        return lowest(begins)

    def _of_exists(self, formula: Exists, start: int) -> Reason:
        bound, body = next(
            (bound, body) for bound, body in self.instances(formula) if self.holds(body, start)
        )
        found = self.witness(body, start)
        return replace(found, binding=(bound, *found.binding))

    def _of_other(self, formula: Formula, start: int) -> Reason:
        if isinstance(formula, Not):
            text = self.reason(formula.operand, start).sentence
            return Reason(holds=True, text=text, part=formula)
        position = None
        if formula.is_lasting:
            position = max(lowest(self.evaluation.ends(formula, start)) - 1, 0)
        text = (
            "all of it is met"
            if position is None
            else f"all of it was met {self.names.when(position)}"
        )
        return Reason(holds=True, text=text, part=formula, position=position)

    # Linear temporal logic: at a position.

    def at_position(self, formula: Formula, position: int) -> Reason:
        """Say why a formula is true or false at a position."""
        if self.evidence.value(formula, {}).at(position):
            return self._true_at(formula, position)
        part, place, binding, given = self._blamed(formula, position)
        also = "".join(f", and {fact}" for fact in facts(given, self.names)[:3])
        text = f"{self._failure(part, place)}{also}"
        found = Reason(
            holds=False, text=text, part=part, binding=binding, missing=(part,), fails_at=place
        )
        if part.has_then or isinstance(part, Once):
            return found
        wanted = part.operand if isinstance(part, Eventually) else part
        last = self._last(wanted, place)
        it = "; it" if wanted is part else f"; {quoted(wanted)}"
        text += last.text.replace("; it", it, 1)
        return replace(found, text=text, position=last.position, step=last.step, action=last.action)

    def _blamed(
        self, formula: Formula, place: int
    ) -> tuple[Formula, int, _Bound, tuple[Blame, ...]]:
        """Go down as long as a single part at a single position is to blame."""
        bound = _NOTHING
        given: tuple[Blame, ...] = ()
        seen = self.evidence.value
        while True:
            down = [part for part in formula.operands if not formula.variables]
            if isinstance(formula, Implies):
                given += self.evidence.blamed(formula.left, place)
                formula = formula.right
            elif isinstance(formula, (And, Or)) and down:
                failing = [part for part in down if not seen(part, {}).at(place)]
                if isinstance(formula, Or) and len(down) > 1:
                    return formula, place, bound, given
                formula = failing[0]
            elif isinstance(formula, Forall) and formula.variables:
                name, formula = next(
                    (name, body)
                    for name, body in self.instances(formula)
                    if not seen(body, {}).at(place)
                )
                bound += (name,)
            elif isinstance(formula, (Always, Historically)):
                # The first position from here on; looking back, the last one up to here.
                ahead = isinstance(formula, Always)
                way = range(place, self.end) if ahead else range(place, -1, -1)
                wrong = seen(formula.operand, {})
                place = next(i for i in way if not wrong.at(i))
                formula = formula.operand
            elif isinstance(formula, (Next, WeakNext)) and place + 1 < self.end:
                formula, place = formula.operand, place + 1
            elif isinstance(formula, (Previous, WeakPrevious)) and place > 0:
                formula, place = formula.operand, place - 1
            else:
                return formula, place, bound, given

    def _failure(self, part: Formula, place: int) -> str:
        names = self.names
        if isinstance(part, (Next, Previous)):
            return f"{quoted(part)} is false {names.when(place)}, as there is no such position"
        if isinstance(part, (Eventually, Once)):
            verb = "happened" if only_actions(part.operand) else "held"
            if isinstance(part, Once):
                return f"{quoted(part.operand)} never {verb} {names.when(place, part)} or before"
            later = f" {names.when(place, part)} or later" if place else ""
            return f"{quoted(part.operand)} never {verb}{later}"
        if not part.operands:
            verb = "did not happen" if only_actions(part) else "is false"
            return f"{quoted(part)} {verb} {names.when(place, part)}"
        text = f"{quoted(part)} is false {names.when(place)}"
        rests_on = [] if isinstance(part, Not) else facts(self.evidence.blamed(part, place), names)
        return f"{text}: {listing(rests_on)}" if rests_on else text

    def _true_at(self, formula: Formula, place: int) -> Reason:
        """Say by what a formula is true at a position."""
        rests_on = self.evidence.blamed(formula, place)
        seen = facts(rests_on, self.names)
        text = listing(seen) if seen else f"{quoted(formula)} holds whatever happens"
        part, bound = formula, _NOTHING
        value = self.evidence.value
        while True:
            if isinstance(part, Eventually):
                true = value(part.operand, {})
                part, place = part.operand, next(i for i in range(place, self.end) if true.at(i))
            elif isinstance(part, (Next, WeakNext)) and place + 1 < self.end:
                part, place = part.operand, place + 1
            elif isinstance(part, Or):
                part = next(each for each in part.operands if value(each, {}).at(place))
            elif isinstance(part, Exists) and part.variables:
                name, part = next(
                    (name, body) for name, body in self.instances(part) if value(body, {}).at(place)
                )
                bound += (name,)
            else:
                break
        return Reason(
            holds=True,
            text=text,
            part=part,
            position=place,
            step=self.names.number(place),
            action=self.names.action(place),
            binding=bound,
        )
