"""The simple goals that a goal stands for."""

from __future__ import annotations

from eai.logic.options.goal import BestOption, GoalOptions, Listing, Objects, Option

__all__ = ["BestOption", "GoalOptions", "Listing", "Objects", "Option"]
