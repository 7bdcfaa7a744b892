"""An answer may hold several actions; each is a turn, and a failed one drops the rest."""

from __future__ import annotations

from dataclasses import replace

import pytest

import eai
from eai.acting import Acting, Reply, read_actions, read_reply, write_answers
from eai.errors import InputError

SUITE = eai.suite("household")
TASK = SUITE.task("studio-01")
STRICT = SUITE.semantics("strict")
BOTH = "Plan: that is all\nAction: WALK light.34\nAction: SWITCHON light.34"
BAD = "Action: WALK light.34\nAction: OPEN light.34\nAction: SWITCHON light.34"


def acting(actions: int | None = None, *, drop_rest: bool | None = None) -> Acting:
    rules = SUITE.episode_rules(TASK, STRICT)
    return Acting(SUITE.environment(TASK, STRICT), rules, actions=actions, drop_rest=drop_rest)


def test_each_action_is_a_turn_that_knows_its_answer() -> None:
    one = acting(5)
    one.submit("Action: WALK desk.17")
    one.submit(BOTH)
    episode = one.episode
    assert [str(turn.reply.action) for turn in episode.turns] == [
        "walk(desk.17)",
        "walk(light.34)",
        "switchon(light.34)",
    ]
    assert [turn.answered for turn in episode.turns] == [1, 2, 2]
    assert episode.turns[-1].reply.plan == "that is all"
    assert episode.success
    assert [turn.goal.share for turn in episode.turns if turn.goal] == [0.0, 0.0, 1.0]


def test_a_failed_action_drops_the_rest_unless_it_is_kept() -> None:
    dropping, keeping = acting(3), acting(3, drop_rest=False)
    last = dropping.submit(BAD)
    assert (last.number, last.code, last.dropped) == (2, "affordance", 1)
    assert not dropping.finished
    keeping.submit(BAD)
    assert keeping.episode.success
    assert [turn.success for turn in keeping.turns] == [True, False, True]


def test_no_more_actions_are_taken_than_an_answer_may_hold() -> None:
    one = acting(1)
    one.submit(BOTH)  # of several lines the last one counts, as ever
    assert [turn.reply.written for turn in one.turns] == ["SWITCHON light.34"]
    two = acting(2)
    two.submit(BAD)
    assert len(two.turns) == 2
    with pytest.raises(InputError, match="0 actions"):
        acting(0)


def test_the_end_of_an_episode_drops_the_rest() -> None:
    one = acting(4)
    last = one.submit(f"{BOTH}\nAction: WALK desk.17")
    assert (one.episode.end, last.dropped) == ("success", 1)


def test_an_agent_is_told_how_many_actions_it_may_give() -> None:
    single, several = (acting(n).messages[0]["content"] for n in (1, 3))
    assert "only that one" in single
    assert "at most 3, are actions" in several
    assert "one action at a time" not in several


def test_an_episode_with_several_actions_an_answer_can_be_evaluated_again() -> None:
    result = eai.interact("household", "studio-01", [BAD, BOTH], actions=3)
    again = SUITE.evaluate("interaction", TASK, result.output, STRICT)
    assert again == result.result
    assert result.output == write_answers(
        [
            "Action: WALK light.34",
            "Action: OPEN light.34",
            "Action: WALK light.34",
            "Action: SWITCHON light.34",
        ]
    )
    assert '"dropped": 1' in result.to_json()


def test_a_suite_may_read_plans_in_a_form_of_its_own() -> None:
    rules = SUITE.episode_rules(TASK, STRICT)

    def listed(text: str) -> list[Reply]:
        return [rules.read(f"Action: {part}") for part in text.split(";")]

    own = replace(rules, read_plan=listed, actions=9)
    one = Acting(SUITE.environment(TASK, STRICT), own)
    one.submit("WALK light.34; SWITCHON light.34")
    assert [turn.answer for turn in one.turns] == [
        "Action: WALK light.34",
        "Action: SWITCHON light.34",
    ]
    assert one.episode.success
    assert len(read_actions("nothing of the kind", read_reply)) == 1
