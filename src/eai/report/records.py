"""Records: one judged prediction each, as JSON Lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from eai.diagnosis.judgement import Judgement

__all__ = ["Record"]


@dataclass(frozen=True, slots=True)
class Record:
    """One judged prediction.

    Args:
        suite: Name of the suite.
        version: Version of the suite's tasks.
        ability: Which ability was judged.
        semantics: Which semantics was used, spelled as reports print it.
        model: Whose prediction it is.
        task: Identifier of the task.
        name: Category of the task (``"Wash clothes"``).
        output: The answer, as it was given.
        judgement: What was found.
        seconds: CPU time that judging took; 0 when timing is off.
    """

    suite: str
    version: str
    ability: str
    semantics: str
    model: str
    task: str
    name: str
    output: str
    judgement: Judgement
    seconds: float = 0.0
