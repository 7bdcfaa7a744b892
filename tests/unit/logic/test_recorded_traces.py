"""Trajectories of recorded facts: what they know, and what follows for quantifiers."""

from __future__ import annotations

from eai.logic import ActionAtom, Atom, Trace

STATES = [
    [Atom("on", ("cup", "desk"))],
    [Atom("on", ("cup", "desk")), Atom("on", ("plate", "desk")), Atom("on", ("cup",))],
    [Atom("on", ("cup", "shelf")), Atom("lit", ("desk",))],
]
ACTIONS = [ActionAtom("put", ("plate", "desk")), ActionAtom("put", ("cup", "shelf"))]


def trace() -> Trace:
    return Trace.of_states(STATES, ACTIONS, objects=["cup", "plate", "desk", "shelf"])


def test_histories_have_a_bit_for_every_state() -> None:
    assert trace().history("on", ("cup", "desk")) == 0b011
    assert trace().history("on", ("plate", "desk")) == 0b010
    assert trace().history("on", ("plate", "shelf")) == 0


def test_only_objects_that_ever_fit_the_given_arguments_are_looked_at() -> None:
    found = trace()
    assert found.ever("on", ("cup", None), 1) == {"desk", "shelf"}
    assert found.ever("on", (None, "desk"), 0) == {"cup", "plate"}
    assert found.ever("on", (None, None), 0) == {"cup", "plate"}
    assert found.ever("on", ("shelf", None), 1) == frozenset()
    assert found.ever("on", (None,), 0) == {"cup"}
    assert found.ever("lit", (None,), 0) == {"desk"}


def test_actions_are_found_by_their_name_and_arguments() -> None:
    assert trace().occurrences("put", ("cup", "shelf")) == 0b10
    assert trace().occurrences("put", ("cup", "desk")) == 0
    assert list(trace().taken("put")) == [(0, ("plate", "desk")), (1, ("cup", "shelf"))]
