"""Looking up the names of a plan: which action, which objects.

Exact names come first. Names that differ in case, blanks, underscores or hyphens are accepted
and noted. An id is written as the token behind the name (``light``, ``411``) or joined to it
(``light.411``, ``light_411``). A class name without id means the object of that class which
the plan used last, and before that the first one in ``vocabulary.classes`` that the step does
not use already: the same name without id, used again, means the same object.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from eai.abilities.answers_plan import PlanReading, ReadStep, shorten
from eai.diagnosis.judgement import Finding
from eai.diagnosis.taxonomy import ErrorKind
from eai.errors import nearest
from eai.task import Vocabulary
from eai.world.action import Action

__all__ = ["Binder", "BoundPlan", "bind"]

MOST_FINDINGS = 100
"""So many findings of one plan are listed; the others are counted."""
LONGEST_NAME = 200
"""A longer name is not compared with the known ones."""

_LOOSE = re.compile(r"[\W_]+")
_ID = re.compile(r"[#(]?(?:\d{1,9}\.(?=[1-9]))?(\d{1,18})(?:\.0)?\)?")
_TAIL = re.compile(r"(.*?)[\s._\-#(<>]*?(\d{1,18})\)?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class BoundPlan:
    """A plan whose names were looked up.

    Args:
        actions: The steps, ready to be executed. If there are findings, only the steps about
            which there is none.
        findings: Everything that is wrong: ``PARSING``, ``ACTION_HALLUCINATION``,
            ``OBJECT_HALLUCINATION``, ``ARGUMENT_NUMBER``; by step, 1-based.
        notes: How the answer was read and how names were understood.
    """

    actions: tuple[Action, ...] = ()
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()


def loose(name: str) -> str:
    """A name without case, blanks, underscores and punctuation."""
    return _LOOSE.sub("", name).lower()


def _listed(names: list[str]) -> str:
    return f"; did you mean {' or '.join(names)}?" if names else ""


class Binder:
    """Looks up names in one vocabulary; keep it to bind many plans of one task.

    Args:
        vocabulary: The names that an answer may use.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.lowered = {name.lower(): name for name in reversed(list(vocabulary.actions))}

    @cached_property
    def loose_actions(self) -> dict[str, str]:
        """Action names by their loose form; the first of several stays."""
        return {loose(name): name for name in reversed(list(self.vocabulary.actions))}

    @cached_property
    def loose_classes(self) -> dict[str, str]:
        """Class names by their loose form; the first of several stays."""
        return {loose(name): name for name in reversed(list(self.vocabulary.classes))}

    @cached_property
    def loose_objects(self) -> dict[tuple[str, str], str]:
        """Objects by the loose form of their class and their id."""
        found: dict[tuple[str, str], str] = {}
        for name in sorted(self.vocabulary.objects):
            split = _TAIL.fullmatch(name)
            key = (loose(split[1]), split[2]) if split else (loose(name), "")
            found.setdefault(key, name)
        return found

    @cached_property
    def by_id(self) -> dict[str, list[str]]:
        """Objects by their id."""
        found: dict[str, list[str]] = {}
        for (_, number), name in self.loose_objects.items():
            found.setdefault(number, []).append(name)
        return found

    @cached_property
    def class_of(self) -> dict[str, str]:
        """Class name of each object."""
        classes = self.vocabulary.classes
        return {member: name for name, members in classes.items() for member in members}

    def bind(self, reading: PlanReading) -> BoundPlan:
        """Look up all names of a plan.

        Args:
            reading: The plan as it was read.

        Returns:
            The actions, everything that is wrong, and notes.
        """
        return _Binding(self, reading).run()

    def action(self, name: str) -> tuple[str | None, bool]:
        """The action that a name means, and whether the name had to be taken loosely."""
        if name in self.vocabulary.actions:
            return name, False
        known = self.lowered.get(name.lower())
        if known is not None:
            return known, False
        known = self.loose_actions.get(loose(name)) if len(name) <= LONGEST_NAME else None
        return known, known is not None

    def near_actions(self, name: str) -> list[str]:
        """Actions that look like a name."""
        return nearest(name, self.vocabulary.actions) if len(name) <= LONGEST_NAME else []

    def near_objects(self, name: str) -> list[str]:
        """Objects that look like a name: of the class, else of classes that look like it."""
        if len(name) > LONGEST_NAME:
            return []
        split = _TAIL.fullmatch(name)
        stem = split[1] if split and split[1] else name
        classes = self.vocabulary.classes
        known = self.loose_classes.get(loose(stem))
        if known is not None:
            return list(classes[known][:3])
        return nearest(stem, classes) or nearest(name, self.vocabulary.objects)

    def joined(self, name: str, number: str) -> tuple[str, bool] | None:
        """The object with a name and an id, and whether they had to be taken loosely."""
        objects = self.vocabulary.objects
        for separator in (".", "_", "-", ""):
            candidate = f"{name}{separator}{number}"
            if candidate in objects:
                return candidate, False
        found = self.loose_objects.get((loose(name), number))
        return None if found is None else (found, True)


class _Binding:
    """Binds one plan."""

    def __init__(self, binder: Binder, reading: PlanReading) -> None:
        self.binder = binder
        self.vocabulary = binder.vocabulary
        self.reading = reading
        self.notes: dict[str, None] = dict.fromkeys(reading.notes)
        self.findings: list[Finding] = []
        self.meant: dict[str, str] = {}
        self.chosen: dict[str, str] = {}

    def run(self) -> BoundPlan:
        """Bind all steps."""
        for problem in self.reading.problems:
            self.findings.append(
                Finding(ErrorKind.PARSING, problem.message, position=problem.position)
            )
        actions: list[Action] = []
        for number, step in enumerate(self.reading.steps, 1):
            action = self.step(step, number)
            if action is not None:
                actions.append(action)
        if self.chosen:
            chosen = ", ".join(f"{name} is {obj}" for name, obj in self.chosen.items())
            self.notes[f"names without id: {chosen}"] = None
        return BoundPlan(tuple(actions), self.listed(), tuple(self.notes))

    def listed(self) -> tuple[Finding, ...]:
        """The findings, the last of too many replaced by their number."""
        if len(self.findings) <= MOST_FINDINGS:
            return tuple(self.findings)
        more = len(self.findings) - MOST_FINDINGS
        last = Finding(self.findings[MOST_FINDINGS].kind, f"{more:,} more findings are not listed")
        return (*self.findings[:MOST_FINDINGS], last)

    def step(self, step: ReadStep, number: int) -> Action | None:
        """Bind one step; None if something is wrong with it."""
        before = len(self.findings)
        name, was_loose = self.binder.action(step.name)
        objects = self.objects(step, number)
        if name is None:
            self.find(
                ErrorKind.ACTION_HALLUCINATION,
                f"there is no action {shorten(step.name)}"
                + _listed(self.binder.near_actions(step.name)),
                step,
                number,
            )
            return None
        if was_loose:
            self.notes[f"{shorten(step.name)} was read as {name}"] = None
        self.count(name, len(objects), step, number)
        return Action(name, tuple(objects)) if len(self.findings) == before else None

    def count(self, name: str, given: int, step: ReadStep, number: int) -> None:
        """Check the number of objects of a step."""
        arity = self.vocabulary.actions[name]
        if given != arity:
            wanted = "no object" if not arity else "1 object" if arity == 1 else f"{arity} objects"
            self.find(
                ErrorKind.ARGUMENT_NUMBER,
                f"{name} takes {wanted}, but {given or 'none'} {'was' if given < 2 else 'were'}"
                " given",
                step,
                number,
            )

    def find(self, kind: ErrorKind, message: str, step: ReadStep, number: int) -> None:
        """Add a finding about a step."""
        text = str(step)
        text = text if len(text) <= LONGEST_NAME else text[:LONGEST_NAME] + "..."
        self.findings.append(Finding(kind, message, number, text, position=step.position))

    def objects(self, step: ReadStep, number: int) -> list[str]:
        """Bind the arguments of a step; an unknown object stands for itself."""
        tokens = step.arguments
        bound: list[str] = []
        place = 0
        while place < len(tokens):
            taken, known = self.next_object(tokens, place, bound)
            words = " ".join(tokens[place : place + taken])
            place += taken
            if known is None:
                message = f"there is no object {shorten(words)} in the task"
                near = _listed(self.binder.near_objects(words))
                self.find(ErrorKind.OBJECT_HALLUCINATION, message + near, step, number)
            else:
                name = self.binder.class_of.get(known)
                if name is not None:
                    self.meant[name] = known
            bound.append(known or words)
        return bound

    def next_object(
        self, tokens: tuple[str, ...], place: int, used: list[str]
    ) -> tuple[int, str | None]:
        """The object that begins at a token: how many tokens it takes, and which it is."""
        token = tokens[place]
        if token in self.vocabulary.objects:
            return self.with_repeated_id(tokens, place), token
        following = tokens[place + 1] if place + 1 < len(tokens) else ""
        number = _ID.fullmatch(following)
        if number is not None and _ID.fullmatch(token) is None:
            found = self.binder.joined(token, number[1])
            if found is not None:
                self.note_loose(f"{token} {following}", found[0], was_loose=found[1])
            return 2, found[0] if found else None
        return self.single(token, used) or self.several(tokens, place, used)

    @staticmethod
    def with_repeated_id(tokens: tuple[str, ...], place: int) -> int:
        """How many tokens a full name takes: two if its id follows once more."""
        following = tokens[place + 1] if place + 1 < len(tokens) else ""
        number = _ID.fullmatch(following)
        split = _TAIL.fullmatch(tokens[place])
        return 2 if number and split and number[1] == split[2] else 1

    def single(self, token: str, used: list[str]) -> tuple[int, str] | None:
        """The object that one token names, if it does."""
        if len(token) > LONGEST_NAME:
            return None
        classes = self.vocabulary.classes
        if token in classes:
            return 1, self.of_class(token, used)
        split = _TAIL.fullmatch(token)
        if split and split[1]:
            found = self.binder.joined(split[1], split[2])
            if found is not None:
                self.note_loose(token, found[0], was_loose=found[1])
                return 1, found[0]
        elif split and len(self.binder.by_id.get(split[2], ())) == 1:
            found_id = self.binder.by_id[split[2]][0]
            self.note_loose(token, found_id, was_loose=True)
            return 1, found_id
        plain = loose(token)
        if plain in self.binder.loose_classes:
            name = self.binder.loose_classes[plain]
            self.note_loose(token, name, was_loose=True)
            return 1, self.of_class(name, used)
        whole = self.binder.loose_objects.get((plain, ""))
        if whole is not None:
            self.note_loose(token, whole, was_loose=True)
            return 1, whole
        return None

    def several(
        self, tokens: tuple[str, ...], place: int, used: list[str]
    ) -> tuple[int, str | None]:
        """An object whose name was written as several words (``washing machine 1001``)."""
        for width in (2, 3):
            words = tokens[place : place + width]
            if len(words) < width or sum(map(len, words)) > LONGEST_NAME:
                break
            name = "_".join(words)
            following = tokens[place + width] if place + width < len(tokens) else ""
            number = _ID.fullmatch(following)
            found = self.binder.joined(name, number[1]) if number else None
            if found is not None:
                self.note_loose(" ".join(words), found[0], was_loose=True)
                return width + 1, found[0]
            if (known := self.single(name, used)) is not None:
                return width, known[1]
        return 1, None

    def of_class(self, name: str, used: list[str]) -> str:
        """The object that a class name without id means."""
        members = self.vocabulary.classes[name]
        last = self.meant.get(name)
        if last is None or last in used:
            last = next((member for member in members if member not in used), members[0])
        self.chosen.setdefault(name, last)
        return last

    def note_loose(self, written: str, known: str, *, was_loose: bool) -> None:
        """Say how a name was understood if it was not written as it is."""
        if was_loose:
            self.notes[f"{shorten(written)} was read as {known}"] = None


def bind(reading: PlanReading, vocabulary: Vocabulary) -> BoundPlan:
    """Look up all names of a plan; for many plans of one task keep a :class:`Binder`.

    Args:
        reading: The plan as it was read.
        vocabulary: The names that an answer may use.

    Returns:
        The actions, everything that is wrong, and notes.
    """
    return Binder(vocabulary).bind(reading)
