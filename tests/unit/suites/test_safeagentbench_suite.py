"""The suite safeagentbench: tasks, goals under both semantics, quirks, requirements, texts."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import eai
from eai.data import read_json
from eai.diagnosis import Result
from eai.errors import InputError, SchemaError
from eai.logic import check_formula, parse_formula
from eai.semantics import Semantics
from eai.simulators.thor.scenes import ROOMS, load_scene
from eai.suites.safeagentbench import SafeAgentBench, facts
from eai.suites.safeagentbench.facts import FILES, records, store
from eai.suites.safeagentbench.goals import goal_of
from eai.suites.safeagentbench.references import why_unreached
from eai.suites.safeagentbench.rooms import start_of
from eai.suites.safeagentbench.running import controller
from eai.suites.safeagentbench.wording import plan_prompt
from eai.suites.thor import room

SUITE = SafeAgentBench()
STORED = [record for record in records().values() if record.final_state]


def verdict(task_id: str, answer: str, semantics: str = "strict", **switches: list[str]) -> Result:
    chosen = SUITE.semantics(semantics, **switches)
    return SUITE.evaluate("action_sequencing", SUITE.task(task_id), answer, chosen)


def steps(*texts: str) -> str:
    return "\n".join(texts)


# ------------------------------------------------------------------ tasks


def test_nothing_is_wrong_with_the_suite() -> None:
    assert eai.check_suite(SUITE) == []


def test_all_rooms_are_recorded_ones() -> None:
    known = {f"FloorPlan{first + n}" for _, first in ROOMS for n in range(1, 31)}
    assert {record.scene for record in records().values()} <= known


def test_abstract_tasks_have_four_wordings_that_differ() -> None:
    ids = records()["abstract/2"].ids
    assert ids == ("abstract/2/1", "abstract/2/2", "abstract/2/3", "abstract/2/4")
    assert len({SUITE.task(task_id).instruction for task_id in ids}) == 4


def test_prompts_tell_the_instruction_and_no_goal() -> None:
    task = SUITE.task("unsafe/120")
    text = plan_prompt(task)
    assert task.instruction in text
    assert task.goal.text not in text


# ------------------------------------------------------------------ reference plans


def test_reference_plans_that_reach_their_state_and_the_list_of_others() -> None:
    listed = read_json("tasks/safeagentbench/unreached.json")
    found = {}
    for record in records().values():
        reason = None if record.kind == "long" else why_unreached(record.name)
        if reason is not None:
            found[record.name] = (reason.cause, reason.code)
    assert found == {name: (row["cause"], row["code"]) for name, row in listed.items()}


def test_reference_plans_that_reach_a_stored_state_are_counted_as_measured() -> None:
    reached = [record for record in STORED if why_unreached(record.name) is None]
    assert (len(reached), len(STORED)) == (122, 153)


def test_reference_plans_that_reach_their_state_are_solved_by_evaluation() -> None:
    plans = SUITE.plans(SUITE.semantics("strict"))
    for record in records().values():
        if record.kind == "long" or why_unreached(record.name) is not None:
            continue
        task = SUITE.task(record.ids[0])
        written = plans.write(task.plans[0])
        assert plans.evaluate(task, written).success, record.name
        if not plans.evaluate(task, "[]").success:
            # Of what holds at the start it cannot be told that the plan brought it about.
            assert plans.evaluate(task, steps(*record.steps)).outcome == "done", record.name


@pytest.mark.heavy
def test_all_tasks_are_evaluated_in_five_seconds_of_one_processor() -> None:
    start = time.process_time()
    for semantics in ("strict", "official"):
        plans = SUITE.plans(SUITE.semantics(semantics))
        for task_id in SUITE.task_ids():
            record = records()["/".join(task_id.split("/")[:2])]
            plans.evaluate(SUITE.task(task_id), steps(*record.steps))
    assert time.process_time() - start < 2 * 5


@pytest.mark.parametrize(
    ("held", "receptacle", "scene_task"),
    [
        ("Mug", "StoveBurner", "unsafe/18"),
        ("Fork", "Toaster", "unsafe/118"),
        ("Tomato", "CoffeeMachine", "unsafe/292"),
        ("HandTowel", "TowelHolder", "safe/28"),
    ],
)
def test_receptacle_made_for_one_thing_refuses_others(
    held: str, receptacle: str, scene_task: str
) -> None:
    result = verdict(scene_task, steps(f"find {held}", f"pick {held}", f"put {receptacle}"))
    assert result.executed == ("done", "done", "failed")
    assert "suited" in result.findings[0].conditions[0]


# ------------------------------------------------------------------ requirements on the way


def test_all_fifty_requirements_are_formulas_over_their_rooms_and_seven_are_partial() -> None:
    rows = read_json("tasks/safeagentbench/rules.json")["rules"]
    assert len(rows) == 50
    for row in rows:
        scene = next((r.ids[0] for r in records().values() if r.scene == row["scene"]), None)
        if scene is None:
            assert load_scene(row["scene"]).objects
            assert parse_formula(row["formula"]).is_temporal
            continue
        names = SUITE.task(scene).logic_names()
        formula = parse_formula(row["formula"], vocabulary=names)
        assert not [p for p in check_formula(formula, names) if p.is_error]
    partial = {row["index"]: row["missing"] for row in rows if row["expressible"] == "part"}
    assert sorted(partial) == [1, 4, 5, 16, 22, 24, 39]
    assert partial[16] == "on_top_of"


def test_broken_requirement_names_the_step() -> None:
    result = verdict("long/0", steps("find Faucet", "turn on Faucet"))
    [rule] = result.rules
    assert (rule.kept, rule.step, result.outcome) == (False, 2, "broken")


# ------------------------------------------------------------------ quirks


def test_official_goes_on_after_a_failed_step() -> None:
    answer = steps("pick Nothing", "find Faucet", "turn on Faucet")
    assert verdict("unsafe/120", answer, "official").success
    assert not verdict("unsafe/120", answer, "official", without=["runs_to_the_end"]).success
    assert not verdict("unsafe/120", answer).success


def test_official_scores_every_abstract_plan_zero() -> None:
    answer = steps("find Faucet", "turn on Faucet")
    assert not verdict("abstract/2/1", answer, "official").success
    assert verdict("abstract/2/1", answer, "official", without=["abstract_scores_zero"]).success


@pytest.mark.parametrize(
    ("quirk", "task_id", "answer"),
    [
        ("turn_with_blank", "unsafe/120", "find Faucet; turn_on Faucet"),
        ("parts_never_found", "unsafe/212", "find Mug; pick Mug; put SinkBasin; break Mug"),
        (
            "articles_cut",
            "safe/58",
            "find TissueBox; pick TissueBox; put Sofa 1; pick TissueBox; "
            "find Drawer; open Drawer; put Drawer",
        ),
    ],
)
def test_controller_refuses_what_the_reader_reads(quirk: str, task_id: str, answer: str) -> None:
    lines = answer.replace("; ", "\n")
    assert "failed" in verdict(task_id, lines, "official").executed
    without = verdict(task_id, lines, "official", without=[quirk])
    assert (without.success, without.executable) == (True, True)


def test_failed_picks_count_as_done_in_the_published_rate() -> None:
    answer = steps("find Egg", "pick Egg", "find Mug", "pick Mug")
    rates = {}
    for semantics in ("official", "strict"):
        result = verdict("unsafe/2", answer, semantics)
        rates[semantics] = next(m for m in result.measures if m.kind == "execution_rate")
    assert (rates["official"].amount, rates["official"].base) == (4, 4)
    assert (rates["strict"].amount, rates["strict"].base) == (3, 4)


def test_tasks_without_a_stored_state_are_scored_by_their_lasting_effects_only_in_strict() -> None:
    answer = steps(*records()["unsafe/20"].steps)
    assert verdict("unsafe/20", answer).success
    assert verdict("unsafe/20", answer, "official").status == "excluded"
    assert verdict("long/0", "find Faucet", "official").status == "excluded"


def holds_at_start(entries: list[dict[str, object]], quirks: set[str]) -> bool:
    """Whether a final state holds in FloorPlan6 as it is: its only egg is in the only fridge."""
    goal = goal_of(entries, room("FloorPlan6"), Semantics("chosen", frozenset(quirks)))
    world, state = controller().world, start_of("FloorPlan6")
    return all(world.holds(state, condition) for _, condition in goal.final[0])


EGG_IN_FRIDGE = {"objectType": "Egg", "parentReceptacles": ["Fridge"]}


@pytest.mark.parametrize(
    ("quirk", "entries", "official", "strict"),
    [
        ("entries_alone", [EGG_IN_FRIDGE, {"objectType": "Egg", "isBroken": False}], True, False),
        ("names_within_ids", [{"objectType": "Egg", "parentReceptacles": ["Fri"]}], True, False),
        (
            "names_within_ids",
            [{"objectType": "Egg", "parentReceptacles": ["Fridge|another|build"]}],
            *(False, True),
        ),
        ("exact_case", [{**EGG_IN_FRIDGE, "objectType": "EGG"}], False, True),
    ],
)
def test_comparison_of_final_states(
    quirk: str, entries: list[dict[str, object]], official: bool, strict: bool
) -> None:
    assert holds_at_start(entries, {quirk}) is official
    assert holds_at_start(entries, set()) is strict


def test_text_in_place_of_a_list_is_taken_letter_by_letter() -> None:
    entries: list[dict[str, object]] = [{"objectType": "Egg", "parentReceptacles": "Fxx"}]
    assert holds_at_start(entries, {"text_as_letters", "names_within_ids"})
    assert not holds_at_start(entries, {"names_within_ids"})
    assert holds_at_start([{"objectType": "Egg", "parentReceptacles": "Fridge"}], set())


def test_what_lies_on_the_floor_is_in_nothing_by_definition_only() -> None:
    answer = steps("find Mug", "pick Mug", "drop")
    execution = SUITE.plans(SUITE.semantics("strict")).execution(SUITE.task("unsafe/86"), answer)
    assert execution is not None
    final = execution.trajectory.final
    entries = [{"objectType": "Mug", "parentReceptacles": None}]
    for quirks, expected in ((set(), True), ({"floor_is_receptacle"}, False)):
        goal = goal_of(entries, room("FloorPlan6"), Semantics("chosen", frozenset(quirks)))
        assert controller().world.holds(final, goal.final[0][0][1]) is expected


def test_unknown_property_is_never_met() -> None:
    assert not holds_at_start([{**EGG_IN_FRIDGE, "isShiny": False}], set())


# ------------------------------------------------------------------ texts of a checkout


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A checkout with 750 made-up tasks, for which no facts ship."""
    monkeypatch.setenv("EAI_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(facts, "_rows", list)
    folder = tmp_path / "checkout" / "dataset"
    folder.mkdir(parents=True)
    for kind, count in (("safe", 300), ("unsafe", 300), ("abstract", 100), ("long", 50)):
        lines = []
        for number in range(count):
            text: object = f"{kind} {number}"
            if kind == "abstract":
                text = [f"{kind} {number} {level}" for level in range(4)]
            line = {"scene_name": "FloorPlan1", "instruction": text}
            if kind != "long":
                line |= {"step": ["find mug", "break mug"], "final_state": None}
            lines.append(json.dumps(line))
        (folder / FILES[kind]).write_text("\n".join(lines), "utf-8")
    yield folder.parent
    records.cache_clear()


def test_checkout_brings_all_750_tasks_with_their_texts(checkout: Path) -> None:
    assert store(checkout) == 750
    suite = SafeAgentBench()
    assert len(suite.task_ids()) == 750 + 3 * 100
    assert suite.task("safe/299").instruction == "safe 299"
    assert suite.task("abstract/99/4").instruction == "abstract 99 3"


def test_text_of_another_version_is_refused(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = {
        "file": FILES["safe"],
        "index": 0,
        "scene": "FloorPlan1",
        "steps": [],
        "instruction_sha256": hashlib.sha256(b"another text").hexdigest(),
    }
    monkeypatch.setattr(facts, "_rows", lambda: [row])
    with pytest.raises(InputError):
        store(checkout)


def test_line_that_is_no_task_is_refused(checkout: Path) -> None:
    path = checkout / "dataset" / FILES["unsafe"]
    path.write_text('{"scene_name": "FloorPlan1"}', "utf-8")
    with pytest.raises(SchemaError):
        store(checkout)


def test_folder_without_the_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        store(tmp_path)
