"""Elements of one name under one parent are the members of one answer."""

from __future__ import annotations

import json

import pytest

import eai
from eai.abilities import read_operators, read_subgoals
from eai.answers import read_answer
from eai.answers.value_steps import MAX_DEPTH
from eai.pddl import parse_domain
from eai.task import Vocabulary

NAMES = eai.suite("household").task("studio-02").readable
PLAN = ["WALK(fridge.40)", "OPEN(fridge.40)", "GRAB(juice.44)"]
SUBGOALS = ["OPEN(door.1)", "ON(light.2)", "ONTOP(cup.3, table.4)"]
OBJECTS = ("door.1", "light.2", "cup.3", "table.4")
VOCABULARY = Vocabulary(
    actions={},
    predicates={"open": 1, "on": 1, "ontop": 2},
    objects=frozenset(OBJECTS),
    classes={name.partition(".")[0]: (name,) for name in OBJECTS},
)
DOMAIN = parse_domain("(define (domain d) (:predicates (on ?x - object) (held ?x - object)))")
PARTS = (
    "<name>{name}</name><parameters>(?x - object)</parameters>"
    "<precondition>(held ?x)</precondition><effect>(on ?x)</effect>"
)
PARENTS = ("plan", "answer", "root")
MEMBERS = ("subgoal", "step", "entry", "part")
NOTES = ("", "<note>as asked</note>")


def listed(parent: str, member: str, texts: list[str], note: str = "") -> str:
    """Return texts as elements of one name."""
    return f"<{parent}>{note}{''.join(f'<{member}>{each}</{member}>' for each in texts)}</{parent}>"


@pytest.mark.parametrize("note", NOTES)
@pytest.mark.parametrize("member", MEMBERS)
@pytest.mark.parametrize("parent", PARENTS)
def test_members_are_one_plan(parent: str, member: str, note: str) -> None:
    calls = [step.rstrip(")").split("(") for step in PLAN]
    objects = [json.dumps({"action": name, "object": thing}) for name, thing in calls]
    for texts in (PLAN, objects):
        reading = read_answer(listed(parent, member, texts, note), NAMES)
        assert [str(step) for step in reading.steps] == PLAN
        assert not reading.problems


@pytest.mark.parametrize("note", NOTES)
@pytest.mark.parametrize("member", MEMBERS)
@pytest.mark.parametrize("parent", PARENTS)
def test_members_are_one_list_of_subgoals(parent: str, member: str, note: str) -> None:
    literals = [each.rstrip(")").split("(") for each in SUBGOALS]
    in_parts = [json.dumps({"predicate": name, "args": of.split(", ")}) for name, of in literals]
    in_objects = [json.dumps({"subgoal": each}) for each in SUBGOALS]
    for texts in (SUBGOALS, in_parts, in_objects):
        reading = read_subgoals(listed(parent, member, texts, note), VOCABULARY)
        assert [each.text.upper() for each in reading.subgoals] == [s.upper() for s in SUBGOALS]
        assert not reading.problems


def test_options_are_not_joined() -> None:
    reading = read_answer(listed("answers", "option", [PLAN[0], PLAN[1]]), NAMES)
    assert len(reading.steps) < 2


def test_objects_of_a_step_are_not_steps() -> None:
    text = "<plan><step><action>GRAB</action><object>juice.44</object></step></plan>"
    assert [str(step) for step in read_answer(text, NAMES).steps] == [PLAN[2]]


@pytest.mark.parametrize("beside", ["so much", "<use>in <b>rooms</b></use>", "<use>in rooms</use>"])
@pytest.mark.parametrize("member", ["operator", "action", "item"])
@pytest.mark.parametrize("parent", PARENTS)
def test_operators_keep_their_parts_beside_other_elements(
    parent: str, member: str, beside: str
) -> None:
    texts = [PARTS.format(name=name) + beside for name in ("grab", "put")]
    found = read_operators(listed(parent, member, texts), DOMAIN, ("grab", "put")).operators
    assert [read.operator.name for read in found] == ["grab", "put"]
    for read in found:
        assert "held" in str(read.operator.precondition)
        assert "on" in str(read.operator.effect)


def test_elements_of_one_name_in_an_element_with_an_id_are_one_plan() -> None:
    answer = """<bpmn:process id="P1">
<bpmn:startEvent id="start"/>
<bpmn:task id="t1" name="walk(light.34)"/>
<bpmn:task id="t2" name="switchon(light.34)"/>
</bpmn:process>"""
    reading = read_answer(answer, eai.suite("household").task("studio-01").readable)
    assert not reading.problems
    assert [str(step) for step in reading.steps] == ["walk(light.34)", "switchon(light.34)"]


@pytest.mark.parametrize(
    "parameter",
    [
        '<parameter name="location"><value>{}</value></parameter>',
        '<param name="object" value="{}"/>',
        "<parameters><parameter><name>target</name><value>{}</value></parameter></parameters>",
    ],
)
def test_value_of_a_named_parameter_is_the_object(parameter: str) -> None:
    calls = ""
    for name, thing in (step.rstrip(")").split("(") for step in PLAN):
        calls += f'<action name="{name}">{parameter.format(thing)}</action>'
    reading = read_answer(f"<robot>{calls}</robot>", NAMES)
    assert not reading.problems
    assert [str(step) for step in reading.steps] == PLAN


def test_value_of_a_named_argument_in_json_is_the_object() -> None:
    calls = []
    for name, thing in (step.rstrip(")").split("(") for step in PLAN):
        calls.append({"action": name, "parameters": [{"name": "object", "value": thing}]})
    reading = read_answer(json.dumps(calls), NAMES)
    assert not reading.problems
    assert [str(step) for step in reading.steps] == PLAN


@pytest.mark.parametrize("depth", [1, 2, MAX_DEPTH - 1, MAX_DEPTH, MAX_DEPTH + 1])
def test_steps_are_looked_for_in_lists_that_are_nested_up_to_a_bound(depth: int) -> None:
    nested = json.dumps(PLAN)
    for _ in range(depth - 1):
        nested = f"[{nested}]"
    reading = read_answer(nested, NAMES)
    assert [str(step) for step in reading.steps] == (PLAN if depth <= MAX_DEPTH else [])
    assert bool(reading.problems) is (depth > MAX_DEPTH)


@pytest.mark.parametrize("mark", ["", "<hr>", "<br>", "<p>"])
def test_marks_that_nobody_closes_leave_elements_where_they_are(mark: str) -> None:
    rejected = "".join(f"<step>{step}</step>" for step in PLAN[:2])
    answer = (
        f"<root><rejected>{mark}{rejected}</rejected><plan><step>{PLAN[2]}</step></plan></root>"
    )
    reading = read_answer(answer, NAMES)
    assert [str(step) for step in reading.steps] == PLAN[2:]
    assert not reading.problems


@pytest.mark.parametrize("empty", ['<action name="STANDUP"/>', '<action name="STANDUP"></action>'])
def test_named_elements_are_steps_with_and_without_an_object(empty: str) -> None:
    walk = '<action name="WALK">fridge.40</action>'
    steps = {empty: "STANDUP()", walk: "WALK(fridge.40)"}
    for elements in ([empty, walk], [walk, empty], [walk, empty, walk]):
        reading = read_answer(f"<plan>{''.join(elements)}</plan>", NAMES)
        assert [str(step) for step in reading.steps] == [steps[each] for each in elements]


@pytest.mark.parametrize(
    "step",
    [
        '<step><action name="{}"/><object name="{}"/></step>',
        '<action><object name="{1}"/><action name="{0}"/></action>',
        '<action><object name="{1}" action="{0}"/></action>',
        '<object name="{1}" action="{0}"/>',
        '{{"action": {{"name": "{0}"}}, "object": "{1}"}}',
        '{{"objects": ["{1}"], "function": {{"type": "{0}"}}}}',
    ],
)
def test_an_action_and_its_object_may_be_elements_with_a_name_each(step: str) -> None:
    calls = [step.format(*words) for words in (("open", "fridge.40"), ("grab", "juice.44"))]
    assert [str(each) for each in read_answer("\n".join(calls), NAMES).steps] == [
        "open(fridge.40)",
        "grab(juice.44)",
    ]
