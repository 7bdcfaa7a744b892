"""Progression: what is left to be shown of a formula after part of a trajectory was read."""

from __future__ import annotations

from eai.logic.progression.progression import Meaning, Progression

__all__ = ["Meaning", "Progression"]
