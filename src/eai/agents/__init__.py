"""Agents that plan or act, fail, are told why, and try again (paper, appendix H)."""

from __future__ import annotations

from eai.agents.agents import FORMS, Agent, Form, Message, PolicyAgent, RandomAgent, ScriptedAgent
from eai.agents.interaction import AGENTS, AgentChoice, Interaction, interact
from eai.agents.many import (
    TRANSCRIPTS,
    Asked,
    Collection,
    collect_answers,
    interact_all,
    replan_all,
)
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
    "AGENTS",
    "FORMS",
    "LEVELS",
    "TRANSCRIPTS",
    "Agent",
    "AgentChoice",
    "Asked",
    "Assignment",
    "Attempt",
    "Collection",
    "Dialogue",
    "Form",
    "Interaction",
    "Level",
    "Message",
    "OracleAgent",
    "PolicyAgent",
    "RandomAgent",
    "Replanning",
    "ScriptedAgent",
    "collect_answers",
    "format_plan",
    "give_feedback",
    "interact",
    "interact_all",
    "replan",
    "replan_all",
]
