"""Files of PlanBench (Valmeekam et al. 2023): the tasks that they ask, read out of their queries.

A file of prompts, answers or results is ``{"task": ..., "domain": ..., "instances": [...]}``. A
*query* is what a model was asked: the domain in words, examples, and last the statement that is
asked about. Initial state, goal, plan and unexpected event of that statement are the task. The
instance in the repository may be another one: reuse, replanning and generalisation change it.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from eai.answers import Names, Phrases, bind, read_steps
from eai.contract import PLANS
from eai.errors import InputError
from eai.logic import TRUE, And, Atom
from eai.nesting import load_json
from eai.pddl import Domain, Problem, parse_problem, read_file
from eai.suites.pddl.fact_words import FactWords
from eai.suites.pddl.plans import state_after
from eai.suites.pddl.published import PublishedFacts, PublishedVerdict
from eai.task import Vocabulary
from eai.world import Action, world_of

VERIFICATION = "plan_verification"
"""The ability to say whether a plan is valid, and if not, why."""
EXECUTION = "plan_execution"
"""The ability to say what holds after a plan."""


class PublishedTask(NamedTuple):
    """A task of PlanBench.

    Args:
        number: Its number.
        name: Its name.
        ability: The ability that it asks for.
    """

    number: str
    name: str
    ability: str


TASKS = {
    f"task_{number}_{name.replace(' ', '_')}": PublishedTask(number, name, ability)
    for number, name, ability in (
        ("1", "plan generation", PLANS),
        ("2", "plan optimality", PLANS),
        ("3", "plan verification", VERIFICATION),
        ("4", "plan reuse", PLANS),
        ("5", "plan generalization", PLANS),
        ("6", "replanning", PLANS),
        ("7", "plan execution", EXECUTION),
        ("8_1", "goal shuffling", PLANS),
        ("8_2", "full to partial", PLANS),
        ("8_3", "partial to full", PLANS),
    )
}
"""The tasks by the names that files have; a name may go on: ``..._zero_shot_pddl``."""
GENERATION, OPTIMALITY = TASKS["task_1_plan_generation"], TASKS["task_2_plan_optimality"]
REPLANNING = TASKS["task_6_replanning"]

_OTHER_GOAL = (
    "PlanBench tests a plan on another goal, of which the query asks more (other_goal_tested)"
)
_OTHER_VERDICTS = {
    TASKS["task_4_plan_reuse"]: _OTHER_GOAL,
    REPLANNING: _OTHER_GOAL,
    TASKS["task_7_plan_execution"]: (
        "PlanBench's reader takes other facts out of the answer (facts_by_parts)"
    ),
    TASKS["task_8_3_partial_to_full"]: (
        "PlanBench tests a plan on the goal of the instance, of which the query asks more"
    ),
}
"""Why a published verdict may be another one, where that is known."""

_TABLES: Mapping[str, Mapping[str, Any]] = json.loads(
    resources.files("eai.data.tasks.pddl").joinpath("planbench.json").read_text("utf-8")
)
"""How each domain is worded: actions, objects and predicates, and what kinds of objects are."""
_BY_NAME = ("obfuscated", "mystery", "random", "logistics", "depots", "blocksworld")
"""Parts of a domain's name that say which table it has; the first that fits."""

_HEAD = 4_000
"""Characters at the beginning of a file in which it says what it is."""
# The beginning of an example, or of the question itself, in a query.
_STATEMENT = re.compile(r"^[ \t]*\[STATEMENT\]", re.MULTILINE)
# The sentence with the initial state.
_INITIAL = re.compile(r"As initial conditions I have that,?\s*(.*?)\s*(?=\n|\Z)")
# The sentence with the goal.
_GOAL = re.compile(r"My goal is to have that\s+([^.\n]*)")
# A plan in a query, between its marks.
_PLAN = re.compile(r"\[(PLAN|ACTION SEQUENCE)\](.*?)\[\1 END\]", re.DOTALL)
_EVENT = re.compile(
    r"""at\ step\ (?P<step>\d+)\ in\ the\ plan,\ the\ following\ facts\ unexpectedly\ became\ true:
        \s*(?P<true>[^\n]*?)\s*\n
        The\ following\ facts\ became\ unexpectedly\ false:\s*(?P<false>[^\n]*)""",
    re.VERBOSE,
)
# The beginning of a problem that a query gives in PDDL.
_PDDL = re.compile(r"\(define\s*\(problem", re.IGNORECASE)


class PlanQuestion(NamedTuple):
    """A question about a given plan.

    Args:
        ability: :data:`VERIFICATION` or :data:`EXECUTION`.
        steps: The plan.
        words: How facts are worded in its answer.
        published: How PlanBench's evaluator reads them; None if that is not known.
    """

    ability: str
    steps: tuple[Action, ...]
    words: FactWords
    published: PublishedFacts | None = None


@dataclass(frozen=True)
class PublishedFile:
    """A file of PlanBench.

    Args:
        path: Where it is.
        task: The name that it gives to its task.
        domain: The name that it gives to its domain.
        model: The model that answered; empty if nobody did.
        instances: Its questions, with the answers if there are any.
    """

    path: Path
    task: str
    domain: str
    model: str
    instances: Sequence[Mapping[str, Any]]

    @property
    def published(self) -> PublishedTask:
        """The PlanBench task that the file belongs to.

        Raises:
            InputError: If it is none of PlanBench's.
        """
        for name, task in TASKS.items():
            if self.task.startswith(name) or self.task == f"t{task.number}":
                return task
        raise InputError(
            f"{self.task!r} is no task of PlanBench",
            where=str(self.path),
            expected=f'"task" of the file as one of {", ".join(TASKS)}',
        )

    @property
    def title(self) -> str:
        """One line that says what it is."""
        task = self.published
        return f"PlanBench task {task.number}, {task.name}: {self.domain}"

    @property
    def table(self) -> Mapping[str, Any]:
        """The wording of the file's domain."""
        # "obfuscated_deceptive_logistics" has the table of obfuscated names, not of logistics.
        for part in _BY_NAME:
            if part not in self.domain:
                continue
            for name, table in _TABLES.items():
                if name.startswith(part):
                    return table
            return {}
        return {}

    @property
    def phrases(self) -> Phrases:
        """Phrases for actions and objects."""
        return Phrases(self.table.get("actions", {}), self.table.get("objects", {}))

    def queries(self) -> Iterator[Query]:
        """Yield what is asked about each instance."""
        for number, instance in enumerate(self.instances, start=1):
            yield Query(self, f"instance-{instance.get('instance_id', number)}", instance)


def read_published(path: Path) -> PublishedFile | None:
    """Return a file of PlanBench, or None if the file is of another kind."""
    if not path.name.endswith((".json", ".json.gz")) or not path.is_file():
        return None
    document = _document_of_planbench(path)
    # Any JSON file may be in the folder, so other contents are not an error.
    if not isinstance(document, dict) or not isinstance(document.get("task"), str):
        return None
    instances = document.get("instances")
    if not isinstance(instances, list):
        return None
    return PublishedFile(
        path,
        document["task"],
        str(document.get("domain") or ""),
        str(document.get("engine") or ""),
        [instance for instance in instances if isinstance(instance, dict)],
    )


def _document_of_planbench(path: Path) -> Any:  # noqa: ANN401
    """Return the JSON value of a file that begins like PlanBench's, or None."""
    try:
        with (
            gzip.open(path, "rt", encoding="utf-8")
            if path.suffix == ".gz"
            else path.open(encoding="utf-8-sig") as file
        ):
            # The head is enough to tell most other files, which may be large.
            head = file.read(_HEAD)
            if '"instances"' not in head or '"task"' not in head:
                return None
            return load_json(head + file.read())
    except (OSError, ValueError, EOFError):
        return None


@dataclass(frozen=True)
class Query:
    """A published question about one instance.

    Args:
        file: The file.
        name: Name of the task.
        instance: The entry of the file.
    """

    file: PublishedFile
    name: str
    instance: Mapping[str, Any]

    @property
    def text(self) -> str:
        """The prompt."""
        return str(self.instance.get("query") or "")

    @property
    def where(self) -> str:
        """Path and name, for messages."""
        return f"{self.file.path} {self.name}"

    @cached_property
    def statement(self) -> str:
        """The statement that is asked about, behind the examples."""
        _, *statements = _STATEMENT.split(self.text)
        return statements[-1] if statements else self.text

    @property
    def verdict(self) -> PublishedVerdict | None:
        """Published verdict on the answer in the file, or None if there is none.

        Of verification it is whether "valid" or "invalid" is right, not the reason.
        """
        for key in ("llm_correct", "llm_correct_binary", "correct"):
            if key in self.instance:
                answer = str(self.instance.get("llm_raw_response") or "")
                why = _OTHER_VERDICTS.get(self.file.published, "")
                return PublishedVerdict(answer, bool(self.instance[key]), why)
        return None

    @property
    def reference_length(self) -> int | None:
        """Length of the cheapest published plan; None if there is none."""
        lines = str(self.instance.get("ground_truth_plan") or "").split("\n")
        steps = [line for line in lines if line.strip()]
        return len(steps) or None

    def problem(self, domain: Domain, phrases: Phrases) -> Problem:
        """Return the problem. For replanning, it is the one after the unexpected event.

        Raises:
            InputError: If the query does not say what the task needs; the task is named.
        """
        pddl_problems = list(_PDDL.finditer(self.statement))
        if pddl_problems:
            # Examples come first, so the last problem is the one in question.
            text = _first_expression(self.statement[pddl_problems[-1].start() :])
            return parse_problem(text, domain=domain, source=self.where, named=False)
        # Without PDDL, everything is in sentences by PlanBench's templates.
        words = self.words(domain)
        initial = words.read(self._find_statement(_INITIAL, "its initial state"))
        goal_text = self._find_statement(_GOAL, "a goal") if self._has_goal else ""
        goal = words.read(goal_text)
        self._refuse_unread(initial.unread + goal.unread)
        objects, type_facts = self._objects(domain, [*initial.facts, *goal.facts])
        initial_facts = (*type_facts, *initial.facts)
        goal_formula = And(goal.facts) if goal.facts else TRUE
        problem = Problem(self.name, domain.name, objects, initial_facts, goal_formula)
        if self.file.published == REPLANNING:
            return self._after_event(domain, problem, phrases, words)
        return problem

    def question(self, domain: Domain, problem: Problem, phrases: Phrases) -> PlanQuestion | None:
        """Return the question about a plan, or None if the query asks for a plan.

        Args:
            domain: The domain.
            problem: The problem of the query.
            phrases: Phrases for actions and objects.

        Raises:
            InputError: If the query gives no plan.
        """
        ability = self.file.published.ability
        if ability == PLANS:
            return None
        words = self.words(domain, tuple(problem.objects))
        published = self._published_facts(domain)
        return PlanQuestion(ability, self.steps(domain, problem, phrases), words, published)

    def _published_facts(self, domain: Domain) -> PublishedFacts | None:
        """Return PlanBench's reader of facts, or None for a domain without one."""
        table = self.file.table
        if "parts" not in table:
            return None
        # The evaluator looks for "red", not for "red block".
        objects = {name: phrase.removesuffix(" block") for name, phrase in table["objects"].items()}
        arities = {name: predicate.arity for name, predicate in domain.predicates.items()}
        return PublishedFacts(table["parts"], objects, table["splits"], arities)

    def tested(self, problem: Problem, domain: Domain, folder: Path | None) -> Problem | None:
        """Return the problem on which PlanBench tests a plan, or None if it is unknown.

        For reuse and replanning, its goal is only a part of the goal that the query asks for. It
        stands in files of prompts and of answers, and is deleted from files of results. For the
        tasks about goals (8), it is the instance of the repository.

        Args:
            problem: The problem that the query gives.
            domain: Its domain.
            folder: A folder that may have the instances of the repository.
        """
        new_instance = self.instance.get("new_instance")
        if isinstance(new_instance, dict) and isinstance(new_instance.get("instance"), dict):
            return _as_instance(problem, new_instance["instance"])
        if folder is None or not self.file.published.number.startswith("8"):
            return None
        file = folder / f"{self.name}.pddl"
        if not file.is_file():
            return None
        instance = parse_problem(read_file(file), domain=domain, source=str(file), named=False)
        # The folder may hold the instances of another release.
        if set(instance.initial) != set(problem.initial):
            return None
        return instance

    def steps(self, domain: Domain, problem: Problem, phrases: Phrases) -> tuple[Action, ...]:
        """Return the steps of the plan that the query is about.

        Args:
            domain: The domain.
            problem: The problem of the query.
            phrases: Phrases for actions and objects.

        Raises:
            InputError: If there is none, or a line of it is not a step.
        """
        plans = [match[2] for match in _PLAN.finditer(self.statement)]
        if not plans:
            raise self._refusal("a plan")
        names = Names(domain, problem, phrases)
        vocabulary = Vocabulary(
            {name: len(operator.parameters) for name, operator in domain.operators.items()},
            {name: predicate.arity for name, predicate in domain.predicates.items()},
            frozenset(names.objects),
        )
        # Plans of examples come first, so the last plan is the one in question.
        lines = [line.strip() for line in plans[-1].splitlines() if line.strip()]
        if not lines:
            return ()
        plan = bind(read_steps("\n".join(lines), names=names), vocabulary)
        if plan.findings or len(plan.actions) != len(lines):
            raise self._refusal("a plan in which every line is a step")
        return plan.actions

    def words(self, domain: Domain, names: Sequence[str] = ()) -> FactWords:
        """Return the wording of facts in the query's domain."""
        table = self.file.table
        return FactWords.of(
            domain,
            table.get("predicates", {}),
            table.get("objects", {}),
            (*domain.constants, *names),
        )

    @property
    def _has_goal(self) -> bool:
        """Whether the queries tell a goal; those that only ask to execute a plan do not."""
        return self.file.published.ability != EXECUTION

    def _find_statement(self, pattern: re.Pattern[str], what: str) -> str:
        """Return the text that a pattern matches in the query.

        Raises:
            InputError: If it finds nothing; ``what`` says what is missing.
        """
        match = pattern.search(self.statement)
        if match is None:
            raise self._refusal(what)
        return match[1]

    def _refusal(self, what: str) -> InputError:
        """Return the error for a query in which something is missing."""
        return InputError(
            f"{self.file.task}: the query does not give {what}",
            where=self.where,
            expected="a query as PlanBench words it, with [STATEMENT] before what is asked",
        )

    def _refuse_unread(self, clauses: Sequence[str]) -> None:
        """Refuse a query with a clause that is not a fact of the domain."""
        if clauses:
            raise InputError(
                f"{self.file.task}: {clauses[0]!r} is no fact of the domain",
                where=self.where,
                expected=f"facts in the words of the domain {self.file.domain!r}",
            )

    def _objects(
        self, domain: Domain, facts: Sequence[Atom]
    ) -> tuple[Mapping[str, str], Sequence[Atom]]:
        """Return the objects with their types, and the facts that only state a type.

        Queries do not say which objects are trucks, packages or cities, so the types are taken from
        the names: "truck-1" is a truck. A domain without types has predicates for them instead.

        Args:
            domain: The domain.
            facts: All facts of the query, which name the objects.
        """
        type_by_prefix: Mapping[str, str] = self.file.table.get("kinds", {})
        names: dict[str, None] = {}  # a set that keeps the order of the query
        for fact in facts:
            names |= dict.fromkeys(map(str, fact.terms))
        types: dict[str, str] = {}
        type_facts: list[Atom] = []
        for name in names:
            if name in domain.constants:
                continue
            object_type = type_by_prefix.get(name.rstrip("-0123456789"), "")
            types[name] = object_type if object_type in domain.types else "object"
            if object_type in domain.predicates:
                type_facts.append(Atom(object_type, (name,)))
        return types, type_facts

    def _after_event(
        self, domain: Domain, problem: Problem, phrases: Phrases, words: FactWords
    ) -> Problem:
        """Return the remaining problem, which starts in the state after the event.

        Args:
            domain: The domain.
            problem: The problem of the query.
            phrases: Phrases for actions and objects.
            words: Reads facts in words.
        """
        event = _EVENT.search(self.statement)
        if event is None:
            raise self._refusal("an unexpected event")
        executed_steps = self.steps(domain, problem, phrases)[: int(event["step"])]
        world = world_of(domain)
        state = state_after(world, world.state(problem.objects, problem.initial), executed_steps)
        if state is None:
            raise self._refusal(f"{event['step']} steps that can be done before the event")
        added = words.read(event["true"])
        deleted = words.read(event["false"])
        self._refuse_unread(added.unread + deleted.unread)
        # As in PDDL, a fact that is both added and deleted is true.
        kept_facts = [atom for atom in state.atoms() if atom not in deleted.facts]
        return replace(problem, initial=tuple(dict.fromkeys((*kept_facts, *added.facts))))


def _as_instance(problem: Problem, instance: Mapping[str, Any]) -> Problem | None:
    """Return a problem with the start and goal of a ``new_instance``, or None."""
    try:
        goal = tuple(map(_atom, instance["goal"]))
        initial = tuple(map(_atom, instance["init"]["pred"]))
    except (KeyError, TypeError, ValueError):
        return None
    # An empty conjunction is written as the formula that is always true.
    return replace(problem, initial=initial, goal=And(goal) if goal else TRUE)


def _atom(written: Any) -> Atom:  # noqa: ANN401
    """Return a fact that is written as ``["on", ["a", "b"]]``."""
    name, arguments = written
    return Atom(str(name).lower(), tuple(str(argument).lower() for argument in arguments))


def _first_expression(text: str) -> str:
    """Return the bracketed expression with which a text begins.

    Examples:
        >>> _first_expression("(define (problem p)) The plan is")
        '(define (problem p))'
    """
    depth = 0
    for position, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if not depth:
            return text[: position + 1]
    return text
