"""The text of a completion, in every form in which trainers pass it."""

from __future__ import annotations

from types import MappingProxyType

import pytest

from eai.errors import InputError
from eai.rewards.completions import listed, text_of


@pytest.mark.parametrize(
    ("completion", "text"),
    [
        (None, None),
        ("walk", "walk"),
        ("", ""),
        (b"walk", "walk"),
        (bytearray(b"w\xff"), "w\ufffd"),
        (3, "3"),
        (2.5, "2.5"),
        (True, "true"),
        ({"role": "assistant", "content": "walk"}, "walk"),
        ({"content": "walk"}, "walk"),
        ({"role": "assistant"}, None),
        ({"role": "assistant", "content": None}, None),
        ({"content": ["wa", "lk"]}, "walk"),
        ({"content": [{"text": "wa"}, {"type": "text", "text": "lk"}]}, "walk"),
        ({"content": [{"type": "image"}, "walk", {"type": "text", "text": None}]}, "walk"),
        ({"content": []}, ""),
        ([], None),
        ([{"role": "user", "content": "no"}], None),
        ([{"role": "assistant", "content": "a"}, {"content": "b"}, {"role": "tool"}], "b"),
        ({"WALK": ["light"]}, '{"WALK": ["light"]}'),
        ([{"WALK": ["light"]}, {"content": "x"}], '[{"WALK": ["light"]}, {"content": "x"}]'),
        (({"WALK": []},), '[{"WALK": []}]'),
        (MappingProxyType({"WALK": MappingProxyType({"a": 1})}), '{"WALK": {"a": 1}}'),
    ],
)
def test_a_completion_has_one_text(completion: object, text: str | None) -> None:
    assert text_of(completion) == text


@pytest.mark.parametrize(
    "completion",
    [
        {1, 2},
        ["walk"],
        [{"WALK": []}, "walk"],
        {"WALK": {1}},
        {"content": 3},
        {"content": [3]},
        {"content": ["walk", 3]},
        {"content": [{"WALK": []}]},
        {"content": [{"text": "walk"}, {"WALK": []}]},
        {"content": [{"text": "walk"}, {"WALK": []}, 3]},
        {"content": {"text": "walk"}},
        object(),
    ],
)
def test_what_has_no_text_is_refused(completion: object) -> None:
    with pytest.raises(InputError) as caught:
        text_of(completion)
    assert caught.value.expected


def test_steps_in_the_content_of_a_message_are_told_from_other_things() -> None:
    said = []
    for content in ([{"WALK": []}, 3], [3, 4]):
        with pytest.raises(InputError) as caught:
            text_of({"content": content})
        said.append(caught.value.what)
    assert said[0] != said[1]
    assert "list" in said[1]


def test_tasks_and_completions_are_lists_of_one_length() -> None:
    assert listed("t", ["a", None]) == (["t", "t"], ["a", None])
    assert listed(["t", "u"], ("a", "b")) == (["t", "u"], ["a", "b"])
    assert listed(iter("tu"), iter("ab")) == (["t", "u"], ["a", "b"])
    assert listed("t", []) == ([], [])
    assert listed([], []) == ([], [])


@pytest.mark.parametrize(
    ("tasks", "completions", "mend"),
    [
        (["t"], ["a", "b"], "'t'"),
        (["t", "u"], ["a", "b", "c"], "repeat"),
        ([], ["a"], "repeat"),
        (["t", 3], ["a", "b"], ""),
        ("t", "a", "list"),
        ("t", {"t": "a"}, "keys"),
        ("t", 3, "list"),
    ],
)
def test_what_does_not_fit_together_is_refused(
    tasks: object, completions: object, mend: str
) -> None:
    with pytest.raises(InputError) as caught:
        listed(tasks, completions)
    assert caught.value.expected
    assert mend in (caught.value.mend or "")
