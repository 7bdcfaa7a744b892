"""The rules that hold for all trainers: other rows, broken rows, prompts, special tokens."""

from __future__ import annotations

import math
import pickle
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest import mock

import pytest
from needs import package

from eai.errors import InputError, UnknownNameError
from eai.integrations.answer_text import answer_after, answer_behind_turns, last_answer
from eai.integrations.conversation import OVER, Conversation
from eai.integrations.training import PARTS, RowScorer, mean_parts, scorer
from eai.rewards import Reward

TASK = "studio-01"
PLAN = '[{"WALK": ["light.34"]}, {"SWITCHON": ["light.34"]}]'
HALF = '[{"WALK": ["light.34"]}]'
CHATML = f"<|im_start|>user\nFor example {PLAN}<|im_end|>\n<|im_start|>assistant\n"


@pytest.mark.parametrize("task", [None, "gsm8k-17", "", 17, float("nan"), ["studio-01"], {}])
def test_a_row_of_another_task_has_no_score(task: object) -> None:
    found = RowScorer("household")
    assert found.score(task, PLAN) is None
    assert dict(found.counts) == {"other": 1}


def test_a_score_is_the_reward_and_its_parts() -> None:
    found = RowScorer("household")
    solved, half = found.score(TASK, PLAN), found.score(TASK, HALF)
    assert solved is not None
    assert half is not None
    assert [solved.value, half.value] == Reward("household").score(TASK, [PLAN, HALF])
    assert half.parts == {"solved": 0.0, "goals": 0.0, "way": 0.5, "left": 0.0, "broken": 0.0}
    assert tuple(solved.parts) == PARTS
    assert mean_parts([solved, half, None])["solved"] == 0.5
    assert mean_parts([None]) == dict.fromkeys(PARTS, 0.0)


def test_rules_reach_the_reward(tmp_path: Path) -> None:
    rules = tmp_path / "rules.jsonl"
    rules.write_text('{"name": "dark", "formula": "G !SWITCHON(light.34)"}\n')
    found = scorer("household", kind="binary", rules=str(rules)).score(TASK, PLAN)
    assert found is not None
    assert found.value == found.parts["solved"] == found.parts["broken"] == 0.0
    with pytest.raises(InputError):
        RowScorer("household", "goal_interpretation", rules=str(rules))


@pytest.mark.parametrize("completion", [{1, 2}, object(), {"content": 3}])
def test_a_broken_row_is_worth_nothing_and_is_counted(completion: object) -> None:
    found = RowScorer("household")
    score = found.score(TASK, completion)
    assert score is not None
    assert (score.value, score.broken, score.parts["broken"]) == (0.0, True, 1.0)
    assert dict(found.counts) == {"broken": 1}


@pytest.mark.parametrize("fault", [RuntimeError, RecursionError, MemoryError, KeyError])
def test_a_fault_of_ours_does_not_stop_training(fault: type[Exception]) -> None:
    found = RowScorer("household")
    with mock.patch.object(Reward, "attempt", side_effect=fault("within")):
        score = found.score(TASK, PLAN)
    assert score is not None
    assert score.broken


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_score_is_finite(value: float) -> None:
    with mock.patch.object(Reward, "value", return_value=value):
        score = RowScorer("household").score(TASK, PLAN)
    assert score is not None
    assert (score.value, score.broken) == (0.0, True)


def test_a_wrong_configuration_is_refused_before_training() -> None:
    with pytest.raises(UnknownNameError):
        RowScorer("no such suite")
    with pytest.raises(InputError):
        RowScorer("household", "goal_interpretation", kind="graded")


def test_threads_share_a_scorer_and_counts_add_up() -> None:
    barrier = threading.Barrier(8)

    def work(_: int) -> list[float]:
        barrier.wait(timeout=30)
        shared = scorer("household", kind="graded", semantics="strict")
        scores = [shared.score(TASK, answer) for answer in [PLAN, HALF] * 20]
        return [score.value for score in scores if score is not None]

    before = scorer("household", kind="graded", semantics="strict").counts["scored"]
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(work, range(8)))
    assert results == [[1.0, 0.15] * 20] * 8
    assert scorer("household", semantics="strict", kind="graded").counts["scored"] == before + 320


def test_scorers_are_kept_up_to_a_number_and_made_anew_after_that(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("eai.integrations.training._SCORERS", {})
    monkeypatch.setattr("eai.integrations.training._MAX_SCORERS", 1)
    graded = scorer("household", kind="graded")
    assert scorer("household", kind="graded") is graded
    binary = scorer("household", kind="binary")
    assert binary is not graded
    assert scorer("household", kind="binary") is binary
    assert scorer("household", kind="graded") is not graded


def test_a_scorer_can_be_sent_to_other_processes() -> None:
    found = RowScorer("household", kind="binary")
    found.score(TASK, PLAN)
    copy = pickle.loads(pickle.dumps(found))
    score = copy.score(TASK, PLAN)
    assert score.value == 1.0
    assert dict(copy.counts) == {"scored": 1}


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("plan", "plan"),
        ("plan<|im_end|>", "plan"),
        ("plan<|eot_id|><|endoftext|>", "plan"),
        ("plan</s></s></s>", "plan"),
        ("plan<end_of_turn>\n<start_of_turn>user\nother", "plan"),
        ("a<|im_end|>\n<|im_start|>user\nb<|im_end|>\n<|im_start|>assistant\nc<|im_end|>", "c"),
        ("<|start_header_id|>assistant<|end_header_id|>\n\nplan<|eot_id|>", "plan"),
        ("<|im_end|>plan", ""),
        (
            "<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>b",
            "b",
        ),
        ("<|channel|>analysis<|message|>plan", ""),
        ("<think>a</think>b", "<think>a</think>b"),
    ],
)
def test_marks_of_chat_templates_are_known(text: str, answer: str) -> None:
    assert last_answer(text) == answer


def test_an_answer_is_what_stands_behind_the_prompt() -> None:
    assert answer_after(CHATML, f"{CHATML}no<|im_end|>") == "no"
    assert answer_after(CHATML, CHATML) == ""
    assert answer_after(f"<s>{CHATML}", f"{CHATML}no") == "no"
    assert answer_after(CHATML, f"<s>{CHATML}no") == "no"


@pytest.mark.parametrize("cut", range(1, len(CHATML) - 32))
def test_a_prompt_whose_start_was_cut_is_never_paid(cut: int) -> None:
    assert answer_after(CHATML, f"{CHATML[cut:]}no") == "no"


@pytest.mark.parametrize("text", [PLAN, f"x{CHATML}{PLAN}", f"{CHATML[-20:]}{PLAN}", ""])
def test_a_text_without_its_prompt_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        answer_after(CHATML, text)


@pytest.mark.parametrize("prompt", [None, "", 3])
def test_a_missing_prompt_is_refused(prompt: object) -> None:
    with pytest.raises(InputError):
        answer_after(prompt, PLAN)


def test_of_several_turns_the_last_of_the_model_counts() -> None:
    assert answer_behind_turns(f"{PLAN}\nuser\n{PLAN}\nassistant\nno") == "no"
    with pytest.raises(InputError):
        answer_behind_turns(f"{PLAN}\nuser\n{PLAN}")


def test_a_conversation_grows_by_what_changed() -> None:
    episode = Conversation("household", TASK)
    walked = episode.take("WALK light.34")
    assert (walked.reward, walked.done) == (0.0, False)
    assert "light.34" in walked.text
    assert len(walked.text) < len(episode.opening) / 10
    solved = episode.take("I walked, so:\nAction: SWITCHON light.34<|im_end|>")
    assert (solved.reward, solved.done, solved.text) == (1.0, True, OVER)
    assert episode.take("SWITCHOFF light.34").reward == 0.0
    assert episode.parts == {
        "solved": 1.0,
        "gained": 1.0,
        "turns": 2.0,
        "failed": 0.0,
        "broken": 0.0,
    }


def test_a_fault_of_ours_ends_an_episode_and_is_marked() -> None:
    episode = Conversation("household", TASK)
    with mock.patch("eai.acting.Acting.submit", side_effect=RuntimeError("within")):
        outcome = episode.take("WALK light.34")
    assert (outcome.reward, outcome.done) == (0.0, True)
    assert episode.parts["broken"] == 1.0


@pytest.mark.parametrize(
    "answer", ["", "\n", "Action:", "Action: " * 50, "\x00", "WALK " + "x" * 9999]
)
def test_no_answer_is_an_exception_in_a_conversation(answer: str) -> None:
    outcome = Conversation("household", TASK).take(answer)
    assert (outcome.reward, outcome.done) == (0.0, False)


@pytest.mark.heavy
@pytest.mark.filterwarnings("ignore")  # what Ray warns about is not ours
def test_ray_actors_score_what_was_sent_to_them() -> None:
    ray = package("ray")
    ray.init(num_cpus=1, include_dashboard=False)

    def score_all(sent: RowScorer) -> list[float]:
        scores = [sent.score(TASK, answer) for answer in (PLAN, HALF)]
        return [score.value for score in scores if score is not None]

    try:
        remote = ray.remote(score_all)
        sent = RowScorer("household")
        assert ray.get([remote.remote(sent) for _ in range(2)]) == [[1.0, 0.15]] * 2
    finally:
        ray.shutdown()
