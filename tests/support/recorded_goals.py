"""Goals in random words and frames, as they were read and compared with tasks before.

Run as a script, it reads and compares all of them anew.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from recorded_cases import read_cases, renew_cases
from small_virtualhome import ARITIES, small_task

from eai.abilities import GoalNames, ReadGoal, evaluate_goals, has_goal, look_up, read_goals
from eai.logic import Formula, parse_formula
from eai.task import ActionGoal, Goal, Vocabulary

__all__ = ["answer_of", "recorded", "result_of"]

FILE = Path(__file__).parents[1] / "fixtures" / "goals_in_words.jsonl"

FACTS = "off lamp.1; off lamp.2; readable book.3; readable book.4; inside cup.5 kitchen.1"
PREDICATES = {
    "on": 1,
    "open": 1,
    "plugged_in": 1,
    "clean": 1,
    "raining": 0,
    "ontop": 2,
    "inside": 2,
    "facing": 2,
    "holds_rh": 2,
    "on_side": 3,
}
_HOME = small_task(FACTS)
_VOCABULARY = Vocabulary(ARITIES, PREDICATES, _HOME.vocabulary.objects, _HOME.vocabulary.classes)
NAMES = GoalNames(_VOCABULARY, aliases={("lit", 1): "on", ("in", 2): "inside"})

OBJECTS: tuple[str, ...] = (
    "lamp.1",
    "lamp.2",
    "book.3",
    "cup.5",
    "lamp",
    "book",
    "cup",
    "kitchen",
    "Lamp 1",
)
OBJECTS += ("the lamp", "the cup", "sofa", "a book", "cup_5")
STATES = ("ON", "OPEN", "PLUGGED_IN", "clean", "on", "lit", "SHINY", "plugged in", "off", "closed")
RELATIONS = ("ONTOP", "INSIDE", "FACING", "HOLDS_RH", "on top of", "inside", "in", "BELOW", "on")
ACTIONS = ("READ", "LOOKAT", "DRINK", "read", "SLEEP", "FLY", "switch on", "put down")

STATE_TEXTS = (
    *("{s}({o})", "{s}({o})", "{o} is {s}", "{o} should be {s}", "{o} must not be {s}", "{o}: {s}"),
    *(
        "{o} {s}",
        "{o} - {s}",
        "{o} = {s}",
        "{o} -> {s}",
        "{s}",
        "({s} {o})",
        "[{o}, {s}]",
        "{s}: {o}",
    ),
    *("{o} and {p} are {s}", "{s}({o}) and {s}({p})", "the state of {o} is {s}", "not {s}({o})"),
    *(
        "{s}({o}) or {s}({p})",
        "name: {o}, state: {s}",
        "name = {o}; state = {s}",
        "{o}, {s}",
        "{o}",
    ),
    *("all of {o} are {s}", "{o} is {s} because {p} is {s}", "no {o} is {s}", "`{s}({o})`", "none"),
    *("{s}({o}) (so that {p} is {s})", "**{o}**: {s}", "{o} is not {s}", "{s}({o}).", "!{s}({o})"),
    *(
        "{s}({o}, {p})",
        "{s}()",
        "at the end {o} is {s}",
        "{o}.{s}",
        "{o}: {s}, {t}",
        "{o} has to be {s}",
    ),
)
RELATION_TEXTS = (
    *(
        "{r}({o}, {p})",
        "{o} {r} {p}",
        "{o} is {r} {p}",
        "{o} -> {r} -> {p}",
        "({r} {o} {p})",
        "{o}, {r}, {p}",
    ),
    *(
        "{o} should be {r} {p}",
        "{o} must not be {r} {p}",
        "not {r}({o}, {p})",
        "{o} and {p} {r} {q}",
    ),
    *(
        "from: {o}, relation: {r}, to: {p}",
        "{o} {r} {p} and {q}",
        "{r}: {o}, {p}",
        "{o} is on the {r} {p}",
    ),
    *(
        "{r}({o})",
        "{r}({o}, {p}, {q})",
        "put {o} {r} {p}",
        "`{o}` {r} `{p}`",
        "{o} ({r}) {p}",
        "none",
    ),
)
ACTION_TEXTS = (
    *(
        "{a}",
        "{a}",
        "{a}()",
        "{a}({o})",
        "{a} the {o}",
        "{a}, {b}",
        "{a} and {b}",
        "{a} then {b}",
        "`{a}`",
    ),
    *(
        "{a}: because of {o}",
        "you have to {a}",
        "{a} or {b}",
        "action: {a}",
        "**{a}**",
        "none",
        "{a}.",
    ),
    *("do not {a}", "{a} - {o}", "{a} (once)", "the action {a}"),
)
TEXTS = {"state": STATE_TEXTS, "relation": RELATION_TEXTS, "action": ACTION_TEXTS}
HEADS = {
    "state": ("Node goals", "State goals", "States", "node_goals", "unary goals", "Nodes"),
    "relation": ("Edge goals", "Relation goals", "Relations", "edge goals", "binary goals"),
    "action": ("Action goals", "Actions", "action_goals", "Required actions"),
}
OTHER_HEADS = ("Goals", "Explanation", "Negative goals", "Initial state", "Notes", "Final goals")
BULLETS = ("", "- ", "* ", "{n}. ", "({n}) ", "\u2022 ", "  - ", "{n}) ")
FRAMES: tuple[str, ...] = (
    "{}",
    "{}",
    "{}",
    "```\n{}\n```",
    "Here are the goals.\n\n{}",
    "<answer>{}</answer>",
)
FRAMES += ("Let me think about it.\n\nFinal answer:\n{}", "{}\n\nThese are all goals.")


def _filled(random: Random, text: str) -> str:
    """Return a text with names in the place of the letters in braces."""
    objects = random.sample(OBJECTS, 3)
    actions = random.sample(ACTIONS, 2)
    states = random.sample(STATES, 2)
    return text.format(
        o=objects[0],
        p=objects[1],
        q=objects[2],
        s=states[0],
        t=states[1],
        r=random.choice(RELATIONS),
        a=actions[0],
        b=actions[1],
    )


def _text(random: Random, kind: str) -> str:
    """Return a goal of a kind in words, or rarely one of another kind."""
    if random.random() < 0.08:
        kind = random.choice(list(TEXTS))
    return _filled(random, random.choice(TEXTS[kind]))


def _value(random: Random, kind: str) -> Any:
    """Return a goal of a kind as a value of JSON."""
    first, second = random.sample(OBJECTS, 2)
    state, relation = random.choice(STATES), random.choice(RELATIONS)
    action = random.choice(ACTIONS)
    by_kind: dict[str, Sequence[Any]] = {
        "state": (
            {"name": first, "state": state},
            *([first, state], {first: state}, {state: first}, {state: [first, second]}, None),
            {"object": first, "value": state, "negated": random.random() < 0.5},
            {"predicate": state, "arguments": [first]},
            *({"name": first, "states": [state, "OPEN"]}, {"not": f"{state}({first})"}, "none"),
            {"name": first, "state": state, "reason": f"{second} is near"},
            *(
                ["not", f"{state}({first})"],
                {"goal": f"{state}({first})"},
                {f"{state}({first})": True},
            ),
            *({"name": first}, {"state": state}, {f"{state}({first})": False}, [[first, state]]),
            {"name": [first, second], "state": state},
        ),
        "relation": (
            {"from_name": first, "relation": relation, "to_name": second},
            *([first, relation, second], [relation, first, second], {first: {relation: second}}),
            {"predicate": relation, "arguments": [first, second]},
            {"from": first, "to": second, "type": relation},
            *(
                {relation: [first, second]},
                {"subject": first, "relation": relation, "object": second},
            ),
            *({"not": [relation, first, second]}, {"from_name": first, "to_name": second}, []),
        ),
        "action": (
            {"action": action},
            *(
                {"action": action, "description": f"use {first}"},
                {"name": action},
                [action],
                action,
            ),
            *(
                {action: f"use {first}"},
                {"action": action, "object": first},
                {action: [first]},
                None,
            ),
        ),
    }
    return random.choice(by_kind[kind])


def _in_lines(random: Random) -> str:
    """Return sections of goals in lines."""
    bullet = random.choice(BULLETS)
    style = random.choice(("{}:", "**{}**", "{}:", "### {}", "{}", "**{}:**", "[{}]", "<{}>"))
    is_inline = random.random() < 0.2
    separator = random.choice(("; ", ", ", " and "))
    lines: list[str] = []
    for kind in random.sample(list(TEXTS), random.choice((1, 2, 2, 3))):
        texts = [_text(random, kind) for _ in range(random.randint(0, 3))]
        head = random.choice(HEADS[kind] if random.random() < 0.85 else OTHER_HEADS)
        if is_inline:
            lines.append(f"{head}: {separator.join(texts)}")
            continue
        if random.random() < 0.9:
            lines.append(style.format(head))
        lines += [bullet.format(n=number) + text for number, text in enumerate(texts, start=1)]
        lines += [""] * random.randint(0, 1)
    return "\n".join(lines)


def _in_values(random: Random) -> str:
    """Return goals in JSON: in sections, in one list, or a record for each."""
    sections: dict[str, Any] = {}
    for kind in random.sample(list(TEXTS), random.choice((1, 2, 3, 3))):
        values: list[Any] = []
        for _ in range(random.randint(0, 3)):
            values.append(_text(random, kind) if random.random() < 0.4 else _value(random, kind))
        head = random.choice(HEADS[kind] if random.random() < 0.9 else OTHER_HEADS)
        one = len(values) == 1 and random.random() < 0.4
        sections[head] = values[0] if one else values
    way = random.randrange(5)
    if way == 0:
        return json.dumps([value for values in sections.values() for value in values or ()])
    if way == 1:
        return json.dumps({"goals": sections})
    return json.dumps(sections, indent=random.choice((None, None, 2)))


def _in_a_table(random: Random) -> str:
    """Return goals in a table, with or without its head."""
    sign = random.choice(("|", ",", "\t"))
    rows = []
    for _ in range(random.randint(1, 3)):
        first, second = random.sample(OBJECTS, 2)
        rows.append((first, random.choice(STATES + RELATIONS), second)[: random.randint(2, 3)])
    heads = [("name", "state"), ("from", "relation", "to"), ("object", "goal state", "note")]
    table = [random.choice(heads), *rows] if random.random() < 0.8 else rows
    if sign == "|":
        lines = [f"| {' | '.join(row)} |" for row in table]
        lines.insert(1, "|---|---|")
        return "\n".join(lines)
    return "\n".join(sign.join(row) for row in table)


def answer_of(number: int) -> str:
    """Return a random answer to goal interpretation."""
    random = Random(f"goals {number}")
    write = random.choice((_in_lines, _in_lines, _in_lines, _in_values, _in_values, _in_a_table))
    return random.choice(FRAMES).format(write(random))


def _goal(*options: Sequence[str], actions: Sequence[str] = ()) -> Goal:
    """Return a goal with alternatives for the final state, and demanded actions."""

    def parsed(text: str) -> tuple[str, Formula]:
        formula = parse_formula(text)
        kind = "relation" if "," in text else "state"
        return kind, formula

    demanded = tuple(ActionGoal(tuple(names.split("|"))) for names in actions)
    return Goal(final=tuple(tuple(map(parsed, option)) for option in options), actions=demanded)


GOALS = (
    _goal(["on(lamp.1)", "ontop(book.3, cup.5)"], actions=["read|lookat"]),
    _goal(["not on(lamp.1)", "open(book.3)", "on(lamp.2)"]),
    _goal(["on(lamp.1)", "inside(cup.5, kitchen.1)"], ["on(lamp.2)"], ["plugged_in(lamp.1)"]),
    _goal(["exists x. (on(x) and not open(x))", "clean(cup.5)"], actions=["drink", "sleep"]),
    _goal([]),
)
TASKS = [replace(_HOME, goal=goal, vocabulary=_VOCABULARY) for goal in GOALS]


def told(text: str) -> list[str]:
    """Return the names and numbers that a text tells, in order, without its words."""
    return re.findall(r"'[^']*'|[\w.-]+\([^)]*\)|\d+", text)


def _written(goal: ReadGoal) -> list[Any]:
    """Return a goal as it was read."""
    return [goal.kind, goal.name, *goal.arguments, goal.negated, goal.text, goal.position]


def result_of(number: int) -> list[Any]:
    """Return what is read out of an answer, what it means, and what it is worth in a task."""
    answer = answer_of(number)
    plain, reading = read_goals(answer), read_goals(answer, NAMES)
    problem = reading.problem
    predicted, actions, findings = look_up(reading, NAMES)
    task = TASKS[number % len(TASKS)]
    copies = number % 7 == 0
    result = evaluate_goals(
        reading, task, NAMES, unusable_count=number % 4 > 0, copies_count=copies
    )
    found = [
        [*map(_written, plain.goals)] if plain.goals != reading.goals else len(plain.goals),
        list(map(_written, reading.goals)),
        [reading.status, reading.rule, len(reading.notes), problem and problem.position],
        [[each.kind, each.predicate, each.terms, each.usable] for each in predicted],
        actions,
        [[each.kind.value, each.position, told(each.message)] for each in findings],
        [has_goal(task), result.success],
        [[each.kind, each.text, each.met] for each in result.goals],
        [[each.kind, each.tp, each.fp, each.fn] for each in result.matches],
        [told(note) for note in result.notes[len(reading.notes) :]],
    ]
    kept: list[Any] = json.loads(json.dumps(found))
    return kept


def recorded() -> list[tuple[int, list[Any]]]:
    """Return the numbers of answers, each with its result."""
    return read_cases(FILE)


if __name__ == "__main__":
    renew_cases(FILE, result_of)
