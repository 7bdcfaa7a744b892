"""Everyday tasks in small homes that are shipped with the package."""

from __future__ import annotations

from eai.suites.household.suite import Household, samples

__all__ = ["Household", "samples"]
