"""Episodes of an agent: its prompts, the reader of its answers, and the end of its episode.

Source: EmbodiedBench (arXiv 2502.09560), section 4 and appendix; its evaluator at b247936.
"""

from __future__ import annotations

import json
import re
from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, NamedTuple

from eai import acting
from eai.abilities import Plans
from eai.acting import Agent, Episode, EpisodeRules, Message, Reply, Situation, Turn
from eai.answers import (
    ActionForm,
    AnswerProblem,
    Binder,
    BoundPlan,
    PlanReading,
    ReadStep,
    Surfaces,
    bind,
    read_with,
    shorten,
    squeezed,
)
from eai.diagnosis import (
    Condition,
    ErrorKind,
    Finding,
    GoalStatus,
    Measure,
    since_and_lost,
    text_of,
)
from eai.errors import InputError
from eai.logic import Formula
from eai.nesting import decoding
from eai.semantics import Semantics
from eai.simulators import Environment, Execution, StepResult, SymbolicEnvironment
from eai.suites.embodiedbench.failures import EpisodeFailure, groups_of, measures
from eai.suites.embodiedbench.skill_numbers import (
    SkillNumberGrammar,
    numbered_by_skill,
    with_words_of_numbers,
    without_numbers_behind,
)
from eai.suites.embodiedbench.skills import (
    EMPTY_PLAN,
    REPAIRS,
    STEPS,
    Output,
    Skill,
    by_verb_and_target,
    mismatches,
    read_output,
    skill_named,
    skills,
)
from eai.suites.shared.templates import filled
from eai.task import Goal, Task, Vocabulary
from eai.world import Action

INVALID = 10
"""Number of invalid actions that ends an episode of EB-ALFRED and EB-Habitat."""
# The article in the words of a skill: "pick up the Mug".
_ARTICLE = re.compile(r"\b(?:an?|the)\b ?")
_DECODER = json.JSONDecoder(strict=False)
_MOST_OBJECTS = 50
"""Maximum number of objects that are tried as the one with the plan."""
Steps = Iterable[tuple[str, bool]]
"""Words of steps that were taken, and whether they were done."""


@dataclass(frozen=True, slots=True)
class Placement(Reply):
    """A step that puts the held object away and names the object, the receptacle or both.

    A skill puts whatever is in hand, so that the object that is named has to be that one. Which
    name is which, the hand says when the step is taken.

    Args:
        names: The objects in the order of the answer, at most two.
        takes_object: Whether its verb has what is in hand as its object: "put down the mug".
    """

    names: tuple[str, ...] = ()
    takes_object: bool = False


@dataclass(frozen=True, slots=True)
class EpisodeLimit:
    """Ends an episode after a number of steps or invalid actions, or at an empty plan.

    An answer that no action is read out of is an invalid action and no environment step.
    """

    steps: int

    def begin(self) -> Callable[[Sequence[Turn]], str]:
        """See :meth:`eai.acting.Limit.begin`."""
        return self._check

    def _check(self, turns: Sequence[Turn]) -> str:
        """Return the reason why an episode ends after its last turn, or "" if it continues."""
        if turns[-1].code == EMPTY_PLAN:
            return EMPTY_PLAN
        environment_steps = sum(turn.reply.action is not None for turn in turns)
        if environment_steps >= self.steps:
            return "max_steps"
        invalid_actions = sum(not turn.success for turn in turns)
        if invalid_actions >= INVALID:
            return "max_failures"
        return ""


class SkillEnvironment(SymbolicEnvironment):
    """A world in which an agent acts by skills.

    A recorded episode can decide what the state leaves open.
    """

    name: ClassVar[str]
    observed_as: ClassVar[Any]
    """How states are observed."""
    always: ClassVar[frozenset[str]]
    """Types of what is seen wherever the agent is."""
    placing: ClassVar[str]
    """Name of the action that puts what is in hand somewhere."""
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
        """Return the simulator in which plans are run."""

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
    def episode_skills(task: Task) -> tuple[Skill, ...]:  # noqa: ARG004
        """Return the skills that only this episode has."""
        return ()

    @staticmethod
    def progress(task: Task, semantics: Semantics, steps: Steps, *, solved: bool) -> float | None:  # noqa: ARG004
        """Return the progress of an episode; None if it is the share of the goal's conditions."""
        return None

    @abstractmethod
    def choose_target(self, action: Action) -> tuple[Action, str]:
        """Return an action with its object filled in, and how near the robot is to that object.

        The nearness is ``"near"``, ``"possible"`` (the record decides), ``"far"``, or ``"absent"``
        if there is no such object.
        """

    @abstractmethod
    def failures(self, *, solved: bool) -> Iterator[EpisodeFailure]:
        """Yield the failures that the actions of the episode show, in the light of the goal."""

    @property
    def held(self) -> str:
        """Name of the held object; empty if the hand is."""
        return "".join(self.observed.holding(self._run.state, self.task.agent)[:1])

    @staticmethod
    @abstractmethod
    def placement_at(place: str, all_skills: tuple[Skill, ...]) -> Action | None:
        """Return the action that puts what is in hand at a place; None if there is none."""

    def met(self, formulas: Iterable[Formula]) -> dict[Formula, bool]:
        """Test conditions in the state that is now."""
        state, world = self._run.state, self.simulator.world
        return {formula: world.holds(state, formula) for formula in formulas}

    def follow(self, done: Iterable[bool | None]) -> None:
        """Take over from a record which actions are done (in order), from the next reset on."""
        self._recorded = tuple(done)

    def _begin(self) -> None:
        """Begin an episode, and read the outcomes of the recorded one from its start."""
        super()._begin()
        self._outcomes = iter(self._recorded)
        self._n_decided_by_record = 0  # the record tells which of several objects is meant
        self._n_contradicted = 0  # the record has another outcome

    @property
    def findings(self) -> Iterator[str]:
        """Yield sentences on steps whose outcome is the record's, or contradicts it."""
        if self._n_decided_by_record:
            unsure = "steps name an object that may or may not be near: the record decides"
            yield f"{self._n_decided_by_record} {unsure}"
        if self._n_contradicted:
            yield f"{self._n_contradicted} steps have another outcome in the record than here"

    def step(self, action: Action) -> StepResult:
        """Execute one skill. If it names no object, the environment chooses one.

        When a recorded episode is repeated, the outcome in the record decides.
        """
        chosen_action, nearness = self.choose_target(action)
        was_done = next(self._outcomes, None)
        if was_done is not None and chosen_action.name in self.actions:
            numbers, succeeds_here = self.outcome(chosen_action, nearness)
            is_contradicted = succeeds_here is not was_done
            if nearness == "possible":
                # Only the record knows whether the object was near.
                self._n_decided_by_record += 1
            elif is_contradicted:
                self._n_contradicted += 1
            if is_contradicted:
                return self._recorded_result(chosen_action, numbers, done=was_done)
        if nearness == "absent":
            error_kind = ErrorKind.OBJECT_HALLUCINATION
            return StepResult(
                False,
                self.observation,
                error_kind.value,
                resolved=chosen_action,
                kind=error_kind,
            )
        return super().step(chosen_action)

    def _recorded_result(
        self, action: Action, numbers: tuple[int, ...] | None, *, done: bool
    ) -> StepResult:
        """Apply the recorded outcome of a step instead of the one computed here."""
        if done and numbers is not None:
            # The preconditions may fail here, so the effects are applied without testing them.
            changes = self.simulator.world.apply(self._run.state, action.name, numbers)
            self._run.record(action, len(self._executed) + 1, changes)
        self._executed.append("done" if done else "failed")
        code = "" if done else "missing_step"
        return StepResult(done, self.observation, code, resolved=action)

    def outcome(self, action: Action, nearness: str) -> tuple[tuple[int, ...] | None, bool]:
        """Return the numbers of an action's objects (None if unknown), and if it succeeds."""
        if nearness == "absent" or len(action.arguments) != self.actions[action.name]:
            return None, False
        numbers = self._run.numbers(action)
        # The number of the first test that fails, and -1 if none does.
        failed = self.simulator.world.first_failure(self._run.state, action.name, numbers)
        return numbers, failed < 0


class SkillGoal:
    """Tracks which conditions of a goal hold in the current state of an episode.

    Of several options of the goal the one with the largest share of conditions counts.
    """

    def __init__(self, goal: Goal) -> None:
        """Collect the conditions of all options of the goal."""
        self._options = goal.final
        # Formula of a condition to its kind, and to its status after the last action.
        self._kinds: dict[Formula, str] = {}
        for option in goal.final:
            self._kinds.update({formula: kind for kind, formula in option})
        self._last: dict[Formula, Condition] = {}
        self._step = -1

    def update(
        self, environment: Environment, _action: Action | None, _result: StepResult | None
    ) -> GoalStatus:
        """Return the status of the goal: that of the option with most conditions met.

        See :class:`eai.acting.turns.GoalMonitor`.
        """
        if not isinstance(environment, SkillEnvironment):
            raise InputError("goals of EmbodiedBench are evaluated in its own environments")
        self._step += 1
        # All conditions of all options are tracked, as the best option may change.
        for formula, holds in environment.met(self._kinds).items():
            since, lost = since_and_lost(holds, self._last.get(formula), self._step)
            self._last[formula] = Condition(
                self._kinds[formula], text_of(formula), holds, since, lost, formula
            )
        conditions_of_options = []
        for option in self._options:
            conditions_of_options.append([self._last[formula] for _, formula in option])
        return GoalStatus.of(max(conditions_of_options, key=_share_met))


def _share_met(conditions: Sequence[Condition]) -> float:
    """Return the share of conditions that are met; 0 if there are none."""
    return sum(condition.met for condition in conditions) / max(len(conditions), 1)


class SkillReader:
    """Reads the actions of an answer. The plan ends before an unknown skill number.

    An answer is a planner's JSON object, or has lines ``Action: ...`` with a skill's words.

    Args:
        kind: The environment that the skills are of.
        task: The task, which may have skills of its own.
        semantics: Which repair of broken JSON counts.
        otherwise: Reads a line that is no skill.
    """

    def __init__(
        self,
        kind: type[SkillEnvironment],
        task: Task,
        semantics: Semantics,
        otherwise: Callable[[str], Reply] = acting.read_reply,
    ) -> None:
        """List the skills of the task, and select the repair of the semantics."""
        self._kind = kind
        self._skills = (*skills(kind.name), *kind.episode_skills(task))
        self._repair = next((mend for name, mend in REPAIRS.items() if name in semantics), None)
        self._otherwise = otherwise

    def __call__(self, text: str) -> Sequence[Reply]:
        """Return the actions of an answer, or a single reply with the reason why there are none."""
        is_prose = "{" not in text and "executable_plan" not in text
        if is_prose:
            action_lines = [line for line in text.splitlines() if "action:" in line.lower()]
            return [self._read_line(line) for line in action_lines or [text]]
        output = read_output(text, self._repair)
        if output.status == EMPTY_PLAN:
            return [Reply(None, code=EMPTY_PLAN, message="the plan is empty")]
        if output.status != "ok":
            message = f"no plan can be read: {output.status}"
            return [Reply(None).refused(ErrorKind.PARSING, message)]
        return self._read_steps(output)

    def _read_steps(self, output: Output) -> Sequence[Reply]:
        """Return the actions of a plan, up to the first number that is not a skill's."""
        replies: list[Reply] = []
        for number, words in output.plan:
            skill = self._skill_of(number, words)
            if skill is not None:
                replies.append(self._reply(skill))
                continue
            if replies:
                return replies  # the actions before the unknown number are executed
            message = f"there is no skill {number}: {shorten(words)}"
            return [Reply(None, words).refused(ErrorKind.ACTION_HALLUCINATION, message)]
        return replies

    def _read_line(self, line: str) -> Reply:
        """Return the skill that a line ``Action: pick up the Mug`` names."""
        words = re.sub(r"^\W*action:\s*", "", line.strip(), flags=re.IGNORECASE)
        skill = skill_named(self._kind.name, words.strip(" `*"))
        return self._otherwise(line) if skill is None else self._reply(skill)

    def _skill_of(self, number: object, words: str) -> Skill | None:
        """Return the skill with a number, whatever the words say, or None if there is none."""
        if number == -1:  # a plan that was written for no one episode
            return skill_named(self._kind.name, words)
        if isinstance(number, int) and 0 <= number < len(self._skills):
            return self._skills[number]
        return None

    def _reply(self, skill: Skill) -> Reply:
        """Return a skill as the reply of an agent that named it."""
        return Reply(self._kind.action_of(skill), skill.words)


def _stands_alone(answer: str) -> bool:
    """Return whether an answer is a planner's object with no words around it, but for a fence."""
    around = answer[: answer.find("{")] + answer[answer.rfind("}") + 1 :]
    return not around.strip("` \n")


def _object_around(answer: str, position: int) -> str:
    """Return the planner's JSON object around a position of an answer, or "" if none is complete.

    Brackets are tried from the inside out: the object with the plan may stand in another one, and
    a bracket before the plan may belong to a text.
    """
    start = max(answer.rfind('"executable_plan"', 0, position + 1), 0)
    decode = decoding(_DECODER, answer)
    for _ in range(_MOST_OBJECTS):
        start = answer.rfind("{", 0, start)  # the next bracket outwards
        if start < 0:
            break
        try:
            value, end = decode(start)
        except ValueError:
            continue  # a bracket in a text
        if end > position and "executable_plan" in value:
            return answer[start:end]
    return ""


class _Read(NamedTuple):
    """The actions that an answer names, with notes on how it was read."""

    replies: Sequence[Reply]
    notes: tuple[str, ...] = ()


class _TaskNames:
    """The names that a task offers, looked up once for all steps of an answer.

    Args:
        surfaces: The written forms of its skills, actions and objects.
        known: Its skills.
        vocabulary: Its actions and objects as answers may name them.
    """

    def __init__(
        self, surfaces: Surfaces, known: tuple[Skill, ...], vocabulary: Vocabulary
    ) -> None:
        """Index the known skills by verb and target."""
        self.surfaces = surfaces
        self.skills_by_verb = by_verb_and_target(known)
        self.vocabulary = vocabulary
        self.binder = Binder(vocabulary)


class SkillPlans(Plans):
    """Plans of skills that are written as a whole, run and scored by the definitions."""

    def __init__(self, semantics: Semantics, kind: type[SkillEnvironment]) -> None:
        super().__init__(semantics)
        self._kind = kind

    def simulator(self, task: Task) -> Any:  # noqa: ANN401, ARG002
        """Return the simulator in which plans of a task are run."""
        return self._kind.simulator_of(self.semantics)

    def conditions(self, task: Task, execution: Execution | None) -> tuple[Condition, ...]:
        """Score the conditions that the benchmark counts."""
        goal = self._kind.goal_of(task, self.semantics)
        return super().conditions(replace(task, goal=goal), execution)

    def read(self, task: Task, answer: str) -> BoundPlan:
        """Read a plan: a planner's JSON object, lines of skills, or any other form of plan."""
        read = self._replies(task, answer)
        if isinstance(read, BoundPlan):
            return read
        if read.replies[0].code == EMPTY_PLAN:
            return BoundPlan()
        return replace(self._bind_replies(task, read.replies), notes=read.notes)

    def _replies(self, task: Task, answer: str) -> _Read | BoundPlan:
        """Return the actions that an answer names, or a plan without steps if it has no plan."""
        has_plan_object = '"executable_plan"' in answer
        # Under a quirk that repairs answers, only the published reader is used.
        if any(name in self.semantics for name in REPAIRS):
            if has_plan_object:
                return _Read(SkillReader(self._kind, task, self.semantics)(answer), ())
            return self._read_words(task, answer)
        if has_plan_object and read_output(answer).status in ("ok", EMPTY_PLAN):
            return self._read_object(task, answer)
        return self._read_words(task, with_words_of_numbers(answer, self._known(task)))

    def _read_object(self, task: Task, answer: str) -> _Read | BoundPlan:
        """Return the actions of a planner's JSON object in an answer, or why it has none."""
        if not _stands_alone(answer):
            # The text around the object may reject its plan: "This would not work: {...}".
            reading = read_with(answer, self._surfaces(task))
            if reading.steps:
                answer = _object_around(answer, reading.steps[0].position) or answer
            elif reading.problems:
                return bind(reading, task.readable)
        replies = SkillReader(self._kind, task, self.semantics)(answer)
        return _Read(replies, self._contradictions(answer))

    def _read_words(self, task: Task, answer: str) -> _Read | BoundPlan:
        """Return the actions of an answer in any form of plans, or why it has none."""
        names = _TaskNames(self._surfaces(task), self._known(task), task.readable)
        answer = without_numbers_behind(answer, self._kind.name)
        is_numbered, contradicting_lines = numbered_by_skill(self._kind.name, answer)
        grammar = SkillNumberGrammar if is_numbered else None
        reading = read_with(answer, names.surfaces, grammar=grammar)
        problems = [*reading.problems]
        for line in contradicting_lines:
            message = f"number and words of {shorten(line)} are different skills"
            problems.append(AnswerProblem(message))
        reading = replace(reading, problems=tuple(problems))
        replies = [self._reply(step, names) for step in reading.steps]
        if replies and not problems:
            return _Read(replies, reading.notes)
        # Skills are not actions of the domain, so only the problems are bound, without the steps.
        rejected = names.binder.bind(replace(reading, steps=()))
        findings = [*rejected.findings]
        for step_number, reply in enumerate(replies, start=1):
            if reply.action is None:
                findings.append(_refusal(step_number, reply))
        written = tuple(reply.written for reply in replies)
        return replace(rejected, findings=tuple(findings), written=written)

    def _contradictions(self, answer: str) -> tuple[str, ...]:
        """Return a note on each step of a planner's object whose words and number disagree."""
        notes: list[str] = []
        plan = read_output(answer).plan
        for position in mismatches(self._kind.name, plan):
            number, words = plan[position - 1]
            notes.append(f"step {position}: {number} is not {words!r}; the number counts")
        return tuple(notes)

    def _bind_replies(self, task: Task, replies: Sequence[Reply]) -> BoundPlan:
        """Return a plan in which each skill has the objects chosen in the state before it.

        The plan is executed for that: which object a skill means depends on the steps before it.
        """
        findings: list[Finding] = []
        actions: list[Action] = []
        environment = self._kind(task, self.semantics)
        acting.unobserved(environment)
        has_failed_step = False
        for step_number, written_reply in enumerate(replies, start=1):
            reply = written_reply
            if isinstance(written_reply, Placement):
                # After a failed step the state is not the one that the plan is about.
                held = "" if has_failed_step else environment.held
                reply = self._with_place(task, written_reply, held)
            if reply.action is None:
                findings.append(_refusal(step_number, reply))
                continue
            # The choice comes before the step, which may move the object.
            action, nearness = environment.choose_target(reply.action)
            actions.append(action)
            if nearness == "absent":
                text = f"{reply.written}: there is no such object"
                kind = ErrorKind.OBJECT_HALLUCINATION
                findings.append(Finding(kind, text, step=step_number, action=str(action)))
            if not environment.step(reply.action).success:
                has_failed_step = True
        written = tuple(reply.written for reply in replies)
        return BoundPlan(tuple(actions), tuple(findings), written=written)

    def _known(self, task: Task) -> tuple[Skill, ...]:
        """Return the skills of a task."""
        return (*skills(self._kind.name), *self._kind.episode_skills(task))

    def _surfaces(self, task: Task) -> Surfaces:
        """Return the written forms of a task's skills and actions, and of its objects.

        The verb and the object of a skill are also forms of their own: ``pick_up("Mug")``.
        """
        action_spellings = {squeezed(name) for name in task.readable.actions}
        action_forms: list[tuple[str, ActionForm]] = []
        verb_forms: dict[str, ActionForm] = {}
        targets: dict[str, str] = {}  # written form of an object to its name
        for skill in self._known(task):
            action_forms += _forms_of_skill(skill, action_spellings)
            verb, target = skill.verb_and_target
            verb_forms[verb] = ActionForm(verb, 1 if target else 0, _optional_objects(verb))
            # "navigate the sofa", and "pick the apple" where "pick" is no action of its own.
            for short_verb in (verb.removesuffix(" to"), verb.removesuffix(" up")):
                if squeezed(short_verb) not in action_spellings:
                    verb_forms.setdefault(short_verb, verb_forms[verb])
            targets[target] = target
            # Another skill may have the same target in other words: "open the refrigerator".
            targets.setdefault(skill.target, target)
        targets.pop("", None)
        # "turn on" is spelled like the action turn_on, and only one of them may have the spelling.
        verb_spellings = {squeezed(verb) for verb in verb_forms}
        for name, arity in task.readable.actions.items():
            if squeezed(name) not in verb_spellings:
                action_forms.append((name, ActionForm(name, arity, _optional_objects(name))))
        for verb in ("put", "place"):
            action_forms.append((verb, ActionForm(verb, 1, _optional_objects(verb))))
        objects = [(name, name) for name in sorted(task.readable.objects)]
        surfaces = Surfaces([*action_forms, *verb_forms.items()], [*objects, *targets.items()])
        surfaces.add_sayings({form.name: form.max_objects for form in verb_forms.values()})
        return surfaces

    def _reply(self, step: ReadStep, names: _TaskNames) -> Reply:
        """Return the skill or the action of the task that a step names, or a refusal."""
        if squeezed("".join(step.arguments)).removeprefix("the") == _IN_HAND:
            step = replace(step, arguments=())
        # The words of a whole skill: "pick up the Mug".
        form = names.surfaces.find_action(step.name)
        skill = None if form is None else skill_named(self._kind.name, form.name)
        if skill is not None and not step.arguments:
            return Reply(self._kind.action_of(skill), skill.words)
        # A verb with its object: pick_up("Mug").
        key = squeezed(step.name), squeezed("".join(step.arguments))
        skill = names.skills_by_verb.get(key)
        if skill is not None:
            return Reply(self._kind.action_of(skill), skill.words)
        action = self._with_instance(step, names)
        if action is not None:
            return Reply(action, str(step))
        if form is not None and form.optional:
            placement = self._placement(step, names.surfaces)
            if placement is not None:
                return placement
        return _reply_in_domain(step, Reply(None, str(step)), names.binder)

    def _with_instance(self, step: ReadStep, names: _TaskNames) -> Action | None:
        """Return the action of a skill on a named instance, as in "pick up the Book_2".

        Skills name types only. None if there is no such skill, or no such object.
        """
        name = names.surfaces.objects.get(squeezed("".join(step.arguments)), "")
        kind = _type_of(name)
        if name not in names.vocabulary.objects or kind == name:
            return None
        key = squeezed(step.name), squeezed(kind)
        skill = names.skills_by_verb.get(key)
        return skill and Action(self._kind.action_of(skill).name, (name,))

    def _placement(self, step: ReadStep, surfaces: Surfaces) -> Placement | None:
        """Return a step as a placement, or None if one of its names is unknown."""
        text = ", ".join(step.arguments)
        mentions = surfaces.find_mentions(text)
        names = tuple(mention.name for mention in mentions if not mention.is_action)
        # The mentions have to cover the whole text, apart from blanks and signs.
        n_covered = 0
        for mention in mentions:
            n_covered += len(squeezed(text[mention.start : mention.end]))
        if len(names) not in (1, 2) or n_covered != len(squeezed(text)):
            return None
        takes_object = squeezed(step.name) in ("putdown", "drop")
        placing = Action(self._kind.placing)
        return Placement(placing, str(step), names=names, takes_object=takes_object)

    def _with_place(self, task: Task, reply: Placement, held: str) -> Reply:
        """Return a placement with its receptacle filled in, or the reason why it is impossible.

        Args:
            task: The task.
            reply: The placement.
            held: Name of the object in hand; empty if there is none, or if a step failed before,
                so that the step is not reached.
        """
        names = list(reply.names)
        names_of_held = [name for name in names if held and _is_named(held, name)]
        if names_of_held:
            names.remove(names_of_held[0])
        elif held and (len(names) == 2 or reply.takes_object):
            message = f"{names[0]} is to be put away, but {held} is in hand"
            return reply.refused(ErrorKind.ARGUMENT_NUMBER, message)
        if not names:
            return reply
        receptacle = names[-1]
        action = self._kind.placement_at(receptacle, self._known(task))
        if action is not None:
            return replace(reply, action=action)
        # No skill names the receptacle, but the domain may: "SinkBasin".
        step = ReadStep(self._kind.placing, (receptacle,))
        return _reply_in_domain(step, reply, Binder(task.readable))

    def write(self, plan: Iterable[Action]) -> str:
        """Write a plan as a planner does. An action that is not a skill has no number."""
        listed = list[dict[str, object]]()
        for action in plan:
            try:
                skill = self._kind.skill_of(action)
            except StopIteration:
                skill = Skill(-1, action.name, "", " ".join((action.name, *action.arguments)))
            listed.append({"action_id": skill.id, "action_name": skill.words})
        return json.dumps({"executable_plan": listed})


def _reply_in_domain(step: ReadStep, reply: Reply, binder: Binder) -> Reply:
    """Return a reply with the domain's action for a step, or the reason why there is none."""
    bound = binder.bind(PlanReading((step,)))
    if bound.actions:
        return replace(reply, action=bound.actions[0])
    finding = bound.findings[0]
    return reply.refused(finding.kind, finding.message)


_IN_HAND = "objectinhand"
"""The words of skills for whatever is in hand, as letters."""


def _optional_objects(verb: str) -> int:
    """Return how many objects may follow a verb although its skill does not take them.

    "Put the mug on the table" names what is in hand, which the skill puts anyway, and "put down
    the mug in the sink" a place, too.
    """
    return {"put": 1, "place": 1, "place at": 1, "put down": 2, "drop": 2}.get(verb, 0)


def _refusal(number: int, reply: Reply) -> Finding:
    """Return the finding about a step that cannot be tried."""
    kind = ErrorKind(reply.code)
    return Finding(kind, reply.message, step=number, action=reply.written)


def _type_of(name: str) -> str:
    """Return the type of an instance such as ``Apple_2`` or ``lid.1``."""
    return re.sub(r"[._]\d+$", "", name)


def _is_named(held: str, name: str) -> bool:
    """Whether a name is that of an object in hand, ``Apple_2`` or ``lid.1``, or of its type."""
    kind = _type_of(held)
    return squeezed(name) in (squeezed(held), squeezed(kind), squeezed(kind.removesuffix("Sliced")))


def skill_rules(
    kind: type[SkillEnvironment],
    task: Task,
    semantics: Semantics,
    examples: Sequence[str],
    recalled: bool,
) -> EpisodeRules:
    """Return the rules of an episode of a task.

    With the view ``near``, only close objects are seen.

    Args:
        kind: The class of the environment.
        task: The task.
        semantics: The semantics.
        examples: Solved tasks that the agent is told.
        recalled: Whether the agent is told its earlier actions.
    """
    views = {"near": lambda: (acting.Nearby(kind.always), acting.Memory())}
    score = SkillPlans(semantics, kind).conditions
    general_rules = acting.task_rules(task, score=score, views=views)
    read_plan = SkillReader(kind, task, semantics, general_rules.read)
    return replace(
        general_rules,
        # An answer is a whole plan, of which this reader takes the first action.
        read=lambda text: read_plan(text)[0],
        read_plan=read_plan,
        goal=lambda: SkillGoal(kind.goal_of(task, semantics)),
        brief=_SkillBrief(kind, task, examples, recalled),
        limits=(EpisodeLimit(STEPS[kind.name]),),
        actions=STEPS[kind.name],
        groups=groups_of(task),
        measures=partial(_episode_measures, kind, task, semantics),
    )


def _forms_of_skill(skill: Skill, spelled_actions: Collection[str]) -> list[tuple[str, ActionForm]]:
    """Return how a whole skill is written: with an article, without one, and shortened.

    Args:
        skill: The skill.
        spelled_actions: The actions of the task in small letters without separators. "pick plate"
            is short for a skill, but no form of it if there is an action PICK_PLATE.
    """
    verb, target = skill.verb_and_target
    form = ActionForm(skill.words, 0, _optional_objects(verb))
    forms = [(skill.words, form), (_ARTICLE.sub("", skill.words), form)]
    if not target:
        return forms  # its verb alone is the skill
    forms.append((f"{verb} {target}", form))
    if squeezed(skill.short) not in spelled_actions:
        forms.append((skill.short, form))
    return forms


@dataclass(frozen=True)
class _SkillBrief:
    """The prompt of a turn.

    Args:
        kind: The environment.
        task: The task.
        examples: Solved tasks that the agent is told.
        recalled: Whether it is told what it did.
    """

    kind: type[SkillEnvironment]
    task: Task
    examples: Sequence[str]
    recalled: bool

    def __call__(self, situation: Situation) -> Sequence[Message]:
        """Return the message of a turn (see :class:`eai.acting.turns.Brief`)."""
        turns: Sequence[str] = ()
        if self.recalled:
            turns = acting.history(situation.turns, situation.feedback)
        text = filled(
            "embodiedbench/brief",
            instruction=self.task.instruction,
            skills=(*skills(self.kind.name), *self.kind.episode_skills(self.task)),
            examples=self.examples,
            turns=turns,
            seen=acting.describe(situation.observation),
        )
        return [{"role": "user", "content": text}]


def _episode_measures(
    kind: type[SkillEnvironment], task: Task, semantics: Semantics, episode: Episode
) -> tuple[Measure, ...]:
    """Return the measures of an episode, including progress as the benchmark counts it."""
    steps = ((turn.reply.written, turn.success) for turn in episode.turns)
    progress = kind.progress(task, semantics, steps, solved=episode.success)
    return measures(kind.name, episode, progress=progress)


def plan_follower(task: Task, semantics: Semantics, environment: SkillEnvironment) -> Agent:
    """Return an agent that follows the reference plan of a task, in words."""
    text = SkillPlans(semantics, type(environment)).write(task.plans[0])
    return lambda _messages: text
