"""A world that is no PDDL, but has reset, step and state."""

from __future__ import annotations

import pytest

import eai
from eai.acting import run_episode, task_rules
from eai.agents import ScriptedAgent
from eai.errors import EaiError, InputError
from eai.logic import Atom
from eai.simulators import OwnEnvironment
from eai.task import Task, Vocabulary
from eai.task.goals import goal_from_formula
from eai.world import Action

WORLD = eai.World(
    eai.parse_domain(
        "(define (domain d) (:types robot lamp) (:predicates (lit ?l - lamp) (by ?l ?m - lamp))"
        " (:action press :parameters (?r - robot ?l - lamp) :precondition () :effect ()))"
    )
)
OBJECTS = {"r": "robot", "a": "lamp", "b": "lamp"}


class Lamps:
    """Every second press lights a lamp."""

    def reset(self) -> None:
        self.presses = 0

    def step(self, _name: str, lamp: str) -> bool | str | None:
        if lamp == "b":
            return "b is loose" if self.presses else False
        self.presses += 1
        return None

    def state(self) -> list[str | Atom]:
        lit = [Atom("lit", ("a",))] if self.presses % 2 else []
        return ["by(a, b)", *lit]


def lamp_task(goal: str) -> Task:
    formula = goal_from_formula(eai.parse_formula(goal))
    vocabulary = Vocabulary.of(WORLD.domain, ["a", "b"])
    return Task("t", "T", "", WORLD.state(OBJECTS, []), "r", formula, vocabulary)


def acted(goal: str, *answers: str) -> tuple[bool, list[str]]:
    task = lamp_task(goal)
    agent = ScriptedAgent([f"Action: press {lamp}" for lamp in answers])
    rules = task_rules(task)
    episode = run_episode(OwnEnvironment(Lamps(), task), agent, rules=rules, task="t")
    return episode.success, [turn.result.message for turn in episode.turns][: len(answers)]


def test_goals_are_evaluated_on_the_states_that_it_was_in() -> None:
    assert acted("lit(a)", "a") == (True, [""])
    assert acted("F (lit(a) and X (not lit(a) and X lit(a)))", "a", "a", "a")[0]
    assert not acted("F lit(b)", "a", "a")[0]


def test_what_cannot_be_done_is_said_and_changes_nothing() -> None:
    assert acted("not by(a, b)", "b", "a", "b") == (False, ["it is not done", "", "b is loose"])


def test_what_is_true_is_seen() -> None:
    environment = OwnEnvironment(Lamps(), lamp_task("lit(a)"))
    seen = {each.name: each for each in environment.reset().objects}
    assert (seen["a"].type, seen["a"].properties) == ("lamp", {"by": "b"})
    after = environment.step(Action("press", ("a",)))
    assert after.success
    assert after.observation.objects[0].properties == {"lit": True, "by": "b"}


@pytest.mark.parametrize("fact", ["lit(a) or lit(b)", "lit(c)", "big(a)", "lit(a"])
def test_a_state_that_says_what_there_is_not(fact: str) -> None:
    class Wrong(Lamps):
        def state(self) -> list[str | Atom]:
            return [fact]

    with pytest.raises(EaiError):
        OwnEnvironment(Wrong(), lamp_task("lit(a)")).state()


def test_a_world_without_a_method_is_refused() -> None:
    class Stateless:
        def reset(self) -> None: ...

        def step(self, _name: str) -> None: ...

    with pytest.raises(InputError) as raised:
        OwnEnvironment(Stateless(), lamp_task("lit(a)"))  # type: ignore[arg-type]
    assert "state" in raised.value.what
