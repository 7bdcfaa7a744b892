"""The parts of operators are found however they are written, and put together to actions."""

from __future__ import annotations

import re

import pytest

from eai.abilities.transition_modeling.items import (
    OperatorItem,
    operators_in,
    without_doubled_brackets,
)
from eai.answers import open_document

NAMES = ("switch_on", "walk_towards")
PARTS = re.compile(r"\(:action (\S+)\n  :parameters (.*)\n  :precondition (.*)\n  :effect (.*)\)")


def operators(answer: str) -> list[OperatorItem]:
    return operators_in(open_document(answer), NAMES)


def parts(answer: str) -> list[tuple[str, ...]]:
    """Return name, parameters, precondition and effect of each operator in an answer."""
    found = [PARTS.fullmatch(item.text) for item in operators(answer)]
    return [match.groups() for match in found if match is not None]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("(on ?x) or (off ?x)", "(or (on ?x) (off ?x))"),
        ("(on ?x) and (p ?x) or (off ?x)", "(or (and (on ?x) (p ?x)) (off ?x))"),
        ("not (on ?x)", "(not (on ?x))"),
        ("not (on ?x) and (off ?x), not (p ?x)", "(and (not (on ?x)) (off ?x) (not (p ?x)))"),
        ("(on ?x), (p ?x)", "(and (on ?x) (p ?x))"),
        ("(on ?x) and really (p ?x)", "(on ?x)"),
        ("[(on ?x) and (p ?x)]", "(and (on ?x) (p ?x))"),
    ],
)
def test_connectives_between_brackets_are_read(written: str, expected: str) -> None:
    answer = f"switch_on\nparameters: ?x\nprecondition: {written}\neffect: (q ?x)"
    assert parts(answer) == [("switch_on", "(?x)", expected, "(q ?x)")]


def test_brackets_in_remarks_close_nothing() -> None:
    condition = "(and (on ?x) ; so (\n(p ?x))"
    answer = f"switch_on\nparameters: ?x\nprecondition: {condition} really\neffect: (q ?x)"
    (found,) = operators(answer)
    assert f":precondition {condition}\n" in found.text


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("!on(?x)", "(not (on ?x))"),
        ("not on(?x), q(?x)", "(and (not (on ?x)) (q ?x))"),
        ("on ?x, not p ?x", "(and (on ?x) (not (p ?x)))"),
        ("NOT on ?x", "(not (on ?x))"),
        ("and (on ?x) (not (p ?x))", "(and (on ?x) (not (p ?x)))"),
        ("or (on ?x) (off ?x)", "(or (on ?x) (off ?x))"),
        ("forall (?y) (on ?x ?y)", "(forall (?y) (on ?x ?y))"),
        # Nothing stands behind it: whoever parses it says so.
        ("not", "(not)"),
        ("on(?x), not", "(and (on ?x) (not))"),
    ],
)
def test_literals_without_brackets_around_them_are_read(written: str, expected: str) -> None:
    answer = f'{{"name": "switch_on", "parameters": ["?x"], "precondition": "{written}"}}'
    assert [found[2] for found in parts(answer)] == [expected]


@pytest.mark.parametrize(
    ("effect", "expected"),
    [
        ('{"add": ["(on ?x)"], "delete": ["(off ?x)", "(p ?x)"]}', "on ?x|not off ?x|not p ?x"),
        ('{"add_effects": "(on ?x)", "del": "(off ?x) and (p ?x)"}', "on ?x|not off ?x|not p ?x"),
        ('{"and": ["(on ?x)", "not (off ?x)"]}', "on ?x|not off ?x"),
        ('{"and": ["(on ?x)"], "not": "(off ?x)"}', "on ?x|not off ?x"),
        ('["(on ?x)", {"not": "(off ?x)"}, "p(?x)"]', "on ?x|not off ?x|p ?x"),
        ("(and (on ?x) (not (off ?x)))", "on ?x|not off ?x"),
        ('{"add": null, "remove": null, "why": "(p ?x)", "positive": ["(on ?x)"]}', "on ?x"),
    ],
)
def test_effects_in_values_are_read_whole(effect: str, expected: str) -> None:
    answer = f'{{"name": "switch_on", "parameters": ["?x"], "effect": {effect}}}'
    literals = []
    for text in expected.split("|"):
        atom = f"({text.removeprefix('not ')})"
        literals.append(f"(not {atom})" if text.startswith("not ") else atom)
    written = literals[0] if len(literals) == 1 else f"(and {' '.join(literals)})"
    assert [item.text.partition(":effect ")[2] for item in operators(answer)] == [f"{written})"]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (
            (
                "Operator: switch_on\nParameters: ?x - thing\nPrecondition: (next_to ?x)\n"
                "Effect: (on ?x)"
            ),
            [("switch_on", "(?x - thing)", "(next_to ?x)", "(on ?x)")],
        ),
        (
            (
                "Action: switch_on\nparams: (?x - thing)\npreconditions: (next_to ?x) "
                "(plugged ?x)\neffects: (and (on ?x) (not (off ?x)))"
            ),
            [
                (
                    "switch_on",
                    "(?x - thing)",
                    "(and (next_to ?x) (plugged ?x))",
                    "(and (on ?x) (not (off ?x)))",
                )
            ],
        ),
        (
            "## 1. switch_on\nParameters: none\nEffects: (on ?x)",
            [("switch_on", "()", "()", "(on ?x)")],
        ),
        (
            (
                "switch_on\narguments: (?x, ?y)\nrequirements: none\npostconditions: (on "
                "?x)\n\nwalk_towards\nargs: ()\npre: ()\neffect: (next_to ?x)"
            ),
            [
                ("switch_on", "(?x  ?y)", "()", "(on ?x)"),
                ("walk_towards", "()", "()", "(next_to ?x)"),
            ],
        ),
        (
            "First I think of turn_on.\nprecondition: (next_to ?x)\neffect: (on ?x)",
            [("turn_on", "()", "(next_to ?x)", "(on ?x)")],
        ),
        (
            "Here is walk towards again, walk-towards that is.\nprecondition: (a)\neffect: (on ?x)",
            [("walk-towards", "()", "(a)", "(on ?x)")],
        ),
        (
            "Now the one that carries\nprecondition: (next_to ?x)\neffect: (on ?x)",
            [("carries", "()", "(next_to ?x)", "(on ?x)")],
        ),
        ("precondition: (next_to ?x)\neffect: (on ?x)", []),
        ("switch_on\nprecondition: (next_to ?x)", []),
        (
            (
                "name: fly\nprecondition: (next_to ?x)\neffect: (on ?x)\nname: swim\n"
                "precondition: (wet ?x)\neffect: (not (dry ?x))"
            ),
            [
                ("fly", "()", "(next_to ?x)", "(on ?x)"),
                ("swim", "()", "(wet ?x)", "(not (dry ?x))"),
            ],
        ),
        (
            "switch_on\npre: (next_to ?x) and\n(plugged ?x)\npost: (on ?x)",
            [("switch_on", "()", "(and (next_to ?x) (plugged ?x))", "(on ?x)")],
        ),
        (
            "switch_on\nrequires: (next_to ?x) because (plugged ?x)\npost: (on ?x) ) (off ?x)",
            [("switch_on", "()", "(next_to ?x)", "(on ?x)")],
        ),
        (
            (
                "switch_on\n- **Parameters**: `?x - thing`\n- **Precondition**: `(next_to "
                "?x)`\n- **Effect**: `(on ?x)`\nThis is all."
            ),
            [("switch_on", "(?x - thing)", "(next_to ?x)", "(on ?x)")],
        ),
        (
            (
                "<operator><name>switch_on</name><action_parameters>(?x)</action_para"
                "meters><precondition>(next_to ?x)</precondition><effects>(on "
                "?x)</effects></operator>"
            ),
            [("switch_on", "(?x)", "(next_to ?x)", "(on ?x)")],
        ),
        (
            (
                '{"name": "switch_on", "parameters": ["?x", "?y"], "precondition": '
                '"next_to(?x)", "effect": "on(?x), not off(?x)"}'
            ),
            [("switch_on", "(?x ?y)", "(next_to ?x)", "(and (on ?x) (not (off ?x)))")],
        ),
        (
            (
                '{"action": "switch_on", "parameters": {"?x": "thing", "?y": "thing"}, '
                '"precondition": ["next_to ?x"], "effect": ["(on ?x)", "not off ?x"]}'
            ),
            [
                (
                    "switch_on",
                    "(?x - thing ?y - thing)",
                    "(next_to ?x)",
                    "(and (on ?x) (not (off ?x)))",
                )
            ],
        ),
        (
            (
                '{"operator": "`switch_on`", "params": [{"name": "?x", "type": "thing"}], '
                '"pre": {"and": ["(a ?x)", "(b ?x)"]}, "post": {"not": "(off ?x)"}}'
            ),
            [("switch_on", "(?x - thing)", "(and (a ?x) (b ?x))", "(not (off ?x))")],
        ),
        (
            (
                '{"title": "switch_on", "args": [["?x", "thing"]], "requires": {"or": ["(a '
                '?x)", "(b ?x)"]}, "effects": ["(on ?x)"]}'
            ),
            [("switch_on", "(?x - thing)", "(or (a ?x) (b ?x))", "(on ?x)")],
        ),
        (
            (
                '{"switch_on": {"parameters": "none", "precondition": "true", "effect": "on '
                '?x & lit ?x; warm ?x and dry ?x"}}'
            ),
            [("switch_on", "()", "()", "(and (on ?x) (lit ?x) (warm ?x) (dry ?x))")],
        ),
        (
            (
                '{"name": "switch_on", "parameters": "?x: thing, ?y: thing", "precondition": '
                '"!off(?x) ∧ not cold(?x, ?y)", "effect": "¬ off(?x)"}'
            ),
            [
                (
                    "switch_on",
                    "(?x -  thing  ?y -  thing)",
                    "(and (not (off ?x)) (not (cold ?x ?y)))",
                    "(not (off ?x))",
                )
            ],
        ),
        (
            (
                '{"name": "switch_on", "parameters": "(?x, ?y)", "precondition": null, '
                '"effect": "(on ?x) (lit ?x)"}'
            ),
            [("switch_on", "(?x  ?y)", "()", "(and (on ?x) (lit ?x))")],
        ),
        (
            '{"name": "switch_on", "parameters": null, "precondition": [], "effect": "(on ?x)"}',
            [("switch_on", "()", "()", "(on ?x)")],
        ),
        ('{"name": "switch_on", "effect": "(on ?x)"}', []),
        (
            '{"name": "", "id": "switch_on", "parameters": "()", "effect": "(on ?x)"}',
            [("switch_on", "()", "()", "(on ?x)")],
        ),
        (
            (
                '{"plan": [{"name": "switch_on", "action_precondition": "()", ":effect": '
                '"(on ?x)"}, {"note": 1}, "talk"]}'
            ),
            [("switch_on", "()", "()", "(on ?x)")],
        ),
        (
            (
                '{"name": "switch_on", "precondition": (and (next_to ?x) (a ?x)), '
                '"parameters": (?x - thing), "effect": (on ?x)}'
            ),
            [("switch_on", "(?x - thing)", "(and (next_to ?x) (a ?x))", "(on ?x)")],
        ),
        (
            '{"output": "switch_on\\nprecondition: (next_to ?x)\\neffect: (on ?x)"}',
            [("switch_on", "()", "(next_to ?x)", "(on ?x)")],
        ),
        (
            (
                '{"output": "{\\"name\\": \\"switch_on\\", \\"precondition\\": \\"()\\", '
                '\\"effect\\": \\"(on ?x)\\"}"}'
            ),
            [("switch_on", "()", "()", "(on ?x)")],
        ),
        (
            '{"output": {"name": "switch_on", "precondition": "(a ?x)", "effect": "(on ?x)"',
            [("switch_on", "()", "(a ?x)", "(on ?x)")],
        ),
        (
            '{"name": "switch_on", "precondition": "(a ?x) is needed", "effect": "(on ?x"}',
            [("switch_on", "()", "(a ?x)", "(on ?x")],
        ),
        (
            '{"name": "switch_on", "precondition": ["n/a", "-", "null"], "effect": ["`(on ?x)`"]}',
            [("switch_on", "()", "()", "(on ?x)")],
        ),
        (
            (
                '{"name": "s", "args": [], "requires": {"or": ["(a ?x)", "b ?x", {"and": '
                '["(c)", "(d)"]}]}, "effects": ["(on ?x)"]}'
            ),
            [("s", "()", "(or (a ?x) (b ?x) (and (c) (d)))", "(on ?x)")],
        ),
        (
            (
                '{"name": "s", "args": [], "requires": {"or": "(a ?x)"}, "effects": {"and": '
                '["(on ?x)", {"not": ["off ?x"]}]}}'
            ),
            [("s", "()", "(or (a ?x))", "(and (on ?x) (not (off ?x)))")],
        ),
        (
            (
                '{"name": "s", "args": [], "requires": {"or": (a ?x)}, "effects": {"and": '
                '["(on ?x)", {"not": ["off ?x"]}]}}'
            ),
            [("s", "()", "(or (a ?x))", "(and (on ?x) (not (off ?x)))")],
        ),
        (
            (
                '{"name": "s", "args": [{"name": "?x", "of": {"a": 1}}, ["?y"]], "requires": '
                '"(a ?x) and (b ?x)", "effects": "(a), (b)"}'
            ),
            [("s", "(?x ?y)", "(and (a ?x) (b ?x))", "(and (a) (b))")],
        ),
    ],
)
def test_parts_become_an_action(answer: str, expected: list[tuple[str, ...]]) -> None:
    assert parts(answer) == expected


LABELLED = "Sure.\nswitch_on\nPrecondition: (next_to ?x)\nEffect: (on ?x)"


@pytest.mark.parametrize(
    ("answer", "written"),
    [
        (f"{LABELLED} is all.\nBye.", "Precondition: (next_to ?x)\nEffect: (on ?x)"),
        (
            'So: {"name": "a", "pre": "()", "post": "(q)"}, or so',
            '{"name": "a", "pre": "()", "post": "(q)"}',
        ),
        ("Now (:action a :effect (q)) and more", "(:action a :effect (q))"),
        ("Now :action a :effect (q)) and more", ":action a :effect (q))"),
        ("(:action a :parameters ()) :effect (q)) (r)", "(:action a :parameters ()) :effect (q)"),
        ("(:action a :effect (q) ; (one more\n) (rest", "(:action a :effect (q) ; (one more\n)"),
        ("```\n(:action a :effect (and (q)\n```\nBye (now)", "(:action a :effect (and (q)"),
        ("(action a :parameters () :effect (q)) and more", "(action a :parameters () :effect (q))"),
    ],
)
def test_the_place_of_an_operator_is_that_of_its_text(answer: str, written: str) -> None:
    (operator,) = operators(answer)
    assert answer[operator.at : operator.end] == written
    assert not operator.is_cut


@pytest.mark.parametrize(
    "answer",
    [
        "(:action a :effect (and (q",
        ":action a :effect (q)",
        "```\n(:action a :effect (and (q)",
        '{"output": {"name": "a", "pre": "()", "post": "(q)"',
    ],
)
def test_an_operator_in_which_the_answer_ends_is_cut(answer: str) -> None:
    (operator,) = operators(answer)
    assert operator.is_cut
    assert operator.end == len(answer)


@pytest.mark.parametrize(
    ("answer", "is_cut"),
    [
        ("(action a :effect (q))", [False]),
        ("(action a :effect (and (q", [True]),
        ("(action a :effect (q))\n(action b :effect (and (q", [False, True]),
        ("(action a :effect (and (q)\n(action b :effect (q))", [False, False]),
    ],
)
def test_only_the_last_action_without_its_colon_may_be_cut(answer: str, is_cut: list[bool]) -> None:
    assert [operator.is_cut for operator in operators(answer)] == is_cut


def test_each_action_ends_where_the_next_begins() -> None:
    answer = "(:ACTION a :effect (q)\n(:action\\n b :effect (q))\n(:action c"
    found = [(each.name, answer[each.at : each.end].strip()) for each in operators(answer)]
    assert found == [
        ("a", "(:ACTION a :effect (q)"),
        ("b", "(:action\\n b :effect (q))"),
        ("c", "(:action c"),
    ]


@pytest.mark.parametrize(
    ("action", "plain"),
    [
        ("(:action a :effect ((q)))", "(:action a :effect  (q) )"),
        ("(:action a :precondition ( (q) ) :effect ((q)))", None),
        ("(:action a :effect ((q) (r)))", "(:action a :effect ((q) (r)))"),
        ("(:action a :effect ((q)", "(:action a :effect ((q)"),
        ("(:action a :effect (q))", "(:action a :effect (q))"),
    ],
)
def test_doubled_brackets_are_left_out_and_no_place_is_moved(
    action: str, plain: str | None
) -> None:
    found = without_doubled_brackets(action)
    assert len(found) == len(action)
    assert found == (plain or "(:action a :precondition   (q)   :effect  (q) )")


def test_brackets_that_nothing_closes_are_kept_before_others_that_are_left_out() -> None:
    # The first two are in a comment, the last two have one closing bracket.
    remark = "; was :precondition ((q))\n"
    assert without_doubled_brackets(f"(:action a {remark} :precondition ((p)) :effect ((q)") == (
        f"(:action a {remark} :precondition  (p)  :effect ((q)"
    )


ELEMENTS = {
    "name": "switch_on",
    "parameters": "(?x - thing)",
    "precondition": "(and (next_to ?x) (not (on ?x)))",
    "effect": "(and (on ?x) (not (off ?x)))",
}
WHOLE = tuple(ELEMENTS.values())


def test_labels_within_elements_are_those_of_the_elements() -> None:
    lines = [f"<{name}>{name.capitalize()}: {text}</{name}>" for name, text in ELEMENTS.items()]
    assert parts("switch_on\n" + "\n".join(lines[1:])) == [WHOLE]


ACTION = (
    "(:action switch_on\n :parameters (?x - thing)\n :precondition (next_to ?x)\n :effect (on ?x))"
)


@pytest.mark.parametrize(
    "answer",
    [
        'actions:\n  - name: switch_on\n    parameters: "(?x - thing)"\n    precondition: |\n'
        "      (next_to ?x)\n    effect: >-\n      (on ?x)\n",
        "[[action]]\nname = \"switch_on\"\nparameters = ['?x - thing']\n"
        "precondition = '''(next_to ?x)'''\neffect = \"\"\"\n(on ?x)\"\"\"\n",
    ],
)
def test_parts_in_texts_of_several_lines_are_read(answer: str) -> None:
    assert parts(answer) == [("switch_on", "(?x - thing)", "(next_to ?x)", "(on ?x)")]


def test_an_action_may_lack_the_colon_of_its_keyword() -> None:
    answer = f"Here:\n{ACTION.replace('(:action', '(action')}\n"
    assert [(item.name, item.text) for item in operators(answer)] == [("switch_on", ACTION)]
