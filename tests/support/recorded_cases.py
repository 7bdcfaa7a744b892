"""Files of numbered cases, each with the result that it had before, a line of JSON each."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

__all__ = ["read_cases", "renew_cases"]


def read_cases(file: Path) -> list[tuple[int, list[Any]]]:
    """Return the numbers of the cases in a file, each with its result."""
    return [tuple(json.loads(line)) for line in file.read_text("utf-8").splitlines()]


def renew_cases(file: Path, result_of: Callable[[int], list[Any]]) -> None:
    """Find out about all cases of a file anew, and keep the results."""
    rows = [[number, result_of(number)] for number, _ in read_cases(file)]
    lines = [json.dumps(row, separators=(",", ":")) for row in rows]
    file.write_text("\n".join(lines) + "\n", "utf-8")
