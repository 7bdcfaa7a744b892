"""Why turns fail: the reasons under which they are counted, and the kinds of error that they are.

The reasons follow AsgardBench's analysis (appendix A.5); which test belongs to which is this
package's reading, for the paper does not list them.
"""

from __future__ import annotations

from collections.abc import Mapping

from eai.diagnosis.taxonomy import ErrorKind
from eai.simulators.thor.failures import Failure
from eai.suites.asgardbench.refusals import Refusal

__all__ = ["KINDS", "REASONS"]

_REASONS: Mapping[str, tuple[Refusal | Failure, ...]] = {
    "not_visible": (Refusal.NOT_VISIBLE, Refusal.NO_INSTANCE, Failure.NOT_INTERACTABLE),
    "hand": (
        *(Refusal.HAND_FULL, Refusal.NOTHING_HELD, Refusal.NOT_HELD, Refusal.NEEDS_KNIFE),
        *(Refusal.NEEDS_CLOTH, Refusal.NEEDS_SPONGE, Refusal.NEEDS_SPRAY_BOTTLE),
        *(Refusal.TV_NEEDS_REMOTE, Failure.HAND_EMPTY, Failure.IN_HAND),
    ),
    "openable": (
        *(Refusal.IN_CLOSED, Refusal.CONTAINER_CLOSED, Refusal.MICROWAVE_OPEN),
        *(Refusal.ALREADY_OPEN, Refusal.ALREADY_CLOSED, Failure.RECEPTACLE_CLOSED),
        *(Failure.MUST_BE_CLOSED, Failure.MUST_BE_OFF),
    ),
    "dirty": (Refusal.CONTAINER_DIRTY, Refusal.COFFEE_MUG_DIRTY),
    "sink": (Refusal.SINK_BLOCKED, Refusal.FAUCET_OFF, Refusal.NOT_IN_SINK),
    "state": (
        *(Refusal.ALREADY_ON, Refusal.ALREADY_OFF, Refusal.ALREADY_SLICED, Refusal.NOT_FILLED),
        *(Refusal.NOT_SPRAYED, Refusal.COFFEE_EMPTY, Refusal.COFFEE_WRONG_OBJECT),
        *(Refusal.COFFEE_MUG_FILLED, Refusal.BURNER_EMPTY, Failure.ALREADY_EMPTY),
    ),
    "placement": (
        *(Refusal.NOT_ON_SURFACE, Refusal.NOT_IN_PAN, Refusal.ALL_EMPLOYED, Failure.NO_POSITION),
        *(Failure.RECEPTACLE_FULL, Failure.BURNER_BLOCKED),
    ),
    "affordance": (
        *(Refusal.NOT_PICKUPABLE, Refusal.NOT_OPENABLE, Refusal.INCOMPATIBLE),
        *(Failure.NOT_SLICEABLE, Failure.NOT_TOGGLEABLE, Failure.NOT_RECEPTACLE),
        *(Failure.NOT_ACCEPTED, Failure.NOT_MADE_FOR_IT, Failure.NOT_DIRTYABLE),
        *(Failure.NOT_FILLABLE, Failure.CONTROLLED),
    ),
}

REASONS: Mapping[str, str] = {
    str(code.value): reason for reason, codes in _REASONS.items() for code in codes
}
"""Code of a failed turn to the reason under which it is counted."""

KINDS: Mapping[str, ErrorKind] = {
    **{str(code.value): ErrorKind.MISSING_STEP for code in (*Failure, *Refusal)},
    **{code: ErrorKind.AFFORDANCE for code, why in REASONS.items() if why == "affordance"},
    **{code: ErrorKind.ADDITIONAL_STEP for code in REASONS if code.startswith("ALREADY_")},
    Refusal.INVALID_ACTION.value: ErrorKind.ACTION_HALLUCINATION,
    Refusal.INVALID_OBJECT.value: ErrorKind.OBJECT_HALLUCINATION,
}
"""Code of a failed turn to the kind of error that it is (see :mod:`eai.diagnosis.taxonomy`)."""
