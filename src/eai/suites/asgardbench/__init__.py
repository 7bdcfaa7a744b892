"""AsgardBench: household tasks whose plan has to change with what is seen."""

from __future__ import annotations

from eai.suites.asgardbench.suite import AsgardBench

__all__ = ["AsgardBench"]
