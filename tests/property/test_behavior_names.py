"""Names of objects in BDDL text."""

from __future__ import annotations

from hypothesis import given, settings, strategies as st

from eai.suites.behavior.goals import bind_names

NAME = st.from_regex(r"[a-z]{1,3}\.n\.0[12](_[12])?", fullmatch=True)


@settings(max_examples=60)
@given(st.dictionaries(NAME, NAME.map(lambda name: name.replace(".", "")), max_size=3), st.data())
def test_names_are_bound_word_by_word(names: dict[str, str], data: st.DataObject) -> None:
    words = data.draw(st.lists(NAME | st.sampled_from([*names, "and"]), max_size=5))
    text = "(" + " ".join(f"?{word}" for word in words) + ")"
    bound = "(" + " ".join(names.get(word, f"?{word}") for word in words) + ")"
    assert bind_names(text, names) == bound
