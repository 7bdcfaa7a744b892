"""Other tools as processes of their own, each in the Python in which it is installed."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from logic_tools_texts import text_for

from eai.logic import Formula

__all__ = ["Timing", "Tool"]

_SCRIPT = Path(__file__).with_name("logic_tools_drivers.py")


@dataclass(frozen=True)
class Timing:
    """What evaluating one formula cost a tool.

    Args:
        parse: Seconds of wall time until the formula was read (and translated).
        ingest: Seconds of CPU time that it took to take in the trace.
        evaluate: Seconds of CPU time of one verdict.
        verdict: The verdict.
        looked: How many positions it looked at; None if that is not known.
    """

    parse: float
    ingest: float
    evaluate: float
    verdict: bool
    looked: int | None


class Tool:
    """A tool that runs until the ``with`` block ends.

    Args:
        name: One of the names that the drivers know.
        python: The Python in which it is installed.
    """

    def __init__(self, name: str, python: str) -> None:
        self.name = name
        self._process = subprocess.Popen(
            [python, str(_SCRIPT), name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def __enter__(self) -> Tool:  # noqa: PYI034 - Self is newer than Python 3.10
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        self._process.communicate()

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdin  # noqa: S101 - it was asked for
        assert self._process.stdout  # noqa: S101 - it was asked for
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit(f"{self.name} does not run in the Python given for it")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def take(self, trace: Sequence[Sequence[str]]) -> None:
        """Hand over the trace that the next questions are about."""
        self._ask({"trace": trace})

    def verdicts(
        self, formula: Formula, *, past: bool = False, seconds: float
    ) -> Sequence[bool] | str:
        """Ask for the truth at every position.

        Args:
            formula: The formula.
            past: Whether it speaks of the past only.
            seconds: How long the tool may take, in CPU time.

        Returns:
            The truth values, or why there are none.
        """
        try:
            text = text_for(self.name, formula)
        except KeyError:
            return "not in its language"
        answer = self._ask({"text": text, "past": past, "seconds": seconds, "time": False})
        found: Sequence[bool] | None = answer.get("verdicts")
        return str(answer.get("error", "out of time")) if found is None else found

    def timing(self, formula: Formula, *, seconds: float) -> Timing | str:
        """Ask for the times of one verdict at the first position, or why there are none."""
        text = text_for(self.name, formula)
        answer = self._ask({"text": text, "past": False, "seconds": seconds, "time": True})
        if "evaluate" not in answer:
            return str(answer.get("error", "out of time"))
        return Timing(**answer)
