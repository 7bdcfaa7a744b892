"""The official release, opened for what it has for transition modeling."""

from __future__ import annotations

from pathlib import Path
from typing import Any, final

from eai.suites.shared.archive import TaskArchive
from eai.suites.shared.store import SharedData, StoredTask

_PARTS = ("action_name", "action_parameters", "action_preconditions", "action_effects")


@final
class OperatorArchive(TaskArchive):
    """The wheel of the official release, opened for the files of one environment."""

    def __init__(self, path: Path, environment: str) -> None:
        super().__init__(path)
        self._environment = environment

    def collection(self) -> SharedData:
        """Return the data that all tasks share. Only tasks with operators to write count."""
        gold = self._table("gold_action")
        groups = self._table("id2category_2")
        needed = self._table("id2action")
        operators = []
        with self.shape(self._path_of("gold_action.json")):
            for entry in gold.values():
                # Name, parameters, precondition and effect, as texts.
                operators.append([entry[part] for part in _PARTS])
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
            return SharedData({task: names[task] for task in tasks}, metadata=metadata)

    def task(self, task: str, shared: SharedData) -> StoredTask:
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
