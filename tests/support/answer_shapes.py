"""Shapes in which chat models write plans and other answers, for tests of the readers.

They hold what a careful person reads without guessing, and texts that hold a right plan without
giving it as the answer. ``benchmarks/agreement/reading.py`` applies them to the suites.
"""

from __future__ import annotations

from answer_decisions import DECIDED_TEXTS, DECISIONS, Decision
from answer_goals import GOAL_SHAPES, Goals
from answer_negatives import NEGATIVES, WITHHELD_TEXTS
from answer_operators import OPERATOR_SHAPES, OperatorText
from answer_robobench import ONE_ARM, RoboShape, Skill
from answer_robobench_arms import PAIRS, SENTENCES, TWO_ARMS, can_be_said
from answer_shapes_calls import CALL_SHAPES
from answer_shapes_data import DATA_SHAPES
from answer_shapes_text import TEXT_SHAPES
from answer_shapes_words import WORD_SHAPES
from answer_steps import Shape, Step
from answer_subgoals import SUBGOAL_SHAPES, Literal, Subgoal

SHAPES: dict[str, Shape] = {**CALL_SHAPES, **DATA_SHAPES, **TEXT_SHAPES, **WORD_SHAPES}

# Shapes that say the steps in words of English. Only suites whose own notation is words, or that
# know such phrases, promise to read them.
IN_WORDS = frozenset(name for name in SHAPES if name.startswith("prose_"))

ROBOBENCH: dict[str, RoboShape] = {**ONE_ARM, **TWO_ARMS, **PAIRS, **SENTENCES}

__all__ = [
    "DECIDED_TEXTS",
    "DECISIONS",
    "GOAL_SHAPES",
    "IN_WORDS",
    "NEGATIVES",
    "ONE_ARM",
    "OPERATOR_SHAPES",
    "PAIRS",
    "ROBOBENCH",
    "SENTENCES",
    "SHAPES",
    "SUBGOAL_SHAPES",
    "TWO_ARMS",
    "WITHHELD_TEXTS",
    "Decision",
    "Goals",
    "Literal",
    "OperatorText",
    "RoboShape",
    "Shape",
    "Skill",
    "Step",
    "Subgoal",
    "can_be_said",
]
