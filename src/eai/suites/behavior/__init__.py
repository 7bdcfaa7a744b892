"""BEHAVIOR tasks of the Embodied Agent Interface."""

from __future__ import annotations

__all__: list[str] = []
