"""What the library says, as plain data: the only part of `regression_net.py` that knows its names.

Every function yields pairs of an identifier and a meaning: numbers, names, steps, atoms and truth
values, nothing that is worded, timed or spelled as the code happens to spell it. When something of
the library is renamed, it is renamed here, and the stored hashes stay as they are. Formulas and
conditions are taken as the sequence of their words, without parentheses and other marks.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal

import eai
from eai.abilities.goal_interpretation.evaluation import options_of
from eai.acting import Episode
from eai.agents.prompts import prompts
from eai.budget import Budget
from eai.diagnosis import Condition, Finding, Result
from eai.errors import DataMissingError, InputError
from eai.logic import (
    Formula,
    LogicVocabulary,
    Monitor,
    entails,
    equivalent,
    evaluate,
    explain,
    format_formula,
    satisfiable,
    truth,
)
from eai.pddl import format_problem
from eai.perturbation.perturb import perturb
from eai.planning import RepairBounds, validate
from eai.rewards import Reward
from eai.suites.shared.data import EAI_EVAL, located
from eai.task import Task

__all__ = [
    "DataMissingError",
    "Item",
    "answers_of",
    "canonical",
    "causes_of",
    "episodes",
    "evaluated",
    "goal_literals",
    "linear",
    "perturbed",
    "planned",
    "problems",
    "prompted",
    "read_back",
    "recorded",
    "repaired",
    "rewarded",
    "task_ids",
    "tasks",
]

Item = tuple[str, object]
"""An identifier and a meaning: data that can be written as JSON."""


def words(text: object) -> str:
    """Return the names in a text, in order; those of a formula with the kinds of its nodes."""
    written = repr(text) if isinstance(text, Formula) else str(text)
    return " ".join(re.findall(r"[\w.\-]+", written))


# -- suites and tasks --------------------------------------------------------------------------


@cache
def _suite(name: str) -> Any:
    return eai.suite(name)


@cache
def task_ids(suite: str) -> tuple[str, ...]:
    """Return the identifiers of a suite's tasks."""
    return tuple(_suite(suite).task_ids())


@cache
def answers_of(suite: str, path: Path) -> Mapping[str, str]:
    """Return the answers in a file, by task."""
    known = frozenset(task_ids(suite))
    items = eai.load_predictions(path).items
    found = {canonical(suite, raw): answer for raw, answer in items.items()}
    return {name: answer for name, answer in found.items() if name in known}


def canonical(suite: str, raw: str) -> str:
    """Return the task that an identifier means."""
    return str(_suite(suite).canonical_id(raw))


def tasks(suite: str, ids: Sequence[str]) -> Iterator[Item]:
    """What tasks consist of: start, goal, number of goal options, reference plans."""
    for name in ids:
        task = _suite(suite).task(name)
        goal = task.goal
        yield (
            name,
            {
                "agent": task.agent,
                "start": sorted(words(format_formula(atom)) for atom in task.start.atoms()),
                "goal": "" if goal.formula is None else words(goal.text),
                "final": [
                    [[kind, words(format_formula(each))] for kind, each in o] for o in goal.final
                ],
                "actions": [sorted(each.names) for each in goal.actions],
                "options": _options(task),
                "plans": [[words(step) for step in plan] for plan in task.plans],
                "objects": sorted(task.vocabulary.objects),
            },
        )


def goal_literals(suite: str, name: str) -> tuple[list[list[str]], list[list[str]], list[str]]:
    """Return the states, relations and actions that the first option of a task's goal asks for."""
    goal = _suite(suite).task(name).goal
    literals = [words(format_formula(each)).split() for _, each in goal.final[0]]
    nodes = [each for each in literals if len(each) == 2 and each[0] != "not"]
    edges = [each for each in literals if len(each) == 3 and each[0] != "not"]
    return nodes, edges, [each.names[0] for each in goal.actions]


def _options(task: Task) -> int | str:
    if task.goal.formula is None:
        return "no goal"
    try:
        return options_of(task).count()
    except InputError:
        return "refused"


# -- results --------------------------------------------------------------------------------


def meaning(result: Result) -> object:
    """The meaning of a result."""
    return {
        "status": result.status,
        "success": result.success,
        "executable": result.executable,
        "plan": [words(step) for step in result.plan],
        "executed": list(result.executed),
        "errors": [_error(each) for each in result.findings],
        "goals": [_condition(each) for each in result.goals],
        "formula": words(result.formula),
        "holds": result.formula_holds,
        "matches": [[each.kind, each.tp, each.fp, each.fn] for each in result.matches],
        "groups": list(result.groups),
        "outcome": result.outcome,
        # What is measured of episodes since the meanings were stored is no part of them.
        "measures": [
            [each.kind, each.amount, each.base]
            for each in result.measures
            if not each.kind.startswith("behaviour_")
        ],
    }


def _error(finding: Finding) -> list[Any]:
    return [
        finding.kind.value,
        finding.step,
        words(finding.action),
        [words(each) for each in finding.conditions],
        finding.held_until,
        finding.destroyed_by,
        finding.times,
    ]


def _condition(condition: Condition) -> list[Any]:
    since, lost_by = condition.since, condition.lost_by
    return [condition.kind, words(condition.text), condition.met, since, lost_by]


def evaluated(
    suite: str,
    ability: str,
    semantics: str,
    model: str,
    answers: Mapping[str, str],
    ids: Sequence[str],
    *,
    whole: bool,
) -> Iterator[Item]:
    """What is said about the answers of one model; of all tasks also what they add up to."""
    chosen = {name: answers[name] for name in ids if name in answers}
    if not chosen:
        return  # no answers are refused; a sample of the tasks may have none of this model
    report = eai.evaluate(
        suite,
        {model: chosen},
        ability=ability,
        semantics=semantics,
        tasks="all" if whole else ids,
    )
    for record in report.records:
        yield f"{model}/{record.task}", meaning(record.result)
    if whole:
        metrics = [[m.group, m.key, m.numerator, m.denominator] for m in report.metrics(model)]
        yield f"{model}/(all)", {"metrics": metrics, "summary": report.official_summary(model)}


# -- acting ------------------------------------------------------------------------------------


def episodes(suite: str, semantics: str, agent: str, ids: Sequence[str]) -> Iterator[Item]:
    """What comes of an agent that acts; `random-3` is the random one with that seed."""
    kind, _, seed = agent.partition("-")
    for name in ids:
        found = eai.interact(
            suite,
            name,
            kind,
            semantics=semantics,
            seed=int(seed or 0),
        )
        said = {**_episode(found.episode), "record": meaning(found.result)}
        yield f"{agent}/{name}", said


def _episode(episode: Episode) -> dict[str, Any]:
    return {
        "end": str(episode.end or ""),
        "solved": episode.success,
        "turns": [
            [words(turn.result.resolved or ""), turn.success, turn.code] for turn in episode.turns
        ],
    }


def recorded(
    suite: str, semantics: str, plans: Mapping[str, Sequence[Sequence[str]]], ids: Sequence[str]
) -> Iterator[Item]:
    """What comes of recorded actions, and when each condition of the goal is met."""
    from eai.world import Action

    chosen = _suite(suite)
    meant = chosen.semantics(semantics)
    for name in ids:
        task = chosen.task(name)
        environment = chosen.environment(task, meant)
        environment.reset()
        goal = chosen.episode_rules(task, meant).goal()
        status = goal.update(environment, None, None)
        steps = [["", True, "", status.reached, [c.met for c in status.conditions]]]
        for step in plans[name]:
            action = Action(step[0], (step[-1],))
            result = environment.step(action)
            status = goal.update(environment, action, result)
            met = [each.met for each in status.conditions]
            done = words(result.resolved or "")
            steps.append([done, result.success, result.code, status.reached, met])
        conditions = [[each.kind, words(each.text)] for each in status.conditions]
        yield name, {"steps": steps, "conditions": conditions}


# -- logic -------------------------------------------------------------------------------------

Fact = tuple[str, ...]


class _Trace:
    """A trajectory of plain lists: its facts and its actions, each a name and its arguments."""

    def __init__(
        self, objects: Sequence[str], states: Sequence[Sequence[Fact]], actions: Sequence[Fact]
    ) -> None:
        self.names, self.actions = objects, actions
        self.states = [frozenset(map(tuple, state)) for state in states]

    @property
    def length(self) -> int:
        return len(self.states)

    def objects(self, _types: tuple[str, ...]) -> Sequence[str]:
        return self.names

    def history(self, predicate: str, arguments: tuple[str, ...]) -> int:
        fact = (predicate, *arguments)
        return sum(1 << at for at, state in enumerate(self.states) if fact in state)

    def occurrences(self, action: str, arguments: tuple[str, ...]) -> int:
        step = (action, *arguments)
        return sum(1 << at for at, taken in enumerate(self.actions) if tuple(taken) == step)

    def taken(self, action: str) -> Sequence[tuple[int, tuple[str, ...]]]:
        return [(at, tuple(step[1:])) for at, step in enumerate(self.actions) if step[0] == action]


def linear(
    cases: Mapping[str, Mapping[str, Any]], ids: Sequence[str], *, compare: bool = False
) -> Iterator[Item]:
    """What formulas mean on trajectories, by every way that there is.

    Args:
        cases: For each identifier `text`, `objects`, `predicates` and `actions` (name to arity),
            `states` and `acts`.
        ids: Which of them.
        compare: Whether each formula is also asked about as such, and beside the one before it.
    """
    order = list(cases)
    for name in ids:
        case = cases[name]
        formula = _formula(case)
        if formula is None:
            yield name, "refused"
            continue
        trace = _Trace(case["objects"], case["states"], case["acts"])
        found: dict[str, object] = {
            "readings": [_asked(_holds, formula, trace, each) for each in (None, "eai", "ltlf")],
            "explained": _asked(_explained, formula, trace),
            "truth": _asked(truth, formula, trace),
            "growing": _asked(_growing, formula, trace),
        }
        if compare:
            other = _formula(cases[order[order.index(name) - 1]])
            found["satisfiable"] = _asked(_satisfiable, formula, case["objects"])
            found["entails"] = (
                None if other is None else _asked(_entails, formula, other, case["objects"])
            )
            found["same"] = (
                None if other is None else _asked(_equivalent, formula, other, case["objects"])
            )
        yield name, found


def _formula(case: Mapping[str, Any]) -> Formula | None:
    names = LogicVocabulary(case["predicates"], case["actions"], case["objects"])
    try:
        return eai.parse_formula(case["text"], vocabulary=names)
    except InputError:
        return None


def _holds(formula: Formula, trace: _Trace, reading: Literal["eai", "ltlf"] | None) -> bool:
    return bool(evaluate(formula, trace, reading=reading))


def _explained(formula: Formula, trace: _Trace) -> bool:
    return explain(formula, trace).holds


def _satisfiable(formula: Formula, objects: Sequence[str]) -> bool:
    return bool(satisfiable(formula, objects=objects))


def _entails(one: Formula, other: Formula, objects: Sequence[str]) -> bool:
    return bool(entails(one, other, objects=objects))


def _equivalent(one: Formula, other: Formula, objects: Sequence[str]) -> bool:
    return bool(equivalent(one, other, objects=objects))


def _growing(formula: Formula, trace: _Trace) -> list[bool]:
    """Whether the formula holds if the trajectory ends at each of its positions."""
    monitor, found = Monitor(formula, objects=trace.objects), []
    for at, state in enumerate(trace.states):
        taken = trace.actions[at] if at < len(trace.actions) else None
        # The last position has no action, so each prefix is pushed as a trajectory of its own.
        ending = Monitor(formula, objects=trace.objects)
        for before in range(at):
            step = trace.actions[before] if before < len(trace.actions) else None
            _push(ending, trace.states[before], step)
        _push(ending, state, None)
        found.append(ending.holds)
        _push(monitor, state, taken)
    found.append(monitor.holds)
    return found


def _push(monitor: Monitor, state: frozenset[Fact], step: Fact | None) -> None:
    action = None if step is None else (step[0], tuple(step[1:]))
    monitor.push(lambda name, arguments: (name, *arguments) in state, action)


def _asked(question: Callable[..., object], *about: object) -> object:
    try:
        return question(*about)
    except InputError:
        return "refused"


# -- plans: causes, repairs, rewards, perturbations ----------------------------------------------


def causes_of(
    suite: str, model: str, answers: Mapping[str, str], ids: Sequence[str]
) -> Iterator[Item]:
    """Which step of each plan caused what."""
    for name in ids:
        try:
            found = eai.causes(_suite(suite).task(name), answers[name]).as_dict()
        except InputError:
            yield f"{model}/{name}", "refused"
            continue
        failure = found["failure"]
        yield (
            f"{model}/{name}",
            {
                "steps": [
                    [
                        step["outcome"],
                        _links(step["uses"]),
                        sorted(step["users"]),
                        sorted(map(words, step["serves"])),
                    ]
                    for step in found["steps"]
                ],
                "goals": [
                    [
                        goal["kind"],
                        words(goal["condition"]),
                        goal["met"],
                        goal["since"],
                        goal["lost_by"],
                        _links(goal["because"]),
                        sorted(goal["rests_on"]),
                    ]
                    for goal in found["goals"]
                ],
                "failure": failure
                and [
                    failure["step"],
                    failure["kind"],
                    [
                        [
                            words(each["condition"]),
                            _links(each["because"]),
                            each["held_until"],
                            each["destroyed_by"],
                        ]
                        for each in failure["conditions"]
                    ],
                    sorted(failure["rests_on"]),
                ],
                "idle": sorted(found["idle"]),
                "orders": found["orders"],
                "fixed": found["fixed"],
            },
        )


def _links(links: Iterable[Mapping[str, Any]]) -> list[list[Any]]:
    return sorted([words(link["fact"]), link["maker"]] for link in links)


def repaired(
    suite: str, model: str, answers: Mapping[str, str], ids: Sequence[str]
) -> Iterator[Item]:
    """How far plans are from working.

    Several repairs may be equally near, so the edits are not compared. Where the search ended at
    its bounds, only whether there is a repair is: a quicker search may find a nearer one.
    """
    bounds = RepairBounds(edits=2, actions=20_000)
    for name in ids:
        task = _suite(suite).task(name)
        try:
            found = eai.repair(task, answers[name], bounds=bounds)
        except InputError:
            yield f"{model}/{name}", "refused"
            continue
        said: dict[str, object] = {"found": found.found, "proved": found.optimal}
        if found.optimal:
            said |= {"edits": found.distance, "ways": found.irredundant}
        yield f"{model}/{name}", said


def rewarded(
    suite: str,
    kind: str,
    semantics: str,
    model: str,
    answers: Mapping[str, str],
    ids: Sequence[str],
) -> Iterator[Item]:
    """What answers are worth."""
    score = _reward(suite, kind, semantics)
    for name in ids:
        yield f"{model}/{name}", _asked(_value, score, name, answers[name])


def _value(score: Reward, task: str, answer: str) -> float:
    return round(score.score(task, [answer])[0], 9)


@cache
def _reward(suite: str, kind: str, semantics: str) -> Reward:
    return Reward(suite, kind=kind, semantics=semantics)


def perturbed(suite: str, kind: str, seed: int, ids: Sequence[str]) -> Iterator[Item]:
    """Which wrong plans are made, and what is wrong with them."""
    for name in ids:
        try:
            label = perturb(_suite(suite), name, None, kind, seed=seed).label()
        except InputError:
            yield f"{kind}/{name}", "not made"
            continue
        kept = ("edit", "step", "place", "errors", "before", "success", "verified")
        said = {key: label[key] for key in kept}
        yield f"{kind}/{name}", {**said, "plan": [words(step) for step in label["plan"]]}


def prompted(suite: str, ability: str, ids: Sequence[str]) -> Iterator[Item]:
    """What models are asked."""
    for prompt in prompts(_suite(suite), ability, tasks=ids):
        yield prompt.id, prompt.prompt


# -- planning ----------------------------------------------------------------------------------


@cache
def problems(environment: str) -> Mapping[str, tuple[str, str, tuple[str, ...]]]:
    """Return the text of the domain, of each problem, and the steps of its reference plan.

    Raises:
        DataMissingError: If the official data was not fetched.
    """
    folder = f"virtualhome_eval/resources/{environment}/"
    with zipfile.ZipFile(located(EAI_EVAL)) as wheel:
        domain = wheel.read(f"{folder}{environment}.pddl").decode("utf-8")
        gold = json.loads(wheel.read(f"{folder}gold_pddl_plan.json"))
        start = f"{folder}problem_pddl/"
        paths = sorted(n for n in wheel.namelist() if n.startswith(start) and n.endswith(".pddl"))
        found = {path.rpartition("/")[2][:-5]: wheel.read(path).decode("utf-8") for path in paths}
    return {name: (domain, text, tuple(gold.get(name, ()))) for name, text in found.items()}


def planned(environment: str, engine: str, ids: Sequence[str]) -> Iterator[Item]:
    """How planning ends, and how long the plan is; whether the reference plan is valid."""
    from eai.world import Action

    for name in ids:
        domain, problem, gold = problems(environment)[name]
        found = eai.plan(domain, problem, engine=engine, budget=Budget())
        actions = [Action(first, tuple(rest)) for first, *rest in map(str.split, gold)]
        parsed = eai.parse_domain(domain), eai.parse_problem(problem)
        yield (
            f"{engine}/{name}",
            {
                "outcome": found.outcome.value,
                "length": None if found.plan is None else len(found.plan),
                "cost": found.cost,
                "optimal": found.optimal,
                "reference": validate(*parsed, actions).valid,
            },
        )


def read_back(environment: str, ids: Sequence[str]) -> Iterator[Item]:
    """What is read out of a problem, as it is written again."""
    for name in ids:
        _, problem, _ = problems(environment)[name]
        yield name, words(format_problem(eai.parse_problem(problem)))
