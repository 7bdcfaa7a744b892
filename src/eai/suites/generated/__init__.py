"""Tasks without end: made from the worlds of other suites, each solved by its own plan."""

from __future__ import annotations

from eai.suites.generated.difficulties import Difficulty, difficulty
from eai.suites.generated.generator import SPLITS, generate
from eai.suites.generated.suite import Generated
from eai.suites.generated.twins import Twin, twin

__all__ = ["SPLITS", "Difficulty", "Generated", "Twin", "difficulty", "generate", "twin"]
