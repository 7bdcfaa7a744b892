"""Episodic memory: the objects in the hand, the history, and the rules that were learned."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from eai.files import replacing
from eai.suites.shared.documents import SuiteDocument, read_document

Then = Literal["insert", "forbid", "prefer"]


class LearnedRule(SuiteDocument):
    """A learned rule: under a condition, a fix helps or a place is likely."""

    action: str = Field(description='The kind of sub-goal that it is about ("pick").')
    when: str = Field(description='What is the case when it matters ("hand_full"), or a type.')
    then: Then = Field(description="Whether it is done before, is not done, or is done first.")
    what: str = Field(description="What is done, avoided or preferred.")
    support: Annotated[int, Field(ge=1)] = Field(default=1, description="How often it held.")
    source: str = Field(default="", description="Where it was learned.")


class _File(SuiteDocument):
    """The document that :meth:`Experience.save` writes."""

    version: Literal[1] = 1
    rules: list[LearnedRule]


class Experience:
    """Rules that last across episodes."""

    def __init__(self, rules: Iterable[LearnedRule] = ()) -> None:
        self._rules: dict[tuple[str, str, str, str], LearnedRule] = {}
        for rule in rules:
            self.learn(rule)

    def learn(self, rule: LearnedRule) -> None:
        """Add a rule, or increase the support of a known one."""
        key = (rule.action, rule.when, rule.then, rule.what)
        known_rule = self._rules.get(key)
        if known_rule is None:
            # A copy: the support of a rule that somebody else holds does not change.
            self._rules[key] = rule.model_copy()
        else:
            support = known_rule.support + rule.support
            self._rules[key] = known_rule.model_copy(update={"support": support})

    def rules(self, action: str, then: Then) -> list[LearnedRule]:
        """Return the rules about an action, the best supported first."""
        rules = [r for r in self._rules.values() if r.action == action and r.then == then]
        # Among rules with equal support, the order is arbitrary but always the same.
        return sorted(rules, key=lambda rule: (-rule.support, rule.when, rule.what))

    def support(self, action: str, when: str, then: Then, what: str) -> int:
        """Return how often a rule was confirmed, or 0 if it is unknown."""
        rule = self._rules.get((action, when, then, what))
        if rule is None:
            return 0
        return rule.support

    def save(self, path: str | Path) -> None:
        """Write the rules as JSON."""
        # Sorted, so that the same experience is the same file, in whatever order it was made.
        content = _File(rules=[rule for _, rule in sorted(self._rules.items())])
        with replacing(Path(path), force=True) as stream:
            stream.write(f"{json.dumps(content.model_dump(), indent=1)}\n")

    @classmethod
    def load(cls, path: str | Path) -> Experience:
        """Return the rules of a file that :meth:`save` wrote."""
        return cls(read_document(_File, Path(path)).rules)


@dataclass(slots=True)
class EpisodicMemory:
    """The memory of one episode, with the experience of all episodes.

    Args:
        experience: The rules that were learned.
        lasting: Whether rules are learned and used.
        held: Names of the objects in the hand.
        position: Name of the object that the agent is at.
        history: Sub-goals that were reached, as text.
    """

    experience: Experience
    lasting: bool = True
    held: tuple[str, ...] = ()
    position: str = ""
    history: list[str] = field(default_factory=list)

    def learn(self, rule: LearnedRule) -> None:
        """Add a rule, if the agent learns."""
        if self.lasting:
            self.experience.learn(rule)
