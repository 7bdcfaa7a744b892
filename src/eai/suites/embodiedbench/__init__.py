"""The four environments of EmbodiedBench, without their simulators."""

from eai import faces

__getattr__, __dir__, __all__ = faces.attach(__name__, __file__)
