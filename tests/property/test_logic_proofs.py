"""Proofs are as small as can be, and prove what they say."""

from __future__ import annotations

from hypothesis import event, given, settings, strategies as st

from eai.logic import evaluate
from eai.logic.formula import ActionAtom, Atom, Formula, Then
from eai.logic.proofs import Blame, prove
from eai.logic.proofs.check import check_proof
from list_trajectory import ListTrajectory
from smallest_proofs import NONE, smallest_at, smallest_on
from strategies import OBJECTS, trajectories
from strategies_proofs import all_formulas, linear_formulas, rising_formulas

FEW = settings(max_examples=120, deadline=None)


@FEW
@given(linear_formulas(), trajectories())
def test_sizes_at_a_position_are_those_of_the_smallest_proof(
    formula: Formula, trajectory: ListTrajectory
) -> None:
    whole = (0, trajectory.length)
    for position in range(trajectory.length):
        proof = prove(formula, trajectory, at=position)
        sizes = [smallest_at(formula, h, trajectory, whole, position, {}) for h in (True, False)]
        assert [proof.size if proof.holds is holds else NONE for holds in (True, False)] == sizes


@FEW
@given(
    all_formulas(depth=2) | st.lists(all_formulas(depth=1), max_size=3).map(tuple).map(Then),
    trajectories(longest=3),
)
def test_sizes_on_a_part_are_those_of_the_smallest_proof(
    formula: Formula, trajectory: ListTrajectory
) -> None:
    chain = Then((formula,))
    proof = prove(chain, trajectory)
    sizes = [smallest_on(chain, h, trajectory, 0, trajectory.length, {}) for h in (True, False)]
    assert [proof.size if proof.holds is holds else NONE for holds in (True, False)] == sizes


@FEW
@given(all_formulas() | linear_formulas(), trajectories())
def test_proofs_are_found_to_be_right(formula: Formula, trajectory: ListTrajectory) -> None:
    assert check_proof(prove(formula, trajectory), trajectory)


@FEW
@given(all_formulas() | linear_formulas(), trajectories())
def test_proofs_say_what_the_evaluation_says(formula: Formula, trajectory: ListTrajectory) -> None:
    assert prove(formula, trajectory).holds == evaluate(formula, trajectory).holds


@FEW
@given(all_formulas(), trajectories(), trajectories(), st.data())
def test_what_a_proof_rests_on_decides_the_verdict(
    formula: Formula, trajectory: ListTrajectory, other: ListTrajectory, data: st.DataObject
) -> None:
    """A trajectory that agrees on all that is blamed has the same verdict."""
    proof = prove(formula, trajectory)
    changed = ListTrajectory(
        OBJECTS,
        [other.states[i % other.length] for i in range(trajectory.length)],
        data.draw(st.permutations(trajectory.actions)),
    )
    for blame in proof.blamed():
        copy_leaf(blame, trajectory, changed)
    assert prove(formula, changed).holds == proof.holds


@FEW
@given(all_formulas(), trajectories(), st.data())
def test_a_single_change_that_changes_the_verdict_is_blamed_before_and_after(
    formula: Formula, trajectory: ListTrajectory, data: st.DataObject
) -> None:
    """Both proofs rest on it: else it would not have mattered, by the property above.

    So, if something that held was broken by one fact and a single fact is blamed, that is the
    one, and changing it back mends the formula.
    """
    position = data.draw(st.integers(0, trajectory.length - 1))
    fact = data.draw(
        st.sampled_from(sorted({b.atom for b in prove(formula, trajectory).blamed()}, key=str))
        if prove(formula, trajectory).blamed()
        else st.just(Atom("dark"))
    )
    if not isinstance(fact, Atom):
        return
    broken = flipped(trajectory, fact, position)
    before, after = prove(formula, trajectory), prove(formula, broken)
    if before.holds != after.holds:
        for proof in (before, after):
            assert (fact, position) in {(b.atom, b.position) for b in proof.blamed()}
        event("a single fact is blamed" if len(after.blamed()) == 1 else "several are")


@FEW
@given(rising_formulas(), trajectories())
def test_mending_what_is_blamed_ends_with_another_verdict(
    formula: Formula, trajectory: ListTrajectory
) -> None:
    """If atoms occur without negation, every round mends facts that no round named before.

    In the end the formula holds, unless its failure rests on no fact at all.
    """
    mended: set[tuple[Atom | ActionAtom, int]] = set()
    while not (proof := prove(formula, trajectory)).holds and proof.blamed():
        assert not any(blame.holds for blame in proof.blamed())
        named = {(blame.atom, blame.position) for blame in proof.blamed()}
        assert named.isdisjoint(mended)
        mended |= named
        for atom, position in named:
            assert isinstance(atom, Atom)
            trajectory = flipped(trajectory, atom, position)
    assert proof.holds or not proof.blamed()


def copy_leaf(blame: Blame, source: ListTrajectory, target: ListTrajectory) -> None:
    """Make a proposition in one trajectory as true as in another."""
    place = blame.position
    if isinstance(blame.atom, ActionAtom):
        target.actions[place : place + 1] = source.actions[place : place + 1]
        return
    fact = fact_of(blame.atom)
    target.states[place] = target.states[place] - {fact} | source.states[place] & {fact}


def flipped(trajectory: ListTrajectory, atom: Atom, position: int) -> ListTrajectory:
    states = list(trajectory.states)
    states[position] = states[position] ^ {fact_of(atom)}
    return ListTrajectory(OBJECTS, states, trajectory.actions)


def fact_of(atom: Atom) -> tuple[str, ...]:
    return (atom.predicate, *map(str, atom.terms))
