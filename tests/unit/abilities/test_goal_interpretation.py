"""Goal interpretation: goals are read, their names looked up, and compared as sets."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from small_virtualhome import ARITIES, small_task

from eai.abilities import GoalNames, GoalReading, evaluate_goals, has_goal, read_goals, unanswered
from eai.abilities.goal_interpretation.evaluation import ActionVerdict, options_of
from eai.diagnosis import ErrorKind, Match, Result
from eai.logic import ActionAtom, Formula, Then, parse_formula
from eai.task import ActionGoal, Goal, Task, Vocabulary

PREDICATES = {"on": 1, "open": 1, "plugged_in": 1, "ontop": 2, "inside": 2, "holds_rh": 2}
FACTS = "off lamp.1; off lamp.2; readable book.3; readable book.4; inside cup.5 kitchen.1"


def task(**goal: list[str]) -> Task:
    made = small_task(FACTS, **goal)
    known = made.vocabulary
    vocabulary = Vocabulary(ARITIES, PREDICATES, known.objects, known.classes)
    return replace(made, vocabulary=vocabulary)


def with_goal(*options: list[str]) -> Task:
    def parsed(text: str) -> tuple[str, Formula]:
        return "state", parse_formula(text)

    final = tuple(tuple(map(parsed, option)) for option in options)
    return replace(task(), goal=Goal(final=final))


def evaluated(answer: object, of: Task) -> Result:
    text = answer if isinstance(answer, str) else json.dumps(answer)
    names = GoalNames(of.vocabulary)
    return evaluate_goals(read_goals(text, names), of, names)


def counts(result: Result) -> dict[str, tuple[int, int, int]]:
    return {m.kind: (m.tp, m.fp, m.fn) for m in result.matches if m.tp or m.fp or m.fn}


LAMP = {"name": "lamp.1", "state": "ON"}
BOOK = {"from_name": "book.3", "relation": "ONTOP", "to_name": "cup.5"}
BOTH = task(states=["on lamp.1"], relations=["ontop book.3 cup.5"], actions=["READ|LOOKAT"])


@pytest.mark.parametrize(
    "answer",
    [
        json.dumps({"node goals": [LAMP], "edge goals": [BOOK], "action goals": ["READ"]}),
        '```json\n{"node goals": [["On", "lamp_1"]], "edge goals": [["OnTop", "book.3", "cup.5"]], '
        '"action goals": [{"action": "lookat", "description": "x"}]}\n```<|eot_id|>',
        "Sure! {'output': {'state goals': {'lamp.1': 'ON'}, 'relation goals': "
        "['ontop(book.3, cup.5)'], 'actions': ['read']}} Done.",
        'First {"node goals": []}, no: {"node goals": [on(lamp 1)], "edge goals": '
        "[{from: book.3, relation: on_top, to: cup.5}], action goals: [READ()]}",
    ],
)
def test_usual_forms_are_read(answer: str) -> None:
    result = evaluated(answer, BOTH)
    assert counts(result) == {"state": (1, 0, 0), "relation": (1, 0, 0), "action": (1, 0, 0)}
    assert result.success
    assert not result.findings


@pytest.mark.parametrize(
    "form", ['["not", ["on", "lamp.1"]]', '{"not": ["on", "lamp.1"]}', '"not on(lamp.1)"']
)
def test_negations_are_read(form: str) -> None:
    (goal,) = read_goals(f'{{"node goals": [{form}]}}').goals
    assert (str(goal), goal.kind) == ("not on(lamp.1)", "state")


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("", "no goals"),
        ("I do not know.", "no goals"),
        ('{"node goals": [{"name": "lamp.1", "sta', "ends before"),
    ],
)
def test_an_answer_without_readable_goals_misses_all(answer: str, message: str) -> None:
    result = evaluated(answer, BOTH)
    assert message in result.findings[0].message
    assert result.number_of(ErrorKind.PARSING) == 1
    assert counts(result) == {"state": (0, 0, 1), "relation": (0, 0, 1), "action": (0, 0, 1)}
    assert [goal.met for goal in result.goals] == [False] * 3


@pytest.mark.parametrize(
    ("goal", "kind", "match"),
    [
        (["shiny", "lamp.1"], ErrorKind.PREDICATE_HALLUCINATION, "state"),
        (["on", "unicorn"], ErrorKind.OBJECT_HALLUCINATION, "state"),
        (["inside", "lamp.1"], ErrorKind.ARGUMENT_NUMBER, "state"),
        ({"name": "lamp.1"}, ErrorKind.PARSING, "state"),
    ],
)
def test_goals_that_mean_nothing_are_wrong(goal: object, kind: ErrorKind, match: str) -> None:
    result = evaluated({"node goals": [LAMP, goal]}, task(states=["on lamp.1"]))
    assert counts(result) == {match: (1, 1, 0)}
    assert [finding.kind for finding in result.findings] == [kind]
    assert not result.success


def test_a_wrong_goal_is_noted_and_a_missed_one_found() -> None:
    result = evaluated({"node goals": [["open", "lamp.1"]]}, task(states=["on lamp.1"]))
    assert counts(result) == {"state": (0, 1, 1)}
    assert result.notes == ("not asked for: open(lamp.1)",)
    assert [str(finding.kind) for finding in result.findings] == ["state_goal"]


def test_what_is_said_twice_counts_once() -> None:
    result = evaluated({"node goals": [LAMP, LAMP, ["open", "cup"], ["open", "cup"]]}, BOTH)
    assert counts(result)["state"] == (1, 1, 0)


def test_a_class_means_as_many_of_its_objects_as_are_wanted() -> None:
    lamps = task(states=["on lamp.1", "on lamp.2"])
    once, twice, thrice = ({"node goals": [["on", "lamp"]] * times} for times in (1, 2, 3))
    assert counts(evaluated(once, lamps)) == {"state": (1, 0, 1)}
    assert counts(evaluated(twice, lamps)) == {"state": (2, 0, 0)}
    assert counts(evaluated(thrice, lamps)) == {"state": (2, 0, 0)}


def test_a_class_leaves_to_others_what_is_named_by_its_id() -> None:
    lamps = task(states=["on lamp.1", "on lamp.2"])
    answer = {"node goals": [["on", "lamp"], ["on", "lamp.1"], ["open", "lamp"]]}
    assert counts(evaluated(answer, lamps)) == {"state": (2, 1, 0)}


def test_meanings_are_settled_together() -> None:
    # The first could take either book; the second must have book.3.
    wanted = task(relations=["ontop book.3 cup.5", "ontop book.4 lamp.1"])
    answer = {"edge goals": [["ontop", "book", "cup"], ["ontop", "book", "lamp"]]}
    assert counts(evaluated(answer, wanted)) == {"relation": (2, 0, 0)}


def test_the_sequence_of_actions_is_one_element() -> None:
    wanted = task(actions=["GRAB", "READ|LOOKAT"])
    assert counts(evaluated({"action goals": ["GRAB", "LOOKAT"]}, wanted)) == {"action": (1, 0, 0)}
    assert counts(evaluated({"action goals": ["LOOKAT", "GRAB"]}, wanted)) == {"action": (0, 1, 1)}
    assert counts(evaluated({"action goals": ["GRAB", "GRAB"]}, wanted)) == {"action": (0, 1, 1)}
    result = evaluated({"action goals": ["GRAB"]}, wanted)
    assert result.goals[0].text == "GRAB then READ|LOOKAT"
    assert result.notes == ("not asked for: GRAB",)
    assert evaluated({"action goals": ["JUGGLE"]}, wanted).number_of(ErrorKind.ACTION_HALLUCINATION)


def test_the_best_simple_goal_counts() -> None:
    either = with_goal(["on(lamp.1)"], ["on(lamp.2)", "ontop(book.3, cup.5)"])
    assert counts(evaluated({"node goals": [LAMP]}, either)) == {"state": (1, 0, 0)}
    answer = {"node goals": [["on", "lamp.2"]], "edge goals": [BOOK]}
    assert counts(evaluated(answer, either)) == {"state": (1, 0, 0), "relation": (1, 0, 0)}


def test_quantifiers_range_over_what_a_property_picks() -> None:
    every = with_goal(["forall x. (readable(x) -> inside(x, cup.5))"])
    assert options_of(every).count() == 1
    books = {"edge goals": [["inside", "book", "cup"], ["inside", "book", "cup"]]}
    assert counts(evaluated(books, every)) == {"relation": (2, 0, 0)}
    some = with_goal(["exists x. (readable(x) and inside(x, cup.5))"])
    answer = {"edge goals": [["inside", "book.4", "cup.5"]]}
    assert counts(evaluated(answer, some)) == {"relation": (1, 0, 0)}
    assert counts(evaluated({"edge goals": [["inside", "lamp.1", "cup.5"]]}, some)) == {
        "relation": (0, 1, 1)
    }


def test_a_task_without_a_goal_and_a_task_without_an_answer() -> None:
    assert not has_goal(task())
    assert has_goal(BOTH)
    empty = evaluate_goals(GoalReading(), BOTH, GoalNames(BOTH.vocabulary))
    result = unanswered(empty)
    assert result.status == "missing"
    assert result.findings[0].kind is ErrorKind.NO_ANSWER
    assert sum(match.fn for match in result.matches) == 3
    nothing_asked = evaluate_goals(GoalReading(), task(), GoalNames(BOTH.vocabulary))
    assert nothing_asked.success
    assert not unanswered(nothing_asked).success


def test_findings_tell_where_in_the_answer() -> None:
    answer = 'Goals: {"node goals": [{"name": "lmap", "state": "ON"}]}'
    (finding,) = evaluated(answer, BOTH).findings[:1]
    assert finding.position == answer.index('{"name"')
    assert finding.message == "'lmap' is not an object; nearest: lamp"


def literals(*texts: str) -> list[Formula]:
    return list(map(parse_formula, texts))


def test_actions_and_conditions_are_compared_with_one_simple_goal() -> None:
    """Of several alternatives the one with the greatest F1 counts, the sequence as one element."""
    of = replace(
        task(actions=["READ|LOOKAT", "TOUCH"]),
        goal=Goal(
            final=(
                tuple(("state", each) for each in literals("on(lamp.1)", "on(lamp.2)")),
                tuple(("state", each) for each in literals("open(cup.5)")),
            ),
            actions=(ActionGoal(("read", "lookat")), ActionGoal(("touch",))),
        ),
    )
    simple = options_of(of)
    steps = Then((ActionAtom("lookat"), ActionAtom("touch")))
    found = simple.best_f1([steps, *literals("open(cup.5)")])
    assert found is not None
    assert found.option == frozenset({steps, *literals("open(cup.5)")})
    assert found.score == 1

    def compared(goals: list[object], actions: list[str]) -> dict[str, tuple[int, int, int]]:
        return counts(
            evaluated({"node goals": goals, "edge goals": [], "action goals": actions}, of)
        )

    assert compared([["open", "cup.5"]], ["LOOKAT", "TOUCH"]) == {
        "state": (1, 0, 0),
        "action": (1, 0, 0),
    }
    assert compared([["on", "lamp.1"]], ["TOUCH", "READ"]) == {
        "state": (1, 0, 1),
        "action": (0, 1, 1),
    }
    assert compared([["on", "lamp.1"], ["on", "lamp.2"]], []) == {
        "state": (2, 0, 0),
        "action": (0, 0, 1),
    }


def test_what_a_class_means_is_settled_before_the_best_alternative_is_taken() -> None:
    of = with_goal(["on(lamp.1)", "on(lamp.2)"], ["on(lamp.2)", "open(lamp.2)", "open(cup.5)"])
    both = evaluated({"node goals": [["on", "lamp"], ["on", "lamp"]]}, of)
    assert counts(both) == {"state": (2, 0, 0)}
    assert [goal.text for goal in both.goals] == ["on(lamp.1)", "on(lamp.2)"]
    other = evaluated({"node goals": [["open", "lamp"], ["open", "cup"]]}, of)
    assert counts(other) == {"state": (2, 0, 1)}


def test_actions_may_be_compared_in_another_way() -> None:
    """Then they are no part of the simple goal, and the caller says what they are worth."""
    seen: list[tuple[tuple[ActionGoal, ...], list[str]]] = []

    def own(goals: tuple[ActionGoal, ...], actions: Sequence[str]) -> ActionVerdict:
        seen.append((goals, list(actions)))
        return ActionVerdict(Match("action", 7, 0, 0), (), ("odd",))

    of = replace(with_goal(["on(lamp.1)"], ["open(cup.5)"]))
    of = replace(of, goal=replace(of.goal, actions=(ActionGoal(("read",)),)))
    reading = read_goals(json.dumps({"node goals": [["open", "cup.5"]], "action goals": ["TOUCH"]}))
    result = evaluate_goals(reading, of, GoalNames(of.vocabulary), evaluate_actions=own)
    assert seen == [(of.goal.actions, ["touch"])]
    assert counts(result) == {"state": (1, 0, 0), "action": (7, 0, 0)}
    assert "not asked for: odd" in result.notes
    assert [goal.text for goal in result.goals] == ["open(cup.5)"]


def test_goals_that_mean_nothing_may_be_passed_over() -> None:
    of = task(states=["on lamp.1"], actions=["READ"])
    text = {"node goals": [["on", "lamp.1"], ["fly", "lamp.2"]], "action goals": ["READ"]}
    reading, names = read_goals(json.dumps(text)), GoalNames(of.vocabulary)
    strict = evaluate_goals(reading, of, names)
    assert counts(strict) == {"state": (1, 1, 0), "action": (1, 0, 0)}
    assert not strict.success
    lenient = evaluate_goals(reading, of, names, unusable_count=False)
    assert counts(lenient) == {"state": (1, 0, 0), "action": (1, 0, 0)}
    assert lenient.success


@pytest.mark.parametrize("others", [[], [["open(cup.5)"]]])
def test_copies_may_count_several_times(others: list[list[str]]) -> None:
    of = with_goal(["on(lamp.1)", "on(lamp.2)"], *others)
    text = {"node goals": [["on", "lamp.1"]] * 3 + [["open", "book.3"]] * 2}
    reading, names = read_goals(json.dumps(text)), GoalNames(of.vocabulary)
    assert counts(evaluate_goals(reading, of, names)) == {"state": (1, 1, 1)}
    copies = evaluate_goals(reading, of, names, copies_count=True)
    assert counts(copies) == {"state": (3, 2, -1)}


@pytest.mark.parametrize(
    ("demanded", "actions", "expected", "met"),
    [
        ([], [], (0, 0, 0), None),
        ([], ["READ"], (0, 1, 0), None),
        (["READ"], [], (0, 0, 1), False),
        (["READ"], ["READ"], (1, 0, 0), True),
        (["READ", "TOUCH"], ["READ"], (0, 1, 1), False),
        (["READ"], ["READ", "TOUCH"], (0, 1, 1), False),
    ],
)
def test_a_sequence_is_right_as_a_whole(
    demanded: list[str], actions: list[str], expected: tuple[int, int, int], met: bool | None
) -> None:
    of = task(states=["on lamp.1"], actions=demanded)
    result = evaluated({"node goals": [["on", "lamp.1"]], "action goals": actions}, of)
    assert counts(result).get("action", (0, 0, 0)) == expected
    assert [goal.met for goal in result.goals if goal.kind == "action"] == (
        [] if met is None else [met]
    )
    assert result.success is (expected[1:] == (0, 0))


def test_of_a_static_condition_beside_others_nothing_is_asked() -> None:
    """What no action changes is as it is, unless it is a literal of the goal itself."""
    of = with_goal(["exists x. (readable(x) and on(x))"], ["on(lamp.1)"])
    found = options_of(of).best_f1(literals("on(book.3)"))
    assert found is not None
    assert found.option == frozenset(literals("on(book.3)"))
    asked = with_goal(["readable(book.3)", "on(lamp.1)"], ["exists x. (readable(x) and on(x))"])
    best = options_of(asked).best_f1(literals("readable(book.3)", "on(lamp.1)"))
    assert best is not None
    assert best.score == 1


def test_the_options_of_a_task_are_found_once() -> None:
    of = with_goal(["on(lamp.1)"], ["on(lamp.2)"])
    assert options_of(of) is options_of(of)
    assert options_of(replace(of)) is not options_of(of)


def test_what_is_said_again_of_a_class_is_dropped_once_its_objects_are_used_up() -> None:
    of = with_goal(["on(lamp.1)", "on(lamp.2)"])
    for times, expected in ((1, (1, 0, 1)), (2, (2, 0, 0)), (3, (2, 0, 0)), (5, (2, 0, 0))):
        found = evaluated({"node goals": [["on", "lamp"]] * times}, of)
        assert counts(found) == {"state": expected}
    other = evaluated({"node goals": [["open", "lamp"]] * 3}, of)
    assert counts(other) == {"state": (0, 1, 2)}


@pytest.mark.parametrize(
    ("of", "expected"),
    [
        (task(), False),
        (with_goal([]), False),
        (with_goal([], []), False),
        (task(actions=["READ|LOOKAT"]), True),
        (task(states=["on lamp.1"]), True),
        (with_goal([], ["on(lamp.1)"]), True),
        (BOTH, True),
    ],
)
def test_a_task_has_a_goal_if_anything_is_demanded(of: Task, expected: bool) -> None:
    assert has_goal(of) is expected


CHOSEN_FROM = ["on lamp.1", "on lamp.2", "open cup.5", "plugged_in lamp.1", "open book.3"]


@pytest.mark.parametrize("seed", range(40))
def test_an_answer_is_compared_with_the_simple_goal_that_fits_best(seed: int) -> None:
    """Several actions are one element of a simple goal, right only in their order."""
    random = Random(seed)
    options = [random.sample(CHOSEN_FROM, size) for size in (1, 2, 4)]
    demanded = random.choice([[], ["READ"], ["READ", "GRAB"], ["GRAB", "READ", "GRAB"]])
    said = random.sample(CHOSEN_FROM, random.randint(1, 4))
    actions = random.choice([demanded, demanded, ["GRAB"], ["READ", "GRAB"]])
    whole = with_goal(*[[f"{text.replace(' ', '(')})" for text in option] for option in options])
    whole = replace(
        whole,
        goal=replace(whole.goal, actions=tuple(ActionGoal((name.lower(),)) for name in demanded)),
    )
    states = [{"name": text.split()[1], "state": text.split()[0]} for text in said]
    result = evaluated({"node goals": states, "action goals": actions}, whole)

    is_right = bool(demanded) and actions == demanded

    def f1(right: int, wanted: int) -> Fraction:
        size = len(said) + bool(actions) + wanted + bool(demanded)
        return Fraction(2 * (right + is_right), size)

    best = max(f1(len(set(option) & set(said)), len(option)) for option in options)
    right, wrong, missing = counts(result).get("state", (0, 0, 0))
    assert right + wrong == len(said)
    assert f1(right, right + missing) == best
