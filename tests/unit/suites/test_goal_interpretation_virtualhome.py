"""VirtualHome goal interpretation: each quirk changes one verdict."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

import pytest
from small_virtualhome import small_task

from eai.diagnosis import ErrorKind, Result
from eai.semantics import Semantics
from eai.suites.household import Household
from eai.suites.virtualhome import VirtualHome
from eai.suites.virtualhome.goal_interpretation import evaluate
from eai.suites.virtualhome.quirks import GOAL_INTERPRETATION_QUIRKS
from eai.task import Task, Vocabulary

PREDICATES = {"on": 1, "off": 1, "plugged_in": 1, "ontop": 2, "facing": 2, "next_to": 2}
FACTS = "off lamp.1; off lamp.2; off radio.3; inside book.4 kitchen.1"
OFFICIAL = Semantics("official", frozenset({*GOAL_INTERPRETATION_QUIRKS, "relevant_objects_only"}))
STRICT = Semantics("strict")


def task(**goal: list[str]) -> Task:
    made = small_task(FACTS, **goal)
    known = made.vocabulary
    return replace(
        made, vocabulary=Vocabulary(known.actions, PREDICATES, known.objects, known.classes)
    )


def answer(**sections: list[object]) -> str:
    named = {key.replace("_", " "): value for key, value in sections.items()}
    return json.dumps({"node goals": [], "edge goals": [], "action goals": [], **named})


def on(name: str, state: str = "ON") -> object:
    return {"name": name, "state": state}


def act(name: str, description: str = "") -> object:
    return {"action": name, "description": description}


def verdict(result: Result) -> str:
    """``"state 1/0/0"``: true positives, false positives, false negatives of what is not zero."""
    if result.status != "evaluated":
        return result.status
    return ", ".join(
        f"{m.kind} {m.tp}/{m.fp}/{m.fn}" for m in result.matches if m.tp or m.fp or m.fn
    )


@dataclass(frozen=True)
class Case:
    """An answer whose verdict one quirk changes; ``needs`` are on in both."""

    task: Task
    answer: str
    on: str
    off: str
    needs: tuple[str, ...] = ()


LAMP = task(states=["on lamp.1"])
READ = task(actions=["READ|LOOKAT"])
CASES = {
    "goals_as_json": Case(
        LAMP, answer(node_goals=[on("lamp.1")]) + " Done.", "state 0/0/1", "state 1/0/0"
    ),
    "unparsed_goals_skipped": Case(LAMP, "no idea", "excluded", "state 0/0/1"),
    "unusual_goals_crash": Case(
        LAMP, "[]", "state 0/0/1", "excluded", needs=("goals_as_json", "unparsed_goals_skipped")
    ),
    "goal_names_exact": Case(
        LAMP, answer(node_goals=[on("Lamp.1", "on")]), "state 0/1/1", "state 1/0/0"
    ),
    "one_object_per_name": Case(
        LAMP, answer(node_goals=[on("lamp")]), "state 0/1/1", "state 1/0/0"
    ),
    "unusable_goals_ignored": Case(
        LAMP, answer(node_goals=[on("lamp.1"), on("unicorn")]), "state 1/0/0", "state 1/1/0"
    ),
    "goal_copies_counted": Case(
        READ,
        answer(action_goals=[act("READ"), act("READ", "again")]),
        "action 2/0/-1",
        "action 1/0/0",
        needs=("goals_as_json", "actions_one_by_one", "actions_found_again"),
    ),
    "actions_one_by_one": Case(
        READ, answer(action_goals=[act("READ"), act("GRAB")]), "action 1/1/0", "action 0/1/1"
    ),
    "actions_found_again": Case(
        READ,
        answer(action_goals=[act("READ"), act("LOOKAT")]),
        "action 2/0/-1",
        "action 1/1/0",
        needs=("actions_one_by_one",),
    ),
}


def test_every_quirk_has_a_case() -> None:
    assert CASES.keys() == GOAL_INTERPRETATION_QUIRKS.keys()
    for name, quirk in GOAL_INTERPRETATION_QUIRKS.items():
        assert quirk.name == name
        assert quirk.official.endswith(".")
        assert quirk.strict.endswith(".")


@pytest.mark.parametrize("name", CASES)
def test_a_quirk_alone_changes_the_verdict(name: str) -> None:
    case = CASES[name]
    off = Semantics("off", frozenset(case.needs))
    with_it = Semantics("on", off.quirks | {name})
    assert verdict(evaluate(case.task, case.answer, with_it)) == case.on
    assert verdict(evaluate(case.task, case.answer, off)) == case.off


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (answer(node_goals=[on("lamp")]), "state 1/0/1"),
        (answer(node_goals=[on("lamp"), on("lamp")]), "state 1/0/1"),
        (answer(node_goals=[on("lamp"), on("radio"), on("radio", "SHINY")]), "state 1/2/1"),
        ("```json\n" + answer(node_goals=[on("lamp")]) + "\n```", "state 1/0/1"),
        (answer(node_goals=[on("lamp")]).replace('"', "'"), "state 1/0/1"),
        (answer(node_goals=[{}, {"name": "lamp"}]), "state 0/0/2"),
        (answer(edge_goals=[{"from_name": "book", "relation": "ON", "to_name": "lamp"}]),
         "state 0/0/2, relation 0/1/0"),
        ("{}", "state 0/0/2"),
        ("{", "excluded"),
        ('{"node goals": null}', "state 0/0/2"),
        ('{"node goals": [5]}', "state 0/0/2"),
        ('{"action goals": [{"action": null}]}', "state 0/0/2"),
        ('{"node goals": {"name": "lamp"}}', "state 0/0/2"),
        (answer(node_goals=[on("lamp", "")]), "state 0/1/2"),
        (answer(action_goals=[act("")]), "state 0/0/2, action 0/1/0"),
        (answer(node_goals=[{"name": "lamp", "state": "ON", "n": n} for n in (1, True, "1")]),
         "state 2/0/0"),
    ],
)  # fmt: skip
def test_official_counts_as_the_published_evaluator(text: str, expected: str) -> None:
    lamps = task(states=["on lamp.1", "on lamp.2"])
    assert verdict(evaluate(lamps, text, OFFICIAL)) == expected


@pytest.mark.parametrize(
    "text", ["[]", "7", '{"node goals": [null]}', '{"action goals": [["action"]]}']
)
def test_where_the_published_evaluator_stops(text: str) -> None:
    result = evaluate(LAMP, text, OFFICIAL)
    assert result.number_of(ErrorKind.UNSCORABLE) == 1
    assert not result.success


@pytest.mark.parametrize(("name", "stops"), [("lamp", 1), ("sofa", 0)])
def test_a_name_that_is_no_text_is_not_looked_up_behind_an_unknown_one(
    name: str, stops: int
) -> None:
    text = answer(edge_goals=[{"from_name": name, "relation": "ON", "to_name": ["book"]}])
    result = evaluate(LAMP, text, OFFICIAL)
    assert result.number_of(ErrorKind.UNSCORABLE) == stops
    assert result.number_of(ErrorKind.OBJECT_HALLUCINATION) == 1 - stops


def test_very_long_json_is_not_read() -> None:
    result = evaluate(LAMP, json.dumps({"node goals": "x" * 1_000_000}), OFFICIAL)
    assert [each.kind for each in result.findings] == [ErrorKind.PARSING]


def test_format_errors_and_unknown_objects_are_found_one_by_one() -> None:
    text = answer(node_goals=[on("x"), on("y"), {"state": "ON"}], action_goals=[{"do": "READ"}])
    result = evaluate(LAMP, text, OFFICIAL)
    assert result.number_of(ErrorKind.OBJECT_HALLUCINATION) == 2
    assert result.number_of(ErrorKind.PARSING) == 2
    assert verdict(result) == "state 0/0/1"


def test_relations_have_the_names_of_the_scene_graph() -> None:
    near = task(relations=["next_to book.4 lamp.1", "ontop radio.3 book.4"])
    goals = [("book", "CLOSE", "lamp"), ("radio", "ON", "book")]
    text = answer(edge_goals=[{"from_name": a, "relation": r, "to_name": b} for a, r, b in goals])
    assert verdict(evaluate(near, text, STRICT)) == "relation 2/0/0"
    assert verdict(evaluate(near, text, OFFICIAL)) == "relation 1/1/1"  # lamp means lamp.2


def test_tasks_without_goal_or_answer() -> None:
    counted = Semantics("counted", OFFICIAL.quirks | {"goalless_tasks_counted"})
    text = answer(node_goals=[on("lamp")])
    assert verdict(evaluate(task(), text, STRICT)) == "excluded"
    assert verdict(evaluate(task(), text, counted)) == "state 0/1/0"
    for semantics in (STRICT, OFFICIAL):
        missing = evaluate(LAMP, None, semantics)
        assert (missing.status, [m.fn for m in missing.matches]) == ("missing", [1, 0, 0])


def test_objects_of_the_scene_are_known_unless_only_relevant_ones_are() -> None:
    away = small_task("off lamp.1; off radio.3", states=["on lamp.1"], irrelevant=["radio.3"])
    text = answer(node_goals=[on("lamp"), on("radio")])
    known = replace(
        away,
        vocabulary=replace(away.vocabulary, predicates=PREDICATES),
    )
    relevant = Semantics("relevant", frozenset({"relevant_objects_only"}))
    assert not evaluate(known, text, STRICT).number_of(ErrorKind.OBJECT_HALLUCINATION)
    assert evaluate(known, text, relevant).number_of(ErrorKind.OBJECT_HALLUCINATION) == 1


def test_the_suites_have_the_ability_and_virtualhome_its_quirks() -> None:
    assert "goal_interpretation" in VirtualHome.abilities
    assert VirtualHome.quirks.keys() >= GOAL_INTERPRETATION_QUIRKS.keys()
    assert "goal_interpretation" in Household.abilities


def test_a_household_task_is_evaluated() -> None:
    suite = Household()
    first = suite.task(suite.task_ids()[0])
    assert first.goal.text == "on(light.34)"
    text = answer(node_goals=[on("light.34")])
    result = suite.evaluate("goal_interpretation", first, text, suite.semantics("strict"))
    assert result.success
