"""Phrases: what it means in words that a predicate holds, or does not.

A domain may bring a JSON object with a phrase for some of its predicates. ``{0}`` stands for the
first argument, ``{1}`` for the second::

    {"door_open": ["the door of {0} is open", "the door of {0} is closed"],
     "stuck": {"true": "{0} is in something that is locked",
               "false": "{0} can be got at",
               "named": {"true": ["{0} is in {1}, which is locked",
                                  "in({0}, {1})", "locked({1})"]},
               "means": "{0} is in a drawer whose lock is shut"}}

``named`` is said instead where objects can be found for the numbers that are left: such that all
literals hold that follow the phrase. ``means`` tells in prompts when a derived predicate holds; it
is empty if the phrase itself says that, and without it prompts tell the rules.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from eai.errors import SchemaError, UnknownNameError
from eai.logic import And, Atom, Formula, Not, Variable
from eai.pddl.model import Domain, Named, Phrase

_SHAPE = '["{0} is open", "{0} is not open"], or an object with "true", "false" and "named"'
_LITERAL = re.compile(r"(not )?([^\s(){}]+)\((\{\d+\}(?:, ?\{\d+\})*)\)")
_NUMBER = re.compile(r"\{(\d+)\}")


def with_phrases(
    domain: Domain, phrases: str | Mapping[str, Any], *, source: str = "phrases"
) -> Domain:
    """Return a domain whose conditions are told in words.

    Args:
        domain: The domain.
        phrases: Predicate to phrase, or the same as JSON text. Predicates without one are told
            as formulas.
        source: Name of the phrases for messages.

    Raises:
        SchemaError: If the phrases have another shape.
        UnknownNameError: If the domain has no such predicate.
    """
    given = phrases
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except ValueError as error:
            raise SchemaError(f"it is not JSON: {error}", where=source, expected=_SHAPE) from None
        if not isinstance(given, dict):
            expected = "predicate to phrase"
            raise SchemaError("it is not a JSON object", where=source, expected=expected)
    found = {name: _phrase(domain, name, given[name], source) for name in given}
    return replace(domain, phrases={**domain.phrases, **found})


def _phrase(domain: Domain, name: str, given: object, source: str) -> Phrase:
    where = f"{source}: {name}"
    arity = _arity(domain, name, where)
    if isinstance(given, (list, tuple)) and len(given) == 2:
        given = {"true": given[0], "false": given[1]}
    if not isinstance(given, Mapping) or not given.keys() <= {"true", "false", "named", "means"}:
        raise SchemaError(f"it is {given!r}", where=where, expected=_SHAPE)
    named = given.get("named", {})
    if not isinstance(named, Mapping) or not named.keys() <= {"true", "false"}:
        raise SchemaError(f"'named' is {named!r}", where=where, expected="an object: true, false")
    means = given.get("means")
    if means:
        means = _text(means, arity, where)
    elif means is not None and means != "":
        raise SchemaError(f"'means' is {means!r}", where=where, expected="text")
    return Phrase(
        _text(given.get("true"), arity, where),
        _text(given.get("false"), arity, where),
        {side == "true": _named(domain, each, arity, where) for side, each in named.items()},
        means,
    )


def _arity(domain: Domain, name: str, where: str) -> int:
    declared = domain.predicates.get(name)
    if declared is None:
        raise UnknownNameError("predicate", name, domain.predicates, where=where)
    return declared.arity


def _text(text: object, count: int, where: str) -> str:
    """A text whose placeholders are all below ``count``."""
    if not isinstance(text, str) or not text.strip():
        raise SchemaError(f"the phrase is {text!r}", where=where, expected=_SHAPE)
    numbers = [int(number) for number in _NUMBER.findall(text)]
    if max(numbers, default=-1) >= count or re.search(r"[{}]", _NUMBER.sub("", text)):
        locations = (
            ", ".join(f"{{{number}}}" for number in range(count))
            or "none, as it takes no arguments"
        )
        raise SchemaError(
            f"{text!r} has other placeholders", where=where, expected=f"placeholders: {locations}"
        )
    return text


def _named(domain: Domain, given: object, arity: int, where: str) -> Named:
    if not isinstance(given, (list, tuple)) or len(given) < 2:
        raise SchemaError(
            f"'named' has {given!r}", where=where, expected="a list: a phrase, then literals"
        )
    text, *literals = given
    conditions = [_literal(domain, literal, where) for literal in literals]
    used = {name for each in conditions for name in each.free_names}
    count = max(map(int, used), default=-1) + 1
    search = []
    for number in range(arity, count):
        # Every condition is tested for the last of the objects that it mentions.
        tested = [each for each in conditions if max(map(int, each.free_names)) == number]
        search.append((Variable(str(number)), And.of(tested)))
    return Named(_text(text, max(count, arity), where), tuple(search))


def _literal(domain: Domain, text: object, where: str) -> Formula:
    found = _LITERAL.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        raise SchemaError(
            f"{text!r} is not a literal", where=where, expected="'in({0}, {1})' or 'not open({1})'"
        )
    denied, name, locations = found.groups()
    terms = tuple(Variable(number) for number in _NUMBER.findall(locations))
    if _arity(domain, name, where) != len(terms):
        raise SchemaError(
            f"{text!r} has {len(terms)} arguments", where=where, expected=f"as many as {name} takes"
        )
    return Not(Atom(name, terms)) if denied else Atom(name, terms)
