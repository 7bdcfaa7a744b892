"""Figures of RoboBench: worked examples, orders, kinds of mistakes, published tables, speed.

    python benchmarks/agreement/robobench.py [--plans 20000] [--answers 100000]

Plans are made at random as the tests make them (``tests/support/robobench_plans.py``). Times
are CPU times of one process.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from importlib import resources
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "support"))

from robobench_plans import disturbed, gold_plan, numbered, reached_directly, text_of

from eai.suites.robobench import judge_plan, published_results
from eai.suites.robobench.items import taxonomy
from eai.suites.robobench.mistakes import mistakes_of
from eai.suites.robobench.plans import Step, read_gold
from eai.suites.robobench.score import prepared
from eai.suites.robobench.suite import RoboBenchExamples
from eai.suites.shared.choices import read_choice


def main() -> None:
    """Print everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plans", type=int, default=20_000)
    parser.add_argument("--answers", type=int, default=100_000)
    options = parser.parse_args()
    worked()
    published()
    direct(10_000)
    alarms(500)
    hostile(options.answers)
    speed(options.plans, options.answers)


def worked() -> None:
    """The published worked examples, and gold plans against themselves."""
    items = RoboBenchExamples().items
    folder = resources.files("eai.data.tasks.robobench_examples")
    lines = folder.joinpath("worked.jsonl").read_text("utf-8").splitlines()
    right = number = 0
    for line in map(json.loads, lines):
        if "completion" in line and "figure-" not in line["id"]:
            score = judge_plan(items[line["id"]].gold, line["output"])
            number += 1
            right += line["node"] in (None, score.node) and line["completion"] == score.completion
    print(f"worked examples equal in both integers: {right} of {number}")
    golds = [item for item in items.values() if item.ability == "multi_step_plan"]
    whole = [judge_plan(item.gold, item.gold, item.dag) for item in golds]
    full = sum((score.node, score.completion) == (10, 10) for score in whole)
    print(f"gold plans worth (10, 10) against themselves: {full} of {len(whole)}")


def published() -> None:
    """Checks of the published tables."""
    paper, later = (published_results()[name]["tables"] for name in ("paper_v1", "eccv2026"))
    both = sorted({*paper["q1"]} & {*later["q1"]} - {"Human Evaluation"})
    shifts = [later["q1"][name]["plan_avg"] - paper["q1"][name]["plan_avg"] for name in both]
    print(f"planning average, mean shift of {len(both)} models: {sum(shifts) / len(both):+.1f}")
    row = paper["afford_failure"]["RoboBrain-2.0-7B"]
    parts = (row["execution"] + row["planning"]) / 2
    print(f"failure average printed {row['failure_avg']}, mean of its parts {parts:.3f}")
    sizes = sum(each.get("questions", 0) for each in taxonomy()["manifests"].values())
    print(f"sizes of choices: {sizes} of {taxonomy()['counts']['mcq_questions']}")


def direct(number: int) -> None:
    """Milestones by logic and looked up in the states, on random plans."""
    equal, compared = Counter[bool](), Counter[bool]()
    for seed in range(number):
        gold = gold_plan(seed % 500)
        score = prepared(text_of(gold)).evaluate(text_of(disturbed(gold, seed)))
        for each in score.milestones:
            compared[each.milestone.lasting] += 1
            found = reached_directly(each.milestone, score.execution.trajectory)
            equal[each.milestone.lasting] += each.reached == found
    for lasting, what in ((True, "lasting"), (False, "passing")):
        print(
            f"{what} milestones by logic and directly, {number} plans: "
            f"{equal[lasting]} of {compared[lasting]} equal"
        )


def alarms(number: int) -> None:
    """Mistakes that are found in gold plans and their harmless variants."""
    found = plans = 0
    for seed in range(number):
        gold = gold_plan(seed)
        idle = numbered([*gold[:1], Step(1, "no_ops"), *gold[1:]])
        renamed = text_of(gold).replace("_drawer", "-drawer_handle")
        for plan in (text_of(gold), text_of(idle), renamed):
            plans += 1
            found += bool(mistakes_of(judge_plan(text_of(gold), plan)))
    print(f"false alarms: {found} of {plans} plans")


def hostile(number: int) -> None:
    """Random texts as answers to questions of every ability: nothing may be raised."""
    dice = random.Random(0)  # noqa: S311
    suite = RoboBenchExamples()
    semantics = [suite.semantics("strict"), suite.semantics("official")]
    tasks = [(suite.items[name].ability, suite.task(name)) for name in suite.task_ids()]
    parts = [
        *("1-", "left:", "pick_up", "place(cup, tray)", "no_ops", "cup", "turn(tap, left, open)"),
        *("(", ")", "[", "]", "{", "}", '"', "'", ", ", "\n", "```", "<think>", "\\boxed{", "é"),
        *("A", "B)", "and", "or", "the answer is ", "yes", "not", "0.5", "1e999", "nan", "-3"),
    ]
    counts: Counter[str] = Counter()
    for i in range(number):
        ability, task = tasks[i % len(tasks)]
        text = "".join(dice.choice(parts) for _ in range(dice.randrange(12)))
        counts[ability] += 1
        suite.evaluate(ability, task, text, semantics[i // len(tasks) % 2])
    listed = ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))
    print(f"random texts evaluated without an exception: {number} ({listed})")


def speed(plans: int, answers: int) -> None:
    """Plans and choices in a second of one core."""
    golds = [text_of(gold_plan(seed)) for seed in range(200)]
    steps = sum(len(read_gold(gold)) for gold in golds) / len(golds)
    pairs = [
        (golds[seed % 200], text_of(disturbed(gold_plan(seed % 200), seed)))
        for seed in range(plans)
    ]
    for gold in golds:
        prepared(gold)
    begin = time.process_time()
    for gold, plan in pairs:
        prepared(gold).evaluate(plan)
    took = time.process_time() - begin
    print(f"plans a second: {plans / took:,.0f} (gold plans of {steps:.1f} steps in the mean)")
    texts = ["A", "The answer is (B).", "**C**", "D. fourth", "I would choose A because it fits."]
    begin = time.process_time()
    for i in range(answers):
        read_choice(texts[i % 5], ("first", "second", "third", "fourth"))
    print(f"choices a second: {answers / (time.process_time() - begin):,.0f}")


if __name__ == "__main__":
    main()
