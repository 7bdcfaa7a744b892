"""Goals are read in any shape, and of several goals in an answer those that are meant."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from answer_goals import headings_with_terms
from answer_shapes import DECIDED_TEXTS, GOAL_SHAPES, WITHHELD_TEXTS, Goals
from small_virtualhome import ARITIES, small_task

import eai
from eai.abilities import GoalNames, GoalReading, read_goals
from eai.diagnosis import ErrorKind, Result
from eai.task import Task, Vocabulary

PREDICATES = {"on": 1, "open": 1, "plugged_in": 1, "computer": 1, "ontop": 2, "facing": 2}
SMALL = small_task("off lamp.1; off computer.2; readable book.3; inside cup.5 kitchen.1")
KNOWN = SMALL.vocabulary
NAMES = GoalNames(Vocabulary(ARITIES, PREDICATES, KNOWN.objects, KNOWN.classes))
RIGHT = Goals((("lamp", "ON"),), (("book", "ONTOP", "cup"),), ("READ",))
WRONG = Goals((("lamp", "OPEN"),), (("book", "FACING", "cup"),), ("GRAB",))
READ = ["ON(lamp)", "ONTOP(book, cup)", "READ"]


def reading(text: str) -> GoalReading:
    return read_goals(text, NAMES)


def said(text: str) -> list[str]:
    """The goals that are read, in one way of writing."""
    return [
        f"{'not ' if goal.negated else ''}{goal.name.upper()}"
        + (f"({', '.join(goal.arguments).lower()})" if goal.kind != "action" else "")
        for goal in reading(text).goals
    ]


def same(goals: list[str]) -> list[str]:
    """The goals with the kinds in one order; actions stay in theirs."""
    return sorted(goals, key=lambda goal: ("(" not in goal, goal if "(" in goal else ""))


FORMS = {"json": Goals.plain, "lines": headings_with_terms}


@pytest.mark.parametrize("shape", GOAL_SHAPES)
def test_goals_are_the_same_in_every_shape(shape: str) -> None:
    text = GOAL_SHAPES[shape](RIGHT)
    assert same(said(text)) == same(READ)
    assert reading(text).problem is None


@pytest.mark.parametrize(
    "text",
    [
        '{"node goals": [{"name": "lamp", "state": "ON"}], "action goals": null}',
        '[{"type": "node goals", "goals": [{"name": "lamp", "state": "ON"}]},'
        ' {"type": "action goals", "goals": []}]',
    ],
)
def test_sections_without_goals_add_none(text: str) -> None:
    assert said(text) == ["ON(lamp)"]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", DECIDED_TEXTS)
def test_the_goals_that_are_decided_for_are_read(kind: str, form: str) -> None:
    write = FORMS[form]
    found = reading(DECIDED_TEXTS[kind](write(RIGHT), write(WRONG)))
    assert same([str(goal) for goal in found.goals]) == same(READ)
    assert found.status == "chosen"
    assert found.rule


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", WITHHELD_TEXTS)
def test_goals_that_are_not_given_are_not_read(kind: str, form: str) -> None:
    found = reading(WITHHELD_TEXTS[kind](FORMS[form](RIGHT)))
    assert not found.goals
    assert found.problem is not None
    assert (found.problem.kind, found.status) == (ErrorKind.PARSING, "none")


@pytest.mark.parametrize(
    "text",
    [
        '{"node goals": ["ON(lamp)"]}\n{"edge goals": ["ONTOP(book, cup)"]}\n'
        '{"action goals": ["READ"]}',
        '## Node goals\n```json\n["ON(lamp)"]\n```\n## Edge goals\n```json\n["ONTOP(book, cup)"]'
        '\n```\n## Action goals\n```json\n["READ"]\n```',
        "Node goals:\n- lamp\n  - ON\nEdge goals:\n- book\n  - ONTOP: cup\nActions: READ",
        "ON(lamp); ONTOP(book, cup); READ",
        "| Object | State |\n|---|---|\n| lamp | ON |\n\n| From | Relation | To |\n|---|---|---|"
        "\n| book | ONTOP | cup |\n\n| Action |\n|---|\n| READ |",
        "The lamp has to be ON. The book must be ONTOP the cup. Actions: READ",
        json.dumps([["lamp", "ON"], ["book", "ONTOP", "cup"], "READ"]),
        "node_goals:\n  lamp: ON\nedge_goals:\n  - [book, ONTOP, cup]\naction_goals:\n  - READ",
    ],
)
def test_pieces_of_different_kinds_go_on(text: str) -> None:
    assert same(said(text)) == same(READ)


def test_a_second_piece_of_a_kind_begins_another_answer() -> None:
    text = '{"node goals": ["OPEN(lamp)"]}\n\n{"node goals": ["ON(lamp)"]}'
    assert said(text) == ["ON(lamp)"]
    assert reading(text).rule == "last"


@pytest.mark.parametrize("order", [1, -1])
def test_an_empty_format_does_not_replace_goals(order: int) -> None:
    empty = '{"node goals": [], "edge goals": [], "action goals": []}'
    assert same(said("\n\n".join([empty, RIGHT.plain()][::order]))) == same(READ)


def test_a_format_with_dots_does_not_replace_goals() -> None:
    dots = '{"node goals": [{"name": "...", "state": "..."}], "edge goals": ["..."]}'
    assert same(said(f"{RIGHT.plain()}\n\nThis has the form {dots}")) == same(READ)


@pytest.mark.parametrize(
    "text",
    ["{'node goals': SYMBOLIC NODE GOALS, 'edge goals': SYMBOLIC EDGE GOALS}", "A lamp. [1]", "{}"],
)
def test_an_answer_without_goals_is_not_read(text: str) -> None:
    assert reading(text).status == "none"


@pytest.mark.parametrize(
    "text",
    [
        '["not", ["on", "lamp"]]',
        '{"node goals": [{"name": "lamp", "state": "ON", "negated": true}]}',
        "- not ON(lamp)",
        "(:goal (and (not (on lamp))))",
        "The lamp is not ON",
        "¬ON(lamp)",
    ],
)
def test_negations_are_read_in_every_shape(text: str) -> None:
    assert said(text) == ["not ON(lamp)"]


def test_a_word_that_is_a_state_and_an_object_is_what_the_others_leave() -> None:
    for text in ('[["computer", "on"]]', "on(computer)", "computer: on", "The computer is on."):
        assert said(text) == ["ON(computer)"]


def test_an_object_that_lacks_a_key_is_read() -> None:
    text = '{"edge goals": [{"from_name": "book", "relation": "ONTOP", "cup"}]}'
    assert said(text) == ["ONTOP(book, cup)"]


def test_an_object_with_several_states_is_several_goals() -> None:
    text = '{"node goals": [{"name": "lamp", "state": ["ON", "OPEN"]}]}'
    assert said(text) == ["ON(lamp)", "OPEN(lamp)"]


def evaluated(text: str) -> Result:
    suite = eai.suite("household")
    task: Task = suite.task("studio-02")
    return suite.evaluate("goal_interpretation", task, text, suite.semantics("strict"))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Node goals:\n- fridge: SHINY", ErrorKind.PREDICATE_HALLUCINATION),
        ("Node goals:\n- CLOSED(unicorn)", ErrorKind.OBJECT_HALLUCINATION),
        ("Action goals:\n- JUGGLE", ErrorKind.ACTION_HALLUCINATION),
        ("Node goals:\n- as it was before the guests came", ErrorKind.PARSING),
        ("The unicorn has to be SHINY.", ErrorKind.PARSING),
        ("I do not know what is meant.", ErrorKind.PARSING),
    ],
)
def test_only_what_was_understood_can_be_a_hallucination(text: str, kind: ErrorKind) -> None:
    assert evaluated(text).findings[0].kind is kind


def test_goals_that_could_not_be_read_make_a_reading_partial() -> None:
    found = reading("Node goals:\n- ON(lamp)\n- whatever else may be wanted here")
    assert [bool(goal.name) for goal in found.goals] == [True, False]
    assert found.status == "partial"


def test_places_are_those_of_the_answer() -> None:
    text = "<think>hm</think>\nNode goals:\n- ON(lamp)\n- OPEN(cup)"
    places = [goal.position for goal in reading(text).goals]
    assert places == [text.index("ON(lamp)"), text.index("OPEN(cup)")]


def test_names_are_not_needed_for_what_is_clearly_a_goal() -> None:
    unknown = [replace(goal, position=0) for goal in read_goals(RIGHT.plain()).goals]
    assert [str(goal) for goal in unknown] == READ


@pytest.mark.parametrize("tag", ["node", "entry", "g", "goal"])
def test_parts_in_elements_of_their_own_are_no_goal_together(tag: str) -> None:
    parts = ["<object>lamp</object>", "<state>on</state>"]
    together = f"<{tag}>\n{parts[0]}\n{parts[1]}\n</{tag}>"
    assert said(together) == said(f"<goals>\n{together}\n</goals>") == ["ON(lamp)"]
    apart = "\n".join(f"<{tag}>\n{part}\n</{tag}>" for part in parts)
    assert said(apart) == []
    assert "ON(lamp)" not in said(f"<goals>\n{apart}\n</goals>")


def test_an_item_above_the_first_goal_of_a_list_is_not_left_out_in_silence() -> None:
    found = reading("- the lamp glows\n- ON(lamp)\n- OPEN(cup)")
    assert [bool(goal.name) for goal in found.goals] == [False, True, True]
    assert found.status == "partial"
    above = reading("The lamp is dark.\n\n- ON(lamp)\n- OPEN(cup)")
    assert [str(goal) for goal in above.goals] == ["ON(lamp)", "OPEN(cup)"]


def test_blanks_may_stand_for_underscores_in_names() -> None:
    names = GoalNames(Vocabulary({}, {"on": 1}, frozenset({"coffee_pot.n.01_1"})))
    assert names.objects("Coffee Pot.n.01_1") == ("coffee_pot.n.01_1",)
