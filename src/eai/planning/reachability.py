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

    An addition is reached if the positive conjuncts of its precondition and of its effect's
    condition are. Other conjuncts are ignored, so the result may have facts that are unreachable,
    but it has all reachable ones.

    Args:
        operators: The action schemas.
        vocabulary: The atoms and facts.
        derived: Predicates that axioms make true; they are left out.

    Returns:
        Predicate to the arguments of its facts. Empty if the static facts leave few bindings, since
        the search for reachable facts would then take longer than it saves.
    """
    # Bindings are enumerated only until it is known that there are many.
    bindings_left = _FEW_BINDINGS
    for operator in operators:
        bindings_of_operator = islice(instances(operator, vocabulary), bindings_left)
        bindings_left -= sum(1 for _ in bindings_of_operator)
    if bindings_left > 0:
        return {}
    return _Reachability(operators, vocabulary, derived).facts


_BATCH = 256
"""Number of instances counted at once: a look at the clock takes longer than most of them."""


@dataclass(slots=True)
class _Match:
    """Compares a fact with an atom under a binding, and binds the atom's free slots.

    Args:
        free_slots: Position in the fact, the slot that it binds, and the objects that may be there.
        bound_slots: Position in the fact, and the slot that must hold the same object.
    """

    free_slots: list[tuple[int, int, frozenset[str]]]
    bound_slots: list[tuple[int, int]]

    def fits(self, row: _Row, binding: Binding) -> bool:
        """Bind the free slots to the objects of a fact, and return whether the fact matches."""
        for position, slot, objects in self.free_slots:
            name = binding[slot] = row[position]
            if name not in objects:
                return False
        return all(row[position] == binding[slot] for position, slot in self.bound_slots)


@dataclass(slots=True)
class _JoinStep:
    """The join of a partial binding with one more atom of a rule.

    Args:
        rows: The facts of the atom's predicate, indexed by the objects in the bound slots.
        index_key: Gets the objects in the bound slots from a binding.
        match: Compares a fact, and binds the other slots.
    """

    rows: _Index
    index_key: Callable[[Binding], tuple[str, ...]]
    match: _Match


@dataclass(slots=True)
class _Addition:
    """An atom that a rule adds.

    Args:
        predicate: Its predicate.
        row_of: Gets its arguments from a binding.
        free_slots: Slots that no atom of the rule binds.
        free_objects: The objects that each of these slots may hold.
        bound_slots: Slots that atoms of the rule bind.
    """

    predicate: str
    row_of: Callable[[Binding], _Row]
    free_slots: list[int]
    free_objects: list[tuple[str, ...]]
    bound_slots: frozenset[int]


@dataclass(slots=True)
class _Rule:
    """A rule of Datalog: where facts match all atoms of its body, its additions are reached.

    Args:
        body: The atoms that are joined, each with the slots of its terms.
        additions: The atoms that the rule adds.
        slot_objects: The objects that the slot of each variable may hold. The slots behind these
            are constants.
        binding: The binding to begin with, in which only the constants are bound.
    """

    body: list[tuple[Atom, list[int]]]
    additions: list[_Addition]
    slot_objects: list[frozenset[str]]
    binding: Binding

    def constant_slots(self) -> set[int]:
        """Return the slots that are bound before any join."""
        return set(range(len(self.slot_objects), len(self.binding)))

    def addition_slots(self) -> set[int]:
        """Return the slots that the joins must bind for the additions."""
        slots = set[int]()
        for addition in self.additions:
            slots |= addition.bound_slots
        return slots


@dataclass(slots=True)
class _JoinPlan:
    """The evaluation of a rule, starting from one of its atoms.

    Args:
        match: Compares a fact with this atom.
        steps: The joins with the other atoms.
        additions: The atoms that the rule adds.
        binding: The binding to begin with.
        binding_steps: Number of steps that it takes to bind all slots of the additions. The
            atoms of later steps only have to hold for some objects.
    """

    match: _Match
    steps: list[_JoinStep]
    additions: list[_Addition]
    binding: Binding
    binding_steps: int


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
        """Reach all facts; they are in :attr:`facts` afterwards."""
        self._vocabulary = vocabulary
        self._changing = vocabulary.fluents.difference(derived)
        # By predicate: the joins that a new fact of it may extend; and facts by some arguments.
        self._plans: dict[str, list[_JoinPlan]] = {}
        self._indices: dict[tuple[str, tuple[int, ...]], _Index] = {}
        self.facts: dict[str, set[_Row]] = {name: set() for name in self._changing}
        """The facts that were reached."""
        self._queue: list[tuple[str, _Row]] = []
        # Instances that were examined since the limits were last checked.
        self._uncounted = 0
        # Each fact is put into a queue once and joined with all facts before it (semi-naive
        # evaluation), so that no combination is found twice.
        for predicate, arguments in vocabulary.initial:
            self._add(predicate, arguments)
        static_plans: list[_JoinPlan] = []
        for operator in operators:
            static_plans += self._plan_operator(operator)
        for plan in static_plans:
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

        Args:
            plan: The joins of a rule, with the binding that the atoms before the depth have made.
            depth: Number of steps of the plan that are done. From ``binding_steps`` on all
                additions are bound: if they were added before, no join is made, and the first
                join that succeeds is enough.

        Returns:
            Whether nothing is left to find out for this binding.
        """
        steps = plan.steps
        binding = plan.binding
        # The other steps could only show again that known additions are reached.
        if depth == plan.binding_steps and depth < len(steps) and self._are_additions_known(plan):
            return True
        if depth == len(steps):
            self._add_additions(plan)
            return True
        step = steps[depth]
        are_additions_bound = depth >= plan.binding_steps
        for row in step.rows.get(step.index_key(binding), ()):
            self._count_instances(1)
            if not step.match.fits(row, binding):
                continue
            if self._join_from(plan, depth + 1) and are_additions_bound:
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
            if not addition.free_slots:
                self._add(addition.predicate, addition.row_of(binding))
                continue
            for names in product(*addition.free_objects):
                self._count_instances(1)
                for slot, name in zip(addition.free_slots, names, strict=True):
                    binding[slot] = name
                self._add(addition.predicate, addition.row_of(binding))

    def _are_additions_known(self, plan: _JoinPlan) -> bool:
        """Return whether all additions were reached before."""
        for addition in plan.additions:
            if addition.free_slots:
                return False
            if addition.row_of(plan.binding) not in self.facts[addition.predicate]:
                return False
        return True

    # ------------------------------------------------------------------ rules
    def _plan_operator(self, operator: Operator) -> list[_JoinPlan]:
        """Plan the joins for the rules of an operator.

        Joins that begin with a new fact are stored by its predicate.

        Returns:
            The joins of rules without an atom that can change. These are made once.
        """
        names = [variable.name for variable in operator.parameters]
        static_plans: list[_JoinPlan] = []
        # The additions under one condition are one rule.
        effects_by_condition = groupby(clauses(operator.effect, names), itemgetter(0, 1))
        for (effect_variables, condition), effects in effects_by_condition:
            added = [effect.atom for effect in effects if effect.added]
            if not added:
                continue
            variables = [*operator.parameters, *effect_variables]
            body = (*conjuncts(operator.precondition), *conjuncts(condition))
            rule = self._make_rule(variables, body, added)
            if rule is None:
                continue
            changing_atoms = self._changing_atoms(rule)
            for atom_index in changing_atoms:
                atom, _ = rule.body[atom_index]
                plan = self._plan_from_atom(rule, atom_index)
                self._plans.setdefault(atom.predicate, []).append(plan)
            if not changing_atoms:
                static_plans.append(self._plan_once(rule))
        return static_plans

    def _make_rule(
        self, variables: Sequence[Variable], body: Iterable[Formula], added: Sequence[Atom]
    ) -> _Rule | None:
        """Return a rule with its terms replaced by slots of a binding.

        Args:
            variables: The variables of the rule: parameters, and those that its effect binds.
            body: Conjuncts of the precondition and of the effect's condition.
            added: The atoms that the effect adds.

        Returns:
            The rule; None if there is no object for one of its variables, and so no instance.
        """
        lifter = Lifter(self._vocabulary)
        lifter.bind(variables)
        variable_objects = [self._vocabulary.objects(variable.types) for variable in variables]
        if not all(variable_objects):
            return None
        atoms = self._joined_atoms(body, lifter)
        # Slots of additions that are not in the body are free: they may hold any object.
        slots_of_body: set[int] = set()
        for _, slots in atoms:
            slots_of_body.update(slots)
        additions = []
        for atom in added:
            slots = list(map(lifter.slot, atom.terms))
            additions.append(_make_addition(atom, slots, variable_objects, slots_of_body))
        slot_objects = [frozenset(names) for names in variable_objects]
        return _Rule(atoms, additions, slot_objects, lifter.start[:])

    def _changing_atoms(self, rule: _Rule) -> list[int]:
        """Return the indices of the atoms in a rule's body that can become true.

        A new fact may be the last condition of the rule at any of them, so each begins a join with
        all other atoms.
        """
        indices = []
        for index, (atom, _) in enumerate(rule.body):
            if atom.predicate in self._changing:
                indices.append(index)
        return indices

    def _plan_from_atom(self, rule: _Rule, atom_index: int) -> _JoinPlan:
        """Return the joins that begin with a fact for one atom of a rule's body."""
        _, slots = rule.body[atom_index]
        other_atoms = [*rule.body[:atom_index], *rule.body[atom_index + 1 :]]
        bound_slots = rule.constant_slots()
        match = _make_match(slots, set(), bound_slots, rule.slot_objects)
        bound_slots.update(slots)
        steps, binding_steps = self._order_joins(rule, other_atoms, bound_slots)
        return _JoinPlan(match, steps, rule.additions, rule.binding[:], binding_steps)

    def _plan_once(self, rule: _Rule) -> _JoinPlan:
        """Return the joins of all atoms of a rule, which begin with no fact."""
        steps, binding_steps = self._order_joins(rule, rule.body, rule.constant_slots())
        return _JoinPlan(_Match([], []), steps, rule.additions, rule.binding, binding_steps)

    def _joined_atoms(
        self, body: Iterable[Formula], lifter: Lifter
    ) -> list[tuple[Atom, list[int]]]:
        """Return the atoms of a rule's body that are joined, each with the slots of its terms.

        The atoms of a very long body are left out from some number on. More facts are reached
        without them, but never fewer.
        """
        atoms: list[tuple[Atom, list[int]]] = []
        for conjunct in body:
            if len(atoms) == NESTING_LIMIT:
                break
            if self._is_joined(conjunct):
                atoms.append((conjunct, list(map(lifter.slot, conjunct.terms))))
        return atoms

    def _is_joined(self, part: Formula) -> TypeGuard[Atom]:
        """Return whether a conjunct is an atom whose facts are known: static, or found here."""
        if not isinstance(part, Atom) or part.predicate in self._vocabulary.definitions:
            return False
        return part.predicate in self._changing or part.predicate not in self._vocabulary.fluents

    def _order_joins(
        self, rule: _Rule, atoms: Sequence[tuple[Atom, list[int]]], bound_slots: set[int]
    ) -> tuple[list[_JoinStep], int]:
        """Order atoms of a rule for the join, the most bound ones first.

        Args:
            rule: The rule.
            atoms: The atoms of its body that are still to be joined.
            bound_slots: Slots that are bound; those of the atoms are added.

        Returns:
            The joins, and how many of them it takes to bind all slots of the rule's additions.
        """
        steps: list[_JoinStep] = []
        unordered = list(atoms)
        addition_slots = rule.addition_slots()
        binding_steps = 0

        def join_priority(entry: tuple[Atom, list[int]]) -> tuple[int, int, bool]:
            """Return the sort key of an atom; the smallest is joined next."""
            # Few slots that are new come first, then many that are bound, then static predicates.
            atom, slots = entry
            number_of_new = len(set(slots) - bound_slots)
            number_of_bound = len(bound_slots.intersection(slots))
            return number_of_new, -number_of_bound, atom.predicate in self._changing

        while unordered:
            # As long as a slot of an addition is open, the next join is needed to bind it.
            if not addition_slots <= bound_slots:
                binding_steps = len(steps) + 1
            next_atom = min(unordered, key=join_priority)
            unordered.remove(next_atom)
            atom, slots = next_atom
            positions = tuple([i for i, slot in enumerate(slots) if slot in bound_slots])
            rows = self._index_facts(atom.predicate, positions, len(slots))
            index_key = _row_getter([slots[i] for i in positions])
            match = _make_match(slots, bound_slots, set(), rule.slot_objects)
            steps.append(_JoinStep(rows, index_key, match))
            bound_slots.update(slots)
        return steps, binding_steps

    def _index_facts(self, predicate: str, positions: tuple[int, ...], size: int) -> _Index:
        """Return the facts of a predicate, indexed by the objects in some positions.

        The index of a predicate that changes is empty, and filled as facts are taken.

        Args:
            predicate: The predicate.
            positions: Positions of the arguments that make the key of the index.
            size: Number of arguments; facts with another number are left out.
        """
        if predicate in self._changing:
            return self._indices.setdefault((predicate, positions), {})
        rows: _Index = {}
        for row in sorted(self._vocabulary.static.get(predicate, ())):
            if len(row) == size:
                rows.setdefault(tuple([row[i] for i in positions]), []).append(row)
        return rows


def _make_addition(
    atom: Atom,
    slots: list[int],
    variable_objects: Sequence[tuple[str, ...]],
    slots_of_body: Collection[int],
) -> _Addition:
    """Return an addition of a rule.

    Args:
        atom: The atom that is added.
        slots: The slot of the binding that holds each of its terms.
        variable_objects: The objects of each variable's slot; slots behind these are constants.
        slots_of_body: The slots that conditions of the rule bind.
    """
    variable_slots = {slot for slot in slots if slot < len(variable_objects)}
    free_slots = sorted(variable_slots.difference(slots_of_body))
    return _Addition(
        predicate=atom.predicate,
        row_of=_row_getter(slots),
        free_slots=free_slots,
        free_objects=[variable_objects[slot] for slot in free_slots],
        bound_slots=frozenset(variable_slots.intersection(slots_of_body)),
    )


def _make_match(
    slots: Sequence[int],
    key_slots: Collection[int],
    other_bound_slots: Collection[int],
    slot_objects: Sequence[frozenset[str]],
) -> _Match:
    """Return the comparison of a fact with an atom.

    Args:
        slots: Slots of the atom's terms.
        key_slots: Slots of the key by which facts are looked up: these agree already.
        other_bound_slots: Other slots that are bound.
        slot_objects: The objects that each slot may hold.
    """
    match = _Match([], [])
    newly_bound = set[int]()
    for position, slot in enumerate(slots):
        if slot in other_bound_slots or slot in newly_bound:
            match.bound_slots.append((position, slot))
        elif slot not in key_slots:
            match.free_slots.append((position, slot, slot_objects[slot]))
            newly_bound.add(slot)
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
