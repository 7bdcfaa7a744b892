"""Analyses of reports and of datasets, one call each.

Most are those of the Embodied Agent Interface's appendix (sections E, F, G, L, M). Every analysis
returns a :class:`~eai.table.table.Table`: rows with their counts, and notes that say what was left
out.

Names are loaded when they are first used; ``__init__.pyi`` lists them.
"""

from eai import faces

__getattr__, __dir__, __all__ = faces.attach(__name__, __file__)
