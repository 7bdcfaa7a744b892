"""Subgoals are read out of the many ways in which models write them, with and without names."""

from __future__ import annotations

from dataclasses import replace

import pytest

from eai.abilities import read_subgoals
from eai.abilities.subgoals.items import SubgoalGrammar
from eai.task import Vocabulary

NAMED = Vocabulary(
    actions={"drink": 1, "sleep": 0, "put_on": 2},
    predicates={"on": 1, "next_to": 2, "clean": 1},
    objects=frozenset({"me.1", "cup.2", "lamp.3", "water"}),
    classes={"me": ("me.1",), "cup": ("cup.2",), "lamp": ("lamp.3",)},
)


def texts(answer: str, vocabulary: Vocabulary | None) -> list[str]:
    return [subgoal.text for subgoal in read_subgoals(answer, vocabulary).subgoals]


SAME: list[tuple[str, list[str]]] = [
    ("Rejected step 1: on(cup.2)\nStep 2: on(lamp.3)", []),
    ("| Goal 1 | Goal 2 |\n|---|---|\n| on(lamp.3) | on(cup.2) |", ["on(lamp.3)", "on(cup.2)"]),
    ("- (((on(cup.2)\n- on(lamp.3)", ["on(cup.2)", "on(lamp.3)"]),
    ("Draft 1: on(cup.2)\nFinal 2: on(lamp.3)", ["on(lamp.3)"]),
    ("Final answer 1: on(cup.2)\n2: on(lamp.3)", ["on(cup.2)", "on(lamp.3)"]),
    ('[{"before": "on(cup.2)", "goal": "clean(cup.2)"}]', ["clean(cup.2)"]),
    ('[{"x": "on(cup.2)", "subgoal": "clean(cup.2)"}]', ["clean(cup.2)"]),
    ('[{"x": "on(cup.2)", "condition": "clean(cup.2)"}]', ["clean(cup.2)"]),
    ('{"output": "on(lamp.3)", "other": ["clean(cup.2)"]}', ["clean(cup.2)"]),
    ('{"output": ["on(lamp.3)"], "final_plan": ["clean(cup.2)"]}', ["clean(cup.2)"]),
    ('{"output": ["on(lamp.3)"], "rejected": ["clean(cup.2)"]}', ["on(lamp.3)"]),
    ('{"output": {"subgoals": ["on(lamp.3)"]}, "note": "x"}', ["on(lamp.3)"]),
    ('{"output": {"1": "on(lamp.3)"}, "why": "clean(cup.2)"}', ["on(lamp.3)"]),
    ('{"output": "1. on(lamp.3)"}', ["on(lamp.3)"]),
    ('{"output": "{\\"output\\": [\\"on(lamp.3)\\"]}"}', ["on(lamp.3)"]),
    ('{"output": "<answer>on(lamp.3)</answer>"}', ["on(lamp.3)"]),
    ('{"output": "<think>on(cup.2)</think><answer>on(lamp.3)</answer>"}', ["on(lamp.3)"]),
    ('{"output": "Sure: <answer>on(lamp.3)</answer> but on(cup.2)"}', ["on(lamp.3)"]),
    ('{"output": "on(lamp.3)\\non(cup.2)"}', ["on(lamp.3)", "on(cup.2)"]),
    ('{"output": "Draft:\\non(cup.2)\\n\\nFinal:\\non(lamp.3)"}', ["on(lamp.3)"]),
    (
        '{"stages": [{"name": "go", "subgoals": ["on(lamp.3)"]},'
        ' {"name": "end", "subgoals": ["clean(cup.2)", "on(cup.2)"]}]}',
        ["on(lamp.3)", "clean(cup.2)", "on(cup.2)"],
    ),
    ('["[\\"on(lamp.3)\\", \\"on(cup.2)\\"]"]', ["on(lamp.3)", "on(cup.2)"]),
    (
        (
            '{"output": ["on(lamp.3)"], "actions_to_include": ["drink"], '
            '"necessity_to_use_action": "yes"}'
        ),
        ["on(lamp.3)"],
    ),
    ('{"output": ["on(lamp.3)"], "DRINK": ["water"]}', []),
    ('{"output": ["on(lamp.3)"], "goals": ["clean(cup.2)"]}', ["on(lamp.3)"]),
    ('{"output": ["on(lamp.3)"], "initial_state": "clean(cup.2)"}', ["on(lamp.3)"]),
    ('{"subgoals": ["on(lamp.3)"], "output": ["on(cup.2)"]}', []),
    ('{"steps": ["on(lamp.3)"], "plan": ["on(cup.2)"]}', []),
    (
        '{"output": [{"id": 1, "goal": "on(lamp.3)"}, {"id": 2, "goal": "on(cup.2)"}]}',
        ["on(lamp.3)", "on(cup.2)"],
    ),
    (
        '[{"#": 2, "goal": "on(lamp.3)"}, {"#": 1, "goal": "on(cup.2)"}]',
        ["on(cup.2)", "on(lamp.3)"],
    ),
    (
        '[{"goal": "on(lamp.3)", "step": 2}, {"goal": "on(cup.2)", "step": 1}]',
        ["on(cup.2)", "on(lamp.3)"],
    ),
    (
        '[{"x": 7, "goal": "on(lamp.3)", "no": 2}, {"x": 9, "goal": "on(cup.2)", "no": 1}]',
        ["on(cup.2)", "on(lamp.3)"],
    ),
    (
        '[{"goal": "on(lamp.3)", "rating": 2}, {"goal": "on(cup.2)", "rating": 1}]',
        ["on(lamp.3)", "on(cup.2)"],
    ),
    (
        '[{"no": 7, "goal": "on(lamp.3)"}, {"no": 5, "goal": "on(cup.2)"}]',
        ["on(lamp.3)", "on(cup.2)"],
    ),
    (
        '[{"order": 1, "goal": "on(lamp.3)"}, {"order": 1, "goal": "on(cup.2)"}]',
        ["on(lamp.3)", "on(cup.2)"],
    ),
    ('{"valid": true, "output": ["on(lamp.3)"]}', ["on(lamp.3)"]),
    (
        '{"s1": "on(lamp.3)", "s2": ["on(cup.2)", "clean(cup.2)"]}',
        ["on(lamp.3)", "on(cup.2) and clean(cup.2)"],
    ),
    ('{"1": {"goal": "on(lamp.3)"}, "2": {"goal": "on(cup.2)"}}', ["on(lamp.3)", "on(cup.2)"]),
    ('{"subgoal_10": "on(lamp.3)", "subgoal_9": "on(cup.2)"}', ["on(cup.2)", "on(lamp.3)"]),
    ('[{"subgoals": ["on(lamp.3)", "on(cup.2)"]}]', ["on(lamp.3)", "on(cup.2)"]),
    ('[{"action": "drink", "objects": ["water", "cup.2"]}]', []),
    ("[[]]", []),
    ('[["on(lamp.3)"], []]', ["on(lamp.3)"]),
    ("[put_on(cup.2, lamp.3) -> on(cup.2)]", ["put_on(cup.2, lamp.3)", "on(cup.2)"]),
    ('<goal>["on(lamp.3)"]</goal><goal>["on(cup.2)"]</goal>', ["on(lamp.3)", "on(cup.2)"]),
    ("<think>on(cup.2)</think>on(lamp.3)", ["on(lamp.3)"]),
    ("<answer>on(lamp.3)</answer> on(cup.2)", ["on(lamp.3)"]),
    ("on(cup.2)\n<answer>on(lamp.3)</answer>", ["on(lamp.3)"]),
    ("<draft>\non(cup.2)\n</draft>\non(lamp.3)", ["on(lamp.3)"]),
    ("~~on(cup.2)~~\non(lamp.3)\nclean(lamp.3)", ["on(lamp.3)", "clean(lamp.3)"]),
    (
        (
            "1. on(lamp.3)\n2. on(cup.2)\n\nWait, that is wrong. Instead:\n1. "
            "clean(cup.2)\n2. on(cup.2)"
        ),
        ["clean(cup.2)", "on(cup.2)"],
    ),
    (
        "Plan A:\n1. on(lamp.3)\n2. on(cup.2)\nPlan B:\n1. clean(cup.2)\n2. on(cup.2)",
        ["clean(cup.2)", "on(cup.2)"],
    ),
    ("1. on(lamp.3)\n2. on(cup.2)\n1. clean(cup.2)\n2. on(cup.2)", ["clean(cup.2)", "on(cup.2)"]),
    ("1. on(lamp.3)\n\n\n2. on(cup.2)", ["on(lamp.3)", "on(cup.2)"]),
    ("1. on(lamp.3)\n\n```\n2. on(cup.2)\n```", ["on(lamp.3)", "on(cup.2)"]),
    ("```\n1. on(lamp.3)\n```\n\n```\n2. on(cup.2)\n```", ["on(lamp.3)", "on(cup.2)"]),
    ("on(lamp.3)\n\non(cup.2)", ["on(lamp.3)", "on(cup.2)"]),
    ("- on(lamp.3)\n- fly\n- on(cup.2)", []),
    ("1. on(lamp.3)\n2. on(cup.2)\n3. have fun", []),
    ("1. on(lamp.3)\n2. on(cup.2)\nhave fun", ["on(lamp.3)", "on(cup.2)"]),
    ("1. on(lamp.3)\nNote: clean(cup.2)\n2. on(cup.2)", ["on(lamp.3)", "on(cup.2)"]),
    ("1. on(lamp.3)\n   Reason: clean(cup.2) is true.\n2. on(cup.2)", ["on(lamp.3)", "on(cup.2)"]),
    ("1. on(lamp.3)\n   because clean(cup.2)\n2. on(cup.2)", []),
    ("Goal 1\non(lamp.3)\nGoal 2\non(cup.2)", ["on(lamp.3)", "on(cup.2)"]),
    ("Step 1. the lamp: on(lamp.3)\nStep 2. the cup: on(cup.2)", ["on(lamp.3)", "on(cup.2)"]),
    ("(1) on(lamp.3)\n(2) on(cup.2)", ["on(lamp.3)", "on(cup.2)"]),
    ("[1] on(lamp.3)\n[2] on(cup.2)", ["on(lamp.3)", "on(cup.2)"]),
    ("i. on(lamp.3)\nii. on(cup.2)", ["on(lamp.3)", "on(cup.2)"]),
    (
        "First, on(lamp.3)\nThen, on(cup.2)\nFinally, clean(cup.2)",
        ["on(lamp.3)", "on(cup.2)", "clean(cup.2)"],
    ),
    ("on(lamp.3)\n=> on(cup.2)", ["on(lamp.3)", "on(cup.2)"]),
    ("on(lamp.3),\non(cup.2),\nclean(cup.2)", ["on(lamp.3)", "on(cup.2)", "clean(cup.2)"]),
    ('[\n  "on(lamp.3)",\n  "on(cup.2)",\n]', ["on(lamp.3)", "on(cup.2)"]),
    ('plan.append("on(lamp.3)")\nplan.append("on(cup.2)")', ["on(lamp.3)", "on(cup.2)"]),
    ("The final subgoals are: on(lamp.3), on(cup.2)", ["on(lamp.3)", "on(cup.2)"]),
    ("on(lamp.3) must hold.\nclean(lamp.3) must hold.", []),
    ("Plan 1:\n- on(lamp.3)\n- on(cup.2)", ["on(lamp.3)", "on(cup.2)"]),
    ("1. Reach:\n  on(lamp.3)\n  on(cup.2)", ["on(lamp.3)", "on(cup.2)"]),
    (
        "1. Reach:\n  on(lamp.3)\n  on(cup.2)\n- clean(lamp.3)",
        ["on(lamp.3) and on(cup.2)", "clean(lamp.3)"],
    ),
    (
        "on(lamp.3)\nstate 2:\n  on(cup.2)\n  clean(cup.2)",
        ["on(lamp.3)", "on(cup.2) and clean(cup.2)"],
    ),
    ("1. Lamp:\non(lamp.3)\n2. Cup:\non(cup.2)", ["on(lamp.3)", "on(cup.2)"]),
    ("on(lamp.3)", ["on(lamp.3)"]),
    ("not on(lamp.3)", ["not on(lamp.3)"]),
    ("!on(lamp.3)", ["!on(lamp.3)"]),
    ("(on(lamp.3) or on(cup.2))", ["(on(lamp.3) or on(cup.2))"]),
    ("((on(lamp.3)) and (not on(cup.2)))", ["((on(lamp.3)) and (not on(cup.2)))"]),
    ("forall x:cup. (on(x))", ["forall x:cup. (on(x))"]),
    ("exactly(2, on(x))", ["exactly(2, on(x))"]),
    ("exists(x, on(x))", ["exists(x, on(x))"]),
    ("1) on(lamp.3)\n2) on(cup.2)", ["on(lamp.3)", "on(cup.2)"]),
    ("2) on(lamp.3)\n1) on(cup.2)", ["on(cup.2)", "on(lamp.3)"]),
    ("Step 2: on(lamp.3)\nStep 1: on(cup.2)", ["on(cup.2)", "on(lamp.3)"]),
    ("3) on(lamp.3)\n1) on(cup.2)", ["on(lamp.3)", "on(cup.2)"]),
    ("1) on(lamp.3)\n1) on(cup.2)", ["on(lamp.3)", "on(cup.2)"]),
    (
        "on(lamp.3) -> on(cup.2) => next_to(me.1, cup.2)",
        ["on(lamp.3)", "on(cup.2)", "next_to(me.1, cup.2)"],
    ),
    ("on(lamp.3); on(cup.2);", ["on(lamp.3)", "on(cup.2)"]),
    ("on(lamp.3), on(cup.2), and clean(cup.2)", ["on(lamp.3) and on(cup.2) and clean(cup.2)"]),
    ("Subgoals: on(lamp.3), on(cup.2)", ["on(lamp.3)", "on(cup.2)"]),
    ("- on(lamp.3), on(cup.2)", ["on(lamp.3) and on(cup.2)"]),
    ('"on(lamp.3)", "on(cup.2)"', ["on(lamp.3)", "on(cup.2)"]),
    ("`on(lamp.3)`, `on(cup.2)`", ["on(lamp.3)", "on(cup.2)"]),
    ("on(lamp.3) then on(cup.2)", ["on(lamp.3) then on(cup.2)"]),
    ("on(lamp.3) and then on(cup.2)", ["on(lamp.3) then on(cup.2)"]),
    ("F on(lamp.3)", ["F on(lamp.3)"]),
    ("eventually on(lamp.3)", ["eventually on(lamp.3)"]),
    ("on(lamp.3) ∧ clean(lamp.3)", ["on(lamp.3) ∧ clean(lamp.3)"]),
    ("on(lamp.3) && clean(lamp.3)", ["on(lamp.3) && clean(lamp.3)"]),
    ("on(lamp.3) || clean(lamp.3)", ["on(lamp.3) || clean(lamp.3)"]),
    ("on(lamp.3) /\\ ~clean(lamp.3)", ["on(lamp.3) /\\ ~clean(lamp.3)"]),
    ("I think on(lamp.3) is needed.", []),
    ("First we need on(lamp.3).", ["on(lamp.3)"]),
    ("Then reach on(lamp.3), because the cup is far.", ["on(lamp.3)"]),
    ("Reason: on(lamp.3) must hold", []),
    ("We do not on(lamp.3)", []),
    ("You must on(lamp.3)", []),
    ("on(lamp.3) (the lamp is on)", ["on(lamp.3)"]),
    ("on(lamp.3): the lamp is on", ["on(lamp.3)"]),
    ("on(lamp.3) is the goal", []),
    ("on(lamp.3).", ["on(lamp.3)"]),
    ("**on(lamp.3)**", ["on(lamp.3)"]),
    ("1. **Subgoal**: on(lamp.3)", ["on(lamp.3)"]),
    ("* [ ] on(lamp.3)", ["on(lamp.3)"]),
    ("> 1. on(lamp.3)", ["on(lamp.3)"]),
    ("ON(Lamp.3)", ["ON(Lamp.3)"]),
    ("on(lamp)", ["on(lamp)"]),
    ("drink(water)", ["drink(water)"]),
    ("clean water", []),
    ("the lamp.3 on", []),
    ("on(lamp.3) next_to me.1", []),
    ("| 1 | on(lamp.3) | on(cup.2) |", ["on(lamp.3)", "on(cup.2)"]),
    (
        "| Step | Subgoal |\n|---|---|\n| 1 | on(lamp.3) and clean(lamp.3) |\n| 2 | on(cup.2) |",
        ["on(lamp.3) and clean(lamp.3)", "on(cup.2)"],
    ),
    (
        "1. Lamp:\n   - on(lamp.3)\n   - clean(lamp.3)\n2. Cup:\n   - on(cup.2)",
        ["on(lamp.3) and clean(lamp.3)", "on(cup.2)"],
    ),
    (
        "### Subgoal 1\non(lamp.3)\nclean(lamp.3)\n### Subgoal 2\non(cup.2)",
        ["on(lamp.3) and clean(lamp.3)", "on(cup.2)"],
    ),
    ("**1.**\non(lamp.3)\n**2.**\non(cup.2)", ["on(lamp.3)", "on(cup.2)"]),
    ('["on(lamp.3)"]', ["on(lamp.3)"]),
    ('["on(lamp.3) -> on(cup.2)"]', ["on(lamp.3) -> on(cup.2)"]),
    ('["on(lamp.3) -> on(cup.2)", "clean(cup.2)"]', ["on(lamp.3) -> on(cup.2)", "clean(cup.2)"]),
    ('["on(lamp.3).", "on(cup.2);"]', ["on(lamp.3)", "on(cup.2)"]),
    ('["1. on(lamp.3)", "2. on(cup.2)"]', ["on(lamp.3)", "on(cup.2)"]),
    ('["turn: on(lamp.3)"]', ["on(lamp.3)"]),
    ('["SLEEP", "on(lamp.3)"]', ["SLEEP", "on(lamp.3)"]),
    (
        '[["on(lamp.3)", "clean(lamp.3)"], "on(cup.2)"]',
        ["on(lamp.3) and clean(lamp.3)", "on(cup.2)"],
    ),
    ('[[["on(lamp.3)"]]]', ["on(lamp.3)"]),
    ("{on(lamp.3), on(cup.2)}", ["on(lamp.3) and on(cup.2)"]),
    ("[{on(lamp.3)}, {on(cup.2), clean(cup.2)}]", ["on(lamp.3)", "on(cup.2) and clean(cup.2)"]),
    ('[{"name": "on", "args": []}]', []),
    ('[{"predicate": "on", "args": ["lamp.3", "cup.2"]}]', []),
    (
        '[{"step": 2, "subgoal": "on(lamp.3)"}, {"step": 1, "subgoal": "on(cup.2)"}]',
        ["on(cup.2)", "on(lamp.3)"],
    ),
    ('[{"number": 1, "formula": "on(lamp.3)", "state": "clean(cup.2)"}]', ["on(lamp.3)"]),
    ('[{"reason": "on(cup.2)", "state": "on(lamp.3)"}]', ["on(lamp.3)"]),
    ('[{"not": "on(lamp.3)"}]', ["not (on(lamp.3))"]),
    ('[{"and": ["on(lamp.3)", "clean(lamp.3)"]}]', ["on(lamp.3) and clean(lamp.3)"]),
    (
        '[{"or": ["on(lamp.3)", {"all_of": ["clean(lamp.3)", "on(cup.2)"]}]}]',
        ["on(lamp.3) or clean(lamp.3) and on(cup.2)"],
    ),
    ('[{"any": "on(lamp.3)"}]', ["on(lamp.3)"]),
    ('{"step1": "on(lamp.3)", "step2": "on(cup.2)"}', ["on(lamp.3)", "on(cup.2)"]),
    ('{"2": "on(lamp.3)", "1": "on(cup.2)"}', ["on(cup.2)", "on(lamp.3)"]),
    ('{"subgoal 1": "on(lamp.3)", "note": "x"}', ["on(lamp.3)"]),
    ('{"goal": "on(lamp.3)"}', ["on(lamp.3)"]),
    ('{"plan": {"s1": "on(lamp.3)"}}', ["on(lamp.3)"]),
    ('{"output": ["on(lamp.3)"], "valid": "no"}', []),
    ('{"output": []}', []),
    ('{"output": ["on(lamp.3)"], "thought": "clean(cup.2)"}', ["on(lamp.3)"]),
    ('{"output": ["on(lamp.3)"], "extra": "clean(cup.2)"}', []),
    ('{"output": ["on(lamp.3)"], "extra": [clean(cup.2)]}', []),
    ('{"final_plan": ["on(lamp.3)"], "draft_plan": ["on(cup.2)"]}', ["on(lamp.3)"]),
    ('{"a": ["on(lamp.3)"], "b": ["on(cup.2)"]}', ["on(cup.2)"]),
    ('{"output": "[\\"on(lamp.3)\\", \\"on(cup.2)\\"]"}', ["on(lamp.3)", "on(cup.2)"]),
    ('{"output": ["on(lamp.3)",', []),
    ('["on(lamp.3)", 5, "on(cup.2)"]', ["on(lamp.3)", "5", "on(cup.2)"]),
    ('["on(lamp.3)", "do something"]', ["on(lamp.3)", "do something"]),
    ('["do something"]', []),
    ("[]", []),
    ("[on(lamp.3)]\n[on(cup.2)]", ["on(lamp.3)", "on(cup.2)"]),
    ('{"output": [on(lamp.3), put_on(cup.2, lamp.3)]}', ["on(lamp.3)", "put_on(cup.2, lamp.3)"]),
    ("[on(lamp.3), next_to(me.1, f(x))]", ["on(lamp.3)", "next_to(me.1, f(x))"]),
    ("<plan><goal>on(lamp.3)</goal><goal>on(cup.2)</goal></plan>", ["on(lamp.3)", "on(cup.2)"]),
    ("<step>hm</step><step>on(cup.2)</step>", ["on(cup.2)"]),
    ("Final answer: on(lamp.3)", ["on(lamp.3)"]),
    ("Not this: on(cup.2)\nFinal answer: on(lamp.3)", ["on(lamp.3)"]),
    ("1. on(cup.2)\n\nLet me redo it:\n1. on(lamp.3)\n2. clean(lamp.3)", []),
    ("1. on(lamp.3)\n# a remark\n2. on(cup.2)", ["on(lamp.3)", "on(cup.2)"]),
    ("```\n# on(cup.2)\non(lamp.3)\n```", ["on(lamp.3)"]),
    ("```\non(lamp.3)\n```\n```\non(cup.2)\n```", ["on(lamp.3)", "on(cup.2)"]),
    ("1. on(lamp.3)\n3. fly away\n2. on(cup.2)", []),
    ("on(lamp.3)\nThis is a remark. on it goes.\non(cup.2)", ["on(lamp.3)", "on(cup.2)"]),
]

"""Answers that are read the same with the names of the task and without."""
DIFF: list[tuple[str, list[str], list[str]]] = [
    ('[{"predicate": "on", "args": ["lamp.3"], "holds": "no"}]', ["not on(lamp.3)"], []),
    ('[{"type": "on", "target": "lamp.3"}]', ["on(lamp.3)"], []),
    ('[{"name": "on", "object": "lamp.3"}]', ["on(lamp.3)"], []),
    ('[{"action": "drink", "objects": ["water"]}]', ["drink(water)"], []),
    ('[{"predicate": "next_to", "arg1": "me.1", "arg2": "lamp.3"}]', ["next_to(me.1, lamp.3)"], []),
    (
        '[{"predicate": "next_to", "subject": "me.1", "to": "lamp.3"}]',
        ["next_to(me.1, lamp.3)"],
        [],
    ),
    ('[["not", "on", "lamp.3"], ["on", "cup.2"]]', ["not on(lamp.3)", "on(cup.2)"], []),
    (
        '[[["on", "lamp.3"], ["clean", "cup.2"]], [["on", "cup.2"]]]',
        ["on(lamp.3) and clean(cup.2)", "on(cup.2)"],
        [],
    ),
    (
        "<plan><goal><on>lamp.3</on></goal><goal><clean>cup.2</clean></goal></plan>",
        ["on(lamp.3)", "clean(cup.2)"],
        [],
    ),
    ("1. ON lamp.3\n2. ON cup.2", ["on(lamp.3)", "on(cup.2)"], []),
    ('Subgoals = ["on(lamp.3)"]; print(Subgoals)', ["on(lamp.3)"], []),
    ("on(Lamp 3)", ["on(lamp.3)"], ["on(Lamp 3)"]),
    ("Next To(me.1, lamp.3)", [], ["Next To(me.1, lamp.3)"]),
    ("NEXT-TO(me.1, lamp.3)", ["next_to(me.1, lamp.3)"], ["NEXT-TO(me.1, lamp.3)"]),
    ("nextto(me_1, lamp_3)", ["next_to(me.1, lamp.3)"], ["nextto(me_1, lamp_3)"]),
    ("on(<lamp.3>)", ["on(lamp.3)"], ["on(<lamp.3>)"]),
    ("on('lamp.3')", ["on(lamp.3)"], []),
    ("sleep()", ["sleep()"], []),
    ("fly(lamp.3)", [], ["fly(lamp.3)"]),
    ("fly(to the moon)", [], ["fly(to the moon)"]),
    ("Subgoal 1: on lamp.3", ["on(lamp.3)"], []),
    ("1. next_to me.1 lamp.3", ["next_to(me.1, lamp.3)"], []),
    ("not on lamp.3", ["not on(lamp.3)"], []),
    ("on lamp.3 and next_to me.1 cup.2", ["on(lamp.3) and next_to(me.1, cup.2)"], []),
    ('["on lamp.3", "not on cup.2"]', ["on(lamp.3)", "not on(cup.2)"], []),
    ('["sleep"]', ["sleep"], []),
    ('[["on", "lamp.3"], ["not", "on", "cup.2"]]', ["on(lamp.3)", "not on(cup.2)"], []),
    ('["next_to", "me.1", "lamp.3"]', ["next_to(me.1, lamp.3)"], []),
    ('["on", "drink"]', ["on", "drink"], []),
    (
        (
            '[{"predicate": "on", "args": ["lamp.3"]}, {"predicate": "next_to", "args": '
            '"me.1, lamp.3"}]'
        ),
        ["on(lamp.3)", "next_to(me.1, lamp.3)"],
        [],
    ),
    ('[{"predicate": "on", "object": "lamp.3", "value": false}]', ["not on(lamp.3)"], []),
    ('[{"predicate": "on", "object": "lamp.3", "negated": true}]', ["not on(lamp.3)"], []),
    ('[{"predicate": "on", "object": "lamp.3", "negated": "no"}]', ["on(lamp.3)"], []),
    (
        '[{"on": "lamp.3"}, {"next_to": ["me.1", "lamp.3"]}]',
        ["on(lamp.3)", "next_to(me.1, lamp.3)"],
        [],
    ),
    ('[{"on": "lamp.3", "clean": "cup.2"}]', ["on(lamp.3) and clean(cup.2)"], []),
]
"""Answers, what is read with the names of the task, and what without."""


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("The lamp.3 is on", ["on(lamp.3)"]),
        ("lamp.3 ON, then cup.2 is not CLEAN", ["on(lamp.3) then not clean(cup.2)"]),
        ("1. cup.2 must be next_to lamp.3", ["next_to(cup.2, lamp.3)"]),
        ("cup.2 is NEXT_TO(lamp.3).", ["NEXT_TO(cup.2,lamp.3)"]),
        ("1. The agent drinks cup.2", ["drink(cup.2)"]),
        ("1. me.1 wipes the cup.2", []),
        (
            "| State | Predicate | Object |\n|---|---|---|\n| ON | lamp.3 | |\n"
            "| NEXT_TO | cup.2 | lamp.3 |",
            ["on(lamp.3)", "next_to(cup.2, lamp.3)"],
        ),
        (
            '[{"who": "lamp.3", "how": "on"}, {"who": "cup.2", "how": "clean"}]',
            ["on(lamp.3)", "clean(cup.2)"],
        ),
        ('[{"state": "next_to", "object": "cup.2"}]', []),
    ],
)
def test_an_object_may_stand_before_its_predicate(answer: str, expected: list[str]) -> None:
    assert texts(answer, NAMED) == expected


@pytest.mark.parametrize(("answer", "expected"), SAME)
def test_formulas_are_read_however_they_stand(answer: str, expected: list[str]) -> None:
    assert texts(answer, NAMED) == expected
    assert texts(answer, None) == expected


@pytest.mark.parametrize(("answer", "named", "free"), DIFF)
def test_names_of_the_task_tell_subgoals_from_words(
    answer: str, named: list[str], free: list[str]
) -> None:
    assert texts(answer, NAMED) == named
    assert texts(answer, None) == free


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("<step>hm <reason>clean(cup.2)</reason></step><step>on(cup.2)</step>", ["on(cup.2)"]),
        (
            "<step>on lamp.3<reason>clean(cup.2)</reason></step><step>on(cup.2)</step>",
            ["on(lamp.3)", "on(cup.2)"],
        ),
        ("<reason>clean(cup.2)</reason><plan>on(cup.2)</plan>", ["on(cup.2)"]),
    ],
)
def test_explanations_in_elements_are_no_subgoals(answer: str, expected: list[str]) -> None:
    assert texts(answer, NAMED) == expected


@pytest.mark.parametrize(
    ("answer", "places"),
    [
        ("So:\n- on(lamp.3) -> (clean(lamp.3))", ["on(lamp.3)", "(clean(lamp.3))"]),
        ('{"output": ["on(lamp.3)", ["on", "cup.2"]]}', ['"on(lamp.3)"', '["on", "cup.2"]']),
        ("1. not on lamp.3\n2. ` on(cup.2) `", ["1. not on lamp.3", "on(cup.2)"]),
        ("<think>x</think>on(cup.2); on(lamp.3)", ["on(cup.2)", "on(lamp.3)"]),
        ('[{"on": "cup.2"}, on(lamp.3)]', ['{"on": "cup.2"}', "on(lamp.3)"]),
    ],
)
def test_a_subgoal_stands_where_it_is_written(answer: str, places: list[str]) -> None:
    found = read_subgoals(answer, NAMED).subgoals
    assert [each.position for each in found] == [answer.index(place) for place in places]


GRAMMAR = SubgoalGrammar(NAMED, lambda _: [])


@pytest.mark.parametrize(
    ("line", "number", "is_whole"),
    [
        ("on(lamp.3)", None, True),
        ("12. on(lamp.3)", 12, True),
        ("(3) on(lamp.3)", 3, True),
        ("Step 4: on(lamp.3)", 4, False),
        ("- on(lamp.3), as asked", None, False),
        ("50% on(lamp.3)", None, True),
    ],
)
def test_a_line_says_its_number_and_whether_it_has_more(
    line: str, number: int | None, is_whole: bool
) -> None:
    (item,) = GRAMMAR.read_line(line, 100)
    assert (item.text, item.number, item.is_whole) == ("on(lamp.3)", number, is_whole)
    assert item.at == 100 + line.index("on(lamp.3)")


def test_of_several_subgoals_in_a_line_none_has_its_number() -> None:
    items = GRAMMAR.read_line("1. on(lamp.3) -> on(cup.2)", 0)
    assert [item.number for item in items] == [None, None]


def test_arrows_are_implications_where_nothing_is_split() -> None:
    (item,) = GRAMMAR.read_line("on(lamp.3) -> on(cup.2)", 0, splits=False)
    assert item.text == "on(lamp.3) -> on(cup.2)"


@pytest.mark.parametrize(
    ("line", "is_aside"),
    [
        ("Reason: it is dark", True),
        ("**Because:** it is dark", True),
        ("Reason:", False),
        ("Reason: **", False),
        ("Subgoal: on(lamp.3)", False),
        ("it is dark", False),
        (f"Reason {'of all of this ' * 3}: it is dark", False),
    ],
)
def test_a_label_of_an_explanation_makes_a_line_an_aside(line: str, is_aside: bool) -> None:
    assert GRAMMAR.is_aside(line) is is_aside


@pytest.mark.parametrize(
    ("line", "listed"),
    [
        ("1. fly away", True),
        ("- fly away", True),
        ("a) fly away", True),
        ("[x] fly away", True),
        ("fly to moon_3", True),
        ("fly to moon.3", True),
        ("fly away", False),
        ("Step 1", False),
        ("3.", False),
    ],
)
def test_items_of_lists_are_told_from_words(line: str, listed: bool) -> None:
    assert GRAMMAR.looks_listed(line) is listed


def test_long_lines_and_deep_values_are_not_read() -> None:
    assert len(texts("on(lamp.3)" + " " * 3990, NAMED)) == 1
    assert not GRAMMAR.read_line("on(lamp.3)" + " " * 3991, 0)
    assert GRAMMAR.read_line("on(lamp.3)" + " " * 3990, 0)
    assert texts("[" * 12 + '"on(lamp.3)"' + "]" * 12, NAMED) == ["on(lamp.3)"]
    assert not texts("[" * 14 + '"on(lamp.3)"' + "]" * 14, NAMED)


def test_at_most_a_thousand_subgoals_are_read() -> None:
    lines = [f"{number}. on(lamp.3)" for number in range(1, 1002)]
    assert len(texts("\n".join(lines[:1000]), NAMED)) == 1000
    reading = read_subgoals("\n".join(lines), NAMED)
    assert (reading.subgoals, len(reading.problems)) == ((), 1)


@pytest.mark.parametrize("numbers", [(1, 0), (0, 1), (2, 0, 1), (3, 1, 2), (0, 2, 1)])
def test_subgoals_come_in_the_order_of_their_numbers_also_from_zero(numbers: tuple[int]) -> None:
    subgoals = ["on(cup.2)", "clean(cup.2)", "on(lamp.3)"]
    least = min(numbers)
    parts = [f'"subgoal_{number}": "{subgoals[number - least]}"' for number in numbers]
    assert texts("{" + ", ".join(parts) + "}", NAMED) == subgoals[: len(numbers)]


@pytest.mark.parametrize(
    ("answer", "rule", "is_reordered"),
    [
        ('[{"#": 2, "goal": "on(lamp.3)"}, {"#": 1, "goal": "on(cup.2)"}]', "", True),
        ('{"subgoal_10": "on(lamp.3)", "subgoal_9": "on(cup.2)"}', "", True),
        ('{"subgoal_1": "on(lamp.3)", "subgoal_0": "on(cup.2)"}', "", True),
        ("<answer>on(lamp.3)</answer> on(cup.2)", "marked", False),
        ("on(cup.2)\n<answer>on(lamp.3)</answer>", "marked", False),
        ("<draft>\non(cup.2)\n</draft>\non(lamp.3)", "not rejected", False),
        ("~~on(cup.2)~~\non(lamp.3)\nclean(lamp.3)", "not rejected", False),
        (
            (
                "1. on(lamp.3)\n2. on(cup.2)\n\nWait, that is wrong. Instead:\n1. "
                "clean(cup.2)\n2. on(cup.2)"
            ),
            "final",
            False,
        ),
        (
            "Plan A:\n1. on(lamp.3)\n2. on(cup.2)\nPlan B:\n1. clean(cup.2)\n2. on(cup.2)",
            "last",
            False,
        ),
        ("1. on(lamp.3)\n2. on(cup.2)\n1. clean(cup.2)\n2. on(cup.2)", "last", False),
    ],
)
def test_it_is_noted_what_was_chosen_and_put_in_order(
    answer: str, rule: str, is_reordered: bool
) -> None:
    notes = read_subgoals(answer, NAMED).notes
    assert [note.rpartition(": ")[2] for note in notes if "chosen by" in note] == [rule] * bool(
        rule
    )
    assert any("order of their numbers" in note for note in notes) is is_reordered


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("<subgoal>first <on>cup.2</on></subgoal>", ["on(cup.2)"]),
        ("on(cup.2)\n\n\nand clean(cup.2)", ["on(cup.2) and clean(cup.2)"]),
        ("on(cup.2)\n\n\n\nand clean(cup.2)", ["on(cup.2)", "clean(cup.2)"]),
        ("on(cup.2) (it shines) and clean(cup.2)", ["on(cup.2) and clean(cup.2)"]),
        ("Subgoal 1:\non(cup.2)\n---\nSubgoal 2:\nclean(cup.2)", ["on(cup.2)", "clean(cup.2)"]),
        # one name of the task says that all of them are meant as subgoals
        (
            "### Subgoal 1\non(cup.2)\nshiny(sun.1)\n### Subgoal 2\nround(sun.1)\nshiny(sun.1)",
            ["on(cup.2) and shiny(sun.1)", "round(sun.1) and shiny(sun.1)"],
        ),
        (
            "<subgoal>shiny(sun.1)\non(cup.2)</subgoal>\n<subgoal>round(sun.1)</subgoal>",
            ["shiny(sun.1) and on(cup.2)", "round(sun.1)"],
        ),
        ("### Subgoal 1\nshiny(sun.1)\nround(sun.1)\n### Subgoal 2\nround(sun.1)", []),
        ('[{"steps": ["on(cup.2)", "on(lamp.3)"]}]', ["on(cup.2)", "on(lamp.3)"]),
        ('[{"goal": "on(cup.2)", "condition": "clean(cup.2)"}]', ["on(cup.2)"]),
        ('[{"x": "on(lamp.3)", "goal": "on(cup.2)", "subgoal": "clean(cup.2)"}]', ["on(cup.2)"]),
        ('[["on", "cup.2"], ["not", "on", "lamp.3"]]', ["on(cup.2)", "not on(lamp.3)"]),
        ('[["not", "dark"], ["on", "cup.2"]]', ["not dark()", "on(cup.2)"]),
        ('[{"any_of": ["on(lamp.3)", "on(cup.2)"]}]', ["on(lamp.3) or on(cup.2)"]),
        ('[{"not": "on(lamp.3)"}]', ["not (on(lamp.3))"]),
        ("<subgoal>first\n<on>cup.2</on></subgoal>", ["on(cup.2)"]),
        (
            "[on(cup.2)]\n[on(lamp.3); next_to(me.1, lamp.3)]\n[on(cup.2)]",
            ["on(cup.2)", "on(lamp.3) and next_to(me.1, lamp.3)", "on(cup.2)"],
        ),
        (
            "<plan><subgoal>first <on>cup.2</on></subgoal>"
            "<subgoal>then <next_to>me.1, lamp.3</next_to></subgoal></plan>",
            ["on(cup.2)", "next_to(me.1, lamp.3)"],
        ),
        ("1. on cup.2 and next_to me.1 lamp.3", ["on(cup.2) and next_to(me.1, lamp.3)"]),
        ("1. on cup.2, then next_to me.1 lamp.3", ["on(cup.2) then next_to(me.1, lamp.3)"]),
        ("1. on cup.2, after that next_to me.1 lamp.3", ["on(cup.2) then next_to(me.1, lamp.3)"]),
        ("1. on cup.2 after next_to me.1 lamp.3", []),
        ('["on(cup.2), (done), on(lamp.3)"]', ["on(cup.2) and on(lamp.3)"]),
        ("1. on(cup.2), (done), on(lamp.3)", ["on(cup.2) and on(lamp.3)"]),
        ('["on(cup.2) (it is dark)", "on(lamp.3)"]', ["on(cup.2)", "on(lamp.3)"]),
        ('["on(cup.2), done, on(lamp.3)"]', ["on(cup.2)", "done", "on(lamp.3)"]),
    ],
)
def test_no_literal_is_lost_beside_words(answer: str, expected: list[str]) -> None:
    vocabulary = replace(NAMED, predicates={**NAMED.predicates, "dark": 0})
    assert [" ".join(text.split()) for text in texts(answer, vocabulary)] == expected


@pytest.mark.parametrize("name", ["wipe", "not_known"])
def test_an_element_of_an_unknown_name_beside_subgoals_is_a_problem(name: str) -> None:
    second = f"<goal>then <{name}>cup.2</{name}></goal>"
    answer = f"<plan><goal><on>lamp.3</on> first</goal>\n{second}</plan>"
    reading = read_subgoals(answer, NAMED)
    assert [problem.position for problem in reading.problems] == [answer.index(f"{name}>")]


LISTS = [
    '["on(lamp.3)", "on(cup.2)"]',
    '{"output": ["on(lamp.3)", "on(cup.2)"]}',
    '{"1": "on(lamp.3)", "2": "on(cup.2)"}',
    '{"subgoal_1": "on(lamp.3)", "subgoal_2": "on(cup.2)"}',
    '{"output": {"1": "on(lamp.3)", "2": "on(cup.2)"}}',
    '[{"goal": "on(lamp.3)"}, {"goal": "on(cup.2)"}]',
    '[["on", "lamp.3"], ["on", "cup.2"]]',
    '{"output": "[\\"on(lamp.3)\\", \\"on(cup.2)\\"]"}',
]
LINES = [
    "1. on(lamp.3)\n2. on(cup.2)",
    "```\non(lamp.3)\non(cup.2)\n```",
    "on(lamp.3) -> on(cup.2)",
    "<goal>on(lamp.3)</goal><goal>on(cup.2)</goal>",
    "| 1 | on(lamp.3) |\n| 2 | on(cup.2) |",
]


@pytest.mark.parametrize("answer", [*LISTS, *LINES])
def test_lines_in_place_of_a_list_are_noted(answer: str) -> None:
    reading = read_subgoals(answer, NAMED)
    assert [subgoal.text for subgoal in reading.subgoals] == ["on(lamp.3)", "on(cup.2)"]
    assert ("lines in place of a list" in reading.notes) is (answer in LINES)


@pytest.mark.parametrize("answer", LISTS)
def test_a_line_behind_a_list_does_not_carry_it_on(answer: str) -> None:
    assert len(texts(f"{answer}\nclean(cup.2)", NAMED)) < 3


@pytest.mark.parametrize("answer", LISTS[:4])
def test_a_list_in_an_element_has_several_subgoals(answer: str) -> None:
    assert texts(f"<subgoal>{answer}</subgoal>", NAMED) == ["on(lamp.3)", "on(cup.2)"]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("<goal><on>cup.2</on></goal><goal><clean>lamp.3</clean></goal>", ["on", "clean"]),
        ("<goal>\n<on>\ncup.2\n</on>\n</goal>\n<goal>clean(lamp.3)</goal>", ["on", "clean"]),
        ("<todo>\nthen\n<on>cup.2</on>\n</todo>\n<todo>\nclean(lamp.3)\n</todo>", ["on", "clean"]),
        (
            "<goal>\n<next_to>\nme.1\nlamp.3\n</next_to>\n</goal>\n<goal>clean(lamp.3)</goal>",
            ["next_to", "clean"],
        ),
        (
            "<goal>next_to\n<a>me.1</a>\n<b>lamp.3</b></goal><goal>on(cup.2)</goal>",
            ["next_to", "on"],
        ),
        ("<step>2\non(cup.2)</step><step>1\nclean(cup.2)</step>", ["on", "clean"]),
        ("<step>2. on(cup.2)</step><step>1. clean(cup.2)</step>", ["clean", "on"]),
        ("<step>\n2. on(cup.2)\n</step>\n<step>\n1. clean(cup.2)\non(lamp.3)\n</step>", None),
    ],
)
def test_an_element_of_several_lines_is_one_subgoal(
    answer: str, expected: list[str] | None
) -> None:
    found = texts(answer, NAMED)
    if expected is None:
        assert found == ["clean(cup.2) and on(lamp.3)", "on(cup.2)"]
    else:
        assert [text.partition("(")[0] for text in found] == expected


@pytest.mark.parametrize("lines", ["{}", "\n{}\n", "\nfirst this\n{}\n", "\n{}\nas it was\n"])
def test_a_subgoal_beside_a_list_is_reported_where_its_element_begins(lines: str) -> None:
    contents = [lines.format(text) for text in ("clean(cup.2)", "clean(lamp.3)")]
    first, second = (f"<step>{content}</step>" for content in contents)
    answer = f'{first}\n["on(cup.2)", "on(lamp.3)"]\n{second}'
    reading = read_subgoals(answer, NAMED)
    assert reading.subgoals == ()
    begins = [answer.index("step>"), answer.index("step>", len(first))]
    at = [begin + (len("step>") + 1 if "\n" in lines else 0) for begin in begins]
    assert [problem.position for problem in reading.problems] == at


PARTS = "1. on(cup.2)\n2. clean(cup.2)\n{}\n1. on(lamp.3)\n2. clean(lamp.3)"
ALL_PARTS = ["on(cup.2)", "clean(cup.2)", "on(lamp.3)", "clean(lamp.3)"]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (f"## Part 1\n{PARTS.format('## Part 2')}", ALL_PARTS),
        (f"Part 1:\n{PARTS.format('Part 2:')}", ALL_PARTS),
        (
            f"## Part 1\n{PARTS.format('## Part 2')}\n## Part 3\n1. on(cup.2)",
            [*ALL_PARTS, "on(cup.2)"],
        ),
        (f"## Draft\n{PARTS.format('## Plan')}", ALL_PARTS[2:]),
        (PARTS.format(""), ALL_PARTS[2:]),
    ],
)
def test_numbers_may_begin_anew_in_the_next_part(answer: str, expected: list[str]) -> None:
    assert texts(answer, NAMED) == expected


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("2.1 on(cup.2)\n2.2 clean(cup.2)", ["on(cup.2)", "clean(cup.2)"]),
        ("1.2. on(cup.2)\n1.1. clean(cup.2)", ["clean(cup.2)", "on(cup.2)"]),
        ("1.10 on(cup.2)\n1.9 clean(cup.2)", ["clean(cup.2)", "on(cup.2)"]),
        ("2.1 on(cup.2)\n1.2 clean(cup.2)", ["on(cup.2)", "clean(cup.2)"]),
    ],
)
def test_numbers_of_a_section_follow_each_other(answer: str, expected: list[str]) -> None:
    assert texts(answer, NAMED) == expected


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("If on(cup.2) then clean(cup.2)", []),
        ("1. if on(cup.2)\n2. on(lamp.3)", ["1. if on(cup.2)", "on(lamp.3)"]),
        (
            "- on(lamp.3)\n- If on(cup.2), clean(cup.2)",
            ["on(lamp.3)", "- If on(cup.2), clean(cup.2)"],
        ),
        ("Reason: on lamp.3", []),
        ("1. Reason: on lamp.3\n2. on cup.2", ["on(cup.2)"]),
        ("Subgoal: on lamp.3", ["on(lamp.3)"]),
    ],
)
def test_conditions_and_reasons_are_no_subgoals(answer: str, expected: list[str]) -> None:
    assert texts(answer, NAMED) == expected


@pytest.mark.parametrize("label", ["subgoal_{}", "step {}", "{}", "Goal {}", '"{}"'])
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ("(", ")")])
def test_a_label_in_a_list_only_numbers_the_subgoal_beside_it(
    label: str, opening: str, closing: str
) -> None:
    contents = ['"first on(cup.2) -> on(lamp.3)"', '["on(cup.2)", "on(lamp.3)"]']
    quoted = label if label in ("{}", '"{}"') else f'"{label}"'
    members = [
        f"{opening}{quoted.format(number)}, {content}{closing}"
        for number, content in enumerate(contents, 1)
    ]
    expected = ["on(cup.2) then on(lamp.3)", "on(cup.2) and on(lamp.3)"]
    assert texts(f"[{', '.join(members)}]", NAMED) == expected


ROWS = "[on(cup.2)]\n[on(lamp.3), clean(cup.2)]\n[clean(cup.2)]"
EACH_ROW = ["on(cup.2)", "on(lamp.3) and clean(cup.2)", "clean(cup.2)"]
LAST_ROWS = ["on(lamp.3)", "clean(cup.2)"]


@pytest.mark.parametrize(
    ("answer", "subgoals"),
    [
        (ROWS, EACH_ROW),
        (f"Subgoals:\n{ROWS}", EACH_ROW),
        (ROWS.replace("]\n", "],\n"), EACH_ROW),
        # With words before the first, the lines are no rows of one table, but lists of their own.
        (f"First {ROWS}", LAST_ROWS),
        (f"Rejected: {ROWS}", LAST_ROWS),
        (f"Answer: {ROWS}", ["on(cup.2)"]),
        # Two are more likely a plan and its correction.
        ("\n".join(ROWS.split("\n")[:2]), LAST_ROWS),
    ],
)
@pytest.mark.parametrize("vocabulary", [NAMED, None])
def test_three_lines_of_nothing_but_a_list_are_a_subgoal_each(
    answer: str, subgoals: list[str], vocabulary: Vocabulary | None
) -> None:
    assert texts(answer, vocabulary) == subgoals


def test_a_word_that_names_an_object_is_no_predicate_in_a_sentence() -> None:
    vocabulary = replace(
        NAMED,
        predicates={**NAMED.predicates, "light": 1},
        objects=NAMED.objects | {"light.4"},
        classes={**NAMED.classes, "light": ("light.4",)},
    )
    assert texts("1. lamp.3 is on", vocabulary) == ["on(lamp.3)"]
    assert texts("1. lamp.3 is light", vocabulary) == []
    assert texts("1. light.4 is light", vocabulary) == []
    assert texts("1. light.4 is on", vocabulary) == ["on(light.4)"]
    assert texts("1. light(lamp.3)", vocabulary) == ["light(lamp.3)"]


@pytest.mark.parametrize(
    "answer",
    [
        # The list of subgoals is whole each time, and what stands around it ends too early.
        '[["on(lamp.3)", "clean(cup.2)"], ',
        '{"output": ["on(lamp.3)"], ',
        '{"output": ["on(lamp.3)"], "note": "x',
        '{"draft": ["on(lamp.3)"], "final": ["on(cup.2)"], "x',
        '{"stages": [{"subgoals": ["on(lamp.3)"]}, {"subgoals": ["on(cup.2)"]}, {"subg',
        # The list itself ends too early.
        '[["on(lamp.3)", "clean(cu',
        '{"output": ["on(lamp.3)", "cle',
    ],
)
def test_an_answer_that_ends_too_early_has_no_subgoals(answer: str) -> None:
    reading = read_subgoals(answer, NAMED)
    assert reading.subgoals == ()
    assert len(reading.problems) == 1


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        # A value that is a list beside another subgoal is a list, so the element is no subgoal.
        ('{"x": ["on(lamp.3)"], "goal": "on(cup.2)"}', ["on(cup.2)"]),
        ('["on(lamp.3)", "on(cup.2)"]', ["on(lamp.3)", "on(cup.2)"]),
        # A value without subgoals takes nothing away from the element.
        ("[1]\non(cup.2)", ["on(cup.2)", "clean(cup.2)"]),
        ("[]\non(cup.2)", ["on(cup.2)", "clean(cup.2)"]),
    ],
)
def test_an_element_with_a_list_in_it_is_not_one_subgoal(value: str, expected: list[str]) -> None:
    answer = f"<subgoal>{value}</subgoal>\n<subgoal>clean(cup.2)</subgoal>"
    assert texts(answer, NAMED) == expected


def test_ordinals_beyond_the_fifth_lead_to_subgoals() -> None:
    literals = ["on(cup.2)", "clean(cup.2)", "on(lamp.3)"] * 2
    ordinals = ["first", "second", "third", "fourth", "fifth", "sixth"]
    sentences = [
        f"The {ordinal} subgoal is {literal}."
        for ordinal, literal in zip(ordinals, literals, strict=True)
    ]
    assert texts("\n".join(sentences), NAMED) == literals
