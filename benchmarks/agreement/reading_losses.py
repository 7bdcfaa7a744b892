"""Count real answers that ``official`` reads and ``strict`` does not, by hand.

    python benchmarks/agreement/reading_losses.py --facts DIR [--show 5] [--sample 1]
        [--abilities transition_modeling,...]

`DIR` has `model_outputs/SUITE/ABILITY/MODEL.json.gz`: answers of models. An answer is lost if it is
read under `official`, and under `strict` a finding says that it, or something in it, was not. Of
operators it is lost as well, and in silence, if one of them is not there and nothing says why.
Losses are counted by the first words of the finding, and `--show` prints so many of each kind. The
exit status is 1 if anything is lost in silence.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import eai
from eai.answers import squeezed
from eai.contract import Suite
from eai.diagnosis import ErrorKind, Finding
from eai.suites.transition.environment import environment
from eai.suites.transition.written import read_answer

SUITES = ("virtualhome", "behavior")
OPERATORS = "transition_modeling"
SILENT = "nothing says why"


def main() -> None:
    """Print the losses of each suite and ability, by kind."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--facts", type=Path, required=True)
    parser.add_argument("--abilities", default=OPERATORS)
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--sample", type=int, default=1, help="every so many answers")
    options = parser.parse_args()
    is_silent = False
    for name in SUITES:
        for ability in options.abilities.split(","):
            suite = eai.suite(name)
            read = 0
            kinds: Counter[str] = Counter()
            answers = list(_answers(options.facts / "model_outputs" / name / ability, suite))
            for task_id, answer in answers[:: options.sample]:
                loss = _loss(suite, ability, task_id, answer)
                read += loss is not None
                if not loss:
                    continue
                kind = _kind(loss)
                kinds[kind] += 1
                if kinds[kind] <= options.show:
                    print(f"--- {loss}\n{answer}\n")
            lost = sum(kinds.values())
            print(f"{name}, {ability}: official reads {read:,} answers, strict loses {lost:,}")
            for kind, count in kinds.most_common():
                print(f"    {count:5,}  {kind}")
            is_silent = is_silent or SILENT in kinds
    sys.exit(is_silent)


def _answers(folder: Path, suite: Suite) -> Iterator[tuple[str, str]]:
    """Yield the answers of all models to the tasks of a suite, each with its task."""
    tasks = set(suite.task_ids())
    for path in sorted(folder.glob("*.json.gz")):
        items = json.loads(gzip.decompress(path.read_bytes()))
        if isinstance(items, dict):  # answers that were parsed already, by their task
            told = {task_id: json.dumps(answer) for task_id, answer in items.items()}
            items = [{"identifier": name, "llm_output": text} for name, text in told.items()]
        for item in items:
            task_id = item["identifier"]
            if task_id not in tasks:
                task_id = task_id.removeprefix("scene_1_")
            if task_id in tasks and isinstance(item["llm_output"], str):
                yield task_id, item["llm_output"]


def _loss(suite: Suite, ability: str, task_id: str, answer: str) -> str | None:
    """Return what is lost under ``strict``, empty if nothing is; None if ``official`` fails."""
    if ability == OPERATORS:
        return _loss_of_operators(suite, answer)
    task = suite.task(task_id)
    published = suite.evaluate(ability, task, answer, suite.semantics("official"))
    if published.status != "evaluated" or _unread(published.findings):
        return None
    return _unread(suite.evaluate(ability, task, answer, suite.semantics("strict")).findings)


def _loss_of_operators(suite: Suite, answer: str) -> str | None:
    """Return what is lost of operators, without searching a plan with them."""
    operators = environment(suite.name)
    published = read_answer(operators, answer, suite.semantics("official"))
    if published is None or not published.names:
        return None
    found = read_answer(operators, answer, suite.semantics("strict"))
    if found is None:
        return SILENT
    unread = _unread(found.findings)
    if unread:
        return unread
    names = {squeezed(name) for name in found.names}
    return "" if names >= {squeezed(name) for name in published.names} else SILENT


def _unread(findings: tuple[Finding, ...]) -> str:
    """Return the first finding that says that something was not read; empty if none does."""
    texts = (finding.text for finding in findings if finding.kind is ErrorKind.PARSING)
    return next(texts, "")


def _kind(text: str) -> str:
    """Return the text of a finding without its places and names."""
    plain = re.sub(r"line \d+: |action [\w-]+[:,]? ?|'[^']*'|\S*\d\S*", "", text)
    return " ".join(plain.split()[:8])


if __name__ == "__main__":
    main()
