"""Prompts of a suite: one text a task, so that any runner can ask any model."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass

from eai.contract import Suite, chosen_ability, needed_extension, prompt_of
from eai.errors import InputError, UnknownNameError, names_checked
from eai.files import replacing
from eai.task import Task


@dataclass(frozen=True, slots=True)
class Prompt:
    """The prompt of one task.

    Args:
        id: Identifier of the task, which is that of the answer, too.
    """

    id: str
    suite: str
    ability: str
    prompt: str

    def to_json(self) -> str:
        """Return one line of ASCII JSON, without a line break."""
        return json.dumps(asdict(self))


@names_checked
def prompts(
    suite: Suite,
    ability: str | None = None,
    *,
    official: bool = False,
    tasks: Iterable[str] | None = None,
) -> Iterator[Prompt]:
    """Yield a prompt for every task with an ability.

    Args:
        suite: The suite.
        ability: Name of the ability; by default action sequencing, or the suite's only one.
        official: Whether to take the texts of the published release instead of our own.
        tasks: Identifiers of the tasks; by default all.

    Raises:
        UnknownNameError: If the suite cannot evaluate the ability, or has no such task.
        InputError: If there are no such prompts for it.
        DataMissingError: If the official data was not fetched.
    """
    ability = chosen_ability(suite, ability)
    all_ids = suite.task_ids()
    # Canonical identifier to the one that was given, which is used in error messages.
    wanted_ids = {suite.canonical_id(name): name for name in tasks or ()}
    unknown = sorted(wanted_ids.keys() - set(all_ids))
    if unknown:
        raise UnknownNameError("task", wanted_ids[unknown[0]], all_ids)
    if official:
        for prompt in _published_prompts(suite, ability):
            # The release may have prompts for more tasks than the suite.
            if tasks is None or prompt.id in wanted_ids:
                yield prompt
        return
    for task_id in all_ids:
        if tasks is not None and task_id not in wanted_ids:
            continue
        prompt_text = prompt_of(suite, suite.task(task_id), ability)
        if prompt_text is not None:
            yield Prompt(task_id, suite.name, ability, prompt_text)


def _published_prompts(suite: Suite, ability: str) -> Iterator[Prompt]:
    """Yield the prompts of the published release, in its order."""
    mend = "leave --prompts out: prompts in our own words are built from the tasks"
    lacks = f"has no published prompts for {ability}"
    read = needed_extension("eai.published_prompts", suite, lacks=lacks, mend=mend)
    for task_id, text in read(suite, ability):
        yield Prompt(task_id, suite.name, ability, text)


def prompt_for(suite: Suite, task: Task, *, ability: str | None = None) -> Prompt:
    """Return this package's prompt for one task.

    Args:
        suite: The suite that the task is from.
        task: The task.
        ability: Name of the ability; by default action sequencing, or the suite's only one.

    Raises:
        UnknownNameError: If the suite cannot evaluate the ability.
        InputError: If there are no such prompts, or none for this task.
    """
    ability = chosen_ability(suite, ability)
    built = prompt_of(suite, task, ability)
    if built is None:
        raise InputError(
            f"there is no prompt for {ability} of the task {task.id!r}",
            expected="a task that has the ability",
        )
    return Prompt(task.id, suite.name, ability, built)


def write_prompts(
    all_prompts: Iterable[Prompt], path: str | os.PathLike[str], *, force: bool = False
) -> int:
    """Write prompts as JSON Lines and return their number.

    Args:
        all_prompts: The prompts.
        path: The file.
        force: Whether a file that is there may be replaced.

    Raises:
        OutputExistsError: If there is a file and ``force`` is off.
        InputError: If the file cannot be written.
    """
    count = 0
    with replacing(path, force=force) as stream:
        for prompt in all_prompts:
            stream.write(f"{prompt.to_json()}\n")
            count += 1
    return count
