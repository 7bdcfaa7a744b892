"""Judgements of steps: labels, distances, places in the text, and rewards that cannot be farmed."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from itertools import permutations
from math import inf
from pathlib import Path
from random import Random

import networkx as nx
import pytest
from command_line import call
from hypothesis import given, settings, strategies as st
from needs import package

import eai
from eai.abilities.plans import causes
from eai.answers import ReadStep
from eai.diagnosis import Causes
from eai.logic import parse_formula
from eai.pddl import parse_domain
from eai.rewards import StepJudge, steps
from eai.rewards.steps import step_spans
from eai.suites.pddl import Pddl, PddlTask
from eai.task import Task
from eai.world import Action, State, World

sys.path.append(str(Path(__file__).parents[3] / "benchmarks" / "agreement"))
from step_distances import BruteForce, compare, worlds

ANSWER = '[{"WALK": ["light.34"]}, {"OPEN": ["light.34"]}, {"SWITCHON": ["light.34"]}]'


def _judge(name: str) -> StepJudge:
    domain, problem = worlds()[name]
    return StepJudge(Pddl.from_texts(name, domain, {"task": problem}))


@pytest.mark.parametrize("name", list(worlds()))
@given(seed=st.integers(0, 10_000))
@settings(max_examples=5, deadline=None)
def test_distances_are_those_of_a_plain_search(name: str, seed: int) -> None:
    steps, wrong = compare(name, 5, Random(seed))
    assert steps
    assert wrong == 0


def test_a_dead_end_is_named_and_what_follows_is_lost() -> None:
    plan = "(light m1)\n(blow )\n(light m2)\n(blow )\n(light m3)"
    judged = _judge("matches")("task", plan).steps
    assert [step.label for step in judged] == ["shortest", "detour", "shortest", "dead end", "lost"]
    assert judged[1].keeps_goal
    assert judged[3].after == inf
    assert not judged[3].keeps_goal


ROAD = """
(define (domain road) (:requirements :strips :typing :action-costs) (:types place)
  (:predicates (at ?a - place))
  (:functions (total-cost) - number (length ?a ?b - place) - number)
  (:action go :parameters (?a ?b - place) :precondition (at ?a)
    :effect (and (not (at ?a)) (at ?b) (increase (total-cost) (length ?a ?b)))))
"""
TRIP = """
(define (problem trip) (:domain road) (:objects a b c - place)
  (:init (at a) (= (length a b) 2) (= (length b c) 1) (= (length b a) 2))
  (:goal (at c)) (:metric minimize (total-cost)))
"""


def test_distances_count_steps_where_actions_have_costs() -> None:
    judge = StepJudge(Pddl.from_texts("road", ROAD, {"trip": TRIP}))
    first, second = judge("trip", "(go a b)\n(go b c)").steps
    assert (first.before, first.after, first.bound, second.after) == (2, 1, "exact", 0)
    # The way from a to c has no length, so nobody can go it.
    assert judge("trip", "(go a c)").steps[0].label == "invalid"


KEYS = """
(define (domain keys) (:requirements :strips :typing) (:types place key)
  (:predicates (at ?a - place) (has ?k - key))
  (:action go :parameters (?a ?b - place) :precondition (at ?a)
    :effect (and (not (at ?a)) (at ?b)))
  (:action take :parameters (?k - key) :effect (has ?k)))
"""
KEYS_TASK = """
(define (problem p) (:domain keys) (:objects a b c - place k - key) (:init (at a))
  (:goal (at c)))
"""


@pytest.mark.parametrize(
    ("answer", "outcomes", "kind"),
    [
        ("(go a b)\n(go b k)\n(go b c)", ["done", "failed", "not reached"], "argument_number"),
        ("(take a)", ["failed"], "argument_number"),
        ("(go a b)\n(go b)", ["done", "failed"], "argument_number"),
        ("(take k)\n(go a d)", ["done", "failed"], "object_hallucination"),
        ("(go b c)\n(take k)", ["failed", "not reached"], "missing_step"),
        ("(go a b)\n(go a c)", ["done", "failed"], "wrong_order"),
    ],
)
def test_a_step_that_cannot_be_done_fails_where_it_stands(
    answer: str, outcomes: list[str], kind: str
) -> None:
    judge = StepJudge(Pddl.from_texts("keys", KEYS, {"task": KEYS_TASK}))
    judged = judge("task", answer)
    assert judged.problem == ""
    assert [step.outcome for step in judged.steps] == outcomes
    failed = judged.steps[outcomes.index("failed")]
    assert (failed.kind, len(failed.failed)) == (kind, 1)
    assert (failed.before, failed.after, failed.bound, failed.reward) == (1, 1, "exact", 0)
    assert failed.number == outcomes.index("failed") + 1


@pytest.mark.parametrize("kind", ["graded", "binary", "repair"])
def test_an_answer_with_arguments_of_a_wrong_type_is_worth_nothing(kind: str) -> None:
    suite = Pddl.from_texts("keys", KEYS, {"task": KEYS_TASK})
    answers = ["(go a k)", "(go a c)\n(go c k)", "(take a)\n(go a c)", "(go a b)\n(go b c)"]
    assert eai.reward(suite, "task", answers, kind=kind) == [0, 0, 0, 1]


def test_steps_behind_many_wrong_ones_are_told_as_they_are_written() -> None:
    judge = StepJudge(Pddl.from_texts("keys", KEYS, {"task": KEYS_TASK}))
    lines = ["(go a b)", *(f"(go b moon{number})" for number in range(200)), "(go b c)"]
    judged = judge("task", "\n".join(lines))
    assert judged.problem == ""
    assert [step.outcome for step in judged.steps[:3]] == ["done", "failed", "not reached"]
    told = [f"({step.action.replace('(', ' ').replace(', ', ' ')}" for step in judged.steps]
    assert told == lines


def test_steps_before_what_cannot_be_read_are_judged() -> None:
    judge = StepJudge(Pddl.from_texts("keys", KEYS, {"task": KEYS_TASK}))
    judged = judge("task", "(go a b)\n(go b")
    assert judged.problem
    assert [step.action for step in judged.steps] == ["go(a, b)"]


@pytest.mark.parametrize(
    ("pattern", "separator"),
    [
        ("{}({})", "\n"),
        ("{}({})", "), "),
        ("{} {}", " \n"),
        ("{} to the {}", ", then "),
        ('"{}", "{}"', "], ["),
        ('"{}": ["{}"]', "}, {"),
        ("'{}': ['{}']", ", "),
        ("{}> ({})", "\n<"),
        ("[{}] <{}>", " (1)\n"),
    ],
)
def test_a_span_ends_with_what_closes_behind_the_last_name(pattern: str, separator: str) -> None:
    parts = [pattern.format("Walk", "Lamp.1"), pattern.format("GRAB", "cup.2")]
    text = f"Plan: {parts[0]}{separator}{parts[1]}{separator} done"
    places = [text.index(part) for part in parts]
    names = [("walk", "lamp.1"), ("grab", "CUP.2")]
    read = [
        ReadStep(name, (thing,), position=place)
        for (name, thing), place in zip(names, places, strict=True)
    ]
    found = step_spans(text, read)
    assert [text[slice(*span)] for span in found] == parts


def test_a_span_has_names_whose_numbers_stand_apart() -> None:
    answer = "[WALK] <light> (34)\n[SWITCHON] <light> (34)"
    steps = eai.step_rewards("household", "studio-01", answer).steps
    texts = [answer[slice(*step.span)] for step in steps]
    assert texts == ["WALK] <light> (34)", "SWITCHON] <light> (34)"]


def test_a_step_in_other_words_is_the_rest_of_its_line() -> None:
    text = "Go to the lamp. \nThen rest ."
    read = [ReadStep("WALK", ("light.1",), position=0), ReadStep("SLEEP", (), position=17)]
    spans = step_spans(text, read)
    assert [text[slice(*span)] for span in spans] == ["Go to the lamp.", "Then rest ."]


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("light (34) is on. Then rest.", "light (34)"),  # the name of the action is not said
        ("light 34 is on. Then rest.", "light 34"),
        ("so light <34> is on", "so light <34>"),
        ("walk to the light (34) now", "walk to the light (34)"),
        ("lamp (34) is on \nThen rest.", "lamp (34) is on"),  # nor is that of the object
    ],
)
def test_a_name_whose_number_stands_apart_may_begin_a_step(text: str, span: str) -> None:
    [(begin, end)] = step_spans(text, [ReadStep("WALK", ("light.34",), position=0)])
    assert text[begin:end] == span


@pytest.mark.parametrize("order", list(permutations(range(4))))
def test_no_span_reaches_into_the_next_step(order: tuple[int, ...]) -> None:
    """The names of a step may be said with another one only."""
    said = ["switch it on", "grab (lamp.1)", "walk there", "switchon <lamp> (1)"]
    names = ["SWITCHON", "GRAB", "WALK", "SWITCHON"]
    text, read = "", []
    for number in order:
        read.append(ReadStep(names[number], ("lamp.1",), position=len(text)))
        text += f"{said[number]}, "
    spans = step_spans(text, read)
    begins = [step.position for step in read]
    assert [begin for begin, _ in spans] == begins
    for number, (begin, end), limit in zip(order, spans, [*begins[1:], len(text)], strict=True):
        assert begin < end <= limit
        if "1" in said[number]:
            assert text[begin:end] == said[number]


def test_a_failed_step_has_its_conditions_and_ends_the_plan() -> None:
    first, second, third = eai.step_rewards("household", "studio-01", ANSWER).steps
    assert (first.outcome, first.before, first.after, first.bound) == ("done", 2, 1, "at most")
    assert (second.label, second.kind, second.reward) == ("invalid", "affordance", 0)
    assert second.failed
    assert (third.label, third.applicable) == ("not reached", None)


def test_steps_are_shown_with_their_objects_up_to_the_first_wrong_one() -> None:
    answer = "walk(light)\nswitchon(Light.34)\nfly(moon)\nwalk(light)"
    steps = eai.step_rewards("household", "studio-01", answer).steps
    shown = ["walk(light.34)", "switchon(light.34)", "fly(moon)", "walk(light)"]
    assert [step.action for step in steps] == shown
    assert [step.applicable for step in steps] == [True, True, False, None]
    assert steps[2].kind.endswith("hallucination")


def test_spans_and_tokens_are_those_of_the_steps() -> None:
    offsets = [(place, place + 1) for place in range(len(ANSWER))]
    judged = eai.step_rewards("household", "studio-01", ANSWER, offsets=offsets).steps
    texts = [ANSWER[slice(*step.span)] for step in judged]
    assert texts == ['"WALK": ["light.34"]', '"OPEN": ["light.34"]', '"SWITCHON": ["light.34"]']
    assert all(step.tokens == step.span for step in judged)


def test_unknown_names_are_invalid_steps() -> None:
    (step,) = eai.step_rewards("household", "studio-01", '[{"WALK": ["dragon.99"]}]').steps
    assert (step.label, step.kind) == ("invalid", "object_hallucination")


def test_an_answer_without_a_plan_has_no_steps_and_a_problem() -> None:
    judged = eai.step_rewards("household", "studio-01", None)
    assert judged.steps == ()
    assert judged.problem


@pytest.mark.parametrize("name", ["blocks", "matches", "ring"])
def test_no_cycle_of_steps_pays(name: str) -> None:
    brute, judge = BruteForce(*worlds()[name]), _judge(name)
    ways: dict[frozenset[object], tuple[str, ...]] = {brute.key(brute.start): ()}
    pending: list[State] = [brute.start]
    graph = nx.DiGraph()
    while pending and len(ways) < 150:
        state = pending.pop(0)
        way = ways[brute.key(state)]
        for action, after in brute.successors(state):
            longer = (*way, f"({' '.join((action.name, *action.arguments))})")
            reward = judge("task", "\n".join(longer)).steps[-1].reward
            graph.add_edge(brute.key(state), brute.key(after), weight=-round(reward, 9))
            if brute.key(after) not in ways:
                ways[brute.key(after)] = longer
                pending.append(after)
    assert any(weight < 0 for *_, weight in graph.edges(data="weight"))
    # Costs are rewards with the opposite sign; what is left of rounding is no gain.
    for *_, data in graph.edges(data=True):
        data["weight"] += 1e-7
    assert not nx.negative_edge_cycle(graph)


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
def test_the_command_writes_a_row_for_every_step(tmp_path: Path, ending: str) -> None:
    answers = tmp_path / "answers.jsonl"
    rows = [{"id": "studio-01", "output": ANSWER}, {"id": "studio-02", "output": "no"}]
    answers.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    output = tmp_path / f"steps.{ending}"
    if ending == "parquet":
        parquet = package("pyarrow.parquet", extra="tables")
    assert call("label-steps", "household", answers, "-o", output).exit_code == 0
    if ending == "parquet":
        written = parquet.read_table(output).to_pylist()
    else:
        written = [json.loads(line) for line in output.read_text("utf-8").splitlines()]
    assert [row["label"] for row in written] == ["unknown", "invalid", "not reached"]
    assert written[0]["text"] == '"WALK": ["light.34"]'


def test_only_judges_of_named_suites_are_kept() -> None:
    eai.step_rewards("household", "studio-01", ANSWER)
    kept = steps._cached_judge.cache_info()
    eai.step_rewards("household", "studio-01", ANSWER)
    assert steps._cached_judge.cache_info().hits == kept.hits + 1
    domain, problem = worlds()["matches"]
    own = Pddl.from_texts("matches", domain, {"task": problem})
    assert eai.step_rewards(own, "task", "(light m1)").steps[0].label == "shortest"
    assert steps._cached_judge.cache_info() == kept._replace(hits=kept.hits + 1)


def test_a_judge_remembers_causes_of_a_bounded_number_of_plans(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    searched = []

    def counted(task: Task, done: tuple[Action, ...]) -> Causes:
        searched.append(done)
        return causes(task, done)

    monkeypatch.setattr(steps, "causes", counted)
    monkeypatch.setattr(steps, "MAX_PLANS", 2)
    judge = _judge("matches")
    plans = ["(light m1)", "(light m2)", "(light m3)"]
    for answer in [plans[0], plans[1], plans[0], plans[1]]:
        judge("task", answer)
    assert len(searched) == 2  # both are kept
    for answer in [plans[2], plans[0]]:
        judge("task", answer)
    assert len(searched) == 4  # the third took the place of the first two


OVEN = """(define (domain oven) (:requirements :adl :constraints)
  (:predicates (heated) (warm) (baked) (cooled))
  (:action heat :parameters () :effect (heated))
  (:action bake :parameters () :precondition (warm) :effect (baked)))"""
BREAD = """(define (problem bread) (:domain oven) (:init) (:goal (baked))
  (:constraints (sometime (baked))))"""


def test_without_conditions_on_the_last_state_nothing_is_known_of_distances(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    domain = OVEN.replace("(warm) :effect", "(heated) :effect")
    suite = Pddl.from_texts("oven", domain, {"task": BREAD})
    task = suite.task("task")
    on_the_way = replace(task, goal=replace(task.goal, final=()))
    monkeypatch.setattr(suite, "task", lambda _: on_the_way)
    heat, bake = StepJudge(suite)("task", "(heat)\n(bake)").steps
    assert (heat.before, heat.after, heat.label) == (None, None, "unknown")
    assert (bake.before, bake.after) == (None, 0)


@pytest.mark.parametrize(
    ("formula", "whole", "bound"),
    [
        ("baked()", True, "exact"),
        ("F baked()", False, "exact"),  # it need not hold
        ("F baked()", True, "at least"),
    ],
)
def test_distances_are_exact_where_the_last_state_decides(
    formula: str, whole: bool, bound: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    domain = OVEN.replace("(warm) :effect", "(heated) :effect")
    suite = Pddl.from_texts("oven", domain, {"task": BREAD})
    task = suite.task("task")
    goal = replace(task.goal, formula=parse_formula(formula), whole=whole)
    monkeypatch.setattr(suite, "task", lambda _: replace(task, goal=goal))
    (step,) = StepJudge(suite)("task", "(heat)").steps
    assert (step.before, step.after, step.bound) == (2, 1, bound)


def test_where_a_function_computes_a_predicate_nothing_is_known_of_distances(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def warm(state: State) -> int:
        return state.unary[state.layout.index["heated"]]

    world = World(parse_domain(OVEN), computed={"warm": warm})
    suite = Pddl.from_texts("oven", OVEN, {"task": BREAD})
    computed = replace(suite.task("task"), start=world.state({}, []))
    monkeypatch.setattr(PddlTask, "world", property(lambda _: world))
    monkeypatch.setattr(suite, "task", lambda _: computed)
    heat, bake = StepJudge(suite)("task", "(heat)\n(bake)").steps
    assert (heat.before, heat.after, heat.label) == (None, None, "unknown")
    assert (bake.before, bake.after) == (None, 0)


@pytest.mark.parametrize(
    ("before", "after", "bound", "is_shortest"),
    [
        (3, 2, "exact", True),
        (3, 3, "exact", False),
        (3, 2, "at least", None),
        (3, 2, "at most", None),
        (3, None, "", None),
        (None, 2, "", None),
    ],
)
def test_only_exact_distances_tell_whether_a_step_is_on_a_shortest_way(
    before: float | None, after: float | None, bound: str, is_shortest: bool | None
) -> None:
    [step] = _judge("matches")("task", "(light m1)").steps
    assert replace(step, before=before, after=after, bound=bound).is_shortest is is_shortest
