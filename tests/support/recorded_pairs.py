"""Pairs of domains and of problems as they were compared before.

Run as a script, it compares all of them anew.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from recorded_cases import read_cases, renew_cases
from recorded_searches import made

from eai.errors import EaiError
from eai.pddl import format_domain, format_problem, parse_domain, parse_problem
from eai.planning import PddlDifference, equivalent_domains, equivalent_problems

__all__ = ["KINDS", "recorded", "result_of"]

FOLDER = Path(__file__).parents[1] / "fixtures" / "pairs"

PART = re.compile(r"\([^()]*\)")
NAME = re.compile(r"(?<![\w:-])[a-z][\w-]*|\?\w+")
WORDS = {"define", "domain", "problem", "and", "or", "not", "imply", "exists", "forall", "when"}
WORDS |= {"increase", "total-cost", "minimize", "object"}


def told(text: str) -> list[str]:
    """Return the terms, names in brackets and numbers that a text tells, without its words."""
    return re.findall(r"\([^()]*\)|'[^']*'|\d+", text)


def altered(random: Random, text: str) -> str:
    """Return a PDDL text with a name, a part or a sign changed."""
    kind = random.choice(("name", "name", "part", "part", "not", "swap", "double"))
    names = sorted(set(NAME.findall(text)) - WORDS)
    if kind == "name":
        old, new = random.sample(names, 2)
        if random.random() < 0.6:
            new = f"{old}_{random.choice('xyz')}"
        pattern = re.compile(rf"(?<![\w?-]){re.escape(old)}(?![\w-])")
        return pattern.sub(new, text, count=0 if random.random() < 0.7 else 1)
    parts = list(PART.finditer(text))
    part = random.choice(parts)
    if kind == "swap":
        # Two parts change places: often facts of the start, or conditions.
        other = random.choice(parts)
        first, second = sorted((part, other), key=lambda match: match.start())
        between = text[first.end() : second.start()]
        if first == second:
            return text
        return text[: first.start()] + second[0] + between + first[0] + text[second.end() :]
    new_text = {"part": "", "not": f"(not {part[0]})", "double": f"{part[0]} {part[0]}"}[kind]
    return text[: part.start()] + new_text + text[part.end() :]


def altered_whole(random: Random, text: str, parse: Callable[[str], object]) -> str:
    """Return a PDDL text with some changes after each of which it can be read."""
    for _ in range(random.randint(1, 3)):
        for _ in range(8):
            changed = altered(random, text)
            try:
                parse(changed)
            except EaiError:
                continue
            text = changed
            break
    return text


def _differences(differences: tuple[PddlDifference, ...]) -> list[Any]:
    """Return differences as they are kept."""
    return [[each.kind, each.text, each.missing] for each in differences]


def domains(random: Random) -> list[Any]:
    """Return how a random domain compares with an altered one, with the plan that shows it."""
    first, problem = made(random.randrange(10**6))
    second = parse_domain(altered_whole(random, format_domain(first), parse_domain))
    try:
        problems = [problem] if random.random() < 0.5 else []
        found = equivalent_domains(first, second, problems, states=random.choice((3, 40)))
    except EaiError as error:
        return [type(error).__name__]
    result: list[Any] = [found.verdict, found.is_made, _differences(found.differences)]
    result += [
        found.names.is_proof,
        found.names.renamed(),
        found.names.reordered(),
        told(str(found)),
    ]
    if found.witness is not None:
        plan = [step.in_pddl for step in found.witness.plan]
        result += [plan, found.witness.works_in, format_problem(found.witness.problem)]
    return result


def problems(random: Random) -> list[Any]:
    """Return how a random problem compares with an altered one, with the plan that shows it."""
    domain, first = made(random.randrange(10**6))
    parse = partial(parse_problem, domain=domain)
    second = parse(altered_whole(random, format_problem(first), parse))
    try:
        states, is_joint = random.choice((3, 40)), random.random() < 0.6
        found = equivalent_problems(domain, first, second, states=states, is_joint=is_joint)
    except EaiError as error:
        return [type(error).__name__]
    plan = None if found.plan is None else [step.in_pddl for step in found.plan]
    differences = _differences(found.differences)
    return [found.verdict, plan, dict(found.renaming), differences, told(str(found))]


KINDS: dict[str, Callable[[Random], list[Any]]] = {"domains": domains, "problems": problems}


def result_of(kind: str, number: int) -> list[Any]:
    """Return what is found out about a random pair, as it is kept."""
    kept: list[Any] = json.loads(json.dumps(KINDS[kind](Random(f"{kind} {number}")), default=list))
    return kept


def recorded(kind: str) -> list[tuple[int, list[Any]]]:
    """Return the numbers of pairs of a kind, each with its result."""
    return read_cases(FOLDER / f"{kind}.jsonl")


if __name__ == "__main__":
    for each in KINDS:
        renew_cases(FOLDER / f"{each}.jsonl", partial(result_of, each))
