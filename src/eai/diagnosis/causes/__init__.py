"""Causes: which step made or destroyed what was needed, and which steps served no goal."""

from eai.diagnosis.causes.analysis import causes
from eai.diagnosis.causes.parts import Failure, GoalCause, Link, Need, StepCause
from eai.diagnosis.causes.result import Causes

__all__ = ["Causes", "Failure", "GoalCause", "Link", "Need", "StepCause", "causes"]
