"""What is counted of an episode."""

from dataclasses import replace

from eai.acting import Episode, Turn
from eai.acting.episode import episode_measures, turn_kind
from eai.acting.replies import Reply
from eai.diagnosis import Condition, ErrorKind, GoalStatus
from eai.simulators import Observation, StepResult
from eai.world import Action

REFUSALS = {"HAND_FULL": "hand", "NOTHING_HELD": "hand", "NOT_VISIBLE": "not_visible"}


def turn(number: int, code: str = "", *, read: bool = True) -> Turn:
    reply = Reply(Action("PUT", ("Fridge",)) if read else None, code=code)
    return Turn(number, "", reply, StepResult(not code, Observation(), code))


def episode(*turns: Turn, met: tuple[bool, ...] = (), solved: bool = False) -> Episode:
    conditions = tuple(Condition("state", str(i), each) for i, each in enumerate(met))
    return Episode("1", Observation(), turns, "", GoalStatus(solved, conditions))


def measured(what: Episode, reference_steps: int | None = None) -> dict[str, tuple[int, int]]:
    found = episode_measures(what, reference_steps=reference_steps, refusals=REFUSALS)
    return {each.kind: (each.amount, each.base) for each in found}


def test_every_turn_is_of_one_kind() -> None:
    assert turn_kind(turn(1)) == "valid"
    assert turn_kind(turn(1, "HAND_FULL")) == "undoable"
    assert turn_kind(turn(1, "missing_step")) == "undoable"
    assert turn_kind(turn(1, "parsing", read=False)) == "unparsable"
    assert turn_kind(turn(1, "argument_number", read=False)) == "unparsable"
    assert turn_kind(turn(1, "action_hallucination", read=False)) == "invalid_action"
    assert turn_kind(turn(1, "object_hallucination", read=False)) == "invalid_object"


def test_an_environment_may_say_what_kind_of_error_a_failure_is() -> None:
    gone = turn(1, "ALREADY_SLICED")
    assert turn_kind(gone) == "undoable"
    told = replace(gone.result, kind=ErrorKind.OBJECT_HALLUCINATION)
    assert turn_kind(replace(gone, result=told)) == "invalid_object"


def test_shares_of_turns_add_up_to_one() -> None:
    found = measured(episode(turn(1), turn(2, "HAND_FULL"), turn(3, "parsing", read=False)))
    kinds = ("valid", "undoable", "invalid_object", "invalid_action", "unparsable")
    assert [found[kind] for kind in kinds] == [(1, 3), (1, 3), (0, 3), (0, 3), (1, 3)]


def test_reasons_why_turns_are_undoable() -> None:
    found = measured(episode(turn(1, "HAND_FULL"), turn(2, "NOTHING_HELD"), turn(3, "ELSE")))
    assert found["undoable_hand"] == (2, 3)
    assert found["undoable_other"] == (1, 3)
    assert found["undoable_not_visible"] == (0, 3)


def test_one_turn_may_count_as_several_errors() -> None:
    failed = turn(2, "HAND_FULL")
    several = replace(failed.result, errors=("HAND_FULL", "HAND_FULL", "NOT_VISIBLE"))
    found = measured(episode(turn(1), replace(failed, result=several)))
    assert (found["valid"], found["undoable"]) == ((-1, 2), (3, 2))
    assert (found["undoable_hand"], found["undoable_not_visible"]) == ((2, 2), (1, 2))


def test_the_step_ratio_is_of_solved_tasks() -> None:
    assert "step_ratio" not in measured(episode(turn(1)), 4)
    assert measured(episode(turn(1), solved=True), 4)["step_ratio"] == (1, 4)
    assert "step_ratio" not in measured(episode(turn(1), solved=True))


def test_goals_reached_count_those_that_held_from_the_start() -> None:
    assert measured(episode(met=(True, True, False))) == {"goals_reached": (2, 3)}
