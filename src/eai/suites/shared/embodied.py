"""Suites whose worlds are those of the Embodied Agent Interface, and its two official ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from eai.contract import Ability, Store, Suite, imported_part
from eai.semantics import Semantics
from eai.suites.shared.store import TaskStore
from eai.suites.transition.data import OperatorStore
from eai.task import Task

if TYPE_CHECKING:
    from eai.abilities import Plans
    from eai.report import Published


class EmbodiedSuite(Suite):
    """A suite in one of the two worlds, whose classes for plans and acting load lazily."""

    official_version = "eai-eval 1.0.5"
    plans_class: ClassVar[str]
    """Where plans are read, run and scored (``module:class``)."""

    def plans(self, semantics: Semantics) -> Plans:
        """Return how plans are read, run and scored."""
        made: Plans = imported_part(self.plans_class)(semantics)
        return made


class OfficialSuite(EmbodiedSuite):
    """Tasks of the official release, which is fetched once."""

    version = "eai-eval 1.0.5 data"
    default_semantics = "official"
    store: ClassVar[type[TaskStore]]
    """Its stored tasks."""
    prompt_files: ClassVar[Mapping[str, Sequence[str]]]
    """Ability to the release's file of prompts, and to that of the system prompt, if any."""

    def task_ids(self) -> Sequence[str]:
        """Return the identifiers of all tasks, in the order of the release."""
        return self.store.opened().ids

    def task(self, task_id: str) -> Task:
        """Load one task; only its own part of the data is read."""
        return self.store.opened().load(task_id)

    def stores(self) -> Sequence[Store]:
        """Return the stores that are filled when the data is fetched: tasks, and operators."""
        return (self.store(), OperatorStore(self.name))

    def published(self) -> Sequence[Published]:
        """Return the numbers of Table 3 in the paper, measured with the release of 2024."""
        from importlib import resources  # only for these numbers

        from eai.report import read_published  # takes numpy

        text = resources.files(f"eai.data.tasks.{self.name}").joinpath("published.csv")
        with resources.as_file(text) as path:
            return read_published(path)

    def published_prompts(self, ability: str) -> Iterator[tuple[str, str]]:
        """Yield task and text of the release's prompts; a system prompt stands before the text."""
        read_prompts: Callable[..., Iterator[tuple[str, str]]]
        read_prompts = imported_part("eai.suites.shared.archive:read_prompts")
        return read_prompts(self.prompt_files, ability, suite=self.name)


def transition_modeling(name: str) -> Ability:
    """Return the ability ``transition_modeling`` of an official suite."""
    room = "eai.suites.transition"
    evaluate = f"{room}.evaluation:evaluate_{name}"
    return Ability(evaluate, f"{room}.prompts:{name}", operators=f"{room}.operators:{name}")
