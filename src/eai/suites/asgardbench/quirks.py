"""The quirks of the published AsgardBench, each a named switch."""

from __future__ import annotations

from eai.semantics import Quirk

_SCORING = (
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
        "errors_by_object",
        "A failed turn adds an error for every object that was tried: `PICKUP Cabinet` as many as "
        "there are cabinets, so that shares of errors exceed one and valid ones fall below zero.",
        "A failed turn is one error (4.1.1).",
    ),
    Quirk(
        "tried_is_milestone",
        "SLICE, CLEAN, SPRAY and DRINK extend the soft limit also if the simulator refuses them.",
        "What was done extends it (3.3).",
    ),
    Quirk(
        "summary_fails_all",
        "The summary of failed tasks looks for a mark that is never set and counts every task.",
        "A task that is not solved is a failed one (4.1).",
    ),
)

SCORING = {quirk.name: quirk for quirk in _SCORING}
"""Those that concern goals and limits."""


OFFICIAL_VERSION = "AsgardBench 2603.15888"

_ACTING = (
    Quirk(
        "put_tries_all",
        "If an instance refuses what is put, every other instance of its type is tried: the agent "
        "is taken there and closed ones are opened, so that `PUT Cabinet` succeeds with all "
        "cabinets closed. What is open and refuses is closed.",
        "Something is put in an instance that is in view and open (3, A.3).",
    ),
    Quirk(
        "last_refusal_told",
        "Of the refusals of all instances that were tried, the last one is told.",
        "The refusal of the instance that the action was about is told.",
    ),
    Quirk(
        "surfaces_alike",
        "An action that fails with CounterTop, DiningTable or SideTable is tried with the others "
        "of them that are in view, whose failures are told. If the room has others and none is in "
        "view, the failure is forgotten: nothing was done, and the turn counts as a success.",
        "What is named is meant.",
    ),
    Quirk(
        "recorded_places_first",
        "To put, open or close something, what earlier runs recorded to take the held object comes "
        "first, also if it is full; what was found or opened counts right after that only, and "
        "of burners the last one is the only one.",
        "What has room comes first; what was found counts until another one is dealt with.",
    ),
    Quirk(
        "basin_is_faucet",
        "`TOGGLE_ON SinkBasin` switches the only faucet on, whatever is in the sink.",
        "A SinkBasin has no switch; the Faucet asks for a sink with nothing but dishes (A.3).",
    ),
    Quirk(
        "own_table",
        "What goes into what is looked up in a table of the benchmark, which refuses placements "
        "that the simulator lets be done (a Knife in a Bowl), and the other way round.",
        "The simulator says what goes into what.",
    ),
    Quirk(
        "find_opens",
        "`FIND` opens the closed drawer or cabinet that its target is in.",
        "`FIND` takes the agent in front of the closed container and changes nothing (A.3).",
    ),
    Quirk(
        "find_never_fails",
        "`FIND` succeeds for everything but the source of slices, whether it is seen then or not.",
        "`FIND` fails if what is to be found is not in view of the place it leads to.",
    ),
    Quirk(
        "any_knife",
        "Any knife slices, a ButterKnife too.",
        "Slicing needs the Knife (world rules, appendix).",
    ),
    Quirk(
        "egg_anywhere",
        "An Egg can be cracked wherever it is.",
        "An Egg is put in a Pan before it is cracked (world rules, appendix).",
    ),
    Quirk(
        "drink_with_anything",
        "Drinking asks that something is held, whatever it is; whatever is drunk was coffee; if "
        "a Mug is held, what was drunk from gets dirty.",
        "What is drunk from is held and gets dirty; coffee was drunk if coffee was in it.",
    ),
    Quirk(
        "spray_anything",
        "Spraying anything in view counts as spraying the mirror.",
        "The Mirror is what has to be sprayed.",
    ),
    Quirk(
        "off_empties_water",
        "Whatever is switched off, water disappears from all dishes in the room.",
        "Water stays in a dish until it is emptied or taken out of the sink: washing does not "
        "ask for `EMPTY` (world rules, appendix), which can be done all the same.",
    ),
    Quirk(
        "reached_is_untouchable",
        "An object that satisfies a location goal cannot be named any more: others of its type "
        "are taken, and if there is none the action fails.",
        "Such an object is taken last.",
    ),
    Quirk(
        "stove_without_pan",
        "A StoveBurner can be turned on with nothing on it.",
        "A Pan is put on it before (world rules, appendix).",
    ),
)

_TALKING = (
    Quirk(
        "last_match_read",
        "The last `Action: WORD WORD` behind the first `<answer>` is read, wherever it stands; the "
        "rest of the line is ignored, and any other form is none.",
        "The last line `Action: ACTION OBJECT` is read, in any form that leaves no doubt.",
    ),
    Quirk(
        "unread_is_tried",
        "An answer without an action in it, or with an unknown object, is tried in vain: it counts "
        "as undoable, and its words as new objects. An unknown action is unparsable with a known "
        "object, and undoable with none.",
        "There is no action, no object or no form to be made out, and each is counted as such "
        "(4.1.1).",
    ),
    Quirk(
        "unread_not_told",
        "Answers that no action was read out of are left out of the history, which counts from 0.",
        "All turns are told.",
    ),
    Quirk(
        "published_feedback",
        "Detailed feedback is worded as in the published program.",
        "It is worded here.",
    ),
    Quirk(
        "plan_is_kept",
        "Without memory the agent is still told the plan that it wrote last.",
        "Neither its plan nor its notes are told.",
    ),
)

TALKING = {quirk.name: quirk for quirk in _TALKING}
"""Those that concern what is said and heard."""

ACTING = {quirk.name: quirk for quirk in _ACTING}
"""Those that concern what actions do."""
QUIRKS = ACTING | TALKING | SCORING
"""All of them."""
