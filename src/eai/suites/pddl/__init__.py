"""The suite ``pddl:FOLDER``: any planning benchmark whose domains and problems are PDDL files.

Names are loaded when they are first used; ``__init__.pyi`` lists them.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
