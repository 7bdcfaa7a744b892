"""Every operator in turn on random trajectories: its truth, and the facts that it rests on.

The strategies for formulas seldom come to some operators; here each has its turn.
"""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from definition import holds, true_at
from list_trajectory import ListTrajectory
from strategies import OBJECTS

from eai.errors import InputError
from eai.logic import (
    ActionAtom,
    Always,
    And,
    Atom,
    Count,
    Eventually,
    Exists,
    Forall,
    Formula,
    ForPairs,
    Historically,
    Implies,
    LogicVocabulary,
    Next,
    Not,
    Once,
    Or,
    Previous,
    Proposition,
    Since,
    Then,
    Trace,
    Trigger,
    Variable,
    WeakNext,
    WeakPrevious,
    WeakUntil,
    Xor,
    evaluate,
    explain,
    parse_formula,
)
from eai.logic.evidence import Blame
from eai.logic.trace import TrajectoryPart

KNOWN = LogicVocabulary({"clean": 1, "near": 2, "dark": 0}, {"GRAB": 1, "POUR": 2}, OBJECTS)
STATES = (
    "dark()",
    "not dark()",
    "dark() and not clean(cup.1)",
    "clean(cup.1) or clean(box.2)",
    "dark() -> clean(cup.1)",
    "dark() <-> clean(cup.1)",
    "forall x. (clean(x) or dark())",
    "exists x - food. (clean(x) and not dark())",
    "exists x. (forall y. (near(x, y) or clean(y)))",
    "GRAB(cup.1)",
    "exists x. (GRAB(x) and not clean(x))",
)
LINEAR = (
    "X dark()",
    "F (dark() and clean(cup.1))",
    "G (dark() -> F clean(cup.1))",
    "dark() U clean(cup.1)",
    "dark() R clean(cup.1)",
    "G not GRAB(cup.1)",
    "F (GRAB(cup.1) and X dark())",
    "forall x. (F clean(x))",
    "exists x. (G clean(x))",
    "not (dark() U not clean(box.2))",
)
CHAINS = (
    "dark() then clean(cup.1)",
    "(dark() then not dark()) or clean(box.2)",
    "(dark() then clean(cup.1)) and (clean(box.2) then not dark())",
    "dark() then ((clean(cup.1) then dark()) or clean(box.2))",
    "not (dark() then clean(cup.1))",
    "(not (dark() then dark())) then clean(cup.1)",
    "dark() then (not (clean(cup.1) then clean(box.2))) then dark()",
    "exists x. (clean(x) then not clean(x))",
    "forall x. (clean(x) then dark())",
    "GRAB(cup.1) then dark() then POUR(cup.1, box.2)",
)


def formula(text: str) -> Formula:
    return parse_formula(text, vocabulary=KNOWN)


def counted() -> list[Formula]:
    """Numbers of objects and of pairs, and what looks back: they have no words in the notation."""
    x, y = Variable("x"), Variable("y")
    clean, near = Atom("clean", (x,)), Atom("near", (x, y))
    dark, cup = Atom("dark"), Atom("clean", ("cup.1",))
    found: list[Formula] = [
        Count(number, x, clean, comparison)
        for number in range(-1, 5)
        for comparison in ("exactly", "at least", "at most")
    ]
    found += [ForPairs(x, y, near, number) for number in (None, 0, 1, 2, 3)]
    found += [
        kind(ForPairs(x, y, near, number))
        for kind in (Next, Eventually, Always)
        for number in (None, 1, 2)
    ]
    found += [kind(Count(1, x, clean, "exactly")) for kind in (Next, Eventually, Always)]
    found += [kind(dark) for kind in (Previous, WeakPrevious, WeakNext, Once, Historically)]
    found += [kind(dark, cup) for kind in (Since, Trigger, WeakUntil, Xor)]
    # Two variables at once, below which there are alternatives.
    alternatives = (near, And((Atom("near", (y, x)), clean)))
    found += [kind((x, y), Or(alternatives)) for kind in (Exists, Forall)]
    found += [kind((x, y), And(tuple(map(Not, alternatives)))) for kind in (Exists, Forall)]
    found += [kind((x, y), Implies(near, clean)) for kind in (Exists, Forall)]
    return found


def looking_back_in_parts() -> list[Formula]:
    """What looks back sees no further than the beginning of its own part."""
    dark, cup, box = Atom("dark"), Atom("clean", ("cup.1",)), Atom("clean", ("box.2",))
    chain = Then((cup, dark))
    return [
        Then((dark, Previous(cup))),
        Then((dark, Or((Once(cup), chain)))),
        Or((Then((Since(dark, cup), dark)), box)),
        Not(Then((Once(dark), cup))),
        Then((And((Once(dark), Not(chain))), cup)),
        Then((box, And((Historically(dark), chain)))),
        Then((Not(chain), Not(Then((dark, box))), cup)),
        Or((Then((Not(chain), cup)), Then((Eventually(dark), Trigger(dark, cup))))),
    ]


FORMULAS = [*map(formula, (*STATES, *LINEAR, *CHAINS)), *counted(), *looking_back_in_parts()]


def trajectory(random: Random, longest: int = 5) -> ListTrajectory:
    length = random.randint(1, longest)
    facts = [("dark",), *(("clean", name) for name in OBJECTS)]
    facts += [("near", one, other) for one in OBJECTS for other in OBJECTS]
    steps = [("GRAB", "cup.1"), ("GRAB", "box.2"), ("POUR", "cup.1", "box.2"), ("wait",)]
    likely = random.random()
    return ListTrajectory(
        OBJECTS,
        [[fact for fact in facts if random.random() < likely] for _ in range(length)],
        [random.choice(steps) for _ in range(length - 1)],
    )


def trajectories(number: int, seed: str, *, longest: int = 5) -> list[ListTrajectory]:
    random = Random(seed)
    return [trajectory(random, longest) for _ in range(number)]


@pytest.mark.parametrize("each", FORMULAS, ids=str)
def test_the_verdict_is_that_of_the_definition(each: Formula) -> None:
    seen = set()
    for one in trajectories(40, f"verdict {each}"):
        if each.reading() == "ltlf":
            expected = true_at(each, one, 0, {})
        else:
            expected = holds(each, one, 0, one.length, {})
        assert evaluate(each, one).holds == expected
        seen.add(expected)
    assert seen


@pytest.mark.parametrize("each", FORMULAS, ids=str)
def test_the_facts_that_a_verdict_rests_on_decide_it(each: Formula) -> None:
    random = Random(f"facts {each}")
    for one in trajectories(25, f"blamed {each}"):
        found = explain(each, one)
        assert found.holds == evaluate(each, one).holds
        assert found.text.endswith(".")
        for blame in found.blamed:
            assert blame.holds is bool(history(blame.atom, one) >> blame.position & 1)
        other = trajectory(random)
        changed = ListTrajectory(
            OBJECTS,
            [other.states[at % other.length] for at in range(one.length)],
            random.sample(one.actions, len(one.actions)),
        )
        for blame in found.blamed:
            copy_leaf(blame, one, changed)
        assert evaluate(each, changed).holds == found.holds


def copy_leaf(blame: Blame, source: ListTrajectory, target: ListTrajectory) -> None:
    """Make a proposition in one trajectory as true as in another."""
    place = blame.position
    if isinstance(blame.atom, ActionAtom):
        target.actions[place : place + 1] = source.actions[place : place + 1]
        return
    assert isinstance(blame.atom, Proposition)  # there are no numbers here
    fact = (blame.atom.name, *map(str, blame.atom.terms))
    target.states[place] = target.states[place] - {fact} | source.states[place] & {fact}


def history(atom: Formula, one: ListTrajectory) -> int:
    if isinstance(atom, ActionAtom):
        return one.occurrences(atom.action, tuple(map(str, atom.terms)))
    assert isinstance(atom, Atom)
    return one.history(atom.predicate, tuple(map(str, atom.terms)))


@pytest.mark.parametrize("each", [each for each in FORMULAS if not each.has_then], ids=str)
def test_a_formula_is_explained_at_any_position(each: Formula) -> None:
    for one in trajectories(12, f"at {each}"):
        for at in range(-one.length, one.length):
            found = explain(each, one, at=at)
            place = at % one.length
            assert found.holds is true_at(each, one, place, {})
            assert found.at == place
            if found.holds and found.position is not None:
                assert 0 <= found.position < one.length
        for at in (-one.length - 1, one.length, one.length + 7):
            with pytest.raises(InputError) as caught:
                explain(each, one, at=at)
            assert f"position {at} " in caught.value.what


CHAINED = [*map(formula, CHAINS), *looking_back_in_parts()]


CHAINS_AT_POSITIONS = (
    "dark() then clean(cup.1)",
    "X (dark() then clean(cup.1))",
    "F (dark() then clean(cup.1) then dark())",
    "not (clean(cup.1) then dark())",
    "G ((dark() then clean(cup.1)) or clean(box.2))",
    "forall x. (F (clean(x) then dark()))",
    "exists x. (X (GRAB(x) then not clean(x)))",
)


@pytest.mark.parametrize("text", CHAINS_AT_POSITIONS)
def test_a_chain_at_a_position_is_explained_by_what_comes_from_there_on(text: str) -> None:
    each, random = formula(text), Random(f"chain {text}")
    verdicts = set()
    for one in trajectories(10, f"chain at {text}"):
        for at in range(one.length):
            found = explain(each, one, at=at)
            assert found.holds is true_at(each, one, at, {})
            verdicts.add(found.holds)
            assert all(blame.position >= at for blame in found.blamed)
            other = trajectory(random)
            states = [other.states[place % other.length] for place in range(one.length)]
            changed = ListTrajectory(OBJECTS, states, random.sample(one.actions, len(one.actions)))
            for blame in found.blamed:
                copy_leaf(blame, one, changed)
            assert true_at(each, changed, at, {}) is found.holds
    assert verdicts == {True, False}


@pytest.mark.parametrize("each", CHAINED, ids=str)
def test_a_chain_is_cut_where_its_explanation_says(each: Formula) -> None:
    for one in trajectories(80, f"cut {each}", longest=8):
        found = explain(each, one)
        part = found.part
        if not found.holds or not isinstance(part, Then) or not found.reached:
            continue
        assert len(found.reached) == len(part.operands)
        assert list(found.reached) == sorted(found.reached)
        if part is each:
            ends = [0, *(place + 1 for place in found.reached[:-1]), one.length]
            for link, start, end in zip(part.operands, ends, ends[1:], strict=False):
                assert holds(link, one, start, end, {})


@pytest.mark.parametrize("text", STATES)
def test_a_state_formula_that_never_held_says_when_it_last_did_before(text: str) -> None:
    each = formula(text)
    for one in trajectories(30, f"state {text}"):
        found = explain(each, one)
        truth = [true_at(each, one, at, {}) for at in range(one.length)]
        assert found.holds is any(truth)
        if found.holds:
            assert found.position == truth.index(True)
            assert true_at(found.part, one, found.position, {})
        else:
            assert not any(true_at(found.part, one, at, {}) for at in range(one.length))


@pytest.mark.parametrize("text", CHAINS)
def test_the_first_link_that_fails_is_the_one_behind_the_longest_beginning(text: str) -> None:
    each = formula(text)
    for one in trajectories(40, f"link {text}"):
        found = explain(each, one)
        if found.holds or not isinstance(each, Then) or found.link is None:
            continue
        begun = [
            any(
                holds(Then(each.operands[:number]), one, 0, end, {})
                for end in range(1, one.length + 1)
            )
            for number in range(1, len(each.operands))
        ]
        reached = begun.index(False) if False in begun else len(begun)
        assert found.link == reached + 1
        assert len(found.reached) == reached


# ---- recorded traces


def test_a_trace_of_changes_is_that_of_the_states_that_they_lead_to() -> None:
    random = Random(3)
    atoms = [Atom("dark"), Atom("clean", ("a",)), Atom("clean", ("b",))]
    for _ in range(200):
        states = [
            {atom for atom in atoms if random.random() < 0.5} for _ in range(random.randint(1, 6))
        ]
        changes = []
        for before, after in pairwise(states):
            # What holds already may be said to become true, and what does not, to become false.
            added = (after - before) | {a for a in after & before if random.random() < 0.3}
            removed = (before - after) | {
                a for a in set(atoms) - after - before if random.random() < 0.3
            }
            changes.append((added, removed))
        whole = Trace.of_states(states, objects=["a", "b"])
        changed = Trace.of_changes(states[0], changes, objects=["a", "b"])
        assert changed.length == whole.length == len(states)
        for atom in atoms:
            arguments = tuple(map(str, atom.terms))
            expected = sum(1 << at for at, state in enumerate(states) if atom in state)
            assert whole.history(atom.predicate, arguments) == expected
            assert changed.history(atom.predicate, arguments) == expected


def test_what_one_change_takes_away_and_gives_back_stays() -> None:
    dark = Atom("dark")
    trace = Trace.of_changes([dark], [((dark,), (dark,)), ((), (dark,)), ((dark,), ())])
    assert trace.history("dark", ()) == 0b1011


@pytest.mark.parametrize(("length", "actions"), [(0, 0), (-1, 0), (2, 2), (3, 1), (1, 1)])
def test_a_trace_has_a_state_and_one_action_fewer(length: int, actions: int) -> None:
    with pytest.raises(InputError) as caught:
        Trace(length, {}, [ActionAtom("GRAB")] * actions)
    assert caught.value.expected


def test_a_trace_may_have_no_actions() -> None:
    assert Trace(3, {}).occurrences("GRAB", ()) == 0
    assert Trace(3, {}, [ActionAtom("GRAB"), ActionAtom("POUR")]).occurrences("POUR", ()) == 0b10


def test_a_part_of_a_trajectory_is_a_trajectory() -> None:
    for one in trajectories(30, "parts"):
        for start in range(one.length):
            for end in range(start + 1, one.length + 1):
                part = TrajectoryPart(one, start, end)
                own = ListTrajectory(OBJECTS, one.states[start:end], one.actions[start:end])
                assert part.length == end - start
                assert part.objects(("food",)) == ["cup.1"]
                for fact in (("dark",), ("clean", "cup.1"), ("near", "cup.1", "box.2")):
                    assert part.history(fact[0], fact[1:]) == own.history(fact[0], fact[1:])
                for step in (("GRAB", "cup.1"), ("POUR", "cup.1", "box.2")):
                    name, arguments = step[0], step[1:]
                    assert part.occurrences(name, arguments) == own.occurrences(name, arguments)
                    assert list(part.taken(name)) == own.taken(name)
