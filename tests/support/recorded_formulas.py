"""Formulas as they were read, explained, drawn and turned into automata before.

Run as a script, it does all of it anew for the formulas of the fixture.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from causes_worlds import NAMES, OPERATORS, THINGS, WORLD, workshop_task

from eai.diagnosis import DomainRules, Run
from eai.errors import EaiError, ParseError
from eai.logic import (
    GoalOptions,
    LogicVocabulary,
    automaton,
    check_formula,
    evaluate,
    explain,
    format_formula,
    parse_formula,
    truth_table,
)
from eai.logic.dialects import DIALECTS, Dialect
from eai.logic.options.goal import BestOption
from eai.world import Action, Trajectory

__all__ = ["recorded", "result_of"]

FILE = Path(__file__).parents[1] / "fixtures" / "formulas.jsonl"
RANDOM = 220
"""Random formulas."""

TYPED = LogicVocabulary(
    NAMES.predicates,
    NAMES.actions,
    {**dict.fromkeys(THINGS, "thing"), "robot": "robot"},
    {"thing": "object", "robot": "object"},
    {"painted": [("thing",)], "in": [("thing",), ("thing",)], "wet": [("robot",)]},
)
ATOMS = (
    *("lit()", "aired()", "door_open()", "painted(box)", "wet(can)", "wet(box)"),
    *("in(can, box)", "nested(can, pot)", "paint(box)", "look()", "not lit()"),
)
UNARY = ("not", "X", "WX", "F", "G", "Y", "WY", "O", "H")
BINARY = (
    "and",
    "and",
    "or",
    "or",
    "then",
    "then",
    "->",
    "<->",
    "xor",
    "U",
    "R",
    "W",
    "M",
    "S",
    "T",
)
FOREIGN = (
    *("G F lit()", "GF(lit() & X door_open())", "GFX lit", "FG !lit() W aired()", "X[!] lit()"),
    *(
        "& lit() | aired() ! door_open()",
        "U lit G aired",
        "-> lit() F door_open()",
        "i G lit F wet",
    ),
    *("g f lit", "f(lit & x aired)", "lit u aired r door_open", "!g lit | f door_open"),
    *("[] <> lit()", "[](lit() -> <>aired())", "<>[]lit() && !door_open()", "() lit()"),
    r"\Box (lit() \to \Diamond aired())",
    r"$\mathbf{G}\,\mathrm{lit()} \land \neg \mathit{door\_open()}$",
    r"\text{lit()} \mathcal{U} \text{aired()} \lor \bot",
    r"\forall x. wet(x) \Rightarrow \exists y. in(y, x)",
    *("lit() xor aired() xor door_open()", "lit() xor (aired() xor door_open())"),
    *("lit() xor (aired() or door_open())", "(lit() or aired()) xor door_open()"),
    *("lit() iff aired() iff door_open()", "(lit() iff aired()) iff door_open()"),
    *("lit() -> aired() -> door_open()", "(lit() -> aired()) -> door_open()"),
    *(
        "lit() U aired() U door_open()",
        "(lit() U aired()) U door_open()",
        "lit() R aired() W lit()",
    ),
    *("lit() and (aired() or door_open()) xor lit()", "not (lit() xor aired()) and lit()"),
    *("at-least 2 x. (wet(x))", "at most 1 x - thing. (in(x, box))", "forn 2 x. (wet(x))"),
    *("forpairs x - thing, y - thing. (in(x, y))", "fornpairs 2 x - thing, y - thing. (in(x, y))"),
    *("sometime-before(lit(), aired())", "always-within(3, lit(), aired())", "at-end(lit())"),
    *("hold-during(1, 3, lit())", "within 2 lit()", "at-most-once(lit())", "hold-after 2 lit()"),
    *('"a light"(box) and wet("the can")', "wet(Box) and LIT()", "Painted(POT) then look"),
    *("\u2200 x. (wet(x) \u2192 \u00ac painted(x))", "\u25a1 \u25c7 lit()", "lit() \u2227 aired()"),
    *("wet(robot)", "in(robot, box)", "forall x - robot. (wet(x))", "forall x - ghost. (wet(x))"),
    *("forall x. (lit())", "exists x, x. (in(x, x))", "wet(y)", "wet()", "lit(box)", "in(box)"),
)
BOUND = ("wet({})", "painted({})", "in({}, box)", "in(can, {})", "lit() and wet({})", "{} = pot")
QUANTIFIERS = ("forall {}. ({})", "exists {} - thing. ({})", "exactly 1 {} - thing. ({})")
NOISE = (
    *("(", ")", " ", ",", ".", "&&", "||", "!", "[]", "<>", "G", "f ", "X!", "until", "globally"),
    *("lt()", "pot", "wet", "wett(can)", "thin", "?x", "1", "then", "and", "paint", "-", "=>", "U"),
)


ALL = RANDOM + 2 * len(FOREIGN)


def text_of(random: Random, depth: int) -> str:
    """Return a random formula."""
    kind = random.random() if depth else 0.0
    if kind < 0.25:
        return random.choice(ATOMS)
    if kind < 0.4:
        name = random.choice("xyz")
        body = random.choice(BOUND).format(name)
        return random.choice(QUANTIFIERS).format(name, body)
    inner = text_of(random, depth - 1)
    if kind < 0.6:
        return f"{random.choice(UNARY)} ({inner})"
    return f"({inner}) {random.choice(BINARY)} ({text_of(random, depth - 1)})"


def damaged(random: Random, text: str) -> str:
    """Return a text with something too much, or too little."""
    begin = random.randrange(len(text))
    if random.random() < 0.5:
        return text[:begin] + random.choice(NOISE) + text[begin:]
    return text[:begin] + text[begin + random.randint(1, 4) :]


def trajectory_of(random: Random, length: int) -> tuple[Trajectory, list[Action]]:
    """Return a random execution in the workshop."""
    task = workshop_task(initially=random.sample(("lit", "wet can", "painted box"), 1))
    run, rules, done = Run(WORLD, task.start, "robot"), DomainRules(), list[Action]()
    while len(done) < length:
        name = random.choice(sorted(OPERATORS))
        action = Action(name, tuple(random.choices(THINGS, k=OPERATORS[name])))
        if rules.take(run, action, len(done) + 1)[0] == "done":
            done.append(action)
    return run.trajectory, done


def tried(function: Callable[[], Any]) -> Any:
    """Return what a function returns, or its error: of a text, where."""
    try:
        return function()
    except ParseError as error:
        return ["ParseError", error.position]
    except EaiError as error:
        return [type(error).__name__]


def rewritten(text: str, dialect: Dialect) -> str:
    """Return a text of a dialect in our notation."""
    return format_formula(parse_formula(text, dialect=dialect))


def checked(text: str, dialect: Dialect) -> list[Any]:
    """Return what is wrong with the names in a text of a dialect."""
    return [
        [each.kind, each.name, list(each.suggestions), each.position, each.is_error]
        for each in check_formula(text, TYPED, dialect=dialect)
    ]


def readings(text: str) -> list[Any]:
    """Return what a text means in each dialect, and what is wrong with its names."""
    found = [tried(partial(rewritten, text, dialect)) for dialect in DIALECTS]
    named = tried(lambda: format_formula(parse_formula(text, vocabulary=NAMES)))
    problems = [tried(partial(checked, text, dialect)) for dialect in DIALECTS]
    return [*found, named, problems[0], [each for each in problems[1:] if each != problems[0]]]


def meanings(text: str, random: Random) -> list[Any]:
    """Return what a formula says of an execution, with its reasons, and its automaton."""
    formula = parse_formula(text, vocabulary=NAMES)
    trajectory, plan = trajectory_of(random, random.randint(0, 6))
    why = explain(formula, trajectory, plan=plan)
    reasons = [
        *(evaluate(formula, trajectory).holds, why.holds),
        None if why.part is None else format_formula(why.part),
        *(why.position, why.step, None if why.action is None else str(why.action)),
        list(map(list, why.binding)),
        [*map(format_formula, why.missing)],
        *(why.link, list(why.reached), why.fails_at, why.others),
        [[format_formula(each.atom), each.position, each.holds] for each in why.blamed[:12]],
    ]
    small = truth_table(formula, trajectory, most_rows=5, most_columns=3, width=20)
    whole = truth_table(formula, trajectory, plan=plan)
    pictures = [
        [[row.text, row.depth, row.truth] for row in whole.rows],
        [[row.text, row.depth] for row in small.rows],
        [list(whole.positions), list(small.positions), len(small.notes)],
    ]

    def machine() -> list[Any]:
        made = automaton(formula, objects=trajectory.final.universe.of_types)
        verdicts = [made.verdict(state) for state in made.states]
        return [len(made.states), sorted(made.accepting), len(made.choices), verdicts]

    def options() -> list[Any]:
        goal = GoalOptions(formula, trajectory.final.universe.of_types)
        listed = goal.enumerate(20)
        choices = sorted(sorted(map(format_formula, option)) for option in listed.options)
        said = [each for option in listed.options for each in sorted(option, key=str)]
        fits = [
            goal.best_f1([]),
            goal.best_f1(random.sample(said, min(len(said), 3))),
            goal.best_partial(frozenset(trajectory.final.atoms())),
            goal.best_partial(frozenset(trajectory.start.atoms())),
        ]
        return [goal.count(), listed.complete, choices[:8], [_fit(each) for each in fits]]

    return [reasons, pictures, tried(machine), tried(options)]


def _fit(best: BestOption | None) -> list[Any]:
    """Return the option that fits best, as texts."""
    if best is None:
        return []
    option, matched = (sorted(map(format_formula, each)) for each in (best.option, best.matched))
    return [str(best.score), option, matched, best.exact]


def result_of(number: int) -> list[Any]:
    """Return a text, and all that is found out about it, as it is kept."""
    random = Random(f"formula {number}")
    text = text_of(random, random.choice((1, 2, 2, 3)))
    if number >= ALL - 2 * len(FOREIGN):
        # Each text of another notation as it is, and with something too much or too little.
        text = FOREIGN[(ALL - number - 1) // 2]
        result = [text := damaged(random, text) if number % 2 else text, readings(text)]
    elif number % 2:
        result = [text := damaged(random, text), readings(text)]
    else:
        result = [text, readings(text)[:6], meanings(text, random)]
    kept: list[Any] = json.loads(json.dumps(result))
    return kept


def recorded() -> list[list[Any]]:
    """Return the results by number."""
    return [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]


if __name__ == "__main__":
    rows = [json.dumps(result_of(number), separators=(",", ":")) for number in range(ALL)]
    FILE.write_text("\n".join(rows) + "\n", "utf-8")
