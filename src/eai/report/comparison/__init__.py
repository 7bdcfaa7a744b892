"""Models compared task by task: what differs, how sure that is, and what it means."""

from eai.report.comparison.models import Comparison, compare
from eai.report.comparison.paired import Difference

__all__ = ["Comparison", "Difference", "compare"]
