"""Reading BEHAVIOR answers: as the published evaluator does, and as they are."""

from __future__ import annotations

import pytest
from small_behavior import OFFICIAL, STRICT, SUITE, kitchen, task_in, written

from eai.suites.behavior.reader import read_answer

TASK = task_in(kitchen())
GRASP = '{"action": "RIGHT_GRASP", "object": "egg_6"}'


def read(text: str, *without: str) -> tuple[list[str], list[str]]:
    """Steps and kinds of findings under ``official``, some quirks switched off."""
    semantics = SUITE.semantics("official", without=without) if without else OFFICIAL
    plan = read_answer(text, TASK.vocabulary, semantics)
    return [str(action) for action in plan.actions], [f.kind.value for f in plan.findings]


@pytest.mark.parametrize(
    "text",
    [
        f"[{GRASP}]",
        f"The plan is:\n```json\n[{GRASP}]\n```",
        f"[{GRASP}, ] and more",
        "[{'action': 'RIGHT_GRASP', 'object': ' egg_6 '}]",
        f"[{GRASP}, # then nothing\n]",
        f'["thinking", {GRASP}, {{"action": "OPEN"}}, 3]',
        '[{"action": "OPEN", "object": "x", "action": "RIGHT_GRASP", "object": "egg_6"}]',
        '[{"action": "RIGHT_" "GRASP", "object": "\\x65gg_6"}]',
        f'[{GRASP}, {{"action": True}}]',
    ],
)
def test_a_list_of_literals_behind_the_first_bracket_is_read(text: str) -> None:
    assert read(text) == (["right_grasp(egg_6)"], [])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I cannot do that.",
        "[]",
        f"[{GRASP}",
        f"] [{GRASP}",
        f"[see below] [{GRASP}]",
        f"[{GRASP}, null]",
        '[{"action": "RIGHT_GRASP", "object": egg_6}]',
        '[{"action": "RIGHT_GRASP", "object": ["egg_6"]}]',
        '[{"RIGHT_GRASP": "egg_6"}]',
        '[{"action": "RIGHT_GRASP", "object": "egg_6"',
        f"[{GRASP}, \0]",
        f"[{GRASP}, '\ud800']",
        "[" + '{"a": ' * 5000 + "1" + "}" * 5000 + "]",
        "[" + "(" * 5000 + "]",
        '[{"action": "RIGHT_GRASP", "object": "egg" + "_6"}]',
        "[print(1)]",
    ],
)
def test_anything_else_is_no_plan(text: str) -> None:
    assert read(text) == ([], ["parsing"])


def test_only_json_may_be_very_long() -> None:
    steps = ", ".join([GRASP] * 10_000)
    assert len(read(f"[{steps}]")[0]) == 10_000
    assert read(f"[{steps}, ]") == ([], ["parsing"])


@pytest.mark.parametrize(
    ("step", "kind"),
    [
        ("right_grasp egg_6", "action_hallucination"),
        ("LEVITATE egg_6", "action_hallucination"),
        ("RIGHT_GRASP egg", "object_hallucination"),
        ("RIGHT_GRASP EGG_6", "object_hallucination"),
        ("RIGHT_GRASP egg_6, unicorn_1", "object_hallucination"),
        ("RIGHT_GRASP egg_6, jar_3", "argument_number"),
        ("RIGHT_PLACE_NEXTTO_ONTOP egg_6", "argument_number"),
        ("RIGHT_PLACE_NEXTTO_ONTOP egg_6, jar_3, jar_4", "argument_number"),
        ("BURN egg_6, jar_3", "argument_number"),
    ],
)
def test_names_and_numbers_are_checked(step: str, kind: str) -> None:
    assert read(written([step])) == ([], [kind])


def test_names_are_checked_before_numbers_and_the_first_error_is_the_only_one() -> None:
    steps = ["OPEN jar_3, jar_4", "RIGHT_GRASP unicorn_1", "LEVITATE egg_6"]
    plan = read_answer(written(steps), TASK.vocabulary, OFFICIAL)
    (finding,) = plan.findings
    assert (finding.kind.value, finding.step) == ("object_hallucination", 2)
    assert finding.action == "RIGHT_GRASP(unicorn_1)"
    assert plan.written == ("OPEN(jar_3, jar_4)", "RIGHT_GRASP(unicorn_1)", "LEVITATE(egg_6)")


@pytest.mark.parametrize(
    ("item", "kind"),
    [
        ('{"action": 3, "object": "egg_6"}', "action_hallucination"),
        ('{"action": (1, 2), "object": "egg_6"}', "action_hallucination"),
        ('{"action": {"name": "OPEN"}, "object": "egg_6"}', "unscorable"),
        ('{"action": "OPEN", "object": 6}', "unscorable"),
        ('{"action": "OPEN", "object": {"name": "egg_6"}}', "unscorable"),
    ],
)
def test_what_is_not_text_is_no_name(item: str, kind: str) -> None:
    assert read(f"[{item}]") == ([], [kind])


def test_without_exact_names_case_does_not_matter_and_all_errors_are_listed() -> None:
    steps = ["right_grasp Egg_6", "OPEN jar_3, jar_4", "LEVITATE egg_6"]
    assert read(written(steps[:1]), "exact_names") == (["right_grasp(egg_6)"], [])
    assert read(written(steps), "exact_names")[1] == ["argument_number", "action_hallucination"]
    assert read("nothing", "exact_names") == ([], ["parsing"])


def test_without_the_first_bracket_the_plan_is_found_where_it_is() -> None:
    text = f"[see below]\n```json\n[{GRASP}]\n```"
    assert read(text, "first_bracket") == (["right_grasp(egg_6)"], [])
    assert read(f"[{GRASP}", "first_bracket") == (["right_grasp(egg_6)"], [])
    assert read(f"[{GRASP},", "first_bracket")[1] == ["parsing"]
    assert read(written(["right_grasp egg_6"]), "first_bracket")[1] == ["action_hallucination"]


def test_strict_reads_what_is_there() -> None:
    plan = read_answer(
        "Sure! [{'action': 'left_place_nextto_ontop', 'object': 'jar_3, table_1'}]",
        TASK.vocabulary,
        STRICT,
    )
    assert [str(action) for action in plan.actions] == ["left_place_nextto_ontop(jar_3, table_1)"]
