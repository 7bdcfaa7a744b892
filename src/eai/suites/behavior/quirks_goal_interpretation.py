"""The quirks of ``eai-eval`` 1.0.5 on BEHAVIOR goal interpretation, each a named switch."""

from __future__ import annotations

from eai.semantics import Quirk

__all__ = ["GOAL_INTERPRETATION_QUIRKS"]

_ALL = (
    # ---- reading the answer
    Quirk(
        "goals_in_first_braces",
        "Takes the first pair of braces without braces in it, in lower case and with single "
        "quotes made double, for a JSON object of lists of goals, whatever its keys.",
        "The goals are read in whatever usual form they are written (D.1, grammatical errors).",
    ),
    Quirk(
        "unusual_goals_crash",
        "JSON of another form (a number for a goal, an empty list) stops the run.",
        "It is an answer with wrong goals, or without any.",
    ),
    Quirk(
        "goal_names_exact",
        "Names are compared letter by letter after the answer was put into lower case; only the "
        "definition's names of objects are known.",
        "Punctuation does not matter, and an object may have its name in plans.",
    ),
    Quirk(
        "goal_kind_by_word",
        "The word decides whether a goal is about a state or a relation; with another word it is "
        "neither, and wrong in the overall count only.",
        "The number of objects decides (D.1).",
    ),
    # ---- comparing
    Quirk(
        "published_goal_options",
        "The options of each condition are those of a list, which for three activities was made "
        "from another version of the goal.",
        "The options are those of the goal (2.3).",
    ),
    Quirk(
        "goal_options_one_by_one",
        "For each condition by itself the first option with the most literals in the answer "
        "is taken.",
        "Of all simple goals the one with the greatest F1 is taken (2.3).",
    ),
    Quirk(
        "goal_repetitions_counted",
        "A wrong goal that is there twice is wrong twice; a literal that two conditions ask for "
        "is found, or missed, twice.",
        "Goals are sets (2.3).",
    ),
)

GOAL_INTERPRETATION_QUIRKS = {quirk.name: quirk for quirk in _ALL}
