"""Abilities: what a model is asked for, and how its answer becomes something to evaluate."""

from __future__ import annotations

__all__: list[str] = []
