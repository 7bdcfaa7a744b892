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
from eai.pddl.model import Domain, NamedPhrase, Phrase

_SHAPE = '["{0} is open", "{0} is not open"], or an object with "true", "false" and "named"'
_LITERAL = re.compile(r"(not )?([^\s(){}]+)\((\{\d+\}(?:, ?\{\d+\})*)\)")
_NUMBER = re.compile(r"\{(\d+)\}")


def with_phrases(
    domain: Domain, phrases: str | Mapping[str, Any], *, source: str = "phrases"
) -> Domain:
    """Return a domain with phrases by which conditions are worded.

    Args:
        domain: The domain.
        phrases: Predicate to phrase, or the same as JSON text. Predicates without one are told
            as formulas.
        source: Name of the phrases for messages.

    Raises:
        SchemaError: If the phrases have another shape.
        UnknownNameError: If the domain has no such predicate.
    """
    if isinstance(phrases, str):
        try:
            entries = json.loads(phrases)
        except ValueError as error:
            raise SchemaError(f"it is not JSON: {error}", where=source, expected=_SHAPE) from None
        if not isinstance(entries, dict):
            expected = "predicate to phrase"
            raise SchemaError("it is not a JSON object", where=source, expected=expected)
    else:
        entries = dict(phrases)
    read = {name: _read_phrase(domain, name, entry, source) for name, entry in entries.items()}
    # Later phrases replace earlier ones: a suite may word a domain that it shares in its own way.
    return replace(domain, phrases={**domain.phrases, **read})


def _read_phrase(domain: Domain, name: str, entry: object, source: str) -> Phrase:
    """Return the phrases of one predicate.

    Args:
        domain: The domain.
        name: Name of the predicate.
        entry: Its entry in the file: two texts, or an object with the keys ``true``, ``false``,
            ``named`` and ``means``. Other values are refused.
        source: The file, for messages.

    Raises:
        SchemaError: If the entry has another shape, or does not fit the predicate.
    """
    where = f"{source}: {name}"
    arity = _arity_of(domain, name, where)
    # A list of two texts is short for an object with "true" and "false".
    if isinstance(entry, (list, tuple)) and len(entry) == 2:
        true_entry, false_entry = entry
        entry = {"true": true_entry, "false": false_entry}
    if not isinstance(entry, Mapping) or not entry.keys() <= {"true", "false", "named", "means"}:
        raise SchemaError(f"it is {entry!r}", where=where, expected=_SHAPE)
    named_entries = entry.get("named", {})
    if not isinstance(named_entries, Mapping) or not named_entries.keys() <= {"true", "false"}:
        raise SchemaError(
            f"'named' is {named_entries!r}", where=where, expected="an object: true, false"
        )
    meaning = entry.get("means")
    # An empty meaning is allowed: then the phrase itself says all.
    if meaning:
        meaning = _checked_text(meaning, arity, where)
    elif meaning is not None and meaning != "":
        raise SchemaError(f"'means' is {meaning!r}", where=where, expected="text")
    named_by_truth = {}
    for truth_name, named_entry in named_entries.items():
        named_by_truth[truth_name == "true"] = _read_named_phrase(domain, named_entry, arity, where)
    true_text = _checked_text(entry.get("true"), arity, where)
    false_text = _checked_text(entry.get("false"), arity, where)
    return Phrase(true_text, false_text, named_by_truth, meaning)


def _arity_of(domain: Domain, name: str, where: str) -> int:
    """Return the number of arguments of a predicate, which must be declared."""
    declared = domain.predicates.get(name)
    if declared is None:
        raise UnknownNameError("predicate", name, domain.predicates, where=where)
    return declared.arity


def _checked_text(text: object, arity: int, where: str) -> str:
    """Return a text after checking that its placeholders are ``{0}`` to ``{arity - 1}``.

    Args:
        text: The text, a value from a file that may be anything.
        arity: Number of arguments of the predicate.
        where: Place of the text, for messages.

    Raises:
        SchemaError: If the phrase is not text, or has other placeholders.
    """
    if not isinstance(text, str) or not text.strip():
        raise SchemaError(f"the phrase is {text!r}", where=where, expected=_SHAPE)
    # Brackets that hold no number would be an error where the text is filled.
    numbers = [int(number) for number in _NUMBER.findall(text)]
    has_other_brackets = re.search(r"[{}]", _NUMBER.sub("", text))
    if max(numbers, default=-1) >= arity or has_other_brackets:
        placeholders = ", ".join(f"{{{number}}}" for number in range(arity))
        if not placeholders:
            placeholders = "none, as it takes no arguments"
        raise SchemaError(
            f"{text!r} has other placeholders",
            where=where,
            expected=f"placeholders: {placeholders}",
        )
    return text


def _read_named_phrase(domain: Domain, items: object, arity: int, where: str) -> NamedPhrase:
    """Return a phrase that names other objects, with the literals by which these are found.

    ``["the hands hold {1}", "holds({0}, {1})"]`` finds the object 1 for the object 0 of the
    predicate. Objects are searched for one by one, so each literal belongs to the last one that it
    mentions.

    Args:
        domain: The domain, with the number of arguments of each predicate.
        items: The phrase and the literals, a value from a file that may be anything.
        arity: Number of arguments of the predicate that the phrase is about.
        where: Place of the list, for messages.

    Raises:
        SchemaError: If the list has another shape.
    """
    if not isinstance(items, (list, tuple)) or len(items) < 2:
        raise SchemaError(
            f"'named' has {items!r}", where=where, expected="a list: a phrase, then literals"
        )
    text, *literals = items
    conditions = [_read_literal(domain, literal, where) for literal in literals]
    # Variables are named by numbers; each condition is tested as soon as its last one is bound.
    conditions_by_last: dict[int, list[Formula]] = {}
    for condition in conditions:
        last_number = max(map(int, condition.free_names))
        conditions_by_last.setdefault(last_number, []).append(condition)
    # The predicate has the numbers below its arity; the objects of the others are searched for.
    object_count = max(conditions_by_last, default=-1) + 1
    search = []
    for object_number in range(arity, object_count):
        tests = And.of(conditions_by_last.get(object_number, ()))
        search.append((Variable(str(object_number)), tests))
    return NamedPhrase(_checked_text(text, max(object_count, arity), where), tuple(search))


def _read_literal(domain: Domain, text: object, where: str) -> Formula:
    """Read a literal such as ``not in({0}, {1})``.

    ``{0}`` is the first argument of the predicate that the phrase is about, and so on.

    Args:
        domain: The domain, with the number of arguments of each predicate.
        text: The literal, a value from a file that may be anything.
        where: Place of the literal, for messages.

    Raises:
        SchemaError: If the text is not a literal of the domain.
    """
    match = _LITERAL.fullmatch(text) if isinstance(text, str) else None
    # One error for all that is wrong with its form: the example says more than the reason.
    if match is None:
        raise SchemaError(
            f"{text!r} is not a literal", where=where, expected="'in({0}, {1})' or 'not open({1})'"
        )
    negation, name, placeholders = match.groups()
    terms = tuple(Variable(number) for number in _NUMBER.findall(placeholders))
    if _arity_of(domain, name, where) != len(terms):
        raise SchemaError(
            f"{text!r} has {len(terms)} arguments", where=where, expected=f"as many as {name} takes"
        )
    atom = Atom(name, terms)
    return Not(atom) if negation else atom
