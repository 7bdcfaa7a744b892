"""The types of AI2-THOR 5.0.0: what their objects can do, and what may be placed in what.

Recorded in the engine: affordances and sizes in the metadata of its 120 rooms, the table of
placements in its source. An affordance is a property of the asset, not of the type; where
metadata lists it for some objects of a type only, :attr:`ObjectType.fractions` says for how many.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from types import MappingProxyType

from eai.errors import UnknownNameError

__all__ = ["ObjectType", "engine_accepts", "object_type", "object_types"]


@dataclass(frozen=True, slots=True)
class ObjectType:
    """A type of objects.

    Args:
        name: Its name in the engine (``"CoffeeMachine"``).
        affordances: What its objects can do, as predicates of the domain, sorted; those that at
            least half of the recorded objects have.
        fractions: Affordances that only some objects have: the share of them (0 to 1).
        size: Median extent along the axes of the room, in metres; None if it is not recorded.
        slices: The type that it is sliced into, and how many slices there are; None if it
            cannot be sliced. The numbers are not recorded: 7 is the smallest that accounts for
            the ids that are known (``BreadSliced_6``).
        accepted: Types that its objects may be placed in; None if any type may.
        must_be_open: Whether something can be placed in it only while it is open.
        only: The only types that it takes, one object at a time; empty for other receptacles.
    """

    name: str
    affordances: tuple[str, ...] = ()
    fractions: Mapping[str, float] = field(default_factory=dict)
    size: tuple[float, float, float] | None = None
    slices: tuple[str, int] | None = None
    accepted: frozenset[str] | None = None
    must_be_open: bool = False
    only: tuple[str, ...] = ()


@cache
def object_types() -> Mapping[str, ObjectType]:
    """Return the 125 types by name, sorted."""
    text = resources.files("eai.data.domains.thor").joinpath("types.json").read_text("utf-8")
    rows: Mapping[str, Mapping[str, object]] = json.loads(text)["types"]
    return MappingProxyType({name: _type(name, row) for name, row in rows.items()})


def _type(name: str, row: Mapping[str, object]) -> ObjectType:
    made: dict[str, object] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in row.items()
    }
    if "accepted" in row:
        made["accepted"] = frozenset(made["accepted"])  # type: ignore[call-overload]
    return ObjectType(name, **made)  # type: ignore[arg-type]


def object_type(name: str) -> ObjectType:
    """Return a type.

    Raises:
        UnknownNameError: If the engine has no such type.
    """
    known = object_types()
    if name not in known:
        raise UnknownNameError("object type", name, known)
    return known[name]


def engine_accepts(held: str, receptacle: str) -> bool:
    """Whether the engine's table of placements lets one type be placed in another.

    The table does not say whether the objects fit. A forced placement passes over it, but not
    over :attr:`ObjectType.only`, which is asked first.

    Raises:
        UnknownNameError: If the engine has no such type.
    """
    accepted, only = object_type(held).accepted, object_type(receptacle).only
    return (accepted is None or receptacle in accepted) and (not only or held in only)
