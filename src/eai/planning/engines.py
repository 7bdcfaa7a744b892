"""Planners behind one interface, found by name.

Ours are ``"eai"`` (searches that take turns), ``"eai-width"``, ``"eai-greedy"``,
``"eai-optimal"`` and ``"eai-breadth-first"``. Other packages announce theirs as entry points of
the group ``eai.planners``.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import EntryPoint, entry_points
from typing import Protocol

from eai.errors import InputError, UnknownNameError
from eai.pddl import Domain, Problem
from eai.planning.own import OWN
from eai.planning.results import PlanningResult
from eai.plugins import find_object

_GROUP = "eai.planners"
_OTHERS = {
    "fast-downward": "eai.planning.fast_downward:FastDownward",
    "pyperplan": "eai.planning.unified.engines:PYPERPLAN",
}


class Engine(Protocol):
    """A planner. However planning ends is a result; exceptions are for wrong calls."""

    @property
    def name(self) -> str:
        """Its name in results."""
        ...

    @property
    def version(self) -> str:
        """Its version; results are kept under it."""
        ...

    def solve(
        self,
        domain: Domain,
        problem: Problem,
        *,
        time_limit: float | None,
        memory_limit: float | None,
    ) -> PlanningResult:
        """Plan within limits (seconds of processor time; megabytes)."""
        ...


def engine_names() -> Sequence[str]:
    """Names of all engines, those of other packages last."""
    return list(dict.fromkeys([*OWN, *_OTHERS, *(p.name for p in _announced())]))


def find_engine(engine: str | Engine) -> Engine:
    """Return an engine by name, by ``module:attribute``, or as it is.

    Raises:
        UnknownNameError: If there is no engine of this name.
        InputError: If it cannot be imported, or is none.
    """
    if not isinstance(engine, str):
        if not callable(getattr(engine, "solve", None)):
            raise InputError(
                f"a planner is no {type(engine).__name__}",
                expected=f"one of {', '.join(engine_names())}, module:attribute, or an engine",
            )
        return engine
    if engine in OWN:
        return OWN[engine]
    target = _OTHERS.get(engine)
    if target is None:
        announced = {point.name: point.value for point in _announced()}
        target = engine if ":" in engine else announced.get(engine)
    if target is None:
        raise UnknownNameError("planner", engine, engine_names())
    return _imported(engine, target)


def _announced() -> Sequence[EntryPoint]:
    return sorted(entry_points(group=_GROUP), key=lambda point: (point.name, point.value))


def _imported(name: str, target: str) -> Engine:
    made = find_object(target, what=f"the planner {name!r}")
    engine: Engine = made() if isinstance(made, type) else made  # type: ignore[assignment]
    return engine
