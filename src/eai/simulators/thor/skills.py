"""The skills of a household robot (pick, put, open, slice) as actions of the symbolic AI2-THOR.

``domains/thor/skills.pddl`` says what each skill asks for beyond the action of the engine that it
leads to. The two are joined into one domain, in which whole plans of skills are run.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from eai.data import read_text
from eai.logic import And
from eai.pddl import AndEffect, Domain, parse_domain
from eai.simulators.thor.world import ThorWorld
from eai.simulators.variations import redefined

_ENGINE_ACTIONS = {
    "pick": "pickup_object",
    "put": "put_object",
    "drop": "drop_hand_object",
    "open": "open_object",
    "close": "close_object",
    "slice": "slice_object",
    "turn_on": "toggle_object_on",
    "turn_off": "toggle_object_off",
}
"""Skill to the action of the engine whose preconditions and effects it adds to."""

# A placement is forced: how much a receptacle holds is not known.
_FORCED_PLACEMENT = dict.fromkeys(("welcome", "suited", "vacant", "fitting"), "(and)")

_KNIFE_IN_HAND = """(exists (?k) (and (holds ?a ?k)
  (or (exists (?n - Knife) (= ?n ?k)) (exists (?n - ButterKnife) (= ?n ?k)))))"""


@cache
def skill_domain(*, knife: bool = False) -> Domain:
    """Return the domain of AI2-THOR with the skills in place of the engine's actions.

    Args:
        knife: Whether slicing asks for a knife in the hand, as in ALFRED.
    """
    engine = read_text("domains/thor/domain.pddl")
    skills = read_text("domains/thor/skills.pddl")
    # The predicates of the skills go before those of the engine, their actions behind its last.
    predicates, _, actions = skills.partition("(:predicates")[2].partition(")\n\n")
    text = engine.replace("(:predicates", f"(:predicates {predicates}", 1).rstrip()
    whole = parse_domain(f"{text.removesuffix(')')}\n{actions})", source="eb-alfred")

    operators = {name: whole.operators[name] for name in ("settle", "find")}
    for name, engine_name in _ENGINE_ACTIONS.items():
        skill = whole.operators[name]
        action = whole.operators[engine_name]
        operators[name] = replace(
            skill,
            precondition=And((action.precondition, skill.precondition)),
            effect=AndEffect((action.effect, skill.effect)),
        )

    bodies = dict(_FORCED_PLACEMENT)
    if knife:
        bodies["ready_to_slice"] = _KNIFE_IN_HAND
    types = {**whole.types, "cart": "thing"}
    return redefined(replace(whole, types=types, operators=operators), bodies)


@cache
def skill_world(*, knife: bool = False) -> ThorWorld:
    """Return the world in which skills are run (see :func:`skill_domain`)."""
    return ThorWorld(domain=skill_domain(knife=knife))
