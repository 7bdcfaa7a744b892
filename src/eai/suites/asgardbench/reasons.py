"""Why turns fail: the reasons under which they are counted, and the kinds of error that they are.

The reasons are those of AsgardBench's analysis (appendix A.5); which test belongs to which is
this package's reading, for the paper does not list them.
"""

from __future__ import annotations

from collections.abc import Mapping

from eai.diagnosis.taxonomy import ErrorKind
from eai.suites.asgardbench.refusals import Refusal

__all__ = ["KINDS", "REASONS"]

_REASONS = {
    "not_visible": (Refusal.NOT_VISIBLE, Refusal.NO_INSTANCE),
    "hand": (
        *(Refusal.HAND_FULL, Refusal.NOTHING_HELD, Refusal.NOT_HELD, Refusal.NEEDS_KNIFE),
        *(Refusal.NEEDS_CLOTH, Refusal.NEEDS_SPONGE, Refusal.NEEDS_SPRAY_BOTTLE),
        Refusal.TV_NEEDS_REMOTE,
    ),
    "openable": (
        *(Refusal.IN_CLOSED, Refusal.CONTAINER_CLOSED, Refusal.MICROWAVE_OPEN),
        *(Refusal.ALREADY_OPEN, Refusal.ALREADY_CLOSED, Refusal.NOT_OPENABLE),
    ),
    "dirty": (Refusal.CONTAINER_DIRTY, Refusal.COFFEE_MUG_DIRTY),
    "sink": (Refusal.SINK_BLOCKED, Refusal.FAUCET_OFF, Refusal.NOT_IN_SINK),
    "state": (
        *(Refusal.ALREADY_ON, Refusal.ALREADY_OFF, Refusal.ALREADY_SLICED, Refusal.NOT_FILLED),
        *(Refusal.NOT_SPRAYED, Refusal.COFFEE_EMPTY, Refusal.COFFEE_WRONG_OBJECT),
        *(Refusal.COFFEE_MUG_FILLED, Refusal.BURNER_EMPTY),
    ),
    "placement": (
        *(Refusal.INCOMPATIBLE, Refusal.NOT_PICKUPABLE, Refusal.NOT_ON_SURFACE),
        *(Refusal.NOT_IN_PAN, Refusal.ALL_EMPLOYED),
    ),
}

REASONS: Mapping[str, str] = {
    code.value: reason for reason, codes in _REASONS.items() for code in codes
}
"""Code of a refusal to the reason under which it is counted; the simulator's own are others."""

_AFFORDANCES = (
    *(Refusal.NOT_PICKUPABLE, Refusal.NOT_OPENABLE, Refusal.INCOMPATIBLE),
    Refusal.COFFEE_WRONG_OBJECT,
)
_ALREADY = (
    *(Refusal.ALREADY_OPEN, Refusal.ALREADY_CLOSED, Refusal.ALREADY_ON, Refusal.ALREADY_OFF),
    Refusal.ALREADY_SLICED,
)

KINDS: Mapping[str, ErrorKind] = {
    **dict.fromkeys((code.value for code in Refusal), ErrorKind.MISSING_STEP),
    **dict.fromkeys((code.value for code in _AFFORDANCES), ErrorKind.AFFORDANCE),
    **dict.fromkeys((code.value for code in _ALREADY), ErrorKind.ADDITIONAL_STEP),
    Refusal.INVALID_ACTION.value: ErrorKind.ACTION_HALLUCINATION,
    Refusal.INVALID_OBJECT.value: ErrorKind.OBJECT_HALLUCINATION,
}
"""Code of a refusal to the kind of error that it is (see :mod:`eai.diagnosis.taxonomy`)."""
