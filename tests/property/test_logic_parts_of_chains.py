"""Links of a chain on parts of a trajectory: where they end and begin is as the definition says."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from definition import holds, true_at
from list_trajectory import ListTrajectory

from eai.logic import (
    Always,
    And,
    Atom,
    Eventually,
    Exists,
    Forall,
    Formula,
    ForPairs,
    Historically,
    Next,
    Not,
    Once,
    Or,
    Previous,
    Release,
    Since,
    Then,
    Until,
    Variable,
    WeakNext,
    evaluate,
)
from eai.logic.links import automaton_of_link

P, Q = Atom("p"), Atom("q")
X = Variable("x")
CHAINS = [
    Then((P, Q)),
    Then((P, Always(Q))),
    Then((Always(P), Q)),
    Then((Not(Eventually(P)), Q)),
    Then((Eventually(P), Always(Q))),
    Then((Always(P), Always(Q))),
    Then((P, Not(Then((P, Q))))),
    Then((Until(P, Q), Not(Q))),
]
LINKS = [
    P,
    Not(P),
    And((P, Q)),
    Eventually(P),
    Always(P),
    Not(Eventually(P)),
    Until(P, Q),
    Release(P, Q),
    Next(P),
    WeakNext(P),
    Not(Until(P, Q)),
    Or((Always(P), Eventually(Q))),
    And((Next(P), Always(Or((P, Q))))),
    Then((P, Q)),
    Not(Then((P, Q))),
    Or((Not(Then((P, Q))), Q)),
    And((Not(Then((P, Q))), Not(Then((Q, P))))),
]
INSIDE = {
    str(formula): formula
    for chain in CHAINS
    for formula in (
        chain,
        Not(chain),
        Eventually(chain),
        Always(chain),
        Next(chain),
        Until(Not(Q), chain),
        Until(chain, P),
        Release(P, chain),
        Once(chain),
        Not(Eventually(Not(chain))),
        Then((P, Eventually(chain))),
        Or((And((chain, P)), Next(Next(chain)))),
    )
}


def trajectories(longest: int) -> list[ListTrajectory]:
    """Return all trajectories of two propositions up to a length."""
    states = [[], [("p",)], [("q",)], [("p",), ("q",)]]
    return [
        ListTrajectory((), chosen)
        for length in range(1, longest + 1)
        for chosen in product(states, repeat=length)
    ]


SHORT = trajectories(3)
LONGER = [
    ListTrajectory(
        (),
        [
            [fact for fact in (("p",), ("q",)) if Random(f"{seed} {at} {fact}").random() < 0.6]
            for at in range(5)
        ],
    )
    for seed in range(12)
]


@pytest.mark.parametrize("name", INSIDE)
def test_a_chain_inside_of_other_operators_is_true_as_defined(name: str) -> None:
    formula = INSIDE[name]
    for one in (*SHORT, *LONGER):
        assert evaluate(formula, one, reading="eai").holds == holds(formula, one, 0, one.length, {})


LOOKING_BACK = [
    Once(P),
    Since(Q, P),
    Previous(P),
    Historically(P),
    Eventually(And((Q, Previous(P)))),
]


@pytest.mark.parametrize("link", LOOKING_BACK, ids=str)
def test_what_looks_back_in_a_part_does_not_see_the_part_before(link: Formula) -> None:
    for formula in (
        Then((P, Or((Then((link, Q)), Then((Q, link)))), Q)),
        Then((P, Not(Then((link, Q))))),
        Then((P, Not(Then((Q, link))), Q)),
        Then((Or((Then((P, link)), Then((link, Q)))), P)),
    ):
        for one in SHORT:
            expected = holds(formula, one, 0, one.length, {})
            assert evaluate(formula, one, reading="eai").holds == expected


@pytest.mark.parametrize("link", LINKS, ids=str)
def test_a_link_ends_behind_the_parts_on_which_it_holds(link: Formula) -> None:
    machine = automaton_of_link(link)
    assert machine is not None
    random = Random(str(link))
    for one in (*SHORT, *LONGER):
        length = one.length
        vectors = [
            sum(1 << at for at in range(length) if true_at(leaf, one, at, {}))
            for leaf in machine.leaves
        ]
        for cuts in {1, 1 << length, random.randrange(1, 2 << length)}:
            begins = [at for at in range(length + 1) if cuts >> at & 1]
            expected = {
                end
                for start in begins
                for end in range(start, length + 1)
                if holds(link, one, start, end, {})
            }
            found = machine.ends(vectors, cuts, length)
            assert {at for at in range(length + 2) if found >> at & 1} == expected


def test_a_link_with_a_quantifier_has_no_automaton() -> None:
    assert automaton_of_link(Eventually(Exists((X,), Eventually(Atom("r", (X,)))))) is None
    assert automaton_of_link(Eventually(Exists((X,), Atom("r", (X,))))) is not None


CLEAN, USED = Atom("clean", (X,)), Atom("used", (X,))
CUP = Atom("clean", ("cup",))
QUANTIFIED = [
    kind((X,), Then((first, second)))
    for kind in (Exists, Forall)
    for first, second in ((CLEAN, USED), (CLEAN, Always(USED)), (Not(USED), Not(CLEAN)))
]
QUANTIFIED_INSIDE = [
    formula
    for link in (
        *QUANTIFIED,
        ForPairs(X, Variable("y"), Then((CLEAN, Atom("used", (Variable("y"),)))), 1),
    )
    for formula in (
        Eventually(Then((link, CUP))),
        Always(Or((CUP, Then((CUP, link))))),
        Then((CUP, Not(link), Not(CUP))),
        Then((Next(CUP), link)),
        Not(Eventually(Then((Not(CUP), link, CUP)))),
    )
]


@pytest.mark.parametrize("formula", QUANTIFIED_INSIDE, ids=str)
def test_a_quantified_chain_inside_of_other_operators_is_true_as_defined(formula: Formula) -> None:
    random = Random(str(formula))
    facts = [(name, thing) for name in ("clean", "used") for thing in ("cup", "pan")]
    for _ in range(12):
        states = [random.sample(facts, random.randint(0, 3)) for _ in range(random.randint(1, 5))]
        one = ListTrajectory(["cup", "pan"], states)
        assert evaluate(formula, one, reading="eai").holds == holds(formula, one, 0, one.length, {})
