"""The command that compares problems."""

from __future__ import annotations

import json
from pathlib import Path

from command_line import call

DOMAIN = """(define (domain lamps) (:predicates (on ?x) (off ?x))
  (:action press :parameters (?x) :precondition (off ?x) :effect (and (on ?x) (not (off ?x)))))"""


def _problem(name: str, goal: str) -> str:
    start = f"(:objects {name}) (:init (off {name}))"
    return f"(define (problem p) (:domain lamps) {start} (:goal {goal}))"


def test_problems_of_a_folder_are_compared(tmp_path: Path) -> None:
    answers = tmp_path / "answers"
    answers.mkdir()
    (tmp_path / "domain.pddl").write_text(DOMAIN)
    (tmp_path / "right.pddl").write_text(_problem("a", "(on a)"))
    (answers / "1.pddl").write_text(_problem("b", "(not (off b))"))
    files = [tmp_path / "domain.pddl", tmp_path / "right.pddl", answers]
    done = call("compare-problems", *files)
    assert done.exit_code == 0
    (answers / "2.pddl").write_text(_problem("b", "(off b)"))
    (answers / "3.pddl").write_text("(define (problem")
    done = call("compare-problems", *files, "--json")
    assert done.exit_code == 1
    problems = json.loads(done.stdout)["problems"]
    assert [found["verdict"] for found in problems] == ["equivalent", "different", "not read"]
    assert problems[0]["renaming"] == {"a": "b"}
    assert problems[1]["plan"] == []
