"""The contract of a suite: one object that answers all questions about a benchmark.

Everything else (runs, reports, explanations, repairs, rewards, agents, prompts, the command line)
asks the suite, and knows no benchmark by name. A suite has *tasks*, *abilities* that a model is
asked for, and *quirks* of the evaluator that was published with it. Where its tasks are symbolic,
its *plans* are read, run and scored as the definitions say
(:class:`eai.abilities.action_sequencing.Plans`), but for what its published evaluator does
differently.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Union

from eai.errors import EaiError, InputError, UnknownNameError
from eai.nesting import on_own_stack
from eai.semantics import Quirk, Semantics

if TYPE_CHECKING:
    from eai.abilities import Plans
    from eai.acting import Agent, Episode, EpisodeRules, RecordedEpisode
    from eai.diagnosis import Result
    from eai.simulators import Environment
    from eai.task import Task
    from eai.world import Action

ABILITIES = (
    "goal_interpretation",
    "action_sequencing",
    "subgoal_decomposition",
    "transition_modeling",
)
"""Abilities that several suites have, in the order of tables."""

PLANS = "action_sequencing"
"""The ability that is meant where none is named and a suite has it."""

INTERACTION = "interaction"
"""The ability under which episodes are evaluated and reported."""

RECORDED = "recorded"
"""The ability under which episodes are evaluated that were recorded elsewhere."""

RULED = (PLANS, INTERACTION)
"""Abilities whose answers are run step by step, so that rules on the way can be judged."""

Evaluate = Callable[["Task", "str | None", Semantics], "Result"]
"""Evaluates one answer to a task (None: there is none) under a semantics."""

PromptBuilder = Callable[["Task"], "str | None"]
"""Says what to ask a model for one task; None if the task does not have the ability."""


@dataclass(frozen=True)
class Ability:
    """An ability that a suite tests, with the functions for it.

    Each part is a function, or ``module:function``, which is imported when it is first used.

    Args:
        evaluate: Evaluates an answer: ``(task, answer, semantics) -> Result``; the answer is
            None if there is none. A wrong answer is never an exception. None: the answers are
            plans, which the suite's :attr:`Suite.plans` evaluates, or those of an episode.
        prompt: Words the question: ``(task) -> str``, or None if the task does not have the
            ability; None if the suite has no prompts for it.
        view: How reports show it, an :class:`eai.report.metrics.View`; None for the one that the
            field has for the ability's name, which for an unknown name is that of plans.
        operators: Returns the annotated operators that predicted ones can take the place of, if
            the ability asks for operators: see :class:`eai.suites.transition.operators.Annotated`.
        former: Identifiers of tasks that the release no longer has, each with the one that took
            its place, for which their answers count.
        graded: Kind of the measure of a result that is its graded reward; empty if none is.
        acting: Of an ability about episodes, the module with ``environment`` and
            ``episode_rules``, each ``(task, semantics)``; empty if the suite overrides the methods
            of these names.
        oracle: Returns an agent that acts by the whole state:
            ``(task, semantics, environment) -> Agent``; None for one that follows a whole plan.
        follow: Returns what happened in a recorded episode:
            ``(suite, task, record, semantics) -> Episode``; None if the record says it, or its
            actions are taken again.
        write_plan: Writes a plan as an answer, if answers are whole plans and
            :attr:`Suite.plans` does not write them.
        condition: The condition under which models act or acted; it stands behind the version in
            reports.
    """

    evaluate: str | Evaluate | None = None
    prompt: str | PromptBuilder | None = None
    view: Any = None
    operators: str | Callable[[], Any] | None = None
    former: Mapping[str, str] = field(default_factory=dict)
    graded: str = ""
    acting: str = ""
    oracle: str | Callable[..., Agent] | None = None
    follow: str | Callable[..., Episode] | None = None
    write_plan: str | Callable[[Iterable[Action]], str] | None = None
    condition: str = ""


class AuditFinding(NamedTuple):
    """A problem in recorded episodes or in a table of results.

    Args:
        kind: Kind of the problem, in a word (``"mis-scored"``).
        task: The task, or the row, that it is about.
        message: The problem as a sentence.
        where: The file with its line.
    """

    kind: str
    task: str
    message: str
    where: str


@dataclass(frozen=True, slots=True)
class PredictionProblem:
    """A part of a source that was omitted or repaired.

    Args:
        message: The problem as a sentence.
        where: The place: a file with its line, or the number of an item.
        model: Name of the model that it is about; None if it may be any of the source's.
        reason: The kind of reason for which something was left out, under which it is counted.
        count: Number of files that it stands for; ``where`` is their folder if they are several.
    """

    message: str
    where: str
    model: str | None = None
    reason: str = ""
    count: int = 1

    def __str__(self) -> str:
        return f"{self.where}: {self.message}"


class LeftOut(PredictionProblem):
    """Files of a source without predictions, with the reason. This is not an error."""

    __slots__ = ()


SUM_LEFT_OUT = "left out: "
"""The beginning of the note that says how much of all sources together was left out."""

Raw = Union[PredictionProblem, tuple[str, object]]
"""An item of a source: a problem, or a place and the value there."""


class Store(Protocol):
    """Tasks converted from a release into files that load quickly."""

    @property
    def name(self) -> str:
        """Name used in messages."""

    def fill(
        self, *, progress: Callable[[str, int, int], None] | None = None, force: bool = False
    ) -> int:
        """Convert the tasks that are missing (with ``force`` all); return their number."""

    def verify(self) -> Sequence[Path]:
        """Return the files that were changed or removed since they were made."""


class Suite(ABC):
    """A benchmark.

    A subclass has a name, a title and a version, lists its tasks and loads them; with that plans
    can be evaluated. It overrides the other members as far as it has more. Third parties announce
    their suites in the entry-point group ``eai.suites``; the entry is called without arguments.
    """

    name: str
    """Name on the command line."""
    title: str
    """Title, on one line."""
    version: str
    """Version of the tasks, printed in every report."""
    quirks: Mapping[str, Quirk] = {}
    """The quirks of the published evaluator; ``official`` switches on all but optional ones."""
    official_version: str = ""
    """The evaluator that ``official`` reproduces."""
    default_semantics: str = "strict"
    """The semantics that is used when none is asked for."""

    # ---- tasks

    @abstractmethod
    def task_ids(self) -> Sequence[str]:
        """Identifiers of all tasks, in the benchmark's order."""

    @abstractmethod
    def task(self, task_id: str) -> Task:
        """Load one task.

        Raises:
            UnknownNameError: If there is no such task.
        """

    def canonical_id(self, raw: str) -> str:
        """Return the identifier that a prediction file means (a prefix removed, for instance)."""
        return raw.strip()

    def groups(self) -> Mapping[str, Sequence[str]]:
        """Return named groups of tasks: name to identifiers."""
        return {}

    def samples(self) -> Sequence[Path]:
        """Return files of sample predictions, which are evaluated if none are given."""
        return ()

    # ---- semantics and abilities

    def semantics(
        self, choice: str | Semantics, *, without: Iterable[str] = (), only: Iterable[str] = ()
    ) -> Semantics:
        """Return the semantics that a user asks for."""
        return Semantics.of(
            choice, self.quirks, version=self.official_version, without=without, only=only
        )

    @property
    def abilities(self) -> Mapping[str, Ability]:
        """The abilities that a model can be asked for, by name; by default plans."""
        return {PLANS: Ability(prompt="eai.abilities.prompts:plan_prompt")}

    @on_own_stack
    def evaluate(
        self, ability: str, task: Task, answer: str | None, semantics: Semantics
    ) -> Result:
        """Evaluate one answer: by the ability's own function, else as an episode, else as a plan.

        Args:
            ability: Name of the ability.
            task: The task.
            answer: The answer of the model; None if it is missing.
            semantics: The semantics to evaluate under.

        Raises:
            UnknownNameError: If the ability is not one of the suite's.
            InputError: If the answer is not text.
        """
        if answer is not None and not isinstance(answer, str):
            raise InputError(
                f"an answer is {type(answer).__name__}, not text",
                expected="what the model wrote, as str",
            )
        # An ability names its function as text, which is imported only when it is used.
        evaluate: Evaluate | None = imported_part(ability_of(self, ability).evaluate)
        if evaluate is not None:
            return evaluate(task, answer, semantics)
        if ability in (INTERACTION, RECORDED):
            return self._evaluate_episode(ability, task, answer, semantics)
        plans = self.plans(semantics)
        if plans is None:
            raise InputError(f"the suite {self.name!r} does not say how {ability} is evaluated")
        return plans.evaluate(task, answer)

    def _evaluate_episode(
        self, ability: str, task: Task, answer: str | None, semantics: Semantics
    ) -> Result:
        """Evaluate the answers of an agent in the environment, or the record of an episode.

        Args:
            ability: ``interaction`` or ``recorded``.
            task: The task.
            answer: The answers, or the record; None if they are missing.
            semantics: The semantics to evaluate under.
        """
        from eai.acting import evaluate_answers, evaluate_recorded

        rules = self.episode_rules(task, semantics)
        environment = self.environment(task, semantics)
        if ability == INTERACTION:
            return evaluate_answers(environment, answer, rules=rules, task=task.id)
        follow = partial(follow_record, self, task, semantics)
        return evaluate_recorded(environment, answer, follow, rules=rules, task=task)

    @property
    def content(self) -> str:
        """Hash of the user's files that the tasks are made of, or an empty text.

        A run can only be resumed with tasks of the same hash. By default it is the hash of the
        module that defines the class; a class of ``eai`` itself has an empty one.
        """
        from eai.files import content_hash

        module_name = type(self).__module__
        # Shipped files change with the package's version, which a run notes anyway.
        is_shipped = module_name.partition(".")[0] == "eai"
        module_file = getattr(sys.modules.get(module_name), "__file__", None)
        if is_shipped or module_file is None:
            return ""
        return content_hash([Path(module_file)])

    # ---- plans in the symbolic world

    def plans(self, semantics: Semantics) -> Plans | None:
        """How plans are read, run and scored; None if the suite has no plans as a whole."""
        from eai.abilities import Plans

        return Plans(semantics)

    # ---- acting step by step

    def environment(self, task: Task, semantics: Semantics) -> Environment:
        """Return the environment of a task, by default from :attr:`Ability.acting`.

        Raises:
            InputError: If the suite cannot be acted in.
        """
        environment: Environment = self._acting_part("environment")(task, semantics)
        return environment

    def episode_rules(self, task: Task, semantics: Semantics) -> EpisodeRules:
        """Return the rules of an episode of a task: limits, goal and reader of answers.

        Raises:
            InputError: If the suite cannot be acted in.
        """
        rules: EpisodeRules = self._acting_part("episode_rules")(task, semantics)
        return rules

    def _acting_part(self, name: str) -> Any:  # noqa: ANN401
        """Return a function of the module that :attr:`Ability.acting` names.

        Raises:
            InputError: If the suite cannot be acted in.
        """
        ability = self.abilities.get(INTERACTION)
        if ability is None or not ability.acting:
            raise not_interactive(self)
        return imported_part(f"{ability.acting}:{name}")

    def _repr_html_(self) -> str:
        from eai.display import table

        try:
            tasks = f"{len(self.task_ids()):,}"
        except EaiError as error:  # its data was not fetched
            tasks = str(error)
        rows = [
            ("Version", self.version),
            ("Tasks", tasks),
            ("Abilities", ", ".join(self.abilities)),
            ("Semantics", f"{self.default_semantics} by default; {len(self.quirks)} quirks"),
        ]
        return table((), rows, caption=f"{self.name}: {self.title}")


_Part = Union[str, Callable[..., Any], None]


def imported_part(target: _Part) -> Any:  # noqa: ANN401
    """Return a part of an ability, imported if it is given as ``module:name``."""
    if not isinstance(target, str):
        return target
    module, _, name = target.partition(":")
    return getattr(import_module(module), name)


def ability_of(suite: Suite, name: str) -> Ability:
    """Return the ability of a suite by name.

    Raises:
        UnknownNameError: If the suite has no ability of this name.
    """
    if not isinstance(name, str) or name not in suite.abilities:
        raise UnknownNameError("ability", name, suite.abilities)
    return suite.abilities[name]


def follow_record(
    suite: Suite, task: Task, semantics: Semantics, record: RecordedEpisode
) -> Episode:
    """Return what happened in a recorded episode.

    Args:
        suite: The suite.
        task: The task.
        semantics: The semantics of the environment.
        record: The recorded episode.

    Raises:
        InputError: If the recorded episode cannot be followed in the environment.
    """
    from eai.acting import recorded_episode

    # A suite whose recorder says more than actions reads it itself.
    follow: Callable[..., Episode] | None = imported_part(ability_of(suite, RECORDED).follow)
    if follow is not None:
        return follow(suite, task, record, semantics)
    rules = suite.episode_rules(task, semantics)
    environment = suite.environment(task, semantics)
    return recorded_episode(environment, record, rules=rules, task=task)


def chosen_ability(suite: Suite, ability: str | None = None) -> str:
    """Return the given ability, or the suite's default.

    Args:
        suite: The suite.
        ability: Its name. By default it is the suite's ``default_ability``, else action sequencing,
            else the only ability that the suite has beside recorded episodes.

    Raises:
        UnknownNameError: If the suite does not have the ability.
        InputError: If no ability is given and the suite has no default one.
    """
    abilities = suite.abilities
    if ability is not None:
        if isinstance(ability, str) and ability in abilities:
            return ability
        error = UnknownNameError("ability", ability, abilities)
        if PLANS in abilities and not error.suggestions:
            error.mend = f"name one of them; for plans it is {PLANS}"
        raise error
    default = getattr(suite, "default_ability", PLANS)
    if default in abilities:
        return str(default)
    # Recorded episodes are evaluated where they are named, never by default.
    candidates = [name for name in abilities if name != RECORDED] or list(abilities)
    if len(candidates) != 1:
        raise InputError(
            f"the suite {suite.name!r} evaluates several abilities, and none is named",
            expected=f"one of {', '.join(abilities)}",
            mend=f"--ability {next(iter(abilities), 'NAME')}, or the argument of this name",
        )
    return candidates[0]


EMPTY_PLAN: Mapping[str, str] = {"[]": "the empty plan"}
SAYING_NOTHING: Mapping[str, str] = {**EMPTY_PLAN, "": "an empty answer"}
"""Answers that say nothing, and what they are called."""


def solved_by_nothing(
    solves: Callable[[str], bool], answers: Mapping[str, str] = EMPTY_PLAN
) -> str:
    """Return the name of an empty answer that solves a task, or "".

    A solution of such a task shows nothing, so the task is useless for rewards and success rates.
    The empty plan tells more about a task than an empty answer: for questions about operators,
    published evaluators fill in the annotated operators if the answer is empty.

    Args:
        solves: Whether an answer solves the task.
        answers: The answers that are tried, with their names.

    Returns:
        A name for the answer, such as "the empty plan"; empty if none solves the task.
    """
    for answer, name in answers.items():
        if solves(answer):
            return name
    return ""


def refuse_without(suite: Suite, ability: str = PLANS) -> None:
    """Raise an error if a suite lacks an ability.

    Raises:
        UnknownNameError: If the suite does not have the ability.
    """
    if ability in suite.abilities:
        return
    error = UnknownNameError("ability", ability, suite.abilities, where=f"suite {suite.name!r}")
    error.expected = f"a suite that evaluates {ability}; this one: {', '.join(suite.abilities)}"
    error.mend = "choose another suite (eai suites)"
    if is_interactive(suite):
        error.mend += f"; to act step by step: eai interact {suite.name}"
    raise error


def is_interactive(suite: Suite) -> bool:
    """Return whether a suite's tasks can be acted in step by step."""
    return INTERACTION in suite.abilities


def checked_interactive(suite: Suite) -> Suite:
    """Return a suite after checking that agents can act in it.

    Raises:
        InputError: If agents cannot act in it.
    """
    if not is_interactive(suite):
        raise not_interactive(suite)
    return suite


def not_interactive(suite: Suite) -> InputError:
    """Return the error for a suite in which agents cannot act."""
    return InputError(
        f"the suite {suite.name!r} cannot be acted in step by step",
        expected=f"a suite with the ability {INTERACTION}, environment() and episode_rules()",
        mend="evaluate whole plans instead: eai evaluate, eai replan",
    )
