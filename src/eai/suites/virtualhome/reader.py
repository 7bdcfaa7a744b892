"""Reading an answer as ``eai-eval`` 1.0.5 reads it.

The published evaluator does not parse the answer: it collects whatever matches the pattern of an
action with a list. The findings come in its order, and only the first kind counts.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from eai.answers import BoundPlan, clip_text, no_action, no_object, shorten
from eai.diagnosis import ErrorKind, Finding
from eai.nesting import load_json
from eai.semantics import Semantics
from eai.simulators import object_class
from eai.suites.virtualhome.executors import UNEXECUTABLE, HomeExecutorRules
from eai.task import Vocabulary
from eai.text import counted
from eai.world import Action

# One action of a plan in JSON: its name and the list of its objects.
_PAIR = re.compile(r'"(\w+)"\s*:\s*(\[[^\]]+\])')
_SPACE = re.compile(r"\s+")
_REJECTED = frozenset({"PLUGIN", "PLUGOUT", "RELEASE"})
_ALIASES = {"LOOKAT_MEDIUM": "lookat"}

UNLIKE = "written unlike the annotated plan (an alias, or names divided unusually)"
"""Note on a plan whose text the published evaluator cannot find equal to the annotated one."""


@dataclass(frozen=True, slots=True)
class _AnswerStep:
    """One action of an answer."""

    name: str
    entries: list[object]
    objects: Sequence[tuple[object, str]]

    @property
    def operator(self) -> str:
        """Name of the operator that is meant."""
        upper = self.name.upper()
        return _ALIASES.get(upper, upper.lower())

    def finding(self, kind: ErrorKind, message: str, number: int) -> Finding:
        """Return a mistake in this step, which is the plan's ``number``-th."""
        written = clip_text(f"{self.name}({', '.join(map(str, self.entries))})")
        return Finding(kind, message, step=number, action=written)


def official_plan(
    text: str, known: Vocabulary, semantics: Semantics, *, preferred: Collection[str] = ()
) -> BoundPlan:
    """Read the plan in an answer by the published evaluator's rules.

    Without the quirk ``ids_required`` an id may be left out, as before the evaluator required ids.

    Args:
        text: The answer.
        known: The names of the task.
        semantics: The quirks that apply.
        preferred: Relevant objects, which a class name without id means first.
    """
    # The published evaluator prepares the text in this way, which is not JSON yet.
    text = text.removeprefix("```json").strip().replace("\n", "").replace("'", '"')
    text = _SPACE.sub(" ", text.strip())
    # Without this cut, each list that is never closed would be searched to the end of the text.
    text = text[: text.rfind("]") + 1]
    actions_with_objects: list[tuple[str, list[object]]]
    try:
        actions_with_objects = [(name, load_json(value)) for name, value in _PAIR.findall(text)]
    except ValueError as error:
        times = 2 if "parsing_counted_twice" in semantics else 1
        message = f"a list of objects is not JSON: {error}"
        return BoundPlan((), (Finding(ErrorKind.PARSING, message, times=times),))
    if not actions_with_objects:
        message = 'no action of the form "ACTION": ["object", "id"] found'
        return BoundPlan((), (Finding(ErrorKind.PARSING, message),))
    # An answer names an object as ["cup", "12"], and the published evaluator joins it: "cup_12".
    objects = _keys_of(known.objects)
    needs_ids = "ids_required" in semantics
    if needs_ids:
        steps = _steps_with_ids(actions_with_objects)
    else:
        steps = _steps_without_ids(actions_with_objects, objects, preferred)
    finding = _first_mistake(steps, _Checks(known, objects, semantics), needs_ids=needs_ids)
    if finding is not None:
        return BoundPlan((), (finding,))
    return _bound(steps, objects)


def _steps_with_ids(lists: Iterable[tuple[str, list[object]]]) -> list[_AnswerStep]:
    """Return the steps of an answer whose objects are written as name and id."""
    steps = []
    for name, entries in lists:
        # ["cup", "12", "table", "3"] -> ("cup", "12"), ("table", "3")
        pairs = zip(entries[::2], entries[1::2], strict=False)
        keys = [(kind, f"{kind}_{number}") for kind, number in pairs]
        steps.append(_AnswerStep(name, entries, keys))
    return steps


def _steps_without_ids(
    lists: Iterable[tuple[str, list[object]]],
    objects: Mapping[str, str],
    preferred: Collection[str],
) -> list[_AnswerStep]:
    """Return the steps of an answer in which a class name means one of its objects."""
    # Relevant objects come second, so that they win where a class has several objects.
    last = {**_last_of_class(objects), **_last_of_class(_keys_of(preferred))}
    return [_AnswerStep(name, entries, _singles(entries, objects, last)) for name, entries in lists]


def _first_mistake(
    steps: Sequence[_AnswerStep], checks: _Checks, *, needs_ids: bool
) -> Finding | None:
    """Return the first mistake. Each check runs on all steps before the next check."""
    all_checks = [checks.action, checks.objects, checks.fit]
    if needs_ids:
        all_checks.insert(0, checks.odd)
    for check in all_checks:
        for number, step in enumerate(steps, start=1):
            mistake = check(step)
            if mistake is not None:
                return step.finding(*mistake, number)
    return None


def _bound(steps: Sequence[_AnswerStep], objects: Mapping[str, str]) -> BoundPlan:
    """Return the plan of correct steps, with a note on an unusual notation.

    Args:
        steps: The steps, each with the names that the answer has.
        objects: Key of an object to its name.
    """
    actions: list[Action] = []
    has_usual_notation = True
    for step in steps:
        action = Action(step.operator, tuple(objects[key] for _, key in step.objects))
        actions.append(action)
        written_classes = [name for name, _ in step.objects]
        classes = [object_class(name) for name in action.arguments]
        if step.name.lower() != step.operator or written_classes != classes:
            has_usual_notation = False
    notes = () if has_usual_notation else (UNLIKE,)
    return BoundPlan(tuple(actions), (), notes)


def _keys_of(objects: Iterable[str]) -> dict[str, str]:
    """Return the published key (``class_id``) of each object to its name."""
    return {name.replace(".", "_"): name for name in objects}


_Wrong = tuple[ErrorKind, str] | None


class _Checks(NamedTuple):
    """Checks of the steps of a plan."""

    vocabulary: Vocabulary
    known: Mapping[str, str]
    semantics: Semantics

    def odd(self, step: _AnswerStep) -> _Wrong:
        """Return an error if an id is missing, or None."""
        if len(step.entries) % 2 == 0:
            return None
        message = f"has {len(step.entries)} entries; objects must be given as name, id"
        return ErrorKind.PARSING, f"{shorten(step.name)} {message}"

    def action(self, step: _AnswerStep) -> _Wrong:
        """Return an error if the action is unknown, or None."""
        is_known = step.operator in self.vocabulary.actions
        if step.operator in UNEXECUTABLE:
            # Only the rules of the published executors know names without executor.
            is_known = is_known or HomeExecutorRules.of(self.semantics) is not None
        if not is_known:
            message = no_action(step.name, [name.upper() for name in self.vocabulary.actions])
            return ErrorKind.ACTION_HALLUCINATION, message
        if step.name.upper() in _REJECTED and "plug_actions_rejected" in self.semantics:
            # The prompt lists it, so the message has to say who rejects it.
            message = f"{shorten(step.name)} is no action of the published evaluator"
            return ErrorKind.ACTION_HALLUCINATION, f"{message} (plug_actions_rejected)"
        return None

    def objects(self, step: _AnswerStep) -> _Wrong:
        """Return an error if an object is unknown, or None."""
        for name, key in step.objects:
            if key not in self.known:
                return ErrorKind.OBJECT_HALLUCINATION, no_object(key or str(name), self.known)
        return None

    def fit(self, step: _AnswerStep) -> _Wrong:
        """Return an error if the number of objects is wrong or the run stops here, or None."""
        name = shorten(step.name)
        count = len(step.objects)
        if step.name != step.name.upper() and "lower_case_crash" in self.semantics:
            message = f"{name} is not in upper case: the published evaluator stops here"
            return ErrorKind.UNSCORABLE, message
        arity = self.vocabulary.actions.get(step.operator, 1)
        if count == arity:
            return None
        return ErrorKind.ARGUMENT_NUMBER, f"{name} takes {counted(arity, 'object')}, not {count}"


def _last_of_class(known: Mapping[str, str]) -> dict[object, str]:
    """Return for each class the key of the object with the last id of the class.

    Before the published evaluator required ids, a class name meant this object.
    """
    keys = {int(key.rpartition("_")[2]): key for key in known}
    # The published code unites two sets of ids; CPython gives a union a smaller table than a
    # set that grows, and with it another order. Ids are put in by size: where two compete for a
    # slot of the table, the first one gets it.
    numbers: set[int] = set()
    numbers.update(sorted(keys))
    order: set[int] = set().union(numbers)
    return {object_class(known[keys[number]]): keys[number] for number in order}


def _singles(
    entries: list[object], keys: Mapping[str, str], last: Mapping[object, str]
) -> list[tuple[object, str]]:
    """Return (entry, key) for the objects of a list in which ids may be omitted.

    ``["cup", "12", "table"]`` has the keys ``cup_12`` and the last one of a table. An unknown
    object has an empty key.

    Args:
        entries: The list.
        keys: Known objects by their keys.
        last: Class to the key of the object that a name without id means.
    """
    objects: list[tuple[object, str]] = []
    position = 0
    while position < len(entries):
        entry, *following = entries[position : position + 2]
        if following and f"{entry}_{following[0]}" in keys:
            objects.append((entry, f"{entry}_{following[0]}"))
            position += 2
            continue
        key = last.get(entry, "") if isinstance(entry, str) else ""
        objects.append((entry, key))
        position += 1
    return objects
