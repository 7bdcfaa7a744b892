"""Facts that actions can make true if nothing is ever deleted, found before actions are ground."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, islice, product
from operator import itemgetter

from eai.logic import Atom, Formula, Variable, conjuncts
from eai.nesting import NESTING_LIMIT
from eai.pddl import Operator, clauses
from eai.planning.lifting import Binding, Lifter, Vocabulary
from eai.planning.schemas import instances

_Row = tuple[str, ...]
_Index = dict[tuple[str, ...], list[_Row]]
"""Facts of one predicate by the objects in some of their slots."""

_FEW = 10_000
"""So many bindings are made faster than it takes to find out which of them can be reached."""


def reachable(
    operators: Collection[Operator], vocabulary: Vocabulary, derived: Collection[str]
) -> dict[str, set[_Row]]:
    """Find the facts that the relaxation without deletions reaches, if it pays.

    The action schemas are read as rules of Datalog: the positive conjuncts of the precondition (and
    of the condition of an effect) say when its additions hold. What else a condition says is
    left out, so more facts may be found than can be reached, never fewer. Rules are evaluated as in
    Helmert, "Concise finite-domain representations for PDDL planning tasks" (2009), section 6: each
    fact is taken once and joined with those taken before it, so an instance of a rule is found
    once, when the last of its conditions is taken.

    Returns:
        Predicate to the arguments of its facts; empty if the facts that no action changes leave few
        bindings, and finding out more takes longer than it saves. Nothing is found out about
        predicates that rules make true.
    """
    few = _FEW
    for operator in operators:
        few -= sum(1 for _ in islice(instances(operator, vocabulary), few))
    return {} if few > 0 else _Search(operators, vocabulary, derived).facts


_BATCH = 256
"""So many instances are counted at a time: looking at the clock takes longer than most of them."""


@dataclass(slots=True)
class _Match:
    """Compares a fact with an atom under a binding, and binds the atom's open slots."""

    # By position in the fact: a slot that it opens and the objects that may stand there, or a
    # slot that must agree with it.
    opened: list[tuple[int, int, frozenset[str]]]
    checked: list[tuple[int, int]]

    def fits(self, row: _Row, binding: Binding) -> bool:
        for position, slot, objects in self.opened:
            name = binding[slot] = row[position]
            if name not in objects:
                return False
        return all(row[position] == binding[slot] for position, slot in self.checked)


@dataclass(slots=True)
class _Step:
    """One atom of a rule, joined with what is bound before it."""

    rows: _Index
    key: Callable[[Binding], tuple[str, ...]]
    match: _Match


@dataclass(slots=True)
class _Head:
    """An addition: its predicate, its row, the slots and objects that no atom binds, all slots."""

    predicate: str
    row: Callable[[Binding], _Row]
    free: list[int]
    ranges: list[tuple[str, ...]]
    slots: frozenset[int]


_Plan = tuple[_Match, list[_Step], list[_Head], Binding, int]
"""What follows from a fact: how it matches, what it is joined with, what is added, and how many
steps bind all that additions are about: what is behind only has to exist."""


class _Search:
    """Evaluates the rules; ``facts`` are what it found."""

    def __init__(
        self, operators: Iterable[Operator], vocabulary: Vocabulary, derived: Collection[str]
    ) -> None:
        self._vocabulary = vocabulary
        self._changing = vocabulary.fluents.difference(derived)
        self._plans: dict[str, list[_Plan]] = {}
        self._indices: dict[tuple[str, tuple[int, ...]], _Index] = {}
        self.facts: dict[str, set[_Row]] = {name: set() for name in self._changing}
        self._waiting: list[tuple[str, _Row]] = []
        self._counted = 0
        for predicate, arguments in vocabulary.initial:
            self._add(predicate, arguments)
        starts = [plan for operator in operators for plan in self._rules(operator)]
        for _, steps, heads, binding, known_at in starts:
            self._extend(steps, heads, binding, 0, known_at)
        for predicate, row in self._waiting:  # grows while it is read
            for (name, positions), rows in self._indices.items():
                if name == predicate:
                    rows.setdefault(tuple([row[i] for i in positions]), []).append(row)
            plans = self._plans.get(predicate, ())
            self._count(1 + len(plans))
            for match, steps, heads, binding, known_at in plans:
                if match.fits(row, binding):
                    self._extend(steps, heads, binding, 0, known_at)
        vocabulary.count(self._counted)

    def _count(self, instances: int) -> None:
        """Count what is looked at, and look at the limits every so often."""
        self._counted += instances
        if self._counted >= _BATCH:
            self._vocabulary.count(self._counted)
            self._counted = 0

    def _add(self, predicate: str, row: _Row) -> None:
        known = self.facts.get(predicate)
        if known is not None and row not in known:
            known.add(row)
            self._waiting.append((predicate, row))

    def _extend(
        self,
        steps: Sequence[_Step],
        heads: Sequence[_Head],
        binding: Binding,
        depth: int,
        known_at: int,
    ) -> bool:
        """Join the atoms from a depth on; return whether nothing is left to find out.

        From ``known_at`` on it is known what is added: if it was added before, no join is made,
        and the first that succeeds is enough.
        """
        if depth == known_at and depth < len(steps) and self._are_known(heads, binding):
            return True
        if depth == len(steps):
            self._count(len(heads))
            for head in heads:
                if not head.free:
                    self._add(head.predicate, head.row(binding))
                    continue
                for names in product(*head.ranges):
                    self._count(1)
                    for slot, name in zip(head.free, names, strict=True):
                        binding[slot] = name
                    self._add(head.predicate, head.row(binding))
            return True
        step = steps[depth]
        for row in step.rows.get(step.key(binding), ()):
            self._count(1)
            if step.match.fits(row, binding):
                found = self._extend(steps, heads, binding, depth + 1, known_at)
                if found and depth >= known_at:
                    return True
        return False

    def _are_known(self, heads: Sequence[_Head], binding: Binding) -> bool:
        """Whether all that would be added was added before."""
        return all(
            not head.free and head.row(binding) in self.facts[head.predicate] for head in heads
        )

    def _rules(self, operator: Operator) -> list[_Plan]:
        """Enter what follows from each atom; return what needs none that changes."""
        names = [variable.name for variable in operator.parameters]
        starts = []
        for (variables, condition), group in groupby(
            clauses(operator.effect, names), itemgetter(0, 1)
        ):
            added = [each.atom for each in group if each.added]
            if added:
                parts = (*conjuncts(operator.precondition), *conjuncts(condition))
                starts += self._rule([*operator.parameters, *variables], parts, added)
        return starts

    def _rule(
        self, variables: Sequence[Variable], parts: Iterable[Formula], added: Sequence[Atom]
    ) -> list[_Plan]:
        lifter = Lifter(self._vocabulary)
        lifter.bind(variables)
        ranges = [self._vocabulary.objects(variable.types) for variable in variables]
        if not all(ranges):
            return []
        defined = self._vocabulary.definitions
        body = [
            part
            for part in parts
            if isinstance(part, Atom)
            and part.predicate not in defined
            and (part.predicate in self._changing or part.predicate not in self._vocabulary.fluents)
        ]
        # Without the rest of a very long condition, more is reached than can be, never less.
        located = [(atom, list(map(lifter.slot, atom.terms))) for atom in body[:NESTING_LIMIT]]
        heads = []
        bound = {slot for _, slots in located for slot in slots}
        for atom in added:
            slots = list(map(lifter.slot, atom.terms))
            free = sorted({p for p in slots if p < len(ranges) and p not in bound})
            named = frozenset(p for p in slots if p < len(ranges) and p in bound)
            heads.append(_Head(atom.predicate, _key(slots), free, [ranges[p] for p in free], named))
        wanted = frozenset[int]().union(*(head.slots for head in heads))
        members = [frozenset(names) for names in ranges]
        first = [i for i, (atom, _) in enumerate(located) if atom.predicate in self._changing]
        start = lifter.start[:]
        for i in first:
            atom, slots = located[i]
            known = set(range(len(ranges), len(start)))
            match = _match(slots, set(), known, members)
            known.update(slots)
            others = [*located[:i], *located[i + 1 :]]
            steps, known_at = self._steps(others, known, members, wanted)
            plan = match, steps, heads, start[:], known_at
            self._plans.setdefault(atom.predicate, []).append(plan)
        if first:
            return []
        known = set(range(len(ranges), len(start)))
        steps, known_at = self._steps(located, known, members, wanted)
        return [(_Match([], []), steps, heads, start, known_at)]

    def _steps(
        self,
        located: Sequence[tuple[Atom, list[int]]],
        known: set[int],
        members: Sequence[frozenset[str]],
        wanted: frozenset[int],
    ) -> tuple[list[_Step], int]:
        """Order atoms, those first of which most is bound, and prepare their indices.

        Beside them stands how many of them bind all slots that are wanted.
        """
        steps, open_atoms, known_at = list[_Step](), list(located), 0
        while open_atoms:
            if not wanted <= known:
                known_at = len(steps) + 1
            atom, slots = best = min(
                open_atoms,
                key=lambda each: (
                    len(set(each[1]) - known),
                    -len(known.intersection(each[1])),
                    each[0].predicate in self._changing,
                ),
            )
            open_atoms.remove(best)
            positions = tuple([i for i, slot in enumerate(slots) if slot in known])
            rows = self._index(atom.predicate, positions, len(slots))
            key = _key([slots[i] for i in positions])
            steps.append(_Step(rows, key, _match(slots, known, set(), members)))
            known.update(slots)
        return steps, known_at

    def _index(self, predicate: str, positions: tuple[int, ...], size: int) -> _Index:
        if predicate in self._changing:
            return self._indices.setdefault((predicate, positions), {})
        rows: _Index = {}
        for row in sorted(self._vocabulary.static.get(predicate, ())):
            if len(row) == size:
                rows.setdefault(tuple([row[i] for i in positions]), []).append(row)
        return rows


def _match(
    slots: Sequence[int],
    keyed: Collection[int],
    bound: Collection[int],
    members: Sequence[frozenset[str]],
) -> _Match:
    """Compare with slots that are bound, and open the others; those of the key agree already."""
    match = _Match([], [])
    opened = set[int]()
    for position, slot in enumerate(slots):
        if slot in bound or slot in opened:
            match.checked.append((position, slot))
        elif slot not in keyed:
            match.opened.append((position, slot, members[slot]))
            opened.add(slot)
    return match


def _key(slots: Sequence[int]) -> Callable[[Binding], _Row]:
    if len(slots) == 1:
        (slot,) = slots
        return lambda binding: (binding[slot],)
    return itemgetter(*slots) if slots else lambda _: ()
