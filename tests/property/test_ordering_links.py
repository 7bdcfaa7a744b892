"""Causal links: what conditions rest on, against plans without the other steps and in other orders.

The causes of a verdict are made of these; here each condition has its turn.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from random import Random

import pytest
from causes_worlds import NAMES, OPERATORS, THINGS, WORLD, workshop_task

from eai.logic import Formula, Not, evaluate, parse_formula
from eai.planning import Links, PartialOrder, Taken
from eai.world import Action, State, Trajectory

CONDITIONS = (
    "lit()",
    "aired()",
    "painted(box)",
    "wet(can)",
    "nested(can, pot)",
    "not nested(box, pot)",
    "wet(can) and aired()",
    "painted(box) or lit()",
    "lit() -> wet(box)",
    "lit() <-> door_open()",
    "forall x - thing. (painted(x) -> not wet(x))",
    "exists x - thing. (wet(x) and in(x, box))",
    "exists x - thing, y - thing. (in(x, y) and painted(y))",
    "forall x - thing. (nested(x, pot) or not wet(x))",
)
FACTS = ("lit", "door_open", "window_open", "wet box", "wet can", "painted box", "in can box")
OFTEN = ("soak", "put", "take", "dry", "press", "paint", "open_door", "slam", "close_door")


def formula(text: str) -> Formula:
    return parse_formula(text, vocabulary=NAMES)


def execution(random: Random, length: int) -> tuple[State, list[Taken]]:
    """A start and steps that were done, with one that was passed over now and then."""
    facts = [fact for fact in FACTS if random.random() < 0.4]
    start = workshop_task("lit()", initially=facts).start
    state, taken = start.begin(), list[Taken]()
    while len(taken) < length:
        name = random.choice(OFTEN)
        action = Action(name, tuple(random.choice(THINGS) for _ in range(OPERATORS[name])))
        numbers = WORLD.numbers(state, name, ("robot", *action.arguments))
        if WORLD.first_failure(state, name, numbers) < 0:
            taken.append(Taken(action, numbers, WORLD.apply(state, name, numbers)))
    return start, taken


def after(start: State, steps: list[Taken]) -> State | None:
    """The state behind some of the steps; None if one of them cannot be done."""
    state = start.begin()
    for step in steps:
        if WORLD.first_failure(state, step.action.name, step.numbers) >= 0:
            return None
        WORLD.apply(state, step.action.name, step.numbers)
    return state


def holds(condition: Formula, state: State) -> bool:
    return evaluate(condition, Trajectory(WORLD, state, (), state)).holds


def settled(text: str, state: State) -> Formula:
    """The condition, or its opposite: what of the two holds."""
    condition = formula(text)
    return condition if holds(condition, state) else Not(condition)


@pytest.mark.parametrize("text", CONDITIONS)
def test_without_the_other_steps_a_condition_is_as_it_was(text: str) -> None:
    random = Random(f"without {text}")
    rested = 0
    for _ in range(40):
        start, steps = execution(random, random.randint(0, 6))
        links = Links(WORLD, start, steps)
        final = after(start, steps)
        assert final is not None
        condition = settled(text, final)
        reads = links.support(links.end).of(condition, {})
        assert reads is not None
        kept = links.rests_on([(reads, links.end)])
        left = after(start, [step for place, step in enumerate(steps) if place in kept])
        assert left is not None
        assert holds(condition, left)
        rested += 0 < len(kept) < len(steps)
    assert rested


@pytest.mark.parametrize("text", CONDITIONS)
def test_in_every_order_that_is_left_open_a_condition_is_as_it_was(text: str) -> None:
    random = Random(f"order {text}")
    free = 0
    for _ in range(25):
        start, steps = execution(random, random.randint(2, 4))
        links = Links(WORLD, start, steps)
        final = after(start, steps)
        assert final is not None
        condition = settled(text, final)
        reads = links.support(links.end).of(condition, {})
        assert reads is not None
        order = PartialOrder(range(len(steps)), sorted(links.order([(reads, links.end)])))
        for places in permutations(range(len(steps))):
            if not order.permits(places):
                continue
            free += places != tuple(range(len(steps)))
            other = after(start, [steps[place] for place in places])
            assert other is not None
            assert holds(condition, other)
    assert free


def test_the_maker_of_a_literal_is_the_last_step_that_changed_its_atom() -> None:
    random = Random("makers")
    for _ in range(60):
        start, steps = execution(random, 6)
        links = Links(WORLD, start, steps)
        states = [after(start, steps[:place]) for place in range(len(steps) + 1)]
        for p, name in enumerate(WORLD.layout.names):
            if name in WORLD.derived or WORLD.layout.arity[p] > 1:
                continue
            arguments = [(number,) for number in range(4)] if WORLD.layout.arity[p] else [()]
            for numbers in arguments:
                truth = [state is not None and state.test(p, numbers) for state in states]
                for place in range(len(steps) + 1):
                    changed = [at for at in range(place) if truth[at] is not truth[at + 1]]
                    makers = links.makers((p, numbers, truth[place]), place)
                    assert makers == (changed[-1] if changed else None,)


def test_a_step_needs_what_its_precondition_reads_and_a_failed_one_what_is_against_it() -> None:
    random = Random("needs")
    failed = 0
    for _ in range(60):
        start, steps = execution(random, 5)
        links = Links(WORLD, start, steps)
        for place in range(len(steps)):
            needed = links.rests_on([(links.needs(place), place)])
            assert all(other < place for other in needed)
            left = [step for at, step in enumerate(steps[:place]) if at in needed]
            assert after(start, [*left, steps[place]]) is not None
        final = after(start, steps)
        assert final is not None
        for name in OFTEN:
            action = Action(name, THINGS[: OPERATORS[name]])
            numbers = WORLD.numbers(final, name, ("robot", *action.arguments))
            if WORLD.first_failure(final, name, numbers) < 0:
                continue
            against = links.rests_on([(links.failed(name, numbers), links.end)])
            left = [step for at, step in enumerate(steps) if at in against]
            state = after(start, left)
            assert state is not None
            assert WORLD.first_failure(state, name, numbers) >= 0
            failed += bool(against)
    assert failed


def test_a_step_that_was_passed_over_is_kept_superfluous() -> None:
    """Its effects hold already, and what makes them so comes before it."""
    start = workshop_task("lit()", initially=["wet box"]).start
    state = start.begin()
    done = []
    for name, *arguments in (("soak", "can"), ("open_door",)):
        numbers = WORLD.numbers(state, name, ("robot", *arguments))
        done.append(
            Taken(Action(name, tuple(arguments)), numbers, WORLD.apply(state, name, numbers))
        )
    again = replace(done[1], changes=None)
    links = Links(WORLD, start, [*done, again])
    assert links.rests_on([(links.needs(2), 2)]) == {1}
    assert (1, 2) in links.order([])
    assert (0, 2) not in links.order([])


def test_a_step_that_would_undo_something_if_it_came_later_keeps_its_place() -> None:
    """A box is soaked with all that is in it; the can is put in afterwards, and stays painted."""
    start = workshop_task("lit()", initially=["painted can"]).start
    state, taken = start.begin(), list[Taken]()
    for name, *arguments in (("soak", "box"), ("put", "can", "box"), ("soak", "can")):
        numbers = WORLD.numbers(state, name, ("robot", *arguments))
        changes = WORLD.apply(state, name, numbers)
        taken.append(Taken(Action(name, tuple(arguments)), numbers, changes))
    links = Links(WORLD, start, taken)
    reads = links.support(2).of(formula("painted(can)"), {})
    assert reads
    assert (0, 1) in links.order([(reads, 2)])
    assert (0, 1) not in links.order([])
