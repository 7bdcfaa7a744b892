"""What all records of a report have in common."""

from __future__ import annotations

from operator import attrgetter
from typing import NamedTuple

from eai.errors import InputError
from eai.report.record import Record

__all__ = ["Setting", "common_setting"]


class Setting(NamedTuple):
    """What all records of a report have in common.

    Args:
        suite: Name of the suite.
        version: Version of the suite's tasks.
        ability: Which ability was judged.
        semantics: Which semantics was used.
    """

    suite: str = ""
    version: str = ""
    ability: str = ""
    semantics: str = ""

    def __str__(self) -> str:
        suite = f"{self.suite} {self.version}".strip()
        return f"suite {suite}, ability {self.ability}, semantics {self.semantics}"


def common_setting(records: tuple[Record, ...], given: Setting | None) -> Setting:
    """Return the setting of all records.

    Args:
        records: The records.
        given: What they should be of; the setting of a report without records.

    Raises:
        InputError: If the records are of different runs, or not of the given one.
    """
    found = map(Setting._make, dict.fromkeys(map(attrgetter(*Setting._fields), records)))
    settings = dict.fromkeys([*([given] if given else []), *found])
    if len(settings) > 1:
        first, second, *_ = settings
        raise InputError(
            "a report cannot mix records of different runs",
            where="report",
            expected=f"{first}, as at the start (found too: {second})",
            mend="make one report for each",
        )
    return next(iter(settings), Setting())
