"""Reading an answer as ``eai-eval`` 1.0.5 reads it.

The published evaluator does not parse the answer: it collects by a pattern what looks like an
action with a list. The findings come in its order, and only the first kind counts.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from eai.answers import BoundPlan, clipped, no_action, no_object, shorten
from eai.diagnosis import ErrorKind, Finding
from eai.nesting import load_json
from eai.semantics import Semantics
from eai.simulators import object_class
from eai.suites.virtualhome.executors import UNEXECUTABLE, ExecutorRules
from eai.task import Vocabulary
from eai.text import counted
from eai.world import Action

_PAIR = re.compile(r'"(\w+)"\s*:\s*(\[[^\]]+\])')
_SPACE = re.compile(r"\s+")
_REJECTED = frozenset({"PLUGIN", "PLUGOUT", "RELEASE"})
_ALIASES = {"LOOKAT_MEDIUM": "lookat"}

UNLIKE = "written unlike the annotated plan (an alias, or names divided unusually)"
"""Note on a plan whose text the published evaluator cannot find equal to the annotated one."""


@dataclass(frozen=True, slots=True)
class _Step:
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
        """Something that is wrong with this step, which is the plan's ``number``-th."""
        written = clipped(f"{self.name}({', '.join(map(str, self.entries))})")
        return Finding(kind, message, step=number, action=written)


def official_plan(
    text: str, known: Vocabulary, semantics: Semantics, *, preferred: Collection[str] = ()
) -> BoundPlan:
    """Read an answer by the published evaluator's rules.

    Without the quirk ``ids_required`` an id may be left out. A class name then means the object
    of that class that comes last in the order of the set of the ids of all relevant objects, as
    it did before the evaluator required ids. The set is filled by ascending id here. Relevant are
    the ``preferred`` ones; of a class that none of these is in, all that are known are taken.
    """
    text = text.removeprefix("```json").strip().replace("\n", "").replace("'", '"')
    text = _SPACE.sub(" ", text.strip())
    # Without this cut, each list that is never closed would be searched to the end of the text.
    text = text[: text.rfind("]") + 1]
    lists: list[tuple[str, list[object]]]
    try:
        lists = [(name, load_json(value)) for name, value in _PAIR.findall(text)]
    except ValueError as error:
        times = 2 if "parsing_counted_twice" in semantics else 1
        message = f"a list of objects is not JSON: {error}"
        return BoundPlan((), (Finding(ErrorKind.PARSING, message, times=times),))
    if not lists:
        message = 'no action of the form "ACTION": ["object", "id"] found'
        return BoundPlan((), (Finding(ErrorKind.PARSING, message),))
    objects, steps = _keyed(known.objects), list[_Step]()
    ids = "ids_required" in semantics
    if ids:
        for name, entries in lists:
            pairs = zip(entries[::2], entries[1::2], strict=False)
            steps.append(_Step(name, entries, [(kind, f"{kind}_{id_}") for kind, id_ in pairs]))
    else:
        last = {**_last_of_class(objects), **_last_of_class(_keyed(preferred))}
        steps = [_Step(name, entries, _singles(entries, objects, last)) for name, entries in lists]
    checks = _Checks(known, objects, semantics)
    for check in (*([checks.odd] if ids else []), checks.action, checks.objects, checks.fit):
        for number, step in enumerate(steps, start=1):
            wrong = check(step)
            if wrong is not None:
                return BoundPlan((), (step.finding(*wrong, number),))
    actions = tuple(
        Action(step.operator, tuple(objects[key] for _, key in step.objects)) for step in steps
    )
    literal = all(
        step.name.lower() == step.operator
        and [name for name, _ in step.objects] == list(map(object_class, action.arguments))
        for step, action in zip(steps, actions, strict=True)
    )
    return BoundPlan(actions, (), () if literal else (UNLIKE,))


def _keyed(objects: Iterable[str]) -> dict[str, str]:
    return {name.replace(".", "_"): name for name in objects}


_Wrong = tuple[ErrorKind, str] | None


class _Checks(NamedTuple):
    """Checks, each made in all steps before the next; only the first mistake is reported."""

    vocabulary: Vocabulary
    known: Mapping[str, str]
    semantics: Semantics

    def odd(self, step: _Step) -> _Wrong:
        """Whether an id is missing."""
        if len(step.entries) % 2 == 0:
            return None
        message = f"has {len(step.entries)} entries; objects must be given as name, id"
        return ErrorKind.PARSING, f"{shorten(step.name)} {message}"

    def action(self, step: _Step) -> _Wrong:
        """Whether the action is unknown."""
        known = step.operator in self.vocabulary.actions
        # Other rules than the published executors' have no use for names without executor.
        known = known or (step.operator in UNEXECUTABLE and bool(ExecutorRules.of(self.semantics)))
        if not known:
            message = no_action(step.name, [name.upper() for name in self.vocabulary.actions])
        elif step.name.upper() in _REJECTED and "plug_actions_rejected" in self.semantics:
            message = f"{shorten(step.name)} is not an action"
        else:
            return None
        return ErrorKind.ACTION_HALLUCINATION, message

    def objects(self, step: _Step) -> _Wrong:
        """Whether an object is unknown."""
        for name, key in step.objects:
            if key not in self.known:
                return ErrorKind.OBJECT_HALLUCINATION, no_object(key or str(name), self.known)
        return None

    def fit(self, step: _Step) -> _Wrong:
        """Whether there are too many or too few objects, or the run stops at the name."""
        name, given = shorten(step.name), len(step.objects)
        if step.name != step.name.upper() and "lower_case_crash" in self.semantics:
            message = f"{name} is not in upper case: the published evaluator stops here"
            return ErrorKind.UNSCORABLE, message
        arity = self.vocabulary.actions.get(step.operator, 1)
        if given == arity:
            return None
        return ErrorKind.ARGUMENT_NUMBER, f"{name} takes {counted(arity, 'object')}, not {given}"


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
        joined = f"{entry}_{following[0]}" if following else ""
        if joined in known:
            objects.append((entry, joined))
            at += 2
        else:
            objects.append((entry, last.get(entry, "") if isinstance(entry, str) else ""))
            at += 1
    return objects
