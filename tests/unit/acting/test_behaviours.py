"""What agents do wrong over several turns is found, and not where it is not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from itertools import islice

import pytest

import eai
from eai.acting import Episode, RecordedEpisode, RecordedStep, behaviours, recorded_episode, replay
from eai.analyses import behaviour_rates
from eai.contract import Suite
from eai.diagnosis import Behaviour
from eai.semantics import Semantics

Answers = list[str]


@cache
def known(name: str) -> tuple[Suite, Semantics]:
    suite = eai.suite(name)
    return suite, suite.semantics(suite.default_semantics)


def played(suite: str, task: str, answers: Sequence[str]) -> Episode:
    chosen, meaning = known(suite)
    loaded = chosen.task(task)
    rules = chosen.episode_rules(loaded, meaning)
    return replay(chosen.environment(loaded, meaning), answers, rules=rules, task=task)


@cache
def solution(suite: str, task: str) -> tuple[str, ...]:
    episode = eai.interact(suite, task, "oracle").episode
    assert episode.success
    assert behaviours(episode) == {}  # nothing is found where nothing is wrong
    return tuple(turn.answer for turn in episode.turns)


def others(suite: str, task: str) -> list[str]:
    """Objects that the solution does not name."""
    chosen, meaning = known(suite)
    named = " ".join(solution(suite, task)).split()
    names = chosen.episode_rules(chosen.task(task), meaning).objects
    return [name for name in names if name not in named]


GO = {"household": "WALK", "asgardbench": "FIND"}


def repeating(suite: str, task: str) -> Episode:
    bad = f"Action: {GO[suite]} unicorn.1"
    return played(suite, task, [bad, bad, *solution(suite, task)])


def oscillating(suite: str, task: str) -> Episode:
    went = (f"Action: {GO[suite]} {name}" for name in others(suite, task))
    done = (each for each in went if all(t.success for t in played(suite, task, [each]).turns))
    pair = list(islice(done, 2))
    if len(pair) < 2:
        raise LookupError
    return played(suite, task, [*pair * 3, *solution(suite, task)])


def never_looking(suite: str, task: str) -> Episode:
    take = {"household": "GRAB", "asgardbench": "PICKUP"}[suite]
    far = next(
        f"Action: {take} {name}"
        for name in reversed(others(suite, task))
        if not any(t.success for t in played(suite, task, [f"Action: {take} {name}"]).turns)
    )
    return played(suite, task, [far, solution(suite, task)[0], far, *solution(suite, task)[1:]])


def ignoring(suite: str, task: str) -> Episode:
    bad = [f"Action: {GO[suite]} unicorn{letter}" for letter in "abc"]
    return played(suite, task, [*bad, *solution(suite, task)])


def stopping(suite: str, task: str) -> Episode:
    return played(suite, task, solution(suite, task)[:-1])


UNDONE = {
    "SWITCHON": "SWITCHOFF",
    "OPEN": "CLOSE",
    "CLOSE": "OPEN",
    "SWITCHOFF": "SWITCHON",
    "TOGGLE_ON": "TOGGLE_OFF",
    "PUTBACK": "GRAB",
    "PUTIN": "GRAB",
}


def undoing(suite: str, task: str) -> Episode:
    """The solution up to some step, and then the opposite of it, after which less is reached."""
    whole = played(suite, task, solution(suite, task))
    for turn in whole.turns[:-1]:
        assert turn.reply.action
        opposite = UNDONE.get(turn.reply.action.name.upper())
        if opposite:
            undone = f"Action: {opposite} {turn.reply.action.arguments[0]}"
            episode = played(suite, task, [*solution(suite, task)[: turn.number], undone])
            *_, before, last = episode.turns
            assert before.goal
            assert last.goal
            if last.goal.share < before.goal.share and opposite != "OPEN":
                return episode
    raise LookupError


def going_on(suite: str, task: str) -> Episode:
    chosen, meaning = known(suite)
    loaded = chosen.task(task)
    said = [*solution(suite, task), f"Action: {GO[suite]} {others(suite, task)[0]}"]
    steps = tuple(RecordedStep(answer.removeprefix("Action: ")) for answer in said)
    rules = chosen.episode_rules(loaded, meaning)
    environment = chosen.environment(loaded, meaning)
    return recorded_episode(environment, RecordedEpisode(task, steps), rules=rules, task=loaded)


PLANTED: dict[Behaviour, Callable[[str, str], Episode]] = {
    Behaviour.REPEATS_FAILURE: repeating,
    Behaviour.OSCILLATES: oscillating,
    Behaviour.NEVER_LOOKS: never_looking,
    Behaviour.IGNORES_FEEDBACK: ignoring,
    Behaviour.STOPS_EARLY: stopping,
    Behaviour.UNDOES_GOAL: undoing,
    Behaviour.ACTS_AFTER_SUCCESS: going_on,
}


def planted(kind: Behaviour) -> Iterator[Episode]:
    tasks = [("household", task) for task in known("household")[0].task_ids()]
    tasks[1:1] = [("asgardbench", task) for task in known("asgardbench")[0].task_ids()[::54]]
    for suite, task in tasks:
        with suppress(LookupError):  # the task offers nothing for it
            yield PLANTED[kind](suite, task)


@pytest.mark.parametrize("count", [4, pytest.param(15, marks=pytest.mark.heavy)])
@pytest.mark.parametrize("kind", Behaviour)
def test_what_was_planted_is_found(kind: Behaviour, count: int) -> None:
    episodes = list(islice(planted(kind), count))
    assert len(episodes) == count
    found = [kind in behaviours(episode) for episode in episodes]
    assert sum(found) == count, [e.task for e, hit in zip(episodes, found, strict=True) if not hit]


def test_turns_are_named() -> None:
    answers = ["Action: OPEN light.34", "Action: OPEN light.34", "no action", "no action"]
    episode = played("household", "studio-01", answers)
    assert behaviours(episode) == {
        Behaviour.REPEATS_FAILURE: (2, 4),
        Behaviour.NEVER_LOOKS: (1, 2),
        Behaviour.STOPS_EARLY: (4,),
    }
    assert behaviours(played("household", "studio-01", [])) == {Behaviour.STOPS_EARLY: (0,)}


def test_behaviours_reach_explanation_and_tables() -> None:
    answers = {"studio-01": '["Action: OPEN light.34", "Action: OPEN light.34"]'}
    report = eai.evaluate("household", answers, ability="interaction", tasks="answered")
    text = str(eai.explain(report.records[0]))
    assert "repeats a failed action: turn 2" in text
    assert "never looks: turns 1, 2" in text
    assert "Behaviours (% of episodes)" in str(report)
    table = behaviour_rates(report, "household")
    rows = {row["behaviour"]: (row["episodes"], row["example"]) for row in table.rows}
    assert rows["stops early"] == (1, "studio-01, turn 2")
    assert rows["oscillates"] == (0, "")
    assert len(table.notes) == 1 + len(Behaviour)
