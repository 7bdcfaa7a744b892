"""Agents that plan or act, fail, are told why, and try again (paper, appendix H)."""

from __future__ import annotations

from eai.agents.agents import FORMS, Agent, Form, Message, PolicyAgent, RandomAgent, ScriptedAgent
from eai.agents.interaction import Episodes, Interaction, interact, interact_all
from eai.agents.oracle import Assignment, OracleAgent, format_plan
from eai.agents.replanning import (
    LEVELS,
    Attempt,
    Dialogue,
    Level,
    Replanning,
    give_feedback,
    replan,
)

__all__ = [
    "FORMS",
    "LEVELS",
    "Agent",
    "Assignment",
    "Attempt",
    "Dialogue",
    "Episodes",
    "Form",
    "Interaction",
    "Level",
    "Message",
    "OracleAgent",
    "PolicyAgent",
    "RandomAgent",
    "Replanning",
    "ScriptedAgent",
    "format_plan",
    "give_feedback",
    "interact",
    "interact_all",
    "replan",
]
