"""What is open in a condition, against all states in which the condition holds."""

from __future__ import annotations

from itertools import product

from hypothesis import assume, given, settings, strategies as st

from eai.abilities.subgoals.means import means
from eai.budget import Budget
from eai.logic import Atom, Formula, Not, parse_formula
from eai.pddl import parse_domain
from eai.world import State, World

WORLD = World(
    parse_domain("""(define (domain lifts) (:requirements :adl) (:types thing)
      (:predicates (up ?x - thing) (low ?x - thing) (fixed ?x - thing))
      (:action lift :parameters (?c - thing ?x - thing) :effect (up ?x))
      (:action drop :parameters (?c - thing ?x - thing) :effect (not (low ?x))))""")
)
NAMES = ("me", "cup", "pan")
LITERALS = ("up({})", "not low({})", "fixed({})", "not fixed({})")
"""Where ``up`` is only wanted and ``low`` only unwanted, no literal gets in the way of another."""


def conditions(depth: int, terms: tuple[str, ...]) -> st.SearchStrategy[str]:
    """Conditions as text, with negations around them that take each other back."""
    literal = st.builds(str.format, st.sampled_from(LITERALS), st.sampled_from(terms))
    equal = st.builds("{} = {}".format, st.sampled_from(terms), st.sampled_from(terms))
    if not depth:
        return literal | equal
    part = conditions(depth - 1, terms)
    parts = st.lists(part, min_size=2, max_size=3)
    bound = f"v{depth}"
    inner = conditions(depth - 1, (*terms, bound))
    return st.one_of(
        literal,
        parts.map(lambda texts: f"({' and '.join(texts)})"),
        parts.map(lambda texts: f"({' or '.join(texts)})"),
        parts.map(lambda texts: f"(not ({' or '.join(f'not ({text})' for text in texts)}))"),
        st.builds("(not ({}) implies ({}))".format, part, part),
        inner.map(lambda text: f"(exists {bound} - thing. ({text}))"),
        inner.map(lambda text: f"(forall {bound} - thing. ({text}))"),
        inner.map(lambda text: f"(not (exists {bound} - thing. (not ({text}))))"),
    )


FACTS = st.lists(st.sampled_from([(p, x) for p in ("up", "low", "fixed") for x in NAMES]))


def state(facts: set[tuple[str, str]]) -> State:
    atoms = [Atom(predicate, (name,)) for predicate, name in sorted(facts)]
    return WORLD.state(dict.fromkeys(NAMES, "thing"), atoms)


def true_literals(facts: set[tuple[str, str]]) -> set[Formula]:
    literals: set[Formula] = set()
    for predicate, name in product(("up", "low", "fixed"), NAMES):
        atom = Atom(predicate, (name,))
        literals.add(atom if (predicate, name) in facts else Not(atom))
    return literals


@settings(max_examples=150)
@given(conditions(2, NAMES[1:]), FACTS)
def test_a_condition_is_open_in_what_each_state_with_it_has_changed(
    text: str, facts: list[tuple[str, str]]
) -> None:
    condition, now = parse_formula(text), set(facts)
    start = state(now)
    is_literal = isinstance(condition, Atom) or (
        isinstance(condition, Not) and isinstance(condition.operand, Atom)
    )
    assume(not is_literal and not WORLD.holds(start, condition))
    listed = means(
        WORLD,
        start,
        condition,
        agent="me",
        operators=tuple(WORLD.domain.operators),
        meter=Budget.unlimited().meter(),
    )
    assert [len(way) for way in listed] == sorted(len(way) for way in listed)
    ways = [set(way) for way in listed]
    held = true_literals(now)
    for way in ways:
        assert way.isdisjoint(held)
        changed = set(now)
        for literal in way:
            atom = literal.operand if isinstance(literal, Not) else literal
            assert isinstance(atom, Atom)
            fact = (atom.predicate, str(atom.terms[0]))
            if isinstance(literal, Not):
                changed.discard(fact)
            else:
                changed.add(fact)
        assert WORLD.holds(state(changed), condition)
    # However a state comes about in which it holds, all of some way is true in it.
    fixed = {fact for fact in now if fact[0] == "fixed"}
    fluents = [(predicate, name) for predicate in ("up", "low") for name in NAMES]
    for values in product([False, True], repeat=len(fluents)):
        other = fixed | {fact for fact, value in zip(fluents, values, strict=True) if value}
        if WORLD.holds(state(other), condition):
            literals = true_literals(other)
            assert any(way <= literals for way in ways)
