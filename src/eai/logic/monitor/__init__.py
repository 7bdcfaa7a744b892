"""Judging a trajectory while it grows."""

from __future__ import annotations

from eai.logic.monitor.monitor import Monitor, Status

__all__ = ["Monitor", "Status"]
