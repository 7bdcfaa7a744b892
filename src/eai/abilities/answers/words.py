"""Words that have a meaning in an answer of any task: keys, headings, fillers.

All are lower case, with underscores between their parts.
"""

from __future__ import annotations

__all__ = [
    "ACTION_KEYS",
    "ASIDE_KEYS",
    "CALLING",
    "CONNECTIVES",
    "EXPLAINING",
    "FILLERS",
    "HEADINGS",
    "NOTHING",
    "OBJECT_KEYS",
    "PARTICLES",
    "RESERVED",
    "STATES",
    "STATING",
]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


HEADINGS = _words("""
    action_list action_plan action_sequence actionlist actions answer commands final_answer
    final_plan output plan program response result script sequence solution steps task_plan
""")
"""They stand before a plan or are the key of a wrapper around it."""

ACTION_KEYS = _words("""
    act action action_name action_type actionname command function operator primitive skill tool
    verb
""")
"""Keys of an action's name in an object that is one step."""

OBJECT_KEYS = _words("""
    arg args argument arguments container destination entity entities from id ids in input inputs
    item items location name obj object objects on param parameter parameters params receptacle
    recipient source surface target targets to with
""")
"""Keys of an action's objects in an object that is one step."""

CALLING = _words("args argument arguments input param parameter parameters params")
"""Keys of an action's objects in a call; an object with a name and one of these is a step."""

EXPLAINING = _words("""
    analysis comment comments description details explanation justification note notes observation
    observations purpose rationale reason reasoning remark remarks summary thinking thought thoughts
    why
""")
"""Keys, and words in keys, of explanations: what stands there is no step that has to be taken."""

STATES = _words("""
    condition conditions effect effects goal goals postcondition postconditions precondition
    preconditions predicate predicates requirement requirements state states
""")
"""Words in the keys of what is, was or shall be so: ``OPEN(door)`` is no step there."""

ASIDE_KEYS = EXPLAINING | _words("duration goal index number step step_number task time")
"""Keys of explanations between the steps, and of their numbers."""

RESERVED = HEADINGS | ACTION_KEYS | OBJECT_KEYS | ASIDE_KEYS
"""Keys that need a closer look before they are taken for the name of an action."""

FILLERS = _words("""
    a all an and are as at be by cannot for from here i in into is it its my next no none not note
    null of on onto ok okay or please so sorry sure the then there this to up we will with you your
""")
"""A few words with one of these among them are a sentence, not a step."""

PARTICLES = _words("around at away back down from in into of off on onto out over to up with")
"""Behind a verb they belong to the name of an action: ``switch on``, ``go to``."""

STATING = _words("am are be been cannot has i is my was we were will you your")
"""A line with one of these among its words states something; a step tells what to do."""

CONNECTIVES = _words("""
    afterwards and finally first lastly next now second then third
""")
"""They stand before a step and do not belong to it."""

NOTHING = frozenset({"", "None", "NONE", "none", "null", "NULL", "nil", "undefined", "N/A"})
"""What is written for "no object"."""
