"""Interchange with unified-planning, and its engines behind our interface."""

from __future__ import annotations

from eai.planning.unified.engines import UnifiedEngine
from eai.planning.unified.interchange import from_unified, register, to_unified

__all__ = ["UnifiedEngine", "from_unified", "register", "to_unified"]
