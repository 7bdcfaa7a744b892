"""Questions of ACPBench as they were published, and questions that are written here."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from command_line import call
from pddl_blocks import DOMAIN, PROBLEM

import eai
from eai.contract import chosen_ability, prompt_of
from eai.errors import InputError, SchemaError
from eai.suites.pddl import Asking, Pddl
from eai.suites.pddl.acpbench import published_verdict
from eai.suites.pddl.generation import generated_questions
from eai.suites.pddl.kinds import WORDINGS, known_kind

TASK = {"PDDL_domain": DOMAIN, "PDDL_problem": PROBLEM, "context": "Blocks."}
LANDMARK = {
    "id": -12,
    "group": "landmarks_gen",
    "question": "Generate a non-trivial fact landmark.",
    "answer": {"yes": ["(holding d)"], "no": ["(holding a)"]},
    **TASK,
}
VALIDATION = {
    "id": 7,
    "group": "validation_gen",
    "question": 'What is the first inapplicable action: "(pick-up d) (pick-up a)"?',
    "answer": 1,
    **TASK,
}
YES_NO = {
    "id": 5,
    "group": "applicable_actions_bool",
    "context": "Blocks.",
    "question": "Is this applicable: pick up d?",
    "answer": "yes",
}
CHOICE = {
    "id": 6,
    "group": "applicable_actions_mc",
    "context": "Blocks.",
    "question": "Which? A. pick up d B. pick up a",
    "choices": {"text": ["pick up d", "pick up a"], "label": ["A", "B"]},
    "answer": "A",
}


def suite_of(folder: Path, *rows: dict[str, Any], name: str = "dev.gen.json") -> Pddl:
    file = folder / name
    file.write_text(json.dumps(list(rows)))
    return Pddl(str(file))


def is_right(suite: Pddl, task: str, answer: str, semantics: str = "") -> bool:
    meaning = suite.semantics(semantics or suite.default_semantics)
    return suite.evaluate(chosen_ability(suite), suite.task(task), answer, meaning).success


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ("validation_gen", "validation"),
        ("validation", "validation"),
        ("val", "validation"),
        ("acp_val_gen", "validation"),
        ("landmarks_gen", "landmark"),
        ("goal_closer_gen", "next_action"),
        ("reachable_atom_gen", "reachability"),
        ("nexta", "next_action"),
    ],
)
def test_kinds_are_known_by_all_their_names(written: str, kind: str) -> None:
    assert known_kind(written, "here") == kind


def test_a_kind_that_is_not_known_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SchemaError) as caught:
        suite_of(tmp_path, {**VALIDATION, "group": "validatoin_gen"})
    assert "validation" in str(caught.value.mend)


def test_a_published_file_asks_what_it_says(tmp_path: Path) -> None:
    suite = suite_of(tmp_path, VALIDATION)
    assert (list(suite.task_ids()), chosen_ability(suite)) == (["7"], "validation")
    assert is_right(suite, "7", "1")
    assert not is_right(suite, "7", "0")


@pytest.mark.parametrize("ending", [".jsonl", ".json.gz", ".jsonl.gz"])
def test_published_files_may_be_lines_and_packed(tmp_path: Path, ending: str) -> None:
    text = json.dumps([VALIDATION]) if ".json." in ending else json.dumps(VALIDATION)
    data = gzip.compress(text.encode()) if ending.endswith("gz") else text.encode()
    (tmp_path / f"dev{ending}").write_bytes(data)
    assert is_right(Pddl(str(tmp_path / f"dev{ending}")), "7", "1")


def test_samples_bring_their_questions(tmp_path: Path) -> None:
    (tmp_path / "samples.jsonl").write_text(json.dumps({"doc_id": 0, "doc": VALIDATION}))
    assert is_right(Pddl(str(tmp_path / "samples.jsonl")), "7", "1")


def test_lines_with_our_keys_and_a_published_kind_are_read(tmp_path: Path) -> None:
    line = {
        "id": "q",
        "domain": DOMAIN,
        "problem": PROBLEM,
        "kind": "validation_gen",
        "question": VALIDATION["question"],
        "answer": 1,
    }
    (tmp_path / "own.jsonl").write_text(json.dumps(line))
    suite = Pddl(str(tmp_path / "own.jsonl"))
    assert suite.default_semantics == "strict"
    assert is_right(suite, "q", "1")


def test_questions_of_several_kinds_are_one_run(tmp_path: Path) -> None:
    suite = suite_of(tmp_path, VALIDATION, {**LANDMARK, "id": 7}, YES_NO, CHOICE)
    assert list(suite.task_ids()) == ["5", "6", "landmark/7", "validation/7"]
    answers = {
        "5": "Yes.",
        "6": "The answer is (A).",
        "validation/7": "1",
        "landmark/7": "(clear a)",
    }
    report = eai.evaluate(suite, answers)
    scores = {each.key: (each.numerator, each.denominator) for each in report.metrics("unnamed")}
    assert report.setting.ability == "questions"
    assert scores["task_success_rate"] == (3, 4)
    assert scores["kind_landmark"] == (0, 1)


@pytest.mark.parametrize(
    ("row", "ability", "right", "wrong", "unread"),
    [
        (YES_NO, "yes_no", "**Final Answer**: yes", "No", "maybe"),
        (CHOICE, "multiple_choice", "A. pick up d", "B", "I do not know"),
    ],
)
def test_questions_in_words_have_their_published_answer(
    tmp_path: Path, row: dict[str, Any], ability: str, right: str, wrong: str, unread: str
) -> None:
    suite = suite_of(tmp_path, row)
    task, meaning = suite.task(str(row["id"])), suite.semantics("strict")
    assert chosen_ability(suite) == ability
    assert is_right(suite, task.id, right)
    assert not is_right(suite, task.id, wrong)
    found = suite.evaluate(ability, task, unread, meaning)
    assert [str(each.kind) for each in found.findings] == ["parsing"]
    assert suite.evaluate(ability, task, None, meaning).status == "missing"
    asked = prompt_of(suite, task, ability)
    assert asked is not None
    assert row["question"] in asked


def test_the_published_answer_decides_only_officially(tmp_path: Path) -> None:
    suite = suite_of(tmp_path, {**LANDMARK, "answer": {"yes": [], "no": ["(holding d)"]}})
    assert suite.default_semantics == "official"
    assert is_right(suite, "-12", "None")
    assert not is_right(suite, "-12", "None", "strict")
    assert is_right(suite, "-12", "(holding d)", "strict")


NEXT = {"yes": ["(pick-up D)"], "no": ["(put-down d)"], "maybe": ["(stack d b)"]}


@pytest.mark.parametrize(
    ("kind", "published", "said", "verdict"),
    [
        ("next_action", NEXT, "(pick-up d)", True),
        ("next_action", NEXT, "(put-down d)", False),
        ("next_action", NEXT, "(stack d b)", None),
        ("next_action", NEXT, "(dance)", False),
        ("landmark", {"yes": [], "no": []}, "none", True),
        ("landmark", {"yes": ["(on a)"]}, "none", False),
        ("landmark", {"yes": ["(on a)"]}, "(on a)", True),
        ("landmark", {"yes": ["(on a)"]}, "(on b)", False),
        ("reachability", [], "none", True),
        ("reachability", [], "(on a)", False),
        ("reachability", ["on a"], "(on a)", True),
        ("reachability", ["on a"], "(on b)", None),
        ("action_reachability", ["(go a)"], "none", False),
        ("validation", 1, "(on a)", None),
        ("landmark", {"yes": ["(on a)"]}, "", None),
        ("landmark", None, "none", None),
    ],
)
def test_published_answers_decide_as_their_evaluator_does(
    kind: str, published: object, said: str, verdict: bool | None
) -> None:
    assert published_verdict(kind, published, said) is verdict


@pytest.mark.parametrize("kind", WORDINGS)
def test_written_questions_are_different_and_their_answers_right(tmp_path: Path, kind: str) -> None:
    lines = list(generated_questions(DOMAIN, PROBLEM, kind, 4, Asking(steps=2)))
    assert lines
    assert len({(line["problem"], line["question"]) for line in lines}) == len(lines)
    file = tmp_path / "questions.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)))
    suite = Pddl(str(file))
    assert all(is_right(suite, str(line["id"]), str(line["answer"])) for line in lines)
    wrong = "(nothing of the kind)"
    assert not any(is_right(suite, str(line["id"]), wrong) for line in lines)


def test_the_same_seed_writes_the_same_questions() -> None:
    first, again, other = (
        list(generated_questions(DOMAIN, PROBLEM, "progression", 3, Asking(seed=seed)))
        for seed in (0, 0, 9)
    )
    assert first == again
    assert first != other


def test_the_command_writes_a_file_that_can_be_evaluated(tmp_path: Path) -> None:
    (tmp_path / "domain.pddl").write_text(DOMAIN)
    (tmp_path / "problem.pddl").write_text(PROBLEM)
    files = [str(tmp_path / name) for name in ("domain.pddl", "problem.pddl")]
    output = tmp_path / "questions.jsonl"
    done = call("questions", *files, "--kind", "land", "-n", "2", "-o", str(output))
    assert done.exit_code == 0, done.output
    lines = [json.loads(line) for line in output.read_text().splitlines()]
    assert [line["kind"] for line in lines] == ["landmark", "landmark"]
    answers = {line["id"]: line["answer"] for line in lines}
    report = eai.evaluate(f"pddl:{output}", answers)
    assert all(record.result.success for record in report.records)
    assert isinstance(call("questions", *files, "--kind", "riddle").exception, InputError)


def test_a_folder_of_published_files_names_one(tmp_path: Path) -> None:
    (tmp_path / "val").mkdir()
    (tmp_path / "val" / "dev.gen.json").write_text(json.dumps([VALIDATION]))
    with pytest.raises(InputError) as caught:
        Pddl(str(tmp_path))
    assert "dev.gen.json" in str(caught.value.mend)
