"""Judgements of steps in random worlds are those of a search through all of their states."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from math import inf
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from strategies_planning import random_task, task_of_switches
from world_distances import WorldDistances

from eai.diagnosis import DomainRules
from eai.pddl import Domain, Problem, parse_domain, parse_problem
from eai.planning import Distance
from eai.rewards import StepJudge, StepReward
from eai.rewards.progress import Progress, RememberedProgress
from eai.rewards.steps import _joint_bound, _label_of_step, _token_range
from eai.simulators import Symbolic, execute
from eai.suites.household import Household
from eai.suites.pddl import Pddl, PddlTask
from eai.task import Task
from eai.world import Action, State

thorough = settings(
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def written(state: State, name: str, numbers: tuple[int, ...]) -> str:
    return f"({' '.join((name, *(state.universe.names[n] for n in numbers)))})"


def label(before: float, after: float) -> str:
    """Return the label of a step that was done, by its definition."""
    if before == inf:
        return "lost"
    if after == inf:
        return "dead end"
    return "shortest" if after == before - 1 else "detour"


def potential(distance: float, scale: float) -> float:
    return -min(distance / scale, 2)


def check_random_plans(domain: Domain, problem: Problem, random: Random) -> None:
    plain = WorldDistances(domain, problem)
    if not plain.is_small or not plain.actions:
        return
    judge = StepJudge(Pddl.from_texts("small", domain, {"task": problem}))
    first = plain.distance(plain.start)
    scale = first if 0 < first < inf else 1
    for _ in range(8):
        state, lines = plain.start, list[str]()
        expected: list[tuple[object, ...]] = []
        has_failed = False
        for _ in range(random.randint(1, 6)):
            name, numbers = random.choice(plain.actions)
            after = plain.after(state, name, numbers)
            if after is None and not has_failed and random.random() < 0.8:
                continue
            lines.append(written(state, name, numbers))
            before = plain.distance(state)
            if has_failed:
                expected.append(("not reached", "not reached", None, None, 0.0, None, None, None))
                continue
            if after is None:
                has_failed = True
                goes_on = before < inf
                expected.append(("failed", "invalid", before, before, 0.0, False, goes_on, False))
                continue
            state, end = after, plain.distance(after)
            reward = potential(end, scale) - potential(before, scale)
            is_shortest = label(before, end) == "shortest"
            expected.append(
                ("done", label(before, end), before, end, reward, True, end < inf, is_shortest)
            )
        if lines:
            steps = judge("task", "\n".join(lines)).steps
            assert [judged(step) for step in steps] == expected, lines


def judged(step: StepReward) -> tuple[object, ...]:
    return (
        *(step.outcome, step.label, step.before, step.after, step.reward),
        *(step.applicable, step.keeps_goal, step.is_shortest),
    )


@thorough
@given(st.integers(0, 10**9))
def test_judgements_are_those_of_a_plain_search(seed: int) -> None:
    random = Random(seed)
    domain, problem = random_task(random)
    check_random_plans(domain, problem, random)


@thorough
@given(st.integers(0, 10**9))
def test_judgements_without_objects_are_those_of_a_plain_search(seed: int) -> None:
    random = Random(seed)
    check_random_plans(*task_of_switches(random), random)


@given(
    st.lists(st.integers(1, 4), min_size=1, max_size=12),
    st.integers(0, 20),
    st.integers(1, 20),
)
def test_tokens_of_a_step_are_those_that_share_a_character_with_it(
    lengths: list[int], begin: int, size: int
) -> None:
    offsets, place = list[tuple[int, int]](), 0
    for length in lengths:
        offsets.append((place, place + length))
        place += length
    characters = set(range(begin, begin + size))
    touching = [n for n, pair in enumerate(offsets) if characters.intersection(range(*pair))]
    found = _token_range((begin, begin + size), offsets)
    assert list(range(*found)) == touching
    if not touching:
        assert found == (0, 0)


def test_a_harmful_action_is_a_dead_end_though_no_plan_has_it() -> None:
    domain = parse_domain("""(define (domain chain) (:requirements :strips)
      (:predicates (here) (done))
      (:action work :parameters () :precondition (here) :effect (done))
      (:action leave :parameters () :precondition (here) :effect (not (here))))""")
    text = "(define (problem p) (:domain chain) (:init (here)) (:goal (done)))"
    problem = parse_problem(text, domain=domain)
    judge = StepJudge(Pddl.from_texts("chain", domain, {"task": problem}))
    (step,) = judge("task", "(leave)").steps
    assert (step.label, step.before, step.after, step.bound) == ("dead end", 1, inf, "exact")
    # A dead end costs as much as twice the way that was left at the start.
    assert step.reward == pytest.approx(-1.0)


def judge_of(actions: str, init: str, goal: str) -> StepJudge:
    domain = parse_domain(
        "(define (domain d) (:requirements :adl)"
        f" (:predicates (here) (done) (seen) (made)) {actions})"
    )
    text = f"(define (problem p) (:domain d) (:init {init}) (:goal {goal}))"
    return StepJudge(Pddl.from_texts("d", domain, {"task": parse_problem(text, domain=domain)}))


WORKSHOP = """
  (:action look :parameters () :effect (seen))
  (:action make :parameters () :effect (made))
  (:action work :parameters () :precondition (made) :effect (done))
  (:action leave :parameters () :precondition (here) :effect (not (here)))"""


def test_a_step_is_needed_if_the_goal_rests_on_it() -> None:
    judge = judge_of(WORKSHOP, "(here)", "(and (done) (here))")
    steps = judge("task", "(look)\n(make)\n(work)").steps
    assert [step.needed for step in steps] == [False, True, True]
    steps = judge("task", "(look)\n(work)\n(make)").steps
    assert [step.outcome for step in steps] == ["done", "failed", "not reached"]
    # Whether a step was needed is said only of those that were done.
    assert [step.needed for step in steps][1:] == [None, None]
    assert isinstance(steps[0].needed, bool)


@pytest.mark.parametrize(
    ("constraint", "distances"),
    [
        ("(sometime (seen))", [(2, 1), (1, 1), (1, 0)]),
        ("(always (imply (done) (seen)))", [(2, 1), (1, 1), (1, 0)]),
        ("(always (not (seen)))", [(2, 1), (1, 1), (1, 1)]),
    ],
)
def test_goals_about_the_way_are_at_least_as_far_as_the_state_at_the_end(
    constraint: str, distances: list[tuple[int, int]]
) -> None:
    domain = (
        "(define (domain d) (:requirements :adl :constraints)"
        f" (:predicates (here) (done) (seen) (made)) {WORKSHOP})"
    )
    problem = f"(define (problem p) (:domain d) (:init) (:goal (done)) (:constraints {constraint}))"
    steps = StepJudge(Pddl.from_texts("d", domain, {"task": problem}))(
        "task", "(make)\n(look)\n(work)"
    ).steps
    assert [(step.before, step.after) for step in steps] == distances
    assert {(step.bound, step.label) for step in steps} == {("at least", "unknown")}
    # Which steps such a goal rests on is not taken apart.
    assert [step.needed for step in steps] == [None, None, None]


def test_data_have_no_infinite_numbers() -> None:
    judge = judge_of(WORKSHOP, "(here)", "(and (done) (here))")
    make, leave, look = judge("task", "(make)\n(leave)\n(look)").steps
    assert (make.as_dict()["before"], make.as_dict()["after"]) == (2, 1)
    assert (leave.as_dict()["before"], leave.as_dict()["after"]) == (1, None)
    assert (look.as_dict()["before"], look.as_dict()["after"]) == (None, None)
    for step in (make, leave, look):
        row = step.as_dict()
        assert row["applicable"] is step.applicable
        assert row["keeps_goal"] is step.keeps_goal is (step is make)
        assert row["is_shortest"] is step.is_shortest is (step is make)


def test_executions_are_told_with_the_numbers_of_their_steps() -> None:
    task = Pddl.from_texts(
        "chain",
        "(define (domain d) (:predicates (p) (q)) (:action a :parameters () :effect (p))"
        " (:action b :parameters () :effect (q)))",
        {"task": "(define (problem p) (:domain d) (:init) (:goal (and (p) (q))))"},
    ).task("task")
    executions = RememberedProgress(task, graded=True).executions
    plan = [Action("a"), Action("b")]
    end, left = executions.run([executions.action_id(action) for action in plan])
    steps = executions.steps_to(end)
    assert left == 0
    assert [(step.number, step.action) for step in steps] == list(enumerate(plan, start=1))


DISTANCES = [None, Distance(2), Distance(1), Distance(inf), Distance(1, "at least")]
DISTANCES += [Distance(2, "at most"), Distance(0)]


@pytest.mark.parametrize("after", DISTANCES)
@pytest.mark.parametrize("before", DISTANCES)
def test_a_bound_of_one_distance_is_that_of_both(
    before: Distance | None, after: Distance | None
) -> None:
    bound, name = _joint_bound(before, after), _label_of_step(before, after)
    if before is None or after is None:
        assert (bound, name) == ("", "unknown")
    elif before.is_exact and after.is_exact:
        assert (bound, name) == ("exact", label(before.steps, after.steps))
    else:
        assert bound in {before.bound, after.bound} - {"exact"}
        is_certain = inf in (before.steps, after.steps)
        assert (name in ("lost", "dead end")) is is_certain
        assert is_certain or name == "unknown"


SUITE = Household()
LARGE = ("studio-02", "house-13", "flat-03")
"""Tasks whose worlds are too large for a search, some with a goal about the whole way."""


@cache
def large_task(name: str) -> tuple[Task, StepJudge]:
    return SUITE.task(name), StepJudge(SUITE)


@cache
def steps_to_goal(name: str, done: tuple[Action, ...]) -> int | None:
    """Return how many last steps of a reference plan lead to the goal, each tried plainly."""
    task, _ = large_task(name)
    rules = DomainRules(described=False, skip=task.skips)
    for count in range(max(map(len, task.plans)) + 1):
        # The end of any plan counts: some tasks have several.
        for plan in task.plans:
            if count > len(plan):
                continue
            end = plan[len(plan) - count :]
            simulator = Symbolic(task.world, rules)
            execution = execute(simulator, task.start, [*done, *end], agent=task.agent)
            is_done = set(execution.executed[len(done) :]) <= {"done"}
            if is_done and Progress(task, simulator.world).reached(execution.trajectory):
                return count
    return None


@pytest.mark.parametrize("name", LARGE)
@settings(max_examples=6, deadline=None)
@given(data=st.data())
def test_bounds_in_large_worlds_are_ends_of_the_reference_plan(
    name: str, data: st.DataObject
) -> None:
    task, judge = large_task(name)
    reference = st.sampled_from(task.plans[0])
    kept = data.draw(st.lists(st.booleans(), min_size=1, max_size=len(task.plans[0])))
    plan = [step for step, is_kept in zip(task.plans[0], kept, strict=False) if is_kept]
    for extra in data.draw(st.lists(reference, max_size=3)):
        plan.insert(data.draw(st.integers(0, len(plan))), extra)
    execution = execute(
        Symbolic(task.world, DomainRules(described=False, skip=task.skips)),
        task.start,
        plan,
        agent=task.agent,
    )
    steps = judge(name, "\n".join(map(str, plan))).steps
    assert tuple(step.outcome for step in steps) == execution.executed
    first = steps_to_goal(name, ())
    assert first
    done: list[Action] = []
    for step, action in zip(steps, plan, strict=True):
        if step.outcome == "not reached":
            assert (step.before, step.after, step.bound, step.reward) == (None, None, "", 0)
            continue
        before = steps_to_goal(name, tuple(done))
        if step.outcome == "done":
            done.append(action)
        after = steps_to_goal(name, tuple(done))
        assert (step.before, step.after) == (before, after)
        values = [-2 if steps is None else -min(steps / first, 2) for steps in (before, after)]
        assert step.reward == (values[1] - values[0])
        bound = ""
        if before is not None and after is not None:
            bound = "exact" if max(before, after) < 2 else "at most"
        assert step.bound == bound


def test_the_way_that_is_left_may_be_the_end_of_another_reference_plan() -> None:
    _, judge = large_task("house-13")
    plan = "walk(bed.91)\ngrab(teddy_bear.95)\nwalk(table_lamp.96)"
    # The first plan grabs the bear beside the bed, the second walks back to the bed with it.
    remaining = [(step.before, step.after) for step in judge("house-13", plan).steps]
    assert remaining == [(5, 4), (4, 3), (3, 4)]


class PassingOver(Pddl):
    """Tasks in whose plans a step is passed over if its effects hold."""

    def task(self, task_id: str) -> PddlTask:
        return replace(super().task(task_id), skips=True)


def test_a_step_that_is_passed_over_gains_and_loses_nothing() -> None:
    domain = f"(define (domain d) (:predicates (here) (done) (seen) (made)) {WORKSHOP})"
    problem = "(define (problem p) (:domain d) (:init (here) (made)) (:goal (and (done) (here))))"
    lost = problem.replace("(:init (here)", "(:init")
    suite = PassingOver.from_texts("d", domain, {"near": problem, "lost": lost})
    judge = StepJudge(suite)
    near = judge("near", "(leave)\n(leave)\n(work)").steps
    assert [step.outcome for step in near] == ["done", "skipped", "done"]
    assert [step.label for step in near] == ["dead end", "lost", "lost"]
    assert (near[1].before, near[1].after, near[1].reward) == (inf, inf, 0)
    assert near[1].applicable is False
    assert near[1].keeps_goal is False
    (step,) = judge("lost", "(leave)").steps
    assert (step.outcome, step.label, step.bound) == ("skipped", "lost", "exact")


def test_a_step_that_is_passed_over_on_the_way_is_a_detour() -> None:
    domain = (
        "(define (domain d) (:predicates (open) (in) (done))"
        " (:action unlock :parameters () :precondition (not (open)) :effect (open))"
        " (:action enter :parameters () :precondition (open) :effect (in)))"
    )
    problem = "(define (problem p) (:domain d) (:init) (:goal (in)))"
    judge = StepJudge(PassingOver.from_texts("d", domain, {"task": problem}))
    steps = judge("task", "(unlock)\n(unlock)\n(enter)\n(unlock)").steps
    assert [step.outcome for step in steps] == ["done", "skipped", "done", "skipped"]
    assert [step.label for step in steps] == ["shortest", "detour", "shortest", "detour"]
    assert [step.is_shortest for step in steps] == [True, False, True, False]
    assert [step.needed for step in steps] == [True, False, True, False]
    assert [step.reward for step in steps] == [0.5, 0, 0.5, 0]
