"""Models compared task by task: what differs, how sure that is, and what it means."""

from eai.report.comparison.difference import Difference
from eai.report.comparison.models import Comparison, compare

__all__ = ["Comparison", "Difference", "compare"]
