"""Explanations of verdicts: the reason why a formula holds or fails, in data and in words.

Idea: of a goal the walk goes down to the smallest subformula that already fails: through a
conjunction to a conjunct that never holds, or to conditions that never hold together; through
``forall`` to an object; through ``then`` to the first link that cannot be reached. Of linear
temporal logic it goes down as long as one subformula at one position is to blame, and names the
facts that it rests on (:mod:`eai.logic.evidence`).

Cost: evaluations of subformulas, which share their work.

Examples:
    >>> from eai.logic import Atom, Trace, explain, parse_formula
    >>> trace = Trace.of_states([{Atom("open", ("door",))}, set()])
    >>> explain(parse_formula("G open(door)"), trace).text
    "'open(door)' is false after step 1; it last held at the start, until step 1."
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from eai.errors import InputError
from eai.logic.algebra import lowest_bit
from eai.logic.evidence import (
    Blame,
    JustifiedTruth,
    StepNames,
    TruthEvidence,
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
"""Variables that were decided, with their objects."""

_MAX_FACTS_GIVEN = 3
"""Maximum number of facts that are named of the left side of a false implication."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """The reason for a verdict, with the facts that it depends on.

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
        formula: The formula that is explained.
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
    _evidence: TruthEvidence | None = field(default=None, repr=False, compare=False)

    @property
    def blamed(self) -> tuple[Blame, ...]:
        """Propositions at positions that suffice for the verdict, in order of time.

        Every trajectory over the same objects and positions with these values has the same verdict.
        If the formula holds, they are its witnesses. They are computed on first use.
        """
        if self._evidence is None:
            return ()
        return self._evidence.blamed(self.formula, self.at)

    def to_dict(self, *, most: int = 10_000) -> dict[str, Any]:
        """Return the explanation as plain data, with formulas as text.

        Args:
            most: Largest number of facts that the verdict rests on.
        """
        fields_as_they_are = ("holds", "text", "position", "step", "action", "link", "fails_at")
        blamed = []
        for fact in self.blamed[:most]:
            atom = format_formula(fact.atom)
            blamed.append({"atom": atom, "position": fact.position, "holds": fact.holds})
        return {
            **{name: getattr(self, name) for name in fields_as_they_are},
            "formula": format_formula(self.formula),
            "part": format_formula(self.part),
            "binding": dict(self.binding),
            "missing": [format_formula(condition) for condition in self.missing],
            "reached": list(self.reached),
            "blamed": blamed,
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
    """Return why a formula holds, or does not hold, on a trajectory.

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
        LimitError: If the formula has too many parts once its quantifiers are resolved.
    """
    formula.check_closed()
    names = StepNames(trajectory.length, plan, numbers)
    length = trajectory.length
    if length < 1 or (at is not None and not -length <= at < length):
        raise InputError(f"position {at or 0} is not one of the trajectory's {length}")
    # A goal holds or fails as a whole; a formula of linear temporal logic at its first position.
    reasons = _Reasons(trajectory, names)
    if at is None and formula.reading() == "ltlf":
        at = 0
    if at is not None:
        at %= length
        explanation = reasons.at_position(formula, at)
    elif reasons.holds(formula, 0):
        explanation = reasons.witness(formula, 0)
    else:
        explanation = reasons.reason(formula, 0)
    text = _full_sentence(explanation)
    text = f"{text[:1].upper()}{text[1:]}."
    return replace(explanation, text=text, formula=formula, at=at, _evidence=reasons.evidence)


def _formula_list(parts: Iterable[Formula]) -> str:
    """Return formulas as a list in a sentence."""
    return listing([quoted(part) for part in parts])


def _full_sentence(explanation: Explanation) -> str:
    """Return an explanation as text, with the number of further failing conditions."""
    if not explanation.others:
        return explanation.text
    if explanation.others == 1:
        return f"{explanation.text}; 1 other condition fails too"
    return f"{explanation.text}; {explanation.others} other conditions fail too"


@dataclass(frozen=True, slots=True)
class _FailureCause:
    """The part of a formula that causes its value.

    Args:
        part: The part, with objects in the place of variables that were decided.
        position: The position at which it has the value.
        binding: These variables, with their objects.
        given: Facts that make the left sides of implications true that it stands to the right of.
    """

    part: Formula
    position: int
    binding: _Bound
    given: tuple[Blame, ...]


class _Reasons:
    """Explanations of why formulas hold or fail on one trajectory."""

    def __init__(self, trajectory: Trajectory, names: StepNames) -> None:
        self.evidence = TruthEvidence(trajectory)
        self.evaluation = self.evidence.evaluation
        self.end = trajectory.length
        self.names = names

    def holds(self, formula: Formula, start: int) -> bool:
        """Return whether the formula holds on the part from ``start`` to the end."""
        return bool(self.evaluation.ends(formula, start) >> self.end & 1)

    def since(self, formula: Formula, start: int) -> int:
        """Return where a state formula is true, from a position on."""
        # Shifted down and up again, the bits of earlier positions are zero.
        return self.evaluation.truth(formula) >> start << start

    def parts(self, formula: Formula) -> tuple[bool, Iterable[tuple[_Bound, Formula]]]:
        """Return whether a formula needs all or only one of its parts, and the parts.

        The parts of a conjunction or disjunction are its operands. The parts of a quantifier are
        its instances for the objects of its first variable; they are made one by one, since most
        are never looked at. A formula that cannot be split, such as a negation, has no parts.

        Returns:
            True if all parts have to hold, False if one is enough; and the parts, each with the
            objects of the variables that were replaced in it.
        """
        if isinstance(formula, Quantifier) and formula.variables:
            return not formula.wants, self._instances(formula)
        # A demand that an operand is false, as in an implication, is not a part that can hold.
        split = formula.split(True)
        if split is None or not all(wanted for _, wanted in split.parts):
            return False, ()
        return split.every, [((), part) for part, _ in split.parts]

    def _instances(self, formula: Quantifier) -> Iterator[tuple[_Bound, Formula]]:
        """Yield the instances of a quantifier for the objects of its first variable."""
        first, *other_variables = formula.variables
        body = formula.body
        if other_variables:
            body = formula.over(other_variables, body)
        for name in self.evaluation.positions.range(first):
            yield ((first.name, name),), body.substitute({first.name: name})

    def reason(self, formula: Formula, start: int) -> Explanation:
        """Return why the formula fails on the part from ``start`` to the end.

        The explanation depends on the kind of formula: the conjunct that fails, the operand of a
        ``then`` that is not reached, or the state formula that never held.

        Args:
            formula: The formula.
            start: First position of the part.
        """
        if not formula.is_temporal and start >= self.end:
            text = f"the trajectory ends before {quoted(formula)} can hold"
            return Explanation(holds=False, text=text, part=formula, missing=(formula,))
        needs_all, parts = self.parts(formula)
        if needs_all:
            if not formula.is_temporal and not formula.variables:
                # Conjunctions inside of each other are one list of conditions to the reader.
                parts = [((), part) for part in conjuncts(formula)]
            return self._explain_conjunction(list(parts), start)
        if isinstance(formula, Then) and formula.operands:
            return self._explain_then(formula, start)
        if not formula.is_temporal:
            return self._explain_state_formula(formula, start)
        # Other connectives above a `then`; what would mend them is not searched.
        text = f"{quoted(formula)} is not met{self._from_when_on(start)}"
        if isinstance(formula, Not):
            text = f"{quoted(formula.operand)} holds"
        elif not formula.variables:
            alternatives = list(parts)
            if alternatives:
                _, first_alternative = alternatives[0]
                cause = _full_sentence(self.reason(first_alternative, start))
                text = f"no alternative holds; the first one because {cause}"
        return Explanation(holds=False, text=text, part=formula, missing=(formula,))

    def _explain_state_formula(self, formula: Formula, start: int) -> Explanation:
        """Return why a state formula is not true at any position from ``start`` on.

        A negation fails because its operand held all the time. For other formulas the text says
        when they held last before ``start``.
        """
        last_time = self._last_time_true(formula, start)
        if isinstance(formula, Not):
            text = (
                f"{quoted(formula.operand)} held all the time{self._from_when_on(start, formula)}"
            )
            return replace(last_time, text=text)
        verb = "happened" if only_actions(formula) else "held"
        text = f"{quoted(formula)} never {verb}{self._from_when_on(start, formula)}{last_time.text}"
        return replace(last_time, text=text)

    def _explain_conjunction(
        self, parts: Sequence[tuple[_Bound, Formula]], start: int
    ) -> Explanation:
        """Return which conjunct fails, or that conjuncts never hold together.

        Args:
            parts: The formulas, each with the objects of quantifiers above it.
            start: Position from which they have to hold.
        """
        failing_parts = [(binding, part) for binding, part in parts if not self.holds(part, start)]
        if not failing_parts:
            return self._explain_conflict([part for _, part in parts], start)
        # The first one that fails is explained, the others are only listed.
        binding, first_part = failing_parts[0]
        other_parts = [part for _, part in failing_parts[1:]]
        explanation = self.reason(first_part, start)
        return replace(
            explanation,
            binding=binding + explanation.binding,
            missing=(*explanation.missing, *other_parts),
            others=explanation.others + len(other_parts),
        )

    def _explain_conflict(self, conditions: Sequence[Formula], start: int) -> Explanation:
        """Return why conditions that hold separately never hold together.

        The text tells of the position at which most of them hold, and of the one that was lost last
        before it: "on(a) and on(b) never held together; after step 4 on(b) held, but not on(a); it
        last held after step 2, until step 3".

        Args:
            conditions: The conditions, each of which holds at some position.
            start: Position from which they have to hold.
        """
        vectors = self._minimal_conflict(conditions, start)
        position = self._position_with_most_true(vectors.values(), start)
        true_conditions: list[Formula] = []
        false_conditions: list[Formula] = []
        for condition, vector in vectors.items():
            if vector >> position & 1:
                true_conditions.append(condition)
            else:
                false_conditions.append(condition)
        last_lost = max(
            false_conditions, key=lambda condition: self._last_position_before(condition, position)
        )
        last_time = self._last_time_true(last_lost, position)
        moment = self.names.when(position)
        held = _formula_list(true_conditions)
        did_not_hold = _formula_list(false_conditions)
        text = (
            f"{_formula_list(vectors)} never held together; {moment} {held} held, "
            f"but not {did_not_hold}{last_time.text}"
        )
        conjunction = And(vectors)
        return replace(
            last_time,
            text=text,
            part=conjunction,
            missing=tuple(false_conditions),
            fails_at=position,
        )

    def _position_with_most_true(self, vectors: Collection[int], start: int) -> int:
        """Return the position at which most truth vectors are true; of several, the last."""
        best_position = start
        max_true_count = 0
        for position in range(start, self.end):
            true_count = sum(vector >> position & 1 for vector in vectors)
            if true_count >= max_true_count:
                best_position = position
                max_true_count = true_count
        return best_position

    def _minimal_conflict(self, conditions: Sequence[Formula], start: int) -> dict[Formula, int]:
        """Return a minimal set of conditions that never hold together, with their truth vectors.

        A condition is removed if the others never hold together even without it.

        Args:
            conditions: The conditions.
            start: Position from which they have to hold.
        """
        all_positions = (1 << self.end) - (1 << start)
        vectors = {condition: self.since(condition, start) for condition in conditions}
        for condition in list(vectors):
            joint_positions = all_positions
            for other, vector in vectors.items():
                if other != condition:
                    joint_positions &= vector
            # The others conflict without this condition, so it is not to blame.
            if not joint_positions:
                del vectors[condition]
        return vectors

    def _explain_then(self, formula: Then, start: int) -> Explanation:
        """Return the first operand of a ``then`` that cannot be reached.

        Args:
            formula: The links.
            start: First position of the part.
        """
        # Bit i of "cuts": the links so far can end before position i. The next link begins there.
        cuts = 1 << start
        reached: list[int] = []
        for link_number, link in enumerate(formula.operands, 1):
            ends = self.evaluation.link(link, cuts)
            if link_number == len(formula.operands):
                # The last link has to reach the end of the trajectory.
                if not ends >> self.end & 1:
                    break
            elif not ends:
                break
            cuts = ends
            reached.append(lowest_bit(ends) - 1)
        # The loop stopped at the link that fails. From its earliest beginning it has most room.
        explanation = self.reason(link, lowest_bit(cuts))
        reached_text = ""
        if reached:
            moment = self.names.when(reached[-1], formula.operands[link_number - 2])
            reached_text = f", after link {link_number - 1} was reached {moment}"
        heading = f"link {link_number} of {len(formula.operands)} fails{reached_text}"
        text = f"{heading}: {_full_sentence(explanation)}"
        return replace(explanation, text=text, others=0, link=link_number, reached=tuple(reached))

    def _last_position_before(self, formula: Formula, position: int) -> int:
        """Return the last position before a given one at which a state formula is true, or -1."""
        # A vector of truth has a bit for each position; the highest one left is the last.
        earlier = self.evaluation.truth(formula) & ((1 << position) - 1)
        return earlier.bit_length() - 1

    def _last_time_true(self, formula: Formula, position: int) -> Explanation:
        """Return when a state formula last held before a position, and the step that ended it.

        Returns:
            An explanation with a text to append ("; it last held after step 2, until step 3") and
            the step as its place; without both if the formula never held.
        """
        last_position = self._last_position_before(formula, position)
        explanation = Explanation(holds=False, text="", part=formula, missing=(formula,))
        if last_position < 0:
            return explanation
        # The step taken from the last true position is the one that made the formula false.
        step_number = self.names.number(last_position)
        action = self.names.action(last_position)
        step_text = self.names.step(last_position)
        if action:
            step_text += f" ({action})"
        if only_actions(formula):
            text = f"; it last happened in {step_text}"
        else:
            text = f"; it last held {self.names.when(last_position)}, until {step_text}"
        return replace(
            explanation, text=text, position=last_position, step=step_number, action=action
        )

    def _from_when_on(self, start: int, formula: Formula = TRUE) -> str:
        """Return from when on, in words; empty if it is from the start."""
        if start == 0:
            return ""
        return f" {self.names.when(start, formula)} or later"

    def witness(self, formula: Formula, start: int) -> Explanation:
        """Return why the formula holds on the part from ``start`` to the end.

        The witness is the smallest sufficient part: a position of a state formula, the operands of
        a ``then``, or the first true disjunct. Other formulas are explained as a whole.
        """
        if not formula.is_temporal:
            first_time = lowest_bit(self.since(formula, start))
            return self._witness_at_position(formula, first_time)
        if isinstance(formula, Then):
            return self._witness_of_then(formula, start)
        needs_all, parts = self.parts(formula)
        if not needs_all:
            # A formula that cannot be split has no parts here, and is handled below.
            for binding, part in parts:
                if self.holds(part, start):
                    explanation = self.witness(part, start)
                    return replace(explanation, binding=binding + explanation.binding)
        if isinstance(formula, Not):
            # A negation holds because its operand fails.
            text = _full_sentence(self.reason(formula.operand, start))
            return Explanation(holds=True, text=text, part=formula)
        if not formula.is_lasting:
            # It may have held and failed several times, so there is no first time to report.
            return Explanation(holds=True, text="all of it is met", part=formula)
        earliest_end = lowest_bit(self.evaluation.ends(formula, start))
        # The end is behind the last position of the part; an empty part has no position.
        position = max(earliest_end - 1, 0)
        text = f"all of it was met {self.names.when(position)}"
        return Explanation(holds=True, text=text, part=formula, position=position)

    def _witness_at_position(self, formula: Formula, position: int) -> Explanation:
        """Return the disjunct and the objects that are true at a position.

        Goes down through disjunctions and quantifiers to the first part that is true, and collects
        the objects on the way.
        """
        needs_all, parts = self.parts(formula)
        if not needs_all:
            for binding, part in parts:
                if self.evaluation.truth(part) >> position & 1:
                    explanation = self._witness_at_position(part, position)
                    return replace(explanation, binding=binding + explanation.binding)
        verb = "happened" if only_actions(formula) else "held"
        text = f"{quoted(formula)} {verb} {self.names.when(position, formula)}"
        return Explanation(holds=True, text=text, part=formula, position=position)

    def _witness_of_then(self, formula: Then, start: int) -> Explanation:
        """Return where the operands of a ``then`` hold.

        Args:
            formula: The links.
            start: First position of the part.
        """
        # The cuts before the first link, between links, and after the last one.
        cuts = [1 << start]
        for link in formula.operands:
            cuts.append(self.evaluation.link(link, cuts[-1]))
        if formula.is_lasting:
            return self._earliest_links(formula, cuts)
        reached = [end - 1 for end in self._ends_of_links(formula, cuts)]
        locations = ", ".join(map(self.names.when, reached)) or "before the start"
        text = f"its links hold on the parts that end {locations}"
        return Explanation(holds=True, text=text, part=formula, reached=tuple(reached))

    def _earliest_links(self, formula: Then, cuts: Sequence[int]) -> Explanation:
        """Return the witness of each operand, reached as early as possible.

        Args:
            formula: The links, joined by ``then``.
            cuts: For each link a bit vector of the positions at which it may begin, and one more
                for where the last may have ended.
        """
        links = []
        binding: list[tuple[str, str]] = []
        for link, begins in zip(formula.operands, cuts, strict=False):
            explanation = self.witness(link, lowest_bit(begins))
            links.append(explanation.text)
            binding += explanation.binding
        # An end is the position behind a part, so the last position of the part is one less.
        reached = [lowest_bit(ends) - 1 for ends in cuts[1:]]
        return Explanation(
            holds=True,
            text=", then ".join(links),
            part=formula,
            position=reached[-1],
            binding=tuple(binding),
            reached=tuple(reached),
        )

    def _ends_of_links(self, formula: Then, cuts: Sequence[int]) -> list[int]:
        """Return one way to cut the trajectory, as the end of each operand's part.

        The cuts are chosen backwards. Before each link the first cut is taken from which the link
        leads to the next cut; every possible cut can be reached from the start.

        Args:
            formula: The links, joined by ``then``.
            cuts: For each link a bit vector of the positions at which it may begin, and one more
                for where the last may have ended.
        """
        ends = [self.end]
        for link, possible_begins in zip(
            reversed(formula.operands), reversed(cuts[:-1]), strict=True
        ):
            begins = possible_begins
            while not self.evaluation.ends(link, lowest_bit(begins)) >> ends[-1] & 1:
                begins &= begins - 1  # clears the lowest bit: the next possible begin
            ends.append(lowest_bit(begins))
        ends.pop()  # where the first link begins
        ends.reverse()
        return ends

    def at_position(self, formula: Formula, position: int) -> Explanation:
        """Return why a formula is true or false at a position.

        The cause is searched among the subformulas, so that for "always (a or b)" the decisive
        position and part are reported.
        """
        value = self.evidence.value(formula, {})
        cause = self._descend_to_cause(value, position)
        if value.at(position):
            cause_texts = facts(self.evidence.blamed(formula, position), self.names)
            text = f"{quoted(formula)} holds whatever happens"
            if cause_texts:
                text = listing(cause_texts)
            return Explanation(
                holds=True,
                text=text,
                part=cause.part,
                position=cause.position,
                step=self.names.number(cause.position),
                action=self.names.action(cause.position),
                binding=cause.binding,
            )
        return self._explain_failure(cause)

    def _explain_failure(self, blamed: _FailureCause) -> Explanation:
        """Return why a formula is false, by the part of it that causes this.

        Args:
            blamed: The part, its position, the objects of variables, and the facts that made other
                parts depend on this one.
        """
        part = blamed.part
        position = blamed.position
        text = self._failure_in_words(part, position)
        for fact in facts(blamed.given, self.names)[:_MAX_FACTS_GIVEN]:
            text += f", and {fact}"
        explanation = Explanation(
            holds=False,
            text=text,
            part=part,
            binding=blamed.binding,
            missing=(part,),
            fails_at=position,
        )
        if part.has_then or (isinstance(part, Sometime) and part.is_past):
            return explanation
        if isinstance(part, Sometime):
            # Of "sometime f" it is f that may have held before.
            last_time = self._last_time_true(part.operand, position)
            text += last_time.text.replace("; it", f"; {quoted(part.operand)}", 1)
        else:
            last_time = self._last_time_true(part, position)
            text += last_time.text
        return replace(
            explanation,
            text=text,
            position=last_time.position,
            step=last_time.step,
            action=last_time.action,
        )

    def _descend_to_cause(self, truth: JustifiedTruth, position: int) -> _FailureCause:
        """Return the smallest part of a formula that alone causes its value, and where.

        For a false implication, the search continues on the right side, and the facts that make the
        left side true are its premises.

        Args:
            truth: The value of the formula, with its reasons.
            position: The position at which the formula has the value.
        """
        value = truth.at(position)
        binding: _Bound = ()
        premises: tuple[Blame, ...] = ()
        while True:
            formula = truth.formula
            if isinstance(formula, Implies) and not value:
                premises += self.evidence.blamed(formula.left, position)
                truth = self.evidence.value(formula.right, {})
                continue
            cause = self._single_cause(truth, position)
            if cause is None:
                return _FailureCause(formula, position, binding, premises)
            truth, position = cause
            for variable in formula.variables:
                name = truth.binding.get(variable.name)
                # A variable that the body does not mention may be any object.
                name = name or self.evaluation.positions.range(variable)[0]
                binding += ((variable.name, name),)

    def _single_cause(
        self, truth: JustifiedTruth, position: int
    ) -> tuple[JustifiedTruth, int] | None:
        """Return the only cause of a value if it is a formula with the same value, or None.

        Causes are followed as long as there is only one, so that the explanation is about the
        smallest part. It stops at "not", whose operand has the other value.

        Args:
            truth: Truth of the formula.
            position: The position of interest.

        Returns:
            The cause and its position; None if there are several, or it is of another kind.
        """
        value = truth.at(position)
        # "At no position" is used for all positions, even if there is only one.
        if isinstance(truth.formula, Sometime) and not value:
            return None
        causes = self.evidence.causes(truth, position)
        if len(causes) != 1:
            return None
        [(cause, cause_position)] = causes
        if cause.source is None or cause.at(cause_position) is not value:
            return None
        return cause, cause_position

    def _failure_in_words(self, part: Formula, position: int) -> str:
        """Return a clause that says that a formula is false at a position.

        Some formulas have a better wording than "is false": for ``next`` there is no next position,
        and a ``sometime`` never happened.
        """
        names = self.names
        if isinstance(part, Neighbour):
            return f"{quoted(part)} is false {names.when(position)}, as there is no such position"
        if isinstance(part, Sometime):
            verb = "happened" if only_actions(part.operand) else "held"
            if part.is_past:
                when = names.when(position, part)
                return f"{quoted(part.operand)} never {verb} {when} or before"
            return f"{quoted(part.operand)} never {verb}{self._from_when_on(position, part)}"
        # The others are atoms, and connectives that rest on several facts.
        if not part.operands:
            verb = "did not happen" if only_actions(part) else "is false"
            return f"{quoted(part)} {verb} {names.when(position, part)}"
        text = f"{quoted(part)} is false {names.when(position)}"
        if isinstance(part, Not):
            return text
        cause_texts = facts(self.evidence.blamed(part, position), names)
        if not cause_texts:
            return text
        return f"{text}: {listing(cause_texts)}"
