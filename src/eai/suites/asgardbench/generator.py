"""New instances by chance, each proved solvable by the oracle's plan."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache

from eai.errors import InputError, UnknownNameError
from eai.semantics import Semantics
from eai.simulators.thor.scenes import SceneObject, load_scene, scene_names
from eai.suites.asgardbench.instances import Instance, instances
from eai.suites.asgardbench.oracle import solve
from eai.suites.asgardbench.placement import inventory
from eai.suites.asgardbench.quirks import QUIRKS
from eai.suites.asgardbench.variants import draw_branches, needed_types, variant

__all__ = ["families", "generate_instances"]

_LEFT_OUT = frozenset({"FloorPlan27"})
"""The coffee machine of this kitchen never fills a mug (published benchmark)."""

_TRIES = 200
"""So many candidates in a row that cannot be solved are a fault of the request."""


def families() -> tuple[str, ...]:
    """Return the names of the families of tasks, in the order of the benchmark."""
    return tuple(dict.fromkeys(one.family for one in instances().values()))


def generate_instances(
    number: int, *, seed: int = 0, only: Iterable[str] | None = None
) -> list[Instance]:
    """Draw new instances over the branches of the published ones.

    Each is solved by the oracle under ``strict``; the length of its plan is the number of
    reference steps, from which the limits follow. The same seed gives the same instances, and
    more of them begin with the same ones.

    Args:
        number: How many.
        seed: Seed of all that is drawn.
        only: Families to choose from; all by default.

    Raises:
        UnknownNameError: If there is no such family.
        InputError: If the number is negative, or if nothing that is drawn can be solved.
    """
    if number < 0:
        raise InputError(f"{number} instances", expected="a whole number from 0")
    wanted = families() if only is None else tuple(only)
    for family in wanted:
        if family not in families():
            raise UnknownNameError("family", family, families())
    candidates = _candidates(wanted, seed)
    return [_next_solved(candidates) for _ in range(number)]


def _next_solved(candidates: Iterator[Instance]) -> Instance:
    strict = Semantics.of("strict", QUIRKS)
    for _ in range(_TRIES):
        candidate = next(candidates)
        solution = solve(candidate, strict)
        if solution.solved and solution.plan:
            return replace(candidate, reference_steps=len(solution.plan))
    raise InputError(
        f"none of {_TRIES} instances that were drawn can be solved",
        expected="families that the oracle can solve",
    )


def _candidates(wanted: Sequence[str], seed: int) -> Iterator[Instance]:
    # A text as seed means the same on every platform.
    dice = random.Random(f"asgardbench/{seed}")  # noqa: S311
    pools = {
        family: [one for one in instances().values() if one.family == family] for family in wanted
    }
    number = 0
    while True:
        number += 1
        base = dice.choice(pools[dice.choice(wanted)])
        scene = dice.choice(_scenes(base.scene, needed_types(base)))
        things = _things(scene)
        branches = draw_branches(base, (one.type for one in things), dice)
        yield variant(
            base,
            branches,
            scene=scene,
            names=[one.name for one in things],
            seed=dice.randrange(10_000),
            name=f"{base.family}__{branches}_{scene}_G{seed}.{number}",
        )


@cache
def _scenes(like: str, needed: frozenset[str]) -> tuple[str, ...]:
    """The scenes of the same kind of room that have all types that are needed."""
    return tuple(
        name
        for name in scene_names()
        if name not in _LEFT_OUT
        and _room(name) == _room(like)
        and needed <= {one.type for one in _things(name)}
    )


def _room(scene: str) -> int:
    """The kind of room: kitchens are numbered from 1, the others from 200, 300 and 400."""
    return int(scene.removeprefix("FloorPlan")) // 100


@cache
def _things(scene: str) -> tuple[SceneObject, ...]:
    """The objects that an instance in a scene has."""
    return inventory(load_scene(scene), Instance("", "", scene, "", 0, 0))
