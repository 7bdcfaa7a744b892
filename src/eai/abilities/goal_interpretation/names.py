"""From the names that a model wrote in its goals to literals of the task."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, product
from types import MappingProxyType

from eai.abilities.goal_interpretation.reader import ReadGoal
from eai.answers import LONGEST_NAME, Hints, NameIndex, loose, near_hint, shorten, split_id
from eai.diagnosis import ErrorKind, Finding
from eai.errors import nearest
from eai.logic import Atom, Formula, Not
from eai.task import Vocabulary

MOST_MEANINGS = 10_000
"""So many meanings of one goal are considered."""

_NO_ALIASES: Mapping[tuple[str, int], str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class PredictedGoal:
    """A goal of an answer about the final state.

    Args:
        kind: ``"state"`` or ``"relation"``, or ``"other"`` where that cannot be said.
        text: The goal as the model wrote it.
        predicate: The predicate that it means, or as written if it means none.
        terms: For each argument the objects that it can mean, the most likely first.
        negated: Whether it shall be false.
        usable: Whether all its names are known.
    """

    kind: str
    text: str
    predicate: str
    terms: tuple[tuple[str, ...], ...]
    negated: bool = False
    usable: bool = True

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
        """What is left of a goal that means nothing in the task."""
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
    def _hints(self) -> Hints:
        return Hints(self.index)

    @cached_property
    def _predicates(self) -> dict[tuple[str, int], str]:
        known = self.vocabulary.predicates.items()
        return {**{(loose(name), arity): name for name, arity in known}, **self._aliases}

    def look_up(self, goal: ReadGoal) -> tuple[PredictedGoal, tuple[Finding, ...]]:
        """Say what a goal about the final state means, and what is wrong with it."""
        unknown = next((name for name in goal.arguments if not self.objects(name)), None)
        if not goal.name:
            kind, message = ErrorKind.PARSING, f"{goal} is not a goal"
        elif (loose(goal.name), len(goal.arguments)) not in self._predicates:
            kind, message = self._unknown_predicate(goal)
        elif unknown is not None:
            near = near_hint(self._hints.near_objects(unknown))
            kind, message = ErrorKind.OBJECT_HALLUCINATION, f"{shorten(unknown)} is not an object"
            message += near
        else:
            terms = tuple(map(self.objects, goal.arguments))
            predicate = self._predicates[loose(goal.name), len(terms)]
            kind_of_goal = "state" if len(terms) == 1 else "relation"
            return PredictedGoal(kind_of_goal, str(goal), predicate, terms, goal.negated), ()
        return PredictedGoal.unusable(goal), (Finding(kind, message, position=goal.position),)

    def action(self, goal: ReadGoal) -> tuple[str, tuple[Finding, ...]]:
        """Say which action a goal demands, and what is wrong with it."""
        if not goal.name:
            message = f"{goal} is not an action goal"
            return "", (Finding(ErrorKind.PARSING, message, position=goal.position),)
        known, _ = self.index.action(goal.name)
        if known is not None:
            return known, ()
        near = near_hint(self._hints.near_actions(goal.name))
        message = f"{shorten(goal.name)} is not an action{near}"
        finding = Finding(ErrorKind.ACTION_HALLUCINATION, message, position=goal.position)
        return goal.name, (finding,)

    def objects(self, name: str) -> tuple[str, ...]:
        """The objects that a name can mean; none if it is unknown."""
        vocabulary, index = self.vocabulary, self.index
        for written in (name, name.lower()):
            if written in vocabulary.objects:
                return (written,)
            if written in vocabulary.classes:
                return vocabulary.classes[written]
        if len(name) > LONGEST_NAME:
            return ()
        of_class = index.loose_classes.get(loose(name))
        if of_class is not None:
            return vocabulary.classes[of_class]
        parts = split_id(name)
        known = index.joined(*parts) if parts else None
        return () if known is None else (known[0],)

    def _unknown_predicate(self, goal: ReadGoal) -> tuple[ErrorKind, str]:
        name = loose(goal.name)
        takes = sorted(arity for known, arity in self._predicates if known == name)
        if takes:
            wanted = " or ".join(map(str, takes))
            message = f"{shorten(str(goal))} has {len(goal.arguments)} objects instead of {wanted}"
            return ErrorKind.ARGUMENT_NUMBER, message
        known = sorted({*self._predicates.values()}) if len(goal.name) <= LONGEST_NAME else ()
        near = near_hint(nearest(goal.name, known))
        message = f"{shorten(goal.name)} is not a state or a relation{near}"
        return ErrorKind.PREDICATE_HALLUCINATION, message
