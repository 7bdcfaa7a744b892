"""Where the one answer comes from that ``eai repair`` is about."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from command_line import call

import eai

WALK = '[{"WALK": ["light.34"]}]'
GOOD = '[{"WALK": ["light.34"]}, {"SWITCHON": ["light.34"]}]'
OTHER = '[{"WALK": ["fridge.40"]}]'
NEEDED = "insert switchon(light.34)"


def lines(*items: dict[str, str]) -> str:
    return "".join(json.dumps(item) + "\n" for item in items)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home")
    preds = folder / "preds"
    preds.mkdir()
    first, last = {"id": "studio-01", "output": WALK}, {"id": "studio-02", "output": OTHER}
    (preds / "alpha.jsonl").write_text(lines(first, last))
    (preds / "beta.jsonl").write_text(lines({"id": "studio-01", "output": GOOD}))
    (folder / "map.json").write_text(json.dumps({"studio-01": WALK, "studio-02": OTHER}))
    (folder / "vh.jsonl").write_text(lines({"id": "27_2", "output": WALK}))
    (folder / "plan.txt").write_text(WALK)
    (folder / "object.txt").write_text('{"WALK": ["light.34"]}')
    (folder / "cut.txt").write_text('[{"WALK": ["light.34"]}, {"SWITC')
    eai.evaluate("household", sorted(preds.iterdir()), output=folder / "run")
    goals = {"studio-01": "{}"}
    eai.evaluate("household", goals, ability="goal_interpretation", output=folder / "goals")
    (folder / "empty").mkdir()
    return folder


@pytest.fixture
def home(made: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with answers in every form, as the current one."""
    monkeypatch.chdir(made)
    return made


@pytest.mark.parametrize(
    "words",
    [
        "household studio-01 preds/alpha.jsonl",
        "household studio-01 preds --model alpha",
        "household studio-01 map.json",
        "household studio-01 plan.txt",
        "household studio-01 object.txt",
        "run studio-01 --model alpha",
        "run/records.jsonl studio-01 --model alpha",
    ],
)
@pytest.mark.usefixtures("home")
def test_the_answer_to_the_task_is_repaired(words: str) -> None:
    done = call("repair", *words.split())
    assert (done.exit_code, done.exception) == (1, None)
    assert NEEDED in done.stdout
    assert len(done.stdout.splitlines()) == 5


@pytest.mark.usefixtures("home")
def test_a_model_is_chosen_by_its_name() -> None:
    assert call("repair", "run", "studio-01", "--model", "beta").stdout == "the plan works\n"
    found = call("repair", "household", "studio-01", "preds", "--model", "beta")
    assert found.stdout == "the plan works\n"


def test_an_answer_may_come_from_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(GOOD))
    assert call("repair", "household", "studio-01", "-").stdout == "the plan works\n"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("repair household studio-02 preds/beta.jsonl", "no answer to 'studio-02' among these"),
        ("repair household studio-02 vh.jsonl", "for the suite 'household': eai tasks household"),
        ("repair household studio-01 preds", "hint: add --model alpha"),
        ("repair household studio-01 preds --model gama", "there is no model named 'gama'"),
        ("repair household studio-01 run", "hint: eai repair run studio-01"),
        ("repair run studio-01 beta", "hint: eai repair run studio-01 --model beta"),
        ("repair run studio-01", "hint: eai repair run studio-01 --model alpha"),
        ("repair goals studio-01", "the answers are for goal_interpretation"),
        ("repair household studio-01 paln.txt", "did you mean 'plan.txt'?"),
        ("repair household studio-01 plan(1).txt", "plan(1).txt: cannot be read"),
        ("repair household studio-01 empty", "name a file in this folder"),
        ("repair household studio-01 cut.txt", "if the answer was cut off, ask again"),
        ("repair rum studio-01", "there is no suite named 'rum'"),
        ("compare preds/alpha.jsonl preds/beta.jsonl", "eai evaluate SUITE preds/alpha.jsonl"),
        ("explain preds/alpha.jsonl studio-01", "eai evaluate SUITE preds/alpha.jsonl"),
        ("report preds", "eai evaluate SUITE FILE --output FOLDER"),
        ("perturb run -o x.jsonl", "this is a run: eai report run"),
    ],
)
@pytest.mark.usefixtures("home")
def test_what_is_no_such_answer_is_told(words: str, told: str) -> None:
    done = call(*words.split())
    assert done.exit_code == 3
    assert told in done.told


def test_a_suite_without_an_answer_asks_for_a_file() -> None:
    done = call("repair", "household", "studio-01")
    assert done.exit_code == 2
    assert "eai repair household studio-01 FILE" in done.told


def test_predictions_for_agents_say_what_is_left_out(home: Path, tmp_path: Path) -> None:
    path = tmp_path / "some.jsonl"
    path.write_text(lines({"id": "studio-01", "output": GOOD}, {"id": "moon", "output": GOOD}))
    for words in (
        ("replan", "household", "--first", path, "-q"),
        ("interact", "household", "studio-01", "--agent", f"scripted:{path}", "-q"),
    ):
        done = call(*words)
        assert (done.exit_code, done.stdout) == (0, "")
        assert "some: 1 prediction (moon) left out: no such task" in done.stderr
    none = call("replan", "household", "--first", home / "vh.jsonl")
    assert "for a task of the suite 'household'" in str(none.exception)
