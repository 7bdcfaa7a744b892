"""Reward functions and environments of TRL, called as its trainers call them."""

from __future__ import annotations

import inspect
import pickle
from pathlib import Path
from typing import Any

import pytest
from needs import package

from eai.errors import InputError
from eai.integrations.trl import environment_factory, reward_function

TASK = "studio-01"
PLAN = '[{"WALK": ["light.34"]}, {"SWITCHON": ["light.34"]}]'
NAME = "household_action_sequencing_graded"


def called(function: Any, completions: list[Any], **columns: Any) -> list[float | None]:
    """Call a reward function with every argument that TRL 1.16 gives, by keyword."""
    count = len(completions)
    result: list[float | None] = function(
        prompts=[PLAN] * count,
        completions=completions,
        completion_ids=[[1]] * count,
        trainer_state=object(),
        **columns,
    )
    return result


def test_rows_of_another_task_get_none_and_the_prompt_is_never_paid() -> None:
    reward = reward_function("household")
    texts = [PLAN, "no", "17", PLAN, {1}]
    tasks = [TASK, TASK, None, "gsm8k-17", TASK]
    assert called(reward, texts, task=tasks) == [1.0, 0.0, None, None, None]
    chats = [[{"role": "assistant", "content": text}] for text in (PLAN, "no")]
    assert called(reward, chats, task=[TASK, TASK]) == [1.0, 0.0]


def test_a_completion_with_tools_counts_by_its_last_answer() -> None:
    call = {"type": "function", "function": {"name": "act", "arguments": {"action": PLAN}}}
    completion = [
        {"role": "assistant", "content": PLAN, "tool_calls": [call]},
        {"role": "tool", "name": "act", "content": PLAN},
        {"role": "assistant", "content": "no"},
    ]
    assert called(reward_function("household"), [completion], task=[TASK]) == [0.0]


def test_parts_are_logged_by_name() -> None:
    metrics: dict[str, float] = {}
    extra: dict[str, list[Any]] = {}
    called(
        reward_function("household", kind="binary", column="id"),
        [PLAN, "no", {1}, "17"],
        id=[TASK, TASK, TASK, None],
        log_metric=metrics.__setitem__,
        log_extra=extra.__setitem__,
    )
    name = "household_action_sequencing_binary"
    assert metrics[f"{name}/solved"] == pytest.approx(1 / 3)
    assert metrics[f"{name}/broken"] == pytest.approx(1 / 3)
    problems = extra[f"{name}_problem"]
    assert problems[:2] == ["", ""]
    assert "InputError" in problems[2]
    assert problems[3] is None


def test_a_data_set_without_tasks_is_refused() -> None:
    with pytest.raises(InputError):
        called(reward_function("household"), [PLAN], tasks=[TASK])


def test_a_reward_function_has_a_name_and_can_be_pickled() -> None:
    reward = pickle.loads(pickle.dumps(reward_function("household")))
    assert reward.__name__ == NAME
    assert called(reward, [PLAN], task=[TASK]) == [1.0]


def test_an_environment_is_reset_acted_in_and_rewarded() -> None:
    make = pickle.loads(pickle.dumps(environment_factory("household")))
    env = make()
    opening = env.reset(prompt=[{"role": "user", "content": "Act."}], task=TASK)
    assert opening.startswith("\n\n")
    assert "light.34" in env.act("WALK light.34")
    assert env.get_reward() == 0.0
    env.act("SWITCHON light.34")
    assert env.get_reward() == 1.0
    assert env.reset(task=None) is None
    assert env.get_reward() is None
    assert env.act("WALK light.34")


def test_every_public_method_is_a_tool_that_trl_can_describe() -> None:
    env = environment_factory("household")()
    methods = inspect.getmembers(env, inspect.ismethod)
    names = {name for name, _ in methods if not name.startswith("_")}
    assert names == {"reset", "act", "get_reward"}
    schema = package("transformers").utils.get_json_schema(env.act)
    assert schema["function"]["parameters"]["required"] == ["action"]


@pytest.mark.heavy
@pytest.mark.filterwarnings("ignore")  # what TRL warns about is not ours
def test_trl_itself_trains_on_a_mixed_data_set(tmp_path: Path) -> None:
    trl = package("trl")
    torch, transformers = package("torch"), package("transformers")
    tokenizers, datasets = package("tokenizers"), package("datasets")
    torch.manual_seed(0)
    words = tokenizers.Tokenizer(tokenizers.models.WordLevel({"<pad>": 0, "<eos>": 1, "a": 2}, "a"))
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=words, pad_token="<pad>", eos_token="<eos>", padding_side="left"
    )
    config = transformers.LlamaConfig(
        vocab_size=3,
        hidden_size=8,
        intermediate_size=8,
        num_hidden_layers=1,
        num_attention_heads=1,
        pad_token_id=0,
        eos_token_id=1,
        bos_token_id=None,
    )
    ours = reward_function("household")
    seen: list[list[float | None]] = []

    def recorded(**given: Any) -> list[float | None]:
        given["completions"] = [PLAN if task else "a" for task in given["task"]]
        seen.append(ours(**given))
        return seen[-1]

    def length(completions: list[str], **_: object) -> list[float]:
        return [float(len(text)) for text in completions]

    rows = [{"prompt": "a", "task": TASK}, {"prompt": "a", "task": None}]
    settings = trl.GRPOConfig(
        output_dir=str(tmp_path),
        max_steps=2,
        per_device_train_batch_size=4,
        num_generations=2,
        max_completion_length=4,
        logging_steps=1,
        save_strategy="no",
        report_to="none",
        use_cpu=True,
        disable_tqdm=True,
    )
    trainer = trl.GRPOTrainer(
        model=transformers.LlamaForCausalLM(config),
        reward_funcs=[recorded, length],
        args=settings,
        train_dataset=datasets.Dataset.from_list(rows),
        processing_class=tokenizer,
    )
    trainer.train()
    logged = [entry for entry in trainer.state.log_history if f"{NAME}/solved" in entry]
    assert logged
    assert {entry[f"{NAME}/solved"] for entry in logged} == {1.0}
    assert {value for batch in seen for value in batch} == {1.0, None}
