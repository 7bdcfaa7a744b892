"""Reading plans: every form in which models write them, one small example each."""

from __future__ import annotations

import pytest

from eai.answers import PlanReading, read_plan
from eai.errors import InputError

WALK_AND_SWITCH = (("WALK", ("light", "411")), ("SWITCHON", ("light", "411")))


def plain(reading: PlanReading) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((step.name, step.arguments) for step in reading.steps)


@pytest.mark.parametrize(
    "text",
    [
        '[{"WALK": ["light", "411"]}, {"SWITCHON": ["light", "411"]}]',
        '[\n  {"WALK": ["light", 411]},\n  {"SWITCHON": ["light", 411]}\n]',
        '{"WALK": ["light", "411"], "SWITCHON": ["light", "411"]}',
        '[{"WALK": ["light", "411"], "SWITCHON": ["light", "411"]}]',
        '[{"WALK": [["light", 411]]}, {"SWITCHON": [["light", 411]]}]',
        '[{"WALK": {"light": 411}}, {"SWITCHON": {"name": "light", "id": 411}}]',
        '[{"WALK": "light, 411"}, {"SWITCHON": "<light> (411)"}]',
        "[{'WALK': ['light', '411']}, {'SWITCHON': ('light', 411)}]",
        "[('WALK', ['light', 411]), ('SWITCHON', 'light', 411)]",
        '[["WALK", "light", "411"], ["SWITCHON", "light", "411"]]',
        "[{WALK: [light, 411]}, {SWITCHON: [light, 411]}]",
        '[{"action": "WALK", "object": "light", "id": 411},'
        ' {"action": "SWITCHON", "objects": ["light", 411]}]',
        '[{"name": "WALK", "arguments": {"object": "light", "id": "411"}},'
        ' {"name": "SWITCHON", "arguments": {"object": "light", "id": "411"}}]',
        '[{"step": 1, "action": "WALK(light, 411)"}, {"step": 2, "action": "SWITCHON light 411"}]',
        '{"output": [{"WALK": ["light", "411"]}, {"SWITCHON": ["light", "411"]}]}',
        '{"reasoning": "It is\ndark.", "plan": ["WALK(light, 411)", "SWITCHON(light, 411)"]}',
        '{"actions": "[{\\"WALK\\": [\\"light\\", 411]}, {\\"SWITCHON\\": [\\"light\\", 411]}]"}',
        '"[{\\"WALK\\": [\\"light\\", 411]},\\n {\\"SWITCHON\\": [\\"light\\", 411]}]"',
        '[{\\"WALK\\": [\\"light\\", \\"411\\"]}, {\\"SWITCHON\\": [\\"light\\", \\"411\\"]}]',
        '{"step 1": {"WALK": ["light", 411]}, "step 2": {"SWITCHON": ["light", 411]}}',
        '{"plan": "WALK(light, 411)\\nSWITCHON(light, 411)"}',
        '["[WALK] <light> (411)", "[SWITCHON] <light> (411)"]',
        '["WALK(light, 411)", "SWITCHON light 411"]',
        "[WALK(light, 411), SWITCHON(light, 411)]",
        '{"WALK": ["light", "411"]}\n{"SWITCHON": ["light", "411"]}',
        '1. {"WALK": ["light", "411"]}\n2. {"SWITCHON": ["light", "411"]}',
        '"WALK": ["light", "411"],\n"SWITCHON": ["light", "411"]',
        'WALK ["light", "411"]\nSWITCHON ["light", "411"]',
        "1. [WALK] <light> (411)\n2. [SWITCHON] <light> (411) [1]\n",
        "[WALK] <light> (411)\n[SWITCHON] <light> (411)",
        "WALK(light, 411)\nSWITCHON(<light>, 411)",
        "WALK(light, 411), SWITCHON(light, 411)",
        "0: (WALK light 411)\n1: (SWITCHON light 411)",
        "<char0> [WALK] <light> (411)\n<char0> [SWITCHON] <light> (411)",
        "1. **WALK**(light, 411)\n2. **SWITCHON** light 411",
        '{"WALK": ["light", "411"]} # go\n{"SWITCHON": ["light", "411"]} # on',
        "WALK(light, 411) -> SWITCHON(light, 411)",
        "WALK light 411\nSWITCHON light 411",
        "- WALK: light, 411\n- SWITCHON: light, 411",
        "Step 1: WALK(light, 411)  # go there\nStep 2: SWITCHON(light, 411) - turn it on",
    ],
)
def test_the_same_plan_in_many_forms(text: str) -> None:
    reading = read_plan(text)
    assert plain(reading) == WALK_AND_SWITCH
    assert reading.problems == ()


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ('```json\n[{"WALK": ["cup"]}]\n```', "code fence"),
        ('```json\n[{"WALK": ["cup"]}]', "code fence"),
        ("```\nWALK(cup)\n```", None),
        ("{'WALK': ['cup']}", "single quotes"),
        ("{'WALK': ['cup'],}", "trailing comma"),
        ('[{"WALK": ["cup"],}, ]', "trailing comma"),
        ('[{"WALK": ["cup"]} // go to the cup\n]', "comments"),
        ('[{"WALK": ["cup"]} # go to the cup\n]', "comments"),
        ('[/* first */ {"WALK": ["cup"]}]', "comments"),
        ('[{"WALK": ["cup"]}]<|eot_id|>', "special tokens"),
        ("WALK(cup)</s>", "special tokens"),
        ('<think>[{"GRAB": ["pot"]}]</think>[{"WALK": ["cup"]}]', "reasoning before the answer"),
        ('Here it is: [{"WALK": ["cup"]}] Good luck!', "text around the plan"),
        ('I don\'t need [x]; here it is: {"WALK": ["cup"]}', "text around the plan"),
        ("[{“WALK”: [“cup”]}]", "typographic characters"),
        ("\uff5b\uff02WALK\uff02\uff1a\uff3b\uff02cup\uff02\uff3d\uff5d", "typographic characters"),
        ('[{"WALK": ["cup"}]', "missing bracket"),
        ('[{"WALK": ["cup"]}}]', "stray bracket"),
        ('{"plan": [{"WALK": ["cup"]}]}', "a wrapper around the plan"),
        ('[{"WALK": ["cup"], "thought": "near"}]', "explanations between the steps"),
    ],
)
def test_repairs_are_noted(text: str, note: str | None) -> None:
    reading = read_plan(text)
    assert plain(reading) == (("WALK", ("cup",)),)
    assert reading.problems == ()
    assert note is None or note in reading.notes


@pytest.mark.parametrize(
    "text",
    [
        '{"STANDUP": []}',
        '{"STANDUP": [ ]}',
        '{"STANDUP": [""]}',
        '{"STANDUP": ""}',
        '{"STANDUP": null}',
        "{'STANDUP': None}",
        '{"STANDUP": {}}',
        '["STANDUP"]',
        '[["STANDUP"]]',
        '[{"action": "STANDUP"}]',
        '[{"action": "STANDUP", "objects": []}]',
        "[STANDUP]\n",
        "STANDUP()",
        "STANDUP",
    ],
)
def test_actions_without_objects(text: str) -> None:
    assert plain(read_plan(text)) == (("STANDUP", ()),)


def test_repeated_keys_stay_in_order() -> None:
    reading = read_plan('{"WALK": ["pot"], "GRAB": ["pot"], "WALK": ["stove"]}')
    assert plain(reading) == (("WALK", ("pot",)), ("GRAB", ("pot",)), ("WALK", ("stove",)))


def test_positions_are_offsets_in_the_answer() -> None:
    text = '<think>hm</think>Sure.\n```json\n[{"WALK": ["pot"]}, {"GRAB": ["pot"]}]\n```'
    reading = read_plan(text)
    assert [text[step.position :][:6] for step in reading.steps] == ['"WALK"', '"GRAB"']


@pytest.mark.parametrize(
    "text",
    [
        '[{"WALK": ["pot"]}, {"GRAB": ["p',
        '[{"WALK": ["pot"]}, {"GRAB": ["pot", 12',
        '[{"WALK": ["pot"]}, {"GRAB',
        '[{"WALK": ["pot"]}, {"GRAB":',
        '[{"WALK": ["pot"]}, {"action": "GRAB", "object": "p',
        '{"WALK": ["pot"], "GRAB": "po',
        '["WALK(pot)", "GRAB(po',
        "[WALK(pot), GRAB(pot",
        '```json\n[{"WALK": ["pot"]}, {"GRAB": ["pot"\n```',
        '[{"WALK": ["pot"]}',
        '{"plan": "[{\\"WALK\\": [\\"pot\\"]}, {\\"GRAB\\": [\\"po',
        "WALK(pot)\nGRAB(po",
    ],
)
def test_a_cut_answer_is_a_problem_but_its_whole_steps_are_given(text: str) -> None:
    reading = read_plan(text)
    assert plain(reading) in {(("WALK", ("pot",)),), ()}
    assert "ends" in reading.problems[0].message
    if "\\" not in text:
        assert plain(reading) == (("WALK", ("pot",)),)


def test_the_last_complete_plan_counts() -> None:
    text = 'First idea: [{"WALK": ["pot"]}]. Better: [{"GRAB": ["pot"]}]. Or [{"WALK": ["st'
    reading = read_plan(text)
    assert plain(reading) == (("GRAB", ("pot",)),)
    assert "several plans, of which the last complete one was read" in reading.notes


def test_a_fenced_plan_counts_more_than_one_outside() -> None:
    text = '```json\n[{"WALK": ["pot"]}]\n```\nNote that {"GRAB": ["pot"]} is not needed.'
    assert plain(read_plan(text)) == (("WALK", ("pot",)),)


def test_a_list_of_words_counts_less_than_a_plan() -> None:
    text = '[{"WALK": ["pot"]}] where ["pot", "12"] is the object'
    assert plain(read_plan(text)) == (("WALK", ("pot",)),)


@pytest.mark.parametrize("text", ["[]", "{}", "```json\n[]\n```", '{"plan": []}', "The plan: []."])
def test_the_empty_plan_is_a_plan(text: str) -> None:
    reading = read_plan(text)
    assert reading.steps == ()
    assert reading.problems == ()
    assert reading.notes[-1] == "the plan has no steps"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the answer is empty"),
        (" \n\t", "the answer is empty"),
        ("None", "there is no plan"),
        ("null", "there is no plan"),
        ("nan", "there is no plan"),
        ("}", "there is no plan"),
        ("411", "there is no plan"),
        ("I cannot help with that.", "there is no plan"),
        ("Walk to the light and switch it on.", "there is no plan"),
        ("1. Walk to the light\n2. Switch it on", "there is no plan"),
        ("- [ ] dishes", "there is no plan"),
        ('{"reasoning": "too hard"}', "there is no plan"),
        ("[1, 2, 3]", "'1' is not a step"),
        ("[the plan is as follows]", "'the plan is as follows' is not a step"),
        ('["walk to the light"]', "'walk to the light' is not a step"),
        ('<think>[{"WALK": ["pot"]}] perhaps', "the answer ends inside its reasoning"),
        ('[{"WALK": ["pot"]}]</think>', "the answer is empty"),
    ],
)
def test_what_is_no_plan(text: str, message: str) -> None:
    reading = read_plan(text)
    assert reading.steps == ()
    assert reading.problems[0].message.startswith(message)


def test_a_strange_step_among_others_is_a_problem_not_left_out() -> None:
    listed = read_plan('[{"WALK": ["pot"]}, "and so on", {"GRAB": ["pot"]}]')
    assert [step.name for step in listed.steps] == ["WALK", "GRAB"]
    assert listed.problems[0].message == "'and so on' is not a step"
    lines = read_plan("1. WALK(pot)\n2. take a rest on it\n3. GRAB(pot)")
    assert [step.name for step in lines.steps] == ["WALK", "GRAB"]
    assert lines.problems[0].message == "'2. take a rest on it' is not a step"


@pytest.mark.parametrize(
    "text",
    [
        '[{"WALK": ["pot"]}, ...]',
        '[{"WALK": ["pot"]},\n…\n]',
        '{"WALK": ["pot"], ...}',
        "WALK(pot)\n...\nWALK(pot)",
        '[{"WALK": ["pot"]}, {"action": ["GRAB", "OPEN"], "object": ["pot", "stove"]}]',
        '[{"WALK": ["pot"]}, {"output": null}]',
    ],
)
def test_what_the_model_left_out_is_a_problem(text: str) -> None:
    reading = read_plan(text)
    assert reading.steps[0].name == "WALK"
    assert reading.problems != ()


@pytest.mark.parametrize(
    "name", ["TYPE", "POINTAT", "TOUCH", "MOVE", "RELEASE", "RIGHT_PLACE_ONTOP"]
)
def test_no_action_is_taken_for_a_key_of_something_else(name: str) -> None:
    assert plain(read_plan(f'[{{"{name}": ["pot"]}}]')) == ((name, ("pot",)),)
    assert plain(read_plan(f"[{{{name}: (pot,)}}]")) == ((name, ("pot",)),)


def test_escapes_and_broken_characters() -> None:
    assert plain(read_plan('[{"WALK": ["caf\\u00e9", "\\q1", "a\\ud800b"]}]')) == (
        ("WALK", ("café", "q1", "a\ufffdb")),
    )
    assert plain(read_plan('[{"WALK": ["a\ud800b\0"]}]')) == (("WALK", ("ab",)),)


def test_apostrophes_in_names_do_not_end_a_string() -> None:
    assert plain(read_plan("{'WALK': ['john's cup']}")) == (("WALK", ("john's cup",)),)


def test_an_answer_has_to_be_text() -> None:
    with pytest.raises(InputError, match="an answer is NoneType, not text"):
        read_plan(None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    ["[" * 100_000, "[" * 100_000 + "]" * 100_000, '{"a":' * 100_000, "[{(" * 50_000],
    ids=["open", "closed", "objects", "mixed"],
)
def test_deep_nesting_is_a_problem(text: str) -> None:
    reading = read_plan(text)
    assert reading.steps == ()
    assert any("nested too deeply" in problem.message for problem in reading.problems)


def test_a_huge_number_is_only_a_name() -> None:
    reading = read_plan('[{"WALK": ["pot", ' + "9" * 50_000 + "]}]")
    assert len(reading.steps[0].arguments[1]) == 50_000


def test_of_a_very_long_answer_only_the_start_is_read() -> None:
    reading = read_plan('[{"WALK": ["pot"]}] ' + "so be it " * 200_000)
    assert plain(reading) == (("WALK", ("pot",)),)
    assert "only the first 250,000 were read" in reading.problems[0].message


def test_too_many_words_are_not_a_plan() -> None:
    reading = read_plan("[" + "{'WALK': (1,)}, " * 20_000 + "]")
    assert "more than 30,000 words" in reading.problems[0].message


def test_named_parts_that_are_repeated_in_one_object_are_steps_in_order() -> None:
    reading = read_plan('{"action": "WALK", "object": "cup", "action": "GRAB", "object": "cup"}')
    assert plain(reading) == (("WALK", ("cup",)), ("GRAB", ("cup",)))
    assert reading.problems == ()
    hidden = read_plan('[{"action": "WALK", "object": "cup", "action": "FLY"}]')
    assert plain(hidden) == (("WALK", ("cup",)), ("FLY", ()))
    cut = read_plan('{"action": "WALK", "object": "cup", "action": "GRAB", "obj')
    assert plain(cut) == (("WALK", ("cup",)),)
    assert cut.problems


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ('[["WALK light", "SWITCHON light"]]', ["WALK(light)", "SWITCHON(light)"]),
        ('[["WALK light"], ["WALK bed.10"]]', ["WALK(light)", "WALK(bed.10)"]),
        ('[["SWITCH on", "light"]]', ["SWITCH on(light)"]),
        ('[["SWITCH ON", "TABLE LAMP"]]', ["SWITCH ON(TABLE LAMP)"]),
        ('[["STAND up"]]', ["STAND up()"]),
        ('[["turn on", "table lamp"]]', ["turn on(table lamp)"]),
    ],
)
def test_a_list_of_whole_steps_is_no_step_with_its_objects(text: str, steps: list[str]) -> None:
    reading = read_plan(text)
    assert [str(step) for step in reading.steps] == steps
    assert reading.problems == ()
