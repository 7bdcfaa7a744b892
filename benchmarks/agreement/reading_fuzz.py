"""Evaluate damaged answers, and answers amid talk, of all abilities under ``strict``, by hand.

    python benchmarks/agreement/reading_fuzz.py [--texts 100000] [--seed 0] [--part damaged,amid]

The answers are right ones in the shapes of ``tests/support``. A damaged one gets pieces of other
answers, marks, words and long runs put in, or loses some; it must be evaluated without an
exception, twice with the same result, in at most 1 s of CPU time. One amid talk has paragraphs
before and behind it that hold no word of the task and none that decides, and must be judged as
without them; so must one with a wrong content. What fails is printed; the exit status is 1 then.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "support"))

import answer_operators
import answer_subgoals
import reading
import reading_abilities
from answer_shapes import (
    GOAL_SHAPES,
    IN_WORDS,
    NEGATIVES,
    OPERATOR_SHAPES,
    SHAPES,
    SUBGOAL_SHAPES,
    Goals,
)

from eai.contract import Suite
from eai.task import Task

Content = TypeVar("Content")
SLOW = 1.0
"""CPU seconds beyond which an answer counts as slow."""
LONGEST = 20_000
"""Maximum number of characters of an answer before it is damaged."""
PIECES = [
    *"[]{}()\"'`|#-\n\t,;:.<>=/\\~*_!?&",
    "```json\n", "```\n", "~~", "<answer>", "</answer>", "<plan>", "</step>", "<think>", "</think>",
    "not ", "and ", " or ", " then ", "1. ", "12) ", "- ", "Step 3: ", "## Phase 2\n", "| - |\n",
    "Final answer:\n", "Draft:\n", "Wait, ", "instead of ", "Remove step 2.\n", "Option B:\n",
    "Current state: ", "\x00", "\u2028", "\u202a", "\u00e9", "\ud800", "\uff08", "\u2192", "\\n",
    "\\land ", "null", "NaN", "1e999", "0", "-1", "forall x. (", "exists x. (", "(:action a ",
    ":effect (and ", "?x - object ", "for x in y:\n", "if not ", "print(", "x = 'a'\n", "&lt;",
]  # fmt: skip
TALK = [
    "hello", "sure", "thanks", "regards", "enjoy", "weather", "people", "often", "wonder", "why",
    "such", "things", "matter", "music", "rivers", "and", "mountains", "seem", "calm", "today",
    "because", "nobody", "waits", "any", "longer", "for", "rain", "we", "have", "thought", "about",
    "it", "everything", "seems", "fine", "42", "3.5", "%", "ok",
]  # fmt: skip
FRAMES = ["{}", "{}.", "{}!", "**{}**", "## {}", "> {}", "{}:", "_{}_", "`{}`"]


@dataclass
class Answer:
    """A right answer in one shape."""

    suite: Suite
    ability: str
    task: Task
    text: str
    is_right: bool = True

    def outcome(self, text: str) -> object:
        """Return what the result of another text for the task says about it."""
        semantics = self.suite.semantics("strict")
        result = self.suite.evaluate(self.ability, self.task, text, semantics)
        matches = tuple((match.kind, match.tp, match.fp, match.fn) for match in result.matches)
        kinds = tuple((finding.kind, finding.step) for finding in result.findings)
        return result.status, result.success, result.plan, result.outcome, matches, kinds


def main() -> None:
    """Evaluate the texts of the parts that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--texts", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--part", default=",".join(PARTS))
    parser.add_argument("--suites", default=reading.SUITES)
    parser.add_argument("--tasks", type=int, default=2)
    options = parser.parse_args()
    answers = list(_plans(options)) + list(_others(options))
    groups: dict[tuple[str, str], list[Answer]] = {}
    for answer in answers:
        groups.setdefault((answer.suite.name, answer.ability), []).append(answer)
    is_bad = False
    for part in options.part.split(","):
        for (suite, ability), group in groups.items():
            dice = random.Random(f"{options.seed} {part} {suite} {ability}")  # noqa: S311
            failed = PARTS[part](dice, group, answers, options.texts // len(groups))
            is_bad = is_bad or failed
    sys.exit(is_bad)


# The answers


def _plans(options: argparse.Namespace) -> Iterator[Answer]:
    """Yield right plans in all shapes, and texts that hold one without giving it."""
    for cases in reading.cases_of(options).values():
        for case in cases:
            for name, shape in {**SHAPES, **NEGATIVES}.items():
                if name in IN_WORDS and not case.suite.name.startswith("eb-"):
                    continue
                text = shape(case.steps)
                is_right = name in SHAPES
                yield Answer(case.suite, reading.PLANNING, case.task, text, is_right)


def _others(options: argparse.Namespace) -> Iterator[Answer]:
    """Yield right goals, subgoals and operators in all shapes."""
    names = {*options.suites.split(",")}
    own = reading_abilities
    for suite in sorted(names & {"household", "virtualhome"}):
        goals = own.usable(suite, "goal_interpretation", options.tasks, own.goals_of, Goals.plain)
        yield from _in_shapes(goals, GOAL_SHAPES)
    for suite in sorted(names & {"virtualhome", "behavior"}):
        ability, plain = "subgoal_decomposition", answer_subgoals.plain
        subgoals = own.usable(suite, ability, options.tasks, own.subgoals_of, plain)
        yield from _in_shapes(subgoals, SUBGOAL_SHAPES)
        ability, plain_operators = "transition_modeling", answer_operators.plain
        operators = own.usable(suite, ability, options.tasks, own.operators_of, plain_operators)
        yield from _in_shapes(operators, OPERATOR_SHAPES)


def _in_shapes(
    answers: Sequence[reading_abilities.Answer[Content]],
    shapes: Mapping[str, Callable[[Content], str]],
) -> Iterator[Answer]:
    """Yield answers in shapes; another content of each in every third of them."""
    for answer in answers:
        for number, shape in enumerate(shapes.values()):
            content = answer.other if number % 3 == 2 else answer.content
            yield Answer(answer.suite, answer.ability, answer.task, shape(content))


# What is done with them


def evaluate_damaged(
    dice: random.Random, group: Sequence[Answer], others: Sequence[Answer], count: int
) -> bool:
    """Evaluate damaged answers; return whether one failed."""
    seconds = []
    failures: Counter[str] = Counter()
    for _ in range(count):
        answer = dice.choice(group)
        text = _damaged(dice, answer.text, others)
        begun = time.process_time()
        try:
            first = answer.outcome(text)
            seconds.append(time.process_time() - begun)
            failure = "" if answer.outcome(text) == first else "two results"
        except Exception as error:  # noqa: BLE001 - this is what is looked for
            failure = repr(error)[:200]
        if not failure and seconds[-1] > SLOW:
            failure = f"{seconds[-1]:.2f} s"
        if failure:
            failures[failure.partition("(")[0]] += 1
            print(f"--- {answer.suite.name} {answer.task.id}: {failure}\n{text[:3_000]!r}")
    seconds.sort()
    middle, longest = seconds[len(seconds) // 2], seconds[-1]
    print(
        f"damaged: {group[0].suite.name}, {group[0].ability}: {count:,} texts,"
        f" {failures.total()} failed, CPU s median {middle:.4f}, longest {longest:.2f}",
        flush=True,
    )
    return failures.total() > 0


def _damaged(dice: random.Random, text: str, others: Sequence[Answer]) -> str:
    """Return an answer with pieces put in or left out."""
    text = text[:LONGEST]
    for _ in range(dice.randrange(1, 8)):
        begin = dice.randrange(len(text) + 1)
        end = min(begin + int(dice.expovariate(1 / 30)), len(text))
        kind = dice.randrange(4)
        if kind == 0:
            (times,) = dice.choices([1, 3, 40, 400], [60, 15, 3, 1])
            text = text[:begin] + dice.choice(PIECES) * times + text[begin:]
        elif kind == 1:
            text = text[:begin] + text[end:]
        elif kind == 2:
            text = text[:begin] + text[begin:end] * 2 + text[end:]
        else:
            other = dice.choice(others).text
            start = dice.randrange(len(other) + 1)
            text = text[:begin] + other[start : start + dice.randrange(300)] + text[begin:]
    return text


def evaluate_amid_talk(
    dice: random.Random, group: Sequence[Answer], _: Sequence[Answer], count: int
) -> bool:
    """Evaluate answers amid paragraphs that say nothing; return whether a verdict changed."""
    changed = 0
    # Text behind an answer that breaks off goes on with it.
    right = [answer for answer in group if answer.is_right]
    for _number in range(count):
        answer = dice.choice(right)
        before, behind = _talk(dice), _talk(dice)
        text = f"{before}\n\n{answer.text}\n\n{behind}"
        if answer.outcome(text) == answer.outcome(answer.text):
            continue
        changed += 1
        print(f"--- {answer.suite.name} {answer.task.id}: another verdict\n{text[:3_000]!r}")
    print(
        f"amid talk: {group[0].suite.name}, {group[0].ability}: {count:,} texts, {changed} changed",
        flush=True,
    )
    return changed > 0


def _talk(dice: random.Random) -> str:
    """Return up to three paragraphs without a word of a task."""
    paragraphs = []
    for _ in range(dice.randrange(4)):
        words = " ".join(dice.choices(TALK, k=dice.randrange(1, 12)))
        paragraphs.append(dice.choice(FRAMES).format(words))
    return "\n".join(paragraphs)


PARTS = {"damaged": evaluate_damaged, "amid": evaluate_amid_talk}


if __name__ == "__main__":
    main()
