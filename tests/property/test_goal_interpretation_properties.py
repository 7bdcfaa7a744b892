"""Goal interpretation: counts are those of sets, and no answer is an error."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import permutations

from hypothesis import example, given, settings, strategies as st
from small_virtualhome import small_task

from eai.abilities import GoalNames, GoalReading, ReadGoal, evaluate_goals, read_goals
from eai.logic import And, Atom, Formula, Not, Or
from eai.semantics import Semantics
from eai.suites.virtualhome.goal_interpretation import evaluate
from eai.suites.virtualhome.quirks import GOAL_INTERPRETATION_QUIRKS
from eai.task import Goal, Task, Vocabulary, literal_kind

SMALL = settings(max_examples=125)
NAMES = ("lamp.1", "lamp.2", "cup.3")
PLAIN = small_task("off lamp.1; off lamp.2; inside cup.3 kitchen.1")
BASE = replace(
    PLAIN,
    vocabulary=Vocabulary(
        PLAIN.vocabulary.actions,
        {"on": 1, "clean": 1, "ontop": 2},
        frozenset(NAMES),
        {"lamp": NAMES[:2], "cup": NAMES[2:]},
    ),
)
OFFICIAL = Semantics("official", frozenset(GOAL_INTERPRETATION_QUIRKS))


def _goals(names: tuple[str, ...]) -> st.SearchStrategy[ReadGoal]:
    name = st.sampled_from(names)
    states = st.builds(
        lambda state, thing, no: ReadGoal("state", state, (thing,), no),
        st.sampled_from(("on", "clean")), name, st.booleans(),
    )  # fmt: skip
    relations = st.builds(lambda one, two: ReadGoal("relation", "ontop", (one, two)), name, name)
    return states | relations


def _literal(goal: ReadGoal) -> Formula:
    atom = Atom(goal.name, goal.arguments)
    return Not(atom) if goal.negated else atom


def _task(*options: list[Formula]) -> Task:
    final = tuple(
        tuple((literal_kind(literal), literal) for literal in option) for option in options
    )
    return replace(BASE, goal=Goal(final=final))


def _counts(goals: list[ReadGoal], task: Task) -> tuple[int, int, int]:
    result = evaluate_goals(GoalReading(tuple(goals)), task, GoalNames(task.vocabulary))
    matches = result.matches
    return sum(m.tp for m in matches), sum(m.fp for m in matches), sum(m.fn for m in matches)


LISTS = st.lists(_goals(NAMES), max_size=5)


@SMALL
@given(LISTS, LISTS)
def test_named_objects_are_counted_as_sets(goals: list[ReadGoal], wanted: list[ReadGoal]) -> None:
    said, asked = set(map(_literal, goals)), set(map(_literal, wanted))
    found = _counts(goals, _task(sorted(asked, key=repr)))
    assert found == (len(said & asked), len(said - asked), len(asked - said))


@SMALL
@given(st.lists(_goals(("lamp", "cup")), max_size=4, unique=True), LISTS)
def test_a_class_finds_as_many_goals_as_any_choice_of_objects(
    goals: list[ReadGoal], wanted: list[ReadGoal]
) -> None:
    asked = sorted(set(map(_literal, wanted)), key=repr)
    names = GoalNames(BASE.vocabulary)
    meanings = [set(names.look_up(goal)[0].literals()) for goal in goals]
    slots = [*asked, *[None] * len(goals)]
    most = max(
        sum(slot in meaning for slot, meaning in zip(order, meanings, strict=True))
        for order in permutations(slots, len(goals))
    ) if len(slots) <= 7 else None  # fmt: skip
    found = _counts(goals, _task(asked))
    assert most is None or found[0] == most
    assert found[0] + found[1] == len(goals)
    assert found[0] + found[2] == len(asked)


@SMALL
@given(LISTS, st.lists(LISTS.filter(bool), min_size=2, max_size=3))
def test_the_option_with_the_best_f1_counts(
    goals: list[ReadGoal], options: list[list[ReadGoal]]
) -> None:
    sets = [set(map(_literal, option)) for option in options]
    consistent = [s for s in sets if not any(Not(literal) in s for literal in s)]
    said = set(map(_literal, goals))
    task = _task([Or(tuple(And(tuple(sorted(s, key=repr))) for s in sets))])
    tp, fp, fn = _counts(goals, task)
    if consistent and (said or tp or fn):
        best = max(2 * len(said & s) / (len(said) + len(s)) for s in consistent)
        assert 2 * tp / (2 * tp + fp + fn) == best


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from(["on", "lamp", "not", "name"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["node goals", "edge goals", "action goals", "name", "state", "action", "relation"]
            ),
            inner,
            max_size=3,
        )
    ),
    max_leaves=12,
)

LINES = st.lists(
    st.sampled_from(
        ["Node goals:", "- name: ...", "  state: ON", "lamp", "- ON: cup", "</a>", "<state>", "```"]
    ),
    max_size=9,
).map("\n".join)


@SMALL
@given(
    LINES | JSON.map(json.dumps) | st.text(st.sampled_from("{}[]():,'\"onlamp. \n`"), max_size=40)
)
@example('[["not"]]')
def test_no_answer_is_an_error(text: str) -> None:
    task = _task([Atom("on", ("lamp.1",))])
    for semantics in (OFFICIAL, Semantics("strict")):
        result = evaluate(task, text, semantics)
        assert result.status in ("evaluated", "excluded")
        assert result == evaluate(task, text, semantics)
        if result.status == "evaluated":
            assert sum(match.tp + match.fn for match in result.matches) == 1
    assert read_goals(text) == read_goals(text)
    names = GoalNames(task.vocabulary)
    assert read_goals(text, names) == read_goals(text, names)


def _with_roles(goal: ReadGoal) -> dict[str, object]:
    """A goal as an object whose keys say what its values are."""
    if len(goal.arguments) == 1:
        parts: dict[str, object] = {"object": goal.arguments[0], "state": goal.name}
    else:
        first, second = goal.arguments
        parts = {"from": first, "relation": goal.name, "to": second}
    return {**parts, "negated": goal.negated}


def _in_words(goal: ReadGoal) -> str:
    """A goal as a sentence."""
    first, *others = goal.arguments
    return f"{first} is {'not ' * goal.negated}{' '.join([goal.name, *others])}."


def _written(goals: list[ReadGoal], form: str) -> str:
    """The goals in one of the forms in which models write them."""
    if form == "json":
        states = [["not", [g.name, *g.arguments]] if g.negated else [g.name, *g.arguments]
                  for g in goals]  # fmt: skip
        return json.dumps({"node goals": states})
    if form == "strings":
        return json.dumps([str(goal) for goal in goals])
    if form == "pairs":
        terms = [(goal, str(replace(goal, negated=False))) for goal in goals]
        return json.dumps({"goals": [["not", term] if g.negated else term for g, term in terms]})
    if form == "under keys":
        terms = [(goal, str(replace(goal, negated=False))) for goal in goals]
        return json.dumps([{"not": term} if goal.negated else term for goal, term in terms])
    if form == "roles":
        return json.dumps(list(map(_with_roles, goals)))
    if form == "words":
        return "Goals:\n" + "\n".join(f"- {_in_words(goal)}" for goal in goals)
    bullet, fence = {"lines": ("- ", ""), "terms": ("", ""), "fence": ("", "```\n")}[form]
    return fence + "\n".join(f"{bullet}{goal}" for goal in goals) + fence[::-1]


FORMS = st.sampled_from(
    ("json", "lines", "terms", "fence", "strings", "pairs", "under keys", "roles", "words")
)
PROSE = st.lists(
    st.sampled_from(["so", "these", "17", "make", "sense", "[1]", "here:", "ok,", "yes"]),
    max_size=6,
)


@SMALL
@given(st.lists(_goals(NAMES), min_size=1, max_size=5), FORMS, PROSE, PROSE)
def test_words_that_are_no_names_do_not_change_what_is_read(
    goals: list[ReadGoal], form: str, before: list[str], behind: list[str]
) -> None:
    names = GoalNames(BASE.vocabulary)
    written = _written(goals, form)
    text = f"{' '.join(before)}\n\n{written}\n\n{' '.join(behind)}"
    found = read_goals(text, names).goals
    said = [(goal.name, goal.arguments, goal.negated) for goal in found]
    assert said == [(goal.name, goal.arguments, goal.negated) for goal in goals]


@SMALL
@given(st.lists(_goals(NAMES), min_size=1, max_size=4), st.lists(_goals(NAMES), min_size=1), FORMS)
def test_a_draft_never_decides(draft: list[ReadGoal], goals: list[ReadGoal], form: str) -> None:
    names = GoalNames(BASE.vocabulary)
    text = (
        f"Draft:\n\n{_written(draft, form)}\n\nThat was wrong. Final answer:\n\n"
        f"{_written(goals, form)}"
    )
    assert list(map(str, read_goals(text, names).goals)) == list(map(str, goals))
