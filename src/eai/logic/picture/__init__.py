"""Pictures of truth over time."""

from __future__ import annotations

from eai.logic.picture.picture import Row, TruthPicture, truth_table

__all__ = ["Row", "TruthPicture", "truth_table"]
