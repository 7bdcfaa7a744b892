"""Tasks of PDDL problems: how one is made of a domain, a problem and the files beside it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from eai.answers import Names, Phrases, bind, read_steps, surfaces_of_names
from eai.errors import InputError
from eai.logic import TRUE, And, Formula, conjuncts
from eai.pddl import (
    Domain,
    Problem,
    format_condition,
    has_times,
    has_trajectory_constraints,
    numeric_domain,
    read_file,
)
from eai.planning import with_values
from eai.task import Goal, Task, Vocabulary, literal_kind
from eai.task.goals import goal_from_formula
from eai.world import Action, world_of

_ONE = r"(?:(?:seed|steps)=\d+|time_limit=\d+(?:\.\d+)?)"
# A folder with options of its questions: "tasks@seed=3,steps=5".
_ASKED = re.compile(rf"(.+)@({_ONE}(?:,{_ONE})*)")


class Asking(NamedTuple):
    """Options for making questions about a task.

    Args:
        seed: With the same seed, the same questions.
        steps: How many random steps are done before a question.
        time_limit: Seconds of processor time that one proof may take at most; 0 for no limit. What
            it may use is counted; this is a net that only holds a machine that is very slow.
    """

    seed: int = 0
    steps: int = 3
    time_limit: float = 120.0

    @classmethod
    def split(cls, name: str) -> tuple[str, Asking]:
        """Return the path and the options of a name: ``PATH@seed=1,steps=5,time_limit=30``."""
        match = _ASKED.fullmatch(name)
        if match is None:
            return name, cls()
        values: dict[str, Any] = {}
        for key, number in re.findall(r"(\w+)=([\d.]+)", match[2]):
            values[key] = float(number) if "." in number else int(number)
        return match[1], cls(**values)


@dataclass(frozen=True, slots=True)
class PddlTask(Task):
    """A task with the PDDL texts that it was read from.

    Args:
        texts: The domain and the problem as they are written.
        phrases: The words for actions and objects.
        asking: How questions are made of it.
    """

    problem: Problem = field(default_factory=lambda: Problem("", "", {}))
    texts: tuple[str, str] = ("", "")
    phrases: Phrases = field(default_factory=Phrases)
    asking: Asking = field(default_factory=Asking)


@dataclass(frozen=True, slots=True)
class Annotations:
    """Facts about a task that stand in files beside its problem.

    Args:
        unsolvable: Whether the right answer is that there is no plan.
        plans: Files of reference plans.
        extra: Further facts of a :class:`~eai.suites.pddl.files.TaskFiles`.
        where: Place of ``extra``, for messages; empty if it is in no file.
    """

    unsolvable: bool = False
    plans: Sequence[Path] = ()
    extra: Mapping[str, object] = field(default_factory=dict)
    where: str = ""


def made_task(
    domain: Domain,
    problem: Problem,
    *,
    name: str = "",
    phrases: Phrases | None = None,
    texts: tuple[str, str] = ("", ""),
    annotations: Annotations | None = None,
) -> PddlTask:
    """Return the task of a problem.

    Args:
        domain: The domain.
        problem: The problem.
        name: Identifier of the task; by default the name of the problem.
        phrases: Phrases for actions and objects.
        texts: The domain and the problem as they are written.
        annotations: Facts that files beside the problem state.

    Raises:
        InputError: If a reference plan cannot be read, or the domain cannot be run.
        ParseError: If the goal is not a formula, or has an unknown name.
    """
    annotations = annotations or Annotations()
    # The domain is extended by its numeric functions before states are compiled for it.
    _refuse_times(domain, problem)
    domain = numeric_domain(domain, problem)
    if not domain.has_numbers and not has_trajectory_constraints(domain, problem):
        domain, problem = with_values(domain, problem)
    names = Names(domain, problem, phrases)
    vocabulary = _vocabulary(domain, names)
    conditions = tuple([(literal_kind(literal), literal) for literal in conjuncts(problem.goal)])
    task = PddlTask(
        id=name or problem.name,
        name=problem.name,
        instruction=str(annotations.extra.get("instruction", "")),
        start=world_of(domain).state(problem.objects, problem.initial, problem.values),
        agent="",
        goal=Goal(format_condition(problem.goal), final=(conditions,), whole=False),
        vocabulary=vocabulary,
        plans=tuple([_reference_plan(path, names, vocabulary) for path in annotations.plans]),
        metadata=_metadata(domain, problem, annotations),
        skips=False,
        problem=problem,
        texts=texts,
        phrases=phrases or Phrases(),
    )
    task = _with_annotated_goal(task, annotations)
    constraints = [part for part in (domain.constraints, problem.constraints) if part != TRUE]
    if constraints:
        task = _with_constraints(task, And.of(constraints))
    if not task.instruction:
        task = replace(task, instruction=f"Reach {task.goal.text}")
    return task


def _metadata(domain: Domain, problem: Problem, annotations: Annotations) -> dict[str, object]:
    """Return the annotations of a task: a question about it, and notes.

    Args:
        domain: The domain.
        problem: The problem.
        annotations: Facts that files beside the problem state.
    """
    metadata: dict[str, object] = {}
    if annotations.unsolvable:
        metadata["unsolvable"] = True
    extra = annotations.extra
    # A question that was published with the task; its kind gets the name in this package.
    if "kind" in extra:
        from eai.suites.pddl.kinds import known_kind  # tasks without a question do without it

        kind = known_kind(str(extra["kind"]), annotations.where)
        metadata["question"] = {**extra, "kind": kind}
    if problem.domain != domain.name:
        metadata["note"] = (
            f"the problem is for the domain {problem.domain!r}, but the domain is {domain.name!r}"
        )
    return metadata


def _vocabulary(domain: Domain, names: Names) -> Vocabulary:
    """Return the names that plans and goals of a domain may use."""
    actions = {}
    for name, schema in domain.operators.items():
        actions[name] = len(schema.parameters)
    predicates = {}
    for predicate in domain.predicates.values():
        # Derived predicates follow from others, so they are no facts of their own.
        if predicate.name not in domain.derived:
            predicates[predicate.name] = predicate.arity
    return Vocabulary(
        actions,
        predicates,
        frozenset(names.objects),
        reader=partial(read_steps, names=names, surfaces=surfaces_of_names(names)),
    )


def _reference_plan(path: Path, names: Names, vocabulary: Vocabulary) -> tuple[Action, ...]:
    """Read a reference plan.

    Args:
        path: The file of the plan.
        names: How the plan may name objects and actions.
        vocabulary: The names of the task.

    Raises:
        InputError: If it cannot be read, or names something that does not exist.
    """
    plan = bind(read_steps(read_file(path), names=names), vocabulary)
    if plan.findings:
        text = f"the reference plan cannot be read: {plan.findings[0].message}"
        raise InputError(text, where=str(path))
    return plan.actions


def _refuse_times(domain: Domain, problem: Problem) -> None:
    """Refuse tasks whose plans have times.

    Raises:
        InputError: If the task has durative actions or timed literals.
    """
    if has_times(domain, problem):
        raise InputError(
            "tasks with durative actions or timed literals are no suite: their plans have times",
            where=f"problem {problem.name!r}",
            mend="eai validate DOMAIN PROBLEM PLAN validates such plans",
        )


def _with_constraints(task: PddlTask, constraints: Formula) -> PddlTask:
    """Return a task whose plans must satisfy trajectory constraints (PDDL 3)."""
    # Beside a goal about the way, constraints are one more part of it.
    formula = constraints
    if task.goal.formula is not None:
        formula = And.of((task.goal.formula, constraints))
    goal = replace(task.goal, formula=formula, whole=True, is_path=True)
    return replace(task, goal=goal)


def _with_annotated_goal(task: PddlTask, annotations: Annotations) -> PddlTask:
    """Return a task with the temporal goal of its annotations, if they have one.

    Raises:
        ParseError: If the goal is not a formula, or names something that does not exist.
    """
    text = str(annotations.extra.get("goal") or "")
    if not text:
        return task
    where = f"{task.id}: goal"
    if annotations.where:
        where = f"{annotations.where}: {where}"
    return _with_path_goal(task, text, where)


def _with_path_goal(task: PddlTask, text: str, where: str) -> PddlTask:
    """Return a task whose plans must satisfy a temporal formula beside the goal.

    Args:
        task: The task.
        text: The formula.
        where: Its place, for messages.
    """
    from eai.logic import parse_formula  # few tasks have such a file

    formula = parse_formula(text, vocabulary=task.logic_names(), source=where)
    path_goal = goal_from_formula(formula, text)
    (conditions,) = task.goal.final
    # If the formula has alternatives, each of them gets the conditions of the problem.
    options = []
    for option in path_goal.final:
        options.append(tuple(dict.fromkeys((*conditions, *option))))
    both = text
    if task.problem.goal != TRUE:
        both = f"{task.goal.text} and on the way {text}"
    return replace(task, goal=replace(path_goal, text=both, final=tuple(options), is_path=True))
