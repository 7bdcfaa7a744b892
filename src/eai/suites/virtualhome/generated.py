"""VirtualHome as a world of generated tasks: what goals ask for, and in which words."""

from __future__ import annotations

from eai.contract import TaskWorld

# Each state has an opposite that is a predicate of its own, so no goal needs a negation.
WORLD = TaskWorld(
    {
        "open": ("{0} is open", "open {0}"),
        "closed": ("{0} is closed", "close {0}"),
        "on": ("{0} is switched on", "switch {0} on"),
        "off": ("{0} is switched off", "switch {0} off"),
        "plugged_in": ("{0} is plugged in", "plug {0} in"),
        "plugged_out": ("{0} is unplugged", "unplug {0}"),
        "clean": ("{0} is clean", "clean {0}"),
        "sitting": ("{0} is sitting", "let {0} sit down"),
        "lying": ("{0} is lying", "let {0} lie down"),
        "ontop": ("{0} is on {1}", "put {0} on {1}"),
        "inside": ("{0} is in {1}", "bring {0} into {1}"),
        "next_to": ("{0} is next to {1}", "bring {0} next to {1}"),
        "facing": ("{0} is facing {1}", "turn {0} to {1}"),
        "holds_rh": ("{0} holds {1} in the right hand", "let {0} take {1} in the right hand"),
        "holds_lh": ("{0} holds {1} in the left hand", "let {0} take {1} in the left hand"),
    }
)
"""The world of the suites ``household`` and ``virtualhome``."""
