"""Tasks without end: made from the worlds of other suites, each solved by its own plan.

Names are loaded when they are first used; ``__init__.pyi`` lists them.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
