"""The 108 instances of AsgardBench: scene, set-up, goals, and evidence about their placement.

Where things lay in the published instances was drawn by the simulator. The evidence of the
reference executions is kept as :class:`ReferenceEvidence`: what their pictures show, and what was
moved out of the way (:mod:`eai.suites.asgardbench.placement`).

Source: AsgardBench (arXiv 2603.15888), section 3 and appendix; its published data.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from functools import cache
from types import MappingProxyType
from typing import Any

from eai.data import read_json, read_text
from eai.errors import InputError, SchemaError, UnknownNameError, check_keys, look_up
from eai.nesting import load_unambiguous_json

FAMILIES = (
    *("clean_mirror", "coffee", "cook_egg", "fry_potato_slice", "make_toast", "microwave_potato"),
    *("put_away_dishes", "put_away_food", "put_away_silverware", "set_table"),
    *("slice_and_distribute", "turn_on_tv"),
)
"""The published families of tasks; instances of one's own may belong to others."""

_ALIKE = 0.85
"""Names of families from this similarity on (0 to 1) are taken for misspelt published ones."""


@dataclass(frozen=True, slots=True)
class Distractors:
    """Types and classes of objects (``"Egg"``, ``"Silverware"``) that are scattered to distract.

    Each has the receptacle types on which it may lie; None allows any.
    """

    types: tuple[str, ...]
    on: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Goals:
    """The goals of an instance, in the benchmark's own terms.

    Args:
        state: Type, flag and value: ``("Mug", "isDirty", False)``.
        location: Type, and type of the container that it is to be in.
        put_away: Types that are to be where they belong.
        action: Acts that are to be done: ``"Drink Coffee"``, ``"Spray Mirror"``.
        contents_exact: A container, and the types that are to be all that it holds.
        kitchen_exit: Whether appliances are to be off and fridge and microwave closed.
    """

    state: tuple[tuple[str, str, bool], ...] = ()
    location: tuple[tuple[str, str], ...] = ()
    put_away: tuple[str, ...] = ()
    action: tuple[str, ...] = ()
    contents_exact: tuple[tuple[str, tuple[str, ...]], ...] = ()
    kitchen_exit: bool = False


@dataclass(frozen=True, slots=True)
class StartPose:
    """Where the agent stands at the start; lengths in metres, angles in degrees."""

    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    yaw: float = 0.0
    horizon: float = 0.0
    standing: bool = True


Relocation = tuple[str, str, str | None]
"""Type of an object that the reference execution moved, where to, and which container it filled
next: most often the one that the object was in the way of."""


@dataclass(frozen=True, slots=True)
class ReferenceEvidence:
    """Evidence from the reference execution.

    Args:
        washes: Number of times that something is washed.
        blocked_sink: Whether something had to be taken out of the sink.
        relocated: Objects that were moved out of the way, in order.
        opened: Types of objects that were in a closed container, with its type.
        seen: Types of objects that its pictures show before anything moved them, with the type of
            what they are in or on.
    """

    washes: int = 0
    blocked_sink: bool = False
    relocated: tuple[Relocation, ...] = ()
    opened: Mapping[str, str] = field(default_factory=dict)
    seen: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Instance:
    """One instance of the benchmark.

    Args:
        family: The family of tasks that it belongs to (``"cook_egg"``).
        instruction: The instruction of the agent.
        reference_steps: Number of actions of the reference execution.
        setup: Changes before the start: ``("dirty", "Pan_a1b2")``, ``("empty", ...)``,
            ``("fill", ..., "coffee")``.
        visible: Types that are placed in sight.
        visible_on: Types of the receptacles that those are placed on; None for all that cannot
            be closed.
        distractors: Further objects that are spread over the room.
        pose: Where the agent starts.
        reference: The known facts on the reference execution.
    """

    id: str
    family: str
    scene: str
    instruction: str
    seed: int
    reference_steps: int
    goals: Goals = Goals()
    setup: tuple[tuple[str, ...], ...] = ()
    visible: tuple[str, ...] = ()
    visible_on: tuple[str, ...] | None = None
    distractors: tuple[Distractors, ...] = ()
    pose: StartPose = StartPose()
    reference: ReferenceEvidence = ReferenceEvidence()

    def __post_init__(self) -> None:
        """Refuse combinations of values that make no sense.

        Raises:
            InputError: If a number is too small, or the family is nearly a published one.
        """
        for name, number, least in (
            ("reference_steps", self.reference_steps, 1),
            ("reference.washes", self.reference.washes, 0),
        ):
            if number < least:
                raise InputError(
                    f"{name} is {number}",
                    where=f"instance {self.id!r}",
                    expected=f"a whole number from {least}",
                )
        # A misspelt family would be a group of its own in every report.
        similar = get_close_matches(self.family, FAMILIES, n=1, cutoff=_ALIKE)
        if similar and self.family not in FAMILIES:
            raise UnknownNameError("family", self.family, FAMILIES, where=f"instance {self.id!r}")


@dataclass(frozen=True, slots=True)
class BenchmarkConstants:
    """Constants of the benchmark.

    Args:
        classes: Types of objects by class (``"Dishes"``, ``"Surface"``).
        homes: Where each type may be put away.
        accepted: The receptacles that the benchmark accepts for each type, before the simulator is
            asked.
        exit: Type, flag and value that the tasks in kitchens end with.
        feedback: Messages to agents about failures, by action and code (``"OPEN NOT_VISIBLE"``).
        reasons: Codes of failures by the reason under which they are counted.
    """

    classes: Mapping[str, tuple[str, ...]]
    homes: Mapping[str, tuple[str, ...]]
    accepted: Mapping[str, tuple[str, ...]]
    exit: tuple[tuple[str, str, bool], ...]
    feedback: Mapping[str, str]
    reasons: Mapping[str, Sequence[str]]

    def spread(self, names: Iterable[str]) -> frozenset[str]:
        """Return the object types that are named, either directly or by their class."""
        types: set[str] = set()
        for name in names:
            # "Silverware" -> Fork, Knife, Spoon, ...; "Egg" -> Egg
            types.update(self.classes.get(name, (name,)))
        return frozenset(types)


@cache
def rules() -> BenchmarkConstants:
    """Return the constants of the benchmark."""
    data = read_json("tasks/asgardbench/rules.json")
    # JSON has lists; tuples, because the constants are shared by all instances.
    tables: dict[str, dict[str, tuple[str, ...]]] = {}
    for table in ("classes", "homes", "accepted"):
        tables[table] = {name: tuple(types) for name, types in data[table].items()}
    return BenchmarkConstants(
        classes=tables["classes"],
        homes=tables["homes"],
        accepted=tables["accepted"],
        exit=tuple([(kind, flag, value) for kind, flag, value in data["exit"]]),
        feedback=data["feedback"],
        reasons=data["reasons"],
    )


@cache
def instances() -> Mapping[str, Instance]:
    """Return the published instances by name, in their order."""
    published = read_instances(read_text("tasks/asgardbench/instances.json"))
    return MappingProxyType({instance.id: instance for instance in published})


def instance(name: str) -> Instance:
    """Return a published instance."""
    return look_up("instance", name, instances())


def read_instances(text: str, *, where: str = "instances") -> list[Instance]:
    """Read instances from JSON: an object with the key ``instances``.

    Raises:
        SchemaError: If it is not JSON, or a value is missing or has another form.
        InputError: If a key is unknown, a number is too small, or a family is misspelt.
    """
    # Imported late, because it is slow and only needed to read or write instances.
    from pydantic import TypeAdapter, ValidationError

    try:
        data = load_unambiguous_json(text)
        # pydantic ignores unknown keys of dataclasses, so they are refused before.
        _check_keys(data, where)
        return TypeAdapter(list[Instance]).validate_python(data["instances"])
    except ValidationError as problem:
        first_error = problem.errors()[0]
        location = ".".join(str(part) for part in first_error["loc"])
        raise SchemaError(
            f"an instance cannot be read: {first_error['msg']}",
            where=f"{where}, instances.{location}",
            expected="the fields of eai.suites.asgardbench.instances.Instance",
        ) from problem
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        raise SchemaError(
            f"the instances cannot be read ({problem})",
            where=where,
            expected='a JSON object {"instances": [...]}',
        ) from problem


_NESTED = {
    "goals": Goals,
    "pose": StartPose,
    "reference": ReferenceEvidence,
    "distractors": Distractors,
}
"""Fields of an instance that have fields of their own."""


def _check_keys(data: Mapping[str, Any], where: str) -> None:
    """Refuse unknown keys at any depth.

    Raises:
        UnknownNameError: If there is one.
    """
    rows = data["instances"]
    check_keys(data, ("source", "instances"), where=where)
    for row_index, row in enumerate(rows):
        location = f"{where}, instances.{row_index}"
        check_keys(row, _fields(Instance), where=location)
        for field_name, field_class in _NESTED.items():
            value = row.get(field_name, {})
            # An instance may have several groups of distractors.
            nested_rows = value if isinstance(value, list) else [value]
            for nested_row in nested_rows:
                check_keys(nested_row, _fields(field_class), where=f"{location}.{field_name}")


def _fields(kind: type[Any]) -> tuple[str, ...]:
    """Return the names of the fields of a dataclass."""
    return tuple(field_.name for field_ in fields(kind))


def write_instances(new: Iterable[Instance]) -> str:
    """Return instances as JSON text, one a line, which :func:`read_instances` reads back."""
    from pydantic import TypeAdapter

    adapter = TypeAdapter(Instance)
    # One instance a line: a change of one is one line of a difference.
    lines = [adapter.dump_json(instance, exclude_defaults=True).decode() for instance in new]
    return '{"instances": [\n' + ",\n".join(lines) + "\n]}\n"
