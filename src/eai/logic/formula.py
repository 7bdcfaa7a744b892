"""The expression tree: one tree for preconditions, goals, subgoals and temporal formulas.

A formula is an immutable, hashable tree. Python operators build larger ones: ``f & g``,
``f | g``, ``f ^ g``, ``~f`` and ``f >> g`` (implication). Variables carry their types, and a term
is either a :class:`Variable` or the name of an object.

The nodes are described in :mod:`eai.logic.nodes`, the functions over them in
:mod:`eai.logic.walks`.
"""

from __future__ import annotations

from eai.logic import nodes, traits, walks
from eai.logic.nodes import *  # noqa: F403 - the tree is one thing in two files
from eai.logic.traits import *  # noqa: F403
from eai.logic.walks import *  # noqa: F403

__all__: list[str] = []
__all__ += nodes.__all__
__all__ += traits.__all__
__all__ += walks.__all__
