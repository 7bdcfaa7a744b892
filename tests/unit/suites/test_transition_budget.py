"""Answers that ask for more than any machine can do: scored the same everywhere, and at once."""

from __future__ import annotations

import time

import pytest
from small_transition import small_environment

from eai.budget import Budget
from eai.planning import Outcome, PlanningResult
from eai.semantics import Semantics
from eai.suites.transition.environment import OperatorEnvironment
from eai.suites.transition.evaluation import evaluate_operators
from eai.suites.transition.quirks import TRANSITION_QUIRKS

OFFICIAL = Semantics.of("official", TRANSITION_QUIRKS)
STRICT = Semantics.of("strict", TRANSITION_QUIRKS)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> OperatorEnvironment:
    return small_environment(tmp_path_factory.mktemp("small"))


def operator(effect: str, *, parameters: int = 2, precondition: str = "(and)") -> str:
    names = " ".join(f"?p{number} - object" for number in range(parameters))
    return (
        f"(:action walk_towards :parameters ({names}) :precondition {precondition} "
        f":effect (and (on ?p0) {effect}))"
    )


def nested(quantifier: str, depth: int, body: str) -> str:
    opened = "".join(f"({quantifier} (?q{number} - object) " for number in range(depth))
    return f"{opened}{body}{')' * depth}"


PAIRS = "(and (next_to ?q0 ?q1) (next_to ?q1 ?q0))"
HOSTILE = {
    "an unbound variable, many parameters": operator("(on ?zz)", parameters=40),
    "many parameters": operator("(next_to ?p0 ?p1)", parameters=40),
    "nested quantifiers": operator("(off ?p0)", precondition=nested("exists", 40, PAIRS)),
    "quantified effects": operator(nested("forall", 40, "(next_to ?q0 ?q39)")),
    "quantified conditions of effects": operator(
        nested("forall", 12, f"(when {nested('exists', 30, PAIRS)} (next_to ?q0 ?q1))")
    ),
    "long effects": operator(
        " ".join(f"(when (next_to ?p{n % 9} ?p{n % 7}) (on ?p{n % 8}))" for n in range(3000)),
        parameters=11,
    ),
}


@pytest.mark.heavy
@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_beyond_the_budget_is_said_before_it_is_begun(
    small: OperatorEnvironment, name: str
) -> None:
    begun = time.process_time()
    result = evaluate_operators(small, "1_1", HOSTILE[name], OFFICIAL)
    assert (result.status, result.success) == ("evaluated", False)
    assert result.outcome == "beyond the budget"
    assert "planner: beyond the budget, it takes more than" in result.notes[-1]
    assert time.process_time() - begun < 20  # without a budget: hours


def test_what_was_used_up_is_told_and_the_budget_can_be_chosen(small: OperatorEnvironment) -> None:
    fine = evaluate_operators(small, "1_1", "", OFFICIAL)
    assert fine.outcome == "solved"
    for limit in ("actions=1", "instances=3", "bytes=100"):
        tight = OFFICIAL._replace(budget=Budget.parse(limit))
        result = evaluate_operators(small, "1_1", "", tight)
        assert result.outcome == "beyond the budget"
        assert result.matches == fine.matches


def test_what_the_clock_ends_is_never_the_models_failure(
    small: OperatorEnvironment, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(*_: object, **__: object) -> PlanningResult:
        return PlanningResult(Outcome.TIME_LIMIT)

    monkeypatch.setattr(OperatorEnvironment, "plan", late)
    result = evaluate_operators(small, "1_1", "", STRICT)
    assert result.status == "excluded"
    assert "unscorable" in result.notes[0]
