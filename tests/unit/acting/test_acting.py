"""Episodes: turn by turn, to their end, and evaluated again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest
from small_virtualhome import small_task

from eai.acting import (
    ClosedHidden,
    ConsecutiveFailures,
    End,
    EpisodeRules,
    HardLimit,
    Message,
    evaluate_answers,
    evaluate_episode,
    read_answers,
    replay,
    run_episode,
    write_answers,
)
from eai.acting.turns import Acting
from eai.diagnosis import ErrorKind
from eai.errors import InputError, ModelError, UnknownNameError
from eai.semantics import Semantics
from eai.simulators import SymbolicEnvironment
from eai.suites.virtualhome.interaction import environment, episode_rules

STRICT = Semantics("strict")
TASK = small_task(
    "inside fridge.3 kitchen.1; closed fridge.3; can_open fridge.3; plugged_in fridge.3; "
    "inside milk.4 kitchen.1; inside milk.4 fridge.3; grabbable milk.4",
    states=["open fridge.3"],
    plan=["walk fridge.3", "open fridge.3"],
)
SOLVED = ("Action: WALK fridge.3", "Action: OPEN fridge.3")


def stage(**changes: object) -> tuple[SymbolicEnvironment, EpisodeRules]:
    rules = episode_rules(TASK, STRICT)
    return environment(TASK, STRICT), replace(rules, **changes)  # type: ignore[arg-type]


def test_an_episode_ends_when_the_goal_is_reached() -> None:
    world, rules = stage()
    episode = replay(world, [*SOLVED, "Action: CLOSE fridge.3"], rules=rules, task="small")
    assert episode.success
    assert episode.end == End.SUCCESS
    assert [turn.named for turn in episode.turns] == ["walk(fridge.3)", "open(fridge.3)"]
    assert episode.task == "small"


def test_an_episode_whose_goal_holds_has_no_turns() -> None:
    world, rules = stage()
    world.task.start.add("open", ("fridge.3",))
    try:
        assert replay(world, SOLVED, rules=rules).turns == ()
    finally:
        world.task.start.remove("open", ("fridge.3",))


def test_answers_may_be_used_up() -> None:
    world, rules = stage()
    episode = replay(world, SOLVED[:1], rules=rules)
    assert not episode.success
    assert episode.end == End.NO_MORE_ANSWERS


def test_an_answer_without_an_action_is_a_turn_that_failed() -> None:
    world, rules = stage()
    episode = replay(world, ["hm\nhm", "Action: DANCE", "Action: OPEN door.9"], rules=rules)
    assert [turn.code for turn in episode.turns] == [
        "parsing",
        "action_hallucination",
        "object_hallucination",
    ]
    assert all(turn.result.observation == episode.start for turn in episode.turns)
    assert world.execution.executed == ()


def test_the_first_limit_that_ends_the_episode_names_the_reason() -> None:
    limits = (ConsecutiveFailures(2, reason="hopeless"), HardLimit(2))
    world, rules = stage(limits=limits)
    assert replay(world, ["no\nno"] * 5, rules=rules).end == "hopeless"
    world, rules = stage(limits=limits[::-1])
    assert replay(world, ["no\nno"] * 5, rules=rules).end == "max_steps"


def test_reaching_the_goal_comes_before_any_limit() -> None:
    world, rules = stage(limits=(HardLimit(2),))
    assert replay(world, SOLVED, rules=rules).end == "success"


class Talker:
    """An agent that keeps what it is sent."""

    def __init__(self, *answers: str) -> None:
        self._answers = iter(answers)
        self.sent: list[str] = []

    def __call__(self, messages: Sequence[Message]) -> str:
        self.sent.append("\n\n".join(message["content"] for message in messages))
        answer = next(self._answers, None)
        if answer is None:
            raise ModelError("the line is dead")
        return answer


GRAB = "Plan: open it first\nMemory: milk is inside\nAction: GRAB milk.4"


@pytest.mark.parametrize(
    ("feedback", "line"),
    [
        ("none", "1. GRAB milk.4\n"),
        ("simple", "1. GRAB milk.4: Failure\n"),
        ("detailed", "1. GRAB milk.4: Failure: grab(milk.4) cannot be done: "),
    ],
)
def test_an_agent_is_told_as_much_as_it_shall_be(feedback: str, line: str) -> None:
    world, rules = stage()
    talker = Talker(GRAB)
    run_episode(world, talker, rules=rules, feedback=feedback)  # type: ignore[arg-type]
    first, second = talker.sent
    assert "Your actions" not in first
    assert "milk.4 (thing), in fridge.3" in first
    assert line in second


def test_plan_and_memory_are_carried_over_or_not() -> None:
    for carried in (True, False):
        world, rules = stage()
        talker = Talker(GRAB)
        run_episode(world, talker, rules=rules, carried=carried)
        assert ("open it first" in talker.sent[1]) is carried
        assert ("milk is inside" in talker.sent[1]) is carried


def test_what_stays_the_same_comes_first() -> None:
    world, rules = stage()
    talker = Talker(*SOLVED)
    run_episode(world, talker, rules=rules)
    opening = talker.sent[0].split("## What you see")[0]
    assert "open(fridge.3)" in opening
    assert all(text.startswith(opening) for text in talker.sent)


def test_what_is_hidden_is_not_told_and_the_goal_does_not_mind() -> None:
    world, rules = stage()
    talker = Talker(*SOLVED)
    episode = run_episode(world, talker, rules=rules, views=(ClosedHidden(),))
    assert episode.success
    assert "milk.4 (thing)" not in talker.sent[0]
    assert "milk.4" not in {each.name for each in episode.start.objects}
    assert "milk.4" in {each.name for each in episode.turns[-1].result.observation.objects}


def test_an_agent_that_cannot_be_asked_is_nobodys_failure() -> None:
    world, rules = stage()
    episode = run_episode(world, Talker(SOLVED[0]), rules=rules)
    assert episode.end == End.AGENT_FAILURE
    result = evaluate_episode(episode, rules)
    assert result.status == "excluded"
    assert "the line is dead" in result.notes[0]


def test_there_is_no_turn_behind_the_end() -> None:
    world, rules = stage()
    acting = Acting(world, rules)
    for answer in SOLVED:
        assert acting.messages
        acting.submit(answer)
    acting.stop(End.NO_MORE_ANSWERS)
    assert acting.episode.end == "success"
    with pytest.raises(InputError, match="the episode has ended"):
        acting.submit(SOLVED[0])


def test_unknown_feedback_and_answers_that_are_no_text_are_refused() -> None:
    world, rules = stage()
    with pytest.raises(UnknownNameError, match="feedback"):
        Acting(world, rules, feedback="loud")  # type: ignore[arg-type]
    for answer in (3, None):
        with pytest.raises(InputError, match="not text"):
            run_episode(world, lambda _, said=answer: said, rules=rules)  # type: ignore[misc]


def test_the_result_of_an_episode() -> None:
    world, rules = stage(codes={"TIRED": ErrorKind.AFFORDANCE})
    answers = ["hm\nhm", "Action: GRAB milk.4", SOLVED[0]]
    result = evaluate_answers(world, write_answers(answers), rules=rules)
    assert result.status == "evaluated"
    assert not result.success
    assert not result.executable
    assert result.executed == ("failed", "failed", "done")
    assert result.plan == ("hm\nhm", "GRAB milk.4", "WALK fridge.3")
    kinds = [finding.kind.value for finding in result.findings]
    assert kinds == ["parsing", "missing_step", "state_goal"]
    assert [finding.step for finding in result.findings] == [1, 2, None]
    assert result.outcome == "no_more_answers"


def test_codes_of_an_environment_are_named_with_their_kind() -> None:
    world, rules = stage(codes={"TIRED": ErrorKind.AFFORDANCE})
    episode = replay(world, ["Action: GRAB milk.4"], rules=rules)
    turn = episode.turns[0]
    for code, kind in (("TIRED", ErrorKind.AFFORDANCE), ("DIZZY", ErrorKind.UNSCORABLE)):
        coded = replace(turn, result=replace(turn.result, code=code, message=""))
        finding = evaluate_episode(replace(episode, turns=(coded,)), rules).findings[0]
        assert (finding.kind, finding.conditions, finding.message) == (kind, (code,), code)


def test_a_missing_answer_and_an_excluded_task() -> None:
    world, rules = stage(groups=("kitchen",))
    missing = evaluate_answers(world, None, rules=rules)
    assert missing.status == "missing"
    assert missing.findings[0].kind is ErrorKind.NO_ANSWER
    assert missing.groups == ("kitchen",)
    assert [goal.met for goal in missing.goals] == [False]
    world, rules = stage(excluded="no goal")
    assert evaluate_answers(world, None, rules=rules).status == "excluded"
    assert evaluate_answers(world, write_answers(SOLVED), rules=rules).notes == ("no goal",)


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(list(SOLVED)),
        "\n".join(SOLVED),
        '[{"WALK": ["fridge", "3"]}, {"OPEN": ["fridge", "3"]}]',
        "WALK(fridge.3)\nOPEN(fridge.3)",
    ],
)
def test_forms_in_which_answers_are_kept(text: str) -> None:
    world, rules = stage()
    assert evaluate_answers(world, text, rules=rules).success


def test_other_text_is_one_answer() -> None:
    assert read_answers("I give up.") == ("I give up.",)
    assert read_answers("") == ("",)
    assert read_answers('["hm", 3]') == ('["hm", 3]',)
    assert read_answers("[]") == ()
