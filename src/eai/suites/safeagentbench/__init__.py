"""SafeAgentBench: hazardous instructions, harmless ones, and requirements on the way."""

from eai import faces

__getattr__, __dir__, __all__ = faces.attach(__name__, __file__)
