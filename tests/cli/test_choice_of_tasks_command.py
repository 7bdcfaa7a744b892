"""Some tasks only: ``eai evaluate --tasks``, ``eai prompts`` and ``eai ask`` with tasks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import call

import eai
from eai.errors import InputError, UnknownNameError
from eai.suites.household import Household, samples

CAREFUL = samples()[0]


def evaluated(*words: object) -> tuple[int, str]:
    """How many tasks were evaluated, and the semantics that is named."""
    done = call("evaluate", "household", *words, "--json")
    assert done.exception is None, done.exception
    found = json.loads(done.stdout)
    (model,) = found["models"].values()
    return model["tasks"], found["semantics"]


def test_tasks_are_named_with_commas_or_one_by_one() -> None:
    assert evaluated(CAREFUL, "--tasks", "studio-01") == (1, "strict (1 chosen task)")
    together = evaluated(CAREFUL, "--tasks", "studio-01,studio-02", "--tasks", "flat-17")
    assert together == (3, "strict (3 chosen tasks)")


def test_the_first_so_many_are_taken() -> None:
    assert evaluated(CAREFUL, "--limit", 5) == (5, "strict (5 chosen tasks)")
    assert evaluated(CAREFUL, "--tasks", "studio-01,studio-02", "--limit", 1)[0] == 1


def test_those_with_an_answer_are_taken(tmp_path: Path) -> None:
    path = tmp_path / "few.jsonl"
    path.write_text("".join(CAREFUL.read_text("utf-8").splitlines(keepends=True)[:3]), "utf-8")
    assert evaluated(path, "--tasks", "answered") == (3, "strict (answered tasks)")
    assert evaluated(path, "--tasks", "all") == (76, "strict")


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        ("evaluate household --tasks moon", 3, "eai tasks household lists them"),
        ("evaluate household --tasks studio-1", 3, "did you mean 'studio-01'?"),
        ("evaluate household --limit -1", 2, "--limit"),
        ("evaluate household --limit 0", 2, "--limit"),
        ("evaluate household --tasks answered --limit 1", 2, "not with 'answered'"),
        ("evaluate household --model-outputs . --tasks moon", 3, "no task named 'moon'"),
        ("prompts household moon", 3, "there is no task named 'moon'"),
        ("prompts household --limit -1", 2, "--limit"),
    ],
)
def test_a_choice_that_is_none_is_refused(words: str, code: int, told: str) -> None:
    done = call(*words.split())
    assert done.exit_code == code
    assert told in done.told


def test_prompts_are_for_the_tasks_that_are_named() -> None:
    def ids(*words: object) -> list[str]:
        lines = call("prompts", "household", *words).stdout.splitlines()
        return [json.loads(line)["id"] for line in lines]

    assert ids("studio-03", "studio-01") == ["studio-01", "studio-03"]
    assert ids("--limit", 2) == list(Household().task_ids()[:2])
    assert ids("studio-03", "studio-01", "--limit", 1) == ["studio-01"]
    assert ids("--tasks", "studio-03,studio-01") == ["studio-01", "studio-03"]


@pytest.mark.heavy
@pytest.mark.parametrize("command", ["replan", "interact"])
def test_agents_are_given_the_tasks_that_are_named(command: str) -> None:
    for words in (("--limit", 2), ("--tasks", "studio-01,studio-02"), ("studio-01", "studio-02")):
        done = call(command, "household", *words, "--json")
        counts = [each["tasks"] for each in json.loads(done.stdout)["models"].values()]
        assert set(counts) == {2}


def test_plans_of_the_tasks_that_are_named_are_made_wrong(tmp_path: Path) -> None:
    path = tmp_path / "wrong.jsonl"
    words = ("--kind", "drop", "--tasks", "studio-02,studio-01", "--limit", 1)
    assert call("perturb", "household", "-o", path, *words).exit_code == 0
    assert json.loads(path.read_text("utf-8"))["id"] == "studio-02"


def test_a_model_is_asked_for_the_tasks_that_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Silent:
        def __init__(self, *_words: object, **_options: object) -> None:
            pass

        def __call__(self, _messages: object) -> str:
            return "[]"

    monkeypatch.setattr("eai.integrations.openai_chat.ChatAgent", Silent)
    path = tmp_path / "answers.jsonl"
    done = call("ask", "household", "studio-02", "--model", "m", "-o", path)
    assert done.exit_code == 0, done
    assert [json.loads(line)["id"] for line in path.read_text("utf-8").splitlines()] == [
        "studio-02"
    ]


HABITAT = eai.suite("eb-habitat")
SPATIAL = list(HABITAT.groups()["spatial_relationship"])


def test_a_limit_counts_the_tasks_of_the_group() -> None:
    words = ("--group", "spatial_relationship", "--limit", 3)
    listed = json.loads(call("tasks", "eb-habitat", *words, "--json").stdout)["tasks"]
    assert [each["id"] for each in listed] == SPATIAL[:3]
    # The beginning of a name is enough.
    assert call("tasks", "eb-habitat", "--group", "spatial", "--limit", 3).exit_code == 0
    prompts = call("prompts", "eb-habitat", *words).stdout.splitlines()
    assert [json.loads(line)["id"] for line in prompts] == SPATIAL[:3]
    acted = json.loads(call("interact", "eb-habitat", *words, "--json").stdout)
    [model] = acted["models"].values()
    assert model["metrics"]["task_success_rate"]["denominator"] == 3


def test_an_unknown_group_is_an_error_that_lists_groups() -> None:
    for command in ("tasks", "prompts", "interact"):
        error = call(command, "eb-habitat", "--group", "nothing").exception
        assert isinstance(error, UnknownNameError)
        assert (error.kind, list(error.known)) == ("group", sorted(HABITAT.groups()))


def test_a_group_without_any_of_the_tasks_is_an_error() -> None:
    other = next(name for name in HABITAT.task_ids() if name not in SPATIAL)
    done = call("tasks", "eb-habitat", "--tasks", other, "--group", "spatial")
    assert isinstance(done.exception, InputError)
