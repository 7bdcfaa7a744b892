"""Episodes of an agent: its prompts, the reader of its answers, and the end of its episode.

Source: EmbodiedBench (arXiv 2502.09560), section 4 and appendix; its evaluator at b247936.
"""

from __future__ import annotations

import json
import re
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from eai import acting
from eai.abilities import Plans
from eai.acting import Agent, EpisodeRules, Message, Reply, Situation, Turn
from eai.answers import (
    ActionForm,
    BoundPlan,
    PlanReading,
    ReadStep,
    Surfaces,
    bind,
    read_with,
    shorten,
    squeezed,
)
from eai.diagnosis import Condition, ErrorKind, Finding, GoalStatus, since_and_lost, text_of
from eai.errors import InputError
from eai.logic import Formula
from eai.nesting import decoding
from eai.semantics import Semantics
from eai.simulators import Environment, Execution, StepResult, SymbolicEnvironment
from eai.suites.embodiedbench.failures import EMPTY_PLAN, EpisodeFailure, groups_of, measures
from eai.suites.embodiedbench.skills import (
    REPAIRS,
    STEPS,
    Skill,
    by_verb_and_target,
    read_output,
    skill_named,
    skills,
)
from eai.suites.shared.templates import filled
from eai.task import Goal, Task
from eai.world import Action

INVALID = 10
"""Number of invalid actions that ends an episode of EB-ALFRED and EB-Habitat."""
_ARTICLE = re.compile(r"\b(?:an?|the)\b ?")
_DECODER = json.JSONDecoder(strict=False)
_MOST_OBJECTS = 50
"""Maximum number of objects that are tried as the one with the plan."""
Steps = Iterable[tuple[str, bool]]
"""Words of steps that were taken, and whether they were done."""


@dataclass(frozen=True, slots=True)
class EpisodeLimit:
    """Ends an episode after so many environment steps or invalid actions, or with an empty plan.

    An answer that no action is read out of is an invalid action and no environment step.
    """

    steps: int

    def begin(self) -> Callable[[Sequence[Turn]], str]:
        """See :meth:`eai.acting.Limit.begin`."""
        return self._check

    def _check(self, turns: Sequence[Turn]) -> str:
        if turns[-1].code == EMPTY_PLAN:
            return EMPTY_PLAN
        if sum(turn.reply.action is not None for turn in turns) >= self.steps:
            return "max_steps"
        if sum(not turn.success for turn in turns) >= INVALID:
            return "max_failures"
        return ""


class SkillEnvironment(SymbolicEnvironment):
    """A world acted in by skills, in which a record can say what is done and what is not."""

    name: ClassVar[str]
    observed_as: ClassVar[Any]
    """How states are observed."""
    always: ClassVar[frozenset[str]]
    """Types of what is seen wherever the agent is."""
    present: ClassVar[str] = ""
    """A predicate of the objects that are there at all; empty if all are."""
    _recorded: tuple[bool | None, ...] = ()

    def __init__(self, task: Task, semantics: Semantics) -> None:
        self.semantics = semantics
        simulator, present = self.simulator_of(semantics), self.present
        super().__init__(task, simulator, observed=self.observed_as, present=present)

    @staticmethod
    @abstractmethod
    def simulator_of(semantics: Semantics) -> Any:  # noqa: ANN401
        """Where plans are run."""

    @staticmethod
    @abstractmethod
    def action_of(skill: Skill) -> Action:
        """Return the action that a skill means; what it is about may be left open."""

    @staticmethod
    @abstractmethod
    def skill_of(action: Action) -> Skill:
        """Return the skill that an action is."""

    @staticmethod
    def goal_of(task: Task, semantics: Semantics) -> Goal:  # noqa: ARG004
        """Return the conditions that are counted."""
        return task.goal

    @staticmethod
    def more(task: Task) -> tuple[Skill, ...]:  # noqa: ARG004
        """Return the skills that only this episode has."""
        return ()

    @staticmethod
    def progress(task: Task, semantics: Semantics, steps: Steps, *, solved: bool) -> float | None:  # noqa: ARG004
        """Progress of what was done if it is not the share of the goal's conditions; else None."""
        return None

    @abstractmethod
    def choose_target(self, action: Action) -> tuple[Action, str]:
        """Return an action with the object that it is about, and how near the robot is to it.

        The nearness is ``"near"``, ``"possible"`` (the record decides), ``"far"``, or ``"absent"``
        if there is no such object.
        """

    @abstractmethod
    def failures(self, *, solved: bool) -> Iterator[EpisodeFailure]:
        """Yield the failures that what was done shows, in the light of the goal."""

    def met(self, formulas: Iterable[Formula]) -> dict[Formula, bool]:
        """Test conditions in the state that is now."""
        state, world = self._run.state, self.simulator.world
        return {formula: world.holds(state, formula) for formula in formulas}

    def follow(self, done: Iterable[bool | None]) -> None:
        """Take over from a record which actions are done (in order), from the next reset on."""
        self._recorded = tuple(done)

    def _begin(self) -> None:
        super()._begin()
        self._given = iter(self._recorded)
        self._settled = self._refuted = 0

    @property
    def findings(self) -> Iterator[str]:
        """Yield the steps whose outcome comes from the record, or contradicts it, in words."""
        if self._settled:
            unsure = "steps name an object that may or may not be near: the record decides"
            yield f"{self._settled} {unsure}"
        if self._refuted:
            yield f"{self._refuted} steps have another outcome in the record than here"

    def step(self, action: Action) -> StepResult:
        """Take one skill; what it is about may be left open."""
        made, near = self.choose_target(action)
        done = next(self._given, None)
        if done is not None and made.name in self.actions:
            numbers, here = self.outcome(made, near)
            self._settled += near == "possible"
            self._refuted += here is not done and near != "possible"
            if here is not done:
                return self._recorded_result(made, numbers, done=done)
        if near == "absent":
            kind = ErrorKind.OBJECT_HALLUCINATION
            return StepResult(False, self.observation, kind.value, resolved=made, kind=kind)
        return super().step(made)

    def _recorded_result(
        self, made: Action, numbers: tuple[int, ...] | None, *, done: bool
    ) -> StepResult:
        """Take over what a record says of a step that comes out otherwise here."""
        if done and numbers is not None:
            # The preconditions do not hold here, so that the world is only told the effects.
            changes = self.simulator.world.apply(self._run.state, made.name, numbers)
            self._run.record(made, len(self._executed) + 1, changes)
        self._executed.append("done" if done else "failed")
        code = "" if done else "missing_step"
        return StepResult(done, self.observation, code, resolved=made)

    def outcome(self, made: Action, near: str) -> tuple[tuple[int, ...] | None, bool]:
        """Return the numbers of an action's objects (None if unknown), and whether it succeeds."""
        if near == "absent" or len(made.arguments) != self.actions[made.name]:
            return None, False
        numbers = self._run.numbers(made)
        failed = self.simulator.world.first_failure(self._run.state, made.name, numbers)
        return numbers, failed < 0


class SkillGoal:
    """Watches the conditions of a goal through one episode, in the state that is now.

    Of several options of the goal the one with the largest share of conditions counts.
    """

    def __init__(self, goal: Goal) -> None:
        self._options = goal.final
        self._kinds: dict[Formula, str] = {}
        for option in goal.final:
            self._kinds.update({formula: kind for kind, formula in option})
        self._last: dict[Formula, Condition] = {}
        self._step = -1

    def update(
        self, environment: Environment, _action: Action | None, _result: StepResult | None
    ) -> GoalStatus:
        """See :class:`eai.acting.turns.GoalMonitor`."""
        if not isinstance(environment, SkillEnvironment):
            raise InputError("goals of EmbodiedBench are evaluated in its own environments")
        self._step += 1
        for formula, holds in environment.met(self._kinds).items():
            since, lost = since_and_lost(holds, self._last.get(formula), self._step)
            kind, text = self._kinds[formula], text_of(formula)
            self._last[formula] = Condition(kind, text, holds, since, lost, formula)
        options = [[self._last[formula] for _, formula in option] for option in self._options]
        return GoalStatus.of(max(options, key=_share_met))


def _share_met(conditions: Sequence[Condition]) -> float:
    return sum(condition.met for condition in conditions) / max(len(conditions), 1)


def skill_reader(
    kind: type[SkillEnvironment],
    task: Task,
    semantics: Semantics,
    otherwise: Callable[[str], Reply] = acting.read_reply,
) -> Callable[[str], Sequence[Reply]]:
    """Return what reads all actions of an answer; behind an unknown number the plan is cut.

    An answer is a planner's JSON object, or has lines ``Action: ...`` with a skill's words;
    ``otherwise`` reads a line that is no skill.
    """
    known = (*skills(kind.name), *kind.more(task))
    repair = next((mend for name, mend in REPAIRS.items() if name in semantics), None)

    def line(text: str) -> Reply:
        words = re.sub(r"^\W*action:\s*", "", text.strip(), flags=re.IGNORECASE)
        skill = skill_named(kind.name, words.strip(" `*"))
        return otherwise(text) if skill is None else Reply(kind.action_of(skill), skill.words)

    def numbered(number: object, words: str) -> Skill | None:
        if number == -1:  # a plan that was written for no one episode
            return skill_named(kind.name, words)
        return known[number] if isinstance(number, int) and 0 <= number < len(known) else None

    def read(text: str) -> Sequence[Reply]:
        if "{" not in text and "executable_plan" not in text:
            lines = [each for each in text.splitlines() if "action:" in each.lower()]
            return list(map(line, lines or [text]))
        output = read_output(text, repair)
        if output.status == EMPTY_PLAN:
            return [Reply(None, code=EMPTY_PLAN, message="the plan is empty")]
        if output.status != "ok":
            message = f"no plan can be read: {output.status}"
            return [Reply(None).refused(ErrorKind.PARSING, message)]
        replies: list[Reply] = []
        for number, words in output.plan:
            skill = numbered(number, words)
            if skill is None:
                unknown = f"there is no skill {number}: {shorten(words)}"
                refused = Reply(None, words).refused(ErrorKind.ACTION_HALLUCINATION, unknown)
                return replies or [refused]
            replies.append(Reply(kind.action_of(skill), skill.words))
        return replies

    return read


def _stands_alone(answer: str) -> bool:
    """Return whether an answer is a planner's object with no words around it, but for a fence."""
    around = answer[: answer.find("{")] + answer[answer.rfind("}") + 1 :]
    return not around.strip("` \n")


def _object_around(answer: str, place: int) -> str:
    """Return the planner's object around a place of an answer; empty if none is complete there."""
    begin = max(answer.rfind('"executable_plan"', 0, place + 1), 0)
    decode = decoding(_DECODER, answer)
    for _ in range(_MOST_OBJECTS):
        begin = answer.rfind("{", 0, begin)
        if begin < 0:
            break
        try:
            value, end = decode(begin)
        except ValueError:
            continue  # a bracket in a text
        if end > place and "executable_plan" in value:
            return answer[begin:end]
    return ""


class SkillPlans(Plans):
    """Open-loop plans of skills, run and scored by the definitions."""

    def __init__(self, semantics: Semantics, kind: type[SkillEnvironment]) -> None:
        super().__init__(semantics)
        self._kind = kind

    def simulator(self, task: Task) -> Any:  # noqa: ANN401, ARG002
        """Where plans of a task are run."""
        return self._kind.simulator_of(self.semantics)

    def conditions(self, task: Task, execution: Execution | None) -> tuple[Condition, ...]:
        """Score the conditions that the benchmark counts."""
        goal = self._kind.goal_of(task, self.semantics)
        return super().conditions(replace(task, goal=goal), execution)

    def read(self, task: Task, answer: str) -> BoundPlan:
        """Read a plan: the object of a planner, lines of skills, or any form of plans."""
        repairs = [name for name in REPAIRS if name in self.semantics]
        in_json = '"executable_plan"' in answer
        if in_json and (repairs or read_output(answer).status in ("ok", EMPTY_PLAN)):
            if not (repairs or _stands_alone(answer)):
                # The words around the object may say that its plan is not meant.
                reading = read_with(answer, self._surfaces(task))
                if reading.problems and not reading.steps:
                    return bind(reading, task.readable)
                if reading.steps:
                    answer = _object_around(answer, reading.steps[0].position) or answer
            replies = skill_reader(self._kind, task, self.semantics)(answer)
        else:
            surfaces = self._surfaces(task)
            reading = read_with(answer, surfaces)
            if reading.problems or not reading.steps:
                return bind(reading, task.readable)
            replies = [self._reply(task, step, surfaces) for step in reading.steps]
        if replies[0].code == EMPTY_PLAN:
            return BoundPlan()
        findings, actions = list[Finding](), list[Action]()
        world = self._kind(task, self.semantics)
        acting.unobserved(world)
        for n, reply in enumerate(replies, start=1):
            if reply.action is None:
                kind, text = ErrorKind(reply.code), reply.message
                findings.append(Finding(kind, text, step=n, action=reply.written))
                continue
            made, near = world.choose_target(reply.action)
            actions.append(made)
            if near == "absent":
                text = f"{reply.written}: there is no such object"
                kind = ErrorKind.OBJECT_HALLUCINATION
                findings.append(Finding(kind, text, step=n, action=str(made)))
            world.step(reply.action)
        written = tuple(reply.written for reply in replies)
        return BoundPlan(tuple(actions), tuple(findings), written=written)

    def _known(self, task: Task) -> tuple[Skill, ...]:
        """Return the skills of a task."""
        return (*skills(self._kind.name), *self._kind.more(task))

    def _surfaces(self, task: Task) -> Surfaces:
        """Return the written forms of what a task offers: skills in words, and its actions.

        The verb and the object of a skill are also forms of their own: ``pick_up("Mug")``.
        """
        names = {squeezed(name) for name in task.readable.actions}
        forms = list[tuple[str, ActionForm]]()
        verbs = dict[str, ActionForm]()
        targets = dict[str, str]()
        for skill in self._known(task):
            verb, target = skill.said
            verbs[verb] = ActionForm(verb, 1 if target else 0)
            targets.update({target: target, skill.target: target})
            form = ActionForm(skill.words, 0)
            bare = _ARTICLE.sub("", skill.words)
            forms += [(skill.words, form), (bare, form), (" ".join(skill.said), form)]
            # "pick plate" is short for a skill, and spelled like the action PICK_PLATE.
            if squeezed(skill.short) not in names:
                forms.append((skill.short, form))
        actions = [(name, ActionForm(name, n)) for name, n in task.readable.actions.items()]
        objects = [(name, name) for name in sorted(task.readable.objects)]
        targets.pop("", None)
        return Surfaces([*forms, *actions, *verbs.items()], [*objects, *targets.items()])

    def _reply(self, task: Task, step: ReadStep, surfaces: Surfaces) -> Reply:
        """Return the skill that a step is, or the action of the task, or that there is none."""
        form = surfaces.action(step.name)
        skill = None if form is None else skill_named(self._kind.name, form.name)
        if skill is not None and not step.arguments:
            return Reply(self._kind.action_of(skill), skill.words)
        named = squeezed(step.name), squeezed("".join(step.arguments))
        meant = by_verb_and_target(self._known(task)).get(named)
        if meant is not None:
            return Reply(self._kind.action_of(meant), meant.words)
        bound = bind(PlanReading((step,)), task.readable)
        if bound.actions:
            return Reply(bound.actions[0], str(step))
        found = bound.findings[0]
        return Reply(None, str(step)).refused(found.kind, found.message)

    def write(self, plan: Iterable[Action]) -> str:
        """Write a plan as a planner does; what is no skill has no number."""
        listed = list[dict[str, object]]()
        for action in plan:
            try:
                skill = self._kind.skill_of(action)
            except StopIteration:
                skill = Skill(-1, action.name, "", " ".join((action.name, *action.arguments)))
            listed.append({"action_id": skill.id, "action_name": skill.words})
        return json.dumps({"executable_plan": listed})


def skill_rules(
    kind: type[SkillEnvironment],
    task: Task,
    semantics: Semantics,
    examples: Sequence[str],
    recalled: bool,
) -> EpisodeRules:
    """Say what an episode of a task is; with the view ``near`` only what is around is seen.

    An agent is told examples, which are solved tasks, and what it did (``recalled``).
    """
    views = {"near": lambda: (acting.Nearby(kind.always), acting.Memory())}
    score = SkillPlans(semantics, kind).conditions
    plain = acting.task_rules(task, score=score, views=views)
    read = skill_reader(kind, task, semantics, plain.read)

    def brief(situation: Situation) -> Sequence[Message]:
        text = filled(
            "embodiedbench/brief",
            instruction=task.instruction,
            skills=(*skills(kind.name), *kind.more(task)),
            examples=examples,
            turns=acting.history(situation.turns, situation.feedback) if recalled else (),
            seen=acting.describe(situation.observation),
        )
        return [{"role": "user", "content": text}]

    def measured(episode: Any) -> Any:  # noqa: ANN401
        steps = ((turn.reply.written, turn.success) for turn in episode.turns)
        progress = kind.progress(task, semantics, steps, solved=episode.success)
        return measures(kind.name, episode, progress=progress)

    return replace(
        plain,
        read=lambda text: read(text)[0],
        read_plan=read,
        goal=lambda: SkillGoal(kind.goal_of(task, semantics)),
        brief=brief,
        limits=(EpisodeLimit(STEPS[kind.name]),),
        actions=STEPS[kind.name],
        groups=groups_of(task),
        measures=measured,
    )


def plan_follower(task: Task, semantics: Semantics, environment: SkillEnvironment) -> Agent:
    """Return an agent that follows the reference plan of a task, in words."""
    text = SkillPlans(semantics, type(environment)).write(task.plans[0])
    return lambda _messages: text
