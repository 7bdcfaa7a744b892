"""The world: states, actions, what actions change, and whether a condition holds in a state.

Names are loaded when they are first used; ``__init__.pyi`` lists them.
"""

from eai import faces

__getattr__, __dir__, __all__ = faces.attach(__name__, __file__)
