"""Generated tasks: solved by their plans, disjoint by structure, the same for the same seed."""

from __future__ import annotations

import gc
import json
import shutil
from collections.abc import Sequence
from dataclasses import replace
from importlib import resources
from pathlib import Path

import pytest
from command_line import call
from hypothesis import given, settings, strategies as st

import eai
from eai.contract import Suite, prompt_of
from eai.errors import DataMissingError, InputError, UnknownNameError
from eai.logic import Atom, Variable, objects_of
from eai.pddl import parse_domain
from eai.simulators.thor.skills import skill_world
from eai.suites.generated import SPLITS, Difficulty, FewerTasksWarning, difficulty, positions, twin
from eai.suites.household import Household
from eai.suites.pddl import Pddl
from eai.task import Goal, Task, Vocabulary
from eai.world import Action, World

PLANS = "action_sequencing"
PDDL = Path(__file__).parents[2] / "fixtures" / "pddl"


WORLDS = [
    "household",
    "thor",
    pytest.param("virtualhome", marks=pytest.mark.official),
    pytest.param("behavior", marks=pytest.mark.official),
]


def _in_pddl(plan: Sequence[Action]) -> str:
    return "\n".join(f"({' '.join((step.name, *step.arguments))})" for step in plan)


def _answer(task: Task) -> str:
    return json.dumps([{step.name.upper(): list(step.arguments)} for step in task.plans[0]])


@pytest.mark.parametrize("world", WORLDS)
def test_tasks_are_solved_by_their_plans_and_by_nothing_less(world: str) -> None:
    suite = eai.suite(f"generated:{world}?seed=3&n=25")
    strict = suite.semantics("strict")
    plans = suite.plans(strict)
    assert plans is not None
    assert len(suite.task_ids()) == 25
    for name in suite.task_ids():
        task = suite.task(name)
        plan = task.plans[0]
        assert 3 <= len(plan) <= 40
        assert suite.evaluate(PLANS, task, plans.write(plan), strict).success
        assert not suite.evaluate(PLANS, task, plans.write(()), strict).success
        for number in range(len(plan)):
            shorter = (*plan[:number], *plan[number + 1 :])
            assert not plans.evaluate_actions(task, shorter).success


def _acted_out(suite: Suite, task: Task, plan: Sequence[Action]) -> bool:
    """Return whether a plan solves a task when it is taken step by step."""
    strict = suite.semantics("strict")
    answers = [f"Action: {' '.join((step.name, *step.arguments))}" for step in plan]
    return suite.evaluate("interaction", task, json.dumps(answers), strict).success


@pytest.mark.parametrize("world", WORLDS)
def test_tasks_can_be_acted_in_step_by_step(world: str) -> None:
    suite = eai.suite(f"generated:{world}?seed=6&n=10")
    for name in suite.task_ids():
        task = suite.task(name)
        plan = task.plans[0]
        assert _acted_out(suite, task, plan)
        assert not _acted_out(suite, task, plan[:-1])


def test_tasks_of_a_suite_without_episodes_cannot_be_acted_in() -> None:
    suite = eai.suite("generated:test_generated_suite:Lamps?n=1&steps=2-4")
    (task,) = map(suite.task, suite.task_ids())
    assert list(suite.abilities) == [PLANS]
    with pytest.raises(InputError):
        suite.environment(task, suite.semantics("strict"))


@pytest.mark.parametrize("world", WORLDS)
def test_goals_and_plans_are_about_objects_of_the_prompt(world: str) -> None:
    suite = eai.suite(f"generated:{world}?seed=4&n=10")
    for name in suite.task_ids():
        task = suite.task(name)
        prompt = prompt_of(suite, task, PLANS)
        assert prompt is not None
        named = {argument for step in task.plans[0] for argument in step.arguments}
        for _, formula in task.goal.final[0]:
            named |= objects_of(formula)
        assert named - {task.agent} <= task.vocabulary.objects
        assert not [object_name for object_name in named if _spelled(object_name) not in prompt]


def _spelled(name: str) -> str:
    """Return the part of a name that every prompt has, whatever it does with the rest."""
    return name.rpartition(".")[2]


@pytest.mark.parametrize("world", ["safeagentbench", "eb-habitat"])
def test_suites_that_read_goals_in_their_own_way_are_refused(world: str) -> None:
    with pytest.raises(InputError):
        eai.generate(world, n=1)


@pytest.mark.parametrize("world", ["virtualhome", "behavior"])
def test_missing_scenes_are_named_with_the_command_that_fetches_them(world: str) -> None:
    with pytest.raises(DataMissingError) as caught:
        eai.generate(world, n=1)
    assert caught.value.mend == "eai data fetch eai"


def test_homes_of_ones_own_are_a_world(tmp_path: Path) -> None:
    with resources.as_file(resources.files("eai.data.tasks.household")) as shipped:
        for name in ("manifest.json", "homes.json", "tasks.jsonl"):
            text = (shipped / name).read_text("utf-8")
            (tmp_path / name).write_text(text.replace('"household"', '"mine"'), "utf-8")
    suite = Household(tmp_path)
    assert suite.name == "mine"
    plans = suite.plans(suite.semantics("strict"))
    for task in eai.generate(suite, n=3):
        assert plans.evaluate_actions(task, task.plans[0]).success


def test_a_suite_of_plans_by_the_definitions_is_a_world() -> None:
    source = Lamps()
    (task,) = eai.generate(source, n=1, steps=(2, 4))
    plans = source.plans(source.semantics("strict"))
    assert plans is not None
    assert plans.evaluate_actions(task, task.plans[0]).success


class Lamps(Suite):
    """Lamps that are switched on one after the other."""

    name = "lamps"
    title = "Lamps"
    version = "1"

    lamps = ("left", "middle", "right")

    def task_ids(self) -> Sequence[str]:
        return ("three",)

    def task(self, task_id: str) -> Task:
        domain = parse_domain(
            """(define (domain lamps) (:predicates (on ?x))
            (:action switch :parameters (?x) :precondition (not (on ?x)) :effect (on ?x)))"""
        )
        start = World(domain).state(dict.fromkeys(self.lamps, "object"), ())
        vocabulary = Vocabulary({"switch": 1}, {"on": 1}, frozenset(self.lamps))
        return Task(task_id, "", "", start, "", Goal(), vocabulary)


class RenamedLamps(Lamps):
    """The same lamps under other names."""

    lamps = ("c", "a", "b")


def test_structures_do_not_depend_on_names() -> None:
    # One lamp is to be on, two, or all three.
    expected = {task.metadata["structure"] for task in eai.generate(Lamps(), n=3, steps=(1, 3))}
    renamed = eai.generate(RenamedLamps(), n=3, steps=(1, 3), seed=5)
    assert {task.metadata["structure"] for task in renamed} == expected
    assert len(expected) == 3


def test_fewer_tasks_than_asked_for_come_with_a_warning() -> None:
    with pytest.warns(FewerTasksWarning):
        tasks = list(eai.generate(Lamps(), n=9, steps=(1, 3)))
    assert len(tasks) == 3


@pytest.mark.parametrize("world", WORLDS)
def test_plans_of_one_length_are_found(world: str) -> None:
    tasks = eai.generate(world, n=3, steps=(10, 10))
    assert [len(task.plans[0]) for task in tasks] == [10, 10, 10]


@pytest.mark.parametrize("steps", [(4, 4), (20, 30)])
def test_lengths_that_no_plan_has_are_refused(steps: tuple[int, int]) -> None:
    with pytest.raises(InputError):
        list(eai.generate(Lamps(), n=1, steps=steps))


def test_problem_without_plans_of_a_length_is_refused(tmp_path: Path) -> None:
    shutil.copy(PDDL / "gripper.pddl", tmp_path / "domain.pddl")
    shutil.copy(PDDL / "gripper-problem.pddl", tmp_path / "problem.pddl")
    with pytest.raises(InputError):
        list(eai.generate(f"pddl:{tmp_path}", n=1, steps=(20, 20)))


def test_surroundings_act_after_changes_as_after_any_step() -> None:
    world = skill_world(knife=True)
    changed = 0
    for task in eai.generate("thor", n=30, seed=3):
        state = task.start.copy()
        for step in task.plans[0]:
            numbers = world.world.numbers(state, step.name, step.by(task.agent))
            changes = world.world.apply(state, step.name, numbers)
            other = state.copy()
            settled = world.settle(state, changes)
            assert settled == world.settle(other)
            changed += len(settled)
    assert changed


@pytest.mark.parametrize("world", ["thor", pytest.param("behavior", marks=pytest.mark.official)])
def test_derived_facts_that_a_walk_remembers_are_those_of_its_states(
    world: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    after = positions._WalkStates.after
    compared = 0

    def compared_after(states, before, name, numbers):  # type: ignore[no-untyped-def]
        nonlocal compared
        reached = after(states, before, name, numbers)
        if reached is not None:
            state = reached[0].state
            engine = states.common.world
            for predicate, extension in state.memo.items():
                *first, last = (Variable(f"?{i}") for i in range(engine.layout.arity[predicate]))
                atom = Atom(engine.layout.names[predicate], (*first, last))
                members = engine.members_of(atom, last, tuple(first))
                # A copy knows nothing of derived predicates.
                fresh = state.copy()
                if first:
                    rows = [members(fresh, number) for number in range(len(state.universe))]
                    assert extension[1] == rows
                else:
                    assert extension[0] == members(fresh)
                compared += 1
        return reached

    monkeypatch.setattr(positions._WalkStates, "after", compared_after)
    assert len(list(eai.generate(world, n=10, seed=8))) == 10
    assert compared > 100


def test_the_same_seed_gives_the_same_tasks() -> None:
    def written(seed: int) -> list[tuple[str, str, object]]:
        tasks = eai.generate("household", n=10, seed=seed)
        return [(task.goal.text, task.instruction, task.plans) for task in tasks]

    assert written(5) == written(5)
    assert written(5) != written(6)


def test_splits_share_no_structure() -> None:
    structures = []
    for split in SPLITS:
        tasks = list(eai.generate("household", n=15, seed=1, split=split))
        assert {task.metadata["split"] for task in tasks} == {split}
        structures += [task.metadata["structure"] for task in tasks]
    assert len(set(structures)) == len(structures) == 45


@pytest.mark.parametrize("name", ["blocks-and-boxes", "briefcase", "gripper", "logistics"])
def test_tasks_of_a_pddl_problem_are_solved_by_their_plans(name: str, tmp_path: Path) -> None:
    shutil.copy(PDDL / f"{name}.pddl", tmp_path / "domain.pddl")
    shutil.copy(PDDL / f"{name}-problem.pddl", tmp_path / "problem.pddl")
    suite = eai.suite(f"generated:pddl:{tmp_path}?n=25&steps=2-9")
    strict = suite.semantics("strict")
    assert len(suite.task_ids()) == 25
    for task_id in suite.task_ids():
        task = suite.task(task_id)
        assert suite.evaluate(PLANS, task, _in_pddl(task.plans[0]), strict).success
        assert _acted_out(suite, task, task.plans[0])


def test_a_domain_with_rules_is_a_source(tmp_path: Path) -> None:
    (tmp_path / "domain.pddl").write_text(
        """(define (domain chain) (:predicates (on ?x) (wired ?x ?y) (live ?x))
        (:derived (live ?x) (or (on ?x) (exists (?y) (and (wired ?y ?x) (live ?y)))))
        (:action switch :parameters (?x ?y) :precondition (and (wired ?x ?y) (live ?x))
          :effect (on ?y)))""",
        "utf-8",
    )
    (tmp_path / "p.pddl").write_text(
        """(define (problem p) (:domain chain) (:objects a b c d)
        (:init (on a) (wired a b) (wired b c) (wired c d)) (:goal (live d)))""",
        "utf-8",
    )
    suite = eai.suite(f"pddl:{tmp_path}")
    tasks = list(eai.generate(suite, n=4, steps=(1, 3)))
    assert len(tasks) == 4
    for task in tasks:
        answer = _in_pddl(task.plans[0])
        assert suite.evaluate(PLANS, task, answer, suite.semantics("strict")).success


@given(seed=st.integers(0, 1_000))
@settings(max_examples=5, deadline=None)
def test_a_twin_has_the_same_verdict_for_the_renamed_plan(seed: int) -> None:
    suite = eai.suite("household")
    strict = suite.semantics("strict")
    (task,) = eai.generate(suite, n=1, seed=seed)
    other = twin(task, seed=seed)
    twins = Pddl.from_texts("twins", other.task.texts[0], {task.id: other.task.texts[1]})
    for plan in (task.plans[0], task.plans[0][1:], task.plans[0][:-1]):
        answer = json.dumps([{step.name.upper(): list(step.arguments)} for step in plan])
        renamed = _in_pddl(tuple(map(other.action, plan)))
        expected = suite.evaluate(PLANS, task, answer, strict).success
        found = twins.evaluate(PLANS, other.task, renamed, twins.semantics("strict")).success
        assert found is expected


@pytest.mark.official
def test_a_twin_in_a_world_with_a_computed_predicate_has_the_same_verdict() -> None:
    suite = eai.suite("generated:behavior?seed=2&n=20")
    plans = suite.plans(suite.semantics("strict"))
    assert plans is not None
    for name in suite.task_ids():
        task = suite.task(name)
        other = twin(task)
        twins = Pddl.from_texts("twins", other.task.texts[0], {task.id: other.task.texts[1]})
        for plan in (task.plans[0], task.plans[0][1:]):
            expected = plans.evaluate_actions(task, plan).success
            renamed = _in_pddl(tuple(map(other.action, plan)))
            found = twins.evaluate(PLANS, other.task, renamed, twins.semantics("strict")).success
            assert found is expected


def test_a_world_that_acts_by_itself_has_no_twins() -> None:
    (task,) = eai.generate("thor", n=1)
    with pytest.raises(InputError):
        twin(task)


def test_a_twin_keeps_the_numbers_of_its_problem(tmp_path: Path) -> None:
    (tmp_path / "domain.pddl").write_text(
        """(define (domain jars) (:predicates (full ?x) (shut ?x)) (:functions (litres ?x) (tap))
        (:action fill :parameters (?x) :precondition (>= (tap) (litres ?x))
          :effect (and (full ?x) (decrease (tap) (litres ?x))))
        (:action shut :parameters (?x) :precondition (full ?x) :effect (shut ?x)))""",
        "utf-8",
    )
    (tmp_path / "p.pddl").write_text(
        """(define (problem p) (:domain jars) (:objects a b)
        (:init (= (litres a) 2) (= (litres b) 3) (= (tap) 4)) (:goal (shut a)))""",
        "utf-8",
    )
    suite = eai.suite(f"pddl:{tmp_path}")
    strict = suite.semantics("strict")
    for task in eai.generate(suite, n=3, steps=(1, 3)):
        other = twin(task)
        text = _in_pddl(tuple(map(other.action, task.plans[0])))
        twins = Pddl.from_texts("twins", other.task.texts[0], {task.id: other.task.texts[1]})
        assert suite.evaluate(PLANS, task, _in_pddl(task.plans[0]), strict).success
        assert twins.evaluate(PLANS, other.task, text, strict).success
        assert "litres" not in other.task.texts[0]


def test_a_twin_mentions_no_old_name() -> None:
    (task,) = eai.generate("household", n=1, seed=2)
    other = twin(task)
    text = " ".join(other.task.texts)
    assert not [name for name in task.start.universe.names if name in text]


CANDLE = """(define (domain candle) (:predicates (burning) (lit) (calm) (ready))
  (:action wait :parameters () :precondition () :effect (ready))
  (:action strike :parameters () :precondition () :effect (burning))
  (:action light :parameters () :precondition (burning) :effect (lit))
  (:action blow :parameters () :precondition () :effect (and (calm) (not (burning)))))"""


def test_difficulty_is_a_shortest_plan_and_the_conflicts_of_the_steps() -> None:
    problem = "(define (problem p) (:domain candle) (:init) (:goal (and (lit) (calm))))"
    task = Pddl.from_texts("candles", CANDLE, {"one": problem}).task("one")
    plan = tuple(Action(name, ()) for name in ("wait", "strike", "light", "blow"))
    found = difficulty(replace(task, plans=(plan,)))
    # Blowing destroys what lighting needs, so it must not come between striking and lighting.
    assert found == Difficulty(steps=4, shortest=3, conflicts=1)


def test_the_difficulty_of_a_world_that_acts_by_itself_is_not_guessed() -> None:
    (task,) = eai.generate("thor", n=1)
    assert difficulty(task) == Difficulty(len(task.plans[0]), None, None)


@pytest.mark.official
def test_scenes_with_types_of_their_own_have_shortest_plans() -> None:
    (task,) = eai.generate("behavior", n=1, seed=3, steps=(2, 4))
    found = difficulty(task)
    assert found.shortest is not None
    assert 0 < found.shortest <= found.steps


@pytest.mark.parametrize("query", ["seed=x", "n=many", "steps=5", "colour=red"])
def test_settings_of_another_form_are_refused(query: str) -> None:
    with pytest.raises(InputError):
        eai.suite(f"generated:household?{query}")


def test_unknown_sources_and_splits_are_refused() -> None:
    with pytest.raises(UnknownNameError):
        eai.generate("nowhere", n=1)
    with pytest.raises(UnknownNameError):
        eai.generate("household", n=1, split="dev")
    with pytest.raises(InputError):
        eai.generate("household", n=1, steps=(5, 3))


def test_the_command_line_evaluates_generated_tasks(tmp_path: Path) -> None:
    name = "generated:household?seed=1&n=4"
    suite = eai.suite(name)
    rows = [{"id": task, "output": _answer(suite.task(task))} for task in suite.task_ids()]
    answers = tmp_path / "answers.jsonl"
    answers.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    done = call("evaluate", name, answers, "--fail-under", "task_success_rate=100")
    assert done.exit_code == 0, done.told


def test_python_looks_for_garbage_again_while_a_task_is_used() -> None:
    tasks = eai.generate("household", n=2, seed=1)
    for _ in tasks:
        assert gc.isenabled()
    assert gc.isenabled()
