"""Verdicts of other tools on linear temporal logic."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from list_trajectory import Fact, ListTrajectory
from needs import facts, recordings

from eai.logic import (
    FALSE,
    TRUE,
    Always,
    And,
    Atom,
    Equal,
    Evaluation,
    Eventually,
    Exists,
    Forall,
    Formula,
    Historically,
    Iff,
    Implies,
    Monitor,
    Next,
    Not,
    Once,
    Or,
    Previous,
    Release,
    Since,
    StrongRelease,
    Trigger,
    Until,
    Variable,
    WeakNext,
    WeakPrevious,
    WeakUntil,
    Xor,
    format_formula,
    parse_formula,
)

_FOLDER = facts("logic", "corpus")

pytestmark = recordings("logic", "corpus")

Tree = Any
_KINDS: dict[str, Callable[..., Formula]] = {
    "not": Not,
    "implies": Implies,
    "iff": Iff,
    "xor": Xor,
    "snext": Next,
    "wnext": WeakNext,
    "eventually": Eventually,
    "always": Always,
    "until": Until,
    "release": Release,
    "wuntil": WeakUntil,
    "srelease": StrongRelease,
    "sprev": Previous,
    "wprev": WeakPrevious,
    "once": Once,
    "historically": Historically,
    "since": Since,
    "trigger": Trigger,
    "and": lambda *parts: And(parts),
    "or": lambda *parts: Or(parts),
}


def _nested(text: str) -> Tree:
    stack: list[list[Tree]] = [[]]
    for token in re.findall(r"[()]|[^\s()]+", text):
        if token == "(":
            stack.append([])
        elif token == ")":
            inner = stack.pop()
            stack[-1].append(inner)
        else:
            stack[-1].append(token)
    return stack[0][0]


def _built(tree: Tree, bound: dict[str, Variable]) -> Formula:
    if isinstance(tree, str):
        return {"true": TRUE, "false": FALSE}.get(tree) or Atom(tree)
    head, *parts = tree
    if head == "atom":
        return Atom(parts[0], tuple(bound.get(name, name) for name in parts[1:]))
    if head == "eq":
        return Equal(*(bound.get(name, name) for name in parts))
    if head.startswith(("forall", "exists")):
        variable = Variable(parts[0])
        body = _built(parts[1], {**bound, parts[0]: variable})
        if head.endswith("-seen"):
            seen = Once(Atom("seen", (variable,)))
            body = Implies(seen, body) if head == "forall-seen" else And((seen, body))
        return (Forall if head.startswith("forall") else Exists)((variable,), body)
    return _KINDS[head](*(_built(part, bound) for part in parts))


def _cases(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (_FOLDER / name).read_text("utf-8").splitlines()]


def _trace(states: list[str]) -> ListTrajectory:
    return ListTrajectory([], [[(name,) for name in state.split()] for state in states])


def test_every_verdict_on_linear_temporal_logic() -> None:
    cases = _cases("ltlf_prop.jsonl")
    wrong = []
    for case in cases:
        formula = _built(_nested(case["tree"]), {})
        trace, place = _trace(case["trace"]), case["pos"]
        verdicts = {bool(Evaluation(trace).truth(formula) >> place & 1)}
        if place == 0:
            verdicts |= {_watched(formula, trace)}
        if verdicts != {case["expect"]}:
            wrong.append(case["id"])
    assert cases
    assert not wrong


def _watched(formula: Formula, trace: ListTrajectory) -> bool:
    monitor = Monitor(formula, reading="ltlf")
    for state in trace.states:
        monitor.push_facts([Atom(name) for (name,) in state])
    return monitor.holds


@pytest.mark.parametrize("dialect", ["spot", "flloat", "black"])
def test_every_text_is_read_as_its_tool_reads_it(dialect: str) -> None:
    wrong = []
    cases = [case for case in _cases("ltlf_prop.jsonl") if case["dialect"] == dialect]
    for case in cases:
        text = case["text"]
        formula = parse_formula(text, dialect="spot" if dialect == "spot" else "default")
        assert parse_formula(format_formula(formula)) == formula
        trace = _trace(case["trace"])
        verdict = bool(Evaluation(trace).truth(formula) >> case["pos"] & 1)
        if verdict != case["expect"]:
            wrong.append((case["id"], text))
    assert cases
    assert not wrong


def test_every_first_order_verdict() -> None:
    checked = 0
    for case in _cases("fo_past.jsonl"):
        states = [_event(event) for event in case["trace"]]
        # The domain is infinite there: objects that never occur stand for the rest of it.
        fresh = [f"fresh {number}" for number in range("".join(case["trees"]).count("(forall"))]
        fresh += [f"other {number}" for number in range("".join(case["trees"]).count("(exists"))]
        trajectory = ListTrajectory([*case["objects"], *fresh], states)
        violated = set()
        for tree in case["trees"]:
            vector = Evaluation(trajectory).truth(_built(_nested(tree), {}))
            violated |= {i + 1 for i in range(len(states)) if not vector >> i & 1}
        assert sorted(violated) == case["violated_steps"], case["id"]
        checked += len(states)
    assert checked


def _event(text: str) -> list[Fact]:
    """The event, and the objects that are seen in it."""
    name, _, rest = text.rstrip(")").partition("(")
    arguments = [part.strip() for part in rest.split(",") if part.strip()]
    return [(name, *arguments), *(("seen", each) for each in arguments)]
