"""Pairs of formulas as they were compared before, formulas as they were explained at positions.

Run as a script, it does all of it anew.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, get_args

from causes_worlds import NAMES
from recorded_cases import read_cases, renew_cases
from recorded_formulas import TYPED, damaged, text_of, trajectory_of

from eai.errors import EaiError, LimitError, ParseError
from eai.logic import (
    Comparison,
    LogicVocabulary,
    Traces,
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
    return f"({inner}) {random.choice((*BINARY, 'S', 'T') if past else BINARY)} ({other})"


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


def least_limit(ask: Callable[..., Comparison]) -> int | None:
    """Return the smallest limit of states with which there is an answer; None beyond 64."""
    for limit in range(1, 65):
        try:
            ask(limit=limit)
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
    for traces in get_args(Traces):
        options = {"objects": OBJECTS, "traces": traces}
        answers += [
            answered(partial(equivalent, left, right, **options)),
            answered(partial(entails, left, right, **options)),
            answered(partial(satisfiable, left, **options)),
            answered(partial(valid, right, **options)),
        ]
        if not past:
            answers.append(least_limit(partial(satisfiable, left, **options)))
    return answers


def explained(random: Random) -> list[Any]:
    """Return a formula, and why it has its value on a trajectory and at positions of it."""
    text = text_of(random, random.choice((1, 2, 3)))
    formula = parse_formula(text, vocabulary=NAMES)
    trajectory, plan = trajectory_of(random, random.choice((0, 1, 2, 3, 4, 5, 6, 6)))
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


def read_or_refused(text: str, vocabulary: LogicVocabulary) -> Any:
    """Return a formula in our notation, or where reading ends and what was expected there."""
    try:
        return format_formula(parse_formula(text, vocabulary=vocabulary))
    except ParseError as error:
        place = [error.position, error.line, error.column]
        return [place, told(error.what), error.expected, told(error.mend or "")]


def refused(random: Random) -> list[Any]:
    """Return a damaged text, where reading ends, what was expected, and what is wrong in it."""
    text = text_of(random, random.choice((1, 2)))
    for _ in range(random.randint(1, 3)):
        text = damaged(random, text or "()")
    try:
        problems = [
            [each.kind, each.name, list(each.suggestions), told(each.message), each.position]
            for each in check_formula(text, TYPED)
        ]
    except ParseError as error:
        problems = [[error.position]]
    return [text, read_or_refused(text, NAMES), read_or_refused(text, TYPED), problems]


KINDS: dict[str, Callable[[Random], list[Any]]] = {
    "compared": compared,
    "explained": explained,
    "refused": refused,
}


def result_of(kind: str, number: int) -> list[Any]:
    """Return what is found out about a random formula, as it is kept."""
    kept: list[Any] = json.loads(json.dumps(KINDS[kind](Random(f"{kind} {number}"))))
    return kept


def recorded(kind: str) -> list[tuple[int, list[Any]]]:
    """Return the numbers of formulas of a kind, each with its result."""
    return read_cases(FOLDER / f"{kind}.jsonl")


if __name__ == "__main__":
    for each in KINDS:
        renew_cases(FOLDER / f"{each}.jsonl", partial(result_of, each))
