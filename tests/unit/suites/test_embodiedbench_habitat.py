"""EB-Habitat: its tasks, its goals, and acting in its symbolic world."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from itertools import permutations
from typing import Any

import pytest

import eai
from eai.acting import Acting, run_episode
from eai.agents.oracle import ActingOracle, Assignment
from eai.contract import own_oracle, version_of, write_plan
from eai.errors import UnknownNameError
from eai.suites.embodiedbench.habitat import (
    HabitatEnvironment,
    HabitatRecord,
    locations,
    nearness,
    records,
    world,
)
from eai.world import Action, State

SUITE = eai.suite("eb-habitat")
STRICT = SUITE.semantics("strict")


def plan(*steps: tuple[int, str]) -> str:
    return json.dumps({"executable_plan": [{"action_id": n, "action_name": w} for n, w in steps]})


def test_there_are_300_tasks_of_six_subsets() -> None:
    ids = SUITE.task_ids()
    assert len(ids) == len(set(ids)) == 300
    assert {len(group) for group in SUITE.groups().values()} == {50}
    assert SUITE.canonical_id("base/17") == SUITE.canonical_id("base/episode_18") == "base/17"
    assert SUITE.canonical_id("spatial/3") == "spatial_relationship/3"
    with pytest.raises(UnknownNameError):
        SUITE.task("base/50")


def test_a_report_names_the_condition_of_its_run() -> None:
    acted = eai.interact(SUITE, "base/0", "oracle")
    assert acted.version == version_of(SUITE, "interaction")
    assert "symbolic" in acted.version
    assert "recorded" not in acted.version
    assert "recorded" in version_of(SUITE, "recorded")
    assert "symbolic" not in version_of(SUITE, "recorded")


def test_an_instruction_says_which_task_is_meant() -> None:
    digest = records()["base/7"].sha256
    assert SUITE.canonical_id(f"base/episode_3@{digest}") == "base/7"
    assert SUITE.canonical_id(f"base/episode_3@{'0' * 64}") == "base/2"


@pytest.mark.heavy
def test_the_oracle_solves_every_tenth_task_without_a_failed_turn() -> None:
    official = SUITE.semantics("official")
    for name in SUITE.task_ids()[::10]:
        task = SUITE.task(name)
        agent = ActingOracle(Assignment(task, SUITE, official))
        environment = SUITE.environment(task, official)
        episode = run_episode(environment, agent, rules=SUITE.episode_rules(task, official))
        assert episode.success, name
        assert all(turn.success for turn in episode.turns)
        assert len(episode.turns) <= 30


def test_a_planners_answer_is_carried_out_until_a_skill_fails() -> None:
    task = SUITE.task("base/0")
    answer = plan(
        (7, "navigate to the table 2"), (47, "pick up the toy airplane"), (54, ""), (49, "")
    )
    result = SUITE.evaluate("interaction", task, answer, STRICT)
    assert result.executed == ("done", "done", "failed")
    assert "not near the robot" in result.findings[0].message
    open_loop = SUITE.evaluate("action_sequencing", task, answer, STRICT)
    assert [str(each.kind) for each in open_loop.findings][:1] == ["missing_step"]


def test_numbers_out_of_range_and_empty_plans_are_told_apart() -> None:
    task = SUITE.task("base/0")
    unknown = SUITE.evaluate("interaction", task, plan((70, "fly")), STRICT)
    assert [str(each.kind) for each in unknown.findings][:1] == ["action_hallucination"]
    empty = SUITE.evaluate("interaction", task, '{"executable_plan": []}', STRICT)
    assert empty.outcome == "empty_plan"
    assert not SUITE.evaluate("interaction", task, "not a plan", STRICT).success


def test_nearness_has_three_values() -> None:
    task = SUITE.task("base/0")
    environment = HabitatEnvironment(task, STRICT)
    assert nearness(environment.state(), "sink") == "far"
    environment.step(Action("nav", ("sink",)))
    assert nearness(environment.state(), "sink") == "near"
    assert nearness(environment.state(), "left_counter") == "possible"
    assert nearness(environment.state(), "sofa") == "far"


def test_what_is_possibly_near_is_near_unless_definite_nearness_is_asked_for() -> None:
    task = next(
        task
        for task in map(SUITE.task, SUITE.task_ids())
        if task.start.holds("on_top", ("sponge.1", "left_counter"))
        if "sponge.1" in task.vocabulary.objects
    )
    definite = SUITE.semantics("strict", only=["definite_nearness"])
    for semantics, taken in ((STRICT, True), (definite, False)):
        environment = HabitatEnvironment(task, semantics)
        environment.step(Action("nav", ("sink",)))
        assert environment.step(Action("pick_sponge")).success is taken


def test_the_cabinet_is_named_only_where_the_quirk_is_off() -> None:
    task = SUITE.task("base/0")
    for choice, said in (("strict", "cabinet 7 is open"), ("official", "cabinet push is open")):
        environment = HabitatEnvironment(task, SUITE.semantics(choice))
        environment.step(Action("nav", ("cabinet_7",)))
        assert said in environment.step(Action("open_cab", ("cabinet_7",))).message


def test_the_annotated_operators_solve_their_task() -> None:
    from eai.suites.embodiedbench.operators import environment

    model = environment().model
    parts = [
        f"(:action {each.name} :parameters {each.parameters} :precondition {each.precondition}"
        f" :effect {each.effect})"
        for each in map(model.operators.__getitem__, model.demands["base/17"].operators)
    ]
    answer = json.dumps({"output": "\n".join(parts)})
    result = SUITE.evaluate("transition_modeling", SUITE.task("base/17"), answer, STRICT)
    assert result.success
    assert all(match.fp == match.fn == 0 for match in result.matches)


def holds(written: Any, state: State, kinds: Mapping[str, str], scope: Mapping[str, str]) -> bool:
    """The goals of the benchmark, evaluated by themselves: quantifiers expand from the inside."""
    if isinstance(written, str):
        name, _, inside = written.rstrip(")").partition("(")
        words = [scope.get(word.strip(), word.strip()) for word in inside.split(",") if word]
        words = [locations().get(word, word) for word in words]
        fridge = state.holds("opened_fridge", ("refrigerator_push_point",))
        held = any(state.holds("holding", (thing,)) for thing in kinds)
        if name == "on_top":
            return state.holds("on_top", (words[0], words[1]))
        if name == "robot_at":
            return nearness(state, words[0]) != "far"
        return {"not_holding": not held, "opened_fridge": fridge, "closed_fridge": not fridge}[name]

    def joined(inner: Mapping[str, str]) -> bool:
        values = [holds(each, state, kinds, inner) for each in written["sub_exprs"]]
        kind = written["expr_type"]
        value = all(values) if kind in ("AND", "NAND") else any(values)
        return not value if kind.startswith("N") else value

    inputs = written.get("inputs", [])
    if not inputs:
        return joined(scope)
    ways: Iterator[tuple[str, ...]] = permutations(kinds, len(inputs))
    fitting = [
        joined({**scope, **{each["name"]: name for each, name in zip(inputs, way, strict=True)}})
        for way in ways
        if all(
            kinds[name] == each["expr_type"].replace(" ", "_")
            for each, name in zip(inputs, way, strict=True)
        )
    ]
    return any(fitting) if written["quantifier"] == "EXISTS" else all(fitting)


def shape(record: HabitatRecord) -> str:
    def of(written: Any) -> str:
        if isinstance(written, str):
            return written.partition("(")[0]
        parts = ",".join(map(of, written["sub_exprs"]))
        found = len(written.get("inputs", ()))
        return f"{written.get('quantifier')}{found}{written['expr_type']}({parts})"

    return of(record.written)


SHAPES = {shape(record): record for record in records().values()}


@pytest.mark.parametrize("count", [100, pytest.param(10_000, marks=pytest.mark.heavy)])
@pytest.mark.parametrize("name", sorted(SHAPES))
def test_goals_of_every_shape_are_what_they_say(name: str, count: int) -> None:
    assert len(SHAPES) == 9
    record, draw = SHAPES[name], random.Random(name)
    wanted = {each["expr_type"].replace(" ", "_") for each in inputs_of(record.written)}
    things = [each for each in record.objects if each[1] in wanted]
    others = [(f"more_{kind}", kind, things[0][2]) for kind in sorted(wanted)]
    small = HabitatRecord("base", 0, "", "", record.written, (), (*things, *others))
    state, kinds = small.state(), {small.named[n]: kind for n, kind, _ in small.objects}
    targets = sorted(set(locations().values()))
    named = [each for each in targets if each in str(record.goal)]
    for _ in range(count):
        for thing in kinds:
            for place in targets:
                state.remove("on_top", (thing, place))
            state.remove("holding", (thing,))
            if draw.random() < 0.15:
                state.add("holding", (thing,))
            else:
                near = named or targets
                state.add("on_top", (thing, draw.choice(near if draw.random() < 0.7 else targets)))
        for place in targets:
            state.remove("robot_at_closest", (place,))
        state.add("robot_at_closest", (draw.choice(targets),))
        change = state.add if draw.random() < 0.5 else state.remove
        change("opened_fridge", ("refrigerator_push_point",))
        assert world().holds(state, small.goal) == holds(record.written, state, kinds, {})


def inputs_of(written: Any) -> list[Any]:
    if isinstance(written, str):
        return []
    inner = [each for part in written["sub_exprs"] for each in inputs_of(part)]
    return [*written.get("inputs", []), *inner]


def test_to_take_something_away_is_enough_only_where_predicates_are_cached() -> None:
    names = [name for name, each in records().items() if "not on_top" in str(each.goal)]
    assert len(names) == 16
    task = SUITE.task(names[0])
    for choice, turns in (("official", 2), ("strict", 4)):
        semantics = SUITE.semantics(choice)
        environment = SUITE.environment(task, semantics)
        agent = own_oracle(SUITE, task, semantics, environment) or str
        episode = run_episode(environment, agent, rules=SUITE.episode_rules(task, semantics))
        assert (episode.success, len(episode.turns)) == (True, turns)


def test_progress_of_acting_is_that_of_the_reference_execution_only_where_it_is_published() -> None:
    name = next(n for n, each in records().items() if len(each.oracle or ()) > 4)
    task = SUITE.task(name)
    nav, pick = task.plans[0][:2]
    answer = json.dumps([f"Action: {HabitatEnvironment.skill_of(nav).words}"])
    shares = {}
    for choice in ("official", "strict"):
        result = SUITE.evaluate("interaction", task, answer, SUITE.semantics(choice))
        (found,) = [each for each in result.measures if each.kind == "progress"]
        shares[choice] = found.amount / found.base
    assert pick.name.startswith("pick")
    assert shares["strict"] == 0
    assert shares["official"] == pytest.approx(1 / len(records()[name].oracle or ()), abs=0.01)


@pytest.mark.parametrize(
    ("name", "words", "near", "far"),
    [
        ("eb-habitat", "navigate to the table 2", "airplane", "wrench"),
        ("eb-alfred", "find a DiningTable", "Ladle", "Spatula"),
    ],
)
def test_the_view_near_shows_what_is_around(name: str, words: str, near: str, far: str) -> None:
    suite = eai.suite(name)
    task, official = suite.task("base/0"), suite.semantics("official")
    rules = suite.episode_rules(task, official)
    shown = {}
    for view in ("near", ""):
        world = suite.environment(task, official)
        views = rules.views[view]() if view else ()
        acting = Acting(world, rules=rules, views=views)
        acting.submit(f"Action: {words}")
        shown[view] = {thing.name for thing in acting.observation.objects}
    assert shown["near"] < shown[""]
    assert any(near in each for each in shown["near"])
    assert any(far in each for each in shown[""])
    assert not any(far in each for each in shown["near"])


def test_a_remark_in_the_words_of_a_skill_is_not_the_action_of_its_row() -> None:
    answer = (
        "| Action | Objects | Remark |\n|---|---|---|\n"
        "| nav(right_counter) | right_counter | Move. |\n"
        "| pick_bowl(bowl.1) | bowl.1 | Pick up the bowl. |"
    )
    result = SUITE.evaluate("action_sequencing", SUITE.task("long_horizon/26"), answer, STRICT)
    assert [str(step) for step in result.plan] == ["nav(right_counter)", "pick_bowl(bowl.1)"]


def test_numbers_of_skills_beside_their_words_are_no_numbers_of_steps() -> None:
    reference = SUITE.task("base/0")
    written = json.loads(write_plan(SUITE, reference.plans[0]))["executable_plan"]
    pairs = [(step["action_id"], step["action_name"]) for step in written]
    numbers = [number for number, _ in pairs]
    assert numbers != sorted(numbers)
    in_lists = "\n".join(f"[{number}, '{words}']" for number, words in pairs)
    in_lines = "\n".join(f"{number}: {words}" for number, words in pairs)
    for answer in (in_lists, in_lines):
        result = SUITE.evaluate("action_sequencing", reference, answer, STRICT)
        assert result.plan == tuple(map(str, reference.plans[0]))
        assert result.success


@pytest.mark.parametrize(
    "form",
    ["nav({})", "1. nav {}", '[["nav", "{}"]]', '[{{"action": "nav", "object": "{}"}}]'],
)
def test_a_place_is_found_by_its_own_name_in_every_form(form: str) -> None:
    task = SUITE.task("base/17")
    plans = SUITE.plans(STRICT)
    assert plans is not None
    places = [name for name in sorted(task.readable.objects) if "." not in name]
    assert "refrigerator_push_point" in places
    for place in places:
        assert plans.read(task, form.format(place)).actions == (Action("nav", (place,)),)


@pytest.mark.parametrize(
    "answer",
    [
        "1. nav(right counter) Navigate to the right counter\n2. pick(toy airplane) Pick it up",
        "nav(right counter) Go to the right counter\npick_toy_airplane(toy_airplane.1) Take it",
        "nav(right counter): go to it\npick(toy airplane): take it",
        "nav(right counter)\npick_toy_airplane(toy_airplane.1) Pick up the toy airplane",
        "1. Nav para o lado (nav(right counter))\n2. Pick the toy airplane (toy_airplane.1)",
        "- Nav alla mensola (nav(right_counter))\n- Pick a toy airplane",
    ],
)
def test_words_beside_a_call_that_tell_its_skill_are_no_second_step(answer: str) -> None:
    result = SUITE.evaluate("action_sequencing", SUITE.task("base/0"), answer, STRICT)
    steps = ["nav(right_counter)", "pick_toy_airplane(toy_airplane.1)"]
    assert [str(step) for step in result.plan] == steps


@pytest.mark.parametrize(
    "line",
    [
        "nav(table 1) Navigate to the table 2",
        "nav(table 1) Pick up the toy airplane",
        "pick_apple(apple.1) Pick up the ball",
        "place(sofa) - drop.",
        "Instead of open(cabinet 4), do nothing",
    ],
)
def test_words_beside_a_call_that_may_change_it_are_a_problem(line: str) -> None:
    for answer in (f"nav(sofa)\n{line}\nnav(table 2)", f"1. nav(sofa)\n2. {line}"):
        result = SUITE.evaluate("action_sequencing", SUITE.task("base/0"), answer, STRICT)
        assert result.reading == "partial"
