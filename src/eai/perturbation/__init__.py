"""Fault injection: plans that are wrong in a known way."""

from __future__ import annotations

from eai.perturbation.perturb import KINDS, Perturbation, perturb, perturb_suite
from eai.perturbation.questions import LABELS, FailureQuestion, failure_questions

__all__ = [
    "KINDS",
    "LABELS",
    "FailureQuestion",
    "Perturbation",
    "failure_questions",
    "perturb",
    "perturb_suite",
]
