"""Hand-made records for the tests of the report room."""

import os
from collections.abc import Iterable
from pathlib import Path

from eai.diagnosis import Condition, ErrorKind, Finding, Result
from eai.report import Record, Report, record_to_json

GOLDEN = Path(__file__).parents[1] / "golden" / "report"

GOALS = (
    Condition("state", "on(light_1)", met=True, since=2),
    Condition("relation", "inside(cup_2, sink_3)", met=False, since=3, lost_by=4),
    Condition("action", "TOUCH|PUSH", met=False),
)

SOLVED = Result(
    "evaluated",
    success=True,
    executable=True,
    plan=("walk(light_1)", "switchon(light_1)"),
    executed=("done", "done"),
    goals=tuple(Condition(goal.kind, goal.text, met=True, since=1) for goal in GOALS),
    formula="on(light_1)",
    formula_holds=True,
    reason="it holds at step 2",
)
STOPPED = Result(
    "evaluated",
    plan=("walk(sink_3)", "walk(sink_3)", "putin(cup_2, sink_3)", "sit(chair_4)"),
    executed=("done", "skipped", "failed", "not reached"),
    findings=(
        Finding(ErrorKind.ADDITIONAL_STEP, "the agent is there", step=2, action="walk(sink_3)"),
        Finding(
            ErrorKind.WRONG_ORDER,
            "the cup is not held any more",
            step=3,
            action="putin(cup_2, sink_3)",
            conditions=("holds(agent, cup_2)",),
            held_until=1,
            destroyed_by=2,
        ),
    ),
    goals=GOALS,
    formula="on(light_1) then inside(cup_2, sink_3)",
    formula_holds=False,
    reason="inside(cup_2, sink_3) is true at no position",
    notes=("a code fence was removed",),
)
GARBLED = Result(
    "evaluated",
    findings=(
        Finding(ErrorKind.ACTION_HALLUCINATION, "there is no action 'fly'", position=3),
        Finding(ErrorKind.OBJECT_HALLUCINATION, "there is no object 'moon_1'", position=9),
    ),
    goals=tuple(Condition(goal.kind, goal.text, met=False) for goal in GOALS),
)
MISSING = Result(
    "missing",
    findings=(Finding(ErrorKind.NO_ANSWER, "there is no prediction"),),
    goals=tuple(Condition(goal.kind, goal.text, met=False) for goal in GOALS),
)
EXCLUDED = Result(
    "excluded",
    success=True,
    executable=True,
    findings=(Finding(ErrorKind.PARSING, "not counted"),),
    goals=GOALS,
)


def record(result: Result, *, task: str = "t1", model: str = "alpha", output: str = "{}") -> Record:
    """Make a record around a result."""
    return Record(
        "household",
        "1.0",
        "action_sequencing",
        "official (eai-eval 1.0.5)",
        model,
        task,
        "Wash clothes",
        output,
        result,
    )


def sample_report() -> Report:
    """Two models, five tasks, every status."""
    results = (SOLVED, STOPPED, GARBLED, MISSING, EXCLUDED)
    records = [record(each, task=f"t{number}") for number, each in enumerate(results)]
    better = [
        record(SOLVED, task=f"t{number}", model="beta & co") for number in range(len(results))
    ]
    notes = ["1 prediction for an unknown task was left out: 't99'"]
    return Report([*records, *better], notes, package_version="0.1.0")


def golden(name: str, text: str) -> str:
    """Return the stored text; with EAI_UPDATE_GOLDEN=1 store ``text`` first."""
    path = GOLDEN / name
    if os.environ.get("EAI_UPDATE_GOLDEN") == "1":
        path.write_text(text, encoding="utf-8", newline="\n")
    return path.read_text(encoding="utf-8")


def write_records(path: Path, records: Iterable[Record]) -> None:
    """Write a record file."""
    lines = [record_to_json(each) + "\n" for each in records]
    path.write_text("".join(lines), encoding="ascii")
