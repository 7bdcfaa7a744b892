"""Goals are read however they are written: as terms, in words, under keys and in sections."""

from __future__ import annotations

import pytest
from small_virtualhome import ARITIES, small_task

from eai.abilities import GoalNames, read_goals
from eai.abilities.goal_interpretation.grammar import GoalGrammar
from eai.task import Vocabulary

PREDICATES = {
    "on": 1,
    "open": 1,
    "plugged_in": 1,
    "computer": 1,
    "ontop": 2,
    "facing": 2,
    "holds_rh": 2,
}
KNOWN = small_task("off lamp.1; off computer.2; readable book.3; inside cup.5 kitchen.1").vocabulary
NAMES = GoalNames(Vocabulary(ARITIES, PREDICATES, KNOWN.objects, KNOWN.classes))


def said(answer: str) -> list[str]:
    """Return the goals of an answer with their kinds; of one that is not read the kind alone."""
    found = []
    for goal in read_goals(answer, NAMES).goals:
        arguments = f"({', '.join(goal.arguments)})" if goal.arguments else ""
        negation = "not " if goal.negated else ""
        name = f"{negation}{goal.name}{arguments}" if goal.name else ""
        found.append(f"{goal.kind} {name}".strip())
    return found


READ: list[tuple[str, list[str]]] = [
    (
        "The lamp must be ON. The action DRINK has to be executed.",
        ["state ON(lamp)", "action DRINK"],
    ),
    (
        "- ON(lamp)\n\nActions which have to be taken: DRINK, WATCH",
        ["state ON(lamp)", "action DRINK", "action WATCH"],
    ),
    ("ON(lamp). No action DRINK is needed.", ["state ON(lamp)"]),
    ("name: lamp\nstate: ON\nstate: PLUGGED_IN", ["state ON(lamp)", "state PLUGGED_IN(lamp)"]),
    ("state: ON\nname: lamp\nstate: OPEN\nname: cup", ["state ON(lamp)", "state OPEN(cup)"]),
    (
        '```python\nclass EdgeGoal:\n    subject: str = "book"\n    relation: str = "ONTOP"\n'
        '    target: str = "cup"\n```',
        ["relation ONTOP(book, cup)"],
    ),
    (
        '{"lamp": {"ON": "true", "PLUGGED_IN": "no"}, "book": {"ONTOP": "cup"}}',
        ["state ON(lamp)", "state not PLUGGED_IN(lamp)", "relation ONTOP(book, cup)"],
    ),
    (
        '{"lamp": {"states": ["ON"]}, "book": {"relations": {"ONTOP": "cup"}}}',
        ["state ON(lamp)", "relation ONTOP(book, cup)"],
    ),
    ("book(ontop(cup)).\nlamp(state(ON)).", ["relation ontop(book, cup)", "state ON(lamp)"]),
    ('{"node goals": [{"name": "cup", "state": []}, "ON(lamp)"]}', ["state ON(lamp)"]),
    (
        '<actions><note>ok</note><item>{"name": "lamp", "state": "ON"}</item>'
        '<item>{"action": "READ"}</item></actions>',
        ["state ON(lamp)", "action READ"],
    ),
    ("Node goals:\n- ON(lamp)\n\n3.5 m of rain, and why", ["state ON(lamp)"]),
    ("turn ON the lamp, and the cup is OPEN", ["state ON(lamp)", "state OPEN(cup)"]),
    ('{"wrapper": ["hm"], "node goals": ["ON(lamp)"]}', ["state ON(lamp)"]),
    ("Do not use the following:\n{}\nON(lamp)", ["state ON(lamp)"]),
    ('Wrong:\n{"a": 1}\nON(lamp)', ["state ON(lamp)"]),
    ('{"node goals": ["ON(lamp)"], "name": "answer"}', ["state ON(lamp)"]),
    ('{"lamp": "ON", "object": "cup"}', ["state ON(lamp)"]),
    ("READ, ON(lamp)", ["action READ", "state ON(lamp)"]),
    ("```\nobject: lamp\n```\n```\nstate: ON\n```", ["state ON(lamp)"]),
    ("<goal>\n<object>lamp</object>\n<state>ON</state>\n</goal>", ["state ON(lamp)"]),
    ("<goal>\nobject: lamp\nstate: ON\n</goal>", ["state ON(lamp)"]),
    ('{"state": "ON(lamp)", "action": "READ"}', ["state ON(lamp)", "action READ"]),
    (
        '{"goals": {"edge_1": "ONTOP(book, cup)", "action_1": "READ"}}',
        ["relation ONTOP(book, cup)", "action READ"],
    ),
    ('action_goals = [NodeGoal(name="lamp", state="ON")]', ["state ON(lamp)"]),
    ('node_goals = [Goal(name="lamp", state="ON")]', ["state ON(lamp)"]),
    ('action_goals = [Goal(action="READ")]', ["action READ"]),
    ('node_goals = [ActionGoal("READ")]', ["action READ"]),
    ('[goals.add_edge("book", "ONTOP", "cup")]', ["relation ONTOP(book, cup)"]),
    ("READ; ON(lamp); READ", ["action READ", "state ON(lamp)", "action READ"]),
    ("Edge goals:\n- lamp NEARBY cup", ["relation NEARBY(lamp, cup)"]),
    ('[{"object": "lamp", "state": "ON", "kind":}]', ["state ON(lamp)"]),
    ('{"object": "lamp", "state": "ON", "x":}', ["state ON(lamp)"]),
    (
        '[{"from": "book", "relation": "ONTOP", "to": "cup", "x":, "y": 1}]',
        ["relation ONTOP(book, cup)"],
    ),
    ('{"edge goals": [["lamp", "cup", "FLYING"]]}', ["relation FLYING(lamp, cup)"]),
    ('{"edge goals": [["lamp", "FLYING", "cup"]]}', ["relation FLYING(lamp, cup)"]),
    ('{"node goals": [["lamp", "FLYING"]]}', ["state FLYING(lamp)"]),
    ("object,state\nlamp,ON\ncup,OPEN", ["state ON(lamp)", "state OPEN(cup)"]),
    ('{"node goals": []}\n{"edge goals": ["ONTOP(book, cup)"]}', ["relation ONTOP(book, cup)"]),
    ('[[], {"name": "lamp", "state": "ON"}]', ["state ON(lamp)"]),
    ("Node goals:\nnone\nEdge goals:\n- book ONTOP cup", ["relation ONTOP(book, cup)"]),
    ("ON(lamp) is false", ["state not ON(lamp)"]),
    ("lamp is ON; cup is not OPEN", ["state ON(lamp)", "state not OPEN(cup)"]),
    ("edge goals: lamp, FLYING, cup", ["relation FLYING(lamp, cup)"]),
    (
        "node: lamp ON\nedge: book ONTOP cup\naction: READ",
        ["state ON(lamp)", "relation ONTOP(book, cup)", "action READ"],
    ),
    (
        '{"state": ["ON(lamp)"], "relation": ["ONTOP(book, cup)"]}',
        ["state ON(lamp)", "relation ONTOP(book, cup)"],
    ),
    ('{"lamp": "ON", "reason": "dark"}', ["state ON(lamp)"]),
    ("The goal is name=lamp, state=ON", ["state ON(lamp)"]),
    ("I like action=READ", ["action READ"]),
    ("object: lamp, relation: ON", ["state ON(lamp)"]),
    ("name=unicorn, state=ON", ["state ON(unicorn)"]),
    ("object: unicorn; state: ON", ["state ON(unicorn)"]),
    ("ON the lamp and OPEN the cup", ["state ON(lamp)", "state OPEN(cup)"]),
    (
        "ON the lamp, OPEN the cup, PLUGGED_IN the lamp",
        ["state ON(lamp)", "state OPEN(cup)", "state PLUGGED_IN(lamp)"],
    ),
    (
        "FACING the book and the lamp, ON the cup",
        ["relation FACING(book, lamp)", "state ON(cup)"],
    ),
    ("ONTOP the book the cup and ON the lamp", ["relation ONTOP(book, cup)", "state ON(lamp)"]),
    ("the lamp ON, the cup OPEN", ["state ON(lamp)", "state OPEN(cup)"]),
    ("the lamp is on and open", ["state on(lamp)", "state open(lamp)"]),
    (
        "the lamp and the cup facing, the book open",
        ["relation facing(lamp, cup)", "state open(book)"],
    ),
    (
        '{"edge goals": {"book": [["ONTOP", "cup"], ["FACING", "lamp"]]}}',
        ["relation ONTOP(book, cup)", "relation FACING(book, lamp)"],
    ),
    (
        '{"edge goals": {"book": [{"ONTOP": "cup"}, {"FACING": "lamp"}]}}',
        ["relation ONTOP(book, cup)", "relation FACING(book, lamp)"],
    ),
    (
        '{"book": {"ONTOP": ["cup"], "FACING": ["lamp", "cup"]}}',
        ["relation ONTOP(book, cup)", "relation FACING(book, lamp)", "relation FACING(book, cup)"],
    ),
    (
        '{"edge goals": {"ONTOP": [["book", "cup"], ["lamp", "cup"]]}}',
        ["relation ONTOP(book, cup)", "relation ONTOP(lamp, cup)"],
    ),
    ('{"edge goals": {"ONTOP": {"book": "cup"}}}', ["relation ONTOP(book, cup)"]),
    ('{"node goals": {"unicorn": "SHINY"}}', ["state SHINY(unicorn)"]),
    ('{"node goals": {"lamp": [["ON"]]}}', ["state ON(lamp)"]),
    ('{"node goals": {"lamp": [["ON", "OPEN", []]]}}', ["state ON(lamp)", "state OPEN(lamp)"]),
    ('{"action goals": {"READ": [], "FLY": {}}}', ["action READ", "action FLY"]),
    ("\u00ac(lamp ON)", ["state not ON(lamp)"]),
    ("!(lamp ON)", ["state not ON(lamp)"]),
    ("not (lamp ON)", ["state not ON(lamp)"]),
    ("not(lamp ON)", ["state not ON(lamp)"]),
    ("(not lamp ON)", ["state not ON(lamp)"]),
    ("(NOT book ONTOP cup)", ["relation not ONTOP(book, cup)"]),
    ("(lamp ON)", ["state ON(lamp)"]),
    ('["not", "ON(lamp)"]', ["state not ON(lamp)"]),
    ('["not", "not ON(lamp)"]', ["state ON(lamp)"]),
    ('["not", "lamp", "ON"]', ["state not ON(lamp)"]),
    ('["book", "cup", "ONTOP"]', ["relation ONTOP(book, cup)"]),
    (
        '[["book", "ONTOP", "cup"], ["lamp", "ON"]]',
        ["relation ONTOP(book, cup)", "state ON(lamp)"],
    ),
    ('{"node goals": ["computer", "ON"]}', ["state ON(computer)"]),
    ('[["computer", "computer"]]', ["state computer(computer)"]),
    ('[["facing", "computer", "lamp"]]', ["relation facing(computer, lamp)"]),
    ('{"edge goals": ["book", "ONTOP", "cup"]}', ["relation ONTOP(book, cup)"]),
    ("ON(lamp)", ["state ON(lamp)"]),
    ("not ON(lamp)", ["state not ON(lamp)"]),
    ("ON (lamp)", ["state ON(lamp)"]),
    ("(on lamp)", ["state on(lamp)"]),
    ("(not (on lamp))", ["state not on(lamp)"]),
    ("(ontop book cup)", ["relation ontop(book, cup)"]),
    ("ONTOP(book, cup)", ["relation ONTOP(book, cup)"]),
    ("ontop(obj=book, on=cup)", ["relation ontop(book, cup)"]),
    ("holds rh(book, cup)", ["relation holds rh(book, cup)"]),
    ("HOLDS_RH(book, cup)", ["relation HOLDS_RH(book, cup)"]),
    ("node: ON(lamp)", ["state ON(lamp)"]),
    ("lamp: ON", ["state ON(lamp)"]),
    ("lamp -> ON", ["state ON(lamp)"]),
    ("lamp = ON", ["state ON(lamp)"]),
    ("lamp is ON", ["state ON(lamp)"]),
    ("lamp should be ON", ["state ON(lamp)"]),
    ("ON: lamp", ["state ON(lamp)"]),
    ("book | ONTOP | cup", ["relation ONTOP(book, cup)"]),
    ("book, ONTOP, cup", ["relation ONTOP(book, cup)"]),
    ("edge,book,ONTOP,cup", ["relation ONTOP(book, cup)"]),
    ("node,lamp,ON", ["state ON(lamp)"]),
    ("(node) ON(lamp)", ["state ON(lamp)"]),
    ("[edge] book ONTOP cup", ["relation ONTOP(book, cup)"]),
    ("ON(lamp); OPEN(cup)", ["state ON(lamp)", "state OPEN(cup)"]),
    ("ON(lamp), READ, OPEN(cup)", ["state ON(lamp)", "action READ", "state OPEN(cup)"]),
    ("READ", ["action READ"]),
    ("read, grab", ["action read", "action grab"]),
    ("READ(book)", ["action READ(book)"]),
    ("action: READ", ["action READ"]),
    ("action: FLY", ["action FLY"]),
    ("Actions: READ, GRAB", ["action READ", "action GRAB"]),
    ("Actions: READ - it is a book", ["action READ"]),
    ("The lamp is on.", ["state on(lamp)"]),
    ("The lamp and the cup are on.", ["state on(lamp)", "state on(cup)"]),
    ("lamp, cup and book are open", ["state open(lamp)", "state open(cup)", "state open(book)"]),
    ("The lamp is not on.", ["state not on(lamp)"]),
    ("The lamp is no longer on, the cup is open", ["state not on(lamp)", "state open(cup)"]),
    ("The lamp isn't on", ["state not on(lamp)"]),
    ("The book is ontop the cup", ["relation ontop(book, cup)"]),
    ("Put the book and the cup so they are facing", ["relation facing(book, cup)"]),
    ("ON the lamp", ["state ON(lamp)"]),
    ("It must be facing the book, cup", ["relation facing(book, cup)"]),
    (
        "The book is facing the lamp. The cup is open; the lamp is on",
        ["relation facing(book, lamp)", "state open(cup)", "state on(lamp)"],
    ),
    ("book and lamp facing", ["relation facing(book, lamp)"]),
    ("name=lamp, state=ON", ["state ON(lamp)"]),
    ('name="lamp", state="ON"', ["state ON(lamp)"]),
    ("object: book; relation: ONTOP; target: cup", ["relation ONTOP(book, cup)"]),
    ("name: lamp\nstate: ON", ["state ON(lamp)"]),
    (
        "- name: lamp\n  state: ON\n- name: cup\n  state: OPEN",
        ["state ON(lamp)", "state OPEN(cup)"],
    ),
    ("from: book\nrelation: ONTOP\nto: cup", ["relation ONTOP(book, cup)"]),
    ("- lamp\n  - ON\n  - OPEN", ["state ON(lamp)", "state OPEN(lamp)"]),
    ("- book\n  - ONTOP: cup", ["relation ONTOP(book, cup)"]),
    ("action: READ\nobject: book", ["action READ"]),
    ("SHINE(lamp)", ["state SHINE(lamp)"]),
    ("ON(unicorn)", ["state ON(unicorn)"]),
    ("Node goals:\n- SHINE(unicorn)", ["state SHINE(unicorn)"]),
    ("Action goals:\n- FLY", ["action FLY"]),
    ("Node goals:\nnone\nEdge goals:\nnone\nAction goals:\n- READ", ["action READ"]),
    ("Node goals: ON(lamp), OPEN(cup)\nEdge goals: none", ["state ON(lamp)", "state OPEN(cup)"]),
    ("**Node goals**\n1. lamp: ON\n2. cup: OPEN", ["state ON(lamp)", "state OPEN(cup)"]),
    (
        "States:\nON(lamp)\nRelations:\nONTOP(book, cup)",
        ["state ON(lamp)", "relation ONTOP(book, cup)"],
    ),
    ("ON(lamp)\nThe cup is open.", ["state ON(lamp)", "state open(cup)"]),
    ("The cup is open.\nON(lamp)", ["state open(cup)", "state ON(lamp)"]),
    ("Reason: ON(lamp)\nOPEN(cup)", ["state OPEN(cup)"]),
    ('["ON(lamp)", "OPEN(cup)"]', ["state ON(lamp)", "state OPEN(cup)"]),
    ('[["lamp", "ON"]]', ["state ON(lamp)"]),
    ('["lamp", "ON"]', ["state ON(lamp)"]),
    ('["ON", "lamp"]', ["state ON(lamp)"]),
    ('["book", "ONTOP", "cup"]', ["relation ONTOP(book, cup)"]),
    ('["READ", "GRAB"]', ["action READ", "action GRAB"]),
    ('["ON(lamp)", "FLY"]', ["state ON(lamp)", "action FLY"]),
    ('[["not", "lamp", "ON"]]', ["state not ON(lamp)"]),
    ('["not", ["ON", "lamp"]]', ["state not ON(lamp)"]),
    ('[["SHINE", "lamp"]]', ["state SHINE(lamp)"]),
    ('{"node goals": [], "edge goals": [], "action goals": ["READ"]}', ["action READ"]),
    ('{"node goals": ["SHINE(unicorn)"]}', ["state SHINE(unicorn)"]),
    (
        (
            '{"node goals": [{"name": "lamp", "state": "ON"}], "edge goals": '
            '[{"from_name": "book", "relation": "ONTOP", "to_name": "cup"}], "action '
            'goals": [{"action": "READ"}]}'
        ),
        ["state ON(lamp)", "relation ONTOP(book, cup)", "action READ"],
    ),
    (
        '{"node goals": {"lamp": "ON", "cup": ["OPEN", "ON"]}}',
        ["state ON(lamp)", "state OPEN(cup)", "state ON(cup)"],
    ),
    ('{"node goals": {"ON": ["lamp", "cup"]}}', ["state ON(lamp)", "state ON(cup)"]),
    ('{"edge goals": {"book": {"ONTOP": "cup"}}}', ["relation ONTOP(book, cup)"]),
    (
        '{"edge goals": {"book": {"ONTOP": ["cup", "lamp"]}}}',
        ["relation ONTOP(book, cup)", "relation ONTOP(book, lamp)"],
    ),
    ('{"lamp": "ON"}', ["state ON(lamp)"]),
    ('{"lamp": {"state": "ON"}}', ["state ON(lamp)"]),
    ('{"lamp": ["ON", "OPEN"]}', ["state ON(lamp)", "state OPEN(lamp)"]),
    ('{"book": {"ONTOP": "cup"}}', ["relation ONTOP(book, cup)"]),
    ('{"type": "node", "name": "lamp", "state": "ON"}', ["state ON(lamp)"]),
    (
        '[{"type": "edge", "from": "book", "relation": "ONTOP", "to": "cup"}]',
        ["relation ONTOP(book, cup)"],
    ),
    ('[{"kind": "action", "name": "READ"}]', ["action READ"]),
    (
        (
            '[{"predicate": "ON", "args": ["lamp"]}, {"predicate": "ONTOP", "arguments": '
            '["book", "cup"]}]'
        ),
        ["state ON(lamp)", "relation ONTOP(book, cup)"],
    ),
    ('{"predicate": "ON", "object": "lamp", "value": false}', ["state not ON(lamp)"]),
    ('{"predicate": "ON", "object": "lamp", "value": true}', ["state ON(lamp)"]),
    ('{"not": {"predicate": "ON", "object": "lamp"}}', ["state not ON(lamp)"]),
    ('{"not": ["ON(lamp)", "OPEN(cup)"]}', ["state not ON(lamp)", "state not OPEN(cup)"]),
    ('{"object": "lamp", "state": "ON", "negated": "no"}', ["state ON(lamp)"]),
    ('{"object": "lamp", "state": ["ON", "OPEN"]}', ["state ON(lamp)", "state OPEN(lamp)"]),
    ('{"action": "READ", "object": "book"}', ["action READ"]),
    ('{"verb": "GRAB"}', ["action GRAB"]),
    (
        '{"node goals": [{"name": "lamp", "state": "ON", "confidence": 0.9, "reason": "OPEN"}]}',
        ["state ON(lamp)"],
    ),
    ('{"goals": ["ON(lamp)"]}', ["state ON(lamp)"]),
    ('{"answer": {"goals": ["ON(lamp)"]}}', ["state ON(lamp)"]),
    ('{"output": "ON(lamp)"}', ["state ON(lamp)"]),
    ('{"answer": "ON(lamp)\\nOPEN(cup)"}', ["state ON(lamp)", "state OPEN(cup)"]),
    ('{"answer": "[\\"ON(lamp)\\"]"}', ["state ON(lamp)"]),
    ('{"answer": "{\\"node goals\\": [\\"ON(lamp)\\"]}"}', ["state ON(lamp)"]),
    ('{"note": "whatever", "goals": ["ON(lamp)"]}', ["state ON(lamp)"]),
    ("[ON(lamp), ONTOP(book, cup)]", ["state ON(lamp)", "relation ONTOP(book, cup)"]),
    ('[NodeGoal(name="lamp", state="ON")]', ["state ON(lamp)"]),
    (
        '[node("lamp", "ON"), edge("book", "ONTOP", "cup"), action("READ")]',
        ["state ON(lamp)", "relation ONTOP(book, cup)", "action READ"],
    ),
    ('[Goal(object="lamp", state="ON")]', ["state ON(lamp)"]),
    ('{"edge goals": [NodeGoal(name="lamp", state="ON")]}', ["state ON(lamp)"]),
    ('[ActionGoal(name="READ")]', ["action READ"]),
    ('{"node goals": "ON(lamp)"}', ["state ON(lamp)"]),
    (
        '{"node goals": "ON(lamp), OPEN(cup)", "action goals": "READ"}',
        ["state ON(lamp)", "state OPEN(cup)", "action READ"],
    ),
    ('{"node goals": [null, "ON(lamp)"]}', ["state ON(lamp)"]),
    ('{"action goals": ["fly to the moon"]}', ["action fly to the moon"]),
    ('{"action goals": [["READ", "book"]]}', ["action READ(book)"]),
    ('{"action goals": {"READ": "book"}}', ["action READ(book)"]),
    (
        '[[node_goals]]\nname = "lamp"\nstate = "ON"\n[[node_goals]]\nname = "cup"\nstate = "OPEN"',
        ["state ON(lamp)", "state OPEN(cup)"],
    ),
    ("node_goals:\n  - name: lamp\n    state: ON\naction_goals: []", ["state ON(lamp)"]),
    (
        "<node_goals>ON(lamp)</node_goals><edge_goals>ONTOP(book, cup)</edge_goals>",
        ["state ON(lamp)", "relation ONTOP(book, cup)"],
    ),
    ("<action>READ</action>", ["action READ"]),
    ("<thought>ON(lamp)</thought><answer>OPEN(cup)</answer>", ["state OPEN(cup)"]),
    (
        "- from: book\n  relation: ONTOP\n  to: cup\n- from: lamp\n  relation: FACING\n  to: cup",
        ["relation ONTOP(book, cup)", "relation FACING(lamp, cup)"],
    ),
    ("name: READ", ["action READ"]),
    (
        "Node goals:\n- ON(lamp)\nEdge goals:\n- no edge goals\nAction goals:\n- none needed",
        ["state ON(lamp)"],
    ),
    (
        (
            '{"node goals": {"lamp": {"state": ["ON", "OPEN"], "confidence": 1}, "cup": '
            '{"state": "OPEN"}}}'
        ),
        ["state ON(lamp)", "state OPEN(lamp)", "state OPEN(cup)"],
    ),
    ('{"edge goals": {"book": {"relation": "ONTOP", "to": "cup"}}}', ["relation ONTOP(book, cup)"]),
    ('{"book": {"relation": "ONTOP", "target": "cup"}}', ["relation ONTOP(book, cup)"]),
]
PARTIAL: list[tuple[str, list[str]]] = [
    ('{"answer": {"node goals": ["as it was before the guests"]}}', ["state"]),
    (
        '{"answer": {"node goals": ["as it was before"], "edge goals": ["ONTOP(book, cup)"]}}',
        ["state", "relation ONTOP(book, cup)"],
    ),
    ('{"wrapper": ["hm", "READ"]}', ["", "action READ"]),
    ('["not", "lamp"]', ["", ""]),
    ('["lamp"]', [""]),
    ('[{"lamp": "ON"}, "cup"]', ["state ON(lamp)", ""]),
    ('["ON", "lamp", "cup"]', ["", "", ""]),
    # Only a list of nothing but texts may hold the words of one goal.
    ('["lamp", "ON", ["OPEN", "cup"]]', ["", "action ON", "state OPEN(cup)"]),
    ('["lamp", "ON", {"state": "OPEN", "object": "cup"}]', ["", "action ON", "state OPEN(cup)"]),
    ("Node goals:\n- unicorn: SHINE", ["state"]),
    ("Edge goals:\n- unicorn ONTOP moon", ["relation"]),
    ("Action goals:\n- do whatever the owner might like here", ["action"]),
    ('[["SHINE", "unicorn"]]', [""]),
]


@pytest.mark.parametrize(("answer", "expected"), READ)
def test_goals_are_read_in_each_notation(answer: str, expected: list[str]) -> None:
    assert said(answer) == expected
    assert read_goals(answer, NAMES).status == "clean"


@pytest.mark.parametrize(("answer", "expected"), PARTIAL)
def test_an_item_of_a_section_that_is_no_goal_is_kept_unread(
    answer: str, expected: list[str]
) -> None:
    assert said(answer) == expected
    assert read_goals(answer, NAMES).status == "partial"


@pytest.mark.parametrize(
    ("answer", "rule", "expected"),
    [
        ("Not this: ON(lamp)\nFinal answer: OPEN(cup)", "final", ["state OPEN(cup)"]),
        ("use this:\nON(lamp)\nor use this:\nOPEN(cup)", "last", ["state OPEN(cup)"]),
        ('{"final": ["ON(lamp)"], "draft": ["OPEN(cup)"]}', "final", ["state ON(lamp)"]),
        (
            '{"final goals": ["ON(lamp)"], "rejected goals": ["OPEN(cup)"]}',
            "not rejected",
            ["state ON(lamp)"],
        ),
    ],
)
def test_of_several_goals_those_that_are_meant_are_read(
    answer: str, rule: str, expected: list[str]
) -> None:
    assert said(answer) == expected
    assert read_goals(answer, NAMES).rule == rule


@pytest.mark.parametrize(
    "answer",
    [
        '{"node goals": ["ON(lamp)",',
        '{"thought": "ON(lamp)"}',
        "(lamp cup)",
        "not (lamp cup)",
        "the (lamp book cup) there",
        "SHINE(unicorn)",
        "- SHINE(unicorn)",
        "Reason: ON(lamp)",
        "The unicorn is shiny.",
        "<thought>ON(lamp)</thought>",
        "<goal>\nobject: lamp\n</goal>\n<goal>\nstate: ON\n</goal>",
    ],
)
def test_what_is_no_goal_is_not_read(answer: str) -> None:
    found = read_goals(answer, NAMES)
    assert (found.goals, found.status) == ((), "none")
    assert found.problem is not None


@pytest.mark.parametrize(
    ("answer", "places"),
    [
        ("Now: ON(lamp); OPEN(cup)", ["ON(lamp)", "OPEN(cup)"]),
        ("The lamp is on. The cup is open", ["lamp", "cup"]),
        ("ON(lamp), READ, OPEN(cup)", ["ON(lamp)", " READ", "OPEN(cup)"]),
        ("Actions: READ, then GRAB it - quickly", ["READ", "GRAB"]),
        ('{"goals": ["ON(lamp)", ["cup", "OPEN"]]}', ['"ON(lamp)"', '["cup"']),
        ('{"answer": "[\\"ON(lamp)\\", \\"OPEN(cup)\\"]"}', ['"[', '"[']),
        ('{"cup": "OPEN", "lamp": {"state": "ON"}}', ['"cup"', '"lamp"']),
        ('[{"name": "cup", "state": "OPEN"}]', ['{"name"']),
        ("<think>x</think>\n- cup: OPEN", ["cup"]),
        ("Actions: READ, GRAB", ["READ", "GRAB"]),
        ("Action goals:\n- GRAB and READ", ["GRAB", "READ"]),
        ("I say: turn ON the lamp; OPEN the cup", ["ON", "OPEN"]),
        ("Edge goals:\n- book FLYING cup", ["book"]),
        ("Node goals: name=cup, state=OPEN", ["name"]),
        ("ON(lamp) (READ)", ["ON", "READ"]),
        ("Is: SHINE(lamp), GLOW(cup)", ["SHINE", "GLOW"]),
        ("not (ON lamp), (OPEN cup)", ["not (", " (OPEN"]),
        ("Node goals:\n- ON(lamp)\n- it shall shine", ["ON", "it"]),
        ("Action goals:\n- fly away\n- READ (the book)", ["fly", "READ"]),
        ("object,state\nlamp,ON\ncup,OPEN", ["lamp", "cup"]),
        ("negated,predicate,object\nno,on,lamp\nyes,open,cup", ["no,", "yes"]),
        ("| Object | State |\n|---|---|\n| lamp | ON |", ["| lamp"]),
        ("- lamp\n  - ON\n  - OPEN", ["ON", "OPEN"]),
        ("<goal><object>lamp</object><state>ON</state></goal>", ["<goal>"]),
        ("see <goals>ON(lamp)\nOPEN(cup)</goals>", ["ON", "OPEN"]),
        ("lamp.on = False; cup.open = True", ["lamp", "cup"]),
        ("The book must be ontop the cup. READ", ["book", "READ"]),
        ('x = [NodeGoal("lamp", "ON"), ActionGoal("READ")]', ["NodeGoal", "ActionGoal"]),
        ('{"node goals": {"lamp": ["ON", "OPEN"]}}', ['"lamp"', '"lamp"']),
        (
            '{"edge goals": {"book": {"ONTOP": "cup"}}, "action goals": ["READ"]}',
            ['"book', '"READ'],
        ),
    ],
)
def test_a_goal_stands_where_it_is_written(answer: str, places: list[str]) -> None:
    found = [goal.position for goal in read_goals(answer, NAMES).goals]
    assert found == [answer.index(place) for place in places]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ('["not", "ON(lamp)"]', ["state not ON(lamp)"]),
        ('[["not", "ON(lamp)"]]', ["state not ON(lamp)"]),
        ('[["not", "lamp is ON"], "OPEN(cup)"]', ["state not ON(lamp)", "state OPEN(cup)"]),
        (
            '{"node goals": [["not", "ON(lamp)"], ["OPEN", "cup"]]}',
            ["state not ON(lamp)", "state OPEN(cup)"],
        ),
        ('{"node goals": [["not", "not ON(lamp)"]]}', ["state ON(lamp)"]),
        ('{"node goals": [["not", "shiny"]]}', ["state"]),
        ('{"action goals": [["not", "READ"]]}', ["action not READ"]),
    ],
)
def test_a_negation_beside_a_goal_in_a_list_negates_it(answer: str, expected: list[str]) -> None:
    assert said(answer) == expected


@pytest.mark.parametrize(
    ("key", "says_true"),
    [("negated", False), ("not", False), ("isNegated", False), ("is_not", False), ("value", True)],
)
@pytest.mark.parametrize(
    ("value", "truth"),
    [
        ("true", True),
        ('"Yes"', True),
        ("1", True),
        ("false", False),
        ('"no"', False),
        ("0", False),
        ("null", None),
        ('"ON"', None),
    ],
)
def test_a_truth_value_beside_the_parts_of_a_goal_negates_it(
    key: str, says_true: bool, value: str, truth: bool | None
) -> None:
    is_negated = truth is not None and truth is not says_true
    expected = ["state not ON(lamp)" if is_negated else "state ON(lamp)"]
    assert said(f'[{{"object": "lamp", "state": "ON", "{key}": {value}}}]') == expected


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ('[{"not": "ON(lamp)"}]', ["state not ON(lamp)"]),
        ('[{"negated": "lamp is not ON"}, "OPEN(cup)"]', ["state ON(lamp)", "state OPEN(cup)"]),
        ('[{"not": {"object": "lamp", "state": "ON"}}]', ["state not ON(lamp)"]),
        ('[{"not": ["ON", "lamp"]}]', ["state not ON(lamp)"]),
        ('[{"not": ["ON(lamp)", "OPEN(cup)"]}]', ["state not ON(lamp)", "state not OPEN(cup)"]),
        ('[{"object": "lamp", "value": "ON"}]', ["state ON(lamp)"]),
        ('[{"object": "lamp", "state": "ON", "note": "true"}]', ["state ON(lamp)"]),
    ],
)
def test_what_stands_under_a_negation_shall_be_false(answer: str, expected: list[str]) -> None:
    assert said(answer) == expected


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("(shine lamp)", ["state shine(lamp)"]),
        ("(near lamp cup)", ["relation near(lamp, cup)"]),
        ("(shine lamp), ON(cup)", ["state shine(lamp)", "state ON(cup)"]),
        ("(shine lamp cup book)", []),
        ("(shine unicorn)", []),
        ("I mean (shine lamp)", []),
        ("shine (lamp cup)", []),
        ("ON(cup), see also (near lamp)", ["state ON(cup)"]),
    ],
)
def test_an_unknown_name_before_objects_in_brackets_is_a_goal_unless_words_lead_to_it(
    answer: str, expected: list[str]
) -> None:
    assert said(answer) == expected


@pytest.mark.parametrize("connective", [" and ", ", then ", "; ", " then ", ", and "])
def test_actions_alone_beside_terms_are_read_before_and_behind_them(connective: str) -> None:
    goals = ["action GRAB", "state ON(lamp)", "action READ", "state OPEN(cup)", "action WASH"]
    answer = connective.join(goal.split()[1] for goal in goals)
    assert said(answer) == goals
    # Words that are no actions of the task are talk.
    assert said(f"so {connective.join(['ON(lamp)', 'be happy'])}") == ["state ON(lamp)"]


GRAMMAR = GoalGrammar(NAMES)


def test_long_texts_are_not_read() -> None:
    assert len(GRAMMAR.text("", "ON(lamp)" + " " * 19_992, 0)) == 1
    assert not GRAMMAR.text("", "ON(lamp)" + " " * 19_993, 0)


@pytest.mark.parametrize(
    ("text", "only"),
    [("ON(lamp)", True), ("the lamp is ON", True), ("the lamp shall be ON", False), ("", True)],
)
def test_hardly_more_than_names_is_said(text: str, only: bool) -> None:
    assert GRAMMAR.has_only_goals(text) is only


@pytest.mark.parametrize(
    "answer",
    [
        "[]",
        "[] is what I say",
        "Here are [] and {}",
        "| Object | State |\n|---|---|\n",
        "Node goals: []",
        "Node goals: none",
        '{"node goals": []}',
        '{"node goals": [], "edge goals": []}\nHm.',
    ],
)
def test_an_answer_may_say_that_there_are_no_goals(answer: str) -> None:
    found = read_goals(answer, NAMES)
    assert (found.goals, found.status, found.problem) == ((), "clean", None)


@pytest.mark.parametrize("answer", ['[]\n["ON(lamp)"]', '["ON(lamp)"]\n[]', "none: ON(lamp)"])
def test_goals_count_more_than_an_empty_list(answer: str) -> None:
    assert said(answer) == ["state ON(lamp)"]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ('ON(lamp)\n<answer>{"node goals": []}</answer>', []),
        ('["ON(lamp)"]\nFinal:\n{"node goals": [], "edge goals": []}', []),
        ('["ON(lamp)"]\n{"node goals": []}', ["state ON(lamp)"]),
        ("ON(lamp)\n<answer>[]</answer>", ["state ON(lamp)"]),
        ('ON(lamp)\n<answer>{"goals": []}</answer>', ["state ON(lamp)"]),
        ("ON(lamp)\n\nFinal answer:\n[]", ["state ON(lamp)"]),
    ],
)
def test_sections_without_goals_are_the_answer_where_they_are_marked_as_it(
    answer: str, expected: list[str]
) -> None:
    assert said(answer) == expected


@pytest.mark.parametrize("answer", ["{}", "none", "", "..."])
def test_an_answer_that_says_nothing_is_not_read(answer: str) -> None:
    assert read_goals(answer, NAMES).status == "none"


@pytest.mark.parametrize(
    ("answer", "rule", "expected"),
    [
        ("ON(lamp)\n## Lamps\nOPEN(cup)", "", ["state ON(lamp)", "state OPEN(cup)"]),
        (
            "Node goals:\n- ON(lamp)\n## Lamps\n- OPEN(cup)",
            "",
            ["state ON(lamp)", "state OPEN(cup)"],
        ),
        ("Node goals:\n- ON(lamp)\n## Reasoning\n- OPEN(cup)", "not rejected", ["state ON(lamp)"]),
        ("ON(lamp)\n\n## Explanation\nThe cup is open.", "not rejected", ["state ON(lamp)"]),
        ("ON(lamp)\nThe reason is that OPEN(cup) was asked.", "", ["state ON(lamp)"]),
        (
            "**Actions**\n1. READ\n2. GRAB\n\n**Notes**\n1. OPEN(cup)",
            "not rejected",
            ["action READ", "action GRAB"],
        ),
        (
            "Node goals:\n- ON(lamp)\nThat is all.\nEdge goals:\n- ONTOP(book, cup)",
            "",
            ["state ON(lamp)", "relation ONTOP(book, cup)"],
        ),
        (
            (
                "Node goals:\n- ON(lamp)\n\nEdge goals:\n- ONTOP(book, cup)\n\nNode goals:\n"
                "- OPEN(cup)"
            ),
            "last",
            ["state OPEN(cup)"],
        ),
        ("The lamp must be on.\nThe cup must be open.", "", ["state on(lamp)", "state open(cup)"]),
        ("First version:\nON(lamp)\nFinal version:\nOPEN(cup)", "final", ["state OPEN(cup)"]),
        ("~~ON(lamp)~~\nOPEN(cup)", "not rejected", ["state OPEN(cup)"]),
        ("ON(lamp)\n<!-- OPEN(cup) -->", "not rejected", ["state ON(lamp)"]),
        ("```\nON(lamp)\n```\n```\nOPEN(cup)\n```", "last", ["state OPEN(cup)"]),
        ('["ON(lamp)"]\n["OPEN(cup)"]', "", ["state ON(lamp)", "state OPEN(cup)"]),
        ('ON(lamp)\n["OPEN(cup)"]', "formal", ["state OPEN(cup)"]),
        ('["ON(lamp)"]\nOPEN(cup)', "formal", ["state ON(lamp)"]),
        ('["ON(lamp)"]\nThe cup is open, too.', "", ["state ON(lamp)"]),
        ("lamp:\n  state: ON\ncup:\n  state: OPEN", "", ["state ON(lamp)", "state OPEN(cup)"]),
        (
            "object: lamp\nstate: ON\n\nobject: cup\nstate: OPEN",
            "",
            ["state ON(lamp)", "state OPEN(cup)"],
        ),
        ("name: lamp\nstate: ON\nname: cup\nstate: ON", "", ["state ON(lamp)", "state ON(cup)"]),
    ],
)
def test_lines_and_values_are_put_together_or_kept_apart(
    answer: str, rule: str, expected: list[str]
) -> None:
    assert said(answer) == expected
    assert read_goals(answer, NAMES).rule == rule


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ('{"node goals": {"lamp": {"on": true, "open": false}}}', None),
        ('{"lamp": {"on": "yes", "open": "No"}}', None),
        ('{"node goals": {"lamp": {"on": 1, "open": 0}}}', None),
        ('{"node goals": {"on": {"lamp": true}, "open": {"lamp": false}}}', None),
        ('{"node goals": {"on(lamp)": true, "open(lamp)": false}}', None),
        ("lamp:\n  on: true\n  open: false", None),
        ("- lamp\n  - on: yes\n  - open: no", None),
        ("node_goals:\n  lamp:\n    on: true\n    open: false", None),
        (
            '{"edge goals": {"book": {"ontop": {"cup": false, "lamp": true}}}}',
            ["relation not ontop(book, cup)", "relation ontop(book, lamp)"],
        ),
        ('{"action goals": {"READ": true, "GRAB": false}}', ["action READ", "action not GRAB"]),
        ('{"node goals": {"lamp": {"shine": true}}}', ["state shine(lamp)"]),
        ('{"node goals": {"lamp": {"shine": 1}}}', ["relation lamp(shine, 1)"]),
        ('{"node goals": {"lamp": true}}', ["state"]),
        ("- book\n  - ontop: cup\n  - facing: moon", ["relation ontop(book, cup)"]),
    ],
)
def test_a_truth_value_below_the_names_of_a_goal_says_whether_it_shall_be_true(
    answer: str, expected: list[str] | None
) -> None:
    assert said(answer) == (expected or ["state on(lamp)", "state not open(lamp)"])


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("negated,predicate,object\nyes,on,lamp\nno,open,cup", ["not on", "open"]),
        ("negated,predicate,object\nTrue,on,lamp\nfalse,open,cup", ["not on", "open"]),
        ("negated,predicate,object\nyes,shine,unicorn\nno,open,cup", ["not shine", "open"]),
        ("negated,predicate,object\nyes,on,lamp\nbe happy\nyes,open,cup", ["not on", "open"]),
        ("negated,predicate,object\nyes,on,lamp,x\nyes,open,cup", ["on", "open"]),
        ("predicate,object\non,lamp\nopen,cup", ["on", "open"]),
        ("negated,from,relation,to\nyes,book,ontop,cup", ["not ontop"]),
    ],
)
def test_a_column_says_which_rows_shall_be_false(answer: str, expected: list[str]) -> None:
    goals = read_goals(answer, NAMES).goals
    assert ["not " * goal.negated + goal.name for goal in goals] == expected


@pytest.mark.parametrize("brackets", ["[" * 300, "{" * 300])
def test_what_is_nested_too_deep_is_a_problem_beside_the_goals(brackets: str) -> None:
    alone = read_goals(brackets, NAMES)
    assert (alone.goals, alone.status) == ((), "none")
    answer = f"ON(lamp)\n{brackets}"
    beside = read_goals(answer, NAMES)
    assert [goal.name for goal in beside.goals] == ["ON"]
    assert beside.status == "partial"
    assert beside.problem is not None
    assert alone.problem is not None
    assert beside.problem.message == alone.problem.message
    assert beside.problem.position is not None
    assert answer[beside.problem.position] == brackets[0]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ('{"node goals": NodeGoal(name="lamp", state="ON")}', ["state ON(lamp)"]),
        (
            '{"x": Goals(NodeGoal(name="lamp", state="ON"), EdgeGoal("book", "ONTOP", "cup"))}',
            ["state ON(lamp)", "relation ONTOP(book, cup)"],
        ),
        ('[NodeGoal("lamp", "ON"), "cup": "OPEN"]', ["state ON(lamp)", "state OPEN(cup)"]),
        (
            '{"goals": [{"name": "cup", "state": "OPEN"}, "lamp": "ON"]}',
            ["state OPEN(cup)", "state ON(lamp)"],
        ),
        ("Edge goals:\n- book TO cup", ["relation TO(book, cup)"]),
        ("book TO cup", []),
        ("Edge goals:\n- unicorn TO cup", ["relation"]),
        ("Edge goals:\n- book T-O cup", ["relation"]),
        ("Edge goals:\n- book TO the cup", ["relation"]),
        ("Action goals:\n- fly to moon", ["action fly to moon"]),
        ("Action goals:\n- fly to the moon", ["action"]),
        ("goals = Goals(\nON(lamp)\n)", ["state ON(lamp)"]),
    ],
)
def test_calls_pairs_and_unknown_names_are_read_where_goals_are_expected(
    answer: str, expected: list[str]
) -> None:
    assert said(answer) == expected


@pytest.mark.parametrize(
    ("listed", "expected"),
    [
        ("READ, FLY", ["READ", "FLY"]),
        ("FLY and READ", ["FLY", "READ"]),
        ("READ, GRAB, READ", ["READ", "GRAB", "READ"]),
        ("UNREAD, READ", ["UNREAD", "READ"]),
        ("READ, carefully", ["READ"]),
        ("READ, because one has to LOOK", ["READ"]),
    ],
)
@pytest.mark.parametrize("section", ["Actions: {}", "Action goals:\n- {}"])
def test_a_word_in_capitals_beside_actions_is_an_action(
    section: str, listed: str, expected: list[str]
) -> None:
    answer = section.format(listed)
    goals = read_goals(answer, NAMES).goals
    assert [(goal.kind, goal.name) for goal in goals] == [("action", name) for name in expected]
    for number, goal in enumerate(goals):
        assert goal.position is not None
        assert answer[goal.position :].startswith(goal.name)
        assert goal.position >= answer.index(listed)
        assert number == 0 or goal.position > (goals[number - 1].position or 0)


@pytest.mark.parametrize("key", ["target", "item", "destination"])
def test_a_key_that_names_an_object_of_the_task_is_no_role_of_a_goal(key: str) -> None:
    answer = f'{{"book": {{"relation": "ONTOP", "{key}": "cup"}}}}'
    whole = ("relation", "ONTOP", ("book", "cup"))
    found = [(goal.kind, goal.name, goal.arguments) for goal in read_goals(answer, NAMES).goals]
    assert found == [whole]
    objects = KNOWN.objects | {f"{key}.9"}
    classes = {**KNOWN.classes, key: (f"{key}.9",)}
    names = GoalNames(Vocabulary(ARITIES, PREDICATES, objects, classes))
    found = [(goal.kind, goal.name, goal.arguments) for goal in read_goals(answer, names).goals]
    assert whole not in found
    assert any(key in arguments for _, _, arguments in found)


@pytest.mark.parametrize(
    ("states", "goals"),
    [
        ('"ON"', ["state ON(lamp)"]),
        ('["ON", "PLUGGED_IN"]', ["state ON(lamp)", "state PLUGGED_IN(lamp)"]),
        # Where one of the names is an action, all are; OPEN is a state as well.
        ('"OPEN"', ["action OPEN"]),
        ('["ON", "DRINK"]', ["action ON", "action DRINK"]),
        ('["OPEN", "ON"]', ["action OPEN", "action ON"]),
        ('["DRINK", "WATCH"]', ["action DRINK", "action WATCH"]),
    ],
)
def test_states_under_actions_are_states_unless_one_is_an_action(
    states: str, goals: list[str]
) -> None:
    assert said(f'{{"action goals": [{{"object": "lamp", "states": {states}}}]}}') == goals


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ('{"node goals": [ActionGoal(object="DRINK")]}', ["action DRINK"]),
        ('{"action goals": [NodeGoal(name="cup")]}', ["state"]),
        ('{"action goals": [Wish(name="DRINK")]}', ["action DRINK"]),
        ('[goals.add_action(name="WATCH", object="lamp")]', ["action WATCH"]),
        ('[NodeGoal(name="DRINK")]', ["state"]),
    ],
)
def test_the_name_of_a_call_with_keywords_says_the_kind_before_its_section(
    answer: str, expected: list[str]
) -> None:
    assert said(answer) == expected


def test_a_goal_with_its_arguments_in_a_list_counts_though_its_predicate_is_unknown() -> None:
    answer = '[{"predicate": "ON", "arguments": ["lamp"]}, {"predicate": "WET", "args": ["cup"]}]'
    assert said(answer) == ["state ON(lamp)", "state WET(cup)"]
