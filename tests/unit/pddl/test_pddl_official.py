"""The published planning files and real answers of models: read without loss, faults counted."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest
from needs import facts, recordings

from eai.pddl import Domain, Issue, parse_domain, read_actions, read_domain, read_problem

pytestmark = pytest.mark.official

RESOURCES = "virtualhome_eval/resources"
WORLDS = ("virtualhome", "behavior")


@pytest.fixture(scope="module")
def texts(official_wheel: Path) -> dict[str, str]:
    """The planning files of the wheel by their path."""
    with ZipFile(official_wheel) as wheel:
        names = [name for name in wheel.namelist() if name.endswith(".pddl")]
        read = {name: wheel.read(name).decode() for name in names}
    return {name.removeprefix(f"{RESOURCES}/"): text for name, text in read.items()}


def problems(texts: dict[str, str], world: str) -> Iterator[list[Issue]]:
    domain = parse_domain(texts[f"{world}/{world}.pddl"])
    for name, text in texts.items():
        if name.startswith(f"{world}/problem_pddl/"):
            problem, issues = read_problem(text, domain=domain)
            assert problem.objects
            assert problem.initial
            yield issues


def files_with(texts: dict[str, str], world: str) -> Counter[str]:
    found = list(problems(texts, world))
    kinds = Counter(kind for issues in found for kind in {issue.kind for issue in issues})
    return kinds + Counter({"all": len(found)})


def test_the_problems_of_virtualhome(texts: dict[str, str]) -> None:
    assert files_with(texts, "virtualhome") == {"all": 338, "ill-typed": 122}


def test_the_problems_of_behavior(texts: dict[str, str]) -> None:
    expected = {"all": 100, "negated-fact": 24, "undeclared-object": 1}
    assert files_with(texts, "behavior") == expected


def test_what_the_domain_of_virtualhome_does_not_declare(texts: dict[str, str]) -> None:
    domain, issues = read_domain(texts["virtualhome/virtualhome.pddl"])
    assert len(domain.operators) == 33
    assert [issue.advice for issue in issues if issue.kind == "undeclared-requirement"] == [
        "add :negative-preconditions to (:requirements ...)",
        "add :conditional-effects to (:requirements ...)",
        "add :disjunctive-preconditions to (:requirements ...)",
        "add :existential-preconditions to (:requirements ...)",
    ]


@pytest.mark.parametrize(("world", "predicates"), [("virtualhome", 45), ("behavior", 17)])
def test_the_heads_lack_their_last_bracket(
    texts: dict[str, str], world: str, predicates: int
) -> None:
    domain, issues = read_domain(texts[f"{world}/{world}_pd.pddl"])
    errors = [(i.kind, i.line, i.column) for i in issues if i.severity == "error"]
    assert errors == [("unclosed-bracket", 1, 1)]
    assert len(domain.predicates) == predicates


@pytest.mark.parametrize("world", WORLDS)
def test_no_bracket_of_a_domain_costs_an_operator(texts: dict[str, str], world: str) -> None:
    text = texts[f"{world}/{world}.pddl"]
    whole = read_domain(text)[0]
    brackets = [i for i, character in enumerate(text) if character in "()"]
    for at in brackets[::97]:
        domain, _ = read_domain(f"{text[:at]} {text[at + 1 :]}")
        assert domain.operators.keys() == whole.operators.keys()


@recordings("eai", "model_outputs")
@pytest.mark.parametrize("world", WORLDS)
def test_every_action_of_an_answer_is_read(texts: dict[str, str], world: str) -> None:
    folder = facts("eai", "model_outputs", world, "transition_modeling")
    files = sorted(folder.glob("*.json.gz"))
    assert files
    domain = parse_domain(texts[f"{world}/{world}.pddl"])
    for path in files:
        for item in json.loads(gzip.decompress(path.read_bytes()))[::10]:
            _read_whole(item["llm_output"], domain)


def _read_whole(answer: str, domain: Domain) -> None:
    read, _ = read_actions(answer, domain=domain)
    assert len(read) == answer.lower().count("(:action ")
