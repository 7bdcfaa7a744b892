"""Verdicts of the library against those of other tools, on random formulas and traces."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from logic_tools_cases import (
    ATOMS,
    FUTURE,
    MIXED,
    PAST,
    Operators,
    Recorded,
    by_lists,
    formula as some_formula,
    trace,
)
from logic_tools_client import Tool
from logic_tools_texts import text_for

from eai.logic import Formula, LogicVocabulary, evaluate, final, parse_formula, truth

__all__ = ["Counts", "check"]

_SECONDS = 2.0
_VOCABULARY = LogicVocabulary(dict.fromkeys(ATOMS, 0), {}, [])
_KINDS: tuple[tuple[str, Operators, frozenset[str]], ...] = (
    ("future", FUTURE, frozenset({"flloat", "ltlf2dfa", "rtamt"})),
    ("future", FUTURE, frozenset({"flloat", "ltlf2dfa", "rtamt"})),
    ("past", PAST, frozenset({"ltlf2dfa", "rtamt"})),
    ("mixed", MIXED, frozenset({"rtamt"})),
)
_STYLES = ("0.2", "0.5", "0.8", "slow", "event")


@dataclass
class Counts:
    """What was compared in one group of formulas.

    Args:
        pairs: Pairs of a formula and a trace that at least two tools evaluated.
        single: Pairs that one tool evaluated.
        positions: Verdicts of single tools at single positions.
        true: How many of the library's verdicts on pairs are true.
        evaluated: How many pairs each tool evaluated.
        silent: Why tools gave no verdict, and how often.
        wrong: Disagreements, written out.
    """

    pairs: int = 0
    single: int = 0
    positions: int = 0
    true: int = 0
    evaluated: Counter[str] = field(default_factory=Counter)
    silent: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


def check(tools: Sequence[Tool], *, pairs: int, seed: int, longest: int = 16) -> dict[str, Counts]:
    """Compare until so many pairs were evaluated by at least two tools.

    Args:
        tools: The tools; those that can evaluate a formula do.
        pairs: How many pairs.
        seed: Where the random choices begin.
        longest: Number of nodes of the longest formulas.
    """
    chance = random.Random(seed)  # noqa: S311 - not for secrets
    groups = {name: Counts() for name, _, _ in _KINDS}
    turn = 0
    while sum(counts.pairs for counts in groups.values()) < pairs:
        name, operators, able = _KINDS[turn % len(_KINDS)]
        turn += 1
        formula = some_formula(chance, chance.randint(1, longest), operators)
        states = trace(chance, chance.randint(1, 30), chance.choice(_STYLES))
        chosen = [tool for tool in tools if tool.name in able]
        _compare(formula, states, chosen, past=name == "past", counts=groups[name])
    return groups


def _compare(
    formula: Formula, states: list[list[str]], tools: Sequence[Tool], *, past: bool, counts: Counts
) -> None:
    ours = library(formula, states)
    found = {}
    for tool in tools:
        if tool.name == "rtamt" and len(states) == 1:
            counts.silent["rtamt: refuses traces of one position"] += 1
            continue
        tool.take(states)
        answer = tool.verdicts(formula, past=past, seconds=_SECONDS)
        if isinstance(answer, str):
            counts.silent[f"{tool.name}: {answer}"] += 1
        else:
            found[tool.name] = list(answer)
    counts.pairs += len(found) >= 2
    counts.single += len(found) == 1
    counts.positions += len(found) * len(states)
    counts.evaluated.update(found.keys())
    counts.true += ours[-1 if past else 0]
    found["definition"] = _definition(formula, states)
    found["eai, text"] = library(_read(formula), states)
    if any(other != ours for other in found.values()):
        counts.wrong.append(_written(formula, states, {"eai": ours, **found}))


def library(formula: Formula, states: list[list[str]]) -> list[bool]:
    """Return the library's truth values, and see that its ways of asking agree."""
    trajectory = Recorded(states)
    vector = truth(formula, trajectory)
    ours = [bool(vector >> place & 1) for place in range(len(states))]
    assert evaluate(formula, trajectory, reading="ltlf").holds == ours[0]  # noqa: S101 - a check
    assert final(formula, trajectory) == ours[-1]  # noqa: S101 - a check
    return ours


def _read(formula: Formula) -> Formula:
    """Let the library read what other tools are given to read."""
    text = text_for("ltlf2dfa", formula).replace(") P (", ") T (")
    return parse_formula(text, vocabulary=_VOCABULARY)


def _definition(formula: Formula, states: list[list[str]]) -> list[bool]:
    histories = {name: [name in state for state in states] for name in ATOMS}
    return by_lists(formula, histories, len(states))


def _written(formula: Formula, states: list[list[str]], verdicts: dict[str, list[bool]]) -> str:
    lines = [f"  {text_for('rtamt', formula)}", f"  {states}"]
    for name, values in verdicts.items():
        lines.append(f"  {name:12}{''.join('01'[value] for value in values)}")
    return "\n".join(lines)
