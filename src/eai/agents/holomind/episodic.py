"""Episodic memory: what the agent holds and did, and the rules that it learned."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Literal, get_args

from eai.errors import InputError, SchemaError
from eai.files import replacing

VERSION = 1
"""Version of the file of rules."""

Then = Literal["insert", "forbid", "prefer"]


@dataclass(slots=True)
class Rule:
    """What was learned.

    Args:
        action: The kind of sub-goal that it is about (``"pick"``).
        when: What is the case when it matters (``"hand_full"``, or a type of object).
        then: Whether something is done before it, it is not done, or it is done first.
        what: What is done, avoided or preferred.
        support: How often it was seen to hold.
        source: Where it was learned.
    """

    action: str
    when: str
    then: Then
    what: str
    support: int = 1
    source: str = ""


class Experience:
    """Rules that are kept across episodes."""

    def __init__(self, rules: Iterable[Rule] = ()) -> None:
        self._rules: dict[tuple[str, str, str, str], Rule] = {}
        for rule in rules:
            self.learn(rule)

    def learn(self, rule: Rule) -> None:
        """Add a rule; one that is known gains support."""
        known = self._rules.setdefault((rule.action, rule.when, rule.then, rule.what), rule)
        if known is not rule:
            known.support += rule.support

    def rules(self, action: str, then: Then) -> list[Rule]:
        """The rules about an action, the best supported first."""
        found = [r for r in self._rules.values() if r.action == action and r.then == then]
        return sorted(found, key=lambda r: (-r.support, r.when, r.what))

    def support(self, action: str, when: str, then: Then, what: str) -> int:
        """How often a rule was seen to hold; 0 if it is not known."""
        rule = self._rules.get((action, when, then, what))
        return rule.support if rule else 0

    def save(self, path: str | Path) -> None:
        """Write the rules as JSON.

        Raises:
            InputError: If the file cannot be written.
        """
        rows = [asdict(rule) for _, rule in sorted(self._rules.items())]
        with replacing(Path(path), force=True) as stream:
            stream.write(f"{json.dumps({'version': VERSION, 'rules': rows}, indent=1)}\n")

    @classmethod
    def load(cls, path: str | Path) -> Experience:
        """Read rules that were written.

        Raises:
            InputError: If the file cannot be read.
            SchemaError: If it has another version or shape.
        """
        try:
            value = json.loads(Path(path).read_text("utf-8"))
        except OSError as error:
            raise InputError(f"{path}: {error.strerror}", expected="a file of experience") from None
        except (ValueError, RecursionError) as error:
            raise SchemaError(f"{path}: {error}", expected="JSON") from None
        rows = value.get("rules") if isinstance(value, dict) else None
        if not isinstance(rows, list) or value.get("version") != VERSION:
            raise SchemaError(
                f"{path}: no experience of version {VERSION}",
                expected=f'{{"version": {VERSION}, "rules": [...]}}',
            )
        return cls(_rule(row, f"{path}, rule {n}") for n, row in enumerate(rows))


def _rule(row: object, where: str) -> Rule:
    kinds = {"action": str, "when": str, "then": str, "what": str, "source": str, "support": int}
    if (
        not isinstance(row, dict)
        or {name: type(value) for name, value in row.items()} != kinds
        or row["then"] not in get_args(Then)
        or row["support"] < 1
    ):
        shape = '{"action", "when", "then": "insert" | "forbid" | "prefer", "what", "support", ...}'
        raise SchemaError(f"{where}: {str(row)[:80]}", expected=shape)
    return Rule(**row)


@dataclass(slots=True)
class EpisodicMemory:
    """One episode: what is held, what the agent is at, what it did; and what it learned in all.

    Args:
        lasting: Whether rules are learned and used.
    """

    experience: Experience
    lasting: bool = True
    held: tuple[str, ...] = ()
    position: str = ""
    history: list[str] = field(default_factory=list)

    def learn(self, rule: Rule) -> None:
        """Add a rule, unless nothing is learned."""
        if self.lasting:
            self.experience.learn(rule)
