"""Agents that plan, fail, are told why, and plan again (paper, appendix H)."""

from __future__ import annotations

from eai.agents.answers import format_plan
from eai.agents.assignment import Assignment
from eai.agents.feedback import LEVELS, Level, give_feedback
from eai.agents.messages import FORMS, Agent, Form, Message
from eai.agents.oracle import OracleAgent
from eai.agents.replanning import Attempt, Dialogue, Replanning, replan
from eai.agents.scripted import ScriptedAgent

__all__ = [
    "FORMS",
    "LEVELS",
    "Agent",
    "Assignment",
    "Attempt",
    "Dialogue",
    "Form",
    "Level",
    "Message",
    "OracleAgent",
    "Replanning",
    "ScriptedAgent",
    "format_plan",
    "give_feedback",
    "replan",
]
