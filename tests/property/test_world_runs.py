"""What is true of every run of every domain."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from random import Random

from hypothesis import HealthCheck, given, settings, strategies as st
from reference_world import Fact, Reference
from strategies_world import Scene, random_scene

from eai.diagnosis import DomainRules, ErrorKind, Run
from eai.logic import Atom, Variable
from eai.pddl import AddEffect, AndEffect, Effect, ForallEffect, literal_effects
from eai.world import Action, Differences, State, Step, Trajectory, World
from eai.world.bits import bits

thorough = settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])


def facts_of(state: State) -> frozenset[Fact]:
    return frozenset((atom.predicate, tuple(map(str, atom.terms))) for atom in state.atoms())


def _run(random: Random) -> tuple[Scene, Trajectory]:
    """Take random actions, applicable or not, and record what they change."""
    scene = random_scene(random)
    world = World(scene.domain)
    reference = Reference(scene.domain, scene.objects)
    start = world.state(scene.objects, scene.facts)
    state, steps = start.begin(), []
    for number in range(1, random.randint(0, 5) + 1):
        name = random.choice(sorted(scene.domain.operators))
        parameters = scene.domain.operators[name].parameters
        bindings = list(reference.bindings(parameters))
        if bindings:
            arguments = tuple(random.choice(bindings).values())
            changes = world.apply(state, name, world.numbers(state, name, arguments))
            steps.append(Step(Action(name, arguments), number, changes))
    return scene, Trajectory(world, start, steps, state)


runs = st.randoms(use_true_random=False).map(_run)


def snapshots(trajectory: Trajectory) -> list[frozenset[Fact]]:
    return [facts_of(state) for state in trajectory.states()]


@thorough
@given(runs)
def test_replayed_changes_lead_to_the_same_state(run: tuple[Scene, Trajectory]) -> None:
    scene, trajectory = run
    states = snapshots(trajectory)
    reference = Reference(scene.domain, scene.objects)
    assert states[0] == facts_of(trajectory.start)
    assert states[-1] == facts_of(trajectory.final)
    for step, before, after in zip(trajectory.steps, states, states[1:], strict=False):
        operator = scene.domain.operators[step.action.name]
        names = (parameter.name for parameter in operator.parameters)
        binding = dict(zip(names, step.action.arguments, strict=True))
        assert reference.successor(operator, before, binding) == after


@thorough
@given(runs)
def test_a_step_changes_only_what_its_effects_mention(run: tuple[Scene, Trajectory]) -> None:
    scene, trajectory = run
    states = snapshots(trajectory)
    for step, before, after in zip(trajectory.steps, states, states[1:], strict=False):
        effect = scene.domain.operators[step.action.name].effect
        mentioned = {literal.atom.predicate for literal in literal_effects(effect)}
        assert {predicate for predicate, _ in before ^ after} <= mentioned


def _certain(effect: Effect, reference: Reference, binding: dict[str, str]) -> Iterator[Atom]:
    """Atoms that are added whatever the state is."""
    if isinstance(effect, AddEffect):
        terms = (binding[t.name] if isinstance(t, Variable) else t for t in effect.atom.terms)
        yield Atom(effect.atom.predicate, tuple(terms))
    elif isinstance(effect, AndEffect):
        for part in effect.parts:
            yield from _certain(part, reference, binding)
    elif isinstance(effect, ForallEffect):
        for inner in reference.bindings(effect.variables):
            yield from _certain(effect.effect, reference, {**binding, **inner})


@thorough
@given(runs)
def test_what_is_added_without_condition_is_true_afterwards(run: tuple[Scene, Trajectory]) -> None:
    scene, trajectory = run
    reference = Reference(scene.domain, scene.objects)
    for step, state in zip(
        trajectory.steps, itertools.islice(trajectory.states(), 1, None), strict=True
    ):
        operator = scene.domain.operators[step.action.name]
        names = (parameter.name for parameter in operator.parameters)
        binding = dict(zip(names, step.action.arguments, strict=True))
        for atom in _certain(operator.effect, reference, binding):
            assert state.holds(atom.predicate, tuple(map(str, atom.terms)))


@thorough
@given(runs)
def test_histories_are_the_truth_of_the_replayed_states(run: tuple[Scene, Trajectory]) -> None:
    scene, trajectory = run
    reference = Reference(scene.domain, scene.objects)
    states = [reference.closed(state) for state in snapshots(trajectory)]
    for name, predicate in scene.domain.predicates.items():
        for arguments in itertools.product(reference.objects, repeat=predicate.arity):
            expected = [(name, arguments) in state for state in states]
            history = trajectory.history(name, arguments)
            assert history == sum(1 << i for i, true in enumerate(expected) if true)


@thorough
@given(runs)
def test_added_and_deleted_are_the_differences_of_states(run: tuple[Scene, Trajectory]) -> None:
    _, trajectory = run
    states = snapshots(trajectory)
    for position in range(1, trajectory.length):
        before, after = states[position - 1], states[position]
        added = [(a.predicate, a.terms) for a in trajectory.added(position)]
        deleted = [(a.predicate, a.terms) for a in trajectory.deleted(position)]
        assert len(set(added)) == len(added)
        assert set(added) == after - before
        assert set(deleted) == before - after


@thorough
@given(runs)
def test_rows_and_columns_of_a_state_agree(run: tuple[Scene, Trajectory]) -> None:
    _, trajectory = run
    for state in trajectory.states():
        for p in state.layout.binary:
            by_row = {(a, b) for a, row in enumerate(state.rows[p]) for b in bits(row)}
            by_column = {(a, b) for b, column in enumerate(state.cols[p]) for a in bits(column)}
            assert by_row == by_column
        assert all(line.bit_length() <= len(state.universe) for line in state.unary)


@thorough
@given(runs)
def test_the_kind_of_an_error_is_what_the_definition_says(run: tuple[Scene, Trajectory]) -> None:
    """The rules of the paper, read off the states of the run by the naive interpreter."""
    scene, done = run
    world, reference = done.world, Reference(scene.domain, scene.objects)
    states = [reference.closed(state) for state in snapshots(done)]
    for name, operator in scene.domain.operators.items():
        if not operator.parameters:
            continue
        for binding in reference.bindings(operator.parameters):
            tests = world.operator(name).tests
            failing = [t for t in tests if not reference.true(t, states[-1], binding)]
            run_now = Run(world, done.start, next(iter(binding.values())))
            run_now.state, run_now.steps = done.final.copy(), list(done.steps)
            action = Action(name, tuple(binding.values())[1:])
            outcome, finding = DomainRules().take(run_now, action, 9)
            before = frozenset(fact for fact in states[-1] if fact[0] not in scene.domain.derived)
            after = reference.successor(operator, before, binding)
            assert (outcome == "done") == (not failing)
            if not failing:
                redundant = before == after and world.operator(name).always_acts
                assert (finding is not None) == redundant
                assert facts_of(run_now.state) == after
                continue
            assert finding is not None
            assert facts_of(run_now.state) == before
            if finding.kind is ErrorKind.WRONG_ORDER:
                assert all(any(reference.true(t, s, binding) for s in states) for t in failing)
            elif finding.kind is ErrorKind.MISSING_STEP:
                assert any(not any(reference.true(t, s, binding) for s in states) for t in failing)
            elif finding.kind is ErrorKind.ADDITIONAL_STEP:
                assert outcome == "skipped"
                assert before == after
            else:
                assert finding.kind is ErrorKind.AFFORDANCE


@thorough
@given(runs)
def test_a_state_is_made_again_of_its_difference(run: tuple[Scene, Trajectory]) -> None:
    _, trajectory = run
    differences = Differences(trajectory.start)
    difference = 0
    facts_by_difference = {0: facts_of(trajectory.start)}
    for step, facts in zip(trajectory.steps, snapshots(trajectory)[1:], strict=True):
        difference = differences.after(difference, step.changes)
        assert facts_of(differences.state(difference)) == facts
        assert facts_by_difference.setdefault(difference, facts) == facts
