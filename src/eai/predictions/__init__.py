"""Predictions: what models answered, from whatever file or value they come in.

A *prediction* is an identifier and the raw text of an answer. The shape is recognised by the
content, not by the file's name: JSON Lines of ``{"id", "output"}``, the official lists of
``{"identifier", "llm_output"}``, mappings, pairs, data frames, folders, logs of Inspect AI, samples
of lm-evaluation-harness; files may be gzipped.
One bad line is a problem that is reported, a file without any prediction is an error.

Names are loaded when they are first used; ``__init__.pyi`` lists them.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
