"""How far verdicts on PlanBench's answers agree with the published ones, and what they cost.

    python benchmarks/agreement/planbench.py [--facts DIR]
        [--part plans|answers|problems|tasks|speed ...] [--show N] [--sample N] [--checkout DIR]

`DIR` (by default `EAI_FACTS`) holds `pddl_benchmarks/planbench`: `plans.jsonl.gz` (plans as
PlanBench extracted them, with the published verdict), `responses.jsonl.gz` (raw answers),
`instances.jsonl.gz`, `domains.json`, `phrases.json`, `disagreements.json`. None of it ships with
the package.

* `plans`: extracted plans under `strict` and under `official`. Of task 2 a plan is right if it is
  valid and as long as the reference plan.
* `answers`: raw answers in PDDL, in words, and in words of logistics, against "published, or a plan
  that VAL accepts stands in the answer".
* `problems`: whether every problem is read.
* `tasks`: published results of tasks 3, 4, 5 and 7 (`tasks/*.json.gz`), or of all in `DIR/results`
  of a checkout of LLMs-Planning (`--checkout`): right answers as published, under `strict` and
  under `official`, and every answer whose verdict differs from the published one, with the reason.
  Of tasks 4 and 6 the goal that was tested stands in the checkout's `prompts` only.
* `speed`: plans that :func:`eai.planning.validate` runs in a second of processor time.

`--show N` prints N of the answers that differ; `--sample N` draws N answers that are found valid
and were published as invalid, to be read by hand.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from eai.contract import PLANS
from eai.planning import validate
from eai.suites.pddl import Pddl, PddlTask
from eai.suites.pddl.planbench import PublishedFile, read_published
from eai.suites.pddl.plans import ANSWER_FIELDS

Item = dict[str, Any]


def lines(path: Path) -> Iterator[Item]:
    """Yield the objects of a packed file of JSON Lines."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def made_suite(folder: Path, facts: Path) -> Pddl:
    """Write the instances as one file of tasks and return its suite."""
    phrases = json.loads((facts / "phrases.json").read_text())
    domains = json.loads((facts / "domains.json").read_text())
    known = {name: phrases[key] for name in domains for key in phrases if name.startswith(key)}
    (folder / "domains.json").write_text(json.dumps(domains))
    (folder / "phrases.json").write_text(json.dumps(known))
    with (folder / "tasks.jsonl").open("w") as file:
        for each in lines(facts / "instances.jsonl.gz"):
            task = {key: each[key] for key in ("domain", "problem")}
            task["id"] = f"{each['domain']}/{each['instance']}"
            file.write(json.dumps(task) + "\n")
    return Pddl(str(folder / "tasks.jsonl"))


class Measured:
    """Evaluates the items of a suite."""

    def __init__(self, suite: Pddl) -> None:
        self.suite = suite
        self.task = lru_cache(maxsize=None)(suite.task)

    def result(self, item: Item, text: object, semantics: str) -> Any:  # noqa: ANN401
        """Evaluate one text."""
        task = self.task(f"{item['domain']}/{item['instance']}")
        written = (
            text
            if isinstance(text, str)
            else "\n".join(map(str, text if isinstance(text, list) else ()))
        )
        return self.suite.evaluate(PLANS, task, written, self.suite.semantics(semantics))

    def plans(self, facts: Path) -> None:
        """Compare verdicts on extracted plans."""
        listed = json.loads((facts / "disagreements.json").read_text())["others"]
        keys = ("domain", "model", "task", "instance")
        known = {tuple(each[key] for key in keys) for each in listed}
        for semantics in ("strict", "official"):
            equal = others = 0
            differing, begin = set(), time.process_time()
            for item in lines(facts / "plans.jsonl.gz"):
                mark = ANSWER_FIELDS["extracted_llm_plan"]
                found = self.result(item, mark + item["plan"], semantics)
                cost = item.get("cost_of_reference_plan")
                right = found.success and cost in (None, len(found.plan))
                equal += right == item["published"]
                if right != item["published"]:
                    others += 1
                    differing.add(tuple(item[key] for key in keys))
            seconds = time.process_time() - begin
            print(
                f"extracted plans, {semantics}: {equal} of {equal + others} equal, {others} others"
            )
            print(f"  of these {len(differing & known)} of {len(known)} listed; {seconds:.1f} s")
            if semantics == "strict":
                for each in sorted(differing - known, key=str):
                    print("  not listed:", *each)

    def answers(self, facts: Path, show: int, sample: int) -> None:
        """Compare verdicts on raw answers."""
        counts: Counter[tuple[str, bool]] = Counter()
        valid: list[tuple[Item, Any]] = []
        begin = time.process_time()
        for item in lines(facts / "responses.jsonl.gz"):
            found = self.result(item, item["answer"], "strict")
            kind = "in PDDL" if "pddl" in item["task"] else "in words"
            kind += " (logistics)" if kind == "in words" and item["domain"] == "logistics" else ""
            wanted = item["published"] or bool(item.get("plan_that_val_accepts"))
            counts[kind, found.success == wanted] += 1
            if found.success and not item["published"]:
                valid.append((item, found))
            elif found.success != wanted and show > 0:
                show -= 1
                print("-" * 60, *item.values(), found.plan, found.findings, sep="\n")
        for kind in sorted({kind for kind, _ in counts}):
            same, other = counts[kind, True], counts[kind, False]
            print(
                f"raw answers {kind}: {same} of {same + other}, {100 * same / (same + other):.2f} %"
            )
        print(
            f"found valid and published invalid: {len(valid)}; {time.process_time() - begin:.1f} s"
        )
        for item, found in random.Random(0).sample(valid, min(sample, len(valid))):  # noqa: S311
            print("=" * 60, item["domain"], item["instance"], item["answer"], found.plan, sep="\n")

    def problems(self) -> None:
        """Read every problem."""
        read = sum(isinstance(self.task(name), PddlTask) for name in self.suite.task_ids())
        print(f"problems read: {read} of {len(self.suite.task_ids())}")

    def speed(self, facts: Path) -> None:
        """Measure the validation of plans that were read."""
        prepared = []
        for item in lines(facts / "plans.jsonl.gz"):
            task = self.task(f"{item['domain']}/{item['instance']}")
            plan = self.suite.plans(self.suite.semantics("strict")).read(task, item["plan"])
            if not plan.findings:
                prepared.append((task.start.layout.domain, task.problem, plan.actions))
        begin = time.process_time()
        for domain, problem, actions in prepared:
            validate(domain, problem, actions)
        seconds = time.process_time() - begin
        print(f"validate: {len(prepared) / seconds:,.0f} plans a second of processor time")


_KEYS = ("llm_correct", "llm_correct_binary", "correct")
"""Where a published verdict stands."""


def tasks(folder: Path, facts: Path, checkout: Path | None, show: int) -> None:
    """Compare verdicts on published results of all tasks, file by file."""
    domains = json.loads((facts / "domains.json").read_text())
    files = sorted((facts / "tasks").glob("*.json.gz"))
    if checkout is not None:
        files = sorted((checkout / "results").rglob("task_*.json"))
    for file in files:
        published = read_published(file)
        if published is None:
            sys.exit(f"{file} is no file of PlanBench")
        name = published.domain.removesuffix("_3")
        home = folder / published.domain
        home.mkdir(exist_ok=True)
        (home / "domain.pddl").write_text(domains[name])
        asked = file if checkout is None else _asked(published, checkout, home)
        print(published.title, published.model)
        for semantics in ("strict", "official"):
            _compare(Pddl(f"{home}@asked={asked}"), published, semantics, show)


def _asked(published: PublishedFile, checkout: Path, home: Path) -> Path:
    """Return the file that says which goal was tested, and write the instances that say so."""
    if published.published.number.startswith("8"):
        size = "generated_basic_3" if published.domain.endswith("_3") else "generated_basic"
        for file in (checkout / "instances" / "blocksworld" / size).glob("*.pddl"):
            (home / file.name).write_text(file.read_text())
    prompts = checkout / "prompts" / published.domain / published.path.name
    has_goals = published.published.number in ("4", "6") and prompts.is_file()
    return prompts if has_goals else published.path


def _compare(suite: Pddl, published: PublishedFile, semantics: str, show: int) -> None:
    """Print how many verdicts of a file are the published ones, and which are not."""
    ability = next(iter(suite.abilities))
    meaning = suite.semantics(semantics)
    right = equal = 0
    others = []
    for query in published.queries():
        answer = str(query.instance.get("llm_raw_response") or "") or None
        found = suite.evaluate(ability, suite.task(query.name), answer, meaning)
        verdict = any(query.instance.get(key) for key in _KEYS)
        right += found.success
        equal += found.success == verdict
        if found.success != verdict:
            others.append((query.name, found))
    total = len(published.instances)
    wanted = sum(any(each.get(key) for key in _KEYS) for each in published.instances)
    print(f"  {semantics}: {right} right, published {wanted}; {equal} of {total} verdicts equal")
    for name, found in others[:show]:
        reason = [*(finding.message for finding in found.findings), *found.notes]
        print(f"    {name}: {'right' if found.success else 'wrong'}; {'; '.join(reason)}")


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--facts", default=os.environ.get("EAI_FACTS", ""))
    parser.add_argument(
        "--part", action="append", choices=("plans", "answers", "problems", "tasks", "speed")
    )
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--checkout", type=Path)
    given = parser.parse_args()
    facts = Path(given.facts) / "pddl_benchmarks" / "planbench"
    if not facts.is_dir():
        sys.exit(f"{facts} is not there: --facts names the folder that has it")
    with tempfile.TemporaryDirectory() as folder:
        measured = Measured(made_suite(Path(folder), facts))
        parts = given.part or ("problems", "plans", "answers", "tasks", "speed")
        if "problems" in parts:
            measured.problems()
        if "plans" in parts:
            measured.plans(facts)
        if "answers" in parts:
            measured.answers(facts, given.show, given.sample)
        if "tasks" in parts:
            tasks(Path(folder), facts, given.checkout, given.show)
        if "speed" in parts:
            measured.speed(facts)


if __name__ == "__main__":
    main()
