"""The suite ``longact``: checklists, how episodes end, metrics, the oracle, bad input."""

import json
import re
from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from longact_days import day, item, row

import eai
from eai import logic
from eai.acting import run_episode, write_answers
from eai.contract import own_oracle
from eai.contract.lint import lint_suite
from eai.errors import InputError, SchemaError, UnknownNameError
from eai.evaluation import evaluate
from eai.logic import Always, Eventually
from eai.simulators.thor.houses import ACTIONS, HouseEnvironment, house_world
from eai.suites.longact import LongAct, improvement_rate
from eai.suites.longact.acting import checklist_of
from eai.suites.longact.episodes import (
    SCENARIOS,
    Checklist,
    LongActEpisode,
    read_episodes,
    shipped_episodes,
    write_episodes,
)
from eai.suites.longact.generator import generate_episodes
from eai.suites.longact.metrics import CAP
from eai.suites.longact.suite import CONDITION
from eai.suites.shared.documents import json_schema, parse_document
from eai.world import Action, Step, Trajectory

SUITE = LongAct()
SEMANTICS = SUITE.semantics("strict")
TASK = "tidy-000/detailed"


SLICE = item({"type": "Apple"}, sliced=True)


def oracle_answers(task_id: str) -> list[str]:
    task = SUITE.task(task_id)
    environment = SUITE.environment(task, SEMANTICS)
    agent = own_oracle(SUITE, task, SEMANTICS, environment)
    assert agent is not None
    rules = SUITE.episode_rules(task, SEMANTICS)
    return [turn.answer for turn in run_episode(environment, agent, rules=rules).turns]


def amounts(answers: list[str], task_id: str = TASK) -> dict[str, float]:
    task = SUITE.task(task_id)
    result = SUITE.evaluate("interaction", task, write_answers(answers), SEMANTICS)
    return {measure.kind: measure.amount / measure.base for measure in result.measures}


# ------------------------------------------------------------------ the episodes that ship


def test_there_are_300_days_in_150_houses_with_9_goals_on_average() -> None:
    episodes = shipped_episodes()
    assert Counter(each.scenario for each in episodes) == dict.fromkeys(SCENARIOS, 75)
    assert len({each.rooms for each in episodes}) >= 100
    assert sum(len(each.checklist) for each in episodes) / 300 == pytest.approx(9.0, abs=0.3)
    assert len(SUITE.task_ids()) == 600
    assert len(SUITE.groups()["concise"]) == 300
    assert CONDITION in SUITE.version


def test_things_are_worded_with_their_plural_and_article() -> None:
    wording = " ".join(each.detailed for each in shipped_episodes())
    assert "two light switches" in wording
    assert "two boxes" in wording
    assert not re.search(r"two [a-z ]*(?:ss|chs|xs|shs)\b", wording)
    assert not re.search(r"\ba [aeiou]", wording)
    assert not re.search(r"Fill [^.]* and put in", wording)


def test_the_same_seed_gives_the_same_episodes() -> None:
    made = next(generate_episodes())
    assert made == shipped_episodes()[0]
    assert write_episodes([made]) == write_episodes([next(generate_episodes())])
    assert made != next(generate_episodes(seed=1))


@pytest.mark.parametrize(
    "scenario",
    [SCENARIOS[0], *(pytest.param(each, marks=pytest.mark.heavy) for each in SCENARIOS[1:])],
)
def test_the_oracle_solves_an_episode_and_the_last_word_counts(scenario: str) -> None:
    task_id = f"{scenario}-003/concise"
    answers = oracle_answers(task_id)
    assert answers[-1] == "Action: STOP"
    task = SUITE.task(task_id)
    result = SUITE.evaluate("interaction", task, write_answers(answers), SEMANTICS)
    assert (result.success, result.outcome) == (True, "success")
    unsaid = SUITE.evaluate("interaction", task, write_answers(answers[:-1]), SEMANTICS)
    assert not unsaid.success
    assert all(goal.met for goal in unsaid.goals)


@pytest.mark.heavy
def test_the_oracle_solves_all_episodes() -> None:
    for task_id in SUITE.groups()["detailed"]:
        assert amounts(oracle_answers(task_id), task_id)["gc"] == 1


# ------------------------------------------------------------------ how an episode goes


def test_who_stops_at_once_has_done_nothing() -> None:
    found = amounts(["Action: STOP"])
    assert (found["gc"], found["nav"], found["manip"], found["atomic"]) == (0, 0, 0, 0)
    assert all(found[kind] == 0 for kind in found if kind.startswith("gc_"))
    assert "ir" not in found


@pytest.mark.heavy
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_formulas_of_time_and_the_last_position_agree(scenario: str) -> None:
    task_id = f"{scenario}-001/detailed"
    answers, task = oracle_answers(task_id), SUITE.task(task_id)
    items = checklist_of(task).items
    seen: set[bool] = set()
    for end in (len(answers), *range(3, len(answers), 9)):
        # What was reached is undone now and then, so that it holds for a while only.
        acted = [*answers[:end], answers[max(end - 1, 0)].replace("OPEN", "CLOSE")]
        environment = HouseEnvironment(checklist_of(task).house)
        steps, states = list[Step](), [environment.state()]
        for answer in acted:
            name, *words = answer.removeprefix("Action: ").split()
            called = {each.upper(): each for each in ACTIONS}[name]
            environment.step(Action(called, tuple(words)))
            states.append(environment.state())
            steps.append(Step(Action("change"), len(states) - 1, states[-2].changes_to(states[-1])))
        trajectory = Trajectory(house_world().world, states[0], steps, states[-1])
        for bound in items:
            over_time = logic.evaluate(Eventually(Always(bound.whole)), trajectory, reading="ltlf")
            assert over_time.holds == bound.met(partial(environment.house.holds, states[-1]))
            seen.add(over_time.holds)
    assert seen == {True, False}


@pytest.mark.heavy
def test_an_episode_ends_at_the_cap() -> None:
    task = SUITE.task(TASK)
    rules = replace(SUITE.episode_rules(task, SEMANTICS), brief=lambda _: ())
    environment = SUITE.environment(task, SEMANTICS)
    environment.observing = False  # type: ignore[attr-defined]
    end = run_episode(environment, lambda _: "nothing to read", rules=rules)
    assert (end.end, len(end.turns)) == ("max_steps", CAP)


def test_conditions_count_by_kind_and_items_as_a_whole() -> None:
    both = item({"type": "Mug", "any": 1}, filled=True, position="DiningTable")
    suite = LongAct([day(SLICE, both)])
    task = suite.task("own-1/detailed")
    walk = (
        "GOTO Mug_1, PICK Mug_1, GOTO living_room_1, GOTO DiningTable_1, PLACE DiningTable_1, STOP"
    )
    answers = write_answers([f"Action: {each}" for each in walk.split(", ")])
    result = suite.evaluate("interaction", task, answers, SEMANTICS)
    assert result.executed == ("done",) * 6
    found = {m.kind: (m.amount, m.base) for m in result.measures}
    assert (found["gc"], found["gc_position"], found["gc_filled"]) == ((0, 2), (1, 1), (0, 1))


def test_a_report_says_the_condition_and_the_metrics() -> None:
    small = LongAct(shipped_episodes()[:1])
    answers = {TASK: write_answers(oracle_answers(TASK))}
    report = evaluate(small, answers, ability="interaction", tasks=[TASK])
    text = str(report)
    assert CONDITION in text
    assert "PP" in text


def test_the_suite_is_in_order() -> None:
    small = LongAct(shipped_episodes()[:2])
    assert list(lint_suite(small)) == []


# ------------------------------------------------------------------ bad input


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (item({"id": "Apple_77"}, sliced=True), "Apple_77"),
        (item({"type": "Unicorn"}, sliced=True), "Unicorn"),
        (item({"type": "Bed"}, open=True), "matches 0 objects"),
        (item({"type": "Cabinet"}, open=True), "matches . objects"),
        (item({"type": "Apple", "any": 9}, sliced=True), "matches 1 objects"),
        (item({"type": "Apple"}, sliced=False), "holds at the start"),
        (item({"type": "Apple"}, filled=True), "cannot become filled"),
        (item({"type": "Apple"}, position="Nowhere"), "Nowhere"),
    ],
)
def test_checklists_that_cannot_be_used(row: dict[str, Any], message: str) -> None:
    made = day(row)
    with pytest.raises(InputError, match=message):
        Checklist(made)


@pytest.mark.parametrize(
    ("items", "rooms", "number"),
    [
        ([item({"type": "Apple"}, position="Mug")], ("FloorPlan1",), 0),
        (
            [item({"type": "Fridge"}, open=True), item({"type": "Plate"}, position="Bowl")],
            ("FloorPlan1",),
            1,
        ),
        ([item({"type": "Mug"}, position="Mug")], ("FloorPlan1",), 0),
        ([item({"type": "WineBottle"}, filled=False)], ("FloorPlan1",), 0),
        ([item({"type": "HousePlant"}, filled=True)], ("FloorPlan4",), 0),
        ([item({"type": "WateringCan"}, filled=True)], ("FloorPlan203",), 0),
    ],
)
def test_a_day_that_cannot_be_done_is_refused_with_its_item(
    items: list[dict[str, Any]], rooms: tuple[str, ...], number: int
) -> None:
    made = LongAct([day(*items, rooms=rooms)])
    with pytest.raises(InputError) as caught:
        made.task("own-1/detailed")
    assert caught.value.where == f"own-1, item {number}"
    assert [fault.kind for fault in lint_suite(made)] == ["task", "task"]


def test_what_is_sliced_is_put_away_before() -> None:
    both = day(item({"type": "Apple"}, position="Fridge"), item({"type": "Apple"}, sliced=True))
    assert eai.interact(LongAct([both]), "own-1/detailed", "oracle").success


def test_near_types_are_named_for_a_place_that_is_not_there() -> None:
    with pytest.raises(UnknownNameError) as caught:
        Checklist(day(item({"type": "Mug", "any": 1}, position="DiningTabel")))
    assert caught.value.suggestions == ["DiningTable"]
    assert not any("Sliced" in name for name in caught.value.known)


def test_the_oracle_says_which_item_it_could_not_do() -> None:
    running = item({"type": "Microwave"}, on=True)
    opened = item({"type": "Microwave"}, open=True)
    made = LongAct([day(running, opened, rooms=("FloorPlan1",))])
    episode = eai.interact(made, "own-1/detailed", "oracle").episode
    assert episode.end == "agent_failure"
    assert "item 1" in episode.note


def test_items_do_not_contradict_each_other() -> None:
    other = item({"type": "Apple"}, position="Fridge")
    table = item({"type": "Apple"}, position="GarbageCan")
    with pytest.raises(InputError, match="contradicts another item about the position of Apple_1"):
        Checklist(day(other, table))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ([], "valid dictionary"),
        ({}, "id: Field required"),
        ({**row(SLICE), "scenario": "party"}, "scenario: Input should be 'tidy'"),
        ({**row(SLICE), "rooms": []}, "rooms: Tuple should have at least 1 item"),
        (row(), "checklist: Tuple should have at least 1 item"),
        (row({"select": {}, "conditions": []}), "either an id or a type"),
        (row(item({"type": "Apple"})), "conditions: Tuple should have at least 1 item"),
        (row(item({"type": "Apple"}, shiny=True)), "kind: Input should be 'position'"),
        (row(item({"type": "Apple"}, sliced="yes")), "the value of sliced is 'yes'"),
        (
            row(
                {
                    "select": {"type": "Apple"},
                    "conditions": [{"kind": "open"}, {"kind": "open", "value": False}],
                }
            ),
            "contradicts itself about open",
        ),
    ],
)
def test_episodes_of_another_shape(row: object, message: str) -> None:
    with pytest.raises(SchemaError, match=message):
        parse_document(LongActEpisode, row, where="own.json")


def test_the_form_of_an_episode_ships_as_a_schema() -> None:
    schema = Path(__file__).parents[3] / "tasks" / "longact" / "episode.schema.json"
    assert schema.read_text("utf-8") == json_schema(LongActEpisode)


def test_own_files_are_read_and_say_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "own.json").write_text(json.dumps([row(SLICE)]))
    assert LongAct(tmp_path).task_ids() == ("own-1/detailed", "own-1/concise")
    (tmp_path / "again.json").write_text(json.dumps([row(SLICE)]))
    with pytest.raises(SchemaError, match="2 episodes are called 'own-1'"):
        read_episodes(tmp_path)
    (tmp_path / "again.json").write_text("{")
    with pytest.raises(SchemaError, match=r"again\.json"):
        read_episodes(tmp_path)
    with pytest.raises(InputError, match="no episodes"):
        read_episodes(tmp_path / "none.json")


def test_no_episodes_are_no_tasks_and_names_are_distinct() -> None:
    assert LongAct([]).task_ids() == ()
    with pytest.raises(SchemaError, match="2 episodes are called"):
        LongAct([shipped_episodes()[0]] * 2)


def test_unknown_tasks() -> None:
    for name in ("tidy-000", "tidy-999/detailed", "tidy-000/short"):
        with pytest.raises(UnknownNameError):
            SUITE.task(name)


# ------------------------------------------------------------------ improvement rate


TIMES = [i / 6000 for i in range(6000)]


def test_steady_progress_does_not_accelerate() -> None:
    assert improvement_rate(TIMES) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(("levels", "rate"), [(2, 1.0), (3, 0.833), (5, 0.642)])
def test_the_rate_of_a_square_is_the_mean_of_two_over_k(levels: int, rate: float) -> None:
    assert improvement_rate([t * t for t in TIMES], levels) == pytest.approx(rate, abs=5e-4)


@pytest.mark.heavy
def test_the_rate_has_a_maximum_at_every_level() -> None:
    levels = (2, 3, 4, 5, 8, 10, 20)
    thousand = [i / 999 for i in range(1000)]
    powers = [[t ** (a / 20) for t in thousand] for a in range(20, 400)]
    jumps = [[0.0] * at + [1.0] * (1000 - at) for at in range(1, 1000, 2)]
    for scores, most in (
        (powers, [1.75, 1.52, 1.35, 1.23, 0.98, 0.87, 0.58]),
        (jumps, [3.00, 2.52, 2.17, 1.91, 1.41, 1.20, 0.73]),
    ):
        assert [round(max(improvement_rate(s, n) for s in scores), 2) for n in levels] == most


def test_the_sign_says_whether_progress_speeds_up() -> None:
    assert improvement_rate([t**3 for t in TIMES]) > 0 > improvement_rate([t**0.5 for t in TIMES])


SCORES = st.lists(st.integers(0, 100), min_size=10, max_size=40)


@given(SCORES, st.integers(-5, 5), st.integers(-5, 5))
def test_the_rate_is_linear(scores: list[int], a: int, b: int) -> None:
    changed = [a * score + b for score in scores]
    assert improvement_rate(changed) == pytest.approx(a * improvement_rate(scores), abs=1e-6)


def test_scales_units_and_the_best_so_far() -> None:
    scores = [0, 0, 1, 0, 0, 1, 0, 0, 0, 0]
    assert improvement_rate(scores, score="percent") == pytest.approx(
        100 * improvement_rate(scores)
    )
    assert improvement_rate(scores, x="step") == pytest.approx(improvement_rate(scores) / 10)
    best = improvement_rate(scores, mode="best")
    assert best == improvement_rate([0, 0, 1, 1, 1, 1, 1, 1, 1, 1])


def test_what_has_no_rate() -> None:
    with pytest.raises(InputError, match="3 scores"):
        improvement_rate([0, 1, 1])
    with pytest.raises(InputError, match="1 levels"):
        improvement_rate([0, 1], levels=1)
    with pytest.raises(InputError, match="not a finite number"):
        improvement_rate([float("nan")] * 10)
    with pytest.raises(UnknownNameError, match="score"):
        improvement_rate([0.0] * 10, score="per mille")  # type: ignore[arg-type]
