"""AsgardBench: household tasks in which observations make the agent change its plan."""

from eai import faces

__getattr__, __dir__, __all__ = faces.attach(__name__, __file__)
