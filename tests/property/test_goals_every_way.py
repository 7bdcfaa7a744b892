"""Goals of every form through every way in: the verdict is always that of the definition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from definition import holds, true_at
from hypothesis import given, settings, strategies as st
from list_trajectory import Fact, ListTrajectory
from strategies_formulas import all_formulas

import eai
from eai.abilities import Plans
from eai.abilities.plans import causes, repair
from eai.acting import EpisodeRules, format_action
from eai.acting.tasks import task_rules
from eai.contract import Ability
from eai.logic import TRUE, ActionAtom, Atom, Formula, Then
from eai.perturbation import perturb
from eai.planning import RepairBounds
from eai.rewards import Reward
from eai.semantics import Semantics
from eai.simulators import ObservationModel, Symbolic, SymbolicEnvironment
from eai.task import Task, Vocabulary
from eai.task.goals import goal_from_formula
from eai.world import Action, State

DOMAIN = """
(define (domain pantry)
  (:requirements :adl)
  (:types robot food thing)
  (:predicates (dark) (clean ?x) (near ?x ?y))
  (:action grab :parameters (?r - robot ?x - (either food thing))
    :precondition (or (not (dark)) (clean ?x))
    :effect (and (not (clean ?x)) (near ?x ?x) (forall (?y) (when (clean ?y) (not (near ?y ?x))))))
  (:action wash :parameters (?r - robot ?x - (either food thing)) :effect (clean ?x))
  (:action place :parameters (?r - robot ?x ?y - (either food thing))
    :precondition (near ?x ?x) :effect (and (near ?x ?y) (not (near ?x ?x))))
  (:action press :parameters (?r - robot)
    :effect (and (when (dark) (not (dark))) (when (not (dark)) (dark)))))
"""
WORLD = eai.World(eai.parse_domain(DOMAIN))
OBJECTS = {"robot": "robot", "cup.1": "food", "box.2": "thing", "jar.3": "thing"}
THINGS = ("cup.1", "box.2", "jar.3")


class Pantry(eai.Suite):
    """One task, which can be acted in, too."""

    name = "pantry"
    title = "A goal of any form"
    version = "1"

    def __init__(self, formula: Formula, facts: Sequence[Atom]) -> None:
        self.formula = formula
        self.goal = goal_from_formula(formula)
        self.start = WORLD.state(OBJECTS, facts)

    @property
    def abilities(self) -> dict[str, Ability]:
        return {**super().abilities, "interaction": Ability(None)}

    def task_ids(self) -> tuple[str, ...]:
        return ("one",)

    def task(self, task_id: str) -> Task:
        return Task(
            task_id, "One", "", self.start, "robot", self.goal, Vocabulary.of(WORLD.domain, THINGS)
        )

    def environment(self, task: Task, semantics: Semantics) -> SymbolicEnvironment:
        del semantics
        return SymbolicEnvironment(task, Symbolic(WORLD), observed=ObservationModel({}))

    def episode_rules(self, task: Task, semantics: Semantics) -> EpisodeRules:
        return task_rules(task, score=Plans(semantics).conditions)


def steps_of(answer: Sequence[str]) -> Iterator[Action]:
    for step in answer:
        name, *arguments = step.split()
        yield Action(name, tuple(arguments))


def goal_of(formula: Formula) -> Formula:
    """The same formula about an action of the domain; a `then` has two links at least."""
    operands = [goal_of(operand) for operand in formula.operands]
    if isinstance(formula, Then) and len(operands) < 2:
        return operands[0] if operands else TRUE
    if isinstance(formula, ActionAtom):
        return ActionAtom("grab", formula.terms)
    return formula.rebuild(operands)


def listed(
    suite: Pantry, plan: Sequence[Action], *, stops: bool = True
) -> tuple[ListTrajectory, bool]:
    """The states that steps lead through, as plain lists, and whether all of them can be done."""
    state, states, taken, completed = suite.start.copy(), [], [], True

    def facts(state: State) -> list[Fact]:
        return [(a.predicate, *map(str, a.terms)) for a in state.atoms()]

    states.append(facts(state))
    for step in plan:
        numbers = WORLD.numbers(state, step.name, ("robot", *step.arguments))
        if WORLD.first_failure(state, step.name, numbers) >= 0:
            if WORLD.operator(step.name).always_acts and not WORLD.changes(
                state, step.name, numbers
            ):
                continue
            completed = False
            if stops:
                break
            continue
        WORLD.apply(state, step.name, numbers)
        states.append(facts(state))
        taken.append((step.name, *step.arguments))
    return ListTrajectory(OBJECTS, states, taken), completed


def expected(suite: Pantry, plan: Sequence[Action], *, stops: bool = True) -> tuple[bool, bool]:
    """Whether the goal is reached, and whether its formula holds, word by word as defined."""
    trajectory, completed = listed(suite, plan, stops=stops)
    goal, last = suite.goal, trajectory.length - 1
    whole = holds(suite.formula, trajectory, 0, trajectory.length, {})
    final = any(all(true_at(f, trajectory, last, {}) for _, f in opt) for opt in goal.final)
    names = iter([name for name, *_ in trajectory.actions])
    acted = all(any(name in action.names for name in names) for action in goal.actions)
    return whole and final and acted and (completed or not stops), whole


ACTIONS = (
    "press",
    *(f"{name} {thing}" for name in ("grab", "wash") for thing in THINGS[:2]),
    "place cup.1 box.2",
    "place box.2 cup.1",
)
FACTS = (
    Atom("dark"),
    Atom("clean", ("cup.1",)),
    Atom("near", ("box.2", "cup.1")),
    Atom("near", ("cup.1", "cup.1")),
)


@settings(max_examples=60)
@given(
    all_formulas(depth=3),
    st.lists(st.sampled_from(FACTS), unique=True),
    st.lists(st.sampled_from(ACTIONS), max_size=4),
)
def test_the_verdict_is_that_of_the_definition_every_way(
    goal: Formula, facts: list[Atom], steps: list[str]
) -> None:
    suite = Pantry(goal_of(goal), facts)
    task, plan = suite.task("one"), tuple(steps_of(steps))
    answer = "\n".join(map(str, plan)) or "[]"
    solved, whole = expected(suite, plan)
    # The plan as a whole: evaluated, planned again, rewarded, explained, perturbed.
    result = suite.evaluate("action_sequencing", task, answer, suite.semantics("strict"))
    assert (result.success, result.formula_holds) == (solved, whole)
    assert result.success or result.findings
    # A task that no plan is needed for is left out.
    is_trivial = expected(suite, ())[0]
    dialogue = eai.replan(suite, task, [answer], max_attempts=1)
    assert dialogue.success == (solved and not is_trivial)
    [record] = eai.evaluate(suite, {"one": answer}).records
    if is_trivial:
        assert record.result.status == "excluded"
    else:
        assert record.result == result
        for kind in ("binary", "graded"):
            [value] = Reward(suite, kind=kind).score(["one"], [answer])
            assert (value == 1) == solved
        explained = str(eai.explain(record, suite=suite))
        assert f"\n  {'true' if whole else 'false'}" in explained
    assert perturb(suite, task, plan, "insert", harmful=False).before == solved
    # Step by step, the episode ends where the steps so far reach the goal.
    reached = [expected(suite, plan[:n], stops=False)[0] for n in range(len(plan) + 1)]
    acted = eai.interact(suite, task, [format_action(step) for step in plan])
    assert acted.success == any(reached)
    assert (acted.result.status == "excluded") == is_trivial
    assert len(acted.episode.turns) == (reached.index(True) if any(reached) else len(plan))
    # What is said of the plan's causes, and the least change that makes it work.
    for cause in causes(task, plan).goals:
        assert cause.kind != "formula" or cause.met == whole
    found = repair(task, plan, bounds=RepairBounds(edits=1, actions=2_000))
    assert (found.distance == 0) == solved
    assert found.repaired is None or expected(suite, found.repaired)[0]
