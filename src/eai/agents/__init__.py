"""Agents that plan or act, fail, are told why, and try again (paper, appendix H)."""

from __future__ import annotations

from eai.agents.answers import format_plan
from eai.agents.assignment import Assignment
from eai.agents.episodes import Episodes, interact_all
from eai.agents.feedback import LEVELS, Level, give_feedback
from eai.agents.interaction import Interaction, interact
from eai.agents.messages import FORMS, Agent, Form, Message
from eai.agents.oracle import OracleAgent
from eai.agents.policies import PolicyAgent
from eai.agents.random_agent import RandomAgent
from eai.agents.replanning import Attempt, Dialogue, Replanning, replan
from eai.agents.scripted import ScriptedAgent

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
