"""Plans in answers: what models write, read as steps, and their names looked up.

Names are loaded when they are first used; ``__init__.pyi`` lists them.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
