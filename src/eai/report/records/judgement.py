"""The shape of a judgement in a record file."""

from __future__ import annotations

from eai.diagnosis.judgement import GOAL_KINDS, Condition, Finding, Judgement, Match, Measure
from eai.diagnosis.taxonomy import ErrorKind
from eai.errors import nearest
from eai.report.records import shape

__all__ = ["JUDGEMENT", "suggestion"]


def suggestion(error: shape.ShapeError) -> str | None:
    """Return which kind of error may have been meant, or how an answer becomes a record."""
    if not error.path and isinstance(error.found, dict) and "judgement" not in error.found:
        return "answers become records when they are judged: eai.evaluate(suite, file)"
    if not error.path or error.path[-1] != ".kind" or not isinstance(error.found, str):
        return None
    close = nearest(error.found, [kind.value for kind in ErrorKind])
    return f"did you mean {' or '.join(map(repr, close))}?" if close else None


_KIND_NAMES = shape.choice(kind.value for kind in ErrorKind)


def _kind(value: object) -> ErrorKind:
    return ErrorKind(_KIND_NAMES(value))


_FINDING = shape.one(
    Finding,
    {
        "kind": _kind,
        "message": shape.text,
        "step": shape.optional(shape.whole),
        "action": shape.text,
        "conditions": shape.many(shape.text),
        "held_until": shape.optional(shape.whole),
        "destroyed_by": shape.optional(shape.whole),
        "position": shape.optional(shape.whole),
        "times": shape.whole,
    },
)
_CONDITION = shape.one(
    Condition,
    {
        "kind": shape.choice(GOAL_KINDS),
        "text": shape.text,
        "met": shape.truth,
        "since": shape.optional(shape.whole),
        "lost_by": shape.optional(shape.whole),
    },
)
_MATCH = shape.one(
    Match,
    {"kind": shape.text, "tp": shape.whole, "fp": shape.whole, "fn": shape.integer},
)
_MEASURE = shape.one(Measure, {"kind": shape.text, "amount": shape.whole, "base": shape.positive})
JUDGEMENT = shape.one(
    Judgement,
    {
        "status": shape.choice(("judged", "missing", "excluded")),
        "success": shape.truth,
        "executable": shape.truth,
        "plan": shape.many(shape.text),
        "executed": shape.many(shape.choice(("done", "skipped", "failed", "not reached"))),
        "findings": shape.many(_FINDING),
        "goals": shape.many(_CONDITION),
        "formula": shape.text,
        "formula_holds": shape.optional(shape.truth),
        "formula_reason": shape.text,
        "notes": shape.many(shape.text),
        "matches": shape.many(_MATCH),
        "groups": shape.many(shape.text),
        "outcome": shape.text,
        "measures": shape.many(_MEASURE),
    },
)
"""Checks the JSON value of a judgement, and returns the judgement."""
