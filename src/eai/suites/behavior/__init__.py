"""BEHAVIOR tasks of the Embodied Agent Interface, with the published evaluator's semantics."""

from __future__ import annotations

from eai.suites.behavior.suite import Behavior

__all__ = ["Behavior"]
