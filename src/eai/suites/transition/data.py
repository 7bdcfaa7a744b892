"""What the official release has for transition modeling, in a compact form in the cache.

For each environment there are the annotated operators, the head of their domain (types and
predicates), the category of every predicate, and for each task the operators that a model must
write, the ability categories that it counts in, a planning problem, and a plan for it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, final

from eai.abilities.transition_modeling.matching import OperatorText
from eai.errors import UnknownNameError
from eai.suites.shelf import Shelf

if TYPE_CHECKING:
    # Operators that were gathered are read without the release.
    from eai.suites.archive import Archive

__all__ = ["ActionModel", "Demand", "PlanningTask", "TransitionShelf"]

_RESOURCES = "virtualhome_eval/resources"
_PARTS = ("action_name", "action_parameters", "action_preconditions", "action_effects")


class Demand(NamedTuple):
    """What a task asks for.

    Args:
        operators: Names of the operators that a model must write.
        groups: Ability categories in which the task counts.
        folder: Folder of the problem in the release; empty if there are no folders.
    """

    operators: tuple[str, ...]
    groups: tuple[str, ...]
    folder: str = ""


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

    def to_json(self) -> dict[str, Any]:
        """Return a value for the json module."""
        return {
            "head": self.head,
            "operators": [list(operator) for operator in self.operators.values()],
            "categories": dict(self.categories),
            "demands": {task: demand._asdict() for task, demand in self.demands.items()},
        }

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> ActionModel:
        """Rebuild it from what :meth:`to_json` returned."""
        operators = [OperatorText(*parts) for parts in content["operators"]]
        return cls(
            content["head"],
            {operator.name: operator for operator in operators},
            content["categories"],
            {
                task: Demand(tuple(entry["operators"]), tuple(entry["groups"]), entry["folder"])
                for task, entry in content["demands"].items()
            },
        )


class PlanningTask(NamedTuple):
    """The planning problem of a task.

    Args:
        problem: The problem as released.
        plan: A plan that solves it with the annotated operators: the words of each step.
    """

    problem: str
    plan: tuple[tuple[str, ...], ...]

    def to_json(self) -> dict[str, Any]:
        """Return a value for the json module."""
        return self._asdict()

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> PlanningTask:
        """Rebuild it from what :meth:`to_json` returned."""
        return cls(content["problem"], tuple(tuple(step) for step in content["plan"]))


@final
class TransitionShelf(Shelf["Archive", ActionModel, PlanningTask]):
    """The compact files of one environment.

    Args:
        environment: ``"virtualhome"`` or ``"behavior"``.
        folder: Where the files are; by default beside the release in the cache.
        wheel: The release; by default the one in the cache.

    Raises:
        UnknownNameError: If there is no such environment.
    """

    version = 1
    common_file = "operators"

    def __init__(
        self, environment: str, folder: Path | None = None, *, wheel: Path | None = None
    ) -> None:
        if environment not in ("virtualhome", "behavior"):
            raise UnknownNameError("environment", environment, ("virtualhome", "behavior"))
        self.environment = environment
        self.name = f"transition-{environment}"  # type: ignore[misc]
        super().__init__(folder, wheel=wheel)

    def archive(self, wheel: Path) -> Archive:
        """Open the release."""
        from eai.suites.archive import Archive

        return Archive(wheel)

    def read_common(self, content: Mapping[str, Any]) -> ActionModel:
        """Rebuild what all tasks share."""
        return ActionModel.from_json(content)

    def read_task(self, content: Mapping[str, Any]) -> PlanningTask:
        """Rebuild a task."""
        return PlanningTask.from_json(content)

    def names(self, common: ActionModel) -> Collection[str]:
        """Identifiers of the tasks that have operators to be written."""
        return common.demands

    def make_common(self, archive: Archive) -> ActionModel:
        """Gather what all tasks share."""
        head = archive.read(self._path_of(f"{self.environment}_pd.pddl")).decode()
        gold = archive.json(self._path_of("gold_action.json"))
        with archive.shape(self._path_of("gold_action.json")):
            texts = [OperatorText(*(entry[part] for part in _PARTS)) for entry in gold.values()]
        categories = archive.json(self._path_of("predicates_category.json"))
        operators = {operator.name: operator for operator in texts}
        return ActionModel(head, operators, categories, self._demands(archive))

    def make_task(self, archive: Archive, task: str) -> PlanningTask:
        """Gather a task."""
        folder = self.common.demands[task].folder
        problem = archive.read(self._path_of(f"problem_pddl/{folder}{task}.pddl")).decode()
        plans = archive.json(self._path_of("gold_pddl_plan.json"))
        with archive.shape(self._path_of("gold_pddl_plan.json")):
            return PlanningTask(problem, tuple(tuple(step.split()) for step in plans[task]))

    def _demands(self, archive: Archive) -> dict[str, Demand]:
        names = archive.json(self._path_of("id2task.json"))
        groups = archive.json(self._path_of("id2category_2.json"))
        operators = archive.json(self._path_of("id2action.json"))
        with archive.shape(self._path_of("id2action.json")):
            return {
                task: Demand(tuple(operators[task]), tuple(groups[task]), self._folder(names[task]))
                for task in archive.json(self._path_of("success_task.json"))
            }

    def _folder(self, name: str) -> str:
        return f"{'_'.join(name.split())}/" if self.environment == "virtualhome" else ""

    def _path_of(self, file: str) -> str:
        return f"{_RESOURCES}/{self.environment}/{file}"
