"""What a text is that holds no predictions: a table, a plan, YAML."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from eai.predictions.foreign import DATA_FRAME
from eai.predictions.items import IDS, OUTPUTS

__all__ = ["Kind", "kind_of"]

_STEP = re.compile(
    r"\W*(\d+[.):]\s*)?(step\s+\d+[.:]?\s*)?[a-z][\w ]*\([^()]*\)\s*[,;.]?", re.IGNORECASE
)
_YAML = re.compile(r"---\s*|\s*(- +)?[\w-]+:( .*)?")
_TABLE = re.compile(r'[\w" -]+([,;\t][\w" -]*)+')


class Kind(NamedTuple):
    """What a file is instead of predictions.

    Args:
        what: What it looks like.
        mend: What to do with it.
    """

    what: str
    mend: str


def kind_of(path: Path, begin: bytes) -> Kind | None:
    """Return what a text is instead of JSON; None if that cannot be told.

    Args:
        path: The file.
        begin: How it begins.
    """
    lines = [line for line in begin.decode("utf-8", "replace").split("\n") if line.strip()]
    if not lines or lines[0].lstrip()[:1] in "{[":
        return None
    first, ending = lines[0].strip(), path.name.lower().removesuffix(".gz").rpartition(".")[2]
    if _STEP.fullmatch(first):
        return Kind(
            "it looks like one plan",
            f"eai repair SUITE TASK {path} takes a plan; predictions name the task of each: "
            '{"id": "the task", "output": "the plan"} on a line',
        )
    if ending in ("csv", "tsv") or _heads_a_table(first):
        return Kind("it looks like a table (CSV)", f"{DATA_FRAME}: columns id and output")
    if ending in ("yaml", "yml") or _are_yaml(lines[:2]):
        return Kind(
            "it looks like YAML",
            'write JSON: {"id": "the task", "output": "what was answered"} on a line',
        )
    return None


def _are_yaml(lines: Sequence[str]) -> bool:
    return len(lines) == 2 and all(map(_YAML.fullmatch, lines))


def _heads_a_table(line: str) -> bool:
    names = {name.strip(' "') for name in re.split("[,;\t]", line.lower())}
    return bool(_TABLE.fullmatch(line)) and not names.isdisjoint((*IDS, *OUTPUTS))
