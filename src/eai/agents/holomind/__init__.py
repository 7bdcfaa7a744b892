"""HoloMind, an agent for long tasks (arXiv 2605.14504, section 4), with symbolic modules."""

from eai.agents.holomind.agent import MODULES, PARTS, HoloMind, RegisteredHoloMind
from eai.agents.holomind.episodic import Experience

__all__ = ["MODULES", "PARTS", "REGISTERED", "Experience", "HoloMind"]

REGISTERED = RegisteredHoloMind()
