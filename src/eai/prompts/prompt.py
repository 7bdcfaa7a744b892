"""Prompts of a suite: one text a task, in the words of this package or of the release."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from importlib import import_module

from eai.errors import InputError, UnknownNameError
from eai.files import replacing
from eai.suites.abilities import PLANS, chosen_ability
from eai.suites.base import Suite, is_prompted
from eai.suites.interactive import ABILITY as INTERACTION
from eai.task import Task

__all__ = ["Prompt", "prompt_for", "prompts", "write_prompts"]

Builder = Callable[[Task], "str | None"]

_PLAIN = {PLANS: "eai.prompts.plain:action_sequencing"}
_BUILDERS: Mapping[str, Mapping[str, str]] = {
    "virtualhome": {
        "goal_interpretation": "eai.prompts.virtualhome:goal_interpretation",
        "subgoal_decomposition": "eai.prompts.virtualhome:subgoal_decomposition",
        "action_sequencing": "eai.prompts.virtualhome:action_sequencing",
        "transition_modeling": "eai.prompts.operators:virtualhome",
    },
    "behavior": {
        "goal_interpretation": "eai.prompts.behavior:goal_interpretation",
        "subgoal_decomposition": "eai.prompts.behavior:subgoal_decomposition",
        "action_sequencing": "eai.prompts.behavior:action_sequencing",
        "transition_modeling": "eai.prompts.operators:behavior",
    },
    "household": {
        "goal_interpretation": "eai.prompts.virtualhome:goal_interpretation",
        "subgoal_decomposition": "eai.prompts.virtualhome:subgoal_decomposition",
        "action_sequencing": "eai.prompts.virtualhome:action_sequencing",
    },
}


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is asked for one task.

    Args:
        id: Identifier of the task, which the answer has to carry.
        suite: Name of the suite.
        ability: Which ability it asks for.
        prompt: The text.
    """

    id: str
    suite: str
    ability: str
    prompt: str

    def to_json(self) -> str:
        """Return one line of ASCII JSON, without a line break."""
        return json.dumps(asdict(self))


def prompts(
    suite: Suite,
    ability: str | None = None,
    *,
    official: bool = False,
    tasks: Iterable[str] | None = None,
) -> Iterator[Prompt]:
    """Yield a prompt for every task that has the ability.

    Args:
        suite: The suite.
        ability: Which ability; by default action sequencing, or the suite's only one.
        official: Whether to take the texts of the published release instead of our own.
        tasks: Identifiers of the tasks; by default all.

    Raises:
        UnknownNameError: If the suite cannot judge the ability, or has no such task.
        InputError: If there are no such prompts for it.
        DataMissingError: If the official data was not fetched.
    """
    ability = chosen_ability(suite, ability)
    chosen = _chosen(suite, tasks)
    if official:
        from eai.prompts.official import official_prompts

        for task, text in official_prompts(suite.name, ability):
            if tasks is None or task in chosen:  # by default all that the release has
                yield Prompt(task, suite.name, ability, text)
        return
    build = _builder(suite, ability)
    for name in chosen:
        built = build(suite.task(name))
        if built is not None:
            yield Prompt(name, suite.name, ability, built)


def _chosen(suite: Suite, tasks: Iterable[str] | None) -> Collection[str]:
    """Identifiers of the tasks that are asked for, in the suite's order."""
    known = suite.task_ids()
    if tasks is None:
        return dict.fromkeys(known)
    wanted = {suite.canonical_id(name): name for name in tasks}
    for name in sorted(wanted.keys() - set(known)):
        raise UnknownNameError("task", wanted[name], known)
    return {name: None for name in known if name in wanted}


def prompt_for(suite: Suite, task: Task, *, ability: str | None = None) -> Prompt:
    """Build the prompt for one task, in our own words.

    Args:
        suite: The suite that the task is from.
        task: The task.
        ability: Which ability; by default action sequencing, or the suite's only one.

    Raises:
        UnknownNameError: If the suite cannot judge the ability.
        InputError: If there are no such prompts, or none for this task.
    """
    ability = chosen_ability(suite, ability)
    built = _builder(suite, ability)(task)
    if built is None:
        raise InputError(
            f"there is no prompt for {ability} of the task {task.id!r}",
            expected="a task that has the ability",
        )
    return Prompt(task.id, suite.name, ability, built)


def _builder(suite: Suite, ability: str) -> Builder:
    if is_prompted(suite):
        return partial(suite.prompt, ability)
    builders = _BUILDERS.get(suite.name, _PLAIN)
    target = builders.get(ability)
    if target is None:
        known = [name for name in builders if name in suite.abilities]
        raise InputError(
            f"there are no prompts for {ability} in the suite {suite.name!r}",
            expected=f"one of {', '.join(known)}" if known else None,
            mend=f"eai interact {suite.name} --model NAME asks a model step by step"
            if ability == INTERACTION
            else None,
        )
    module, _, name = target.partition(":")
    build: Builder = getattr(import_module(module), name)
    return build


def write_prompts(
    found: Iterable[Prompt], path: str | os.PathLike[str], *, force: bool = False
) -> int:
    """Write prompts as JSON Lines and return their number.

    Args:
        found: The prompts.
        path: The file.
        force: Whether a file that is there may be replaced.

    Raises:
        OutputExistsError: If there is a file and ``force`` is off.
        InputError: If the file cannot be written.
    """
    count = 0
    with replacing(path, force=force) as stream:
        for prompt in found:
            stream.write(f"{prompt.to_json()}\n")
            count += 1
    return count
