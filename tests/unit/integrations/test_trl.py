"""Reward functions and environments of TRL, called as its trainers call them."""

from __future__ import annotations

import inspect
import json
import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from needs import package

import eai
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


@pytest.mark.parametrize("action", [17, None, ["WALK", "light.34"], {"name": "WALK"}])
def test_an_action_that_is_no_text_fails_as_an_action(action: Any) -> None:
    env = environment_factory("household", feedback="simple")()
    env.reset(task=TASK)
    assert env.act(action).startswith("Failed.")
    env.act("WALK light.34")
    env.act("SWITCHON light.34")
    assert env.get_reward() == 1.0


def test_every_public_method_is_a_tool_that_trl_can_describe() -> None:
    env = environment_factory("household")()
    methods = inspect.getmembers(env, inspect.ismethod)
    names = {name for name, _ in methods if not name.startswith("_")}
    assert names == {"reset", "act", "get_reward"}
    schema = package("transformers").utils.get_json_schema(env.act)
    assert schema["function"]["parameters"]["required"] == ["action"]


def _tiny(vocab_size: int) -> Any:
    """Return the configuration of a random model; token 0 is for padding, token 1 the end."""
    return package("transformers").LlamaConfig(
        vocab_size=vocab_size,
        hidden_size=8,
        intermediate_size=8,
        num_hidden_layers=1,
        num_attention_heads=1,
        max_position_embeddings=16_384,
        pad_token_id=0,
        eos_token_id=1,
        bos_token_id=None,
    )


def _settings(folder: Path, **settings: int) -> Any:
    """Return the settings of a short training on the CPU."""
    return package("trl").GRPOConfig(
        output_dir=str(folder),
        per_device_train_batch_size=4,
        logging_steps=1,
        save_strategy="no",
        report_to="none",
        use_cpu=True,
        disable_tqdm=True,
        **{"num_generations": 2, **settings},
    )


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
    ours = reward_function("household")
    seen: list[list[float | None]] = []

    def recorded(**given: Any) -> list[float | None]:
        given["completions"] = [PLAN if task else "a" for task in given["task"]]
        seen.append(ours(**given))
        return seen[-1]

    def length(completions: list[str], **_: object) -> list[float]:
        return [float(len(text)) for text in completions]

    rows = [{"prompt": "a", "task": TASK}, {"prompt": "a", "task": None}]
    trainer = trl.GRPOTrainer(
        model=transformers.LlamaForCausalLM(_tiny(len(tokenizer))),
        reward_funcs=[recorded, length],
        args=_settings(tmp_path, max_steps=2, max_completion_length=4),
        train_dataset=datasets.Dataset.from_list(rows),
        processing_class=tokenizer,
    )
    trainer.train()
    logged = [entry for entry in trainer.state.log_history if f"{NAME}/solved" in entry]
    assert logged
    assert {entry[f"{NAME}/solved"] for entry in logged} == {1.0}
    assert {value for batch in seen for value in batch} == {1.0, None}


def _tool_tokenizer(texts: list[str]) -> Any:
    """Return a tokenizer of byte pairs with a chat template that calls tools."""
    tokenizers = package("tokenizers")
    byte_level = tokenizers.pre_tokenizers.ByteLevel
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE())
    tokenizer.pre_tokenizer = byte_level(add_prefix_space=False)
    tokenizer.decoder = tokenizers.decoders.ByteLevel()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=600,
        special_tokens=["<pad>", "<|im_end|>", "<|im_start|>"],
        initial_alphabet=byte_level.alphabet(),
    )
    tokenizer.train_from_iterator(texts, trainer)
    return package("transformers").PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="<pad>",
        eos_token="<|im_end|>",
        padding_side="left",
        chat_template=package("trl.chat_template_utils").qwen3_chat_template,
    )


def _called_tool(action: object) -> str:
    call = {"name": "act", "arguments": {"action": action}}
    return f"<tool_call>\n{json.dumps(call)}\n</tool_call><|im_end|>"


def _written_turn(conversation: str, index: int, plan: Sequence[str]) -> str:
    """Return what is written for a completion: every second one calls the plan's steps."""
    turns = conversation.count("<tool_response>\n")
    if turns == 0 and index % 2:
        return _called_tool(17)  # no action, but a tool call that the trainer accepts
    if turns == len(plan) or '"action": 17' in conversation:
        return "Done.<|im_end|>"
    return _called_tool(plan[turns])


@pytest.mark.heavy
@pytest.mark.filterwarnings("ignore")  # what TRL warns about is not ours
def test_trl_itself_lets_a_model_act_in_generated_tasks(tmp_path: Path) -> None:
    torch, transformers = package("torch"), package("transformers")
    torch.manual_seed(0)
    name = "generated:household?seed=1&n=1&steps=3-3"
    suite = eai.suite(name)
    (task,) = map(suite.task, suite.task_ids())
    plan = [f"{step.name.upper()} {' '.join(step.arguments)}" for step in task.plans[0]]
    make = environment_factory(name)
    tokenizer = _tool_tokenizer([make().reset(task=task.id) or ""])

    class Writer(transformers.LlamaForCausalLM):  # type: ignore[misc, name-defined]
        """A random model whose turns are written for it: it would never call a tool."""

        def generate(self, input_ids: Any, **_: object) -> Any:
            texts = tokenizer.batch_decode(input_ids)
            turns = [_written_turn(text, index, plan) for index, text in enumerate(texts)]
            added = tokenizer(turns, return_tensors="pt", padding=True, padding_side="right")
            return torch.cat([input_ids, added["input_ids"]], dim=1)

    rewards: dict[str, set[tuple[int, float | None]]] = {"ours": set(), "other": set()}

    def recorded(environments: list[Any], task: list[str | None], **_: object) -> list[float]:
        for index, (row_task, environment) in enumerate(zip(task, environments, strict=True)):
            rewards["ours" if row_task else "other"].add((index % 2, environment.get_reward()))
        return [0.0] * len(task)

    question = [{"role": "user", "content": "Act."}]
    rows = [{"prompt": question, "task": task.id}, {"prompt": question, "task": None}]
    trainer = package("trl").GRPOTrainer(
        model=Writer(_tiny(len(tokenizer))),
        reward_funcs=recorded,
        environment_factory=make,
        args=_settings(tmp_path, max_steps=2, max_completion_length=2_000, num_generations=4),
        train_dataset=package("datasets").Dataset.from_list(rows),
        processing_class=tokenizer,
    )
    trainer.train()
    assert rewards == {"ours": {(0, 1.0), (1, 0.0)}, "other": {(0, None), (1, None)}}
    logged = [entry for entry in trainer.state.log_history if "rewards/ToolEpisode/mean" in entry]
    # TRL writes None where no row of a batch has a reward.
    assert {entry["rewards/ToolEpisode/mean"] for entry in logged} == {0.5, None}
    assert {entry["tools/failure_frequency"] for entry in logged} == {0.0}
