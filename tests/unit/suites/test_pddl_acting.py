"""Acting in PDDL problems step by step."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pddl_blocks import write_suite

import eai
from eai.acting import RecordedEpisode, describe
from eai.report import record_to_json


@pytest.fixture
def name(tmp_path: Path) -> str:
    return f"pddl:{write_suite(tmp_path / 'blocks')}"


def test_the_oracle_plans_and_its_episode_is_the_same_as_a_record(name: str) -> None:
    (Path(name.removeprefix("pddl:")) / "plans" / "instance-2.plan").unlink()
    acted = eai.interact(name, "instance-2", "oracle")
    assert acted.success
    assert acted.result.plan == ("PICK-UP d", "STACK d b")
    suite = eai.suite(name)
    task, meaning = suite.task("instance-2"), suite.semantics("strict")
    own = acted.record("oracle")
    for ability, answer in (
        ("interaction", acted.output),
        ("recorded", RecordedEpisode.of(acted.episode).to_json()),
    ):
        result = suite.evaluate(ability, task, answer, meaning)
        assert record_to_json(replace(own, result=result)) == record_to_json(own)


def test_steps_are_written_as_in_pddl_or_otherwise(name: str) -> None:
    asked: list[str] = []
    answers = iter(["Action: (stack d b)", "Action: (pick-up d)", "Action: stack(d, b)"])

    def agent(messages: Any) -> str:
        asked.append(messages[-1]["content"])
        return next(answers)

    acted = eai.interact(name, "instance-2", agent)
    assert acted.success
    assert [turn.code for turn in acted.episode.turns] == ["missing_step", "", ""]
    assert "(:action pick-up" in asked[0]
    assert "hands" not in asked[0]


def test_every_fact_is_seen(name: str) -> None:
    suite = eai.suite(name)
    task, meaning = suite.task("instance-2"), suite.semantics("strict")
    world = suite.environment(task, meaning)
    assert describe(world.reset()).splitlines() == [
        "- a (object): ontable",
        "- b (object): on a, clear",
        "- d (object): ontable, clear",
        "- world: handempty",
    ]


def test_a_task_without_a_plan_does_not_count(name: str) -> None:
    acted = eai.interact(name, "instance-10", ["Action: (pick-up d)"])
    assert acted.result.status == "excluded"


def test_names_with_dots_are_acted(tmp_path: Path) -> None:
    (tmp_path / "domain.pddl").write_text(
        "(define (domain boxes) (:predicates (at.home ?b) (held.up ?b))"
        " (:action pick.up :parameters (?b) :precondition (at.home ?b)"
        "  :effect (and (held.up ?b) (not (at.home ?b))))"
        " (:action put.back :parameters (?b) :precondition (held.up ?b)"
        "  :effect (and (at.home ?b) (not (held.up ?b)))))"
    )
    (tmp_path / "p1.pddl").write_text(
        "(define (problem p1) (:domain boxes) (:objects box.1) (:init (at.home box.1))"
        " (:goal (held.up box.1)))"
    )
    suite = eai.suite(f"pddl:{tmp_path}")
    acted = eai.interact(suite, "p1", "oracle")
    assert acted.success
    record = RecordedEpisode.of(acted.episode).to_json()
    assert suite.evaluate("recorded", suite.task("p1"), record, suite.semantics("strict")).success
    wrong = eai.interact(suite, "p1", lambda _: "Action: PUT.BACK box.1")
    assert wrong.episode.turns[0].code == "additional_step"
