"""LongAct: long household days under the published rules, in houses of symbolic rooms."""

from __future__ import annotations

from eai.suites.longact.metrics import improvement_rate
from eai.suites.longact.suite import LongAct

__all__ = ["LongAct", "improvement_rate"]
