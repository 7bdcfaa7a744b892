"""Stored data of the official release for transition modeling.

For each environment there are the annotated operators, the head of their domain (types and
predicates), the category of every predicate, and for each task the operators that a model must
write, the ability categories that it counts in, a planning problem, and a plan for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, final

from eai.abilities import OperatorText
from eai.errors import check_name
from eai.suites.shared.store import ReleaseStore

if TYPE_CHECKING:
    from eai.suites.transition.release import OperatorArchive


class Demand(NamedTuple):
    """The operators that a task asks for."""

    operators: tuple[str, ...]  # names of those that a model must write
    groups: tuple[str, ...]  # ability categories in which the task counts


class ActionModel(NamedTuple):
    """Action model of an environment, shared by all its tasks."""

    head: str  # the domain without operators, as released: its last bracket is missing
    operators: Mapping[str, OperatorText]  # the annotated ones by name
    categories: Mapping[str, str]  # of predicates
    demands: Mapping[str, Demand]  # what each task asks for


class OperatorSource(Protocol):
    """The files from which an environment's operators and problems are read."""

    environment: str

    @property
    def model(self) -> ActionModel:
        """Action model of the environment."""

    def task(self, task: str, /) -> Any:  # noqa: ANN401
        """Return a task; its metadata have the key ``problem``."""


@final
class OperatorStore(ReleaseStore):
    """The stored tasks of one environment, ``"virtualhome"`` or ``"behavior"``."""

    def __init__(
        self, environment: str, folder: Path | None = None, *, wheel: Path | None = None
    ) -> None:
        """Open the stored tasks of an environment (see :class:`ReleaseStore`)."""
        check_name("environment", environment, ("virtualhome", "behavior"))
        self.environment = environment
        self.name = f"transition-{environment}"
        super().__init__(folder, wheel=wheel)

    def archive(self, wheel: Path) -> OperatorArchive:
        """Open the release."""
        from eai.suites.transition.release import OperatorArchive

        return OperatorArchive(wheel, self.environment)

    @cached_property
    def model(self) -> ActionModel:
        """Action model of the environment, made once."""
        metadata = self.shared.metadata
        operators = {name: OperatorText(name, *parts) for name, *parts in metadata["operators"]}
        demands = {}
        for task, (names, groups) in metadata["demands"].items():
            demands[task] = Demand(tuple(names), tuple(groups))
        return ActionModel(metadata["head"], operators, metadata["categories"], demands)
