"""The actions of one agent over a few objects, and what they change."""

from __future__ import annotations

from eai.logic import Atom
from eai.planning import Steps, as_plan, related, without_doubles
from eai.simulators import VirtualHomeSimulator
from eai.world import State, mask_of
from eai.world.bits import bits

ME = "character.1"
WORLD = VirtualHomeSimulator().world
OBJECTS = {ME: "character", "kitchen.2": "room", "fridge.3": "thing", "cup.5": "thing"}
FACTS = (
    f"inside {ME} kitchen.2; inside fridge.3 kitchen.2; inside cup.5 fridge.3; "
    f"can_open fridge.3; open fridge.3; grabbable cup.5; next_to {ME} cup.5; next_to {ME} fridge.3"
)


def state(more: str = "") -> State:
    facts = [fact.split() for fact in f"{FACTS}; {more}".split(";") if fact.strip()]
    return WORLD.state(OBJECTS, [Atom(name, tuple(terms)) for name, *terms in facts])


def steps(at: State, *, predicates: frozenset[str] | None = None) -> Steps:
    return Steps(
        WORLD,
        at,
        at.universe.number(ME),
        operators=tuple(WORLD.domain.operators),
        mask=at.universe.everything,
        predicates=predicates,
    )


def test_the_actions_are_those_whose_preconditions_hold_and_that_change_something() -> None:
    for at in (state(), state(f"sitting {ME}"), state(f"holds_rh {ME} cup.5")):
        everyone = range(len(at.universe))
        expected = {
            (name, (at.universe.number(ME), *others))
            for name, operator in WORLD.domain.operators.items()
            for others in _choices(len(operator.parameters) - 1, everyone)
            if _typed(at, name, others)
            and WORLD.first_failure(at, name, (at.universe.number(ME), *others)) < 0
            and _differs(at, name, (at.universe.number(ME), *others))
        }
        assert expected
        assert {step for step, _ in steps(at).following(0)} == expected


def test_equal_changes_have_equal_numbers_and_undo_each_other() -> None:
    at = state()
    search = steps(at)
    seen = dict(search.following(0))
    number = at.universe.number
    close, grab = (
        ("close", (number(ME), number("fridge.3"))),
        ("grab", (number(ME), number("cup.5"))),
    )
    assert seen[close] != seen[grab]
    closed = seen[close]
    assert search.state(closed, 0, close) != at
    assert dict(search.following(closed))["open", close[1]] == closed
    assert at.holds("open", ("fridge.3",))


def test_changes_that_do_not_matter_are_left_out() -> None:
    at = state()
    found = [step for step, _ in steps(at, predicates=frozenset({"open"})).following(0)]
    assert [action.name for action in as_plan(found, at)] == ["close"]


def test_related_are_the_objects_of_a_few_relations() -> None:
    at = state()
    mask = related(at, mask_of([at.universe.number("cup.5")]))
    assert [at.universe.names[i] for i in bits(mask)] == [ME, "fridge.3"]


def test_doubles_are_left_out() -> None:
    names = without_doubles(WORLD.domain, WORLD.domain.operators)
    left_out = set(WORLD.domain.operators) - set(names)
    assert left_out
    assert without_doubles(WORLD.domain, names) == names


def _choices(count: int, numbers: range) -> list[tuple[int, ...]]:
    if count == 0:
        return [()]
    return [(n, *rest) for n in numbers for rest in _choices(count - 1, numbers)]


def _typed(at: State, name: str, others: tuple[int, ...]) -> bool:
    parameters = WORLD.domain.operators[name].parameters[1:]
    return all(
        at.universe.mask(parameter.types) >> number & 1
        for parameter, number in zip(parameters, others, strict=True)
    )


def _differs(at: State, name: str, numbers: tuple[int, ...]) -> bool:
    after = at.copy()
    WORLD.apply(after, name, numbers)
    return set(after.atoms()) != set(at.atoms())
