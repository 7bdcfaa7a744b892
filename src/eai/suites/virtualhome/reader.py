"""Reading an answer as ``eai-eval`` 1.0.5 reads it.

The published evaluator does not parse the answer: it collects by a pattern what looks like an
action with a list. The findings come in its order, and only the first kind counts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from eai.abilities.answers import BoundPlan
from eai.diagnosis.judgement import Finding
from eai.diagnosis.taxonomy import ErrorKind
from eai.errors import nearest
from eai.semantics import Semantics
from eai.simulators.virtualhome import object_class
from eai.suites.virtualhome.executors import UNEXECUTABLE
from eai.task import Task, Vocabulary
from eai.world.action import Action

__all__ = ["UNLIKE", "official_plan"]

_PAIR = re.compile(r'"(\w+)"\s*:\s*(\[[^\]]+\])')
_SPACE = re.compile(r"\s+")
_REJECTED = frozenset({"PLUGIN", "PLUGOUT", "RELEASE"})
_ALIASES = {"LOOKAT_MEDIUM": "lookat"}

UNLIKE = "written unlike the annotated plan (an alias, or names divided unusually)"
"""Note on a plan whose text the published evaluator cannot find equal to the annotated one."""

_Step = tuple[str, list[object]]


def official_plan(text: str, task: Task, semantics: Semantics) -> BoundPlan:
    """Read an answer by the published evaluator's rules.

    Args:
        text: The answer.
        task: The task that it answers.
        semantics: Which quirks are on.
    """
    try:
        steps = _collect(text)
    except (ValueError, RecursionError) as error:
        times = 2 if "parsing_counted_twice" in semantics else 1
        return _failed(
            *(Finding(ErrorKind.PARSING, f"a list of objects is not JSON: {error}"),) * times
        )
    if not steps:
        return _failed(
            Finding(ErrorKind.PARSING, 'no action of the form "ACTION": ["object", "id"] found')
        )
    if "ids_required" in semantics:
        for number, (name, arguments) in enumerate(steps, start=1):
            if len(arguments) % 2:
                return _failed(_odd(number, name, arguments))
    else:
        steps = [_with_ids(step, task.vocabulary) for step in steps]
    return _bind(steps, task.vocabulary, semantics)


def _collect(text: str) -> list[_Step]:
    text = text.removeprefix("```json").strip().replace("\n", "").replace("'", '"')
    text = _SPACE.sub(" ", text.strip())
    return [(name, json.loads(value)) for name, value in _PAIR.findall(text)]


def _failed(*findings: Finding) -> BoundPlan:
    return BoundPlan((), findings, ())


def _odd(number: int, name: str, arguments: list[object]) -> Finding:
    return Finding(
        ErrorKind.PARSING,
        f"{name} has {len(arguments)} entries; objects must be given as name, id",
        step=number,
        action=_written(name, arguments),
    )


def _written(name: str, arguments: list[object]) -> str:
    return f"{name}({', '.join(map(str, arguments))})"


def _with_ids(step: _Step, vocabulary: Vocabulary) -> _Step:
    """Add the id of the last object of a class, as the evaluator did before it required ids."""
    name, arguments = step
    paired: list[object] = []
    for argument in arguments:
        found = vocabulary.classes.get(str(argument))
        if found is None:
            paired += [argument, ""]
        else:
            paired += found[-1].rpartition(".")[::2]
    return name, paired


def _keys(vocabulary: Vocabulary) -> Mapping[str, str]:
    return {name.replace(".", "_"): name for name in vocabulary.objects}


def _bind(steps: list[_Step], vocabulary: Vocabulary, semantics: Semantics) -> BoundPlan:
    finding = _unknown_action(steps, vocabulary, semantics) or _unknown_object(steps, vocabulary)
    if finding is not None:
        return _failed(finding)
    keys = _keys(vocabulary)
    actions: list[Action] = []
    literal = True
    for number, (name, entries) in enumerate(steps, start=1):
        arguments = list(entries)
        if "" in arguments:
            arguments.remove("")
        operator = _operator(name)
        if name != name.upper() and "lower_case_crash" in semantics:
            return _failed(_crash(number, name, arguments))
        arity = vocabulary.actions.get(operator, 1)
        if len(arguments) // 2 != arity:
            return _failed(_wrong_number(number, name, arguments, arity))
        objects = [
            keys[f"{arguments[i]}_{arguments[i + 1]}"] for i in range(0, len(arguments) - 1, 2)
        ]
        actions.append(Action(operator, tuple(objects)))
        classes = [object_class(name) for name in objects]
        literal = literal and name.lower() == operator and arguments[::2] == classes
    return BoundPlan(tuple(actions), (), () if literal else (UNLIKE,))


def _operator(name: str) -> str:
    return _ALIASES.get(name.upper(), name.upper().lower())


def _unknown_action(
    steps: list[_Step], vocabulary: Vocabulary, semantics: Semantics
) -> Finding | None:
    refused = _REJECTED if "plug_actions_rejected" in semantics else frozenset()
    for number, (name, arguments) in enumerate(steps, start=1):
        upper = name.upper()
        known = _operator(name) in vocabulary.actions or _operator(name) in UNEXECUTABLE
        if known and upper not in refused:
            continue
        near = nearest(name, (n.upper() for n in vocabulary.actions))
        hint = f"; nearest: {', '.join(near)}" if near and not known else ""
        return Finding(
            ErrorKind.ACTION_HALLUCINATION,
            f"{name} is not an action{hint}",
            step=number,
            action=_written(name, arguments),
        )
    return None


def _unknown_object(steps: list[_Step], vocabulary: Vocabulary) -> Finding | None:
    keys = _keys(vocabulary)
    for number, (name, arguments) in enumerate(steps, start=1):
        for i in range(0, len(arguments) - 1, 2):
            key = f"{arguments[i]}_{arguments[i + 1]}"
            if key not in keys:
                near = nearest(key, keys)
                hint = f"; nearest: {', '.join(near)}" if near else ""
                return Finding(
                    ErrorKind.OBJECT_HALLUCINATION,
                    f"{key} is not an object of this task{hint}",
                    step=number,
                    action=_written(name, arguments),
                )
    return None


def _wrong_number(number: int, name: str, arguments: list[object], arity: int) -> Finding:
    return Finding(
        ErrorKind.ARGUMENT_NUMBER,
        f"{name} takes {arity} objects, not {len(arguments) // 2}",
        step=number,
        action=_written(name, arguments),
    )


def _crash(number: int, name: str, arguments: list[object]) -> Finding:
    return Finding(
        ErrorKind.UNSCORABLE,
        f"{name} is not in upper case: the published evaluator stops here",
        step=number,
        action=_written(name, arguments),
    )
