"""Least repair: the fewest edits that make a plan work, and what they say about its mistakes."""

from __future__ import annotations

from eai.planning.repair.least import Repair, RepairBounds, least_repair
from eai.planning.repair.task import Edit, EditKind, Target

__all__ = ["Edit", "EditKind", "Repair", "RepairBounds", "Target", "least_repair"]
