"""Evaluating operators that a model wrote, with each quirk on and off."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from small_transition import CATEGORIES, HEAD, PROBLEM, SWITCH, WALK, release, small_environment

from eai.contract import is_trivial
from eai.diagnosis import ErrorKind, Match, Result
from eai.errors import UnknownNameError
from eai.semantics import Semantics
from eai.suites.transition.data import OperatorStore
from eai.suites.transition.environment import OperatorEnvironment
from eai.suites.transition.evaluation import evaluate_operators
from eai.suites.transition.quirks import TRANSITION_QUIRKS

OFFICIAL = Semantics.of("official", TRANSITION_QUIRKS)
STRICT = Semantics.of("strict", TRANSITION_QUIRKS)


def text(operator: dict[str, str], **changes: str) -> str:
    name, parameters, precondition, effect = (changes.get(key, operator[key]) for key in WALK)
    return (
        f"(:action {name} :parameters {parameters} :precondition {precondition} :effect {effect})"
    )


BOTH = f"{text(WALK)}\n{text(SWITCH)}"


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> OperatorEnvironment:
    return small_environment(tmp_path_factory.mktemp("release"))


def without(*quirks: str) -> Semantics:
    return Semantics.of("official", TRANSITION_QUIRKS, without=quirks)


def matches(result: Result) -> dict[str, tuple[int, int, int]]:
    return {match.kind: (match.tp, match.fp, match.fn) for match in result.matches}


def kinds(result: Result) -> list[ErrorKind]:
    return [finding.kind for finding in result.findings]


def test_the_data_is_read_from_the_release_once(tmp_path: Path) -> None:
    wheel = release(tmp_path)
    store = OperatorStore("virtualhome", tmp_path / "cache", wheel=wheel)
    assert store.fill() == 1
    again = OperatorStore("virtualhome", tmp_path / "cache", wheel=tmp_path / "nothing")
    assert again.model == store.model
    assert again.ids == ("1_1",)
    assert again.model.head == HEAD
    assert again.model.categories == CATEGORIES
    assert again.model.demands["1_1"].operators == ("walk_towards", "switch_on")
    assert again.task("1_1").metadata["problem"] == PROBLEM
    assert again.task("1_1").plans[0][1] == ["switch_on", "character", "light"]


def test_there_are_two_environments() -> None:
    with pytest.raises(UnknownNameError):
        OperatorStore("thor")


@pytest.mark.parametrize("semantics", [OFFICIAL, STRICT])
def test_the_annotated_operators_are_right(
    small: OperatorEnvironment, semantics: Semantics
) -> None:
    result = evaluate_operators(small, "1_1", BOTH, semantics)
    assert result.success
    assert result.outcome == "solved"
    assert result.groups == ("object_states", "spatial_relations")
    assert matches(result) == {"object_states": (5, 0, 0), "spatial_relations": (2, 0, 0)}
    assert not result.findings
    assert "walk_towards" in result.notes[-1]


@pytest.mark.parametrize("semantics", [OFFICIAL, STRICT])
def test_tasks_without_operators_are_left_out(
    small: OperatorEnvironment, semantics: Semantics
) -> None:
    assert evaluate_operators(small, "2_2", BOTH, semantics).status == "excluded"


@pytest.mark.parametrize("semantics", [OFFICIAL, STRICT])
def test_a_missing_answer_fails(small: OperatorEnvironment, semantics: Semantics) -> None:
    result = evaluate_operators(small, "1_1", None, semantics)
    assert result.status == "missing"
    assert not result.success
    assert kinds(result) == [ErrorKind.NO_ANSWER]


def test_planning_can_be_left_out(small: OperatorEnvironment) -> None:
    result = evaluate_operators(small, "1_1", BOTH, OFFICIAL, planning=False)
    assert result.outcome == ""
    assert matches(result)["object_states"] == (5, 0, 0)


def test_an_empty_answer_has_everything_filled_in(small: OperatorEnvironment) -> None:
    empty = evaluate_operators(small, "1_1", "I cannot do this.", OFFICIAL)
    assert empty.success
    assert empty.matches == ()
    assert is_trivial(empty)
    for answer in (BOTH, text(WALK)):
        assert not is_trivial(evaluate_operators(small, "1_1", answer, OFFICIAL))
    alone = evaluate_operators(small, "1_1", "", without("gold_operators_filled_in"))
    assert alone.outcome == "unsolvable"
    strict = evaluate_operators(small, "1_1", "", STRICT)
    assert strict.outcome == "unsolvable"
    assert kinds(strict) == [ErrorKind.PARSING]
    assert matches(strict) == {"object_states": (0, 0, 5), "spatial_relations": (0, 0, 2)}
    assert strict.notes[0] == "missing: walk_towards, switch_on"


def test_an_operator_that_is_replaced_by_a_later_one_is_noted(small: OperatorEnvironment) -> None:
    other = text(WALK, action_preconditions="()")
    note = "written several times, of which the last counts: walk_towards"
    assert note in evaluate_operators(small, "1_1", f"{other}\n{BOTH}", STRICT).notes
    twice = evaluate_operators(small, "1_1", f"{BOTH}\n{BOTH}", STRICT)
    assert not any("several times" in note for note in twice.notes)
    assert matches(twice) == matches(evaluate_operators(small, "1_1", BOTH, STRICT))


def test_a_broken_answer_is_left_out_or_fails(small: OperatorEnvironment) -> None:
    broken = json.dumps({"output": [BOTH]})
    assert evaluate_operators(small, "1_1", broken, OFFICIAL).status == "excluded"
    kept = evaluate_operators(small, "1_1", broken, without("broken_answers_left_out"))
    assert kept.status == "evaluated"
    assert kinds(kept) == [ErrorKind.PARSING]


def test_names_of_parameters_matter_as_published_only(small: OperatorEnvironment) -> None:
    renamed = BOTH.replace("?obj", "?thing")
    assert matches(evaluate_operators(small, "1_1", renamed, OFFICIAL))["object_states"][0] == 0
    for semantics in (STRICT, without("clauses_as_written")):
        found = matches(evaluate_operators(small, "1_1", renamed, semantics))
        assert found == {"object_states": (5, 0, 0), "spatial_relations": (2, 0, 0)}


def test_a_hyphen_in_place_of_an_underscore_is_the_same_name(small: OperatorEnvironment) -> None:
    odd = BOTH.replace("switch_on", "switch-on")
    published = evaluate_operators(small, "1_1", odd, OFFICIAL)
    assert published.findings[0].message == "the operator switch was not asked for"
    strict = evaluate_operators(small, "1_1", odd, STRICT)
    assert kinds(strict) == []
    assert matches(strict) == matches(evaluate_operators(small, "1_1", BOTH, STRICT))


def test_undeclared_names_are_faults_in_strict(small: OperatorEnvironment) -> None:
    vague = f"{text(WALK)}{text(SWITCH, action_effects='(and (on ?obj) (not (next_to ?x ?obj)))')}"
    assert evaluate_operators(small, "1_1", vague, OFFICIAL).success
    refused = evaluate_operators(small, "1_1", vague, without("undeclared_names_accepted"))
    assert refused.outcome == "unsolvable", "no operator takes the place of one that is there"
    strict = evaluate_operators(small, "1_1", vague, STRICT)
    assert strict.outcome == "unsolvable"
    assert kinds(strict) == [ErrorKind.OBJECT_HALLUCINATION]


def test_undeclared_predicates_are_refused(small: OperatorEnvironment) -> None:
    flying = f"{text(WALK)}{text(SWITCH, action_effects='(and (on ?obj) (not (flies ?obj)))')}"
    published = evaluate_operators(small, "1_1", flying, OFFICIAL)
    assert published.outcome == "rejected"
    assert matches(published)["object_states"] == (4, 0, 1)
    strict = evaluate_operators(small, "1_1", flying, STRICT)
    assert kinds(strict) == [ErrorKind.PREDICATE_HALLUCINATION]
    assert Match("unknown", 0, 1, 0) in strict.matches


def test_an_operator_that_cannot_be_read_does_not_spoil_the_others(
    small: OperatorEnvironment,
) -> None:
    cut = f"{text(WALK)}\n{text(SWITCH)[:-12]}"
    strict = evaluate_operators(small, "1_1", cut, STRICT)
    assert ErrorKind.PARSING in kinds(strict)
    assert matches(strict)["spatial_relations"] == (2, 0, 0)
    assert not strict.success


def test_where_the_published_evaluator_stops(small: OperatorEnvironment) -> None:
    half = text(WALK, action_preconditions="(not (and (broken ?obj) (flies ?obj)))")
    result = evaluate_operators(small, "1_1", half, OFFICIAL)
    assert kinds(result) == [ErrorKind.UNSCORABLE]
    counted = evaluate_operators(small, "1_1", half, without("unknown_predicates_ignored"))
    assert not counted.findings


def test_a_plan_needs_preconditions_that_can_be_met(small: OperatorEnvironment) -> None:
    never = f"{text(WALK, action_preconditions='(broken ?obj)')}{text(SWITCH)}"
    for semantics in (OFFICIAL, STRICT):
        result = evaluate_operators(small, "1_1", never, semantics)
        assert result.outcome == "unsolvable"
        assert not result.success
