"""Answers as the published evaluator reads them: by a pattern, form before meaning."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable

import pytest
from hypothesis import given, settings, strategies as st
from small_virtualhome import SUITE, action, evaluate, small_task, written

from eai.answers import BoundPlan
from eai.diagnosis import ErrorKind
from eai.errors import InputError
from eai.suites.virtualhome.reader import UNLIKE, official_plan

TASK = small_task(
    "has_switch lamp.10; off lamp.10; near lamp.10; grabbable cup.11; near cup.11;"
    "inside hands_both.30 kitchen.1; inside light.16 kitchen.1; inside light.40 kitchen.1",
    states=["on lamp.10"],
)
LAMP = action("switchon lamp.10")
CUP = action("grab cup.11")


def read(text: str, without: Iterable[str] = ()) -> BoundPlan:
    return official_plan(text, TASK.vocabulary, SUITE.semantics("official", without=without))


def kinds(text: str, without: Iterable[str] = ()) -> list[ErrorKind]:
    plan = read(text, without)
    assert not (plan.findings and plan.actions)
    return [finding.kind for finding in plan.findings for _ in range(finding.times)]


@pytest.mark.parametrize(
    "text",
    [
        '{"SWITCHON": ["lamp", "10"], "GRAB": ["cup", "11"]}',
        '[{"SWITCHON": ["lamp", "10"]}, {"GRAB": ["cup", "11"]}]',
        '"SWITCHON": ["lamp", "10"] "GRAB": ["cup", "11"]',
        '{"plan": {"SWITCHON": ["lamp", "10"], "GRAB": ["cup", "11"]}}',
        "{'SWITCHON': ['lamp', '10'], 'GRAB': ['cup', '11']}",
        '```json\n{"SWITCHON": ["lamp", "10"],\n "GRAB": ["cup", "11"]}\n```',
        '```\n{"SWITCHON": ["lamp", "10"], "GRAB": ["cup", "11"]}\n```',
        'I would do this: {"SWITCHON": ["lamp", "10"]}. Then "GRAB": ["cup", "11"]!',
        '{"SWITCHON"  :\t[ "lamp" ,  "10" ],\r\n"GRAB":["cup","11"]}',
        '{"SWITCH\nON": ["la\nmp", "1\n0"], "GRAB": ["cup", "11"]}',
        '{"SWITCHON": ["lamp", 10], "GRAB": ["cup", 11]}',
        '{"SWITCHON": ["lamp", "10"], "GRAB": ["cup", "11"], "WALK": ["cup", "1',
        '{"SWITCHON": ["lamp", "10"], "GRAB": ["cup", "11"], "WALK": {"to": "cup"}}',
        '{"SWITCHON": ["lamp", "10"], "WAKEUP": [], "GRAB": ["cup", "11"], "WALK": []}',
        '{"\\u0047RAB": ["cup", "11"], "SWITCHON": ["l\\u0061mp", "10"], "GRAB": ["cup", "11"]}',
    ],
)
def test_every_pair_of_a_word_and_a_list_is_a_step(text: str) -> None:
    assert read(text) == BoundPlan((LAMP, CUP), (), ())


def test_repeated_keys_and_their_order_are_kept() -> None:
    text = '{"GRAB": ["cup", "11"], "SWITCHON": ["lamp", "10"], "GRAB": ["cup", "11"]}'
    assert read(text).actions == (CUP, LAMP, CUP)


def test_an_empty_list_with_a_blank_is_a_step_without_objects() -> None:
    assert read('{"STANDUP": [ ]}').actions == (action("standup"),)
    assert read('{"STANDUP": [\t]}').actions == (action("standup"),)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n\t",
        "[]",
        "{}",
        "null",
        "Sorry, I cannot do that.",
        '{"STANDUP": []}',
        '{"STANDUP": [\n]}',
        '{"SWITCHON": "lamp"}',
        '{"SWITCH-ON": ["lamp", "10"]}',
        '{"SWITCHON ": ["lamp", "10"]}',
        "{SWITCHON: [lamp, 10]}",
        '{"SWITCHON"\uff1a ["lamp", "10"]}',
        '{"SWITCHON": ["lamp", "10"',
    ],
)
def test_no_step_at_all_is_one_parsing_error(text: str) -> None:
    assert kinds(text) == [ErrorKind.PARSING]


@pytest.mark.parametrize(
    "text",
    [
        '{"SWITCHON": [lamp, 10]}',
        '{"SWITCHON": ["lamp", "10",]}',
        '{"SWITCHON": ["la]mp", "10"]}',
        '{"SWITCHON": [["lamp", "10"]]}',
        '{"SWITCHON": ["lamp" "10"]}',
        '{"SWITCHON": ["lamp", 010]}',
        '{"SWITCHON": ["child\'s lamp", "10"]}',
        '{"SWITCHON": ["lamp", "10"], "GRAB": [cup, 11]}',
    ],
)
def test_a_list_that_is_not_json_counts_twice(text: str) -> None:
    assert kinds(text) == [ErrorKind.PARSING] * 2
    assert kinds(text, ["parsing_counted_twice"]) == [ErrorKind.PARSING]


@pytest.mark.parametrize(
    "entries", ['[""]', '["lamp"]', '["lamp", "10", "on"]', "[10]", "[null]", "[{}]"]
)
def test_a_list_of_odd_length_is_a_parsing_error_at_its_step(entries: str) -> None:
    plan = read(f'{{"GRAB": ["cup", "11"], "SWITCHON": {entries}}}')
    (finding,) = plan.findings
    assert (finding.kind, finding.step) == (ErrorKind.PARSING, 2)


@pytest.mark.parametrize(
    "entries",
    [
        '["lamp", 10.0]',
        '["lamp", 1e1]',
        '["lamp", true]',
        '["lamp", null]',
        '["lamp", NaN]',
        '["lamp", -Infinity]',
        '["lamp", "010"]',
        '["lamp", "10 "]',
        '["lamp", ""]',
        '["", "lamp_10"]',
        '["", ""]',
        '["Lamp", "10"]',
        '["10", "lamp"]',
        '["lamp", "11"]',
        '["l\u0430mp", "10"]',  # Cyrillic
        '["lamp", "\uff11\uff10"]',  # full width
        '["lamp", {"id": "10"}]',
        '["lamp_10", "cup_11"]',
    ],
)
def test_what_is_not_literally_a_class_with_its_id_is_a_hallucinated_object(entries: str) -> None:
    plan = read(f'{{"SWITCHON": {entries}}}')
    (finding,) = plan.findings
    assert (finding.kind, finding.step) == (ErrorKind.OBJECT_HALLUCINATION, 1)


@pytest.mark.parametrize(
    "name",
    ["DANCE", "W\u0410LK", "SWITCH_ON", "\uff37\uff21\uff2c\uff2b", "PLUGIN", "RELEASE", "W1"],
)
def test_other_words_are_hallucinated_actions(name: str) -> None:
    assert kinds(f'{{"{name}": ["lamp", "10"]}}') == [ErrorKind.ACTION_HALLUCINATION]


def test_a_hallucination_names_what_is_near() -> None:
    assert "SWITCHON" in read('{"SWITCHO": ["lamp", "10"]}').findings[0].message
    assert "lamp_10" in read('{"SWITCHON": ["lamps", "10"]}').findings[0].message


@pytest.mark.parametrize("name", ["switchon", "SwitchOn", "\u017fwitchon", "\ufb01nd"])
def test_a_name_that_is_upper_case_only_after_folding_stops_the_run(name: str) -> None:
    assert kinds(f'{{"{name}": ["lamp", "10"]}}') == [ErrorKind.UNSCORABLE]
    assert kinds(f'{{"{name}": ["lamp", "10"]}}', ["lower_case_crash"]) == []


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ('{"SWITCHON": [ ]}', 0),
        ('{"SWITCHON": ["lamp", "10", "cup", "11"]}', 2),
        ('{"PUTBACK": ["cup", "11"]}', 1),
        ('{"STANDUP": ["lamp", "10"]}', 1),
        ('{"LOOKAT_SHORT": [ ]}', 0),
    ],
)
def test_the_number_of_objects_must_be_right(text: str, given: int) -> None:
    (finding,) = read(text).findings
    assert finding.kind is ErrorKind.ARGUMENT_NUMBER
    assert f"not {given}" in finding.message


def test_only_the_first_kind_of_error_counts() -> None:
    number = '"SWITCHON": [ ]'
    thing = '"GRAB": ["sofa", "1"]'
    act = '"DANCE": ["lamp", "10"]'
    odd = '"GRAB": ["cup"]'
    assert kinds(f"{number}, {thing}, {act}, {odd}") == [ErrorKind.PARSING]
    assert kinds(f"{number}, {thing}, {act}") == [ErrorKind.ACTION_HALLUCINATION]
    assert kinds(f"{number}, {thing}") == [ErrorKind.OBJECT_HALLUCINATION]
    assert kinds(f'{number}, "switchoff": ["lamp", "10"]') == [ErrorKind.ARGUMENT_NUMBER]
    assert kinds(f'"switchoff": ["lamp", "10"], {number}') == [ErrorKind.UNSCORABLE]


def test_looking_has_an_alias_and_two_names_without_executor() -> None:
    plan = read('{"LOOKAT_MEDIUM": ["lamp", "10"]}')
    assert (plan.actions, plan.notes) == ((action("lookat lamp.10"),), (UNLIKE,))
    for name in ("LOOKAT_SHORT", "LOOKAT_LONG"):
        answer = f'{{"SWITCHON": ["lamp", "10"], "{name}": ["lamp", "10"]}}'
        result = evaluate(TASK, answer, SUITE.semantics("official"))
        assert result.executed == ("done", "failed")
        assert result.findings[0].kind is ErrorKind.UNSCORABLE
        assert not result.success


@pytest.mark.parametrize("name", ["LOOKAT_SHORT", "LOOKAT_LONG"])
def test_names_without_executor_are_hallucinated_under_other_rules(name: str) -> None:
    semantics = SUITE.semantics("official", without=["executor_order"])
    result = evaluate(TASK, f'{{"{name}": ["lamp", "10"]}}', semantics)
    assert [finding.kind for finding in result.findings] == [ErrorKind.ACTION_HALLUCINATION]


def test_a_name_may_be_divided_anywhere() -> None:
    plan = read('{"WASH": ["hands", "both_30"]}')
    assert (plan.actions, plan.notes) == ((action("wash hands_both.30"),), (UNLIKE,))


# ---- ids left out

NO_IDS = ("ids_required",)


def test_ids_may_be_left_out_without_the_quirk() -> None:
    text = '{"SWITCHON": ["lamp"], "PUTBACK": ["cup", "lamp"], "GRAB": ["cup", 11]}'
    assert read(text, NO_IDS) == BoundPlan((LAMP, action("putback cup.11 lamp.10"), CUP), (), ())


def test_some_ids_may_be_left_out() -> None:
    plan = read('{"PUTBACK": ["cup", "lamp", "10"]}', NO_IDS)
    assert plan.actions == (action("putback cup.11 lamp.10"),)


def test_a_class_means_its_last_object_in_the_order_of_the_set_of_ids() -> None:
    # Eight ids are kept in 32 places, an id in the place of its remainder: 40 comes before 16.
    assert len(TASK.vocabulary.objects) == 8
    assert read('{"WASH": ["light"]}', NO_IDS).actions == (action("wash light.16"),)


@pytest.mark.parametrize("name", ["lamp", "cup", "rug", "pan", "bowl", "book", "sofa", "mug"])
def test_of_two_ids_that_compete_for_a_place_the_greater_is_last(name: str) -> None:
    # 8 and 40 leave the same remainder; whatever the order of the names, 8 is put in first.
    task = small_task(f"near {name}.40; near {name}.8", actions=["TOUCH"])
    result = evaluate(
        task,
        f'{{"TOUCH": ["{name}"]}}',
        SUITE.semantics("official", without=NO_IDS),
    )
    assert result.plan == (f"touch({name}.40)",)


@pytest.mark.parametrize("relevant", [16, 40])
def test_a_class_means_a_relevant_object_rather_than_another_of_the_scene(relevant: int) -> None:
    facts = "has_switch lamp.40; off lamp.40; has_switch lamp.16; off lamp.16"
    task = small_task(facts, actions=["TURNTO"], irrelevant=[f"lamp.{56 - relevant}", "bedroom.2"])
    semantics = SUITE.semantics("official", without=[*NO_IDS, "relevant_objects_only"])
    result = evaluate(task, '{"TURNTO": ["lamp"], "FIND": ["bedroom"]}', semantics)
    assert result.plan == (f"turnto(lamp.{relevant})", "find(bedroom.2)")


@pytest.mark.parametrize("entry", ['"sofa"', '""', "10", "null", "{}", '"lamp_10"', '"lamp.10"'])
def test_without_the_quirk_other_words_are_hallucinated_objects(entry: str) -> None:
    assert kinds(f'{{"SWITCHON": [{entry}]}}', NO_IDS) == [ErrorKind.OBJECT_HALLUCINATION]


def test_without_the_quirk_the_number_of_objects_is_that_of_the_names() -> None:
    assert kinds('{"SWITCHON": ["lamp", "cup"]}', NO_IDS) == [ErrorKind.ARGUMENT_NUMBER]
    assert kinds('{"PUTBACK": ["cup", "11"]}', NO_IDS) == [ErrorKind.ARGUMENT_NUMBER]


# ---- hostile answers

MILLION = 10**6
HOSTILE = {
    "strings": '"a"' * MILLION,
    "open lists": '"x": [' * MILLION,
    "open lists, one end": '"x": [' * MILLION + "]",
    "open and empty lists": '"x": [] "y": [' * (MILLION // 2),
    "blanks": '"x"' + " " * 5 * MILLION + ":" + " " * 5 * MILLION + "[",
    "other blanks": '"x"' + "\u2003" * MILLION + ":",
    "newlines": "\n" * 10 * MILLION,
    "quotes": '"' * 10 * MILLION,
    "single quotes": "'" * MILLION,
    "a long word": '"' + "a" * 10 * MILLION + '": [ ]',
    "an endless word": '"' + "a" * 10 * MILLION,
    "a long name": '"GRAB": ["' + "a" * 10 * MILLION + '", "1"]',
    "deep lists": '"GRAB": ' + "[" * MILLION + "]",
    "many entries": '"GRAB": [' + '"cup", "11", ' * MILLION + '"11"]',
    "many digits": '"GRAB": ["cup", ' + "9" * MILLION + "]",
    "surrogates": '"GRAB": ["\ud800", "1"]' * 1000,
    "zeros": "\0" * 10 * MILLION,
}


@pytest.mark.heavy
@pytest.mark.parametrize("name", HOSTILE)
def test_ten_megabytes_of_garbage_are_refused_at_once(name: str) -> None:
    # Names without ids are harder work; their loop matters only where there are many entries.
    without = NO_IDS if name == "many entries" else ()
    began = time.process_time()
    plan = read(HOSTILE[name], without)
    assert time.process_time() - began < 20  # at most 0.8 s when nothing else runs
    assert 1 <= len(plan.findings) <= 2
    assert all(len(f.message) + len(f.action) < 1000 for f in plan.findings)


@pytest.mark.heavy
def test_a_million_characters_of_steps_are_read() -> None:
    plan = read(written(*["GRAB cup.11"] * 40_000))
    assert len(plan.actions) == 40_000


@pytest.mark.parametrize("answer", [5, True, [], {}, ["x"], b"{}"])
@pytest.mark.parametrize("semantics", ["official", "strict"])
def test_an_answer_that_is_not_text_is_refused(answer: object, semantics: str) -> None:
    with pytest.raises(InputError, match=type(answer).__name__):
        SUITE.evaluate(
            "action_sequencing",
            TASK,
            answer,  # type: ignore[arg-type]
            SUITE.semantics(semantics),
        )


@settings(max_examples=100)
@given(st.text(st.sampled_from('"[]{}:, \n\\\'aGRBcup1"'), max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    plan = read(text)
    assert bool(plan.findings) != bool(plan.actions)


STEPS = st.lists(
    st.sampled_from(["SWITCHON lamp.10", "GRAB cup.11", "STANDUP", "PUTBACK cup.11 lamp.10"]),
    min_size=1,
    max_size=8,
)


@settings(max_examples=50)
@given(STEPS)
def test_what_is_written_is_read(steps: list[str]) -> None:
    text = written(*steps)
    actions = tuple(action(step.lower()) for step in steps)
    assert read(text).actions == actions
    assert read(text.replace('"', "'")).actions == actions
    assert read("```json\n" + text.replace(",", ",\n") + "\n```").actions == actions
    assert len(json.loads(text)) == len(actions)
