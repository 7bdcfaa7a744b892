"""Facts that actions can make true if nothing is ever deleted, found before grounding.

Idea: action schemas are rules of Datalog. They are evaluated semi-naively (Ullman 1989): each fact
is taken from a queue once and joined with the facts taken before it, so an instance of a rule is
found exactly once, when the last of its conditions is taken. Source: Helmert, "Concise
finite-domain representations for PDDL planning tasks" (2009), section 6.

Invariant: no fact that can be reached is missing; there may be others.

Cost: one step for each partial instance of a rule, which can be many more than there are facts, so
it is tried only where enumerating bindings takes longer.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, islice, product
from operator import itemgetter
from typing import TypeGuard

from eai.logic import Atom, Formula, Variable, conjuncts
from eai.nesting import NESTING_LIMIT
from eai.pddl import Operator, clauses
from eai.planning.lifting import Binding, Lifter, Vocabulary
from eai.planning.schemas import instances

_Row = tuple[str, ...]
"""The arguments of a fact."""
_Index = dict[tuple[str, ...], list[_Row]]
"""Facts of one predicate by the objects in some of their positions."""

_FEW_BINDINGS = 10_000
"""Up to this number of bindings, making them all is quicker than to find out which can be reached.
"""


def reachable(
    operators: Collection[Operator], vocabulary: Vocabulary, derived: Collection[str]
) -> dict[str, set[_Row]]:
    """Return the facts that are reachable if deletions are ignored, if that is worthwhile.

    The positive conjuncts of a precondition (and of the condition of an effect) say when its
    additions hold. Other conjuncts are left out, so more facts may be found than can be reached,
    never fewer.

    Args:
        operators: The action schemas.
        vocabulary: The atoms and facts.
        derived: Predicates that axioms make true; nothing is found out about these.

    Returns:
        Predicate to the arguments of its facts; empty if the static facts leave few bindings, and
        finding out more takes longer than it saves.
    """
    # Bindings are made one by one, and no more of them than are needed to know that they are many.
    bindings_left = _FEW_BINDINGS
    for operator in operators:
        of_operator = islice(instances(operator, vocabulary), bindings_left)
        bindings_left -= sum(1 for _ in of_operator)
    if bindings_left > 0:
        return {}
    return _Reachability(operators, vocabulary, derived).facts


_BATCH = 256
"""Number of instances counted at once: a look at the clock takes longer than most of them."""


@dataclass(slots=True)
class _Match:
    """Compares a fact with an atom under a binding, and binds the atom's free slots.

    Args:
        opened: Position in the fact, the slot that it binds, and the objects that may be there.
        checked: Position in the fact, and the slot that must agree with it.
    """

    opened: list[tuple[int, int, frozenset[str]]]
    checked: list[tuple[int, int]]

    def fits(self, row: _Row, binding: Binding) -> bool:
        """Return whether a fact matches, after binding the free slots."""
        for position, slot, objects in self.opened:
            name = binding[slot] = row[position]
            if name not in objects:
                return False
        return all(row[position] == binding[slot] for position, slot in self.checked)


@dataclass(slots=True)
class _JoinStep:
    """The join of a partial binding with one more atom of a rule.

    Args:
        rows: The facts of the atom's predicate by the key.
        key: Gets the objects in the slots that are bound.
        match: Compares a fact, and binds the other slots.
    """

    rows: _Index
    key: Callable[[Binding], tuple[str, ...]]
    match: _Match


@dataclass(slots=True)
class _Addition:
    """An atom that a rule adds.

    Args:
        predicate: Its predicate.
        row: Gets its arguments from a binding.
        free: Slots that no atom of the rule binds.
        ranges: The objects of these slots.
        slots: Slots that atoms of the rule bind.
    """

    predicate: str
    row: Callable[[Binding], _Row]
    free: list[int]
    ranges: list[tuple[str, ...]]
    slots: frozenset[int]


@dataclass(slots=True)
class _JoinPlan:
    """The evaluation of a rule, starting from one of its atoms.

    Args:
        match: Compares a fact with this atom.
        steps: The joins with the other atoms.
        additions: The atoms that the rule adds.
        binding: The binding to begin with.
        known_at: Number of the steps after which all slots of the additions are bound. Atoms
            behind them only have to hold for some objects.
    """

    match: _Match
    steps: list[_JoinStep]
    additions: list[_Addition]
    binding: Binding
    known_at: int


class _Reachability:
    """Evaluates the rules until nothing new is added.

    Args:
        operators: The action schemas.
        vocabulary: The atoms and facts.
        derived: Predicates that axioms make true.
    """

    def __init__(
        self, operators: Iterable[Operator], vocabulary: Vocabulary, derived: Collection[str]
    ) -> None:
        self._vocabulary = vocabulary
        self._changing = vocabulary.fluents.difference(derived)
        # By predicate: the joins that a new fact of it may extend; and facts by some arguments.
        self._plans: dict[str, list[_JoinPlan]] = {}
        self._indices: dict[tuple[str, tuple[int, ...]], _Index] = {}
        self.facts: dict[str, set[_Row]] = {name: set() for name in self._changing}
        """The facts that were reached."""
        self._queue: list[tuple[str, _Row]] = []
        # Instances that were looked at since the limits were checked.
        self._uncounted = 0
        # Each fact is put into a queue once and joined with all facts before it (semi-naive
        # evaluation), so that no combination is found twice.
        for predicate, arguments in vocabulary.initial:
            self._add(predicate, arguments)
        starts: list[_JoinPlan] = []
        for operator in operators:
            starts += self._enter_rules(operator)
        for plan in starts:
            self._join_from(plan, 0)
        for predicate, row in self._queue:  # grows while it is read
            self._join_with_earlier(predicate, row)
        vocabulary.count(self._uncounted)

    def _join_with_earlier(self, predicate: str, row: _Row) -> None:
        """Join a fact with those taken before it.

        It is entered in the indices first, because a rule may need the same fact twice.
        """
        for (name, positions), rows in self._indices.items():
            if name == predicate:
                rows.setdefault(tuple([row[i] for i in positions]), []).append(row)
        plans = self._plans.get(predicate, ())
        self._count_instances(1 + len(plans))
        for plan in plans:
            if plan.match.fits(row, plan.binding):
                self._join_from(plan, 0)

    def _count_instances(self, instances: int) -> None:
        """Count examined instances, and check the limits at intervals."""
        self._uncounted += instances
        if self._uncounted >= _BATCH:
            self._vocabulary.count(self._uncounted)
            self._uncounted = 0

    def _add(self, predicate: str, row: _Row) -> None:
        """Add a new fact, unless its predicate is not computed."""
        rows = self.facts.get(predicate)
        if rows is not None and row not in rows:
            rows.add(row)
            self._queue.append((predicate, row))

    def _join_from(self, plan: _JoinPlan, depth: int) -> bool:
        """Join the atoms from a depth on.

        From ``known_at`` on all additions are bound: if they were added before, no join is made,
        and the first join that succeeds is enough.

        Returns:
            Whether nothing is left to find out for this binding.
        """
        steps = plan.steps
        binding = plan.binding
        is_bound = depth >= plan.known_at
        if depth == plan.known_at and depth < len(steps) and self._are_additions_known(plan):
            return True
        if depth == len(steps):
            self._add_additions(plan)
            return True
        step = steps[depth]
        for row in step.rows.get(step.key(binding), ()):
            self._count_instances(1)
            if step.match.fits(row, binding) and self._join_from(plan, depth + 1) and is_bound:
                return True
        return False

    def _add_additions(self, plan: _JoinPlan) -> None:
        """Add the additions of a rule for a binding, with every object for a free slot.

        A slot is free if no condition of the rule binds it: the addition then holds for all objects
        of its type.

        Args:
            plan: The rule, with the binding that its join has found.
        """
        binding = plan.binding
        self._count_instances(len(plan.additions))
        for addition in plan.additions:
            if not addition.free:
                self._add(addition.predicate, addition.row(binding))
                continue
            for names in product(*addition.ranges):
                self._count_instances(1)
                for slot, name in zip(addition.free, names, strict=True):
                    binding[slot] = name
                self._add(addition.predicate, addition.row(binding))

    def _are_additions_known(self, plan: _JoinPlan) -> bool:
        """Return whether all additions were reached before."""
        for addition in plan.additions:
            if addition.free or addition.row(plan.binding) not in self.facts[addition.predicate]:
                return False
        return True

    # ------------------------------------------------------------------ rules
    def _enter_rules(self, operator: Operator) -> list[_JoinPlan]:
        """Add the rules of an operator, and return the joins without a changeable atom.

        Such a join is made once; all others begin when a fact is added that one of their atoms
        matches.
        """
        names = [variable.name for variable in operator.parameters]
        starts: list[_JoinPlan] = []
        # The additions under one condition are one rule.
        grouped = groupby(clauses(operator.effect, names), itemgetter(0, 1))
        for (variables, condition), group in grouped:
            added = [clause.atom for clause in group if clause.added]
            if added:
                body = (*conjuncts(operator.precondition), *conjuncts(condition))
                starts += self._enter_rule([*operator.parameters, *variables], body, added)
        return starts

    def _enter_rule(
        self, variables: Sequence[Variable], body: Iterable[Formula], added: Sequence[Atom]
    ) -> list[_JoinPlan]:
        """Add a join plan for each changeable atom of a rule; see :meth:`_enter_rules`.

        Args:
            variables: The variables of the rule: parameters, and those that its effect binds.
            body: Conjuncts of the precondition and of the effect's condition.
            added: The atoms that the effect adds.

        Returns:
            The plan that starts from no atom, if no atom of the rule changes; else nothing.
        """
        lifter = Lifter(self._vocabulary)
        lifter.bind(variables)
        ranges = [self._vocabulary.objects(variable.types) for variable in variables]
        # Without an object for one of its variables the rule has no instance.
        if not all(ranges):
            return []
        atoms = self._joined_atoms(body, lifter)
        bound: set[int] = set()
        for _, slots in atoms:
            bound.update(slots)
        additions = []
        read_by_additions = frozenset[int]()
        for atom in added:
            slots = list(map(lifter.slot, atom.terms))
            addition = _make_addition(atom, slots, ranges, bound)
            additions.append(addition)
            read_by_additions |= addition.slots
        members = [frozenset(names) for names in ranges]
        start = lifter.start[:]
        constants = range(len(ranges), len(start))
        # A new fact may be the last condition of the rule at any of its changeable atoms, so each
        # of these begins a join of its own with all the others.
        is_static = True
        for index, (atom, slots) in enumerate(atoms):
            if atom.predicate not in self._changing:
                continue
            is_static = False
            bound_slots = set(constants)
            match = _make_match(slots, set(), bound_slots, members)
            bound_slots.update(slots)
            others = [*atoms[:index], *atoms[index + 1 :]]
            steps, known_at = self._order_joins(others, bound_slots, members, read_by_additions)
            plan = _JoinPlan(match, steps, additions, start[:], known_at)
            self._plans.setdefault(atom.predicate, []).append(plan)
        if not is_static:
            return []
        steps, known_at = self._order_joins(atoms, set(constants), members, read_by_additions)
        return [_JoinPlan(_Match([], []), steps, additions, start, known_at)]

    def _joined_atoms(
        self, body: Iterable[Formula], lifter: Lifter
    ) -> list[tuple[Atom, list[int]]]:
        """Return the atoms of a rule's body that are joined, each with the slots of its terms.

        The atoms of a very long body are left out from some number on. More facts are reached
        without them, but never fewer.
        """
        atoms: list[tuple[Atom, list[int]]] = []
        for part in body:
            if len(atoms) == NESTING_LIMIT:
                break
            if self._is_joined(part):
                atoms.append((part, list(map(lifter.slot, part.terms))))
        return atoms

    def _is_joined(self, part: Formula) -> TypeGuard[Atom]:
        """Return whether a conjunct is an atom whose facts are known: static, or found here."""
        if not isinstance(part, Atom) or part.predicate in self._vocabulary.definitions:
            return False
        return part.predicate in self._changing or part.predicate not in self._vocabulary.fluents

    def _order_joins(
        self,
        atoms: Sequence[tuple[Atom, list[int]]],
        bound: set[int],
        members: Sequence[frozenset[str]],
        wanted: frozenset[int],
    ) -> tuple[list[_JoinStep], int]:
        """Return a rule's atoms in the order of the join, the most bound ones first.

        Args:
            atoms: The atoms, with the slots of their terms.
            bound: Slots that are bound; those of the atoms are added.
            members: The objects that may be in each slot.
            wanted: Slots of the additions.

        Returns:
            The joins, and how many of them bind all slots that are wanted.
        """
        steps: list[_JoinStep] = []
        unordered = list(atoms)
        known_at = 0

        def rank(entry: tuple[Atom, list[int]]) -> tuple[int, int, bool]:
            """Return what atoms are ordered by: the one that is joined next is the smallest."""
            # Few slots that are new come first, then many that are bound, then static predicates.
            atom, slots = entry
            is_changing = atom.predicate in self._changing
            return len(set(slots) - bound), -len(bound.intersection(slots)), is_changing

        while unordered:
            # As long as a slot of an addition is open, the next join is needed to bind it.
            if not wanted <= bound:
                known_at = len(steps) + 1
            best = min(unordered, key=rank)
            unordered.remove(best)
            atom, slots = best
            positions = tuple([i for i, slot in enumerate(slots) if slot in bound])
            rows = self._index_facts(atom.predicate, positions, len(slots))
            key = _row_getter([slots[i] for i in positions])
            steps.append(_JoinStep(rows, key, _make_match(slots, bound, set(), members)))
            bound.update(slots)
        return steps, known_at

    def _index_facts(self, predicate: str, positions: tuple[int, ...], size: int) -> _Index:
        """Return the facts of a predicate, indexed by the objects in some positions.

        The index of a predicate that changes is empty, and filled as facts are taken.
        """
        if predicate in self._changing:
            return self._indices.setdefault((predicate, positions), {})
        rows: _Index = {}
        for row in sorted(self._vocabulary.static.get(predicate, ())):
            if len(row) == size:
                rows.setdefault(tuple([row[i] for i in positions]), []).append(row)
        return rows


def _make_addition(
    atom: Atom, slots: list[int], ranges: Sequence[tuple[str, ...]], bound: Collection[int]
) -> _Addition:
    """Return an addition of a rule.

    Args:
        atom: The atom that is added.
        slots: For each term the slot of the binding that it stands in; slots behind those of the
            ranges are constants.
        ranges: The objects of each variable slot.
        bound: The slots that conditions of the rule bind.
    """
    variables = {slot for slot in slots if slot < len(ranges)}
    free = sorted(variables.difference(bound))
    named = frozenset(variables.intersection(bound))
    return _Addition(
        atom.predicate, _row_getter(slots), free, [ranges[slot] for slot in free], named
    )


def _make_match(
    slots: Sequence[int],
    keyed: Collection[int],
    bound: Collection[int],
    members: Sequence[frozenset[str]],
) -> _Match:
    """Return the comparison of a fact with an atom.

    Args:
        slots: Slots of the atom's terms.
        keyed: Slots of the key, which agree already.
        bound: Other slots that are bound.
        members: The objects that may be in each slot.
    """
    match = _Match([], [])
    opened = set[int]()
    for position, slot in enumerate(slots):
        if slot in bound or slot in opened:
            match.checked.append((position, slot))
        elif slot not in keyed:
            match.opened.append((position, slot, members[slot]))
            opened.add(slot)
    return match


def _row_getter(slots: Sequence[int]) -> Callable[[Binding], _Row]:
    """Return a function that gets the objects in some slots, as a tuple."""
    if not slots:
        return lambda _: ()
    if len(slots) == 1:
        # `itemgetter` of one slot would return the object alone.
        (slot,) = slots
        return lambda binding: (binding[slot],)
    return itemgetter(*slots)
