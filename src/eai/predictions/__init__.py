"""Predictions: what models answered, from whatever file or value they come in.

A *prediction* is an identifier and the raw text of an answer. A file is read in two steps: a
container (:mod:`~eai.predictions.containers`) gives rows, and a layout
(:mod:`~eai.predictions.layouts`) says which part of a row is what. Both are recognised by the
content. One bad row is a problem that is reported, a file without any prediction is an error.

Names are loaded when they are first used; ``__init__.pyi`` lists them.
"""

from eai import faces

__getattr__, __dir__, __all__ = faces.attach(__name__, __file__)
