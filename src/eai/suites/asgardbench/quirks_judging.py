"""Quirks of the published AsgardBench that concern goals and limits, each a named switch."""

from __future__ import annotations

from eai.semantics import Quirk

__all__ = ["JUDGING"]

_JUDGING = (
    Quirk(
        "location_sticks",
        "A location goal that was reached once counts as reached for the rest of the episode.",
        "What is to be somewhere is there in the end (Table 4).",
    ),
    Quirk(
        "first_of_type",
        "Of all objects of a type only the first is looked at: one stove knob of four or more, "
        "whatever the others are turned to.",
        "All objects of the type are off, closed or clean (3, the state the kitchen is left in).",
    ),
    Quirk(
        "any_slice",
        "One slice may be cooked and another one served.",
        "The slice that is served is the one that was cooked (Table 4).",
    ),
    Quirk(
        "table_set_with_anything",
        "A table is set with any slice of bread and a mug of any liquid.",
        "The bread is toasted and the mug holds coffee (the instruction says so).",
    ),
    Quirk(
        "repeats_at_eight",
        "An episode ends when the same actions are repeated eight times.",
        "It ends when they are repeated more than eight times (3.3).",
    ),
    Quirk(
        "one_step_too_many",
        "Episodes end when the soft and the hard limit are exceeded, so that one more action is "
        "taken.",
        "At most as many actions are taken as the limits say (3.3).",
    ),
    Quirk(
        "summary_fails_all",
        "The summary of failed tasks looks for a mark that is never set and counts every task.",
        "A task that is not solved is a failed one (4.1).",
    ),
)

JUDGING = {quirk.name: quirk for quirk in _JUDGING}
"""Those that concern goals and limits."""
