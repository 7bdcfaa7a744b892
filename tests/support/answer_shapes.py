"""Shapes in which chat models write plans, and other answers, for tests of the readers.

Everything that a careful person reads without guessing, and texts that hold a right plan without
giving it as the answer. ``benchmarks/answer_shapes.py`` applies them to the suites.
"""

from __future__ import annotations

from support.answer_decisions import DECISIONS, NEGATIVES, Decision
from support.answer_shapes_calls import CALL_SHAPES
from support.answer_shapes_data import DATA_SHAPES
from support.answer_shapes_text import TEXT_SHAPES
from support.answer_steps import Shape, Step

SHAPES: dict[str, Shape] = {**CALL_SHAPES, **DATA_SHAPES, **TEXT_SHAPES}

# Shapes that say the steps in words of English. Only suites whose own notation is words, or that
# know such phrases, promise to read them.
IN_WORDS = frozenset(name for name in SHAPES if name.startswith("prose_"))

__all__ = ["DECISIONS", "IN_WORDS", "NEGATIVES", "SHAPES", "Decision", "Shape", "Step"]
