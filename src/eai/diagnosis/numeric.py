"""Numeric conditions that do not hold, in words: the values compared, and where they are from.

Idea: a condition is taken apart along the operands that decide its value in a state, through
quantifiers and derived predicates, down to the comparisons on which it rests.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import lru_cache
from itertools import chain

from eai.logic import (
    Atom,
    Formula,
    NumericCondition,
    Quantifier,
    bindings,
    format_number,
)
from eai.world import Key, NumberChange, State, Trajectory, UndefinedError, World, numbers_of

_MAX_COMPARISONS = 4
"""Maximum number of comparisons that are told of one condition."""


def values_told(
    trajectory: Trajectory, formula: Formula, *, write: Callable[[Atom], str] = str
) -> str:
    """Return in words which comparisons decide a formula, and which steps set their values.

    Args:
        trajectory: The execution; the formula is evaluated in its final state.
        formula: A condition of a state. For a temporal formula the result is "".
        write: Returns a function term as text; by default in the notation of formulas.

    Examples:
        ``3 >= 5 is false; fuel(truck) went from 7 to 3 at step 4``
    """
    state = trajectory.final
    if state.numbers is None or formula.free or formula.is_temporal:
        return ""
    # The keys are the comparisons that are shown, each once; the values are their words.
    sentences: dict[NumericCondition, str] = {}
    has_more = False
    for comparison in _ComparisonFinder(trajectory.world, state).comparisons(formula):
        # A comparison with an undefined value does not use up one of the few shown places.
        sentence = _compared(trajectory, state, comparison)
        if not sentence or comparison in sentences:
            continue
        if len(sentences) == _MAX_COMPARISONS:
            has_more = True
            break
        sentences[comparison] = sentence
    # Two comparisons may read alike, and have terms in common: each is told once.
    clauses = list(dict.fromkeys(sentences.values()))
    if has_more:
        clauses.append("and others")
    terms = dict.fromkeys(chain.from_iterable(shown.function_terms for shown in sentences))
    return "; ".join([*clauses, *_last_changes(trajectory, state, terms, write)])


def leads_to_numbers(world: World, formula: Formula) -> bool:
    """Return whether a formula compares numbers, itself or by a derived predicate."""
    return _leads_to(_numeric_predicates(world), formula)


@lru_cache(maxsize=16)
def _numeric_predicates(world: World) -> frozenset[str]:
    """Return the derived predicates that depend on numbers, directly or through other ones."""
    if not world.layout.functions:
        return frozenset()
    numeric_predicates: set[str] = set()
    # A least fixed point: each round may add predicates on which further rules depend.
    is_growing = True
    while is_growing:
        size_before = len(numeric_predicates)
        for axiom in world.domain.axioms:
            if _leads_to(numeric_predicates, axiom.body):
                numeric_predicates.add(axiom.head.predicate)
        is_growing = len(numeric_predicates) > size_before
    return frozenset(numeric_predicates)


def _leads_to(numeric_predicates: Collection[str], formula: Formula) -> bool:
    """Return whether a formula compares numbers, directly or by some predicates."""
    for node in formula.walk():
        if isinstance(node, NumericCondition):
            return True
        if isinstance(node, Atom) and node.predicate in numeric_predicates:
            return True
    return False


class _ComparisonFinder:
    """Finds the comparisons that decide a condition in a state.

    Args:
        world: The world.
        state: The state.
    """

    def __init__(self, world: World, state: State) -> None:
        self._world = world
        self._state = state
        self._numeric = _numeric_predicates(world)
        # Derived atoms that were taken apart already: axioms may be recursive.
        self._unfolded: set[Atom] = set()

    def comparisons(self, formula: Formula) -> Iterator[NumericCondition]:
        """Yield the comparisons on which a ground condition depends."""
        if isinstance(formula, NumericCondition):
            yield formula
        else:
            yield from self._deciding_comparisons(formula, self._world.holds(self._state, formula))

    def _deciding_comparisons(self, formula: Formula, value: bool) -> Iterator[NumericCondition]:
        """Yield the numeric comparisons that give a condition its truth value.

        If ``(and (>= (fuel) 5) (on lamp))`` is false because the fuel is 3, that is
        ``(>= (fuel) 5)``.

        Args:
            formula: The condition.
            value: Its truth value in the state.
        """
        if isinstance(formula, NumericCondition):
            yield formula
            return
        if isinstance(formula, Atom):
            yield from self._comparisons_in_axioms(formula, value)
            return
        if isinstance(formula, Quantifier):
            instance_bodies = (formula.body.substitute(env) for env in self._bindings(formula))
            yield from self._comparisons_in_operands(
                instance_bodies, value, is_every_needed=formula.wants is not value
            )
            return
        split = formula.split(value)
        if split is None:
            return
        for operand, wanted in split.parts:
            # Where one operand decides, the others are passed over.
            is_deciding = split.every or self._world.holds(self._state, operand) is wanted
            if not is_deciding:
                continue
            yield from self._deciding_comparisons(operand, wanted)
            # One true operand explains a disjunction; of a conjunction all false ones are told.
            if value and not split.every:
                return

    def _comparisons_in_operands(
        self, operands: Iterable[Formula], value: bool, *, is_every_needed: bool
    ) -> Iterator[NumericCondition]:
        """Yield the comparisons that decide several operands together.

        Args:
            operands: The parts, such as the operands of a conjunction.
            value: The truth value that is to be explained.
            is_every_needed: Whether all operands have this value, as in a true conjunction; else
                the first one that has it explains it, as in a false conjunction.
        """
        for operand in operands:
            if is_every_needed:
                yield from self._deciding_comparisons(operand, value)
            elif self._world.holds(self._state, operand) is value:
                yield from self._deciding_comparisons(operand, value)
                return

    def _bindings(self, formula: Quantifier) -> Iterator[dict[str, str]]:
        """Yield the bindings of a quantifier."""
        for binding in bindings(formula.variables, self._state.universe.of_types, {}):
            yield {name: str(value) for name, value in binding.items()}

    def _comparisons_in_axioms(self, atom: Atom, value: bool) -> Iterator[NumericCondition]:
        """Yield the comparisons in the axioms of an atom.

        A true atom is decided by one axiom that derives it, and a false one by all of them, as each
        fails. An atom is unfolded only once, since axioms may be recursive.
        """
        if atom in self._unfolded or atom.predicate not in self._numeric:
            return
        self._unfolded.add(atom)
        bodies = self._world.domain.bodies_for(atom)
        yield from self._comparisons_in_operands(bodies, value, is_every_needed=not value)


def _compared(trajectory: Trajectory, state: State, condition: NumericCondition) -> str:
    """Return a comparison with its numbers and result: ``3 >= 5 is false``.

    Args:
        trajectory: The execution, with the world that computes values.
        state: The state in which both sides are evaluated.
        condition: The comparison.

    Returns:
        The text; empty if a value is undefined.
    """
    try:
        left = trajectory.world.value(state, condition.left)
        right = trajectory.world.value(state, condition.right)
    except UndefinedError:
        return ""
    truth = "false"
    if trajectory.world.holds(state, condition):
        truth = "true"
    return f"{format_number(left)} {condition.sign} {format_number(right)} is {truth}"


def _last_changes(
    trajectory: Trajectory, state: State, terms: Iterable[Atom], write: Callable[[Atom], str]
) -> Iterator[str]:
    """Yield the last step that changed each function term, with the value before.

    For instance ``fuel(t1) went from 5 to 3 at step 2``. Unchanged terms are left out.

    Args:
        trajectory: The execution.
        state: A state, which knows the keys of terms.
        terms: The function terms.
        write: Returns a term as text.
    """
    for term in terms:
        key = state.key_of(term)
        # From the end on: earlier changes do not say where the value comes from.
        for step in reversed(trajectory.steps):
            change = _change_of(numbers_of(step.changes), key)
            if change is None:
                continue
            new_value = format_number(change.new)
            if change.old is None:
                yield f"{write(term)} became {new_value} at step {step.number}"
            else:
                old_value = format_number(change.old)
                yield f"{write(term)} went from {old_value} to {new_value} at step {step.number}"
            break


def _change_of(changes: Iterable[NumberChange], key: Key) -> NumberChange | None:
    """Return the change of a function term by a step, or None."""
    for change in changes:
        if change.key == key:
            return change
    return None
