"""Where the reward of an answer comes from: a suite's own measure, a repair, an episode."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from causes_worlds import steps, workshop_task

from eai.acting import EpisodeRules, write_answers
from eai.answers import PlanReading, read_plan
from eai.contract import Ability
from eai.diagnosis import DomainRules, Measure, Result
from eai.logic import parse_formula
from eai.rewards import Attempt, Reward, Weights
from eai.rewards.progress import Progress
from eai.semantics import Semantics
from eai.simulators import Execution, Symbolic, execute
from eai.suites.household import Household
from eai.task import Task

LIGHT = "studio-01"


def by_length(_task: Task, answer: str | None, _semantics: Semantics) -> Result:
    """As many of ten points as the answer has characters; ten solve the task."""
    points = len(answer or "")
    other = Measure("turns", 1, 4)
    if not points:
        return Result("evaluated", success=False, executable=True, measures=(other,))
    score = Measure("points", min(points, 10), 10)
    return Result("evaluated", success=points >= 10, executable=True, measures=(other, score))


QUIZ: Mapping[str, Ability] = {"quiz": Ability(by_length, graded="points")}


class Quiz(Household):
    """The tasks of the household suite, with an ability that the suite gives points for."""

    abilities = QUIZ


def test_what_a_suite_measures_is_the_graded_reward() -> None:
    reward = Reward(Quiz())
    assert reward.ability == "quiz"
    answers = ["abc", "abcdefghij", None]
    assert reward.score(LIGHT, answers) == [0.3, 1.0, 0.0]
    assert reward.attempt(LIGHT, "abc") == Attempt(solved=False, measured=0.3)
    assert Reward(Quiz(), kind="binary").score(LIGHT, answers) == [0.0, 1.0, 0.0]


def test_equal_answers_are_measured_once_as_long_as_there_is_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    measured: list[str | None] = []

    def noting(task: Task, answer: str | None, semantics: Semantics) -> Result:
        measured.append(answer)
        return by_length(task, answer, semantics)

    class NotingQuiz(Household):
        abilities: Mapping[str, Ability] = {"quiz": Ability(noting, graded="points")}

    monkeypatch.setattr("eai.rewards.progress.MAX_ANSWERS", 2)
    reward = Reward(NotingQuiz())
    reward.score(LIGHT, ["a", "ab", "a", "ab"])
    assert (measured.count("a"), measured.count("ab")) == (1, 1)
    reward.score(LIGHT, ["abc", "a"])  # the third answer takes the room of both
    assert (measured.count("a"), measured.count("ab")) == (2, 1)


def test_a_measure_counts_before_the_verdict_and_without_weights() -> None:
    attempt = Attempt(solved=True, goals=1.0, measured=0.25)
    assert Weights(goals=0.1, way=0.1, left=1.0).value(attempt) == 0.25


def run(task: Task, plan: str) -> Execution:
    return execute(Symbolic(task.world, DomainRules()), task.start, steps(plan), agent=task.agent)


def test_a_goal_on_the_trajectory_alone_has_no_conditions_to_gain() -> None:
    task = workshop_task(formula="painted(box) then wet(box)")
    progress = Progress(task, task.world)
    assert progress.length == 1
    assert progress.measure(run(task, "open_door; look")) == Attempt(False, left=1.0)
    assert progress.measure(run(task, "open_door")) == Attempt(False)


def test_what_the_goal_demands_is_a_length_where_no_plan_is_known() -> None:
    task = workshop_task("painted(box)", "wet(can)", actions=["press"])
    progress = Progress(task, task.world)
    assert progress.length == 3
    # Nothing is made true; one step of three fails, or two.
    for plan, left in (("open_door; look", 1 / 3), ("look; look", 2 / 3)):
        assert progress.measure(run(task, plan)) == Attempt(False, left=left)
    assert progress.measure(run(task, "press; open_door; paint box")).goals == 2 / 3


def test_the_alternative_of_which_most_is_gained_counts() -> None:
    task = workshop_task("painted(box)", "wet(can)", otherwise=["lit()"])
    progress = Progress(task, task.world)
    assert progress.length == 2
    assert progress.measure(run(task, "soak can")).goals == 1 / 2
    assert progress.measure(run(task, "soak can; press")).goals == 1.0


def test_a_plan_that_is_a_part_of_another_is_the_way() -> None:
    plans = (steps("press; open_door; paint box"), steps("open_door; paint box"))
    task = replace(workshop_task("painted(box)"), plans=plans)
    progress = Progress(task, task.world)
    assert progress.length == 2
    assert progress.measure(run(task, "press")).way == 0.0
    assert progress.measure(run(task, "press; open_door")).way == 1 / 2


class Rooms(Household):
    """The household suite, in which nobody knows how many steps an episode takes."""

    def episode_rules(self, task: Task, semantics: Semantics) -> EpisodeRules:
        return replace(super().episode_rules(task, semantics), reference_steps=None)


class Short(Household):
    """The household suite, in which every task takes one step."""

    def episode_rules(self, task: Task, semantics: Semantics) -> EpisodeRules:
        return replace(super().episode_rules(task, semantics), reference_steps=1)


def test_failed_turns_are_never_more_than_all() -> None:
    reward = Reward(Short(), "interaction")
    for failed in (1, 2, 3):
        answers = write_answers(["Action: OPEN x"] * failed + ["Action: WALK light.34"])
        assert reward.attempt(LIGHT, answers) == Attempt(False, left=1.0)


def test_without_a_reference_the_failed_turns_are_a_share_of_all() -> None:
    reward = Reward(Rooms(), "interaction")
    for failed, done in ((1, 0), (1, 1), (2, 1), (0, 1)):
        answers = ["Action: OPEN x"] * failed + ["Action: WALK light.34"] * done
        attempt = reward.attempt(LIGHT, write_answers(answers))
        assert attempt == Attempt(False, left=failed / (failed + done))


def test_an_episode_is_worth_what_it_gains_of_the_goal_and_never_less_than_nothing() -> None:
    suite = Household()
    reward = Reward(suite, "interaction")
    seen = set()
    for name in suite.task_ids():
        task = suite.task(name)
        plan = [f"Action: {step.name.upper()} {' '.join(step.arguments)}" for step in task.plans[0]]
        for end in range(len(plan)):
            attempt = reward.attempt(name, write_answers(plan[:end]))
            assert 0.0 <= attempt.goals < 1.0
            seen.add(attempt.goals)
        if len(seen) > 2:
            break
    assert len(seen) > 2


def own_suite(folder: Path, goal: str) -> Household:
    """The household suite with one task only, which has another goal."""
    (shipped,) = Household().samples()[0].parent.glob("manifest.json")
    for name in ("manifest.json", "homes.json"):
        (folder / name).write_text(shipped.with_name(name).read_text("utf-8"), "utf-8")
    line = shipped.with_name("tasks.jsonl").read_text("utf-8").splitlines()[0]
    (folder / "tasks.jsonl").write_text(line.replace("on(light.34)", goal), "utf-8")
    return Household(folder)


def test_an_episode_is_measured_from_what_held_at_the_start(tmp_path: Path) -> None:
    goal = "on(light.34) and on(television.24) and closed(fridge.40)"
    reward = Reward(own_suite(tmp_path, goal), "interaction")

    def goals(*steps: str) -> float:
        return reward.attempt(LIGHT, write_answers([f"Action: {step}" for step in steps])).goals

    light = ("WALK light.34", "SWITCHON light.34")
    opened = ("WALK fridge.40", "OPEN fridge.40")
    assert goals(*light) == pytest.approx(1 / 2)
    assert goals(*opened) == 0.0
    assert goals(*opened, *light) == 0.0
    assert goals(*opened, "CLOSE fridge.40", *light) == pytest.approx(1 / 2)


def test_a_repair_is_of_plans_that_can_be_read_to_the_end() -> None:
    near = Reward("household", kind="repair")
    task = Household().task("studio-02")
    plan = list(map(str, task.plans[0]))
    most = plan[:-1]
    readable, unreadable = near.score(task.id, ["\n".join(most), "\n".join([*most, "FLY(moon)"])])
    assert 0 < readable < 1
    assert unreadable == 0.0
    # A plan that is further away than the empty one is worth as little as that.
    assert near.score(LIGHT, ["SIT(couch.22)\nSTANDUP()\nSIT(couch.22)"]) == [0.0]


def read_backwards(text: str) -> PlanReading:
    """Read steps that name the object before the action: ``light.34 walk / light.34 switchon``."""
    names = [part.split() for part in text.split("/")]
    steps = [f"{pair[1]}({pair[0]})" for pair in names if len(pair) == 2]
    return read_plan("\n".join(steps))


class Changed(Household):
    """The household suite, whose tasks are changed by a function."""

    def __init__(self, change: Callable[[Task], Task]) -> None:
        super().__init__()
        self.change = change

    def task(self, task_id: str) -> Task:
        return self.change(super().task(task_id))


def with_reader(task: Task) -> Task:
    return replace(task, vocabulary=replace(task.vocabulary, reader=read_backwards))


def test_plans_are_read_by_the_reader_of_their_task() -> None:
    walk, switch = "light.34 walk", "light.34 switchon"
    usual = Reward("household").score(
        LIGHT, ["walk(light.34)\nswitchon(light.34)", "walk(light.34)"]
    )
    made = Reward(Changed(with_reader))
    assert made.score(LIGHT, [f"{walk} / {switch}", walk]) == usual
    assert made.score(LIGHT, [f"{switch} / {walk}"]) < usual


@pytest.mark.parametrize(("whole", "worth"), [(False, 1.0), (True, 0.0)])
def test_a_formula_counts_only_if_it_is_the_whole_goal(whole: bool, worth: float) -> None:
    formula = parse_formula("F on(television.24)")

    def with_formula(task: Task) -> Task:
        return replace(task, goal=replace(task.goal, formula=formula, whole=whole))

    made = Reward(Changed(with_formula), kind="binary")
    assert made.score(LIGHT, ["walk(light.34)\nswitchon(light.34)"]) == [worth]
