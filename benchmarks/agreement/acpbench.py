"""How far answers to ACPBench's questions, found by the engine, agree with the published ones.

    python benchmarks/agreement/acpbench.py [--facts DIR] [--kind KIND ...]

`DIR` (by default `EAI_FACTS`) holds `pddl_benchmarks/acpbench/dev.jsonl.gz`, which does not ship
with the package. Of each kind: how many published answers are found right, wrong, or not decided
within the budget (of landmarks, facts and actions: of all that were published; of next actions
also the length of a shortest plan, `opt`), and the time; at the end the published answers that
differ.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from eai.logic import And, Atom, Not
from eai.pddl import parse_domain, parse_problem
from eai.planning import plan
from eai.suites.pddl import questions
from eai.suites.pddl.kinds import PUBLISHED
from eai.suites.pddl.tasks import Annotations, made_task


def removals(answer: Any, question: questions.Question) -> Iterator[str]:  # noqa: ANN401
    """Yield the plans that the published removals leave."""
    steps = [f"({' '.join((each.name, *each.arguments))})" for each in question.steps]
    works = questions.KINDS["justification"][1]
    for parts in answer:
        gone = [part.lower() for part in parts if part.startswith("(")]
        left = [
            " ".join(steps[:at] + steps[at + len(gone) :])
            for at in range(len(steps) - len(gone) + 1)
            if steps[at : at + len(gone)] == gone
        ]
        # What is removed may stand in several places, of which not all will do.
        yield next((each for each in left if works(question, each)), left[0] if left else "")


def texts(kind: str, answer: Any, question: questions.Question) -> Iterator[tuple[str, str, bool]]:  # noqa: ANN401
    """Yield what is counted, an answer, and whether it should be found right."""
    if kind == "prog":
        yield "equal", f"[{' '.join(answer['pos'])}] [{' '.join(answer['neg'])}]", True
    elif kind in ("app", "val"):
        yield "equal", str(answer) if kind == "val" else " ".join(answer) or "None", True
    elif kind == "just":
        yield from (("removal", each, True) for each in removals(answer, question))
    elif kind in ("reach", "areach"):
        yield from (("never", each, True) for each in answer)
    elif kind == "land":
        yield from (("yes", each, True) for each in answer["yes"])
        yield from (("no", each, False) for each in answer["no"])
    else:
        yield from (("yes", each, True) for each in answer["yes"])
        yield "opt", str(answer["opt"]), True


def verdict_of(said: object) -> bool | None:
    """What was said of an answer."""
    return None if said is None else bool(said)


def at_the_end(question: questions.Question, text: str) -> str:
    """Say whether a fact that every plan reaches may be reached by its last step only."""
    fact = Atom(text.strip("()").split()[0], tuple(text.strip("()").split()[1:]))
    start = question.task.start.layout.domain
    operators = {
        name: replace(each, precondition=And((each.precondition, Not(fact))))
        for name, each in start.operators.items()
    }
    constants = {**start.constants, **question.task.problem.objects}
    domain = replace(start, operators=operators, constants=constants)
    found = plan(domain, replace(question.task.problem, objects={}), budget=question.budget)
    return "may hold in the last state only" if found.solved else "holds before the last state"


def main() -> None:
    """Print a line for each kind."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--facts", default=os.environ.get("EAI_FACTS", ""))
    parser.add_argument("--kind", action="append", choices=[*PUBLISHED])
    parser.add_argument("--limit", type=int, default=10_000)
    given = parser.parse_args()
    path = Path(given.facts) / "pddl_benchmarks" / "acpbench" / "dev.jsonl.gz"
    if not path.is_file():
        sys.exit(f"{path} is not there: --facts names the folder that has it")
    with gzip.open(path, "rt", encoding="utf-8") as file:
        items = [json.loads(line) for line in file]
    others: list[tuple[str, ...]] = []
    for kind in given.kind or PUBLISHED:
        counts: Counter[str] = Counter()
        begin = time.process_time()
        for item in [each for each in items if each["kind"] == kind][: given.limit]:
            domain = parse_domain(item["PDDL_domain"])
            problem = parse_problem(item["PDDL_problem"], domain=domain, named=False)
            asked = {"kind": kind, "question": item["question"], "answer": item["answer"]}
            annotations = Annotations(extra=asked)
            task = made_task(domain, problem, name=str(item["id"]), annotations=annotations)
            name = PUBLISHED[kind]
            question = questions.question_of(task, name)
            if question is None:
                sys.exit(f"the question {item['id']} is of no known kind")
            counts["questions"] += 1
            for what, text, right in texts(kind, item["answer"], question):
                if what == "opt":
                    length = replace(question).distance()
                    found = None if length is None else length == float(text)
                else:
                    found = verdict_of(questions.KINDS[name][1](replace(question), text))
                verdict = "not decided" if found is None else "equal" if found == right else "OTHER"
                counts[f"{what}: {verdict}"] += 1
                if verdict == "OTHER":
                    more = at_the_end(question, text) if kind == "land" else ""
                    counts[more] += bool(more)
                    others.append((kind, str(item["id"]), domain.name, what, text, more))
        seconds = time.process_time() - begin
        print(kind, dict(sorted((+counts).items())), f"{seconds:.1f} s", flush=True)
    print("Published answers that differ: kind, question, domain, published as, answer")
    for row in others:
        print("  ", *row)


if __name__ == "__main__":
    main()
