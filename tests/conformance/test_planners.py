"""The official planning problems: all are read and answered, and reference plans are valid."""

from __future__ import annotations

import json
import zipfile
from collections import Counter
from pathlib import Path

import pytest
from needs import extra

from eai.pddl import parse_domain, parse_problem
from eai.planning import Outcome, ground, plan, validate
from eai.planning.own import GREEDY, WIDTH, OwnEngine
from eai.world import Action

pytestmark = pytest.mark.official

ROOT = "virtualhome_eval/resources"
EXPECTED = {
    "virtualhome": {Outcome.SOLVED: 330, Outcome.UNSOLVABLE: 8},
    "behavior": {Outcome.SOLVED: 99, Outcome.REJECTED: 1},
}
UNDECLARED = "cleaning_floors"
"""The problem that is rejected: it has facts about an object that is not declared."""


@pytest.fixture(scope="module")
def texts(official_wheel: Path) -> dict[str, str]:
    with zipfile.ZipFile(official_wheel) as wheel:
        names = [n for n in wheel.namelist() if n.startswith(ROOT) and "pddl" in n]
        return {n.removeprefix(f"{ROOT}/"): wheel.read(n).decode() for n in names}


def _problems(texts: dict[str, str], environment: str) -> dict[str, str]:
    start = f"{environment}/problem_pddl/"
    return {Path(n).stem: text for n, text in sorted(texts.items()) if n.startswith(start)}


@pytest.mark.parametrize("environment", EXPECTED)
def test_every_problem_is_read_and_grounded(texts: dict[str, str], environment: str) -> None:
    domain = parse_domain(texts[f"{environment}/{environment}.pddl"])
    problems = _problems(texts, environment)
    assert len(problems) == sum(EXPECTED[environment].values())
    reachable = [ground(domain, parse_problem(text)).reachable for text in problems.values()]
    assert reachable.count(False) == EXPECTED[environment].get(Outcome.UNSOLVABLE, 0)


@pytest.mark.parametrize("environment", EXPECTED)
def test_every_problem_is_solved_or_proved_to_have_no_plan(
    texts: dict[str, str], environment: str
) -> None:
    domain = parse_domain(texts[f"{environment}/{environment}.pddl"])
    found = {
        name: plan(domain, text, time_limit=20)
        for name, text in _problems(texts, environment).items()
    }
    assert Counter(result.outcome for result in found.values()) == EXPECTED[environment]
    without = {name for name, result in found.items() if result.outcome is Outcome.UNSOLVABLE}
    gold = json.loads(texts[f"{environment}/gold_pddl_plan.json"])
    assert not without & set(gold)


@pytest.mark.parametrize("environment", EXPECTED)
def test_every_reference_plan_is_valid(texts: dict[str, str], environment: str) -> None:
    domain = parse_domain(texts[f"{environment}/{environment}.pddl"])
    problems = _problems(texts, environment)
    gold = json.loads(texts[f"{environment}/gold_pddl_plan.json"])
    assert len(gold) == {"virtualhome": 296, "behavior": 100}[environment]
    for name, steps in gold.items():
        actions = [Action(first, tuple(rest)) for first, *rest in map(str.split, steps)]
        checked = validate(domain, parse_problem(problems[name]), actions)
        assert checked.valid, (name, checked)


@pytest.mark.parametrize("engine", [WIDTH, GREEDY])
def test_each_search_alone_solves_behavior(texts: dict[str, str], engine: str | OwnEngine) -> None:
    domain = parse_domain(texts["behavior/behavior.pddl"])
    problems = list(_problems(texts, "behavior").values())[::5]
    assert all(plan(domain, text, engine=engine, time_limit=20).solved for text in problems)


@extra("planners", "up_fast_downward")
@pytest.mark.parametrize("environment", EXPECTED)
def test_fast_downward_gives_the_same_answers(texts: dict[str, str], environment: str) -> None:
    domain = parse_domain(texts[f"{environment}/{environment}.pddl"])
    problems = _problems(texts, environment)
    names = [*list(problems)[::40], *(name for name in problems if UNDECLARED in name)]
    for name in names:
        theirs = plan(domain, problems[name], engine="fast-downward", time_limit=60)
        ours = plan(domain, problems[name], time_limit=60)
        assert theirs.outcome is ours.outcome
        assert (ours.outcome is Outcome.REJECTED) == (UNDECLARED in name)
