"""EB-ALFRED: its rooms, its skills, its goals, and acting in the symbolic AI2-THOR."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from embodiedbench_logs import DONE, row, write_skills

from eai.acting import run_episode
from eai.contract import own_oracle, version_of, write_plan
from eai.diagnosis import ErrorKind
from eai.predictions import load_all
from eai.suites.embodiedbench.alfred import (
    AlfredEnvironment,
    conditions_of,
    records,
    room,
)
from eai.suites.embodiedbench.skills import skill_named, skills, word_feedback as word
from eai.suites.embodiedbench.suite import EBAlfred
from eai.world import Action

SUITE = EBAlfred()
OFFICIAL, STRICT = SUITE.semantics("official"), SUITE.semantics("strict")


def acting(task: str = "base/0", semantics: Any = OFFICIAL) -> AlfredEnvironment:
    environment = AlfredEnvironment(SUITE.task(task), semantics)
    environment.reset()
    return environment


def skill(words: str) -> Action:
    found = skill_named("eb-alfred", words)
    assert found is not None
    return AlfredEnvironment.action_of(found)


def test_there_are_162_skills_and_those_of_further_instances() -> None:
    assert len(skills("eb-alfred")) == 162
    assert skills("eb-alfred")[133].words == "put down the object in hand"
    assert skill_named("eb-alfred", "find a Cabinet_2") is not None
    assert skill_named("eb-alfred", "find a Dragon") is None
    assert AlfredEnvironment.skill_of(Action("find", ("Mug_2",))).words == "find a Mug_2"
    assert AlfredEnvironment.skill_of(Action("pick", ("Mug_2",))).words == "pick up the Mug"


GOLD = json.loads(write_plan(SUITE, SUITE.task("base/0").plans[0]))["executable_plan"]


def apart(words: str) -> tuple[str, str]:
    """The verb of a skill as the name of a function, and its object."""
    verb, _, thing = words.replace(" a ", " the ").partition(" the ")
    return verb.replace(" ", "_"), "" if thing == "object in hand" else thing


CALLS = [apart(step["action_name"]) for step in GOLD]


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(f'{verb}("{thing}")' if thing else f"{verb}()" for verb, thing in CALLS),
        json.dumps([{"name": verb, "arguments": {"object": thing}} for verb, thing in CALLS]),
        "\n".join(f"- action: {verb}\n  object: {thing}" for verb, thing in CALLS),
        "\n".join(f"{n}. {step['action_name']}\uff08go on\uff09" for n, step in enumerate(GOLD, 1)),
        "\n".join(
            f"<function=do><parameter=action_id>\n{step['action_id']}\n</parameter>"
            f"<parameter=action_name>\n{step['action_name']}\n</parameter></function>"
            for step in GOLD
        ),
    ],
    ids=["calls", "tool calls", "yaml", "remarks", "ids"],
)
def test_a_plan_of_skills_is_read_in_other_forms(text: str) -> None:
    assert SUITE.evaluate("action_sequencing", SUITE.task("base/0"), text, STRICT).success


def test_of_two_planners_objects_the_one_is_run_that_is_meant() -> None:
    gold, draft = json.dumps({"executable_plan": GOLD}), json.dumps({"executable_plan": GOLD[:-1]})
    task = SUITE.task("base/0")
    for text, steps in {
        f"## Final answer\n{gold}\n\n## Appendix: old draft, superseded\n{draft}": len(GOLD),
        f"Draft:\n{draft}\n\nFinal:\n{gold}": len(GOLD),
        f"The format would look like this, not to be executed:\n{gold}": 0,
    }.items():
        assert len(SUITE.evaluate("action_sequencing", task, text, STRICT).plan) == steps


@pytest.mark.heavy
def test_the_converted_gold_plan_of_every_tenth_task_is_acted_without_a_failed_turn() -> None:
    for name in SUITE.task_ids()[::10]:
        task = SUITE.task(name)
        environment = SUITE.environment(task, OFFICIAL)
        agent = own_oracle(SUITE, task, OFFICIAL, environment) or str
        episode = run_episode(environment, agent, rules=SUITE.episode_rules(task, OFFICIAL))
        assert episode.success, name
        assert all(turn.success for turn in episode.turns)
        assert len(episode.turns) <= 30


def test_what_is_no_skill_fails_and_changes_nothing() -> None:
    environment = acting()
    before = environment.state()
    assert not environment.step(Action("(not done)")).success
    assert not before.changes_to(environment.state())


def test_exactly_the_known_tasks_have_colliding_types() -> None:
    colliding = [each for each in records().values() if each.collisions]
    assert len(colliding) == 42
    assert {pair for each in colliding for pair in each.collisions} >= {
        "Toilet also matches ToiletPaperHanger",
        "Knife also matches ButterKnife",
        "Pot also matches Potato",
    }


def test_types_match_by_their_letters_only_where_the_quirk_is_on() -> None:
    record = next(each for each in records().values() if each.object == "Knife")
    loose, exact = (str(conditions_of(record, each)[0]) for each in (OFFICIAL, STRICT))
    assert "butterknife" in loose
    assert "butterknife" not in exact


@pytest.mark.parametrize(
    ("kind", "number"),
    [
        ("pick_and_place_simple", 1),
        ("pick_two_obj_and_place", 2),
        ("look_at_obj_in_light", 2),
        ("pick_clean_then_place_in_recep", 3),
        ("pick_heat_then_place_in_recep", 3),
        ("pick_cool_then_place_in_recep", 3),
        ("pick_and_place_with_movable_recep", 3),
    ],
)
def test_conditions_are_counted_as_in_the_benchmark(kind: str, number: int) -> None:
    for each in records().values():
        if each.kind == kind:
            more = (2 if kind.startswith("pick_two") else 1) * each.sliced
            assert len(conditions_of(each, OFFICIAL)) == number + more


def test_to_put_after_anything_but_find_and_open_drops_what_is_held() -> None:
    for semantics, dropped in ((OFFICIAL, True), (STRICT, False)):
        environment = acting(semantics=semantics)
        for words in ("find a Ladle", "pick up the Ladle"):
            assert environment.step(skill(words)).success
        result = environment.step(skill("put down the object in hand"))
        assert result.success is dropped
        assert (result.code == "silent_drop") is dropped


def test_put_goes_into_what_was_found_last() -> None:
    environment = acting()
    for words in (
        "find a Ladle",
        "pick up the Ladle",
        "find a Sink",
        "put down the object in hand",
    ):
        assert environment.step(skill(words)).success
    held = [str(atom) for atom in environment.state().atoms() if atom.predicate == "in"]
    assert any(each.startswith("in(Ladle, SinkBasin") for each in held)


def test_feedback_is_that_of_the_benchmark() -> None:
    environment = acting()
    assert environment.step(skill("find a Sofa")).message == word(
        "eb-alfred", "find.absent", x="Sofa"
    )
    assert environment.step(skill("put down the object in hand")).message == word(
        "eb-alfred", "empty"
    )
    environment.step(skill("find a Fridge"))
    assert environment.step(skill("open the Fridge")).message == DONE
    again = environment.step(skill("open the Fridge"))
    assert again.message == word("eb-alfred", "open.already", x="Fridge")


def test_slicing_needs_a_knife_only_where_that_is_asked_for() -> None:
    task = next(name for name, each in records().items() if each.sliced and each.object == "Apple")
    knife = SUITE.semantics("strict", only=["knife_to_slice"])
    for semantics, done in ((STRICT, True), (knife, False)):
        environment = acting(task, semantics)
        environment.step(skill("find a Apple"))
        assert environment.step(skill("slice the Apple")).success is done


def test_doors_have_to_be_closed_only_where_that_is_asked_for() -> None:
    closed = SUITE.semantics("strict", only=["closed_at_end"])
    record = records()["base/0"]
    assert len(conditions_of(record, closed)) == len(conditions_of(record, STRICT)) + 1


def test_what_lies_on_a_table_is_not_put_into_its_drawers() -> None:
    known = room(0).by_name()
    assert known["Ladle"].place.startswith("DiningTable")
    shut_in = [one for one in known.values() if one.place.startswith(("Cabinet", "Drawer"))]
    assert shut_in
    assert not [one.name for one in shut_in if one.height > 1]


@pytest.mark.parametrize(
    ("task", "object_", "receptacle"),
    [
        ("base/3", "HandTowel", "HandTowelHolder"),  # one that only AI2-THOR 5.0.0 lists
        ("base/9", "CD", "Desk"),  # whose box is higher than its surface
    ],
)
def test_objects_lie_where_gold_plans_take_them(task: str, object_: str, receptacle: str) -> None:
    places = {
        one.place.partition("_")[0]
        for name, one in room(records()[task].setup).by_name().items()
        if name.partition("_")[0] == object_
    }
    assert places == {receptacle}


def test_a_recorded_run_is_taken_again(tmp_path: Path) -> None:
    task = SUITE.task("base/0")
    steps = [AlfredEnvironment.skill_of(each) for each in task.plans[0]]
    rows = [row(n, each.id, each.words) for n, each in enumerate(steps, start=1)]
    rows[-1] |= {"task_success": 1.0, "task_progress": 1.0}
    folder = tmp_path / "eb_alfred" / "m"
    write_skills(folder, "base", 1, rows, {"task_success": 1.0, "task_progress": 1.0})
    (loaded,) = load_all(folder)
    (text,) = loaded.items.values()
    for semantics in (OFFICIAL, STRICT):
        result = SUITE.evaluate("recorded", task, text, semantics)
        assert result.success
        assert result.notes == ()
    assert [each.kind for each in SUITE.audit(loaded.items) if each.kind != "missing"] == []
    record = json.loads(text)
    record["metadata"]["rows"][3]["task_progress"] = 0.4
    found = [each.kind for each in SUITE.audit({next(iter(loaded.items)): json.dumps(record)})]
    assert "progress" in found


def test_success_and_progress_are_recomputed(tmp_path: Path) -> None:
    rows = [
        row(n, each.id, each.words)
        for n, each in enumerate(map(AlfredEnvironment.skill_of, SUITE.task("base/3").plans[0]), 1)
    ]
    write_skills(tmp_path / "eb_alfred" / "m", "base", 4, rows)
    (loaded,) = load_all(tmp_path / "eb_alfred" / "m")
    found = {each.kind for each in SUITE.audit(loaded.items)} - {"missing", "interrupted"}
    assert found == {"mis-scored", "progress"}


def test_the_condition_names_what_is_reconstructed() -> None:
    assert "containment reconstructed" in version_of(SUITE, "interaction")


@pytest.mark.parametrize("verb", ["find", "pick", "open", "close", "slice", "toggle"])
@pytest.mark.parametrize("end", ["absent", "failed"])
def test_every_skill_that_fails_is_answered(verb: str, end: str) -> None:
    key = "find.blocked" if (verb, end) == ("find", "failed") else f"{verb}.{end}"
    key = "empty" if key == "pick.failed" else key
    assert word("eb-alfred", key, x="Fridge").startswith("Last action is invalid.")


@pytest.mark.parametrize(
    ("before", "behind"),
    [
        ("", "On second thought, scrap the plan above. Do not execute anything."),
        ("I won't do this. For reference, the plan would be:", "I refuse to execute it."),
    ],
)
def test_a_plan_that_is_taken_back_is_not_run(before: str, behind: str) -> None:
    suite = EBAlfred()
    task = suite.task(suite.task_ids()[0])
    strict = suite.semantics("strict")
    plans = suite.plans(strict)
    assert plans is not None
    plan = plans.write(task.plans[0])
    assert suite.evaluate("action_sequencing", task, f"Here it is.\n{plan}\nDone.", strict).success
    result = suite.evaluate("action_sequencing", task, f"{before}\n\n{plan}\n\n{behind}", strict)
    assert not result.success
    assert [finding.kind for finding in result.findings] == [ErrorKind.PARSING]


FETCHED = "1. find a Newspaper\n2. pick up the Newspaper\n3. find a Sofa\n"


@pytest.mark.parametrize(
    "placement",
    [
        "4. Put the Newspaper on the Sofa",
        "4. Place the newspaper on the sofa.",
        "4. Put it on the Sofa",
        "4. Putting the Newspaper on the Sofa",
        "4. put down the Newspaper on the Sofa",
        "4. put(Newspaper, Sofa)",
        "4. put(Sofa)",
        "4. put_down(Newspaper)",
        "4. put down the object in hand on the Sofa",
        "4. Put on the Sofa near the ArmChair",
    ],
)
def test_placement_may_name_what_is_in_hand(placement: str) -> None:
    task = SUITE.task("common_sense/12")
    result = SUITE.evaluate("action_sequencing", task, FETCHED + placement, STRICT)
    assert result.success, result.findings
    assert result.plan[-1] == "put(Sofa)"


@pytest.mark.parametrize(
    "placement",
    [
        "4. Put the Book on the Sofa",
        "4. put(Book, Sofa)",
        "4. put down the Book on the Sofa",
        "4. put down the Sofa",
        "4. drop the Book on the Sofa",
    ],
)
def test_placement_of_what_is_not_in_hand_is_a_wrong_argument(placement: str) -> None:
    task = SUITE.task("common_sense/12")
    result = SUITE.evaluate("action_sequencing", task, FETCHED + placement, STRICT)
    assert [finding.kind for finding in result.findings] == [ErrorKind.ARGUMENT_NUMBER]
    assert result.findings[0].step == 4


def test_placement_with_keys_names_thing_and_place() -> None:
    task = SUITE.task("common_sense/12")
    steps = [
        {"action": "find", "object": "Newspaper"},
        {"action": "pick_up", "object": "Newspaper"},
        {"action": "find", "object": "Sofa"},
        {"action": "put", "object": "Newspaper", "receptacle": "Sofa"},
    ]
    assert SUITE.evaluate("action_sequencing", task, json.dumps(steps), STRICT).success
    steps[3]["receptacle"] = "ArmChair"
    elsewhere = SUITE.evaluate("action_sequencing", task, json.dumps(steps), STRICT)
    assert [finding.kind for finding in elsewhere.findings][:1] == [ErrorKind.MISSING_STEP]
    steps[1]["object"] = "Book"
    never_held = SUITE.evaluate("action_sequencing", task, json.dumps(steps), STRICT)
    assert never_held.findings[0].step == 2


@pytest.mark.parametrize(
    "answer",
    [
        "Robot: 1. find the Book, 2. pick up the Book, 3. find the Desk, 4. put it in the Desk, "
        "5. find the Book_2, 6. pick up the Book_2, 7. find the Desk, 8. put it in the Desk.",
        "- Finding the Book\n- Picking up the Book\n- Finding the Desk\n- Putting it on the Desk\n"
        "- Finding the Book_2\n- Picking up the Book_2\n- Finding the Desk\n"
        "- Putting down the Book_2",
    ],
)
def test_instances_are_named_in_sentences_and_gerunds(answer: str) -> None:
    task = SUITE.task("complex_instruction/17")
    result = SUITE.evaluate("action_sequencing", task, answer, STRICT)
    assert result.success, result.findings
    assert result.plan[5] == "pick(Book_2)"


def test_gerund_of_a_verb_that_is_also_an_action_of_the_domain_is_a_step() -> None:
    task = SUITE.task("base/42")
    answer = "- Finding the Faucet\n- Turning on the Faucet\n- Turning off the Faucet"
    result = SUITE.evaluate("action_sequencing", task, answer, STRICT)
    assert result.plan == ("find(Faucet)", "turn_on(Faucet)", "turn_off(Faucet)")


NUMBERED = [(50, "find a Newspaper"), (88, "pick up the Newspaper"), (52, "find a Sofa")]
NUMBERED += [(133, "put down the object in hand")]


@pytest.mark.parametrize(
    "answer",
    [
        json.dumps({"executable_plan": [number for number, _ in NUMBERED]}),
        json.dumps([number for number, _ in NUMBERED]),
        "Action ids: " + ", ".join(str(number) for number, _ in NUMBERED),
        "\n".join(f"[{number}] {words}" for number, words in NUMBERED),
        "action_id,action_name\n" + "\n".join(f"{number},{words}" for number, words in NUMBERED),
    ],
)
def test_skills_are_read_by_their_numbers(answer: str) -> None:
    task = SUITE.task("common_sense/12")
    assert SUITE.evaluate("action_sequencing", task, answer, STRICT).success


def test_number_of_a_skill_in_front_of_it_counts_no_steps() -> None:
    found = [(64, "find a Ladle"), (2, "find a Faucet"), (155, "turn on the Faucet")]
    found += [(156, "turn off the Faucet"), (64, "find a Ladle")]
    answer = "\n".join(f"{number}: {words}" for number, words in found)
    result = SUITE.evaluate("action_sequencing", SUITE.task("base/42"), answer, STRICT)
    assert len(result.plan) == len(found)


def test_a_call_and_its_skill_in_words_on_one_line_are_one_step() -> None:
    answer = "find(Spoon) - find the spoon\npick(Spoon) - pick up the spoon"
    result = SUITE.evaluate("action_sequencing", SUITE.task("base/1"), answer, STRICT)
    assert [str(step) for step in result.plan] == ["find(Spoon)", "pick(Spoon)"]


@pytest.mark.parametrize(
    "answer",
    [
        "find(Spoon): look for it\npick(Spoon): take it",
        "find(Spoon) - look for it\npick(Spoon) - take it",
        "find(Spoon) = look for it\npick(Spoon) = take it",
        "1. find(Spoon) Find a Spoon\n2. pick(Spoon) Pick up the Spoon",
        "find('Spoon') find it\npick('Spoon') take it",
        "| find(Spoon) | look for it |\n| pick(Spoon) | take it |",
    ],
)
def test_words_behind_a_call_that_tell_its_skill_are_no_second_step(answer: str) -> None:
    result = SUITE.evaluate("action_sequencing", SUITE.task("base/1"), answer, STRICT)
    assert [str(step) for step in result.plan] == ["find(Spoon)", "pick(Spoon)"]


def test_a_skill_under_a_number_of_its_own_is_a_step() -> None:
    task = SUITE.task("base/0")
    once = SUITE.evaluate("action_sequencing", task, "find(Ladle)\nfind a Ladle", STRICT)
    twice = SUITE.evaluate("action_sequencing", task, "1. find(Ladle)\n2. find a Ladle", STRICT)
    assert (len(once.plan), len(twice.plan)) == (1, 2)


@pytest.mark.parametrize(
    "line",
    [
        "find(Ladle) Pick up the Ladle",
        "find(Ladle) (pick up the Ladle)",
        "find(Ladle) take it",
        "turn_on(Faucet) Turn off the Faucet",
        "Turn on the Faucet (turn_off(Faucet))",
        "find(Ladle) Find a Spoon",
        "put(Sink) - drop.",
        "put(Sink) (drop it)",
        "Rather than OPEN(Fridge), do nothing",
    ],
)
def test_words_beside_a_call_that_may_change_it_are_a_problem(line: str) -> None:
    for answer in (
        f"find(Faucet)\n{line}\nopen(Fridge)",
        f"1. find(Faucet)\n2. {line}\n3. open(Fridge)",
    ):
        result = SUITE.evaluate("action_sequencing", SUITE.task("base/0"), answer, STRICT)
        assert result.reading == "partial"
        assert ErrorKind.PARSING in [finding.kind for finding in result.findings]


def test_number_and_words_of_different_skills_are_a_problem_or_a_note() -> None:
    task = SUITE.task("common_sense/12")
    wrong = [*NUMBERED[:2], (51, "find a Sofa"), NUMBERED[3]]
    answer = "\n".join(f"{number}: {words}" for number, words in wrong)
    result = SUITE.evaluate("action_sequencing", task, answer, STRICT)
    assert [finding.kind for finding in result.findings] == [ErrorKind.PARSING]
    own = [{"action_id": number, "action_name": words} for number, words in wrong]
    result = SUITE.evaluate("action_sequencing", task, json.dumps({"executable_plan": own}), STRICT)
    assert not result.success
    assert any("step 3" in note for note in result.notes)


def test_last_of_two_lists_of_numbers_is_not_taken_back_in_silence() -> None:
    answer = "Action ids: 50, 88, 52, 133\nThis plan is wrong, I take it back."
    task = SUITE.task("common_sense/12")
    assert not SUITE.evaluate("action_sequencing", task, answer, STRICT).success


@pytest.mark.parametrize("begin", ["await robot.", "robot.", "agent."])
def test_a_call_of_a_robot_that_comes_again_is_a_step(begin: str) -> None:
    calls = ["find('Cup')", "pick('Cup')", "find('Fridge')", "put('Fridge')", "find('Fridge')"]
    answer = "\n".join(f"{begin}{call}" for call in calls)
    plan = SUITE.evaluate("action_sequencing", SUITE.task("base/0"), answer, STRICT).plan
    assert plan is not None
    assert len(plan) == len(calls)
