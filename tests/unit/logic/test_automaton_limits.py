"""What is too large for an automaton is refused, soon and with a reason."""

from __future__ import annotations

import time

import pytest

from eai.errors import InputError
from eai.logic import (
    FALSE,
    LAST,
    Always,
    And,
    Atom,
    Eventually,
    Exists,
    Formula,
    Next,
    Not,
    Once,
    Or,
    Then,
    Variable,
    automaton,
    valid,
)
from eai.logic.links import automaton_of_link

P, Q = Atom("p"), Atom("q")


def _before_the_end(distance: int) -> Formula:
    """A formula whose automaton has to remember the last positions."""
    formula: Formula = LAST
    for _ in range(distance):
        formula = Next(formula)
    return Eventually(And((P, formula)))


def _many(kind: type[Eventually | Once], number: int) -> Formula:
    return And(tuple(kind(Atom(f"p{i}")) for i in range(number)))


@pytest.mark.heavy
@pytest.mark.parametrize(
    "formula",
    [
        _many(Eventually, 30),
        _many(Eventually, 390),
        Eventually(And((Not(Next(Next(P))), _many(Once, 30)))),
        _before_the_end(40),
        Then((_before_the_end(6), _before_the_end(7))),
        Always(Or(tuple(Next(And((Atom(f"p{i}"), Next(Atom(f"q{i}"))))) for i in range(60)))),
    ],
)
def test_what_explodes_is_refused(formula: Formula) -> None:
    start = time.process_time()
    with pytest.raises(InputError, match="hint: ") as caught:
        automaton(formula, limit=500)
    assert caught.value.mend is not None
    assert time.process_time() - start < 20


def test_the_limit_is_the_number_of_states() -> None:
    chain = Then(tuple(Atom(f"p{i}") for i in range(50)))
    assert len(automaton(chain, limit=51).states) == 51
    with pytest.raises(InputError, match="more than 50 states"):
        automaton(chain, limit=50)


def test_the_limit_of_a_search() -> None:
    with pytest.raises(InputError, match="raise limit"):
        valid(Not(_many(Eventually, 30) & Always(Not(And((P, Next(P)))))), limit=10)


@pytest.mark.heavy
def test_as_many_propositions_as_there_are() -> None:
    x, y = Variable("x"), Variable("y")
    near = Then((Exists((x,), Exists((y,), Atom("near", (x, y)))), P))
    found = automaton(near, objects=[f"cup.{i}" for i in range(30)])
    assert (len(found.letters), len(found.states)) == (901, 3)
    last = Atom("near", ("cup.29", "cup.29"))
    assert found.accepts([{last}, {P}])
    assert not found.accepts([{P}, {last}])
    assert len(found.transitions) == 5
    more = automaton(near, objects=[f"cup.{i}" for i in range(45)])
    assert len(more.transitions) == 5


def test_one_state_is_enough_for_what_is_never_true() -> None:
    assert len(automaton(FALSE, limit=1).states) == 1


@pytest.mark.parametrize("limit", [0, -1])
def test_limits_are_positive(limit: int) -> None:
    with pytest.raises(InputError, match="positive"):
        automaton(P, limit=limit)


def test_objects_are_needed_for_quantifiers() -> None:
    goal = Exists((Variable("x"),), Atom("clean", (Variable("x"),)))
    with pytest.raises(InputError, match="objects="):
        automaton(goal)
    with pytest.raises(InputError, match="names of objects"):
        automaton(goal, objects="cup.1")


def test_variables_must_be_bound() -> None:
    with pytest.raises(InputError, match="'x' is not bound"):
        automaton(Atom("clean", (Variable("x"),)), objects=["cup.1"])


def test_readings_have_names() -> None:
    with pytest.raises(InputError, match="'eai' or 'ltlf'"):
        automaton(P, reading="mtl")  # type: ignore[arg-type]


def test_a_link_with_too_many_states_has_no_automaton() -> None:
    def link(count: int) -> Formula:
        return And(tuple(Eventually(Atom(f"p{number}")) for number in range(count)))

    assert automaton_of_link(link(5)) is not None
    assert automaton_of_link(link(9)) is None
