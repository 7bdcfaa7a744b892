"""The compact form of a BEHAVIOR task loses nothing."""

from __future__ import annotations

import json

from hypothesis import given, settings, strategies as st

from eai.suites.behavior.compact import CompactTask, Words
from eai.suites.behavior.goals import bind_names

WORD = st.sampled_from(["not", "open", "inside", "jar.n.01_1", "jar.n.01_2", "?x", "été"])
WORDS: st.SearchStrategy[Words] = st.lists(WORD, max_size=4).map(tuple)
OPTIONS = st.lists(st.lists(WORDS, max_size=3).map(tuple), max_size=3).map(tuple)
OBJECT = st.tuples(WORD, WORD, st.lists(WORD, max_size=3).map(tuple))

TASKS = st.builds(
    CompactTask,
    id=WORD,
    activity=WORD,
    place=WORD,
    instruction=WORD,
    objects=st.lists(OBJECT, max_size=3).map(tuple),
    initial=st.lists(WORDS, max_size=3).map(tuple),
    goal=WORD,
    plan=st.lists(st.tuples(WORD, WORD), max_size=3).map(tuple),
    options=st.lists(OPTIONS, max_size=3).map(tuple),
    terms=st.lists(st.tuples(WORDS, st.booleans()), max_size=3).map(tuple),
)


@settings(max_examples=60, deadline=None)
@given(TASKS)
def test_a_task_survives_the_round_trip(task: CompactTask) -> None:
    assert CompactTask.from_json(json.loads(json.dumps(task.to_json()))) == task


NAME = st.from_regex(r"[a-z]{1,3}\.n\.0[12](_[12])?", fullmatch=True)


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(NAME, NAME.map(lambda name: name.replace(".", "")), max_size=3), st.data())
def test_names_are_bound_word_by_word(names: dict[str, str], data: st.DataObject) -> None:
    words = data.draw(st.lists(NAME | st.sampled_from([*names, "and"]), max_size=5))
    text = "(" + " ".join(f"?{word}" for word in words) + ")"
    bound = "(" + " ".join(names.get(word, f"?{word}") for word in words) + ")"
    assert bind_names(text, names) == bound
