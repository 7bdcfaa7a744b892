"""The suite ``safeagentbench``: hazardous and harmless tasks in AI2-THOR, judged exactly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property
from typing import TYPE_CHECKING

from eai.contract import PLANS, Ability, Suite
from eai.errors import look_up
from eai.logic import Formula
from eai.logic.rules import Rule
from eai.semantics import Quirk, Semantics
from eai.simulators import Environment, SymbolicEnvironment
from eai.simulators.thor.environment import OBSERVED
from eai.simulators.thor.world import AGENT
from eai.suites.safeagentbench.evaluation import SafePlans, rule_goal
from eai.suites.safeagentbench.facts import SafeTask, records
from eai.suites.safeagentbench.goals import goal_from_conditions, goal_of
from eai.suites.safeagentbench.quirks import OFFICIAL_VERSION, QUIRKS
from eai.suites.safeagentbench.references import reference_effects, reference_plan, why_unreached
from eai.suites.safeagentbench.rooms import start_of, vocabulary_of
from eai.suites.safeagentbench.running import controller
from eai.suites.safeagentbench.wording import worded_instruction
from eai.suites.thor import room
from eai.task import Goal, Task

if TYPE_CHECKING:
    from eai.acting import EpisodeRules


class SafeAgentBench(Suite):
    """The tasks of SafeAgentBench (arXiv 2412.13178), without a language model as judge.

    The facts of the tasks ship; their texts are those of the user's checkout
    (``eai data fetch safeagentbench --from FOLDER``), or else worded from the facts.
    """

    name = "safeagentbench"
    title = "SafeAgentBench: hazardous and harmless household tasks, judged by states and rules"
    version = "38ca3ab, symbolic AI2-THOR"
    quirks: Mapping[str, Quirk] = QUIRKS
    official_version = OFFICIAL_VERSION
    abilities: Mapping[str, Ability] = {
        PLANS: Ability(
            prompt="eai.suites.safeagentbench.wording:plan_prompt",
            view="eai.suites.safeagentbench.view:VIEW",
        ),
        "interaction": Ability(),
        "recorded": Ability(),
    }

    @cached_property
    def _records(self) -> Mapping[str, tuple[SafeTask, int]]:
        """Facts of each task, with the number of its wording (from 1), by identifier."""
        found: dict[str, tuple[SafeTask, int]] = {}
        for record in records().values():
            # An abstract task is one record with four wordings, each a task of its own.
            for level, task_id in enumerate(record.ids, start=1):
                found[task_id] = record, level
        return found

    def task_ids(self) -> Sequence[str]:
        """Return the identifiers of all tasks: kind, line of the file and perhaps wording."""
        return tuple(self._records)

    def groups(self) -> Mapping[str, Sequence[str]]:
        """Return the tasks by kind, by wording, and those with a stored final state."""
        groups: dict[str, list[str]] = {}
        for task_id, (record, level) in self._records.items():
            # The second wording of an abstract task is in "abstract" and in "abstract-2".
            names = [record.kind]
            if record.kind == "abstract":
                names.append(f"abstract-{level}")
            if record.final_state:
                names.append("stored")
            for name in names:
                groups.setdefault(name, []).append(task_id)
        return groups

    def task(self, task_id: str) -> Task:
        """Load one task.

        Raises:
            UnknownNameError: If there is no such task.
        """
        record, level = look_up("task", task_id, self._records)
        scene = room(record.scene)
        goal, metadata = _goal(record)
        task = Task(
            id=task_id,
            name=record.risk or record.kind,
            instruction=worded_instruction(record, level),
            start=start_of(record.scene).copy(),
            agent=AGENT,
            goal=goal,
            vocabulary=vocabulary_of(record.scene),
            metadata={"record": record, "scene": scene, **metadata},
        )
        if record.rule is not None:
            return replace(task, no_plan="no reference plan is stored for long tasks")
        # A reference plan that misses its state does not count, or an oracle would repeat it.
        reason = why_unreached(record.name)
        if reason is not None:
            return replace(task, no_plan=str(reason))
        return replace(task, plans=(reference_plan(record).actions,))

    def plans(self, semantics: Semantics) -> SafePlans:
        """Return how plans are read, run and scored."""
        return SafePlans(semantics)

    def environment(self, task: Task, semantics: Semantics) -> Environment:  # noqa: ARG002
        """Set up the room of a task."""
        return SymbolicEnvironment(task, controller(), observed=OBSERVED, present="present")

    def episode_rules(self, task: Task, semantics: Semantics) -> EpisodeRules:
        """Return the rules of an episode of a task: limits, goal and reader of answers."""
        from eai.acting import ClosedHidden, Memory, Nearby, task_rules

        views = {
            "room": lambda: (ClosedHidden(), Memory()),
            "near": lambda: (ClosedHidden(), Nearby(), Memory()),
        }
        return task_rules(task, score=self.plans(semantics).conditions, views=views)


def _goal(record: SafeTask) -> tuple[Goal, Mapping[str, object]]:
    """Return the goal of a task by the definitions, and further metadata."""
    if record.rule is not None:
        rule = _requirement(record.scene, record.rule.formula)
        formula = rule_goal(rule)
        goal = Goal(str(formula), formula, ((),), is_path=True)
        return goal, {"rule": rule, "is_whole": record.rule.is_whole}
    if record.final_state is not None:
        return goal_of(record.final_state, room(record.scene), Semantics("strict")), {}
    # Without a final state, the lasting effects of the reference plan are the goal.
    conditions = reference_effects(record.name)
    if not conditions:
        reason = f"no final state is stored, nor can it be derived: {why_unreached(record.name)}"
        return Goal("", None, ((),), whole=False), {"not_scored": reason}
    return goal_from_conditions(conditions), {"derived": True}


@cache
def _requirement(scene: str, text: str) -> Formula:
    """Return a requirement as a formula over the objects of a room."""
    state = start_of(scene)
    task = Task(scene, "", "", state, AGENT, Goal(), vocabulary_of(scene))
    return Rule("safety requirement", text, where=f"rules.json, {scene}").formula_for(
        task.logic_names()
    )
