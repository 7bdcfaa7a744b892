"""Reading operators: actions of PDDL, and operators whose parts stand apart."""

from __future__ import annotations

import json

import pytest

from eai.abilities import OperatorReading, read_operators
from eai.pddl import read_domain

DOMAIN, _ = read_domain(
    "(define (domain d) (:types thing) (:predicates (on ?x - thing) (next_to ?x - thing)))"
)
NAMES = ("switch_on", "walk_towards")
PARTS = {
    "switch_on": ("(?x - thing)", "(next_to ?x)", "(on ?x)"),
    "walk_towards": ("(?x - thing)", "()", "(next_to ?x)"),
}
KEYS = ("parameters", "precondition", "effect")


def action(name: str) -> str:
    parts = " ".join(f":{key} {part}" for key, part in zip(KEYS, PARTS[name], strict=True))
    return f"(:action {name} {parts})"


def objects() -> list[dict[str, str]]:
    return [{"name": name, **dict(zip(KEYS, PARTS[name], strict=True))} for name in NAMES]


PLAIN = "\n\n".join(map(action, NAMES))
STUB = "(:action switch_on :parameters () :precondition () :effect ())"


def read(answer: str) -> OperatorReading:
    return read_operators(answer, DOMAIN, NAMES)


def errors(reading: OperatorReading) -> list[str]:
    issues = [*reading.outside, *(each for own in reading.operators for each in own.issues)]
    return [issue.kind for issue in issues if issue.severity == "error"]


ASKED = [own.operator for own in read(PLAIN).operators]


@pytest.mark.parametrize(
    "answer",
    [
        json.dumps({"output": PLAIN}),
        f"(define (domain d)\n  (:requirements :strips :negative-preconditions)\n{PLAIN})",
        PLAIN.replace("(:action", "(action"),
        json.dumps(objects()),
        json.dumps([{"action": each.pop("name"), **each} for each in objects()]),
        json.dumps({each.pop("name"): each for each in objects()}),
        "\n".join(
            f"```pddl\n{action(name)}\n```\nExplanation: it needs its precondition."
            for name in NAMES
        ),
        "\n".join(f"# the next one\n{action(name)}" for name in NAMES),
        "\n".join(f"> {line}" for line in PLAIN.splitlines()),
        PLAIN.replace("_", "\\_").replace("?", "&#63;"),
        PLAIN.replace("_", "-"),
        PLAIN.replace(":effect", ":effects").replace(":precondition", ":preconditions"),
        PLAIN.replace("(on ?x)", "((on ?x))"),
        PLAIN.replace("(on ?x))", "(on ?x)"),
        '{"output": """' + PLAIN + '"""}',
        f"<think>{STUB}</think>\n{PLAIN}",
        f"Draft:\n```\n{STUB}\n```\nFinal answer:\n```\n{PLAIN}\n```",
        f"Answer A:\n{PLAIN}\n\nAnswer B:\n{STUB}\n\nI choose Answer A.",
        "\n".join(
            f"### {name}\n- **Parameters:** `{PARTS[name][0]}`\n"
            f"- **Precondition:** `{PARTS[name][1]}`\n- **Effect:** `{PARTS[name][2]}`"
            for name in NAMES
        ),
        "".join(
            f'<action name="{name}"><parameters>{PARTS[name][0]}</parameters>'
            f"<precondition>{PARTS[name][1]}</precondition><effect>{PARTS[name][2]}</effect></action>"
            for name in NAMES
        ),
        "| Action | Parameters | Precondition | Effect |\n|---|---|---|---|\n"
        + "\n".join(f"| {name} | {' | '.join(PARTS[name])} |" for name in NAMES),
    ],
)
def test_the_same_operators_in_many_forms(answer: str) -> None:
    reading = read(answer)
    assert [own.operator for own in reading.operators] == ASKED
    assert not errors(reading)
    assert not reading.problems


@pytest.mark.parametrize(
    "answer",
    [
        f"Do NOT use the following:\n{PLAIN}",
        f"{PLAIN}\n\nNo, none of this is right. I have no answer.",
        f"<!--\n{PLAIN}\n-->",
        f"<think>\n{PLAIN}\n</think>\nI am not sure.",
        f"<think>\n{PLAIN}",
        "I cannot help with that.",
    ],
)
def test_what_is_not_meant_is_not_read(answer: str) -> None:
    assert not read(answer).operators


@pytest.mark.parametrize("cut", [4, 12, 30])
def test_an_answer_that_ends_inside_an_operator_is_not_mended(cut: int) -> None:
    assert errors(read(PLAIN[:-cut]))


def test_a_later_operator_of_the_same_name_counts() -> None:
    reading = read(f"{PLAIN}\n\n{action('switch_on')}")
    assert [own.operator.name for own in reading.operators] == [*NAMES, "switch_on"]


@pytest.mark.parametrize(
    ("answer", "rule"),
    [
        (json.dumps({"draft": STUB, "final": PLAIN}), "final"),
        (json.dumps({"final": PLAIN, "draft": STUB}), "final"),
        (json.dumps({"final_answer": PLAIN, "rejected": STUB}), "final"),
        (f"Wrong:\n{STUB}\nCorrect:\n{PLAIN}", "final"),
        (f"~~{STUB}~~\n{PLAIN}", "not rejected"),
        (f"<answer>\n{PLAIN}\n</answer>\n{STUB}", "marked"),
        (f"<draft>\n{STUB}\n</draft>\n<final>\n{PLAIN}\n</final>", "marked"),
        (f"[1] {PLAIN} [2]", ""),
        (f"{PLAIN}\nExplanation: no other is needed.", ""),
    ],
)
def test_keys_tags_and_words_say_which_operators_are_meant(answer: str, rule: str) -> None:
    reading = read(answer)
    assert [own.operator for own in reading.operators] == ASKED
    assert [note.rpartition(": ")[2] for note in reading.notes] == [rule] * bool(rule)


def test_operators_under_keys_that_say_nothing_are_one_answer() -> None:
    reading = read(json.dumps({"one": action("switch_on"), "two": action("walk_towards")}))
    assert [own.operator for own in reading.operators] == ASKED
    assert reading.notes == ()


WRONG = "(:action switch_on :parameters (?x - thing)\n  :precondition (shiny ?x) :effect (on ?x))"


@pytest.mark.parametrize(
    "answer",
    [
        WRONG,
        f"Sure!\n\n{WRONG}",
        f"{action('walk_towards')}\nand then\n{WRONG}\n(:action fly :effect (on fan))",
        json.dumps({"output": WRONG}),
        f"<think>hm</think>\n  {WRONG}",
    ],
)
def test_what_is_wrong_in_an_operator_has_its_place_in_the_answer(answer: str) -> None:
    (own,) = (each for each in read(answer).operators if each.operator.name == "switch_on")
    (issue,) = own.issues
    assert issue.kind == "undeclared-predicate"
    assert issue.place is not None
    assert answer[issue.place.position :].startswith("shiny")


ESCAPED = r"(:action switch_on\n :parameters (?x - thing)\n :precondition ()\n :effect (shiny ?x))"


@pytest.mark.parametrize(
    ("before", "behind", "line"),
    [
        ("", "", 4),  # the lines are those of the escapes
        ("\n", "\n", 5),  # and so they are if there are line breaks around it alone
        ("Sure: ", "", 4),
        ("Sure:\n", "", 2),  # the lines are those of the answer
        ("Sure:\n\n", "\nDone.", 3),
        ("", "\nDone.", 1),
        ("\n\n", "\n\nDone.\n", 3),
        ('{"output": "', '"}', 4),
        ('{"output":\n"', '"}', 2),
    ],
)
def test_escaped_line_breaks_count_only_where_there_are_no_others(
    before: str, behind: str, line: int
) -> None:
    answer = before + ESCAPED + behind
    reading = read(answer)
    [place] = [
        issue.place
        for own in reading.operators
        for issue in own.issues
        if issue.kind == "undeclared-predicate"
    ]
    assert place is not None
    assert answer[place.position :].startswith("shiny")
    assert place.line == line


def test_what_explains_an_operator_does_not_choose_between_them() -> None:
    text = f"{action('switch_on')}\nExplanation: the final answer is below.\n"
    reading = read(text + action("walk_towards"))
    assert [own.operator for own in reading.operators] == ASKED
    assert reading.notes == ()
    chosen = read(f"{action('switch_on')}\nThe final answer is below:\n{action('walk_towards')}")
    assert [own.operator for own in chosen.operators] == ASKED[1:]


@pytest.mark.parametrize(
    ("between", "expected"),
    [
        ("A better version:\n", ["walk_towards"]),
        ('A better version:\n{"output": [1, 2]}\n', ["switch_on", "walk_towards"]),
        ('{"output": [1, 2]}\nA better version:\n', ["walk_towards"]),
        ('A better version:\n{"x": 1}\nor this one:\n{"x": 2}\n', ["switch_on", "walk_towards"]),
        ('{"x": 1}\nA better version:\n{"x": 2}\n', ["switch_on", "walk_towards"]),
    ],
)
def test_words_before_a_value_between_operators_belong_to_the_value(
    between: str, expected: list[str]
) -> None:
    first, second = map(action, NAMES)
    reading = read(f"{first}\n\n{between}\n{second}")
    assert [own.operator.name for own in reading.operators] == expected
