"""Tasks without end: made from the worlds of other suites, each solved by its own plan.

Names are loaded when they are first used; ``__init__.pyi`` lists them.
"""

from eai import faces

__getattr__, __dir__, __all__ = faces.attach(__name__, __file__)
