"""Remembered executions and lines give the values of the plain way, to the bit."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from time import sleep
from unittest import mock

import pytest
from hypothesis import given, strategies as st

import eai
from eai.answers import Binder, KnownLines, open_document, read_answer
from eai.answers.reading import read_document
from eai.answers.surfaces import Surfaces
from eai.diagnosis import DomainRules
from eai.rewards import Attempt, executions
from eai.rewards.attempts import SOLVED
from eai.rewards.progress import Progress, RememberedProgress
from eai.simulators import Symbolic, execute
from eai.task import Task, Vocabulary
from eai.world import Action, State

SUITE = eai.suite("household")
TASKS = ("studio-02", "house-13", "flat-03", "flat-17", "house-05")


@cache
def named(name: str) -> Task:
    return SUITE.task(name)


@st.composite
def edited_plans(draw: st.DrawFn, task: Task) -> list[Action]:
    """The reference plan with some steps left out, moved, doubled or of other objects."""
    plan = list(task.plans[0])
    for _ in range(draw(st.integers(0, 4))):
        if not plan:
            break
        place = draw(st.integers(0, len(plan) - 1))
        edit = draw(st.sampled_from(["drop", "move", "double", "other"]))
        step = plan[place]
        if edit == "other":
            objects = st.sampled_from(sorted(task.vocabulary.objects))
            plan[place] = Action(step.name, tuple(draw(objects) for _ in step.arguments))
        elif edit == "double":
            plan.insert(draw(st.integers(0, len(plan))), step)
        else:
            del plan[place]
            if edit == "move":
                plan.insert(draw(st.integers(0, len(plan))), step)
    return plan


def plainly(task: Task, plan: Sequence[Action]) -> Attempt:
    """The attempt of a plan that is run from the start, as nothing is remembered."""
    simulator = Symbolic(task.world, DomainRules(described=False, skip=task.skips))
    progress = Progress(task, simulator.world)
    execution = execute(simulator, task.start, plan, agent=task.agent)
    if execution.completed and progress.reached(execution.trajectory):
        return SOLVED
    return progress.measure(execution)


@pytest.fixture(params=["as it is", "little memory", "no automaton"])
def bounds(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    if request.param == "little memory":
        monkeypatch.setattr(executions, "MAX_SITUATIONS", 7)
        monkeypatch.setattr(executions, "MAX_STATES", 2)
    if request.param == "no automaton":
        monkeypatch.setattr(executions, "MAX_AUTOMATON", 0)
    return iter([None])


@pytest.mark.parametrize("name", TASKS)
@pytest.mark.usefixtures("bounds")
def test_remembered_attempts_are_those_of_plans_run_from_the_start(name: str) -> None:
    task = named(name)
    remembered = RememberedProgress(task, graded=True)

    @given(st.lists(edited_plans(task), min_size=1, max_size=4))
    def check(plans: list[list[Action]]) -> None:
        for plan in plans:
            numbers = [remembered.number(action) for action in plan]
            assert remembered.attempt(numbers) == plainly(task, plan)

    check()


DEPOT = """
(define (domain depot) (:requirements :typing :numeric-fluents) (:types truck place)
  (:predicates (at ?t - truck ?p - place) (seen ?p - place))
  (:functions (fuel ?t - truck))
  (:action drive :parameters (?t - truck ?a ?b - place)
    :precondition (and (at ?t ?a) (>= (fuel ?t) 4))
    :effect (and (not (at ?t ?a)) (at ?t ?b) (seen ?b) (decrease (fuel ?t) 4)))
  (:action refuel :parameters (?t - truck) :effect (assign (fuel ?t) 10)))
"""
ROUND_TRIP = """
(define (problem p1) (:domain depot) (:objects t - truck a b c - place)
  (:init (at t a) (= (fuel t) 5)) (:goal (and (at t c) (seen a) (>= (fuel t) 3))))
"""


@pytest.mark.usefixtures("bounds")
def test_remembered_attempts_tell_states_apart_that_differ_in_numbers(tmp_path: Path) -> None:
    (tmp_path / "domain.pddl").write_text(DEPOT)
    (tmp_path / "p1.pddl").write_text(ROUND_TRIP)
    task = eai.suite(f"pddl:{tmp_path}").task("p1")
    drives = [Action("drive", ("t", a, b)) for a in "abc" for b in "abc" if a != b]
    steps = st.sampled_from([*drives, Action("refuel", ("t",))])
    remembered = RememberedProgress(task, graded=True)
    attempts: list[Attempt] = []

    @given(st.lists(st.lists(steps, max_size=7), min_size=1, max_size=4))
    def check(plans: list[list[Action]]) -> None:
        for plan in plans:
            attempt = remembered.attempt([remembered.number(action) for action in plan])
            assert attempt == plainly(task, plan)
            attempts.append(attempt)

    check()
    assert any(attempt.left for attempt in attempts)


GAUGED = """
(define (domain gauged) (:requirements :adl :numeric-fluents :derived-predicates :constraints)
  (:types truck) (:predicates (clean ?t - truck) (low ?t - truck)) (:functions (fuel ?t - truck))
  (:derived (low ?t - truck) (< (fuel ?t) 4))
  (:action idle :parameters (?t - truck) :precondition (>= (fuel ?t) 2)
    :effect (decrease (fuel ?t) 2))
  (:action refuel :parameters (?t - truck) :effect (increase (fuel ?t) 3))
  (:action wash :parameters (?t - truck) :precondition (not (low ?t)) :effect (clean ?t)))
"""
LOW_AND_CLEAN = """
(define (problem p1) (:domain gauged) (:objects t - truck) (:init (= (fuel t) 5))
  (:goal (clean t)) (:constraints {constraint}))
"""


@pytest.mark.usefixtures("bounds")
@pytest.mark.parametrize(
    "constraint",
    ["(sometime (low t))", "(and (sometime (low t)) (always (imply (clean t) (not (low t)))))"],
    ids=["sometime", "always"],
)
def test_remembered_attempts_follow_numbers_that_derived_predicates_read(
    constraint: str, tmp_path: Path
) -> None:
    """Some steps change nothing but a number, and with it a proposition of the goal's formula."""
    (tmp_path / "domain.pddl").write_text(GAUGED)
    (tmp_path / "p1.pddl").write_text(LOW_AND_CLEAN.format(constraint=constraint))
    way = tuple(Action(name, ("t",)) for name in ("idle", "refuel", "wash"))
    astray = tuple(Action(name, ("t",)) for name in ("refuel", "idle"))
    task = replace(eai.suite(f"pddl:{tmp_path}").task("p1"), plans=(astray, way))
    actions = [Action(name, ("t",)) for name in ("idle", "refuel", "wash")]
    remembered = RememberedProgress(task, graded=True)
    found = set()
    for length in range(5):
        for plan in product(actions, repeat=length):
            attempt = remembered.attempt([remembered.number(action) for action in plan])
            assert attempt == plainly(task, plan)
            found.add((attempt.solved, round(attempt.way, 2)))
    assert found >= {(True, 1.0), (False, 0.0), (False, 0.33), (False, 0.67)}


TABLES = """
(define (domain tables) (:requirements :adl :constraints) (:types thing)
  (:predicates (on ?a ?b - thing) (row ?a ?b ?c - thing) (clean ?a - thing) (dark))
  (:action put :parameters (?a ?b - thing) :effect (on ?a ?b))
  (:action pile :parameters (?b - thing) :effect (forall (?a - thing) (on ?a ?b)))
  (:action clear :parameters (?b - thing) :effect (forall (?a - thing) (not (on ?a ?b))))
  (:action spread :parameters (?a - thing) :effect (forall (?b - thing) (on ?a ?b)))
  (:action lift :parameters (?a - thing) :effect (forall (?b - thing) (not (on ?a ?b))))
  (:action heap :parameters (?b - thing)
    :effect (forall (?a - thing) (when (clean ?a) (on ?a ?b))))
  (:action deal :parameters (?a - thing)
    :effect (forall (?b - thing) (when (clean ?b) (on ?a ?b))))
  (:action line :parameters (?a ?b - thing)
    :effect (forall (?c - thing) (when (clean ?c) (row ?a ?b ?c))))
  (:action align :parameters (?a ?b - thing) :effect (forall (?c - thing) (row ?a ?b ?c)))
  (:action mix :parameters (?a ?b - thing) :effect (forall (?c - thing) (not (row ?a ?b ?c))))
  (:action seat :parameters (?a ?b ?c - thing) :effect (row ?a ?b ?c))
  (:action polish :parameters (?a - thing) :effect (clean ?a))
  (:action wash :parameters () :effect (forall (?a - thing) (clean ?a)))
  (:action soil :parameters () :effect (forall (?a - thing) (not (clean ?a))))
  (:action switch :parameters ()
    :effect (and (when (dark) (not (dark))) (when (not (dark)) (dark)))))
"""


@pytest.mark.usefixtures("bounds")
@pytest.mark.parametrize(
    ("fact", "steps"),
    [
        ("(on b c)", ["(put b c)", "(put b a)", "(pile c)", "(clear c)"]),
        ("(on b c)", ["(put b c)", "(put a c)", "(spread b)", "(lift b)"]),
        ("(on b c)", ["(polish b)", "(polish c)", "(heap c)", "(clear c)"]),
        ("(on b c)", ["(polish b)", "(polish c)", "(deal b)", "(lift b)"]),
        ("(row a b c)", ["(polish b)", "(polish c)", "(line a b)", "(mix a b)"]),
        ("(row a b c)", ["(align a b)", "(mix a b)", "(align b a)", "(mix b a)"]),
        ("(row a b c)", ["(seat a b c)", "(seat a b a)", "(seat a a c)", "(mix a b)"]),
        ("(clean b)", ["(wash)", "(soil)", "(polish b)", "(polish a)"]),
        ("(dark)", ["(switch)", "(wash)"]),
    ],
)
def test_remembered_attempts_follow_facts_that_change_many_at_a_time(
    fact: str, steps: list[str], tmp_path: Path
) -> None:
    """An effect on all objects changes a whole row, or a whole column."""
    (tmp_path / "domain.pddl").write_text(TABLES)
    (tmp_path / "p1.pddl").write_text(
        "(define (problem p1) (:domain tables) (:objects a b c - thing) (:init)"
        f" (:goal (not {fact})) (:constraints (sometime {fact})))"
    )
    task = eai.suite(f"pddl:{tmp_path}").task("p1")
    remembered = RememberedProgress(task, graded=True)
    actions = [Action(name, tuple(names)) for name, *names in map(words, steps)]
    solved = set()
    for length in range(4):
        for plan in product(actions, repeat=length):
            attempt = remembered.attempt([remembered.number(action) for action in plan])
            assert attempt == plainly(task, plan)
            solved.add(attempt.solved)
    assert solved == {False, True}


def words(text: str) -> list[str]:
    return text.strip("()").split()


def test_tasks_of_the_tests_have_automata_and_path_goals() -> None:
    machines = [executions._goal_automaton(named(name)) for name in TASKS]
    assert all(machine is not None for machine in machines)
    assert max(len(machine.states) for machine in machines if machine) > 2


TASK = named("house-13")
NAMES = TASK.readable
things = st.sampled_from(sorted(NAMES.objects)[:40])
steps = st.sampled_from(["walk", "grab", "open", "switchon", "sleep", "putin"]).flatmap(
    lambda name: st.tuples(
        st.sampled_from([name, name.upper(), name.title()]),
        st.lists(things, min_size=NAMES.actions[name], max_size=NAMES.actions[name]),
    )
)
odd_things = st.sampled_from([*sorted(NAMES.classes)[:10], "moon.1", "light 34", ""])
odd_steps = st.tuples(st.sampled_from(["walk", "FLY", "Grab"]), st.lists(odd_things, max_size=2))
plans = st.lists(st.one_of(steps, steps, steps, odd_steps), max_size=5)
Steps = list[tuple[str, list[str]]]


def called(plan: Steps) -> list[str]:
    return [f"{name}({', '.join(objects)})" for name, objects in plan]


def spoken(plan: Steps) -> list[str]:
    return [" ".join([name, *objects]) for name, objects in plan]


def numbered(lines: list[str]) -> list[str]:
    return [f"{number}. {line}" for number, line in enumerate(lines, start=1)]


def as_objects(plan: Steps) -> str:
    return json.dumps([{name: objects} for name, objects in plan])


line_lists = st.one_of(plans.map(called), plans.map(spoken))
odd_lines = st.sampled_from(["", "  ", "Plan:", "1.", "then", '["WALK(bed.91)"]', "# no", "3. x"])
texts = st.one_of(
    line_lists.map("\n".join),
    line_lists.map(numbered).map("\n".join),
    st.builds(lambda lines, odd: "\n".join([*lines, odd, *lines]), line_lists, odd_lines),
    plans.map(called).map(json.dumps),
    plans.map(as_objects),
)
thoughts = st.sampled_from(["", "<think>hm</think>\n", "WALK first</think>", "<think>\x00</think>"])
line_breaks = st.sampled_from(["", "\n", "\n\n"])
margins = st.sampled_from(["", " ", "\n", " \n  ", "\t\n", "     "])
answers = st.one_of(
    st.tuples(thoughts, line_breaks, texts, line_breaks).map("".join),
    st.tuples(thoughts, margins, plans.map(called).map(json.dumps), margins).map("".join),
)


@given(st.lists(answers, min_size=1, max_size=3))
def test_known_lines_say_what_the_three_stages_read(given_answers: list[str]) -> None:
    numbers: dict[Action, int] = {}
    binder = Binder(NAMES)
    known = KnownLines(NAMES, binder, lambda action: numbers.setdefault(action, len(numbers)))
    surfaces = Surfaces.from_vocabulary(NAMES)
    for text in given_answers:
        plan = known.read_plan(text)
        if plan is None:
            continue
        whole = binder.actions(read_document(open_document(text), surfaces))
        assert whole is not None
        assert [numbers[action] for action in whole] == plan
        assert binder.actions(read_answer(text, NAMES)) == whole
        assert known.read_plan(text) == plan


HYPHENS = Vocabulary(
    {"grasp": 1, "place_inside": 2, "rest": 0},
    {},
    frozenset({"shirt_0", "t-shirt_0", "t-shirt_1", "t-shirt_box.1"}),
    {"shirt": ("shirt_0",), "t-shirt": ("t-shirt_0", "t-shirt_1")},
)
hyphened = st.sampled_from([*sorted(HYPHENS.objects), "t-shirt", "t - shirt_0", "t-shirt-0", "-"])
hyphened_plans = st.lists(
    st.tuples(st.sampled_from(["GRASP", "place_inside", "rest"]), st.lists(hyphened, max_size=2)),
    min_size=1,
    max_size=4,
)
hyphened_texts = st.one_of(
    hyphened_plans.map(called).map("\n".join),
    hyphened_plans.map(spoken).map(numbered).map("\n".join),
    hyphened_plans.map(called).map(json.dumps),
    hyphened_plans.map(as_objects),
)


@given(hyphened_texts)
def test_known_lines_with_hyphens_say_what_the_three_stages_read(text: str) -> None:
    acts: dict[Action, int] = {}
    binder = Binder(HYPHENS)
    known = KnownLines(HYPHENS, binder, lambda action: acts.setdefault(action, len(acts)))
    plan = known.read_plan(text)
    if plan is not None:
        whole = binder.actions(
            read_document(open_document(text), Surfaces.from_vocabulary(HYPHENS))
        )
        assert [list(acts)[number] for number in plan] == list(whole or ())


def test_objects_with_hyphens_are_known() -> None:
    known = KnownLines(HYPHENS, Binder(HYPHENS), lambda _: 1)
    assert known.read_plan("GRASP(t-shirt_0)\nPLACE_INSIDE(t-shirt_1, t-shirt_box.1)") == [1, 1]
    assert known.read_plan('["GRASP(t-shirt_0)"]') == [1]
    assert known.read_plan('<think>hm</think>\n["GRASP(t-shirt_0)"]\n') == [1]


def test_names_of_actions_alone_are_steps_where_lines_are_numbered() -> None:
    numbers: list[Action] = []

    def number(action: Action) -> int:
        numbers.append(action)
        return len(numbers) - 1

    known = KnownLines(NAMES, Binder(NAMES), number)
    bed = min(NAMES.objects)
    assert known.read_plan(f"1. SLEEP\n2. WALK {bed}") == [0, 1]
    assert numbers == [Action("sleep"), Action("walk", (bed,))]
    assert known.read_plan(f"SLEEP\nWALK {bed}") is None
    assert known.read_plan("1. WALK") is None


def test_blank_lines_between_known_and_new_lines_are_no_steps() -> None:
    numbers: dict[Action, int] = {}
    known = KnownLines(
        NAMES, Binder(NAMES), lambda action: numbers.setdefault(action, len(numbers))
    )
    first, second = sorted(NAMES.objects)[:2]
    assert known.read_plan(f"WALK({first})") == [0]
    assert known.read_plan(f"WALK({first})\n\nWALK({second})\n \t\n") == [0, 1]
    assert known.read_plan(f"\nWALK({second})\n") == [1]
    assert known.read_plan(f"WALK({first})\n\nbecause") is None
    assert known.read_plan("\n\n") is None


def test_known_lines_are_steps_only_behind_the_lines_with_smaller_numbers() -> None:
    numbers: dict[Action, int] = {}
    known = KnownLines(
        NAMES, Binder(NAMES), lambda action: numbers.setdefault(action, len(numbers))
    )
    first, second = sorted(NAMES.objects)[:2]
    plan = f"1. WALK {first}\n2. WALK {second}\n3. WALK({first})"
    assert known.read_plan(plan) == known.read_plan(f"\n{plan}\n") == [0, 1, 0]
    assert known.read_plan(plan.replace("\n", "\n\n")) == [0, 1, 0]
    assert known.read_plan(f"WALK {first}\nWALK {second}") == [0, 1]
    assert known.read_plan(f"1. WALK {first}\n3. WALK({first})") is None
    assert known.read_plan(f"2. WALK {second}\n3. WALK({first})") is None
    assert known.read_plan(f"1. WALK {first}\nWALK {second}") is None
    assert known.read_plan(f"WALK {first}\n2. WALK {second}") is None


def test_the_lines_of_a_learned_plan_are_known_in_several_shapes() -> None:
    numbers: dict[Action, int] = {}
    known = KnownLines(
        NAMES, Binder(NAMES), lambda action: numbers.setdefault(action, len(numbers))
    )
    first, second = sorted(NAMES.objects)[:2]
    known.learn_plan([Action("walk", (first,)), Action("putin", (first, second))])
    calls = [f"WALK({first})", f"PUTIN({first}, {second})"]
    words = [f"WALK {first}", f"PUTIN {first} {second}"]
    assert known._lines.keys() == {*calls, *words}
    assert known._objects == {f'"WALK": ["{first}"]': 0, f'"PUTIN": ["{first}", "{second}"]': 1}
    for lines in (calls, words):
        assert known.read_plan("\n".join(lines)) == [0, 1]
        assert known.read_plan("\n".join(numbered(lines))) == [0, 1]
    assert known.read_plan(json.dumps(calls)) == [0, 1]


@pytest.mark.parametrize("beginning", ["1) ", "1.\t", "1.  ", " 1. ", "01. "])
def test_numbers_of_lines_are_written_in_several_ways(beginning: str) -> None:
    known = KnownLines(NAMES, Binder(NAMES), lambda _: 1)
    assert known.read_plan(f"{beginning}WALK {min(NAMES.objects)}") == [1]


@pytest.mark.parametrize("line", ["1. ", "1.WALK", "1.  \t", "2. WALK"])
def test_a_number_without_a_step_or_of_another_line_is_no_step(line: str) -> None:
    known = KnownLines(NAMES, Binder(NAMES), lambda _: 1)
    assert known.read_plan(line) is None


def test_no_more_lines_are_remembered_than_the_bound_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("eai.answers.known_lines.MAX_LINES", 3)
    known = KnownLines(NAMES, Binder(NAMES), lambda _: 1)
    objects = sorted(NAMES.objects)[:8]
    plain = [f"WALK {name}" for name in objects]
    for _ in range(2):
        assert known.read_plan("\n".join(numbered(plain))) == [1] * len(objects)
        assert known.read_plan("\n".join(plain)) == [1] * len(objects)
    assert len(known._lines) <= 3
    assert len(known._words) <= 3
    assert sum(map(len, known._numbered_lines)) <= 3


class SlowList(list):  # type: ignore[type-arg]
    """A list that lets other threads run when it has told its length."""

    def __len__(self) -> int:
        length = super().__len__()
        sleep(1e-4)
        return length


def test_threads_give_each_action_a_number_and_each_change_bits_of_its_own() -> None:
    task = named("house-13")
    walks = [Action("walk", (name,)) for name in sorted(task.vocabulary.objects)[:40]]
    remembered = RememberedProgress(task, graded=True)
    graph = remembered.executions
    differences = graph._differences
    graph._actions, differences._lines = SlowList(graph._actions), SlowList(differences._lines)
    with ThreadPoolExecutor(8) as pool:
        numbers = list(pool.map(remembered.number, walks))
        list(pool.map(lambda number: remembered.attempt([number]), numbers))
    assert len(set(numbers)) == len(walks)
    assert [graph._actions[number][0] for number in numbers] == walks
    first_bits = differences._first_bits.values()
    assert len(set(first_bits)) == len(first_bits) > 1
    for action, number in zip(walks, numbers, strict=True):
        assert remembered.attempt([number]) == plainly(task, [action])


def test_graphs_of_tasks_that_are_not_used_are_forgotten_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, second = (RememberedProgress(named(name), graded=True) for name in TASKS[:2])
    for progress, name in ((first, TASKS[0]), (second, TASKS[1])):
        plan = [progress.number(action) for action in named(name).plans[0]]
        assert progress.attempt(plan) == SOLVED
    assert len(first.executions._situations) > 1
    monkeypatch.setattr(executions, "MAX_SITUATIONS", 0)
    second.attempt([])
    assert len(first.executions._situations) == 1


def test_orders_of_steps_that_lead_to_the_same_state_share_their_end() -> None:
    task = named(TASKS[0])
    remembered = RememberedProgress(task, graded=True)
    names = sorted(task.vocabulary.objects)[:3]
    walks = [remembered.number(Action("walk", (name,))) for name in names]
    straight, _ = remembered.executions.run([walks[0], walks[2]])
    about, _ = remembered.executions.run([walks[0], walks[1], walks[2]])
    assert about is straight


def test_states_that_are_asked_for_again_are_kept_up_to_a_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(executions, "MAX_STATES", 3)
    task = named(TASKS[0])
    remembered = RememberedProgress(task, graded=True)
    executions._MEMORY.forget()
    graph = remembered.executions
    walks = [Action("walk", (name,)) for name in sorted(task.vocabulary.objects)[:8]]
    ends = [graph.run([remembered.number(walk)])[0] for walk in walks]
    assert not executions._MEMORY.states
    last_state = graph.state_of(ends[-1])
    for end in ends[:-1]:
        graph.state_of(end)
    assert list(executions._MEMORY.states) == ends[-4:-1]
    # The end of the last plan is at hand, and is made again from what differs once it is not.
    assert graph.state_of(ends[-1]) is last_state
    graph.run([remembered.number(walks[0])] * 2)
    assert not graph.state_of(ends[-1]).changes_to(last_state)


def test_a_plan_that_leaves_a_reference_plan_finds_the_state_there() -> None:
    task = named("house-13")
    remembered = RememberedProgress(task, graded=True)
    plan = [remembered.number(action) for action in task.plans[0]]
    for step_count in range(1, len(plan)):
        situation, _ = remembered.executions.run(plan[:step_count])
        assert situation in executions._MEMORY.states


def test_a_reference_plan_that_fails_is_kept_up_to_that_step() -> None:
    task = named("house-13")
    impossible = Action("grab", (min(task.vocabulary.objects),))
    broken = replace(task, plans=((task.plans[0][0], impossible, *task.plans[0][1:]),))
    remembered = RememberedProgress(broken, graded=True)
    assert plainly(broken, broken.plans[0]).left > 0
    for plan in (broken.plans[0], task.plans[0]):
        steps = [remembered.number(action) for action in plan]
        assert remembered.attempt(steps) == plainly(broken, plan)


def test_a_step_that_was_only_tried_is_skipped_where_its_effects_hold() -> None:
    task = named("house-13")
    graph = RememberedProgress(task, graded=True).executions
    light = Action("switchoff", ("table_lamp.96",))
    plan = [Action("walk", light.arguments), light]
    end, left = graph.run([graph.action_id(action) for action in plan])
    assert left == 0
    again = graph.action_id(light)
    assert not graph.reaches_goal(end, [again])
    assert end.edges[again] == executions.BLOCKED
    assert graph.follow(end, again) == executions.SKIPPED


def test_a_step_that_is_skipped_is_decided_once(monkeypatch: pytest.MonkeyPatch) -> None:
    task = named("house-13")
    graph = RememberedProgress(task, graded=True).executions
    light = Action("switchoff", ("table_lamp.96",))
    plan = [graph.action_id(each) for each in (Action("walk", light.arguments), light, light)]
    decided: list[int] = []
    decide = graph._outcome_of_inapplicable

    def counted(state: State, action_id: int) -> int:
        decided.append(action_id)
        return decide(state, action_id)

    monkeypatch.setattr(graph, "_outcome_of_inapplicable", counted)
    ends = [graph.run(plan) for _ in range(3)]
    assert {left for _, left in ends} == {0}
    assert len({id(end) for end, _ in ends}) == 1
    assert decided == [plan[-1]]


@pytest.mark.parametrize("graded", [True, False])
def test_steps_of_references_are_executed_before_the_first_answer(graded: bool) -> None:
    task = named("studio-02")
    remembered = RememberedProgress(task, graded=graded)
    [reference] = task.plans
    executed = 1 + len(reference) if graded else 1
    assert len(remembered.executions._situations) == executed


def test_no_state_is_made_to_see_that_a_demanded_action_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    task = next(task for task in map(named, SUITE.task_ids()) if task.goal.actions)
    graph = RememberedProgress(task, graded=False).executions
    walk = Action("walk", (min(task.vocabulary.objects),))
    end, _ = graph.run([graph.action_id(walk)])
    monkeypatch.setattr(graph, "state_of", mock.Mock(side_effect=AssertionError))
    for situation in (graph.start, end):
        assert not graph.is_goal(situation)
