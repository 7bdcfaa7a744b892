"""RoboBench: plans, next steps, states, choices, points and trajectories of robots."""

from __future__ import annotations

from eai.suites.robobench.items import published_results
from eai.suites.robobench.score import PlanScore, judge_plan

__all__ = ["PlanScore", "judge_plan", "published_results"]
