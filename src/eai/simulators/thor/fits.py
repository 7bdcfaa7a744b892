"""Whether an object has a place in a receptacle: what was recorded, where the shapes decide.

The table of placements says what may be placed where; whether it fits is geometry, which a
symbolic world has not. Outcomes recorded in AI2-THOR 5.0.0 say it for single receptacles.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources

__all__ = ["Fits", "PutOutcome", "recorded_fits"]


@dataclass(frozen=True, slots=True)
class PutOutcome:
    """What came of placing objects of a type in one receptacle.

    Args:
        scene: The room.
        receptacle: Name of the receptacle.
        held: Type of the object.
        succeeded: Whether it was ever placed there.
        failures: In how many configurations it was not; counting stopped at 5.
    """

    scene: str
    receptacle: str
    held: str
    succeeded: bool
    failures: int


class Fits:
    """Tells what has no place where: a hard misfit never succeeded and failed often.

    Args:
        outcomes: What is recorded. Where nothing is, everything fits.
        least: Number of failures from which on one that never succeeded counts as a misfit.
    """

    def __init__(self, outcomes: Iterable[PutOutcome], *, least: int = 5) -> None:
        rows = list(outcomes)
        known = {(row.scene, row.receptacle, row.held) for row in rows if row.succeeded}
        failed = {(row.scene, row.receptacle, row.held) for row in rows if row.failures >= least}
        self.misfits: frozenset[tuple[str, str, str]] = frozenset(failed - known)

    def fits(self, scene: str, receptacle: str, held: str) -> bool:
        """Whether an object of the type ``held`` has a place in the receptacle."""
        return (scene, receptacle, held) not in self.misfits


@cache
def recorded_fits() -> Fits:
    """Return the outcomes that ship, with hard misfits refused."""
    packed = resources.files("eai.data.domains.thor").joinpath("fits.json.gz").read_bytes()
    rows = json.loads(gzip.decompress(packed))["rows"]
    return Fits(
        PutOutcome(scene, receptacle, held, bool(succeeded), failures)
        for scene, receptacle, held, succeeded, failures in rows
    )
