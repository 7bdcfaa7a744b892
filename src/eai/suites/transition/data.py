"""What the official release has for transition modeling, as it is stored.

For each environment there are the annotated operators, the head of their domain (types and
predicates), the category of every predicate, and for each task the operators that a model must
write, the ability categories that it counts in, a planning problem, and a plan for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, final

from eai.abilities import OperatorText
from eai.errors import UnknownNameError
from eai.suites.archive import TaskArchive
from eai.suites.store import Collection, Store, StoredTask

_PARTS = ("action_name", "action_parameters", "action_preconditions", "action_effects")


class Demand(NamedTuple):
    """What a task asks for.

    Args:
        operators: Names of the operators that a model must write.
        groups: Ability categories in which the task counts.
    """

    operators: tuple[str, ...]
    groups: tuple[str, ...]


class ActionModel(NamedTuple):
    """What all tasks of an environment share.

    Args:
        head: The domain without operators, as released: its last bracket is missing.
        operators: Name to annotated operator.
        categories: Predicate to category.
        demands: Task to what it asks for.
    """

    head: str
    operators: Mapping[str, OperatorText]
    categories: Mapping[str, str]
    demands: Mapping[str, Demand]


@final
class OperatorArchive(TaskArchive):
    """The wheel of the official release, opened for the files of one environment.

    Args:
        path: The wheel.
        environment: ``"virtualhome"`` or ``"behavior"``.
    """

    def __init__(self, path: Path, environment: str) -> None:
        super().__init__(path)
        self._environment = environment

    def collection(self) -> Collection:
        """Return what all tasks share; they are those that have operators to be written."""
        gold, groups, needed = map(self._table, ("gold_action", "id2category_2", "id2action"))
        with self.shape(self._path_of("gold_action.json")):
            operators = [[entry[part] for part in _PARTS] for entry in gold.values()]
        names = self._table("id2task")
        with self.shape(self._path_of("id2action.json")):
            tasks = list(self._table("success_task"))
            demands = {task: [needed[task], groups[task]] for task in tasks}
            metadata = {
                "head": self.read(self._path_of(f"{self._environment}_pd.pddl")).decode(),
                "operators": operators,
                "categories": self._table("predicates_category"),
                "demands": demands,
            }
            return Collection({task: names[task] for task in tasks}, metadata=metadata)

    def task(self, task: str, shared: Collection) -> StoredTask:
        """Return a task: its problem as released, and a plan for it."""
        name = shared.names[task]
        folder = f"{'_'.join(name.split())}/" if self._environment == "virtualhome" else ""
        problem = self.read(self._path_of(f"problem_pddl/{folder}{task}.pddl")).decode()
        plans = self._table("gold_pddl_plan")
        with self.shape(self._path_of("gold_pddl_plan.json")):
            plan = [step.split() for step in plans[task]]
        return StoredTask(task, name, plans=[plan], metadata={"problem": problem})

    def _table(self, name: str) -> Any:  # noqa: ANN401
        return self.json(self._path_of(f"{name}.json"))

    def _path_of(self, file: str) -> str:
        return f"virtualhome_eval/resources/{self._environment}/{file}"


@final
class OperatorStore(Store):
    """The stored tasks of one environment.

    Args:
        environment: ``"virtualhome"`` or ``"behavior"``.
        folder: Where the files are; by default beside the release in the cache.
        wheel: The release; by default the one in the cache.

    Raises:
        UnknownNameError: If there is no such environment.
    """

    def __init__(
        self, environment: str, folder: Path | None = None, *, wheel: Path | None = None
    ) -> None:
        if environment not in ("virtualhome", "behavior"):
            raise UnknownNameError("environment", environment, ("virtualhome", "behavior"))
        self.environment = environment
        self.name = f"transition-{environment}"
        super().__init__(folder, wheel=wheel)

    def archive(self, wheel: Path) -> OperatorArchive:
        """Open the release."""
        return OperatorArchive(wheel, self.environment)

    @cached_property
    def model(self) -> ActionModel:
        """What all tasks share (made once).

        Raises:
            DataMissingError: If the official data was not fetched.
        """
        found = self.shared.metadata
        operators = [OperatorText(*parts) for parts in found["operators"]]
        demands = {task: Demand(*map(tuple, each)) for task, each in found["demands"].items()}
        named = {operator.name: operator for operator in operators}
        return ActionModel(found["head"], named, found["categories"], demands)
