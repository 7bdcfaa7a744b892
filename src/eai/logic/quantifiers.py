"""Search plans of quantifiers: the objects to look at, and the order in which to decide the body.

Idea: ``exists`` asks for a binding that makes the body true, ``forall`` for one that makes it
false, so one search serves both. The body is split into *literals* that all must have a wanted
truth value, and each is decided as soon as its variables are bound. For each variable only those
objects are tried (:func:`candidates`) that some trajectory fact allows: the facts are few, the
objects are many.

Invariant: an object that is not a candidate cannot be part of a deciding binding; one that is may
still fail.

Cost: at worst one value of the body for every binding. The plan of a quantifier is made once for
all trajectories.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from eai.logic.expansion import Binding
from eai.logic.formula import Atom, Equal, Proposition, Quantifier
from eai.logic.nodes import Variable
from eai.logic.trace import Trajectory
from eai.logic.tree import Formula, Not

_MAX_DEPTH = 30
"""Maximum depth to which a formula is looked into for candidates."""

Literal = tuple[Formula, bool]
"""A formula and the truth value that is wanted of it."""


@dataclass(frozen=True, slots=True)
class Level:
    """One quantified variable in the order of the search.

    Args:
        variable: Its name.
        decided: The literals of which it is the last free variable: they are decided here.
        constraints: The literals that mention it, decided here or later.
        depends: The names bound before on which the rest of the search depends.
    """

    variable: str
    decided: tuple[Literal, ...]
    constraints: tuple[Literal, ...]
    depends: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SearchPlan:
    """The order in which the variables of a quantifier are bound and tested.

    Args:
        outside: The literals without any of its variables, which are decided first.
        levels: Its variables.
        choices: Quantifiers of which any one decides this one, instead of everything else: one for
            each alternative of a body some of whose alternatives do without some variables. Each
            has fewer bindings to try.
    """

    outside: tuple[Literal, ...] = ()
    levels: tuple[Level, ...] = ()
    choices: tuple[Quantifier, ...] = ()


@lru_cache(maxsize=2048)
def search_plan(quantified: Quantifier) -> SearchPlan:
    """Return the order in which to search for a binding that decides a quantifier.

    Such a binding makes the body of ``exists`` true, or the body of ``forall`` false.
    """
    variables = quantified.variables
    names = [variable.name for variable in variables]
    bodies = _deciding_alternatives(quantified)
    if len(names) > 1 and not all(body.free_names.issuperset(names) for body in bodies):
        choices = [type(quantified)(variables, body) for body in bodies]
        return SearchPlan(choices=tuple(choices))
    # By variable: the literals that can be decided as soon as it is bound.
    decided_by_variable: list[list[Literal]] = [[] for _ in names]
    outside_literals: list[Literal] = []
    for literal in _required_literals(quantified.body, wanted=quantified.wants):
        formula, _ = literal
        mentioned_indices = [
            index for index, name in enumerate(names) if name in formula.free_names
        ]
        # Variables are bound in order, so the last one decides.
        if mentioned_indices:
            decided_by_variable[mentioned_indices[-1]].append(literal)
        else:
            outside_literals.append(literal)
    levels = []
    remaining_literals: list[Literal] = []
    # From the last variable back, so that the literals that are left are at hand.
    for index in reversed(range(len(names))):
        remaining_literals = decided_by_variable[index] + remaining_literals
        levels.append(_make_level(names, index, decided_by_variable[index], remaining_literals))
    levels.reverse()
    return SearchPlan(tuple(outside_literals), tuple(levels))


def _deciding_alternatives(quantified: Quantifier) -> list[Formula]:
    """Return the alternatives of a quantifier's body, each of which decides it alone.

    ``exists x. (f or g)`` has the alternatives ``f`` and ``g``. A body that is no disjunction has
    none.
    """
    split = quantified.body.split(quantified.wants)
    if split is None or split.every:
        return []
    bodies = []
    for operand, wanted in split.parts:
        bodies.append(operand if wanted is quantified.wants else Not(operand))
    return bodies


def _make_level(
    names: Sequence[str], index: int, decided: Sequence[Literal], remaining: Sequence[Literal]
) -> Level:
    """Return the level of a variable.

    Args:
        names: The variables of the quantifier.
        index: The number of the variable.
        decided: The literals that are decided here.
        remaining: The literals that are decided here or later.
    """
    name = names[index]
    mentioned: set[str] = set()
    for formula, _ in remaining:
        mentioned |= formula.free_names
    return Level(
        variable=name,
        decided=tuple(decided),
        constraints=tuple([literal for literal in remaining if name in literal[0].free_names]),
        depends=tuple(sorted(mentioned.difference(names[index:]))),
    )


def _required_literals(formula: Formula, *, wanted: bool) -> Iterator[Literal]:
    """Yield literals that must all have their wanted value, in reading order."""
    split = formula.split(wanted)
    if split is None or not split.every:
        yield formula, wanted
        return
    for operand, operand_value in split.parts:
        yield from _required_literals(operand, wanted=operand_value)


def candidates(
    literals: Iterable[Literal], name: str, *, binding: Binding, trajectory: Trajectory
) -> frozenset[str] | None:
    """Return the objects of a variable for which all literals may have their wanted values.

    Few actions are taken, and their arguments are known, so they exclude most objects. State
    propositions do so if the trajectory knows for which objects they are ever true
    (:meth:`Trace.ever`).

    Args:
        literals: Formulas, each with the truth value that it has to have at some position.
        name: Name of the variable.
        binding: Objects of other variables; those without one may be any object.
        trajectory: The trajectory.

    Returns:
        The objects, perhaps some too many; None if every object is possible.
    """
    question = _Question(name, binding, trajectory, getattr(trajectory, "ever", None))
    return _smallest_set([question.ask(formula, wanted=wanted) for formula, wanted in literals])


def _smallest_set(sets: Iterable[frozenset[str] | None]) -> frozenset[str] | None:
    """Return the smallest set, where None stands for the set of all objects."""
    smallest: frozenset[str] | None = None
    for candidates_of_one in sets:
        if candidates_of_one is None:
            continue
        if smallest is None or len(candidates_of_one) < len(smallest):
            smallest = candidates_of_one
    return smallest


@dataclass(slots=True)
class _Question:
    """The question for which objects of a variable formulas can have a value.

    Args:
        name: The variable.
        binding: The objects of other variables, as far as they are bound.
        trajectory: The trajectory.
        ever: Its method :meth:`Trace.ever`, if it has one.
    """

    name: str
    binding: Binding
    trajectory: Trajectory
    ever: Callable[[str, tuple[str | None, ...], int], frozenset[str] | None] | None

    def ask(self, formula: Formula, *, wanted: bool, depth: int = 0) -> frozenset[str] | None:
        """Return the objects for which a formula can have a value somewhere, or None for all.

        Args:
            formula: The formula.
            wanted: The value.
            depth: Number of formulas that it is inside of.

        Returns:
            The objects, and perhaps more; None if it cannot be told cheaply.
        """
        if isinstance(formula, (Proposition, Equal)):
            if not wanted:
                return None  # most propositions are false for most objects, so this excludes none
            return self._objects_of_proposition(formula)
        condition = formula.needs(wanted)
        if condition is None or depth == _MAX_DEPTH:
            return None
        # On a part without positions a state formula fails for every object, so a failure below a
        # `then` excludes none.
        if formula.has_then and not (
            wanted and all(operand_value for _, operand_value in condition.parts)
        ):
            return None
        # The conditions on the operands are examined with fewer variables bound outside.
        question = self._question_on_operands(formula)
        if question is None:
            return None
        operand_answers = []
        for operand, operand_value in condition.parts:
            operand_answers.append(question.ask(operand, wanted=operand_value, depth=depth + 1))
        if condition.every:  # all are needed, so the smallest set will do
            return _smallest_set(operand_answers)
        return _union(operand_answers)

    def _question_on_operands(self, formula: Formula) -> _Question | None:
        """Return the question about operands, or None if the formula binds the variable."""
        if not formula.variables:
            return self
        bound_names = {variable.name for variable in formula.variables}
        if self.name in bound_names:
            return None
        # A variable that the formula itself binds may be any object inside of it.
        outer_binding = {
            name: object_name
            for name, object_name in self.binding.items()
            if name not in bound_names
        }
        return _Question(self.name, outer_binding, self.trajectory, self.ever)

    def _objects_of_proposition(self, formula: Proposition | Equal) -> frozenset[str] | None:
        """Return the objects for which a proposition is ever true, or None if unknown.

        Only these objects have to be tried for the variable: for ``on(?x)`` the ones that are on at
        some position.
        """
        positions: list[int] = []  # of the variable among the terms
        arguments: list[str | None] = []
        for position, term in enumerate(formula.terms):
            if not isinstance(term, Variable):
                arguments.append(term)
                continue
            if term.name == self.name:
                positions.append(position)
            arguments.append(self.binding.get(term.name))
        if not positions:
            return None
        if isinstance(formula, Atom):
            if self.ever is None:
                return None
            return self.ever(formula.predicate, tuple(arguments), positions[0])
        if isinstance(formula, Equal):
            if len(positions) == 2:
                return None  # (x = x) is true of every object
            opposite_term = arguments[1 - positions[0]]
            return None if opposite_term is None else frozenset({opposite_term})
        return self._objects_of_actions(formula.name, arguments, positions)

    def _objects_of_actions(
        self, action: str, arguments: Sequence[str | None], positions: Sequence[int]
    ) -> frozenset[str]:
        """Return the objects at some positions of the taken actions that match given arguments.

        For ``GRAB(x, table)`` these are the objects that were grabbed from the table.

        Args:
            action: Name of the action.
            arguments: The arguments to match; None where any object will do.
            positions: Indices of the arguments that are collected.
        """
        objects: set[str] = set()
        for _, taken_arguments in self.trajectory.taken(action):
            # An action may be mentioned with another number of arguments than it takes.
            argument_pairs = zip(arguments, taken_arguments, strict=False)
            if not all(
                argument in (None, taken_argument) for argument, taken_argument in argument_pairs
            ):
                continue
            for position in positions:
                if position < len(taken_arguments):
                    objects.add(taken_arguments[position])
        return frozenset(objects)


def _union(sets: Sequence[frozenset[str] | None]) -> frozenset[str] | None:
    """Return the union of sets, where None stands for the set of all objects."""
    union: frozenset[str] = frozenset()
    for candidates_of_one in sets:
        if candidates_of_one is None:
            return None
        union |= candidates_of_one
    return union
