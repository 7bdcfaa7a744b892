"""Items of YAML, tables of TOML and elements of XML are the values that they write."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st

from eai.answers.document import open_document
from eai.answers.values import Group, Node, Pair, Text


def plain(node: Node | None) -> Any:
    """Return a value as Python has it; numbers stay texts."""
    if node is None:
        return None
    if isinstance(node, Text):
        return node.value
    if node.kind == "object":
        pairs = [item for item in node.items if isinstance(item, Pair)]
        return {pair.key.value: plain(pair.value) for pair in pairs}
    return [plain(item) for item in node.items if not isinstance(item, Pair)]


def values(text: str) -> list[Any]:
    return [plain(block.value) for block in open_document(text).blocks if block.value is not None]


STEPS = [{"action": "WALK", "object": "hall"}, {"action": "OPEN", "object": "door"}]


@pytest.mark.parametrize(
    "text",
    [
        "steps:\n  - action: WALK\n    object: hall\n  - action: OPEN\n    object: door\n",
        "- action: WALK\n  object: hall\n\n- action: OPEN\n  object: door  # at last\n",
        '- "action": "WALK"\n  "object": \'hall\'\n- action: OPEN\n  object: door',
        '[[steps]]\naction = "WALK"\nobject = "hall"\n\n[[steps]]\naction = "OPEN"\n'
        'object = "door"\n',
        "<step><action>WALK</action><object>hall</object></step>\n"
        "<step><action>OPEN</action><object>door</object></step>",
    ],
)
def test_records_are_values(text: str) -> None:
    found = values(text)
    assert (found[0] if len(found) == 1 else found) == STEPS


def test_keys_hold_lists_and_objects() -> None:
    text = "- action: PUT\n  args:\n    - cup\n    - table\n  with:\n    arm: left\n  at: [1, 2]\n"
    assert values(text) == [
        [{"action": "PUT", "args": ["cup", "table"], "with": {"arm": "left"}, "at": ["1", "2"]}]
    ]


@pytest.mark.parametrize(
    "text",
    [
        "- WALK: hall\n- OPEN: door",  # one key each: lines
        "- action: WALK\n  object: hall\n- then open the door",  # one item is written otherwise
        "[[1]]\n\nA citation is no table.",
    ],
)
def test_what_is_written_otherwise_stays_lines(text: str) -> None:
    assert not any(
        isinstance(value, list) and value and "action" in value[0] for value in values(text)
    )


def test_an_item_of_one_key_among_others_is_a_record() -> None:
    text = "- action: WAKEUP\n- action: WALK\n  object: hall\n"
    assert values(text) == [[{"action": "WAKEUP"}, {"action": "WALK", "object": "hall"}]]


def test_calls_told_as_keys_and_values_in_turn() -> None:
    text = (
        "<tool_call>WALK\n<arg_key>object</arg_key>\n<arg_value>hall</arg_value>\n</tool_call>\n"
        "<tool_call>SLEEP\n</tool_call>"
    )
    assert values(text) == [
        {"name": "WALK", "arguments": {"object": "hall"}},
        {"name": "SLEEP", "arguments": {}},
    ]


def test_places_are_those_of_the_text() -> None:
    text = "Plan:\n- action: WALK\n  object: hall\n"
    [value] = [block.value for block in open_document(text).blocks if block.value is not None]
    [record] = value.items
    assert isinstance(record, Group)
    texts = [item for item in record.items if isinstance(item, Pair)]
    assert [text[pair.key.at : pair.key.end] for pair in texts] == ["action", "object"]
    assert [text[p.value.at : p.value.end] for p in texts if isinstance(p.value, Text)] == [
        "WALK",
        "hall",
    ]


WORDS = st.text(alphabet="abcdefgXYZ_", min_size=1, max_size=8).filter(lambda word: word[0] != "_")
RECORDS = st.lists(st.dictionaries(WORDS, WORDS, min_size=2, max_size=4), min_size=1, max_size=4)


@given(RECORDS)
def test_yaml_toml_and_json_of_the_same_records_are_the_same_value(
    records: list[dict[str, str]],
) -> None:
    yaml = "".join(
        "\n  ".join(
            [
                f"- {key}: {value}" if not n else f"{key}: {value}"
                for n, (key, value) in enumerate(record.items())
            ]
        )
        + "\n"
        for record in records
    )
    toml = "".join(
        "[[steps]]\n" + "".join(f'{key} = "{value}"\n' for key, value in record.items())
        for record in records
    )
    assert values(yaml) == values(toml) == values(json.dumps(records)) == [records]


@given(st.text(alphabet="-: [[]]ab=\n\"'#,{}<>/", max_size=200))
def test_any_text_is_read(text: str) -> None:
    assert open_document(text).text is not None


def test_lists_of_records_below_the_keys_of_others_are_values() -> None:
    item = "- name: WALK\n  parameters:\n    - name: target\n      value: hall"
    record = {"name": "WALK", "parameters": [{"name": "target", "value": "hall"}]}
    assert values(f"{item}\n\n{item}") == [[record, record]]
