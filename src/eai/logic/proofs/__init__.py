"""Smallest proofs of verdicts."""

from __future__ import annotations

from eai.logic.proofs.nodes import Blame, Proof
from eai.logic.proofs.prover import prove

__all__ = ["Blame", "Proof", "prove"]
