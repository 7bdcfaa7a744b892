"""Invariants of random VirtualHome scenes under random plans."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from eai.diagnosis import RUNTIME
from eai.logic import Atom
from eai.simulators import Execution, VirtualHomeSimulator, execute, virtualhome_domain
from eai.simulators.virtualhome import VARIATIONS
from eai.world import Action, State
from eai.world.bits import bits

thorough = settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])

ROOMS = ("kitchen.1", "bath.2")
THINGS = ("fridge.3", "table.4", "sofa.5", "cup.6", "milk.7", "lamp.8", "towel.9", "knife.10")
ME = "me.11"
OBJECTS = {**dict.fromkeys(ROOMS, "room"), **dict.fromkeys(THINGS, "thing"), ME: "character"}
PROPERTIES = ("grabbable", "can_open", "sittable", "has_switch", "clothes", "recipient", "movable")
OPERATORS = virtualhome_domain().operators


def random_home(random: Random) -> list[Atom]:
    """A scene in which everything is in one room and has at most one state of each pair."""
    atoms = [Atom("inside", (ME, random.choice(ROOMS)))]
    for name in THINGS:
        atoms.append(Atom("inside", (name, random.choice(ROOMS))))
        atoms += [Atom(p, (name,)) for p in PROPERTIES if random.random() < 0.8]
        atoms.append(Atom(random.choice(["open", "closed"]), (name,)))
        atoms.append(Atom(random.choice(["on", "off"]), (name,)))
        other = random.choice([thing for thing in THINGS if thing != name])
        if random.random() < 0.5:
            atoms.append(Atom(random.choice(["ontop", "inside", "next_to"]), (name, other)))
        if random.random() < 0.3:
            atoms.append(Atom("next_to", (ME, name)))
    return list(dict.fromkeys(atoms))


def random_plan(random: Random) -> list[Action]:
    """A plan that often does what needs to be done first."""
    plan: list[Action] = []
    often = ["walk", "grab", "open", "close", "putback", "sit", "standup", "switchon", "puton"]
    for _ in range(random.randint(0, 8)):
        name = random.choice([*often, *often, *OPERATORS])
        names = [random.choice(THINGS) for _ in OPERATORS[name].parameters[1:]]
        if names and random.random() < 0.8:
            plan.append(Action("walk", (random.choice(names),)))
        plan.append(Action(name, tuple(names)))
    return plan


class Tried:
    """A plan and what came of it."""

    def __init__(self, random: Random, variations: frozenset[str] = frozenset()) -> None:
        simulator = VirtualHomeSimulator(variations)
        self.start = simulator.world.state(OBJECTS, random_home(random))
        self.before = list(self.start.atoms())
        self.plan = random_plan(random)
        self.execution: Execution = execute(simulator, self.start, self.plan, agent=ME)

    def states(self) -> list[State]:
        return [state.copy() for state in self.execution.trajectory.states()]


def _varied(random: Random) -> Tried:
    names = sorted(VARIATIONS)
    return Tried(random, frozenset(random.sample(names, random.randint(0, len(names)))))


tried = st.randoms(use_true_random=False).map(_varied)
strict = st.randoms(use_true_random=False).map(Tried)


def pairs(state: State, predicate: str) -> set[tuple[str, str]]:
    p, names = state.layout.index[predicate], state.universe.names
    return {(names[a], names[b]) for a, row in enumerate(state.rows[p]) for b in bits(row)}


@thorough
@given(tried)
def test_every_step_has_an_outcome_and_every_failure_a_reason(found: Tried) -> None:
    execution = found.execution
    assert len(execution.executed) == len(found.plan)
    assert set(execution.executed) <= {"done", "skipped", "failed", "not reached"}
    assert execution.executed.count("failed") == (not execution.completed)
    for finding in execution.findings:
        assert finding.kind in RUNTIME
        assert finding.step is not None
        assert finding.action == str(found.plan[finding.step - 1])
        assert execution.executed[finding.step - 1] in {"done", "skipped", "failed"}
    steps = {finding.step for finding in execution.findings}
    for number, outcome in enumerate(execution.executed, start=1):
        if outcome in {"failed", "skipped"}:
            assert number in steps
    done = [i for i, outcome in enumerate(execution.executed, start=1) if outcome == "done"]
    assert [step.number for step in execution.trajectory.steps] == done


@thorough
@given(tried)
def test_the_start_is_not_changed_and_rows_agree_with_columns(found: Tried) -> None:
    assert list(found.start.atoms()) == found.before
    states = found.states()
    assert list(states[-1].atoms()) == list(found.execution.trajectory.final.atoms())
    for state in states:
        for p in state.layout.binary:
            by_column = {(a, b) for b, column in enumerate(state.cols[p]) for a in bits(column)}
            assert by_column == {(a, b) for a, row in enumerate(state.rows[p]) for b in bits(row)}


@thorough
@given(tried)
def test_hands_hold_one_thing_each_and_never_the_same(found: Tried) -> None:
    for state in found.states():
        right, left = pairs(state, "holds_rh"), pairs(state, "holds_lh")
        assert len(right) <= 1
        assert len(left) <= 1
        assert not right & left
        assert all(holder == ME for holder, _ in right | left)


@thorough
@given(tried)
def test_things_have_one_state_of_each_pair(found: Tried) -> None:
    for state in found.states():
        for one, other in (("open", "closed"), ("on", "off"), ("clean", "dirty")):
            index = state.layout.index
            assert not state.unary[index[one]] & state.unary[index[other]]
        assert not state.holds("sitting", (ME,)) or not state.holds("lying", (ME,))


@thorough
@given(strict)
def test_the_agent_is_always_in_one_room_and_held_things_are_there_too(found: Tried) -> None:
    for state in found.states():
        rooms = {room for name, room in pairs(state, "inside") if name == ME}
        assert len(rooms) == 1
        held = {name for _, name in pairs(state, "holds_rh") | pairs(state, "holds_lh")}
        assert {(name, room) for name in held for room in rooms} <= pairs(state, "inside")


@thorough
@given(tried)
def test_properties_of_things_never_change(found: Tried) -> None:
    *_, last = found.states()
    fluents = virtualhome_domain().fluents
    static = [atom for atom in last.atoms() if atom.predicate not in fluents]
    assert static == [atom for atom in found.before if atom.predicate not in fluents]


@pytest.mark.parametrize("name", sorted(OPERATORS))
@settings(max_examples=8)
@given(st.randoms(use_true_random=False))
def test_any_action_on_any_scene_is_evaluated(name: str, random: Random) -> None:
    simulator = VirtualHomeSimulator()
    start = simulator.world.state(OBJECTS, random_home(random))
    arguments = tuple(random.choice([*THINGS, *ROOMS]) for _ in OPERATORS[name].parameters[1:])
    execution = execute(simulator, start, [Action(name, arguments)], agent=ME)
    [outcome] = execution.executed
    failed = simulator.world.failures(
        start, name, simulator.world.numbers(start, name, (ME, *arguments))
    )
    assert (outcome == "done") == (not failed)
