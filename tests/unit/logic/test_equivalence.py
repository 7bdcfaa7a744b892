"""Questions about two formulas, and the trajectories that answer them."""

from __future__ import annotations

import pytest

from eai.logic import (
    FALSE,
    LAST,
    TRUE,
    ActionAtom,
    Always,
    And,
    Atom,
    Comparison,
    Eventually,
    Exists,
    Forall,
    Formula,
    Historically,
    Implies,
    Next,
    Not,
    Or,
    Release,
    StrongRelease,
    Then,
    Until,
    Variable,
    WeakNext,
    WeakUntil,
    automaton,
    entails,
    equivalent,
    satisfiable,
    valid,
)

P, Q, R = Atom("p"), Atom("q"), Atom("r")
GRAB, PUT = ActionAtom("grab", ("cup.1",)), ActionAtom("put", ("cup.1",))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (Eventually(P), Not(Always(Not(P)))),
        (WeakNext(P), Not(Next(Not(P)))),
        (Until(P, Q), Or((Q, And((P, Next(Until(P, Q))))))),
        (Release(P, Q), Not(Until(Not(P), Not(Q)))),
        (StrongRelease(P, Q), Until(Q, And((P, Q)))),
        (WeakUntil(P, Q), Release(Q, Or((P, Q)))),
        (Always(P), Eventually(And((LAST, Historically(P))))),
        (Then((P, Q)), Eventually(And((P, Next(Eventually(Q)))))),
        (Then((Then((P, Q)), R)), Then((P, Then((Q, R))))),
        (P, Eventually(P)),
        (Next(TRUE), Not(LAST)),
    ],
)
def test_laws(left: Formula, right: Formula) -> None:
    answer = equivalent(left, right)
    assert answer
    assert answer.word is None
    assert str(answer) == "equivalent on finite trajectories."
    assert entails(left, right)
    assert entails(right, left)


def test_a_shortest_trajectory_tells_formulas_apart() -> None:
    answer = equivalent(Then((P, P)), P)
    assert not answer
    assert answer.word == (frozenset({P}),)
    assert answer.verdicts == (False, True)
    assert str(answer).splitlines() == [
        "not equivalent on finite trajectories; "
        "on this trajectory the first fails and the second holds:",
        "  0: p",
    ]


def test_entailment_has_a_direction() -> None:
    assert entails(Then((P, Q)), Q)
    answer = entails(Q, Then((P, Q)))
    assert not answer
    assert answer.verdicts == (True, False)


def test_no_two_actions_at_once() -> None:
    assert not satisfiable(Eventually(And((GRAB, PUT))))
    assert not satisfiable(And((GRAB, PUT)))
    assert satisfiable(Eventually(And((P, Q))))


def test_no_action_from_the_last_position() -> None:
    answer = satisfiable(Eventually(GRAB))
    assert answer.word == (frozenset({GRAB}), frozenset())
    assert valid(Always(Implies(GRAB, Next(TRUE))))
    assert equivalent(Then((GRAB, Or((P, Not(P))))), GRAB)


def test_satisfiable_and_valid_show_trajectories() -> None:
    answer = satisfiable(Then((P, Q)))
    assert answer.word == (frozenset({P}), frozenset({Q}))
    assert answer.verdicts == (True,)
    assert satisfiable(FALSE) == Comparison("satisfiable", holds=False)
    assert valid(Or((P, Not(P))))
    assert valid(P).word == (frozenset(),)
    assert valid(P).verdicts == (False,)


def test_goals_over_objects() -> None:
    x = Variable("x")
    clean = Atom("clean", (x,))
    every, some = Forall((x,), clean), Exists((x,), clean)
    assert entails(every, some, objects=["cup.1", "cup.2"])
    answer = entails(some, every, objects=["cup.1", "cup.2"])
    assert answer.word is not None
    assert len(answer.word) == 1
    assert len(answer.word[0]) == 1
    assert equivalent(some, every, objects=["cup.1"])
    assert not entails(every, some, objects=[])


def test_the_trajectory_can_be_given_to_the_automata() -> None:
    left, right = Then((GRAB, P)), Then((P, GRAB))
    answer = equivalent(left, right)
    assert answer.word is not None
    assert answer.verdicts == (
        automaton(left).accepts(answer.word),
        automaton(right).accepts(answer.word),
    )


def test_texts_name_atoms_and_actions() -> None:
    answer = satisfiable(Then((And((GRAB, P, Q)), TRUE)))
    assert str(answer).splitlines()[1:] == ["  0: p, q; then grab(cup.1)", "  1: nothing"]
    assert "p, q; then grab(cup.1)" in answer._repr_html_()
    assert "<td>" not in satisfiable(FALSE)._repr_html_()


def test_readings() -> None:
    assert equivalent(P, Eventually(P))
    assert not equivalent(P, Eventually(P), reading="ltlf")
