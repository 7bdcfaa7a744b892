"""Answers of the commonest shapes are read as the three stages read them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, strategies as st

import eai
from eai.answers import Binder
from eai.answers.common import read_common
from eai.answers.document import open_document
from eai.answers.reading import read_document
from eai.answers.surfaces import Surfaces

TASK = eai.suite("household").task("house-13")
NAMES = TASK.readable
SURFACES = Surfaces.from_vocabulary(NAMES)
BINDER = Binder(NAMES)

objects = st.sampled_from(sorted(NAMES.objects))
written = objects.map(lambda name: name.replace(".", ", ")) | objects | st.sampled_from(
    sorted(NAMES.classes)
)  # fmt: skip
actions = st.sampled_from(sorted(NAMES.actions)).flatmap(
    lambda name: st.tuples(
        st.sampled_from([name, name.upper(), name.title()]),
        st.lists(written, min_size=0, max_size=NAMES.actions[name] + 1),
    )
)
plans = st.lists(actions, min_size=1, max_size=6)


def as_json(steps: list[tuple[str, list[str]]]) -> str:
    return json.dumps([{name: arguments} for name, arguments in steps])


def as_lines(steps: list[tuple[str, list[str]]]) -> str:
    return "\n".join(f"{name}({', '.join(arguments)})" for name, arguments in steps)


def as_strings(steps: list[tuple[str, list[str]]]) -> str:
    return json.dumps(as_lines(steps).split("\n"))


def as_numbered(steps: list[tuple[str, list[str]]]) -> str:
    lines = as_lines(steps).split("\n")
    return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, start=1))


def fenced(text: str) -> str:
    return f"```\n{text}\n```"


@given(
    plans,
    st.sampled_from([as_json, as_lines, as_numbered, as_strings]),
    st.sampled_from([str, fenced]),
)
def test_common_shapes_are_read_as_by_the_three_stages(steps, shape, around) -> None:  # type: ignore[no-untyped-def]
    text = around(shape(steps))
    quick = read_common(text, SURFACES)
    assert quick is not None
    whole = read_document(open_document(text), SURFACES)
    assert BINDER.actions(quick) == BINDER.actions(whole)


@pytest.mark.parametrize(
    "text",
    [
        "1. walk(bed.91)\n3. sleep()",
        "walk(bed.91) # comment",
        "walk(moon.1",
        "fly(bed.91)",
        '[{"WALK": ["bed.91"]}] or not',
        '[{"WALK": ["bed.91"], "GRAB": ["bed.91"]}]',
        "",
        "[]",
    ],
)
def test_what_is_unusual_is_left_to_the_three_stages(text: str) -> None:
    assert read_common(text, SURFACES) is None
