"""Train a tiny model on the CPU with TRL's GRPO and a reward of this library, by hand.

    python -m venv ENV && ENV/bin/pip install -e . torch trl transformers datasets
    ENV/bin/python benchmarks/speed/trl_reward.py [--steps 160] [--figure CURVE.svg]

Beside other work set OMP_NUM_THREADS=1: threads that wait for each other made a step 30 times as
long.

Nothing is downloaded: the tasks are generated, the model is a random one of two layers, its
tokenizer is trained on the plans, and it learns reference plans by heart until it writes some of
them, so that there is something to reward. Rows of another task (sums, with a reward of their own)
stand in the same data set. Printed are the mean reward of the household rows in every step, and the
seconds that it took. The figure needs matplotlib.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path

import torch
from datasets import Dataset
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast
from trl import GRPOConfig, GRPOTrainer

import eai
from eai.integrations.trl import reward_function
from eai.rewards import Reward
from eai.task import Task

COMPLETIONS = 8
"""Completions of a prompt that are compared with each other."""


SPECIAL = {"pad_token": "<pad>", "eos_token": "<eos>"}


def written_plan(task: Task) -> str:
    """Return a task's reference plan in the form that prompts ask for."""
    steps = [{action.name.upper(): list(action.arguments)} for action in task.plans[0]]
    return json.dumps(steps)


def sums(completions: list[str], total: list[int | None], **_: object) -> list[float | None]:
    """Return the rewards of the rows that ask for a sum; those of others get None."""
    rewards: list[float | None] = []
    for text, right in zip(completions, total, strict=True):
        rewards.append(None if right is None else float(text.strip() == str(right)))
    return rewards


def trained_tokenizer(texts: list[str]) -> PreTrainedTokenizerFast:
    """Return a small tokenizer of byte pairs for some texts."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=800,
        special_tokens=list(SPECIAL.values()),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )
    tokenizer.train_from_iterator(texts, trainer)
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, padding_side="left", **SPECIAL)


def tiny_model(tokenizer: PreTrainedTokenizerFast) -> LlamaForCausalLM:
    """Return a random model of two layers."""
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=2,
        num_attention_heads=4,
        pad_token_id=tokenizer.pad_token_id,
        eos_token_id=tokenizer.eos_token_id,
        bos_token_id=None,
    )
    return LlamaForCausalLM(config)


def learn_by_heart(
    model: LlamaForCausalLM, tokenizer: PreTrainedTokenizerFast, texts: list[str], rounds: int
) -> None:
    """Fit the model to texts, which are given to it all at once."""
    batch = tokenizer([f"{text}<eos>" for text in texts], return_tensors="pt", padding=True)
    labels = batch["input_ids"].masked_fill(batch["attention_mask"] == 0, -100)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for _ in range(rounds):
        loss = model(
            input_ids=batch["input_ids"], attention_mask=batch["attention_mask"], labels=labels
        ).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


AVERAGED = 16
"""Steps over which the curve is averaged: a step has the answers to a few tasks only."""


def draw_curve(rewards: list[float], target: Path) -> None:
    """Draw the mean reward of each step, and its average over the last steps."""
    import matplotlib as mpl  # only the figure needs it
    from matplotlib import pyplot as plt

    mpl.rcParams["svg.hashsalt"] = "eai"
    averages = []
    for step in range(AVERAGED, len(rewards) + 1):
        averages.append(sum(rewards[step - AVERAGED : step]) / AVERAGED)
    figure, axes = plt.subplots(figsize=(6, 2.6), layout="constrained")
    axes.plot(range(1, len(rewards) + 1), rewards, ".", alpha=0.4, label="step")
    axes.plot(range(AVERAGED, len(rewards) + 1), averages, label=f"average of {AVERAGED} steps")
    axes.set_xlabel("training step")
    axes.set_ylabel("mean graded reward")
    axes.set_ylim(0, 1)
    axes.legend(frameon=False)
    figure.savefig(target, metadata={"Date": None})


def main() -> None:
    """Train, and print what became of the reward."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--suite", default="generated:household?seed=1&n=100")
    parser.add_argument("--steps", type=int, default=160)
    parser.add_argument("--tasks", type=int, default=8, help="the tasks with the shortest plans")
    parser.add_argument("--others", type=int, default=2, help="rows of another task")
    parser.add_argument("--rounds", type=int, default=120, help="of learning plans by heart")
    parser.add_argument("--figure", type=Path, help="where the curve is drawn")
    chosen = parser.parse_args()
    torch.manual_seed(0)
    start = time.perf_counter()
    suite = eai.suite(chosen.suite)
    rewarded = Reward(suite).tasks()
    easy_first = sorted(rewarded, key=lambda name: len(suite.task(name).plans[0]))
    tasks = [suite.task(name) for name in easy_first[: chosen.tasks]]
    # A model of two layers reads no scene: the instruction is all that it is asked.
    rows: list[dict[str, str | int | None]] = []
    texts = []
    for task in tasks:
        prompt = f"{task.instruction}\n"
        rows.append({"prompt": prompt, "task": task.id, "total": None})
        texts.append(prompt + written_plan(task))
    for number in range(chosen.others):
        prompt = f"What is {number} + 2?\n"
        rows.append({"prompt": prompt, "task": None, "total": number + 2})
        texts.append(f"{prompt}{number + 2}")
    tokenizer = trained_tokenizer(texts)
    model = tiny_model(tokenizer)
    learn_by_heart(model, tokenizer, texts, chosen.rounds)
    with tempfile.TemporaryDirectory() as folder:
        settings = GRPOConfig(
            output_dir=folder,
            max_steps=chosen.steps,
            per_device_train_batch_size=4 * COMPLETIONS,
            num_generations=COMPLETIONS,
            max_completion_length=48,
            learning_rate=3e-4,
            lr_scheduler_type="constant",
            logging_steps=1,
            save_strategy="no",
            report_to="none",
            use_cpu=True,
            disable_tqdm=True,
        )
        reward = reward_function(chosen.suite)
        trainer = GRPOTrainer(
            model=model,
            reward_funcs=[reward, sums],
            args=settings,
            train_dataset=Dataset.from_list(rows),
            processing_class=tokenizer,
        )
        trainer.train()
        logged = f"rewards/{reward.__name__}/mean"
        means = [entry[logged] for entry in trainer.state.log_history if logged in entry]
        means = [mean for mean in means if mean is not None]  # None: only sums in the batch
    print("mean reward of each step:", *(f"{value:.3f}" for value in means))
    quarter = max(1, len(means) // 4)
    first, last = sum(means[:quarter]) / quarter, sum(means[-quarter:]) / quarter
    print(f"first quarter {first:.3f}, last quarter {last:.3f}")
    if chosen.figure is not None:
        draw_curve(means, chosen.figure)
    print(f"{time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
