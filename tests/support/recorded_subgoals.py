"""Subgoals in random notations and frames, as they were read, bound and evaluated before.

Run as a script, it does all of it anew.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

from recorded_cases import read_cases, renew_cases
from small_subgoals import evaluated, meaning, subgoal_task

from eai.abilities import bind_subgoals, read_subgoals
from eai.diagnosis import Result
from eai.logic import format_formula

__all__ = ["answer_of", "recorded", "result_of"]

FILE = Path(__file__).parents[1] / "fixtures" / "subgoals_in_words.jsonl"

TASKS = (
    subgoal_task(states=["on lamp.8"], relations=["holds_rh character.65 cup.11"]),
    subgoal_task(states=["open box.12"], relations=["ontop pen.13 desk.14"], actions=["grab"]),
    subgoal_task(relations=["ontop character.65 bed.9"], actions=["lie|sleep"]),
    subgoal_task(formula="on(lamp.8) then not open(box.12)"),
)
OFFICIAL, STRICT = meaning("official"), meaning("strict")

OBJECTS: tuple[str, ...] = (
    "lamp.8",
    "cup.11",
    "bed.9",
    "box.12",
    "pen.13",
    "desk.14",
    "lamp",
    "cup",
    "kitchen.1",
)
OBJECTS += ("bedroom", "Lamp_8", "sofa.3", "the cup", "cup (11)", "character.65")
STATES = ("on", "off", "open", "closed", "ON", "sitting", "lying", "plugged_in", "shiny")
RELATIONS = ("ontop", "inside", "next_to", "holds_rh", "facing", "under", "NEXT_TO")
ACTIONS = ("grab", "SLEEP", "switchon", "lie", "walk", "fly", "DRINK")
LITERALS = (
    *("{s}({o})", "{s}({o})", "{r}({o}, {p})", "{r}(character.65, {o})", "{a}({o})", "{a}()"),
    *("{s} {o}", "{o} is {s}", "({s} {o})", "{r} {o} {p}", "{s}[{o}]", "{o}.{s}", "{s}", "{a}"),
    *(
        "{a} {o}",
        "{s}({o}, {p})",
        "{r}({o})",
        "{s}(?x)",
        "{s}({o}) = true",
        "{o}: {s}",
        "`{s}({o})`",
    ),
)
COMPOUNDS = (
    *(
        "{}",
        "{}",
        "{}",
        "not {}",
        "{} and {}",
        "{} or {}",
        "{} and not {}",
        "{} & {}",
        "not ({} and {})",
    ),
    *(
        "({} and {}) or {}",
        "{}, {}",
        "{} then {}",
        "!{}",
        "{} -> {}",
        "(and {} {})",
        "forall x. ({})",
    ),
    *(
        "exists x - lamp. (on(x))",
        "{} ; {}",
        "{} (then {})",
        "{} because of {}",
        "{} AND {}",
        "F {}",
    ),
    *("forn 2 x - cup. (inside(x, kitchen.1))", "{} || {}", "not not {}", "{} and then {}", "{}."),
)
GOOD = (
    *(
        "on(lamp.8)",
        "open(box.12)",
        "holds_rh(character.65, cup.11)",
        "inside(character.65, bedroom)",
    ),
    *(
        "next_to(character.65, cup.11)",
        "lying(character.65)",
        "sitting(character.65)",
        "grab(cup.11)",
    ),
    *("ontop(pen.13, desk.14)", "closed(box.12)", "holds_lh(character.65, pen.13)", "off(lamp.8)"),
    *("ontop(character.65, bed.9)", "next_to(character.65, box.12)", "sleep()", "lie(bed.9)"),
    *(
        "inside(pen.13, box.12)",
        "next_to(character.65, lamp)",
        "grab(pen)",
        "facing(character.65, lamp)",
    ),
)
GOOD_COMPOUNDS = (
    *("{}", "{}", "{}", "{}", "{} and {}", "{} and {}", "{} or {}", "not {}", "{} then {}"),
    *(
        "({} then {}) or {}",
        "{} and not {}",
        "not ({} or {})",
        "exists x - cup. (inside(x, kitchen.1))",
    ),
)
BULLETS = ("", "- ", "* ", "{n}. ", "({n}) ", "Step {n}: ", "Subgoal {n}: ", "{n}) ", "\u2022 ")
FRAMES: tuple[str, ...] = (
    "{}",
    "{}",
    "{}",
    "```\n{}\n```",
    "Here they are:\n{}",
    "<answer>\n{}\n</answer>",
)
FRAMES += ("First I thought of on(desk.14).\n\nFinal answer:\n{}", "{}\n\nThat is all.", "Plan: {}")


def _literal(random: Random) -> str:
    """Return a literal in one of many notations."""
    first, second = random.sample(OBJECTS, 2)
    form = random.choice(LITERALS[:6] if random.random() < 0.6 else LITERALS)
    return form.format(
        o=first,
        p=second,
        s=random.choice(STATES),
        r=random.choice(RELATIONS),
        a=random.choice(ACTIONS),
    )


def _subgoal(random: Random) -> str:
    """Return a subgoal of one or more literals."""
    form = random.choice(COMPOUNDS)
    return form.format(*(_literal(random) for _ in range(form.count("{}"))))


def _good_list(random: Random) -> str:
    """Return subgoals that name what the tasks have."""
    subgoals = []
    for _ in range(random.randint(1, 4)):
        form = random.choice(GOOD_COMPOUNDS)
        subgoals.append(form.format(*random.sample(GOOD, form.count("{}"))))
    return json.dumps({"output": subgoals})


def _value(random: Random) -> Any:
    """Return a subgoal as a value of JSON."""
    first, second = random.sample(OBJECTS, 2)
    state, relation = random.choice(STATES), random.choice(RELATIONS)
    values: tuple[Any, ...] = (
        *(_subgoal(random), _subgoal(random), _subgoal(random)),
        *([_subgoal(random), _subgoal(random)], [state, first], [relation, first, second]),
        *([[state, first], [relation, first, second]], {state: [first]}, {state: first}),
        {"predicate": state, "arguments": [first]},
        {"predicate": relation, "args": [first, second], "negated": True},
        *(
            {"subgoal": _subgoal(random)},
            {"not": _subgoal(random)},
            {"and": [_literal(random)] * 2},
        ),
        *({"step": 1, "state": _subgoal(random)}, {"name": first, "state": state}, None, "", []),
        {"goal": _subgoal(random), "reason": f"then {first} is {state}"},
        {"or": [_literal(random), _literal(random)]},
    )
    return random.choice(values)


def _in_values(random: Random) -> str:
    """Return subgoals in JSON, as the prompt asks for them or otherwise."""
    values = [_value(random) for _ in range(random.randint(1, 4))]
    if random.random() < 0.4:
        values = [_subgoal(random) for _ in values]
    numbered = {str(number): value for number, value in enumerate(values, start=1)}
    needed = {"necessity_to_use_action": "yes", "actions_to_include": ["GRAB"], "output": values}
    named = {f"subgoal_{number}": value for number, value in numbered.items()}
    whole: tuple[Any, ...] = (
        *(needed, {"output": values}, values, values, numbered, named, {"subgoals": numbered}),
        *({"output": " then ".join(map(str, values))}, {"plan": values, "output": values[:1]}),
        *(
            {"subgoals": [{"id": at, "literals": [each]} for at, each in enumerate(values)]},
            [values],
        ),
        "\n".join(map(str, values)),
    )
    text = json.dumps(random.choice(whole), indent=random.choice((None, None, 2)))
    if random.random() < 0.1:
        return text[: -random.randint(1, 5)]
    return text


def _in_lines(random: Random) -> str:
    """Return subgoals in lines, some of them below each other."""
    bullet = random.choice(BULLETS)
    lines = []
    for number in range(1, random.randint(1, 4) + 1):
        text = _subgoal(random)
        kind = random.random()
        if kind < 0.12:
            lines += [
                bullet.format(n=number) + "Get ready:",
                f"   - {text}",
                f"   - {_subgoal(random)}",
            ]
        elif kind < 0.2:
            lines.append(f"{bullet.format(n=number)}{text} - to be {random.choice(STATES)}")
        elif kind < 0.24:
            lines.append(f"{bullet.format(n=number)}walk over there")
        else:
            lines.append(bullet.format(n=number) + text)
    return random.choice(("\n", "\n", "\n\n", "; ", " -> ", ", then ")).join(lines)


def _in_marks(random: Random) -> str:
    """Return subgoals in tags, a table, or a list without quotes."""
    texts = [_subgoal(random) for _ in range(random.randint(1, 3))]
    kind = random.randrange(4)
    if kind == 0:
        return "\n".join(f"<subgoal>{text}</subgoal>" for text in texts)
    if kind == 1:
        rows = [f"| {number} | {text} |" for number, text in enumerate(texts, start=1)]
        return "\n".join(["| step | subgoal |", "|---|---|", *rows])
    if kind == 2:
        return f"[{', '.join(texts)}]"
    return f"output = [{', '.join(map(repr, texts))}]"


def answer_of(number: int) -> str:
    """Return a random answer to subgoal decomposition."""
    random = Random(f"subgoals {number}")
    if number % 3 == 0:
        return _good_list(random)
    write = random.choice((_in_lines, _in_lines, _in_values, _in_values, _in_marks))
    return random.choice(FRAMES).format(write(random))


def told(text: str) -> list[str]:
    """Return the names and numbers that a text tells, in order, without its words."""
    return re.findall(r"'[^']*'|[\w.-]+\([^)]*\)|\d+", text)


def _verdict(result: Result) -> list[Any]:
    """Return a result as it is kept."""
    return [
        [result.status, result.success, result.executable],
        [
            [each.kind.value, each.step, each.position, told(each.message)]
            for each in result.findings
        ],
        [[each.kind, each.text, each.met] for each in result.goals],
        [[each.kind, str(each.amount), str(each.base)] for each in result.measures],
        [told(note) for note in result.notes],
    ]


def result_of(number: int) -> list[Any]:
    """Return what is read out of an answer, what it means, and what it is worth in a task."""
    answer = answer_of(number)
    task = TASKS[number % len(TASKS)]
    plain, reading = read_subgoals(answer), read_subgoals(answer, task.vocabulary)
    bound = bind_subgoals(reading, task.vocabulary, types={"lamp", "cup"} if number % 3 else None)
    found: list[Any] = [
        [[each.text, each.position] for each in reading.subgoals],
        [[each.position, told(each.message)] for each in reading.problems],
        [told(note) for note in reading.notes],
        plain == reading or [[each.text, each.position] for each in plain.subgoals],
        [[list(map(format_formula, way)) for way in each.ways] for each in bound.subgoals],
        [[each.kind.value, each.position, told(each.message)] for each in bound.findings],
    ]
    if number % 3 == 0:
        found.append(_verdict(evaluated(task, answer, OFFICIAL if number % 2 else STRICT)))
    kept: list[Any] = json.loads(json.dumps(found))
    return kept


def recorded() -> list[tuple[int, list[Any]]]:
    """Return the numbers of answers, each with its result."""
    return read_cases(FILE)


if __name__ == "__main__":
    renew_cases(FILE, result_of)
