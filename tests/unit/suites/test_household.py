"""The shipped tasks: every plan works, every number in the manifest is true."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from eai.diagnosis import ErrorKind, Result
from eai.errors import UnknownNameError
from eai.logic import Count, Exists, Forall, Formula, Or, Then
from eai.suites.household import Household, samples
from eai.suites.shared.documents import (
    HomesDocument,
    ManifestDocument,
    TaskDocument,
    json_schema,
    read_document,
)
from eai.task import Task
from eai.world import Action

FOLDER = samples()[0].parent
SUITE = Household()
TASKS = {name: SUITE.task(name) for name in SUITE.task_ids()}


def answer(plan: tuple[Action, ...]) -> str:
    return json.dumps(
        [
            {step.name.upper(): [part for name in step.arguments for part in name.split(".")]}
            for step in plan
        ]
    )


def evaluate(task: str, text: str | None, semantics: str = "strict") -> Result:
    return SUITE.evaluate("action_sequencing", TASKS[task], text, SUITE.semantics(semantics))


def steps(*texts: str) -> str:
    return json.dumps([{text.split()[0]: text.split()[1:]} for text in texts])


@pytest.mark.parametrize("semantics", ["strict", "official"])
def test_every_reference_plan_solves_its_task_without_a_finding(semantics: str) -> None:
    for name, task in TASKS.items():
        for plan in task.plans:
            result = evaluate(name, answer(plan), semantics)
            assert result.findings == (), name
            assert result.success, name
            assert result.formula_holds, name


def test_no_task_is_solved_by_doing_nothing() -> None:
    assert [name for name in TASKS if evaluate(name, "[]").success] == []


def test_plans_use_all_actions_of_the_world() -> None:
    used = {step.name for task in TASKS.values() for plan in task.plans for step in plan}
    assert used == set(TASKS["flat-02"].vocabulary.actions)
    assert len(used) == 42


def test_plans_are_short_and_long() -> None:
    lengths = [len(plan) for task in TASKS.values() for plan in task.plans]
    assert min(lengths) == 1
    assert sum(length >= 20 for length in lengths) >= 3


def test_goals_are_of_every_kind() -> None:
    def nodes(formula: Formula) -> list[Formula]:
        return [formula, *(node for child in formula.operands for node in nodes(child))]

    found: Counter[type[Formula]] = Counter()
    links: Counter[int] = Counter()
    for task in TASKS.values():
        assert task.goal.formula is not None
        found.update({type(node) for node in nodes(task.goal.formula)})
        if isinstance(task.goal.formula, Then):
            links[len(task.goal.formula.operands)] += 1
    assert min(found[kind] for kind in (Forall, Exists, Count, Or)) >= 4
    assert links[2] >= 10
    assert links[3] >= 5
    kinds = Counter(
        kind for task in TASKS.values() for option in task.goal.final for kind, _ in option
    )
    assert min(kinds["state"], kinds["relation"]) >= 40
    assert sum(bool(task.goal.actions) for task in TASKS.values()) >= 20
    assert sum(len(task.goal.final) > 1 for task in TASKS.values()) >= 5


def test_the_manifest_tells_the_truth() -> None:
    manifest = read_document(ManifestDocument, FOLDER / "manifest.json")
    homes = read_document(HomesDocument, FOLDER / "homes.json").homes
    assert (manifest.name, manifest.title, manifest.version) == (
        SUITE.name,
        SUITE.title,
        SUITE.version,
    )
    assert manifest.tasks == len(TASKS) >= 60
    assert manifest.plans == sum(len(task.plans) for task in TASKS.values())
    assert manifest.homes == len(homes) >= 4
    assert {task.metadata["home"] for task in TASKS.values()} == set(homes)
    assert sorted(manifest.samples) == [path.name for path in samples()]


@pytest.mark.parametrize(
    ("model", "file"),
    [(HomesDocument, "homes"), (TaskDocument, "task"), (ManifestDocument, "manifest")],
)
def test_the_shipped_json_schema_is_current(
    model: type[HomesDocument | TaskDocument | ManifestDocument], file: str
) -> None:
    shipped = json.loads((FOLDER / f"{file}.schema.json").read_text("utf-8"))
    assert shipped == json.loads(json_schema(model))


def test_tasks_of_a_home_do_not_share_their_state() -> None:
    first, second = SUITE.task("studio-01"), SUITE.task("studio-02")
    assert first.start.universe is second.start.universe
    first.start.add("on", ("light.34",))
    assert not second.start.holds("on", ("light.34",))
    assert not SUITE.task("studio-01").start.holds("on", ("light.34",))


def test_changes_of_a_task_stay_in_the_task() -> None:
    assert TASKS["cottage-21"].start.holds("ontop", ("cake.101", "dining_table.39"))
    assert "cake.101" not in TASKS["cottage-01"].vocabulary.objects
    assert TASKS["studio-05"].start.holds("lying", ("character.5",))
    assert TASKS["studio-05"].start.holds("inside", ("character.5", "living_room.1"))
    assert TASKS["studio-04"].start.holds("inside", ("character.5", "hall.4"))


def test_the_vocabulary_is_what_an_answer_may_use() -> None:
    vocabulary = TASKS["flat-01"].vocabulary
    assert vocabulary.actions["putin"] == 2
    assert vocabulary.actions["standup"] == 0
    assert vocabulary.predicates["ontop"] == 2
    assert not vocabulary.predicates.keys() & {"near", "holds", "from_on"}
    assert vocabulary.classes["mug"] == ("mug.215", "mug.216")
    assert {"kitchen.2", "character.6", "hands_both.7"} <= vocabulary.objects


def test_an_unknown_task_is_refused_with_a_suggestion() -> None:
    with pytest.raises(UnknownNameError) as caught:
        SUITE.task("studio-001")
    assert "studio-01" in caught.value.suggestions


def test_identifiers_mean_themselves() -> None:
    assert SUITE.canonical_id(" flat-03\n") == "flat-03"


def test_an_unknown_ability_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="juggling"):
        SUITE.evaluate("juggling", TASKS["flat-02"], "[]", SUITE.semantics("strict"))


def test_a_plan_that_leaves_out_the_way_is_not_successful() -> None:
    # The kettle is on and in its place, but nobody poured water into it.
    task = TASKS["studio-06"]
    dry = tuple(step for step in task.plans[0] if step.name != "pour")
    result = evaluate("studio-06", answer(dry))
    assert result.executable
    assert all(goal.met for goal in result.goals)
    assert not result.success
    (finding,) = result.findings
    assert finding.kind is ErrorKind.RELATION_GOAL
    assert finding.conditions == ("inside(water.52, kettle.49)",)


def test_actions_in_the_wrong_place_are_named() -> None:
    # Reading before lying down: done, but not while lying.
    plan = list(TASKS["studio-03"].plans[0])
    plan.insert(-2, plan.pop())
    result = evaluate("studio-03", answer(tuple(plan)))
    assert not result.success
    assert [finding.kind for finding in result.findings] == [ErrorKind.ACTION_GOAL]


def test_official_is_the_world_of_the_published_executors() -> None:
    # Holding the shoes, the door is out of reach, unless grabbing leads to a neighbour.
    plan = steps("WALK shoes 91", "GRAB shoes 91", "CLOSE door 90")
    assert [f.kind for f in evaluate("studio-15", plan).findings][:1] == [ErrorKind.WRONG_ORDER]
    assert evaluate("studio-15", plan, "official").executable


def test_no_answer_is_a_scored_failure() -> None:
    result = evaluate("flat-02", None)
    assert result.status == "missing"
    assert not result.success
    assert result.findings[0].kind is ErrorKind.NO_ANSWER


def rows(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


SAMPLES = {path.stem.removeprefix("samples_"): rows(path) for path in samples()}


def test_samples_are_found_for_three_models() -> None:
    assert list(SAMPLES) == ["careful", "chatty", "hasty"]


def test_samples_together_contain_every_kind_of_error() -> None:
    found = {
        finding.kind
        for model in SAMPLES.values()
        for row in model
        for finding in evaluate(row["id"], row["output"]).findings
    }
    missing = any({row["id"] for row in model} < TASKS.keys() for model in SAMPLES.values())
    assert missing
    no_plan = {
        ErrorKind.UNSCORABLE,
        ErrorKind.BEYOND_BUDGET,
        ErrorKind.NO_ANSWER,
        ErrorKind.PREDICATE_HALLUCINATION,
        ErrorKind.PATH_GOAL,
    }
    assert found == set(ErrorKind) - no_plan


@pytest.mark.parametrize(("model", "share"), [("careful", 0.80), ("hasty", 0.45), ("chatty", 0.60)])
def test_samples_succeed_as_often_as_they_are_said_to(model: str, share: float) -> None:
    solved = {row["id"] for row in SAMPLES[model] if evaluate(row["id"], row["output"]).success}
    assert len(solved) / len(TASKS) == pytest.approx(share, abs=0.04)


def test_samples_name_known_tasks_and_repeat_exactly_one() -> None:
    repeated = []
    for model in SAMPLES.values():
        counts = Counter(row["id"] for row in model)
        assert counts.keys() <= TASKS.keys()
        repeated += [name for name, count in counts.items() if count > 1]
    assert repeated == ["house-08"]


def test_a_task_that_was_changed_is_not_changed_for_others() -> None:
    one, other = Household().task("studio-01"), Household().task("studio-01")
    before = set(other.start.atoms())
    one.start.add("dirty", ("light.34",))
    assert set(one.start.atoms()) != before
    assert set(other.start.atoms()) == set(Household().task("studio-01").start.atoms()) == before


def test_tasks_can_be_loaded_again_and_are_the_same() -> None:
    def key(task: Task) -> tuple[object, ...]:
        return task.id, task.goal, task.plans, tuple(task.start.atoms())

    again = Household(FOLDER)  # it reads them anew
    assert [key(again.task(name)) for name in again.task_ids()] == [
        key(task) for task in map(SUITE.task, SUITE.task_ids())
    ]
