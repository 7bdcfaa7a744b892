"""Goals as they were read, and what their names mean in the task."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, product
from types import MappingProxyType
from typing import TYPE_CHECKING

from eai.answers import (
    LONGEST_NAME,
    NameIndex,
    loose,
    near_hint,
    no_action,
    shorten,
    split_id,
)
from eai.diagnosis import ErrorKind, Finding
from eai.errors import nearest
from eai.logic import Atom, Formula, Not
from eai.task import Vocabulary
from eai.text import counted

if TYPE_CHECKING:
    from eai.answers import Surfaces
    from eai.answers.surfaces import Mention


@dataclass(frozen=True, slots=True)
class ReadGoal:
    """One goal, as the model wrote it."""

    kind: str  # "state", "relation" or "action" by its section; empty if it has none
    name: str  # the state, the relation or the action; empty if it cannot be read
    arguments: tuple[str, ...] = ()
    negated: bool = False  # it shall be false
    text: str = ""  # how it is shown: the goal, or the piece of the answer that cannot be read
    position: int | None = None  # 0-based offset in the answer

    def opposite(self) -> ReadGoal:
        """Return the goal that the same shall be false, or true if this one negates it."""
        return replace(self, negated=not self.negated)

    def __str__(self) -> str:
        if self.text:
            return self.text
        term = f"{self.name}({', '.join(self.arguments)})" if self.arguments else self.name
        return f"not {term}" if self.negated else term


@dataclass(frozen=True, slots=True)
class GoalReading:
    """The goals of an answer, before their names are looked up."""

    goals: tuple[ReadGoal, ...] = ()  # in order, with those that cannot be read
    problem: Finding | None = None  # why the answer as a whole cannot be used
    notes: tuple[str, ...] = ()  # what was left out or repaired
    status: str = "clean"  # as that of a plan: clean, chosen, partial or none
    rule: str = ""  # the rule that chose them, if there were others

    @classmethod
    def unusable(
        cls,
        message: str,
        kind: ErrorKind = ErrorKind.PARSING,
        *,
        position: int | None = None,
        notes: tuple[str, ...] = (),
    ) -> GoalReading:
        """Return a reading without goals, for something that is wrong with the answer as a whole.

        Args:
            message: What is wrong.
            kind: Kind of the error.
            position: Offset of it in the answer, if it has one.
            notes: What was read generously before.
        """
        return cls((), Finding(kind, message, position=position), notes, "none")


MOST_MEANINGS = 10_000
"""So many meanings of one goal are considered."""

MAX_ARITY = 3
"""Maximum number of objects of a predicate that a goal may name."""

_NO_ALIASES: Mapping[tuple[str, int], str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class PredictedGoal:
    """A goal of an answer about the final state."""

    kind: str  # "state" or "relation", or "other" where that cannot be said
    text: str  # as the model wrote it
    predicate: str  # the one that it means, or as written if it means none
    terms: tuple[tuple[str, ...], ...]  # what each argument can mean, the most likely first
    negated: bool = False  # it shall be false
    usable: bool = True  # all its names are known

    @property
    def certain(self) -> bool:
        """Whether it can mean only one thing."""
        return all(len(term) == 1 for term in self.terms)

    def literals(self) -> Iterator[Formula]:
        """All that it can mean, the most likely first."""
        for terms in islice(product(*self.terms), MOST_MEANINGS):
            atom = Atom(self.predicate, terms)
            yield Not(atom) if self.negated else atom

    @classmethod
    def unusable(cls, goal: ReadGoal) -> PredictedGoal:
        """Return the rest of a goal that means nothing in the task."""
        terms = tuple((name,) for name in goal.arguments or (str(goal),))
        kind = goal.kind or "other"
        return cls(kind, str(goal), goal.name, terms, goal.negated, usable=False)


class GoalNames:
    """Looks up the names of goals.

    Names are taken loosely: letter case, blanks and punctuation do not matter. An object may be
    named by its class; it then means any object of that class.

    Args:
        vocabulary: The names of the task.
        aliases: Other names of predicates: the name (lower case, letters and digits only) and
            the arity, to the predicate.
    """

    def __init__(
        self, vocabulary: Vocabulary, *, aliases: Mapping[tuple[str, int], str] = _NO_ALIASES
    ) -> None:
        self.vocabulary = vocabulary
        self._aliases = aliases

    @cached_property
    def index(self) -> NameIndex:
        """The names of actions and objects."""
        return NameIndex(self.vocabulary)

    @cached_property
    def _predicates(self) -> dict[tuple[str, int], str]:
        known = self.vocabulary.predicates.items()
        return {**{(loose(name), arity): name for name, arity in known}, **self._aliases}

    def arities(self, name: str) -> set[int]:
        """Return how many objects the predicates of a name take; empty if there are none."""
        plain = loose(name)
        return {arity for arity in range(MAX_ARITY + 1) if (plain, arity) in self._predicates}

    def has_predicate(self, name: str, arity: int) -> bool:
        """Whether there is a predicate with a name and a number of objects."""
        return (loose(name), arity) in self._predicates

    def is_action(self, name: str) -> bool:
        """Whether a name is that of an action."""
        action_name, _ = self.index.find_action(name)
        return action_name is not None

    def is_known(self, name: str) -> bool:
        """Whether a name is that of a predicate, an action or an object."""
        return bool(self.arities(name) or self.is_action(name) or self.objects(name))

    @property
    def is_empty(self) -> bool:
        """Whether no names are known."""
        return not self._predicates

    def written(self) -> Iterable[str]:
        """Return the names of objects as answers may write them."""
        return (*self.vocabulary.classes, *self.vocabulary.objects)

    @cached_property
    def _surfaces(self) -> Surfaces:
        from eai.answers import Surfaces  # only prose has to be searched for names

        predicates = (name for name, _ in self._predicates)
        names = (*predicates, *self.vocabulary.actions, *self.written())
        return Surfaces((), ((name, name) for name in names))

    def mentions(self, text: str) -> Sequence[Mention]:
        """Return every name of the vocabulary in a text, in order."""
        return self._surfaces.find_mentions(text)

    def look_up(self, goal: ReadGoal) -> tuple[PredictedGoal, tuple[Finding, ...]]:
        """Return what a goal about the final state means, with the errors in it.

        The first error decides: no name at all, no predicate of this name and number of objects, an
        object that the task does not have.
        """
        if not goal.name:
            return self._unusable(goal, ErrorKind.PARSING, f"{goal} is not a goal")
        predicate = self._predicates.get((loose(goal.name), len(goal.arguments)))
        if predicate is None:
            return self._unusable(goal, *self._unknown_predicate(goal))
        for name in goal.arguments:
            if not self.objects(name):
                near = near_hint(self.index.near_objects(name))
                message = f"{shorten(name)} is not an object{near}"
                return self._unusable(goal, ErrorKind.OBJECT_HALLUCINATION, message)
        terms = tuple(map(self.objects, goal.arguments))
        # The published evaluator calls literals of one object states and those of two relations.
        kind = "state" if len(terms) == 1 else "relation"
        return PredictedGoal(kind, str(goal), predicate, terms, goal.negated), ()

    @staticmethod
    def _unusable(
        goal: ReadGoal, kind: ErrorKind, message: str
    ) -> tuple[PredictedGoal, tuple[Finding, ...]]:
        """Return what is left of a goal that means nothing in the task, with the reason."""
        return PredictedGoal.unusable(goal), (Finding(kind, message, position=goal.position),)

    def action(self, goal: ReadGoal) -> tuple[str, tuple[Finding, ...]]:
        """Return the name of the action that a goal demands, with the errors in it.

        The name is that of the task if it has such an action, else the one that was written; empty
        if there is none.
        """
        if not goal.name:
            message = f"{goal} is not an action goal"
            return "", (Finding(ErrorKind.PARSING, message, position=goal.position),)
        action_name, _ = self.index.find_action(goal.name)
        if action_name is not None:
            return action_name, ()
        message = no_action(goal.name, self.vocabulary.actions)
        finding = Finding(ErrorKind.ACTION_HALLUCINATION, message, position=goal.position)
        return goal.name, (finding,)

    def objects(self, name: str) -> tuple[str, ...]:
        """Return the objects that a name can mean; none if it is unknown.

        ``cup.2`` means itself, ``cup`` all objects of that class. Spelling is compared exactly
        first, then without letter case, and at last by letters and digits only: ``Coffee Cup 2``
        means ``coffee_cup.2``.
        """
        vocabulary = self.vocabulary
        index = self.index
        for written in (name, name.lower(), name.lower().replace(" ", "_")):
            if written in vocabulary.objects:
                return (written,)
            if written in vocabulary.classes:
                return vocabulary.classes[written]
        # A whole sentence is no name, and loose spelling would take long to compare.
        if len(name) > LONGEST_NAME:
            return ()
        of_class = index.loose_classes.get(loose(name))
        if of_class is not None:
            return vocabulary.classes[of_class]
        parts = split_id(name)
        near_object = index.find_joined_object(*parts) if parts else None
        if near_object is None:
            return ()
        object_name, *_ = near_object
        return (object_name,)

    def _unknown_predicate(self, goal: ReadGoal) -> tuple[ErrorKind, str]:
        """Return why no predicate fits a goal: its number of objects, or its name.

        A known name with another number of objects is an error of arguments; any other name is a
        hallucination, with the most similar names as a hint.
        """
        name = loose(goal.name)
        arities = sorted(arity for predicate, arity in self._predicates if predicate == name)
        if arities:
            written = counted(len(goal.arguments), "object")
            wanted = " or ".join(map(str, arities))
            return ErrorKind.ARGUMENT_NUMBER, f"{shorten(str(goal))} has {written}, not {wanted}"
        candidates: list[str] = []
        if len(goal.name) <= LONGEST_NAME:
            candidates = sorted(set(self._predicates.values()))
        near = near_hint(nearest(goal.name, candidates))
        message = f"{shorten(goal.name)} is not a state or a relation{near}"
        return ErrorKind.PREDICATE_HALLUCINATION, message
