"""Each quirk changes one verdict: on, it is the published evaluator's; off, the definition's."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest
from small_virtualhome import ARITIES, SUITE, evaluate, small_task, verdict, written

from eai.errors import UnknownNameError
from eai.logic import conjuncts
from eai.semantics import Semantics
from eai.simulators import virtualhome_domain
from eai.simulators.virtualhome import VARIATIONS
from eai.suites.household import Household
from eai.suites.virtualhome.executors import TESTS
from eai.suites.virtualhome.quirks import DYNAMICS, QUIRKS
from eai.task import Task

ROOT = Path(__file__).parents[3]
LAMP = (
    "has_switch lamp.10; has_plug lamp.10; off lamp.10; plugged_in lamp.10; near lamp.10;"
    "inside lamp.10 kitchen.1"
)
CUP = "grabbable cup.11; inside cup.11 kitchen.1"


@dataclass(frozen=True)
class Case:
    """An answer whose verdict one quirk changes.

    Args:
        task: The task.
        answer: The answer.
        on: The verdict where the quirk is on.
        off: The verdict where it is off.
        needs: Quirks without which it has no say; they are on in both.
        hidden_by: Quirks that hide it; they are off in both.
    """

    task: Task
    answer: str
    on: str
    off: str
    needs: tuple[str, ...] = ()
    hidden_by: tuple[str, ...] = ()


READER = ("pattern_reader",)
CASES = {
    # A step written with an empty list is not seen.
    "pattern_reader": Case(
        small_task("sitting character.65; ontop character.65 chair.5", actions=["STANDUP"]),
        '[{"TURNTO": ["chair", "5"]}, {"STANDUP": []}]',
        on="failed: action_goal",
        off="solved",
    ),
    "ids_required": Case(
        small_task(LAMP, states=["on lamp.10"]),
        '{"SWITCHON": ["lamp"]}',
        on="failed: stopped, parsing@1",
        off="solved",
        needs=READER,
    ),
    "parsing_counted_twice": Case(
        small_task(LAMP, actions=["SWITCHON"]),
        '{"SWITCHON": [lamp, 10]}',
        on="failed: stopped, parsing, parsing",
        off="failed: stopped, parsing",
        needs=READER,
    ),
    # Only the lamp changes in the annotated plan; the cup is there all the same.
    "relevant_objects_only": Case(
        small_task(f"{LAMP}; {CUP}", states=["on lamp.10"], irrelevant=["cup.11"]),
        written("WALK cup.11", "WALK lamp.10", "SWITCHON lamp.10"),
        on="failed: stopped, object_hallucination@1",
        off="solved",
    ),
    "plug_actions_rejected": Case(
        small_task("has_plug lamp.10; plugged_out lamp.10; near lamp.10", actions=["PLUGIN"]),
        written("PLUGIN lamp.10"),
        on="failed: stopped, action_hallucination@1",
        off="solved",
        needs=READER,
    ),
    "lower_case_crash": Case(
        small_task(LAMP, states=["on lamp.10"]),
        written("switchon lamp.10"),
        on="failed: stopped, unscorable@1, state_goal",
        off="solved",
        needs=READER,
    ),
    "gold_shortcut": Case(
        small_task(LAMP, states=["on lamp.10"], plan=["switchon lamp.10"]),
        written("SWITCHON lamp.10"),
        on="failed: state_goal",
        off="solved",
    ),
    "multi_relation_tasks_dropped": Case(
        small_task(CUP, relations=["holds_rh character.65 cup.11", "next_to character.65 cup.11"]),
        written("WALK cup.11", "GRAB cup.11"),
        on="excluded",
        off="solved",
        hidden_by=("one_relation_goal",),
    ),
    "goalless_tasks_counted": Case(
        small_task(LAMP),
        written("TURNTO lamp.10"),
        on="solved",
        off="excluded",
    ),
    # The goal is reached before the plan stops.
    "success_without_execution": Case(
        small_task(f"{LAMP}; {CUP}", states=["on lamp.10"]),
        written("SWITCHON lamp.10", "GRAB cup.11"),
        on="solved: stopped, missing_step@2",
        off="failed: stopped, missing_step@2",
    ),
    "one_relation_goal": Case(
        small_task(CUP, relations=["holds_rh character.65 cup.11", "next_to character.65 cup.11"]),
        written("WALK cup.11", "GRAB cup.11"),
        on="failed: relation_goal",
        off="solved",
        hidden_by=("multi_relation_tasks_dropped",),
    ),
    # Annotated: first TOUCH, then LOOKAT.
    "action_goals_sorted": Case(
        small_task("near lamp.10", actions=["TOUCH", "LOOKAT"]),
        written("TOUCH lamp.10", "TURNTO lamp.10", "LOOKAT lamp.10"),
        on="failed: action_goal",
        off="solved",
    ),
    # LOOKAT is named first and found at the end, behind WASH.
    "action_goals_by_text": Case(
        small_task("near lamp.10", actions=["LOOKAT|TOUCH", "WASH"]),
        written("TOUCH lamp.10", "WASH lamp.10", "TURNTO lamp.10", "LOOKAT lamp.10"),
        on="failed: action_goal",
        off="solved",
    ),
    "executor_order": Case(
        small_task(
            "has_switch lamp.10; off lamp.10; plugged_out lamp.10; near lamp.10", actions=["TURNTO"]
        ),
        written("TURNTO lamp.10", "SWITCHON lamp.10"),
        on="solved: additional_step@2",
        off="solved: stopped, missing_step@2",
        needs=("success_without_execution",),
    ),
    # The box was open; the cup itself never was.
    "recorded_preconditions": Case(
        small_task(
            "grabbable cup.11; inside cup.11 box.12; near cup.11; near box.12; can_open box.12;"
            "open box.12",
            relations=["holds_rh character.65 cup.11"],
        ),
        written("CLOSE box.12", "GRAB cup.11"),
        on="failed: stopped, missing_step@2, relation_goal",
        off="failed: stopped, wrong_order@2, relation_goal",
        needs=("executor_order",),
    ),
    "held_left_behind": Case(
        small_task(f"{CUP}; near cup.11", relations=["inside cup.11 bedroom.2"]),
        written("GRAB cup.11", "WALK bedroom.2"),
        on="failed: relation_goal",
        off="solved",
    ),
    # Grabbing the cup leads to the lamp beside it (of the ids 8 and 65 a set has 8 first).
    "first_neighbour": Case(
        small_task(
            f"{CUP}; near lamp.8; next_to cup.11 lamp.8; next_to lamp.8 cup.11;"
            "has_switch lamp.8; off lamp.8",
            states=["on lamp.8"],
        ),
        written("WALK cup.11", "GRAB cup.11", "SWITCHON lamp.8"),
        on="solved",
        off="failed: stopped, wrong_order@3, state_goal",
    ),
    "first_room": Case(
        small_task(
            "inside door.9 kitchen.1; inside door.9 bedroom.2",
            relations=["inside character.65 bedroom.2"],
        ),
        written("WALK door.9"),
        on="failed: relation_goal",
        off="solved",
    ),
    "grab_memory": Case(
        small_task(
            "grabbable coat.7; clothes coat.7; inside coat.7 kitchen.1; ontop coat.7 bed.6;"
            "near coat.7; near bed.6",
            relations=["holds_rh character.65 coat.7"],
        ),
        written("GRAB coat.7", "PUTON coat.7", "GRAB coat.7"),
        on="failed: additional_step@3, relation_goal",
        off="solved",
        needs=("executor_order",),
    ),
    "standing_keeps_seat": Case(
        small_task(
            "sittable chair.5; near chair.5; sitting character.65; ontop character.65 chair.5",
            states=["sitting character.65"],
        ),
        written("STANDUP", "SIT chair.5"),
        on="failed: stopped, missing_step@2, state_goal",
        off="solved",
    ),
    "silent_putobjback": Case(
        small_task(
            "grabbable cup.11; ontop cup.11 table.4; near cup.11; near table.4;"
            "inside cup.11 kitchen.1; inside table.4 kitchen.1",
            relations=["holds_rh character.65 cup.11"],
        ),
        written("GRAB cup.11", "WALK bedroom.2", "PUTOBJBACK cup.11"),
        on="solved",
        off="solved: stopped, wrong_order@3",
        needs=("success_without_execution",),
    ),
}
PAIRS = [*product(CASES, (True, False))]


def names(pair: tuple[str, bool]) -> str:
    return f"{pair[0]}-{'on' if pair[1] else 'off'}"


def expected(name: str, *, on: bool) -> str:
    return CASES[name].on if on else CASES[name].off


def test_every_quirk_has_a_case_and_every_case_a_quirk() -> None:
    assert CASES.keys() == QUIRKS.keys()


def test_every_quirk_says_what_is_official_and_what_is_strict() -> None:
    for name, quirk in QUIRKS.items():
        assert quirk.name == name
        assert quirk.official.endswith(".")
        assert quirk.strict.endswith(".")


@pytest.mark.parametrize("pair", PAIRS, ids=names)
def test_alone_over_strict(pair: tuple[str, bool]) -> None:
    name, on = pair
    case = CASES[name]
    only = {*case.needs, *([name] if on else [])}
    semantics = SUITE.semantics("strict", only=only)
    assert verdict(evaluate(case.task, case.answer, semantics)) == expected(name, on=on)


@pytest.mark.parametrize("pair", PAIRS, ids=names)
def test_alone_switched_off_from_official(pair: tuple[str, bool]) -> None:
    name, on = pair
    case = CASES[name]
    without = {*case.hidden_by, *([] if on else [name])}
    semantics = SUITE.semantics("official", without=without)
    assert verdict(evaluate(case.task, case.answer, semantics)) == expected(name, on=on)


@pytest.mark.parametrize("name", CASES)
def test_no_other_switch_changes_the_verdict(name: str) -> None:
    case = CASES[name]
    kept = {name, *case.needs, *case.hidden_by, "pattern_reader"}
    for other in QUIRKS.keys() - kept:
        semantics = SUITE.semantics("official", without=(*case.hidden_by, other))
        assert verdict(evaluate(case.task, case.answer, semantics)) == case.on, other


def test_a_finding_on_an_action_that_only_a_quirk_rejects_names_the_quirk() -> None:
    case = CASES["plug_actions_rejected"]
    (finding,) = evaluate(case.task, case.answer, SUITE.semantics("official")).findings
    assert "PLUGIN" in finding.message
    assert "plug_actions_rejected" in finding.message


def test_quirks_of_the_world_are_the_variations_of_the_simulator() -> None:
    assert VARIATIONS.keys() == DYNAMICS < QUIRKS.keys()


def test_household_has_the_quirks_of_the_executors_only() -> None:
    assert Household.quirks.keys() == DYNAMICS | {"executor_order", "recorded_preconditions"}


def test_official_has_all_quirks_and_strict_has_none() -> None:
    assert SUITE.semantics("official").quirks == QUIRKS.keys()
    assert SUITE.semantics("strict").quirks == frozenset()
    assert str(SUITE.semantics("official")) == "official (eai-eval 1.0.5)"
    assert SUITE.semantics("strict") == Semantics("strict")


def test_the_name_of_a_semantics_has_its_changes() -> None:
    changed = SUITE.semantics("official", without=["ids_required", "gold_shortcut"])
    assert changed.name == "official -gold_shortcut -ids_required"
    assert SUITE.semantics("strict", only=["first_room"]).name == "strict +first_room"


def test_an_unknown_quirk_is_refused_with_a_suggestion() -> None:
    with pytest.raises(UnknownNameError) as caught:
        SUITE.semantics("official", without=["gold_shortcuts"])
    assert "gold_shortcut" in caught.value.suggestions


def test_each_test_of_a_precondition_has_one_entry_in_the_table() -> None:
    operators = virtualhome_domain().operators
    assert {name: len(entries) for name, entries in TESTS.items()} == {
        name: len(conjuncts(operator.precondition)) for name, operator in operators.items()
    }
    assert TESTS.keys() == ARITIES.keys()
    assert len(TESTS) == 42


def test_the_page_on_semantics_says_which_quirks_need_another_one() -> None:
    page = (ROOT / "docs" / "semantics.md").read_text("utf-8")
    said = re.findall(r"^\| (`.+`) \| `(\w+)` \|$", page, re.MULTILINE)
    pairs = {name.strip("` "): needed for names, needed in said for name in names.split(",")}
    for name, needed in pairs.items():
        case = CASES[name]
        alone = SUITE.semantics("strict", only=[name])
        assert needed in case.needs
        assert evaluate(case.task, case.answer, alone) == evaluate(
            case.task, case.answer, SUITE.semantics("strict")
        )
    assert len(pairs) == 5
