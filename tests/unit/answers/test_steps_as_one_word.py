"""Steps of PDDL as one word, as ``unstack_b_a``, with the phrases of a domain."""

from __future__ import annotations

import pytest
from pddl_blocks import names


@pytest.mark.parametrize(
    ("word", "step"),
    [
        ("unstack_b_a", ("unstack", ("b", "a"))),
        ("stack_d_b", ("stack", ("d", "b"))),
        ("pick_up_d", ("pick-up", ("d",))),
        ("unstack_b", None),  # lacks an object
        ("stack_b", None),
        ("unstack_b_a_fast", None),
        ("unstack_b_a_d", None),
        ("fly_b_a", None),
    ],
)
def test_one_word_is_a_step_if_it_has_an_action_and_its_objects_only(
    word: str, step: tuple[str, tuple[str, ...]] | None
) -> None:
    found = names(words=True).read_step(word)
    assert (found and (found.name, found.arguments)) == step


def test_words_that_only_begin_like_an_action_are_no_step() -> None:
    found = names(words=True).read_step("unstack b")
    assert found is not None
    assert (found.name, found.arguments, found.complete) == ("", (), False)
