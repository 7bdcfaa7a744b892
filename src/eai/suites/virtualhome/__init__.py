"""VirtualHome tasks of the Embodied Agent Interface, with the published evaluator's semantics."""

from __future__ import annotations

from eai.suites.virtualhome.suite import VirtualHome

__all__ = ["VirtualHome"]
