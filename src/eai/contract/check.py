"""Checking a suite as its author wants it checked: everything that is wrong, at once.

:func:`check_suite` asks a suite whatever the rest of the package will ask it, and reports each
answer that the rest could not use. It is to suites what ``check_env`` is to environments in
Gymnasium, but it does not stop at the first mistake. :func:`eai.contract.lint_suite` finds mistakes
in the annotation of single tasks (reference plans that fail, goals that nothing reaches).
"""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from eai.contract.asking import plan_ability, prompt_of, write_plan
from eai.contract.extensions import GROUPS, extension
from eai.contract.suite import (
    INTERACTION,
    PLANS,
    RECORDED,
    Ability,
    Suite,
    imported_part,
    is_interactive,
)
from eai.diagnosis import Result
from eai.errors import DataMissingError, InputError, UnknownNameError
from eai.plugins import place_of, said_by
from eai.semantics import Quirk, Semantics
from eai.task import Task
from eai.world import Action

MAX_TASKS = 5
"""Tasks that are loaded and evaluated unless more are asked for."""

UNKNOWN_TASK = "no task has this name"
_ENVIRONMENT = ("capabilities", "actions", "reset", "step", "state")
"""Members that an environment has to have."""
_ANSWERS: tuple[str | None, ...] = (None, "", "[]", "No plan comes to mind.")
"""Answers that every suite has to evaluate: none at all, and some that say nothing."""


@dataclass(frozen=True)
class SuiteProblem:
    """A problem of a suite.

    Args:
        member: The member that it is about (``"task_ids"``), or ``"suite"``.
        message: What is wrong.
        mend: What to do about it.
        where: The line of the suite's code, if it raised an exception.
    """

    member: str
    message: str
    mend: str = ""
    where: str | None = None

    def __str__(self) -> str:
        text = f"{self.member}: {self.message}"
        if self.where:
            text = f"{self.where}: {text}"
        if self.mend:
            text += f"; {self.mend}"
        return text


def check_suite(suite: object, *, max_tasks: int | None = MAX_TASKS) -> list[SuiteProblem]:
    """Return all problems of a suite.

    Args:
        suite: The suite.
        max_tasks: How many tasks are loaded and evaluated; None for all of them.

    Raises:
        DataMissingError: If the suite's data was not fetched.

    Examples:
        >>> import eai
        >>> eai.check_suite(eai.suite("household"), max_tasks=1)
        []
        >>> class Empty(eai.Suite):
        ...     name, title, version = "empty", "A suite without tasks", "1"
        ...     def task_ids(self): return []
        ...     def task(self, task_id): return None
        >>> first_problem, *_ = eai.check_suite(Empty())
        >>> first_problem.member
        'task_ids'
    """
    if isinstance(suite, type):
        mend = f"call it: {suite.__name__}()"
        return [SuiteProblem("suite", f"{suite.__name__} is a class, not a suite", mend)]
    if not isinstance(suite, Suite):
        mend = "derive its class from eai.Suite"
        return [SuiteProblem("suite", f"a {type(suite).__name__} is not a suite", mend)]
    return list(_Check(suite, max_tasks).problems())


class _Check:
    """The checks of one suite, each of which yields problems."""

    def __init__(self, suite: Suite, max_tasks: int | None) -> None:
        """Begin without identifiers, tasks and abilities: earlier checks find them for later ones.

        Args:
            suite: The suite.
            max_tasks: Maximum number of tasks that are loaded and evaluated; None for all.
        """
        self._suite = suite
        self._max_tasks = max_tasks
        self._ids: list[str] = []
        self._tasks: list[Task] = []
        self._abilities: dict[str, Ability] = {}

    def problems(self) -> Iterator[SuiteProblem]:
        """Yield all problems. Later checks rely on what earlier ones found correct."""
        # Each check is named by the member that an exception in it is blamed on.
        checks: list[tuple[str, Callable[[], Iterator[SuiteProblem]]]] = [
            ("suite", self._check_description),
            ("quirks", self._check_semantics),
            ("task_ids", self._check_identifiers),
            ("task", self._check_tasks),
            ("groups", self._check_groups),
            ("samples", self._check_samples),
            ("content", self._check_content),
            ("abilities", self._check_abilities),
            ("evaluate", self._check_evaluation),
            ("prompt", self._check_prompts),
            ("plans", self._check_plans),
            ("environment", self._check_acting),
            ("extensions", self._check_extensions),
            ("suite", self._check_pickling),
        ]
        for member, check in checks:
            yield from self._run_check(member, check)

    def _run_check(
        self, member: str, check: Callable[[], Iterator[SuiteProblem]]
    ) -> Iterator[SuiteProblem]:
        """Yield the problems of one check, also if the check itself raises an error."""
        try:
            yield from check()
        except DataMissingError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever the suite's code raises
            yield self._problem_of_error(member, error)

    def _problem_of_error(self, member: str, error: Exception, context: str = "") -> SuiteProblem:
        """Return the problem that a member raised an error.

        Args:
            member: The member.
            error: The error.
            context: The request, which precedes the words of the error: ``"'task-1': "``.
        """
        message = f"{context}it raised {said_by(error)}"
        return SuiteProblem(member, message, where=place_of(error))

    # ---- description and semantics

    def _check_description(self) -> Iterator[SuiteProblem]:
        """Yield problems of name, title and version, each of which is one line."""
        for member in ("name", "title", "version"):
            text = getattr(self._suite, member, None)
            if not isinstance(text, str) or not text.strip():
                yield SuiteProblem(member, "it is missing or empty", f'{member} = "..."')
            elif "\n" in text:
                yield SuiteProblem(member, "it has more than one line", "write one line")

    def _check_semantics(self) -> Iterator[SuiteProblem]:
        """Yield problems of the quirks and of the semantics made from them."""
        suite = self._suite
        for name, quirk in suite.quirks.items():
            if not isinstance(quirk, Quirk):
                yield SuiteProblem("quirks", f"{name!r} is no eai.semantics.Quirk")
            elif quirk.name != name:
                yield SuiteProblem("quirks", f"{quirk.name!r} is listed as {name!r}")
        # Quirks are those of some evaluator, which reports name with its version.
        if suite.quirks and not suite.official_version:
            mend = "name the evaluator that has the quirks"
            yield SuiteProblem("official_version", "it is empty", mend)
        if suite.default_semantics not in ("official", "strict"):
            message = f"{suite.default_semantics!r} is no semantics"
            yield SuiteProblem("default_semantics", message, "'official' or 'strict'")
        for choice in ("official", "strict"):
            if not isinstance(suite.semantics(choice), Semantics):
                yield SuiteProblem("semantics", f"it returns no semantics for {choice!r}")

    def _check_content(self) -> Iterator[SuiteProblem]:
        """Yield a problem if the hash of the tasks is no text."""
        if not isinstance(self._suite.content, str):
            mend = "return a hash of the files that tasks are made of, or an empty text"
            yield SuiteProblem("content", "it is no text", mend)

    def _check_extensions(self) -> Iterator[SuiteProblem]:
        """Yield problems of the extensions registered for the suite."""
        for group in GROUPS:
            try:
                extension(group, self._suite)
            except InputError as error:  # noqa: PERF203 - nine groups
                yield SuiteProblem("extensions", error.what, error.mend or "", error.where)

    def _check_pickling(self) -> Iterator[SuiteProblem]:
        """Yield a problem if the suite cannot be sent to workers."""
        # With several workers each process gets a copy.
        try:
            pickle.dumps(self._suite)
        except Exception as error:  # noqa: BLE001 - pickle raises whatever it meets
            message = f"it cannot be sent to other processes: {said_by(error)}"
            mend = "keep open files, locks and local functions out of its attributes"
            yield SuiteProblem("suite", message, mend)

    # ---- tasks

    def _check_identifiers(self) -> Iterator[SuiteProblem]:
        """Yield problems of the list of identifiers, and store the usable ones for later checks."""
        identifiers = self._suite.task_ids()
        if isinstance(identifiers, str) or not isinstance(identifiers, Sequence):
            yield SuiteProblem("task_ids", "it returns no list", "return a tuple of identifiers")
            return
        if not identifiers:
            yield SuiteProblem("task_ids", "there is no task", "return at least one identifier")
        for identifier in identifiers:
            if not _is_identifier(identifier):
                yield SuiteProblem("task_ids", f"{identifier!r} is no identifier", "use text")
        self._ids = [identifier for identifier in identifiers if _is_identifier(identifier)]
        yield from self._check_repetition()
        # A set, or a listing of a folder, has another order in another process.
        if list(self._suite.task_ids()) != list(identifiers):
            mend = "always return the same identifiers in the same order"
            yield SuiteProblem("task_ids", "a second call returns another list", mend)
        yield from self._check_canonical_identifiers()

    def _check_repetition(self) -> Iterator[SuiteProblem]:
        """Yield a problem for each of the first identifiers that are listed more than once."""
        counts = Counter(self._ids)
        repeated = sorted(identifier for identifier, count in counts.items() if count > 1)
        for identifier in repeated[:MAX_TASKS]:
            yield SuiteProblem("task_ids", f"{identifier!r} is listed more than once")

    def _check_canonical_identifiers(self) -> Iterator[SuiteProblem]:
        """Yield a problem for the first identifier whose canonical form is a different one."""
        for identifier in self._ids:
            canonical = self._suite.canonical_id(identifier)
            if canonical != identifier:
                message = f"{identifier!r} is taken for {canonical!r}"
                yield SuiteProblem("canonical_id", message, "return identifiers as they are")
                # One is enough: the rest is renamed by the same rule.
                return

    def _check_tasks(self) -> Iterator[SuiteProblem]:
        """Yield problems of the first tasks, and of the error for an unknown task."""
        # A maximum of None takes all of them.
        for identifier in self._ids[: self._max_tasks]:
            try:
                task = self._suite.task(identifier)
            except Exception as error:  # noqa: BLE001 - whatever the suite's code raises
                yield self._problem_of_error("task", error, f"{identifier!r}: ")
                continue
            yield from _problems_of_task(identifier, task)
            if isinstance(task, Task):
                self._tasks.append(task)
        yield from self._check_unknown_task()

    def _check_unknown_task(self) -> Iterator[SuiteProblem]:
        """Yield a problem unless an unknown identifier raises :class:`UnknownNameError`."""
        mend = 'begin with eai.errors.check_name("task", task_id, self.task_ids())'
        try:
            self._suite.task(UNKNOWN_TASK)
        except UnknownNameError:
            return
        except DataMissingError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever the suite's code raises
            message = f"for an unknown task it raises {type(error).__name__}"
            yield SuiteProblem("task", message, mend, place_of(error))
        else:
            yield SuiteProblem("task", "it returns a task that is not listed", mend)

    def _check_groups(self) -> Iterator[SuiteProblem]:
        """Yield a problem for each group with an unknown task."""
        all_ids = set(self._ids)
        for group, task_ids in self._suite.groups().items():
            unknown_ids = [task_id for task_id in task_ids if task_id not in all_ids]
            if unknown_ids:
                message = f"{group!r} has a task that is none: {unknown_ids[0]!r}"
                yield SuiteProblem("groups", message)

    def _check_samples(self) -> Iterator[SuiteProblem]:
        """Yield a problem for each file of sample answers that is missing."""
        for path in self._suite.samples():
            if not Path(path).is_file():
                yield SuiteProblem("samples", f"there is no file {path}")

    # ---- abilities

    def _check_abilities(self) -> Iterator[SuiteProblem]:
        """Yield problems of the abilities, whose named parts must exist."""
        abilities = self._suite.abilities
        if not isinstance(abilities, Mapping) or not abilities:
            yield SuiteProblem("abilities", "it maps no name to an eai.Ability")
            return
        for name, ability in abilities.items():
            if not isinstance(ability, Ability):
                yield SuiteProblem("abilities", f"{name!r} is no eai.Ability")
                continue
            yield from _problems_of_parts(name, ability)
            # Later checks ask only for abilities that are well-formed.
            self._abilities[name] = ability

    def _check_evaluation(self) -> Iterator[SuiteProblem]:
        """Yield the first problem of each ability in evaluating empty answers."""
        for ability in self._abilities:
            for task in self._tasks:
                problem = next(self._check_answers(ability, task), None)
                if problem is not None:
                    # One task of an ability is enough: the others fail in the same way.
                    yield problem
                    break

    def _check_answers(self, ability: str, task: Task) -> Iterator[SuiteProblem]:
        """Yield the problems of evaluating empty answers to a task under each semantics."""
        choices = ["strict"]
        if self._suite.quirks:
            choices = ["official", "strict"]
        for choice in choices:
            for answer in _ANSWERS:
                yield from self._check_answer(ability, task, answer, choice)

    def _check_answer(
        self, ability: str, task: Task, answer: str | None, choice: str
    ) -> Iterator[SuiteProblem]:
        """Yield the problems of evaluating an empty or missing answer.

        Args:
            ability: The ability.
            task: The task.
            answer: The answer; None for a missing one.
            choice: Name of the semantics.
        """
        suite = self._suite
        context = f"{ability} of {task.id!r}, answer {answer!r}: "
        semantics = suite.semantics(choice)
        try:
            # Twice, as a verdict may not depend on what was evaluated before.
            result = suite.evaluate(ability, task, answer, semantics)
            second_result = suite.evaluate(ability, task, answer, semantics)
        except Exception as error:  # noqa: BLE001 - a wrong answer is never an exception
            yield self._problem_of_error("evaluate", error, context)
            return
        if not isinstance(result, Result):
            message = f"{context}it returns a {type(result).__name__}"
            yield SuiteProblem("evaluate", message, "return an eai.diagnosis.Result")
        elif result != second_result:
            mend = "evaluation must not use chance, the clock or what was evaluated before"
            yield SuiteProblem("evaluate", f"{context}a second call differs", mend)
        elif answer is None and result.success:
            mend = "answer None stands for a missing answer, which solves nothing"
            yield SuiteProblem("evaluate", f"{context}it is a success", mend)

    def _check_prompts(self) -> Iterator[SuiteProblem]:
        """Yield a problem for each ability whose prompt is not text."""
        for name, ability in self._abilities.items():
            if not ability.prompt:
                continue
            for task in self._tasks:
                text = prompt_of(self._suite, task, name)
                if text is not None and not isinstance(text, str):
                    message = f"the prompt for {name} of {task.id!r} is a {type(text).__name__}"
                    yield SuiteProblem("prompt", message, "return text, or None")
                    break

    def _check_plans(self) -> Iterator[SuiteProblem]:
        """Yield problems of plans: the first reference plan of each task has to solve it."""
        suite = self._suite
        ability = plan_ability(suite)
        if ability not in self._abilities or self._abilities[ability].evaluate is not None:
            return
        semantics = suite.semantics("strict")
        if suite.plans(semantics) is None:
            mend = f"return eai.abilities.Plans(semantics), or leave {PLANS} out of abilities"
            yield SuiteProblem("plans", f"it is None, but there is the ability {ability}", mend)
            return
        if type(suite).plans is Suite.plans:
            # A suite that reads plans in its own way may let them name other objects.
            yield from self._check_vocabularies()
        for task in self._tasks:
            for plan in task.plans[:1]:
                yield from self._check_reference_plan(task, plan, ability, semantics)

    def _check_reference_plan(
        self, task: Task, plan: Sequence[Action], ability: str, semantics: Semantics
    ) -> Iterator[SuiteProblem]:
        """Yield a problem if a reference plan has a malformed step, or misses the goal.

        Args:
            task: The task.
            plan: One of its reference plans.
            ability: The ability that is about plans.
            semantics: The semantics to evaluate under.
        """
        problem = _problem_of_steps(task, plan)
        if problem is not None:
            yield problem
            return
        # As an answer, because that is how plans of models come.
        answer = write_plan(self._suite, plan)
        if not self._suite.evaluate(ability, task, answer, semantics).success:
            message = f"the reference plan of {task.id!r} does not solve it"
            yield SuiteProblem("task", message, "eai data lint says which step fails")

    def _check_vocabularies(self) -> Iterator[SuiteProblem]:
        """Yield a problem for the first action that takes another number of objects in plans.

        In plans an action has one object fewer than in the domain if the agent is left out.
        """
        for task in self._tasks:
            number_of_agents = 1 if task.agent else 0
            for name, operator in task.start.layout.domain.operators.items():
                domain_arity = len(operator.parameters) - number_of_agents
                plan_arity = task.vocabulary.actions.get(name, domain_arity)
                if plan_arity != domain_arity:
                    message = (
                        f"in the vocabulary of {task.id!r}, {name} takes {plan_arity} objects, but "
                        f"in the domain {domain_arity} (agent={task.agent!r})"
                    )
                    mend = f"Vocabulary.of(domain, objects, has_agent={bool(task.agent)})"
                    yield SuiteProblem("task", message, mend)
                    # One is enough: the others are wrong in the same way.
                    return

    def _check_acting(self) -> Iterator[SuiteProblem]:
        """Yield problems of the environment and the episode rules of each task."""
        suite = self._suite
        if not self._acts_in_own_environment():
            # Recorded episodes are followed in the environment that agents act in.
            if RECORDED in self._abilities and type(suite).evaluate is Suite.evaluate:
                mend = f"add the ability {INTERACTION}, or override evaluate"
                yield SuiteProblem("abilities", f"{RECORDED} goes with {INTERACTION}", mend)
            return
        semantics = suite.semantics(suite.default_semantics)
        for task in self._tasks:
            environment = suite.environment(task, semantics)
            suite.episode_rules(task, semantics)
            missing = [name for name in _ENVIRONMENT if not hasattr(environment, name)]
            if missing:
                message = f"that of {task.id!r} has no {missing[0]}"
                yield SuiteProblem("environment", message, "see eai.simulators.Environment")
                return
            # Any error here is reported as a problem of the environment.
            environment.reset()

    def _acts_in_own_environment(self) -> bool:
        """Return whether agents act in an environment of the suite, scored by the contract."""
        ability = self._abilities.get(INTERACTION)
        if ability is None or ability.evaluate is not None:
            return False
        return is_interactive(self._suite)


def _is_identifier(value: object) -> bool:
    """Return whether a value can be the identifier of a task: text that is not empty."""
    return isinstance(value, str) and bool(value)


def _problems_of_task(identifier: str, task: object) -> Iterator[SuiteProblem]:
    """Yield problems of what a suite returned as the task of an identifier."""
    if not isinstance(task, Task):
        message = f"{identifier!r}: it returns a {type(task).__name__}"
        yield SuiteProblem("task", message, "return an eai.Task")
    elif task.id != identifier:
        message = f"the task of {identifier!r} has the identifier {task.id!r}"
        yield SuiteProblem("task", message, f"Task(id={identifier!r}, ...)")
    elif not task.instruction:
        message = f"{identifier!r} has no instruction"
        yield SuiteProblem("task", message, "say what is to be done")


def _problems_of_parts(name: str, ability: Ability) -> Iterator[SuiteProblem]:
    """Yield problems of an ability's parts given as ``module:function``."""
    for part, target in ability._asdict().items():
        # A condition is words, which may have a colon as well.
        if not isinstance(target, str) or ":" not in target or part == "condition":
            continue
        try:
            imported_part(target)
        except Exception as error:  # noqa: BLE001 - a module may raise anything
            message = f"{part} of {name!r} cannot be imported: {said_by(error)}"
            yield SuiteProblem("abilities", message, "write module:name", place_of(error))


def _problem_of_steps(task: Task, plan: Sequence[object]) -> SuiteProblem | None:
    """Return the problem of a reference plan with a step that is not an action, or None."""
    for step in plan:
        if not isinstance(step, Action):
            message = f"in the reference plan of {task.id!r}, {step!r} is no action"
            return SuiteProblem("task", message, 'write eai.Action("open", ("door.1",))')
    return None
