"""What the regression net evaluates: groups of items, each of one part, and their data."""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Union

import regression_meaning as says
from regression_meaning import Item

__all__ = ["Group", "Missing", "groups"]

ROOT = Path(__file__).parents[1]
SEMANTICS = ("official", "strict")
ABILITIES = (
    "action_sequencing",
    "goal_interpretation",
    "subgoal_decomposition",
    "transition_modeling",
)
_TOLD = {"as": ABILITIES[0], "gi": ABILITIES[1], "sd": ABILITIES[2], "tm": ABILITIES[3]}
"""Part of the name of a file of collected answers, and the ability that they are about."""


Run = Callable[[Sequence[str], bool], Iterator[Item]]
"""Evaluates some items; the second argument says whether they are all of their group."""


@dataclass(frozen=True)
class Group:
    """Items of one part that are evaluated together.

    Args:
        part: The part that they belong to.
        name: The group's name in the part.
        ids: What can be evaluated, in a fixed order.
        run: Evaluates some of these.
    """

    part: str
    name: str
    ids: tuple[str, ...]
    run: Run


class Missing(Exception):  # noqa: N818 - it is no error, the part is skipped
    """The data of a part are not here."""


def groups(facts: Path | None, only: Iterable[str] | None = None) -> tuple[list[Group], list[str]]:
    """Return the groups that can be evaluated here, and why others cannot.

    Args:
        facts: The folder with data that is not part of the repository.
        only: Names of sources; by default all.
    """
    found: list[Group] = []
    absent: list[str] = []
    for name in _SOURCES if only is None else only:
        try:
            found += _SOURCES[name](facts)
        except (Missing, says.DataMissingError) as reason:  # noqa: PERF203 - a dozen of them
            absent.append(f"{name}: {str(reason).partition(chr(10))[0]}")
    return found, absent


def _folder(facts: Path | None, name: str) -> Path:
    if facts is None or not (facts / name).is_dir():
        raise Missing(f"EAI_FACTS names no folder with {name}")
    return facts / name


def _plain(
    part: str, name: str, ids: Iterable[str], run: Callable[..., Iterator[Item]], *given: object
) -> Group:
    """A group whose function takes what is given, then the identifiers."""
    return Group(part, name, tuple(ids), lambda chosen, _whole: run(*given, chosen))


# -- answers of models -------------------------------------------------------------------------


def _files(facts: Path | None, suite: str, ability: str) -> dict[str, Mapping[str, str]]:
    """The answers of models, by model."""
    folder = _folder(facts, "eai/model_outputs") / suite / ability
    paths = sorted(folder.iterdir()) if folder.is_dir() else []
    return {path.name.partition(".json")[0]: says.answers_of(suite, path) for path in paths}


def _evaluated(
    suite: str, ability: str, source: str, model: str, answers: Mapping[str, str], *, all_: bool
) -> Iterator[Group]:
    ids = says.task_ids(suite) if all_ else tuple(answers)
    for semantics in SEMANTICS:
        part = f"{suite}/{ability}/{semantics}/{source}"
        run = _run(suite, ability, semantics, model, answers, totals=all_)
        yield Group(part, model, ids, run)


def _run(
    suite: str,
    ability: str,
    semantics: str,
    model: str,
    answers: Mapping[str, str],
    *,
    totals: bool,
) -> Run:
    return lambda ids, whole: says.evaluated(
        suite, ability, semantics, model, answers, ids, whole=whole and totals
    )


def _models(facts: Path | None) -> Iterator[Group]:
    for suite in ("virtualhome", "behavior"):
        for ability in ABILITIES:
            for model, answers in _files(facts, suite, ability).items():
                yield from _evaluated(suite, ability, "models", model, answers, all_=True)


def _collected(facts: Path | None) -> Iterator[Group]:
    """Reference answers and damaged ones that another evaluator scored."""
    for path in sorted(_folder(facts, "eai/peer_verdicts").glob("*.jsonl.gz")):
        short = path.name.partition(".")[0]
        parts = short.split("_")
        suite = {"vh": "virtualhome", "b": "behavior"}.get(parts[0])
        if suite is None or parts[1] not in _TOLD:
            continue
        rows = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
        rounds: list[dict[str, str]] = []
        for row in rows:
            task = says.canonical(suite, row["identifier"])
            free = next((each for each in rounds if task not in each), None)
            if free is None:
                rounds.append(free := {})
            free[task] = row["llm_output"]
        for number, answers in enumerate(rounds):
            name = f"{short}-{number}"
            yield from _evaluated(suite, _TOLD[parts[1]], "collected", name, answers, all_=False)


def _household(_facts: Path | None) -> Iterator[Group]:
    samples = {
        path.stem.removeprefix("samples_"): says.answers_of("household", path)
        for path in sorted((ROOT / "tasks" / "household").glob("samples_*.jsonl"))
    }
    for model, answers in samples.items():
        yield from _evaluated("household", ABILITIES[0], "models", model, answers, all_=True)
    for number, answers in enumerate(_goal_answers()):
        yield from _evaluated(
            "household", ABILITIES[1], "made", f"made-{number}", answers, all_=True
        )
    yield from _plans("household", samples)


def _goal_answers() -> Iterator[dict[str, str]]:
    """Interpretations of goals: the goal as it is, without its first literal, and a wrong one."""
    for number in range(3):
        answers = {}
        for name in says.task_ids("household"):
            nodes, edges, actions = says.goal_literals("household", name)
            if number == 1:
                nodes, edges = nodes[1:], edges[:-1]
            if number == 2:
                nodes, actions = [*nodes, ["closed", "teapot.999"]], actions[::-1]
            said = {
                "node goals": [{"name": of, "state": state.upper()} for state, of in nodes],
                "edge goals": [
                    {"from_name": one, "relation": relation.upper(), "to_name": other}
                    for relation, one, other in edges
                ],
                "action goals": [each.upper() for each in actions],
            }
            answers[name] = json.dumps(said)
        yield answers


# -- plans -------------------------------------------------------------------------------------


def _plans(suite: str, models: Mapping[str, Mapping[str, str]]) -> Iterator[Group]:
    """What is said about the plans of models beside their verdict."""
    for model, answers in models.items():
        ids = tuple(answers)
        yield _plain(f"causes/{suite}", model, ids, says.causes_of, suite, model, answers)
        for kind, semantics in (("graded", "strict"), ("graded", "official"), ("binary", "strict")):
            part = f"rewards/{suite}/{kind}/{semantics}"
            yield _plain(part, model, ids, says.rewarded, suite, kind, semantics, model, answers)
        some = ids if suite == "household" else ids[len(model) % 7 :: 7]
        yield _plain(f"repairs/{suite}", model, some, says.repaired, suite, model, answers)


def _official_plans(facts: Path | None) -> Iterator[Group]:
    for suite in ("virtualhome", "behavior"):
        yield from _plans(suite, _files(facts, suite, ABILITIES[0]))


EDITS = (
    "drop",
    "move",
    "swap",
    "duplicate",
    "insert",
    "replace_object",
    "replace_action",
    "hallucinate_action",
    "hallucinate_object",
    "argument_number",
    "break_text",
    "missing_step",
    "wrong_order",
    "affordance",
    "additional_step",
    "state_goal",
    "relation_goal",
)


def _suite_parts(suite: str, _facts: Path | None) -> Iterator[Group]:
    """Tasks, prompts and perturbed plans of a suite."""
    ids = says.task_ids(suite)
    yield _plain(f"tasks/{suite}", "", ids, says.tasks, suite)
    abilities = ABILITIES[:2] if suite == "household" else ABILITIES
    for ability in abilities:
        part = f"prompts/{suite}/{ability}"
        yield _plain(
            part, "", ids[:: 1 if suite == "household" else 5], says.prompted, suite, ability
        )
    for number, kind in enumerate(EDITS):
        some = ids if suite == "household" else ids[number % 4 :: 4]
        yield _plain(f"perturbations/{suite}", kind, some, says.perturbed, suite, kind, 1)


# -- acting ------------------------------------------------------------------------------------


def _acting(_facts: Path | None) -> Iterator[Group]:
    for suite in ("household", "asgardbench"):
        for semantics in SEMANTICS:
            for agent in ("oracle", "random-1", "random-2"):
                part = f"acting/{suite}/{semantics}"
                ids = says.task_ids(suite)
                yield _plain(part, agent, ids, says.episodes, suite, semantics, agent)


def _recorded(facts: Path | None) -> Iterator[Group]:
    path = _folder(facts, "asgardbench_ai2thor") / "asgard_oracle_plans.json"
    plans = json.loads(path.read_text("utf-8"))["plans"]
    for semantics in SEMANTICS:
        part = f"acting/asgardbench/{semantics}/recorded"
        yield _plain(part, "", plans, says.recorded, "asgardbench", semantics, plans)


# -- logic -------------------------------------------------------------------------------------

_PREFIXES = {
    "not": "not",
    "snext": "next",
    "wnext": "wnext",
    "eventually": "eventually",
    "always": "always",
    "sprev": "previous",
    "wprev": "wprevious",
    "once": "once",
    "historically": "historically",
}
_INFIXES = {
    "and": "and",
    "or": "or",
    "implies": "implies",
    "iff": "iff",
    "xor": "xor",
    "until": "until",
    "release": "release",
    "wuntil": "wuntil",
    "srelease": "srelease",
    "since": "since",
    "trigger": "trigger",
}
Tree = Union[str, "list[Tree]"]
"""A formula in prefix form."""

_PRIMITIVE = re.compile(r"([\w-]+)\(([^()]*)\)")


def _corpus(facts: Path | None) -> Iterator[Group]:
    folder = _folder(facts, "logic/corpus")
    propositional = {}
    for row in _rows(folder / "ltlf_prop.jsonl"):
        states = [[(name,) for name in state.split()] for state in row["trace"]]
        names = {name for state in row["trace"] for name in state.split()}
        names.update(re.findall(r"[^\s()]+", row["tree"]))
        propositional[row["id"]] = {
            "text": _text(_nested(row["tree"])),
            "objects": (),
            "predicates": dict.fromkeys(sorted(names), 0),
            "actions": {},
            "states": states,
            "acts": (),
        }
    yield _plain("logic/corpus/ltlf", "", propositional, says.linear, propositional)
    chained = {}
    for name in ("eai_then.jsonl", "eai_divergences.jsonl"):
        for row in _rows(folder / name):
            arities = {fact[0]: len(fact) - 1 for fact in _facts_in([row["formula"]])}
            chained[row["id"]] = {
                "text": row["formula"],
                "objects": row["objects"],
                "predicates": {each: arities.get(each, 0) for each in row["predicates"]},
                "actions": {each: arities.get(each, 0) for each in row["actions"]},
                "states": [list(_facts_in(state)) for state in row["states"]],
                "acts": list(_facts_in(row["acts"])),
            }
    yield _plain("logic/corpus/then", "", chained, says.linear, chained)


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def _facts_in(texts: Iterable[str]) -> Iterator[tuple[str, ...]]:
    for text in texts:
        for name, arguments in _PRIMITIVE.findall(text):
            yield (name, *(part.strip() for part in arguments.split(",") if part.strip()))


def _nested(text: str) -> Tree:
    stack: list[list[Tree]] = [[]]
    for word in re.findall(r"[()]|[^\s()]+", text):
        if word == "(":
            stack.append([])
        elif word == ")":
            inner = stack.pop()
            stack[-1].append(inner)
        else:
            stack[-1].append(word)
    return stack[0][0]


def _text(tree: Tree) -> str:
    """A formula of the corpus in the library's notation, with every parenthesis."""
    if isinstance(tree, str):
        return tree if tree in ("true", "false") else f'"{tree}"()'
    head, parts = str(tree[0]), tree[1:]
    if head in _PREFIXES:
        return f"{_PREFIXES[head]} ({_text(parts[0])})"
    return f" {_INFIXES[head]} ".join(f"({_text(part)})" for part in parts)


OBJECTS = ("cup.1", "box.2", "agent.3")
PREDICATES = {"clean": 1, "near": 2, "dark": 0}
ACTIONS = {"GRAB": 1, "POUR": 2}


def _random(_facts: Path | None) -> Iterator[Group]:
    """Random formulas on random trajectories, by a seed for each."""
    for name, operators, count in (
        ("then", ("then", "then", "not", "and", "or", "implies"), 600),
        ("linear", (*_PREFIXES.values(), *_INFIXES.values()), 600),
        ("mixed", ("then", *_PREFIXES.values(), *_INFIXES.values()), 300),
    ):
        cases = {f"{name}-{n}": _case(f"{name}-{n}", operators) for n in range(count)}
        run = partial(says.linear, compare=True)
        yield _plain(f"logic/random/{name}", "", cases, run, cases)


def _case(seed: str, operators: Sequence[str]) -> dict[str, Any]:
    chance = random.Random(seed)
    facts = [fact for name, arity in PREDICATES.items() for fact in _ground(name, arity)]
    steps = [step for name, arity in ACTIONS.items() for step in _ground(name, arity)]
    length = chance.randint(1, 7)
    density = chance.choice((0.1, 0.4, 0.8))
    return {
        "text": _formula(chance, operators, chance.randint(1, 3), ()),
        "objects": OBJECTS,
        "predicates": PREDICATES,
        "actions": ACTIONS,
        "states": [[f for f in facts if chance.random() < density] for _ in range(length)],
        "acts": [chance.choice(steps) for _ in range(length - 1)],
    }


def _ground(name: str, arity: int) -> Iterator[tuple[str, ...]]:
    names = OBJECTS[:2] if arity == 2 else OBJECTS
    if arity == 0:
        yield (name,)
    elif arity == 1:
        yield from ((name, each) for each in names)
    else:
        yield from ((name, one, other) for one in names for other in OBJECTS)


def _formula(
    chance: random.Random, operators: Sequence[str], depth: int, bound: tuple[str, ...]
) -> str:
    if depth == 0 or chance.random() < 0.1:
        name, arity = chance.choice([*PREDICATES.items(), *ACTIONS.items()])
        terms = [chance.choice((*OBJECTS, *bound * 3)) for _ in range(arity)]
        return f"{name}({', '.join(terms)})"
    if chance.random() < 0.2 and len(bound) < 2:
        variable = f"v{len(bound)}"
        quantifier = chance.choice(("forall", "exists", "exactly 1", "at-least 2", "at-most 1"))
        body = _formula(chance, operators, depth - 1, (*bound, variable))
        return f"{quantifier} {variable}. ({body})"
    operator = chance.choice(operators)
    first = _formula(chance, operators, depth - 1, bound)
    if operator in _PREFIXES.values():
        return f"{operator} ({first})"
    return f"({first}) {operator} ({_formula(chance, operators, depth - 1, bound)})"


# -- planning ----------------------------------------------------------------------------------


def _planning(_facts: Path | None) -> Iterator[Group]:
    for name in ("virtualhome", "behavior"):
        ids = tuple(says.problems(name))
        yield _plain(f"planning/{name}", "eai", ids, says.planned, name, "eai")
        some = ids[::10]
        yield _plain(f"planning/{name}", "eai-optimal", some, says.planned, name, "eai-optimal")
        yield _plain(f"pddl/{name}", "", ids, says.read_back, name)


_SOURCES: dict[str, Callable[[Path | None], Iterable[Group]]] = {
    "household": _household,
    "household tasks": partial(_suite_parts, "household"),
    "virtualhome tasks": partial(_suite_parts, "virtualhome"),
    "behavior tasks": partial(_suite_parts, "behavior"),
    "model outputs": _models,
    "collected answers": _collected,
    "plans of models": _official_plans,
    "acting": _acting,
    "recorded episodes": _recorded,
    "logic corpus": _corpus,
    "random logic": _random,
    "planning": _planning,
}
