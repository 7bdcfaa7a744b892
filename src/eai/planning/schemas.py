"""Action schemas, their effects, costs and rules, grounded binding by binding.

Idea: a schema is compiled once to functions of a binding (:mod:`eai.planning.lifting`). The
bindings of its parameters are enumerated depth first, one parameter a level; static facts among the
conjuncts of the precondition are joined on the way, so that most bindings are never begun.

Invariant: bindings are counted before they are made, all those below a level at once where no fact
narrows them down. So the limits end an operator with many parameters before it takes long.

Source: grounding by joining static preconditions, as in Helmert, "Concise finite-domain
representations for PDDL planning tasks" (2009), section 6.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, islice
from operator import itemgetter
from typing import NamedTuple

from eai.errors import InputError
from eai.logic import TRUE, Atom, Formula, Rational, Variable, conjuncts
from eai.nesting import NESTING_LIMIT
from eai.pddl import TOTAL_COST, Axiom, Effect, Operator, clauses, cost_clauses
from eai.planning.conditions import IMPOSSIBLE, NOTHING, Condition, conjoin
from eai.planning.lifting import Binding, Builder, Ground, Lifter, Vocabulary, bindings
from eai.planning.task import GroundAction, GroundRule
from eai.world import Action, mask_of

_MIN_IN_OCTETS = 16
"""From this number of literals on a mask is put together in one piece."""

_Count = Callable[[int], None]

_ConditionalLiterals = Sequence[tuple[Condition, int]]
"""Conditions, and the literals that become true under them."""


class _Join(NamedTuple):
    """A static atom of a precondition: the facts of its predicate and the slots of its terms.

    For ``(on ?cup table)`` the facts may be ``{("mug", "table"), ("glass", "shelf")}``.
    """

    facts: set[tuple[str, ...]]
    slots: list[int]

    def column(self, slot: int) -> set[str]:
        """Return the objects that some fact has in a slot."""
        position = self.slots.index(slot)
        return {row[position] for row in self.facts if len(row) == len(self.slots)}

    def partners(self, slot: int, bound_slots: set[int]) -> dict[tuple[str, ...], set[str]]:
        """Return the objects in one slot of the facts, by the objects in the bound slots.

        For the facts ``at(t1, depot)`` and ``at(t2, depot)``, the slot of the first argument, and a
        bound second argument, the result is ``{("depot",): {"t1", "t2"}}``.
        """
        position = self.slots.index(slot)
        bound_positions = []
        for index, other_slot in enumerate(self.slots):
            if other_slot in bound_slots:
                bound_positions.append(index)
        partners: dict[tuple[str, ...], set[str]] = {}
        for row in self.facts:
            # A fact with another number of arguments than the atom can never match it.
            if len(row) == len(self.slots):
                key = tuple([row[index] for index in bound_positions])
                partners.setdefault(key, set()).add(row[position])
        return partners


class Effects:
    """The effects of an action schema.

    Args:
        effect: The effect.
        lifter: Compiles it; the parameters of the schema are bound in it.
        number_of_parameters: Number of the parameters.
    """

    def __init__(self, effect: Effect, lifter: Lifter, *, number_of_parameters: int) -> None:
        """Compile an effect, with one clause for the literals under the same condition."""
        self._count = lifter.vocabulary.count
        self._clauses: list[_EffectClause] = []
        parameter_names = [name[1:] for name in lifter.slots if name.startswith("?")]
        # Literals under one condition are grounded together: the condition is tested once.
        for (variables, condition), clauses_of_condition in groupby(
            clauses(effect, parameter_names), itemgetter(0, 1)
        ):
            outer_slots = dict(lifter.slots)
            literals = [(clause.atom, clause.added) for clause in clauses_of_condition]
            compiled = self._compile_literals(
                variables, condition, literals, lifter, number_of_parameters
            )
            if compiled is not None:
                self._clauses.append(compiled)
            # Variables of the effect are bound inside of it only.
            lifter.leave(outer_slots)

    def _compile_literals(
        self,
        variables: Sequence[Variable],
        condition: Formula,
        literals: Sequence[tuple[Atom, bool]],
        lifter: Lifter,
        number_of_parameters: int,
    ) -> _EffectClause | None:
        """Compile literals under one condition.

        Args:
            variables: The variables that the effect quantifies over.
            condition: The condition.
            literals: Atoms, each with whether the effect adds it.
            lifter: Knows the slots of parameters and constants.
            number_of_parameters: Number of the schema's parameters.

        Returns:
            The compiled clause; None if a variable ranges over nothing.
        """
        variable_slots = lifter.bind(variables)
        objects_by_variable = [lifter.vocabulary.objects(variable.types) for variable in variables]
        if not all(objects_by_variable):
            return None
        compiled_condition: Ground | None = None
        if condition != TRUE:
            compiled_condition = lifter.condition(condition)
        condition_slots = set(map(lifter.slot, condition.free))
        # The outer variables, up to the last one in the condition, are bound one by one. The
        # literals for the inner variables are made all at once.
        number_of_outer = 0
        for index, slot in enumerate(variable_slots, start=1):
            if slot in condition_slots:
                number_of_outer = index
        inner_slots = variable_slots[number_of_outer:]
        inner_objects = objects_by_variable[number_of_outer:]
        mentioned_slots = set(condition_slots)
        compiled_literals = []
        for atom, is_added in literals:
            literal_slots = set(map(lifter.slot, atom.terms))
            mentioned_slots |= literal_slots
            other_objects = _objects_getter(literal_slots.difference(inner_slots))
            # A negative literal is one bit to the left of the positive literal of its atom.
            sign_shift = int(not is_added)
            compiled_literals.append(
                _EffectLiteral(
                    lifter.atom(atom), sign_shift, inner_slots, inner_objects, other_objects
                )
            )
        # The slots of parameters come first, before those of variables and constants.
        mentioned_parameters = {slot for slot in mentioned_slots if slot < number_of_parameters}
        objects_of_parameters: Callable[[Binding], object] | None = None
        if len(mentioned_parameters) < number_of_parameters:
            objects_of_parameters = _objects_getter(mentioned_parameters)
        return _EffectClause(
            compiled_literals,
            compiled_condition,
            variable_slots[:number_of_outer],
            objects_by_variable[:number_of_outer],
            objects_of_parameters,
        )

    def ground(self, binding: Binding) -> tuple[int, tuple[tuple[Condition, int], ...]]:
        """Return the unconditional effects, and those under conditions.

        Args:
            binding: The objects of the action's parameters.

        Returns:
            A mask of literals; and conditions, each with a mask of the literals that it makes true.
        """
        unconditional = 0
        conditional: dict[Condition, int] = {}
        for clause in self._clauses:
            if clause.condition is None:
                for literal in clause.literals:
                    unconditional |= literal.mask(binding, self._count)
                continue
            for condition, literals in clause.ground(binding, clause.condition, self._count):
                # For these objects the condition is true in every state.
                if condition == NOTHING:
                    unconditional |= literals
                else:
                    conditional[condition] = conditional.get(condition, 0) | literals
        return unconditional, tuple(conditional.items())


@dataclass(slots=True)
class _EffectLiteral:
    """A literal for all objects of the variables that are not in its condition.

    Args:
        builder: Returns the position of the atom's positive literal.
        shift: 0 if the literal becomes true, 1 if it becomes false.
        slots: Slots of these variables.
        ranges: Their objects.
        objects_of_others: Gets the objects in the other slots of the atom.
        masks: Masks by the objects in the other slots.
    """

    builder: Builder
    shift: int
    slots: Sequence[int]
    ranges: Sequence[tuple[str, ...]]
    objects_of_others: Callable[[Binding], object]
    masks: dict[object, int] = field(default_factory=dict)

    def mask(self, binding: Binding, count: _Count) -> int:
        """Return a mask of the instances of an effect, for a binding of the other variables.

        Masks are cached by the terms that are not quantified, as many actions share them.
        """
        builder = self.builder
        shift = self.shift
        if not self.slots:
            return 1 << builder(binding) + shift
        key = self.objects_of_others(binding)
        mask = self.masks.get(key)
        if mask is None:
            instances = bindings(binding, self.slots, self.ranges, count)
            mask = self.masks[key] = _mask([builder(binding) + shift for _ in instances])
        return mask


@dataclass(slots=True)
class _EffectClause:
    """Literals that become true under the same condition.

    Args:
        literals: The literals.
        condition: The condition; None if they always become true.
        slots: Slots of the quantified variables up to the last that the condition is about.
        ranges: Their objects.
        objects_of_mentioned: Gets the objects of the parameters that occur; None if all do.
        instances: Ground instances by these objects.
    """

    literals: Sequence[_EffectLiteral]
    condition: Ground | None
    slots: Sequence[int]
    ranges: Sequence[tuple[str, ...]]
    objects_of_mentioned: Callable[[Binding], object] | None
    instances: dict[object, _ConditionalLiterals] = field(default_factory=dict)

    def ground(self, binding: Binding, condition: Ground, count: _Count) -> _ConditionalLiterals:
        """Return the ground instances for a binding of the parameters.

        They are cached by the objects of those parameters that the clause mentions, because many
        actions share these.
        """
        if self.objects_of_mentioned is None:  # the clause mentions all parameters
            return self._ground(binding, condition, count)
        key = self.objects_of_mentioned(binding)
        instances = self.instances.get(key)
        if instances is None:
            instances = self.instances[key] = self._ground(binding, condition, count)
        return instances

    def _ground(self, binding: Binding, condition: Ground, count: _Count) -> _ConditionalLiterals:
        """Compute the ground instances: each ground condition, with its literals as a mask.

        Args:
            binding: Objects by slot; those of the clause's own slots are changed.
            condition: Makes the ground condition of a binding.
            count: Counts what is made, and raises at a limit.
        """
        # Ground conditions are numbered as they are met; masks[number] are the literals under one.
        mask_indices: dict[Condition, int] = {}
        masks: list[int] = []
        # The objects of each instance whose condition can hold, with the condition's number.
        instances: list[tuple[list[str], int]] = []
        first_literal, *other_literals = self.literals
        for _ in bindings(binding, self.slots, self.ranges, count):
            when = condition(binding)
            if 0 in when.clauses:
                continue
            mask_index = mask_indices.setdefault(when, len(masks))
            if mask_index == len(masks):
                masks.append(0)
            masks[mask_index] |= first_literal.mask(binding, count)
            instances.append(([binding[slot] for slot in self.slots], mask_index))
        # Literals are made one after the other, so that their atoms are numbered in this order.
        count(len(other_literals) * len(instances))
        for literal in other_literals:
            for objects, mask_index in instances:
                for slot, name in zip(self.slots, objects, strict=True):
                    binding[slot] = name
                masks[mask_index] |= literal.mask(binding, count)
        return list(zip(mask_indices, masks, strict=True))


def _objects_getter(slots: Collection[int]) -> Callable[[Binding], object]:
    """Return a function that gets the objects in some slots of a binding; None without slots."""
    if not slots:
        return lambda _: None
    return itemgetter(*sorted(slots))


def _mask(positions: Sequence[int]) -> int:
    """Return a mask with some bits set.

    To set many bits of an integer one by one copies it each time, which is quadratic.
    """
    if len(positions) < _MIN_IN_OCTETS:
        return mask_of(positions)
    octets = bytearray(max(positions) // 8 + 1)
    for position in positions:
        octets[position >> 3] |= 1 << (position & 7)
    return int.from_bytes(octets, "little")


def actions_of(
    operator: Operator,
    vocabulary: Vocabulary,
    *,
    values: Mapping[Atom, float],
    minimize: bool,
    count_actions: _Count,
) -> Iterator[GroundAction]:
    """Yield the ground actions of an operator that static facts permit.

    An action that would add a function term without a value to the total cost cannot be done.

    Args:
        operator: The operator.
        vocabulary: The atoms and facts.
        values: Function terms with their values.
        minimize: Whether actions cost what they add to the total cost; else each costs 1.
        count_actions: Counts actions before they are made.
    """
    lifter = Lifter(vocabulary)
    number_of_parameters = len(lifter.bind(operator.parameters))
    condition = lifter.condition(operator.precondition)
    effects = Effects(operator.effect, lifter, number_of_parameters=number_of_parameters)
    costs = _Costs(operator.effect, lifter, values)
    # The number of conditions and effects, before quantifiers are expanded.
    nodes_to_visit = _node_count(operator.precondition)
    for clause in clauses(operator.effect):
        nodes_to_visit += 1 + _node_count(clause.condition)

    def count_bindings(number_of_bindings: int) -> None:
        """Count bindings, and the work of looking at all conditions for each."""
        count_actions(number_of_bindings)
        vocabulary.count(number_of_bindings * nodes_to_visit)

    for binding in _enumerate_bindings(
        operator.parameters, operator.precondition, lifter, count_bindings
    ):
        precondition = condition(binding)
        if precondition is IMPOSSIBLE or 0 in precondition.clauses:
            continue
        # Costs are looked up only now, because most bindings fail the condition.
        cost = costs.ground(binding)
        if cost is None:
            continue
        if cost.needed:
            precondition = conjoin((precondition, *cost.needed))
        if not minimize:
            cost = _GroundCost([], 1.0, ())
        action = Action(operator.name, tuple(binding[:number_of_parameters]))
        effect = effects.ground(binding)
        yield GroundAction(action, precondition, *effect, cost.fixed, cost.conditional)


def _node_count(formula: Formula) -> int:
    """Return the number of nodes of a formula."""
    return sum(1 for _ in formula.walk())


def instances(operator: Operator, vocabulary: Vocabulary) -> Iterator[Binding]:
    """Yield the bindings of an operator's parameters that the static facts allow, one by one."""
    lifter = Lifter(vocabulary)
    lifter.bind(operator.parameters)
    return _enumerate_bindings(operator.parameters, operator.precondition, lifter, lambda _: None)


def rules_of(axiom: Axiom, vocabulary: Vocabulary) -> Iterator[GroundRule]:
    """Yield the ground instances of a rule that static facts permit.

    Args:
        axiom: The rule.
        vocabulary: Objects, facts and numbers of atoms.
    """
    lifter = Lifter(vocabulary)
    lifter.bind(axiom.parameters)
    body = lifter.condition(axiom.body)
    head = lifter.atom(axiom.head)
    for binding in _enumerate_bindings(axiom.parameters, axiom.body, lifter, vocabulary.count):
        required = body(binding)
        # An empty clause is false: this body never holds.
        if 0 not in required.clauses:
            yield GroundRule(required, 1 << head(binding))


# ---------------------------------------------------------------------- costs
class _CompiledCost(NamedTuple):
    """One increase of the total cost, compiled.

    Args:
        slots: Slots of its quantified variables.
        ranges: Their objects.
        when: When it arises; None if it always does.
        unless: The negation of ``when``.
        amount: A number, or a function and the slots of its arguments.
    """

    slots: Sequence[int]
    ranges: Sequence[tuple[str, ...]]
    when: Ground | None
    unless: Ground | None
    amount: float | tuple[str, Sequence[int]]


class _GroundCost(NamedTuple):
    """The cost of a ground action.

    Args:
        needed: Conditions without which a function term would be needed that has no value.
        fixed: The amount that always arises.
        conditional: Amounts that arise under conditions.
    """

    needed: Sequence[Condition]
    fixed: float
    conditional: tuple[tuple[Condition, float], ...]


class _Costs:
    """The amounts that the actions of a schema add to the total cost."""

    def __init__(self, effect: Effect, lifter: Lifter, values: Mapping[Atom, float]) -> None:
        """Compile the increases of the total cost in an effect.

        Args:
            effect: The effect of the schema.
            lifter: Compiles it; the parameters of the schema are bound in it.
            values: Function terms with their values.
        """
        self._values = values
        self._count = lifter.vocabulary.count
        self._costs: list[_CompiledCost] = []
        parameter_names = [name[1:] for name in lifter.slots if name.startswith("?")]
        for variables, condition, amount in cost_clauses(effect, parameter_names):
            outer_slots = dict(lifter.slots)
            slots = lifter.bind(variables)
            objects_by_variable = [
                lifter.vocabulary.objects(variable.types) for variable in variables
            ]
            # ``unless`` is the negation of ``when``. It is needed where the amount is undefined.
            when = unless = None
            if condition != TRUE:
                when = lifter.condition(condition)
                unless = lifter.condition(condition, wanted=False)
            compiled = _compile_amount(amount, lifter)
            self._costs.append(_CompiledCost(slots, objects_by_variable, when, unless, compiled))
            # Variables of the cost are bound inside of it only.
            lifter.leave(outer_slots)

    def ground(self, binding: Binding) -> _GroundCost | None:
        """Return the cost of an action, or None if the cost is undefined.

        Fixed costs are added up. A conditional cost keeps its condition. If a cost is undefined
        under a condition, the action requires that this condition is false.

        Args:
            binding: The objects of the action's parameters.
        """
        required_conditions: list[Condition] = []
        fixed_cost = 0.0
        conditional_costs: dict[Condition, float] = {}
        for cost in self._costs:
            for _ in self._instances(cost, binding):
                amount = self._amount_of(cost, binding)
                condition = NOTHING if cost.when is None else cost.when(binding)
                if condition is IMPOSSIBLE or 0 in condition.clauses:
                    continue
                # An undefined amount makes the action impossible, but only where it would arise.
                if amount is None:
                    if cost.unless is None or condition == NOTHING:
                        return None
                    required_conditions.append(cost.unless(binding))
                elif condition == NOTHING:
                    # The condition always holds, so the cost is the same in every state.
                    fixed_cost += amount
                else:
                    conditional_costs[condition] = conditional_costs.get(condition, 0.0) + amount
        return _GroundCost(required_conditions, fixed_cost, tuple(conditional_costs.items()))

    def _instances(self, cost: _CompiledCost, binding: Binding) -> Iterator[None]:
        """Put the objects of a cost's variables into a binding, one combination after the other."""
        if not cost.slots:  # not counted: most costs have no variables
            return iter((None,))
        return bindings(binding, cost.slots, cost.ranges, self._count)

    def _amount_of(self, cost: _CompiledCost, binding: Binding) -> float | None:
        """Return the amount of a cost, or None if its function term has no value."""
        if not isinstance(cost.amount, tuple):
            return cost.amount
        function, slots = cost.amount
        return self._values.get(Atom(function, tuple([binding[slot] for slot in slots])))


def _compile_amount(
    amount: float | Rational | Atom, lifter: Lifter
) -> float | tuple[str, Sequence[int]]:
    """Return the amount of a cost as it is looked up for each action.

    That is a number; or a function and, for each of its arguments, the slot of the binding.

    Raises:
        InputError: If the amount is the total cost itself.
    """
    if not isinstance(amount, Atom):
        return float(amount)
    if amount == TOTAL_COST:
        raise InputError("an action adds the total cost to itself", where="effect")
    return amount.predicate, list(map(lifter.slot, amount.terms))


# ---------------------------------------------------------------------- bindings
class _Level(NamedTuple):
    """One parameter in the order of binding.

    Args:
        slot: Its slot.
        candidates: Its objects.
        bound: Slots bound before it, by which a fact narrows its objects down.
        partners: The candidates that some fact leaves, by the objects in these slots; None if no
            fact narrows them down.
        checks: Facts that can be tested when it is bound.
    """

    slot: int
    candidates: Sequence[str]
    bound: list[int]
    partners: Mapping[tuple[str, ...], Sequence[str]] | None
    checks: list[_Join]

    @property
    def is_narrowed(self) -> bool:
        """Whether a fact rules some of its objects out."""
        return self.partners is not None or bool(self.checks)

    def names(self, binding: Binding, count: _Count) -> Iterator[str]:
        """Yield the candidates that are compatible with the objects bound before."""
        names = self.candidates
        if self.partners is not None:
            names = self.partners.get(tuple([binding[slot] for slot in self.bound]), ())
        count(len(names))
        return iter(names)


def _enumerate_bindings(
    parameters: Sequence[Variable], condition: Formula, lifter: Lifter, count: _Count
) -> Iterator[Binding]:
    """Yield the bindings that satisfy the static conjuncts of a condition.

    Bindings are counted before they are made. If no fact restricts the parameters from some level
    on, all their combinations are counted at once. So the search stops at a limit before it begins
    to enumerate the combinations of many parameters.
    """
    joins = []
    for conjunct in conjuncts(condition):
        if isinstance(conjunct, Atom):
            facts = lifter.vocabulary.facts(conjunct.predicate)
            if facts is not None:
                joins.append(_Join(facts, list(map(lifter.slot, conjunct.terms))))
    levels = _order_parameters(parameters, joins, lifter)
    # Number of the bindings from a level on; 0 if facts narrow them down.
    counts_from_level = [1]
    for level in reversed(levels):
        if level.is_narrowed:
            counts_from_level.append(0)
        else:
            counts_from_level.append(counts_from_level[-1] * len(level.candidates))
    counts_from_level.reverse()
    return _walk_levels(levels, counts_from_level, lifter.start[:], count, lifter.vocabulary.count)


def _order_parameters(
    parameters: Sequence[Variable], joins: Sequence[_Join], lifter: Lifter
) -> list[_Level]:
    """Return the parameters in the order of binding.

    Greedily, restricted parameters come first, and then those with few objects.
    """
    levels: list[_Level] = []
    # The first parameters have the slots 0, 1, and so on; constants have those behind them.
    unordered = dict(enumerate(parameters))
    if len(parameters) > NESTING_LIMIT:
        # Only the first are compared below, so those that facts restrict have to be among them.
        restricted = {slot for join in joins for slot in join.slots}
        unordered = dict(sorted(unordered.items(), key=lambda item: item[0] not in restricted))
    bound = set(range(len(parameters), len(lifter.start)))  # the constants
    while unordered:
        # Of very many parameters only the first are compared: each of all with all takes long.
        candidates = [
            _make_level(slot, variable, bound, joins, lifter)
            for slot, variable in islice(unordered.items(), NESTING_LIMIT)
        ]
        next_level = min(
            candidates, key=lambda level: (level.partners is None, len(level.candidates))
        )
        levels.append(next_level)
        del unordered[next_level.slot]
        bound.add(next_level.slot)
    return levels


def _walk_levels(
    levels: Sequence[_Level],
    counts_from_level: Sequence[int],
    binding: Binding,
    count: _Count,
    count_looks: _Count,
) -> Iterator[Binding]:
    """Yield the bindings depth first, with a stack because actions may have many parameters.

    Args:
        levels: The parameters in the order of binding.
        counts_from_level: Number of the bindings from each level on; 0 if facts narrow them down.
        binding: Objects by slot, those of the constants filled in. The same list is yielded each
            time, with other objects.
        count: Counts bindings before they are made.
        count_looks: Counts the objects that are tried.
    """
    if counts_from_level[0]:
        count(counts_from_level[0])
    if not levels:
        yield binding
        return
    # The stack has an iterator over the remaining candidates for each level that was entered.
    stack = [levels[0].names(binding, count_looks)]
    while stack:
        depth = len(stack)
        level = levels[depth - 1]
        for name in stack[-1]:
            binding[level.slot] = name
            # "break" and "else" below: an object that disagrees with a fact is skipped.
            for facts, slots in level.checks:
                if tuple([binding[slot] for slot in slots]) not in facts:
                    break
            else:
                # No fact narrows the levels below down, but one narrows this level down: the
                # bindings below were not counted yet.
                if counts_from_level[depth] and not counts_from_level[depth - 1]:
                    count(counts_from_level[depth])
                if depth < len(levels):
                    stack.append(levels[depth].names(binding, count_looks))
                    break
                yield binding
        else:
            stack.pop()


def _make_level(
    slot: int, variable: Variable, bound_slots: set[int], joins: Sequence[_Join], lifter: Lifter
) -> _Level:
    """Return a parameter as the next level of the enumeration.

    Args:
        slot: The parameter's slot.
        variable: The parameter.
        bound_slots: Slots that are bound on the levels before, and those of the constants.
        joins: The static atoms of the precondition.
        lifter: Knows the objects of each type.
    """
    candidates = lifter.vocabulary.objects(variable.types)
    checks: list[_Join] = []
    narrowing: list[_Join] = []
    for join in joins:
        if slot not in join.slots:
            continue
        possible_objects = join.column(slot)
        candidates = tuple([name for name in candidates if name in possible_objects])
        # Once this parameter has an object, all arguments of the join are known.
        if bound_slots.issuperset(set(join.slots) - {slot}):
            checks.append(join)
        if not bound_slots.isdisjoint(join.slots):
            narrowing.append(join)
    if not narrowing:
        return _Level(slot, candidates, [], None, checks)
    # The join with the most bound slots leaves the fewest partners.
    narrowest = max(narrowing, key=lambda join: len(bound_slots.intersection(join.slots)))
    key_slots = [join_slot for join_slot in narrowest.slots if join_slot in bound_slots]
    partners = _sort_partners(narrowest.partners(slot, bound_slots), candidates)
    return _Level(slot, candidates, key_slots, partners, checks)


def _sort_partners(
    partners: Mapping[tuple[str, ...], set[str]], candidates: Sequence[str]
) -> dict[tuple[str, ...], list[str]]:
    """Return partners that are candidates, in their order.

    Sets have no order of their own: the order of declaration keeps results the same.

    Args:
        partners: Objects of a parameter, by the objects of the bound slots.
        candidates: The objects that the parameter may be, in the order of declaration.
    """
    index_of = {name: index for index, name in enumerate(candidates)}
    ordered = {}
    for objects, names in partners.items():
        ordered[objects] = sorted(names.intersection(index_of), key=index_of.__getitem__)
    return ordered
