"""Reading plans: every form in which models write them, one small example each."""

from __future__ import annotations

import pytest

from eai.answers import PlanReading, bind, read_answer, read_plan
from eai.errors import InputError
from eai.task import Vocabulary

CLASSES = {
    "light": ("light.411", "light.245"),
    "cup": ("cup.1",),
    "pot": ("pot.2",),
    "stove": ("stove.3",),
}
HOME = Vocabulary(
    actions={
        "walk": 1,
        "switchon": 1,
        "grab": 1,
        "open": 1,
        "standup": 0,
        "type": 1,
        "pointat": 1,
        "touch": 1,
        "move": 1,
        "release": 1,
        "right_place_ontop": 1,
    },
    predicates={},
    objects=frozenset(name for members in CLASSES.values() for name in members),
    classes=CLASSES,
)


def read(text: str) -> PlanReading:
    return read_answer(text, HOME)


def plain(reading: PlanReading) -> list[str]:
    """Return the steps with the names of the task."""
    return [str(action) for action in bind(reading, HOME).actions]


def names(reading: PlanReading) -> list[str]:
    return [step.name for step in reading.steps]


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
    reading = read(text)
    assert plain(reading) == ["walk(light.411)", "switchon(light.411)"]
    assert reading.problems == ()
    assert reading.status == "clean"


@pytest.mark.parametrize(
    "text",
    [
        '```json\n[{"WALK": ["cup"]}]\n```',
        '```json\n[{"WALK": ["cup"]}]',
        "```\nWALK(cup)\n```",
        "{'WALK': ['cup']}",
        "{'WALK': ['cup'],}",
        '[{"WALK": ["cup"],}, ]',
        '[{"WALK": ["cup"]} // go to the cup\n]',
        '[{"WALK": ["cup"]} # go to the cup\n]',
        '[/* first */ {"WALK": ["cup"]}]',
        '[{"WALK": ["cup"]}]<|eot_id|>',
        "WALK(cup)</s>",
        '<think>[{"GRAB": ["pot"]}]</think>[{"WALK": ["cup"]}]',
        'Here it is: [{"WALK": ["cup"]}] Good luck!',
        'I don\'t need [x]; here it is: {"WALK": ["cup"]}',
        "[{“WALK”: [“cup”]}]",
        "\uff5b\uff02WALK\uff02\uff1a\uff3b\uff02cup\uff02\uff3d\uff5d",
        '[{"WALK": ["cup"}]',
        '[{"WALK": ["cup"]}}]',
        '{"plan": [{"WALK": ["cup"]}]}',
        '[{"WALK": ["cup"], "thought": "near"}]',
    ],
)
def test_what_is_wrapped_or_broken_is_repaired(text: str) -> None:
    reading = read(text)
    assert plain(reading) == ["walk(cup.1)"]
    assert reading.problems == ()
    assert reading.status == "clean"


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
    assert plain(read(text)) == ["standup()"]


def test_repeated_keys_stay_in_order() -> None:
    reading = read('{"WALK": ["pot"], "GRAB": ["pot"], "WALK": ["stove"]}')
    assert plain(reading) == ["walk(pot.2)", "grab(pot.2)", "walk(stove.3)"]


def test_positions_are_offsets_in_the_answer() -> None:
    text = '<think>hm</think>Sure.\n```json\n[{"WALK": ["pot"]}, {"GRAB": ["pot"]}]\n```'
    reading = read(text)
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
        '[{"WALK": ["pot"]},',
        '{"plan": "[{\\"WALK\\": [\\"pot\\"]}, {\\"GRAB\\": [\\"po',
        "WALK(pot)\nGRAB(po",
    ],
)
def test_a_cut_answer_is_a_problem_but_its_whole_steps_are_given(text: str) -> None:
    reading = read(text)
    assert reading.problems
    assert reading.status == "partial"
    if "\\" in text:
        assert names(reading) in ([], ["WALK"])  # a text in a string
    else:
        assert [(step.name, step.arguments) for step in reading.steps] == [("WALK", ("pot",))]


def test_a_better_plan_counts_more_than_a_draft_and_than_a_cut_one() -> None:
    reading = read(
        'First idea: [{"WALK": ["pot"]}]. Better: [{"GRAB": ["pot"]}]. Or [{"WALK": ["st'
    )
    assert names(reading) == ["GRAB"]
    assert reading.rule == "final"
    assert reading.problems  # the answer is cut


def test_a_remark_on_a_plan_in_a_fence_is_no_second_plan() -> None:
    text = '```json\n[{"WALK": ["pot"]}]\n```\nNote that {"GRAB": ["pot"]} is not needed.'
    assert plain(read(text)) == ["walk(pot.2)"]
    listed = read('[{"WALK": ["pot"]}] where ["pot", "2"] is the object')
    assert plain(listed) == ["walk(pot.2)"]
    assert listed.problems == ()


@pytest.mark.parametrize("text", ["[]", "{}", "```json\n[]\n```", '{"plan": []}', "The plan: []."])
def test_the_empty_plan_is_a_plan(text: str) -> None:
    reading = read(text)
    assert reading.steps == ()
    assert reading.problems == ()
    assert reading.status == "clean"


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n\t",
        "None",
        "null",
        "nan",
        "}",
        "411",
        "I cannot help with that.",
        "- [ ] dishes",
        '{"reasoning": "too hard"}',
        "[1, 2, 3]",
        "[the plan is as follows]",
        '["fly to the moon"]',
        '<think>[{"WALK": ["pot"]}] perhaps',
        '[{"WALK": ["pot"]}]</think>',
    ],
)
def test_what_is_no_plan(text: str) -> None:
    reading = read(text)
    assert reading.steps == ()
    assert reading.problems
    assert reading.status == "none"


def test_sentences_of_the_vocabulary_are_a_plan() -> None:
    reading = read("Walk to the light and switch it on.")
    assert plain(reading) == ["walk(light.411)", "switchon(light.411)"]
    assert reading.problems == ()


def test_a_pronoun_stands_for_the_object_of_the_step_before() -> None:
    reading = read("1. Walk to the light\n2. Switch it on")
    assert plain(reading) == ["walk(light.411)", "switchon(light.411)"]
    assert reading.problems == ()


def test_a_strange_step_among_others_is_a_problem_not_left_out() -> None:
    listed = read('[{"WALK": ["pot"]}, "and so on", {"GRAB": ["pot"]}]')
    assert names(listed) == ["WALK", "GRAB"]
    assert [problem.written for problem in listed.problems] == ["and so on"]
    lines = read("1. WALK(pot)\n2. take a rest on it\n3. GRAB(pot)")
    assert names(lines) == ["WALK", "GRAB"]
    assert [problem.written for problem in lines.problems] == ["2. take a rest on it"]
    assert {listed.status, lines.status} == {"partial"}


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
    reading = read(text)
    assert names(reading)[0] == "WALK"
    assert reading.problems
    assert reading.status == "partial"


@pytest.mark.parametrize(
    "name", ["TYPE", "POINTAT", "TOUCH", "MOVE", "RELEASE", "RIGHT_PLACE_ONTOP"]
)
def test_no_action_is_taken_for_a_key_of_something_else(name: str) -> None:
    assert plain(read(f'[{{"{name}": ["pot"]}}]')) == [f"{name.lower()}(pot.2)"]
    assert plain(read(f"[{{{name}: (pot,)}}]")) == [f"{name.lower()}(pot.2)"]


def test_escapes_and_broken_characters() -> None:
    (step,) = read('[{"WALK": ["caf\\u00e9", "\\q1", "a\\ud800b"]}]').steps
    assert step.arguments == ("café", "q1", "a\ufffdb")
    (step,) = read('[{"WALK": ["a\ud800b\0"]}]').steps
    assert step.arguments == ("ab",)


def test_apostrophes_in_names_do_not_end_a_string() -> None:
    (step,) = read("{'WALK': ['john's cup']}").steps
    assert step.arguments == ("john's cup",)


def test_an_answer_has_to_be_text() -> None:
    for reader in (read, read_plan):
        with pytest.raises(InputError):
            reader(None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    ["[" * 100_000, "[" * 100_000 + "]" * 100_000, '{"a":' * 20_000, "[{(" * 50_000],
    ids=["open", "closed", "objects", "mixed"],
)
def test_deep_nesting_is_a_problem(text: str) -> None:
    reading = read(text)
    assert reading.steps == ()
    assert reading.problems


def test_a_huge_number_is_only_a_name() -> None:
    reading = read('[{"WALK": ["pot", ' + "9" * 50_000 + "]}]")
    assert len(reading.steps[0].arguments[1]) == 50_000


def test_of_a_very_long_answer_only_the_start_is_read() -> None:
    reading = read('[{"WALK": ["pot"]}] ' + "so be it " * 200_000)
    assert names(reading) == ["WALK"]
    assert reading.problems


def test_too_many_words_are_a_problem() -> None:
    assert read("[" + "{'WALK': (1,)}, " * 20_000 + "]").problems


def test_named_parts_that_are_repeated_in_one_object_are_steps_in_order() -> None:
    reading = read('{"action": "WALK", "object": "cup", "action": "GRAB", "object": "cup"}')
    assert plain(reading) == ["walk(cup.1)", "grab(cup.1)"]
    assert reading.problems == ()
    hidden = read('[{"action": "WALK", "object": "cup", "action": "FLY"}]')
    assert names(hidden) == ["WALK", "FLY"]
    cut = read('{"action": "WALK", "object": "cup", "action": "GRAB", "obj')
    assert names(cut) == ["WALK"]
    assert cut.problems


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ('[["WALK light", "SWITCHON light"]]', ["WALK(light)", "SWITCHON(light)"]),
        ('[["WALK light"], ["WALK bed.10"]]', ["WALK(light)", "WALK(bed.10)"]),
        ('[["SWITCH on", "light"]]', ["SWITCH on(light)"]),
        ('[["SWITCH ON", "TABLE LAMP"]]', ["SWITCH ON(TABLE LAMP)"]),
        ('[["STAND up"]]', ["STAND up()"]),
    ],
)
def test_a_list_of_whole_steps_is_no_step_with_its_objects(text: str, steps: list[str]) -> None:
    reading = read(text)
    assert [str(step) for step in reading.steps] == steps
    assert reading.problems == ()


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ('[{"WALK": ["light", "411"]}, {"SWITCHON": ["light", "411"]}]', 2),
        ("[WALK] <light> (411)\n[SWITCHON] <light> (411)", 2),
        ("walk(light.411)\nswitchon(light.411)", 2),
        ('[{"action": "fly", "object": "moon"}]', 1),
        ("I would walk to the light and switch it on.", 0),
        ("", 0),
        ("[]", 0),
    ],
)
def test_without_a_vocabulary_only_what_is_clearly_a_step_is_read(text: str, steps: int) -> None:
    reading = read_plan(text)
    assert len(reading.steps) == steps
    assert bool(reading.problems) == (steps == 0 and text != "[]")


@pytest.mark.parametrize("count", [5, 60, 400])
def test_a_row_of_calls_may_be_long(count: int) -> None:
    row = read(", ".join(["WALK(light.411)"] * count))
    assert plain(row) == ["walk(light.411)"] * count
    assert row.problems == ()
