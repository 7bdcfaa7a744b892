"""Stories of answers that are no plans."""

import eai
from eai.diagnosis import Match, Result
from eai.report import Record, explain


def record(ability: str, result: Result, output: str = "text") -> Record:
    task = "studio-01"
    return Record("household", "1.0.0", ability, "strict", "m", task, "Light", output, result)


def test_interpreted_goals_are_told_by_what_is_right_and_wrong() -> None:
    answers = {"studio-01": '{"node goals": [], "edge goals": [], "action goals": []}'}
    [first, *_] = eai.evaluate("household", {"m": answers}, ability="goal_interpretation").records
    explanation = str(explain(first))
    assert "Verdict: not all correct" in explanation
    assert "0 right, 0 wrong" in explanation
    assert "executable" not in explanation


def test_operators_are_told_by_their_search() -> None:
    result = Result(
        "evaluated", success=True, matches=(Match("object_states", 1, 2, 3),), outcome="solved"
    )
    explanation = str(explain(record("transition_modeling", result)))
    assert "Verdict: solved (search: solved)" in explanation
    assert "object_states: 1 right, 2 wrong, 3 missed" in explanation


def test_steps_that_were_found_are_told_and_not_run_again_as_an_answer() -> None:
    result = Result("evaluated", plan=("walk(light.34)",), executed=("done",))
    explanation = explain(record("subgoal_decomposition", result, output="ON(light.34)"))
    assert [(step.action, step.added) for step in explanation.steps] == [("walk(light.34)", ())]
