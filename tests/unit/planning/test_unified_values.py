"""What problems of unified-planning say of their start, and plans that are not theirs."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from needs import extra

from eai.errors import InputError
from eai.planning import plan
from eai.planning.unified import from_unified

pytestmark = extra("planners", "unified_planning")

PLACES = ("hall", "yard")


def problem(default: object, given: int, places: tuple[str, ...] = PLACES) -> Any:
    """Return a problem of doors, with so many values at the start; ``open`` may have a default."""
    from unified_planning.environment import Environment
    from unified_planning.model import Fluent, InstantaneousAction, Object, Problem

    environment = Environment()
    kinds, build = environment.type_manager, environment.expression_manager
    place = kinds.UserType("place")
    made = Problem("doors", environment)
    is_open = Fluent("open", kinds.BoolType(), a=place, b=place, environment=environment)
    if default is None:
        made.add_fluent(is_open)
    else:
        made.add_fluent(is_open, default_initial_value=default)
    quiet = Fluent("quiet", kinds.BoolType(), environment=environment)
    made.add_fluent(quiet, default_initial_value=True)
    objects = [Object(name, place, environment) for name in places]
    made.add_objects(objects)
    for pair in list(product(objects, repeat=2))[:given]:
        made.set_initial_value(is_open(*pair), pair[0] != pair[1])
    push = InstantaneousAction("push", a=place, b=place, _env=environment)
    push.add_precondition(quiet)
    push.add_effect(is_open(*push.parameters), True)
    made.add_action(push)
    made.add_goal(build.TRUE() if not objects else is_open(objects[0], objects[0]))
    return made


@pytest.mark.parametrize(("default", "given"), [(False, 0), (True, 0), (False, 2), (None, 4)])
def test_values_at_the_start_are_taken_over(default: object, given: int) -> None:
    domain, found = from_unified(problem(default, given))
    opened = {
        (str(atom.terms[0]), str(atom.terms[1]))
        for atom in found.initial
        if atom.predicate == "open"
    }
    pairs = [(a, b) for a in PLACES for b in PLACES]
    expected = {(a, b) for a, b in pairs[:given] if a != b}
    if default:
        expected |= set(pairs[given:])
    assert opened == expected
    result = plan(domain, found)
    assert result.plan is not None
    assert len(result.plan) == (("hall", "hall") not in expected)


@pytest.mark.parametrize("given", [0, 1, 3])
def test_a_value_that_is_not_known_at_the_start_is_refused(given: int) -> None:
    with pytest.raises(InputError) as refused:
        from_unified(problem(None, given))
    assert "'open'" in refused.value.what


def test_without_objects_there_is_no_value_to_give() -> None:
    domain, _ = from_unified(problem(None, 0, places=()))
    assert set(domain.predicates) == {"open", "quiet"}
