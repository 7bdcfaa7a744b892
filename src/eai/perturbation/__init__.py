"""Fault injection: plans that are wrong in a known way."""

from __future__ import annotations

from eai.perturbation.perturb import KINDS, Perturbation, perturb, perturb_suite

__all__ = ["KINDS", "Perturbation", "perturb", "perturb_suite"]
