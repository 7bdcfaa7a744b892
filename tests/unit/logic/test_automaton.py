"""Automata of well-known formulas, and what can be asked of them."""

from __future__ import annotations

import pickle
from itertools import combinations

import pytest
from list_trajectory import ListTrajectory

from eai.errors import InputError
from eai.logic import (
    FALSE,
    FIRST,
    LAST,
    TRUE,
    ActionAtom,
    Always,
    And,
    Atom,
    Automaton,
    Count,
    Eventually,
    Exists,
    Forall,
    Formula,
    ForPairs,
    Historically,
    Implies,
    Next,
    Not,
    Once,
    Previous,
    Since,
    Then,
    Until,
    Variable,
    WeakNext,
    WeakUntil,
    automata as module,
    automaton,
    equivalent,
)

P, Q, R, S = Atom("p"), Atom("q"), Atom("r"), Atom("s")
X = Variable("x")


def states(formula: Formula) -> int:
    return len(automaton(formula).states)


def accepts(formula: Formula, text: str) -> bool:
    """Evaluate a word such as ``"p pq -"``."""
    word = [{Atom(name) for name in letter if name != "-"} for letter in text.split()]
    return automaton(formula).accepts(word)


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (TRUE, 1),
        (FALSE, 1),
        (Eventually(P), 2),
        (Always(P), 2),
        (Until(P, Q), 3),
        (WeakUntil(P, Q), 3),
        (Next(P), 4),
        (LAST, 3),
        (Eventually(And((P, LAST))), 2),
        (Always(Implies(P, Next(Q))), 3),
    ],
)
def test_known_sizes(formula: Formula, expected: int) -> None:
    assert states(formula) == expected


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        # Dwyer, Avrunin & Corbett 1998: absence, existence, bounded existence, precedence,
        # response, absence after an event until another, absence between two events.
        (Always(Not(P)), 2),
        (Eventually(P), 2),
        (WeakUntil(Not(P), And((P, WeakUntil(P, Always(Not(P)))))), 4),
        (WeakUntil(Not(P), S), 3),
        (Always(Implies(P, Eventually(S))), 2),
        (Always(Implies(And((Q, Not(R))), WeakUntil(Not(P), R))), 3),
        (Always(Implies(And((Q, Not(R), Eventually(R))), Until(Not(P), R))), 4),
    ],
)
def test_patterns_of_dwyer(formula: Formula, expected: int) -> None:
    assert states(formula) == expected


@pytest.mark.parametrize("links", range(1, 9))
def test_a_chain_of_k_links_has_one_state_more(links: int) -> None:
    chain = Then(tuple(Atom(f"p{i}") for i in range(links)))
    assert states(chain) == links + 1
    assert states(Then((P,) * links)) == links + 1


def test_long_chains_stay_small() -> None:
    chain = Then(tuple(Atom(f"p{i}") for i in range(60)))
    assert states(chain) == 61


def test_a_chain_in_a_chain_is_the_same_chain() -> None:
    assert automaton(Then((Then((P, Q)), R))) == automaton(Then((P, Q, R)))


def test_one_position_cannot_serve_two_links() -> None:
    assert not accepts(Then((P, Q)), "pq")
    assert accepts(Then((P, Q)), "pq q")


def test_without_then_a_goal_is_sought_at_every_position() -> None:
    assert accepts(And((P, Q)), "- pq -")
    assert not accepts(And((P, Q)), "p q")


def test_reading_at_the_first_position() -> None:
    assert automaton(P, reading="ltlf").accepts([{P}, set()])
    assert not automaton(P, reading="ltlf").accepts([set(), {P}])
    assert not automaton(Then((P, Q)), reading="ltlf").accepts([{P}])


def test_reading_as_a_goal() -> None:
    assert not accepts(Next(P), "- - p")
    assert automaton(Next(P), reading="eai") == automaton(Eventually(Next(P)))
    assert automaton(Then((P, Q)), reading="eai") == automaton(Then((P, Q)))


def test_negated_chains_hold_on_empty_parts() -> None:
    # The first part may be empty, and an empty part cannot be cut into p and q.
    assert equivalent(Then((Not(Then((P, Q))), R)), R)
    assert accepts(Then((R, Not(Then((P, Q))))), "r")


def test_links_evaluate_their_own_part_only() -> None:
    whole = Always(P)
    assert accepts(Then((whole, Always(Q))), "p p q")
    assert not accepts(Then((whole, Always(Q))), "p - q")
    # What was before the part is not in its past.
    assert not accepts(Then((P, Eventually(And((Q, Previous(P)))))), "p q")
    assert accepts(Then((P, Eventually(And((Q, Previous(P)))))), "p p q")


def test_next_at_the_end() -> None:
    assert not accepts(Next(P), "p")
    assert accepts(WeakNext(P), "p")
    assert not accepts(WeakNext(P), "p -")
    assert accepts(Next(P), "- p")


def test_past_operators_look_back() -> None:
    assert accepts(Always(Implies(Q, Once(P))), "p - q")
    assert not accepts(Always(Implies(Q, Once(P))), "- q p")
    assert accepts(Eventually(And((LAST, Since(P, Q)))), "- q p p")
    assert not accepts(Eventually(And((LAST, Since(P, Q)))), "q - p")
    assert accepts(Eventually(And((LAST, Historically(P)))), "p p")
    assert not accepts(Previous(TRUE), "p p")
    assert accepts(Eventually(Previous(FIRST)), "p p")


def test_past_over_future() -> None:
    assert accepts(Eventually(And((LAST, Once(And((P, Next(Q))))))), "- p q -")
    assert not accepts(Eventually(And((LAST, Once(And((P, Next(Q))))))), "p - q p")


def test_quantifiers_range_over_the_objects_of_their_types() -> None:
    clean = Atom("clean", (X,))
    objects = {"cup.1": "food", "box.2": ["thing", "container"]}
    every = automaton(Forall((X,), clean), objects=objects)
    assert len(every.letters) == 2
    assert every.accepts([{Atom("clean", ("cup.1",)), Atom("clean", ("box.2",))}])
    typed = Exists((Variable("x", ("container",)),), clean)
    assert automaton(typed, objects=objects).letters == (Atom("clean", ("box.2",)),)
    nothing = Exists((Variable("x", ("robot",)),), clean)
    assert automaton(nothing, objects=objects) == automaton(FALSE)


@pytest.mark.parametrize(
    ("comparison", "expected"),
    [("exactly", [2]), ("at least", [2, 3, 4, 5]), ("at most", [0, 1, 2])],
)
def test_counting(comparison: str, expected: list[int]) -> None:
    names = [f"cup.{i}" for i in range(5)]
    formula = Count(2, X, Atom("clean", (X,)), comparison)  # type: ignore[arg-type]
    found = automaton(formula, objects=names)
    words = [[{Atom("clean", (each,)) for each in names[:n]}] for n in range(6)]
    assert [n for n, word in enumerate(words) if found.accepts(word)] == expected


def test_counting_more_objects_than_there_are() -> None:
    body = Atom("clean", (X,))
    assert automaton(Count(3, X, body), objects=["a"]).verdict(0) is False
    assert automaton(Count(10**9, X, body, "at least"), objects=["a"]).verdict(0) is False
    assert automaton(Count(0, X, body, "at least"), objects=["a"]).verdict(0) is True
    assert automaton(Count(10**9, X, body, "at most"), objects=["a"]).verdict(0) is True


def test_a_wide_goal_needs_no_table_of_letters() -> None:
    wide = And(tuple(Atom("clean", (f"cup.{i}",)) for i in range(200)))
    assert states(wide) == 2


def test_words_of_trajectories() -> None:
    grab = ActionAtom("GRAB", ("cup.1",))
    goal = Then((grab, Atom("clean", ("cup.1",))))
    found = automaton(goal)
    done = ListTrajectory(["cup.1"], [[], [("clean", "cup.1")]], [("GRAB", "cup.1")])
    assert found.word(done) == [0b01, 0b10]
    assert found.accepts(found.word(done))
    assert not found.accepts(found.word(ListTrajectory(["cup.1"], [[]])))


def test_chains_over_pairs_of_objects_are_gathered_on_the_way() -> None:
    x, y = Variable("x"), Variable("y")
    chain = Then((Atom("near", (x, y)), Atom("clean", (y,)), Atom("dark")))
    goal = Exists((x,), Exists((y,), chain))
    # For each y: not near yet, near, clean; all that are clean are alike, and so is the end.
    assert len(automaton(goal, objects=["a", "b", "c"]).states) == 2**3 + 2


def test_steps_verdicts_and_distances() -> None:
    found = automaton(Until(P, Q))
    p, q = found.letter([P]), found.letter([Q, Atom("unknown")])
    waiting = found.step(found.initial, p)
    assert found.verdict(waiting) is None
    assert found.verdict(found.step(waiting, q)) is True
    assert found.verdict(found.step(waiting, 0)) is False
    assert found.run([{P}, {Q}]) == [0, waiting, found.step(waiting, q)]


def test_the_memory_of_steps_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MAX_REMEMBERED", 2)
    found = automaton(And((P, Q)))
    after = [found.step(0, letter) for letter in (0, 1, 2, 3, 0, 3)]
    assert [state in found.accepting for state in after] == [False] * 3 + [True, False, True]


def test_pictures() -> None:
    found = automaton(Until(P, Q))
    assert str(found).splitlines() == [
        "automaton with 3 states over 2 letters",
        "> 0 -> 0  p and not q",
        "> 0 -> 1  not p and not q",
        "> 0 -> 2  q",
        "  1 -> 1  true",
        " *2 -> 2  true",
    ]
    assert '  0 -> 2 [label="q"];' in found.to_dot().splitlines()
    assert "  2 [shape=doublecircle];" in found.to_dot().splitlines()
    assert ">0 (start)</td>" in found._repr_html_()


def test_names_do_not_break_pictures() -> None:
    odd = Atom('a"<b>;\\', ("x y",))
    found = automaton(odd)
    assert '\\"a' in found.to_dot()
    assert "<b>" not in found._repr_html_()


def test_guards_are_formulas() -> None:
    found = automaton(Until(P, Q))
    assert [each.guard for each in found.transitions if each.source == 0] == [
        And((P, Not(Q))),
        And((Not(P), Not(Q))),
        Q,
    ]
    assert {each.guard for each in found.transitions if each.source > 0} == {And(())}


def test_guards_that_nobody_could_read_are_refused() -> None:
    parity = Atom("p0")
    formula: Formula = parity
    for i in range(1, 20):
        formula = formula ^ Atom(f"p{i}")
    found = automaton(formula)
    assert len(found.states) == 2
    with pytest.raises(InputError, match="10000 cubes"):
        found.to_dot()


def test_automata_can_be_sent_to_other_processes() -> None:
    found = automaton(Then((P, Q)))
    found.step(0, 1)
    sent = pickle.loads(pickle.dumps(found))
    assert isinstance(sent, Automaton)
    assert sent == found
    assert sent.accepts([{P}, {Q}])


def test_the_empty_word_is_no_trajectory() -> None:
    with pytest.raises(InputError, match="empty"):
        automaton(P).accepts([])


def test_a_chain_without_links_holds_on_no_trajectory() -> None:
    assert automaton(Then(())).verdict(0) is False
    assert automaton(Not(Then(()))).verdict(0) is True


def test_an_automaton_is_shown_without_its_tables() -> None:
    shown = repr(automaton(Always(Implies(Atom("p"), Eventually(Atom("q"))))))
    assert "accepting" in shown
    assert "choices" not in shown
    assert "roots" not in shown


def test_pairs_have_no_object_in_common() -> None:
    x, y = Variable("x"), Variable("y")
    facts = {pair: Atom("near", tuple(pair)) for pair in ("ab", "bc", "cd", "ac", "da")}
    found = automaton(ForPairs(x, y, Atom("near", (x, y)), 2), objects=list("abcd"))
    for number in range(len(facts) + 1):
        for chosen in combinations(facts, number):
            disjoint = any(set(a).isdisjoint(b) for a, b in combinations(chosen, 2))
            word = [found.letter([facts[pair] for pair in chosen])]
            assert found.accepts(word) is disjoint, chosen
