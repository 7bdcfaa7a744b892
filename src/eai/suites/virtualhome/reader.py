"""Reading an answer as ``eai-eval`` 1.0.5 reads it.

The published evaluator does not parse the answer: it collects by a pattern what looks like an
action with a list. The findings come in its order, and only the first kind counts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from eai.answers import BoundPlan
from eai.answers.names import LONGEST_NAME, likely_actions
from eai.answers.plan import shorten
from eai.diagnosis.result import Finding
from eai.diagnosis.taxonomy import ErrorKind
from eai.errors import nearest
from eai.semantics import Semantics
from eai.simulators.virtualhome import object_class
from eai.suites.virtualhome.executors import UNEXECUTABLE
from eai.task import Vocabulary
from eai.world.action import Action

__all__ = ["UNLIKE", "official_plan"]

_PAIR = re.compile(r'"(\w+)"\s*:\s*(\[[^\]]+\])')
_SPACE = re.compile(r"\s+")
_REJECTED = frozenset({"PLUGIN", "PLUGOUT", "RELEASE"})
_ALIASES = {"LOOKAT_MEDIUM": "lookat"}

UNLIKE = "written unlike the annotated plan (an alias, or names divided unusually)"
"""Note on a plan whose text the published evaluator cannot find equal to the annotated one."""


@dataclass(frozen=True, slots=True)
class _Step:
    """One action of an answer.

    Args:
        name: The action's name.
        entries: What its list holds.
        objects: The objects in it: class as written, and key (``class_id``; empty if unknown).
    """

    name: str
    entries: list[object]
    objects: Sequence[tuple[object, str]]

    @property
    def operator(self) -> str:
        """Name of the operator that is meant."""
        upper = self.name.upper()
        return _ALIASES.get(upper, upper.lower())

    def finding(self, kind: ErrorKind, message: str, number: int) -> Finding:
        """Something that is wrong with this step, which is the plan's ``number``-th."""
        written = f"{self.name}({', '.join(map(str, self.entries))})"
        if len(written) > LONGEST_NAME:
            written = written[:LONGEST_NAME] + "..."
        return Finding(kind, message, step=number, action=written)


def official_plan(
    text: str, known: Vocabulary, semantics: Semantics, *, preferred: Collection[str] = ()
) -> BoundPlan:
    """Read an answer by the published evaluator's rules.

    Without the quirk ``ids_required`` an id may be left out. A class name then means the object
    of that class that comes last in the order of the set of the ids of all relevant objects, as
    it did before the evaluator required ids. The set is filled by ascending id here.

    Args:
        text: The answer.
        known: The names that it may use.
        semantics: Which quirks are on.
        preferred: Names of the relevant objects, if the vocabulary has others, too: a class name
            means one of those only where no relevant object is of that class.
    """
    try:
        lists = _collect(text)
    except (ValueError, RecursionError) as error:
        times = 2 if "parsing_counted_twice" in semantics else 1
        message = f"a list of objects is not JSON: {error}"
        return _failed(Finding(ErrorKind.PARSING, message, times=times))
    if not lists:
        return _failed(
            Finding(ErrorKind.PARSING, 'no action of the form "ACTION": ["object", "id"] found')
        )
    objects = _keyed(known.objects)
    if "ids_required" in semantics:
        steps = [_Step(name, entries, _pairs(entries)) for name, entries in lists]
        finding = _odd(steps)
        if finding is not None:
            return _failed(finding)
    else:
        last = {**_last_of_class(objects), **_last_of_class(_keyed(preferred))}
        steps = [_Step(name, entries, _singles(entries, objects, last)) for name, entries in lists]
    return _bind(steps, known, objects, semantics)


def _collect(text: str) -> list[tuple[str, list[object]]]:
    text = text.removeprefix("```json").strip().replace("\n", "").replace("'", '"')
    text = _SPACE.sub(" ", text.strip())
    # Without this cut, each list that is never closed would be searched to the end of the text.
    text = text[: text.rfind("]") + 1]
    return [(name, json.loads(value)) for name, value in _PAIR.findall(text)]


def _failed(*findings: Finding) -> BoundPlan:
    return BoundPlan((), findings, ())


def _keyed(objects: Iterable[str]) -> dict[str, str]:
    return {name.replace(".", "_"): name for name in objects}


def _key(name: object, number: object) -> str:
    return f"{name}_{number}"


def _pairs(entries: list[object]) -> list[tuple[object, str]]:
    names = entries[::2]
    return list(zip(names, map(_key, names, entries[1::2]), strict=False))


def _odd(steps: list[_Step]) -> Finding | None:
    for number, step in enumerate(steps, start=1):
        if len(step.entries) % 2:
            message = (
                f"{shorten(step.name)} has {len(step.entries)} entries; "
                "objects must be given as name, id"
            )
            return step.finding(ErrorKind.PARSING, message, number)
    return None


def _last_of_class(known: Mapping[str, str]) -> dict[object, str]:
    """Class to the key of its object that the set of all ids has last."""
    keys = {int(key.rpartition("_")[2]): key for key in known}
    # The published code unites two sets of ids; CPython gives a union a smaller table than a
    # set that grows, and with it another order. Ids are put in by size, for where two compete
    # for a place in the table, the first one gets it.
    numbers: set[int] = set()
    numbers.update(sorted(keys))
    order: set[int] = set().union(numbers)
    return {object_class(known[keys[number]]): keys[number] for number in order}


def _singles(
    entries: list[object], known: Mapping[str, str], last: Mapping[object, str]
) -> list[tuple[object, str]]:
    """The objects of a list in which ids may be left out."""
    objects: list[tuple[object, str]] = []
    at = 0
    while at < len(entries):
        entry, *following = entries[at : at + 2]
        joined = _key(entry, following[0]) if following else ""
        if joined in known:
            objects.append((entry, joined))
            at += 2
        else:
            objects.append((entry, last.get(entry, "") if isinstance(entry, str) else ""))
            at += 1
    return objects


def _bind(
    steps: list[_Step], vocabulary: Vocabulary, known: Mapping[str, str], semantics: Semantics
) -> BoundPlan:
    finding = _unknown_action(steps, vocabulary, semantics) or _unknown_object(steps, known)
    if finding is not None:
        return _failed(finding)
    actions: list[Action] = []
    literal = True
    for number, step in enumerate(steps, start=1):
        finding = _unfit(step, number, vocabulary, semantics)
        if finding is not None:
            return _failed(finding)
        objects = tuple(known[key] for _, key in step.objects)
        actions.append(Action(step.operator, objects))
        classes = [name for name, _ in step.objects]
        literal = literal and classes == list(map(object_class, objects))
        literal = literal and step.name.lower() == step.operator
    return BoundPlan(tuple(actions), (), () if literal else (UNLIKE,))


def _unknown_action(
    steps: list[_Step], vocabulary: Vocabulary, semantics: Semantics
) -> Finding | None:
    refused = _REJECTED if "plug_actions_rejected" in semantics else frozenset()
    # Other rules than the published executors' have no use for names without executor.
    unexecutable = UNEXECUTABLE if "executor_order" in semantics else frozenset()
    for number, step in enumerate(steps, start=1):
        known = step.operator in vocabulary.actions or step.operator in unexecutable
        if known and step.name.upper() not in refused:
            continue
        near = () if known else _meant(step.name, (name.upper() for name in vocabulary.actions))
        message = f"{shorten(step.name)} is not an action{_hint(near)}"
        return step.finding(ErrorKind.ACTION_HALLUCINATION, message, number)
    return None


def _unknown_object(steps: list[_Step], known: Mapping[str, str]) -> Finding | None:
    for number, step in enumerate(steps, start=1):
        for name, key in step.objects:
            if key not in known:
                written = key or str(name)
                hint = _hint(_near(written, known))
                message = f"{shorten(written)} is not an object of this task{hint}"
                return step.finding(ErrorKind.OBJECT_HALLUCINATION, message, number)
    return None


def _unfit(
    step: _Step, number: int, vocabulary: Vocabulary, semantics: Semantics
) -> Finding | None:
    name, given = shorten(step.name), len(step.objects)
    if step.name != step.name.upper() and "lower_case_crash" in semantics:
        message = f"{name} is not in upper case: the published evaluator stops here"
        return step.finding(ErrorKind.UNSCORABLE, message, number)
    arity = vocabulary.actions.get(step.operator, 1)
    if given != arity:
        message = f"{name} takes {arity} objects, not {given}"
        return step.finding(ErrorKind.ARGUMENT_NUMBER, message, number)
    return None


def _near(name: str, known: Iterable[str]) -> Sequence[str]:
    return nearest(name, known) if len(name) <= LONGEST_NAME else ()


def _meant(name: str, known: Iterable[str]) -> Sequence[str]:
    return likely_actions(name, known) if len(name) <= LONGEST_NAME else ()


def _hint(near: Sequence[str]) -> str:
    return f"; nearest: {', '.join(near)}" if near else ""
