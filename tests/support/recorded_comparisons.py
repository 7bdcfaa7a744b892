"""Pairs of formulas as they were compared before, formulas as they were explained at positions.

Run as a script, it does all of it anew.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from causes_worlds import NAMES
from recorded_formulas import TYPED, damaged, text_of, trajectory_of

from eai.errors import EaiError, LimitError, ParseError
from eai.logic import (
    Comparison,
    Formula,
    check_formula,
    entails,
    equivalent,
    explain,
    format_formula,
    parse_formula,
    satisfiable,
    valid,
)

__all__ = ["KINDS", "recorded", "result_of"]

FOLDER = Path(__file__).parents[1] / "fixtures" / "comparisons"
NUMBER = {"compared": 160, "explained": 200, "refused": 300}
"""So many are recorded of each kind."""

OBJECTS = {"box": "thing", "can": "thing", "robot": "robot"}
ATOMS = ("lit()", "aired()", "wet(box)", "look()", "paint(can)", "not lit()", "true", "false")
QUANTIFIED = ("forall x - thing. (wet(x))", "exists x - thing. (paint(x))", "exists x. (wet(x))")
UNARY = ("not", "X", "WX", "F", "G", "F G", "G F")
PAST = ("Y", "WY", "O", "H")
BINARY = ("and", "or", "->", "<->", "xor", "U", "R", "W", "M")


def condition(random: Random, depth: int, *, past: bool) -> str:
    """Return a random formula of linear temporal logic."""
    if depth == 0 or random.random() < 0.1:
        return random.choice(ATOMS + QUANTIFIED)
    inner = condition(random, depth - 1, past=past)
    if random.random() < 0.4:
        return f"{random.choice(UNARY + PAST if past else UNARY)} ({inner})"
    other = condition(random, random.randrange(depth), past=past)
    return f"({inner}) {random.choice(BINARY + ('S', 'T') if past else BINARY)} ({other})"


def told(text: str) -> list[str]:
    """Return the formulas, names and numbers that a text tells, in order, without its words."""
    return re.findall(r"'[^']*'|[\w-]+\([^)]*\)|\d+", text)


def answered(ask: Callable[[], Comparison]) -> list[Any]:
    """Return an answer with its trajectory, or the kind of the error."""
    try:
        answer = ask()
    except EaiError as error:
        return [type(error).__name__]
    word = [sorted(map(format_formula, letter)) for letter in answer.word or ()]
    return [answer.holds, word, list(answer.verdicts), answer.loop, told(str(answer))]


def least_limit(ask: Callable[[int], Comparison]) -> int | None:
    """Return the smallest limit of states with which there is an answer; None beyond 64."""
    for limit in range(1, 65):
        try:
            ask(limit)
        except LimitError:
            continue
        return limit
    return None


def compared(random: Random) -> list[Any]:
    """Return two formulas, and how they compare on finite and on infinite trajectories."""
    past = random.random() < 0.2
    first = condition(random, random.choice((1, 2, 2, 3)), past=past)
    second = condition(random, random.choice((1, 2)), past=past)
    if random.random() < 0.3:
        # The same in other words, or nearly so.
        second = f"not ({random.choice(('', 'X '))}({first} and {random.choice(ATOMS)}))"
    left, right = parse_formula(first), parse_formula(second)
    answers: list[Any] = [first, second]
    for traces in ("finite", "infinite"):
        answers += [
            answered(lambda: equivalent(left, right, objects=OBJECTS, traces=traces)),
            answered(lambda: entails(left, right, objects=OBJECTS, traces=traces)),
            answered(lambda: satisfiable(left, objects=OBJECTS, traces=traces)),
            answered(lambda: valid(right, objects=OBJECTS, traces=traces)),
        ]
        if not past:
            answers.append(
                least_limit(
                    lambda limit: satisfiable(left, objects=OBJECTS, limit=limit, traces=traces)
                )
            )
    return answers


def explained(random: Random) -> list[Any]:
    """Return a formula, and why it has its value on a trajectory and at positions of it."""
    text = text_of(random, random.choice((1, 2, 3)))
    formula = parse_formula(text, vocabulary=NAMES)
    trajectory, plan = trajectory_of(random, random.randint(1, 6))
    numbers = sorted(random.sample(range(1, 20), len(plan)))
    answers: list[Any] = [text]
    for at in (None, 0, -1, random.randrange(trajectory.length)):
        why = explain(formula, trajectory, plan=plan, numbers=numbers, at=at)
        answers.append(
            [
                *(why.holds, at, why.at, format_formula(why.part), why.position, why.step),
                *(str(why.action), list(map(list, why.binding)), why.link, list(why.reached)),
                *(why.fails_at, why.others, [*map(format_formula, why.missing)], told(why.text)),
                [
                    [format_formula(fact.atom), fact.position, fact.holds]
                    for fact in why.blamed[:12]
                ],
            ]
        )
    return answers


def refused(random: Random) -> list[Any]:
    """Return a damaged text, where reading ends, what was expected, and what is wrong in it."""
    text = text_of(random, random.choice((1, 2)))
    for _ in range(random.randint(1, 3)):
        text = damaged(random, text or "()")
    answers: list[Any] = [text]
    for vocabulary in (NAMES, TYPED):
        try:
            formula: Formula | None = parse_formula(text, vocabulary=vocabulary)
            answers.append(format_formula(formula))
        except ParseError as error:
            formula = None
            place = [error.position, error.line, error.column]
            answers.append([place, told(error.what), error.expected, told(error.mend or "")])
    if formula is not None:
        text = format_formula(formula)
    try:
        problems = [
            [each.kind, each.name, list(each.suggestions), told(each.message), each.position]
            for each in check_formula(text, TYPED)
        ]
    except ParseError as error:
        problems = [[error.position]]
    return [*answers, problems]


KINDS: dict[str, Callable[[Random], list[Any]]] = {
    "compared": compared,
    "explained": explained,
    "refused": refused,
}


def result_of(kind: str, number: int) -> list[Any]:
    """Return what is found out about a random formula, as it is kept."""
    kept: list[Any] = json.loads(json.dumps(KINDS[kind](Random(f"{kind} {number}"))))
    return kept


def recorded(kind: str) -> list[list[Any]]:
    """Return the results of a kind by number."""
    lines = (FOLDER / f"{kind}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for kind, number in NUMBER.items():
        rows = [json.dumps(result_of(kind, each), separators=(",", ":")) for each in range(number)]
        (FOLDER / f"{kind}.jsonl").write_text("\n".join(rows) + "\n", "utf-8")
