"""The four suites: their tasks, abilities, and what has to stand beside every score."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from eai.contract import (
    INTERACTION,
    PLANS,
    RECORDED,
    Ability,
    Audit,
    AuditFinding,
    Suite,
    imported_part,
    write_plan,
)
from eai.errors import InputError, look_up
from eai.nesting import on_own_stack
from eai.semantics import Quirk, Semantics
from eai.suites.embodiedbench.skills import (
    ALFRED,
    CHOICES,
    HABITAT,
    MANIPULATION,
    NAVIGATION,
    OFFICIAL_VERSION,
    QUIRKS,
)
from eai.suites.embodiedbench.texts import instructions
from eai.task import Task

if TYPE_CHECKING:
    from eai.acting import EpisodeRules
    from eai.diagnosis import Result
    from eai.report import Published
    from eai.simulators import Environment
    from eai.suites.embodiedbench.acting import SkillEnvironment, SkillPlans

_HERE = "eai.suites.embodiedbench"
_RECORDED = Ability(
    view=f"{_HERE}.failures:VIEW",
    follow=f"{_HERE}.recorded:follow_record",
    condition="recorded",
)
# Such as "base/17" or "running/base/episode_18_step_7.json@DIGEST".
_ID = re.compile(
    r"(?:.*/)?([a-z_]+)/(episode_)?(\d{1,4})(?:_step_\d+)?(?:\.json)?(?:@([0-9a-f]+))?"
)


_TEXT = "symbolic, text observation"
_RECONSTRUCTED = "symbolic, containment reconstructed"


def _acting(condition: str) -> Ability:
    """Return the ability to act step by step under a condition."""
    return Ability(
        view=f"{_HERE}.failures:VIEW", oracle=f"{_HERE}.acting:plan_follower", condition=condition
    )


def _planning(condition: str) -> Ability:
    """Return the ability to plan under a condition."""
    return Ability(prompt="eai.abilities.prompts:plan_prompt", condition=condition)


def _part(name: str) -> Any:  # noqa: ANN401
    """Return an attribute that is imported at its first use: ``module:name``."""
    return imported_part(f"{_HERE}.{name}")


class EmbodiedBench(Suite):
    """Base of the suites of the four environments, with tasks and recorded episodes."""

    default_semantics = "official"
    official_version = OFFICIAL_VERSION
    quirks: Mapping[str, Quirk] = {**QUIRKS, **CHOICES}
    abilities: Mapping[str, Ability] = {RECORDED: _RECORDED}
    version = "EmbodiedBench, 2025-02"
    module: ClassVar[str]
    """Where its records are."""
    spatial: ClassVar[str] = "spatial"
    """How the subset of tasks by place is called."""

    def published(self) -> Sequence[Published]:
        """Return the numbers of the paper and of the web site, for recorded runs."""
        return [row for row in _part("tables:published_rows")() if row.suite == self.name]

    # ---- tasks

    @cached_property
    def records(self) -> Mapping[str, Any]:
        """The published tasks by identifier, in the benchmark's order."""
        found: Mapping[str, Any] = _part(f"{self.module}:records")()
        return found

    def task_ids(self) -> Sequence[str]:
        """Return the identifiers of all tasks, in the order of the benchmark."""
        return tuple(self.records)

    def groups(self) -> Mapping[str, Sequence[str]]:
        """Return the tasks of each subset."""
        groups: dict[str, list[str]] = {}
        for name in self.records:
            groups.setdefault(name.partition("/")[0], []).append(name)
        return groups

    def canonical_id(self, raw: str) -> str:
        """Return the task for ``base/17`` or ``base/episode_18``, perhaps with ``@DIGEST``.

        Episodes count from 1, tasks from 0. With the SHA-256 digest of an instruction it is the
        task that has the instruction; the number decides if several tasks have it, or none.
        """
        match = _ID.fullmatch(raw.strip())
        if match is None:
            return raw.strip()
        subset, is_episode, number, digest = match.groups()
        if subset in ("spatial", "spatial_relationship"):
            subset = self.spatial
        index = int(number)
        if is_episode:
            index -= 1
        task_by_number = f"{subset}/{index}"
        candidates = self._by_instruction.get(digest, ())
        if not candidates or task_by_number in candidates:
            return task_by_number
        # Subsets share instructions, so a task of the same subset is preferred.
        for task in candidates:
            if task.startswith(f"{subset}/"):
                return task
        return candidates[0]

    @cached_property
    def _by_instruction(self) -> Mapping[str, list[str]]:
        """The tasks with an instruction, by its SHA-256."""
        tasks: dict[str, list[str]] = {}
        for name, record in self.records.items():
            tasks.setdefault(record.sha256, []).append(name)
        return tasks

    def task(self, task_id: str) -> Task:
        """Load one task."""
        record = look_up("task", task_id, self.records)
        text = instructions().get(record.sha256)
        if not text:
            aim = getattr(record, "aim", "")  # only the simulator knows it in some environments
            goal = f"Reach this goal: {aim}" if aim else "The simulator decides about success."
            text = f"(instruction not published) {goal}"
        return Task.question(task_id, text, name=task_id.partition("/")[0])

    # ---- recorded episodes

    @on_own_stack
    def evaluate(
        self, ability: str, task: Task, answer: str | None, semantics: Semantics
    ) -> Result:
        """Evaluate one answer."""
        if ability != RECORDED:
            return super().evaluate(ability, task, answer, semantics)
        found: Result = _part("recorded:evaluate")(self, task, answer, semantics)
        return found

    def audit(self, episodes: Mapping[str, str]) -> Iterator[AuditFinding]:
        """Yield what is out of order in recorded episodes of this environment."""
        yield from _part("audit:audit")(self, episodes)

    def audit_table(self, rows: Iterable[Mapping[str, str]]) -> Iterator[AuditFinding]:
        """Yield cells and averages of a table of rates that cannot be right."""
        yield from _part("tables:audit_table")(rows, self.name)

    def rates(self, episodes: Mapping[str, str]) -> Mapping[str, tuple[int, int, int]]:
        """Return for each subset: solved episodes as logs say, episodes, tasks."""
        found: Mapping[str, tuple[int, int, int]] = _part("audit:rates")(self, episodes)
        return found

    def plans(self, semantics: Semantics) -> SkillPlans | None:
        """Return None: there are no plans as a whole."""


class SkillSuite(EmbodiedBench):
    """An environment in which agents act by skills in a symbolic world.

    Args:
        examples: How many solved tasks an acting agent is told (0 to 10).
        history: Whether an acting agent is told what it did.
    """

    world: ClassVar[str]
    """The class of its environment, in its module."""

    def __init__(self, *, examples: int = 0, history: bool = True) -> None:
        if not 0 <= examples <= 10:
            raise InputError(f"{examples} examples", expected="a number from 0 to 10")
        self.examples, self.history = examples, history

    def task(self, task_id: str) -> Task:
        """Load one task, with its world."""
        text = super().task(task_id).instruction
        made: Task = _part(f"{self.module}:load_task")(self.records[task_id], text)
        return made

    @cached_property
    def kind(self) -> type[SkillEnvironment]:
        """The environment that is acted in."""
        found: type[SkillEnvironment] = _part(f"{self.module}:{self.world}")
        return found

    @on_own_stack
    def evaluate(
        self, ability: str, task: Task, answer: str | None, semantics: Semantics
    ) -> Result:
        """Evaluate one answer. A planner's JSON object is an episode with a single answer."""
        if ability == INTERACTION and isinstance(answer, str) and answer.lstrip().startswith("{"):
            answer = json.dumps([answer])
        return super().evaluate(ability, task, answer, semantics)

    def plans(self, semantics: Semantics) -> SkillPlans:
        """Return how open-loop plans are read, run and scored."""
        made: SkillPlans = _part("acting:SkillPlans")(semantics, self.kind)
        return made

    def environment(self, task: Task, semantics: Semantics) -> Environment:
        """Set up the environment of a task."""
        return self.kind(task, semantics)

    def episode_rules(self, task: Task, semantics: Semantics) -> EpisodeRules:
        """Return the rules of an episode of a task: limits, goal and reader of answers."""
        # An example is another task of the subset with its reference plan.
        other_ids = [name for name in self.groups().get(task.name, ()) if name != task.id]
        examples = []
        for example_task in map(self.task, other_ids[: self.examples]):
            plan = write_plan(self, example_task.plans[0])
            examples.append(f"{example_task.instruction}\n{plan}")
        skill_rules = _part("acting:skill_rules")
        rules: EpisodeRules = skill_rules(self.kind, task, semantics, examples, self.history)
        return rules


class EBHabitat(SkillSuite):
    """EB-Habitat: 300 tasks of a robot that carries objects, in a symbolic world.

    Its goals are evaluated as they are published; what is near is a matter of geometry, which is
    not here (:mod:`eai.suites.embodiedbench.habitat`).
    """

    name, module, world = HABITAT, "habitat", "HabitatEnvironment"
    title = "EmbodiedBench EB-Habitat: 300 tasks; acted in symbolically, or evaluated from logs"
    spatial = "spatial_relationship"
    abilities: Mapping[str, Ability] = {
        PLANS: _planning(_TEXT),
        "transition_modeling": Ability(
            f"{_HERE}.operators:evaluate",
            f"{_HERE}.operators:prompt",
            operators=f"{_HERE}.operators:annotated",
            condition=_TEXT,
        ),
        INTERACTION: _acting(_TEXT),
        RECORDED: _RECORDED,
    }


class EBAlfred(SkillSuite):
    """EB-ALFRED: 300 tasks in the symbolic AI2-THOR, with containment reconstructed."""

    name, module, world = ALFRED, "alfred", "AlfredEnvironment"
    title = "EmbodiedBench EB-ALFRED: 300 tasks; acted in symbolically, or evaluated from logs"
    abilities: Mapping[str, Ability] = {
        PLANS: _planning(_RECONSTRUCTED),
        INTERACTION: _acting(_RECONSTRUCTED),
        RECORDED: _RECORDED,
    }


class EBNavigation(EmbodiedBench):
    """EB-Navigation: 300 tasks, whose recorded runs are evaluated by distances."""

    name, module = NAVIGATION, "navigation"
    title = "EmbodiedBench EB-Navigation: 300 tasks, evaluated from logs"


class EBManipulation(EmbodiedBench):
    """EB-Manipulation: 228 tasks, with recorded results and geometric checks of plans."""

    name, module = MANIPULATION, "manipulation"
    title = "EmbodiedBench EB-Manipulation: 228 tasks, evaluated from logs"


AUDIT = Audit(EmbodiedBench.audit, EmbodiedBench.rates, EmbodiedBench.audit_table)
