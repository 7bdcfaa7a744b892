"""The quirks of ``eai-eval`` 1.0.5 on VirtualHome goal interpretation, each a named switch."""

from __future__ import annotations

from eai.semantics import Quirk

__all__ = ["GOAL_INTERPRETATION_QUIRKS"]

_ALL = (
    # ---- reading the answer
    Quirk(
        "goals_as_json",
        "The answer must be one JSON object, but for a code fence in front, line breaks and "
        "single quotes; its goals are what stands under three fixed keys, in a fixed form.",
        "The goals are read in whatever usual form they are written (D.1, grammatical errors).",
    ),
    Quirk(
        "unparsed_goals_skipped",
        "An answer that is not JSON is left out: none of the task's goals counts as missed.",
        "No goal is found in such an answer, and all are missed (2.3, recall).",
    ),
    Quirk(
        "unusual_goals_crash",
        "JSON of another form (a list, null for a goal, an action that is not text) stops the run.",
        "It is an answer with wrong goals, or without any.",
    ),
    # ---- what the goals mean
    Quirk(
        "goal_names_exact",
        "Names are compared letter by letter, only classes are names of objects; a state, a "
        "relation or an action that does not exist is wrong, but no hallucination.",
        "Letter case and punctuation do not matter, an id may stand behind the class, and every "
        "name that does not exist is a hallucination (D.1).",
    ),
    Quirk(
        "one_object_per_name",
        "A name means one relevant object of its class, the last one of a set whose order changes "
        "with the hash seed; fixed here as the one with the highest id. Goals about another "
        "object of the class cannot be found.",
        "A name without id can mean any object of its class; as many goals are found as can be, "
        "each by a goal of its own (2.3).",
    ),
    # ---- counting
    Quirk(
        "unusable_goals_ignored",
        "A goal that lacks a key or names an unknown object is not counted.",
        "It is an element of the answer that is no goal of the task (2.3).",
    ),
    Quirk(
        "goal_copies_counted",
        "Goals that differ only in a remark (an action's description) count one by one, also if "
        "all of them find the same goal; more can be found than there are.",
        "A goal is a set: what is said twice counts once (2.3).",
    ),
    Quirk(
        "actions_one_by_one",
        "Each action counts on its own, in any order.",
        "The sequence of actions is one element (2.3).",
    ),
    Quirk(
        "actions_found_again",
        "Two alternatives of one demanded action both count as found, so that more can be found "
        "than there are.",
        "A demanded action is found once.",
    ),
)

GOAL_INTERPRETATION_QUIRKS = {quirk.name: quirk for quirk in _ALL}
