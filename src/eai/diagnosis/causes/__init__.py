"""Causes: which step made or destroyed what was needed, and which steps served no goal."""

from eai.diagnosis.causes.analysis import causes
from eai.diagnosis.causes.result import Causes, FailedCondition, Failure, GoalCause, Link, StepCause

__all__ = ["Causes", "FailedCondition", "Failure", "GoalCause", "Link", "StepCause", "causes"]
