"""The frame of domains and problems, their sections, and the parts of actions."""

from __future__ import annotations

from collections.abc import Sequence

from eai.errors import nearest
from eai.pddl.reading import Reading, show
from eai.pddl.sources import Form, Item, Word

__all__ = ["define", "only", "options", "sections"]


_FOREIGN = {
    *(":constraints", ":preferences", ":length", ":situation", ":extends", ":axiom", ":safety"),
    *(":durative-action", ":process", ":event", ":timeless", ":vars", ":duration", ":condition"),
}
"""Keywords of other kinds of planning, which are no misspellings."""


def define(reading: Reading, form: Form, kind: str) -> tuple[str, Sequence[Item]] | None:
    """Take ``(define (KIND NAME) REST ...)``; returns the name and the rest.

    None if the text defines something else; the name is empty if it is not there.
    """
    wanted = f"(define ({kind} NAME) ...)"
    if reading.head(form, wanted) != "define" or len(form.items) < 2:
        if form.items:
            reading.note("no-definition", f"this is not a {kind}", form, expected=wanted)
        return None
    title = reading.form(form.items[1], f"({kind} NAME)")
    found = reading.head(title, f"({kind} NAME)") if title else None
    if title is None or found is None:
        return "", form.items[2:]
    if found != kind:
        message = f"this is a {found}, not a {kind}"
        reading.note("no-definition", message, title, expected=wanted)
        return None
    name = reading.count(title, 1, f"the name of the {kind}")
    word = reading.word(name[0], "NAME", f"the name of the {kind}") if name else None
    return word or "", form.items[2:]


def sections(
    reading: Reading, items: Sequence[Item], *, once: Sequence[str], many: Sequence[str] = ()
) -> dict[str, list[Item]]:
    """Sort the sections of a text by their keywords.

    Args:
        reading: The text.
        items: The sections.
        once: Keywords that may come once: they are mapped to the items after the keyword.
        many: Keywords that may come often: they are mapped to the whole sections.
    """
    known = (*once, *many)
    listed = ", ".join(known)
    found: dict[str, list[Item]] = {keyword: [] for keyword in known}
    seen: set[str] = set()
    for item in items:
        form = reading.form(item, f"a section in brackets, such as {listed}")
        head = reading.head(form, f"a section such as {listed}") if form else None
        if form is None or head is None:
            continue
        keyword = _known(reading, form.items[0], known, "section")
        if keyword is None:
            continue
        if keyword in seen and keyword in once:
            reading.note("repeated-section", f"a second section '{keyword}'", form)
        seen.add(keyword)
        found[keyword] += [form] if keyword in many else form.items[1:]
    return found


def options(
    reading: Reading, items: Sequence[Item], known: Sequence[str], owner: str
) -> dict[str, Form]:
    """Sort keyword and value pairs: ``:parameters (...) :effect (...)``."""
    found: dict[str, Form] = {}
    rest = list(reversed(items))
    while rest:
        key = _keyword(reading, rest, ", ".join(known))
        if key is None:
            continue
        value = rest[-1] if rest else key
        form = value if isinstance(value, Form) else None
        if form is None:
            expected = f"brackets after '{key.lower()}'"
            message = f"'{key.lower()}' without brackets after it"
            reading.note("missing-part", message, value, expected=expected)
        else:
            rest.pop()
        name = _known(reading, key, known, f"part of {owner}")
        if name is None or form is None:
            continue
        if name in found:
            reading.note("repeated-section", f"a second '{name}' in {owner}", key)
        found.setdefault(name, form)
    return found


def _keyword(reading: Reading, rest: list[Item], expected: str) -> Word | None:
    """Take a keyword from the end of a list; one that stands in brackets with its value, too."""
    item = rest.pop()
    if isinstance(item, Word) and item.kind == "KEYWORD":
        return item
    reading.note("misplaced-word", f"found {show(item)}", item, expected=expected)
    first = item.items[0] if isinstance(item, Form) and item.items else None
    if not isinstance(item, Form) or not isinstance(first, Word) or first.kind != "KEYWORD":
        return None
    rest += reversed(item.items[1:])
    return first


def only(reading: Reading, items: Sequence[Item], form: Form, *, what: str) -> Item | None:
    """Take the one item of a section that must be there."""
    if not items:
        keyword = what[1:].split(maxsplit=1)[0]
        reading.note(
            "missing-part",
            f"the problem has no {what}",
            form.closing,
            expected=what,
            advice=f"add ({keyword} ...)",
        )
        return None
    if len(items) > 1:
        reading.note("wrong-count", "one item too many", items[1], expected=what)
    return items[0]


def _known(reading: Reading, item: Item, known: Sequence[str], what: str) -> str | None:
    """Take a keyword; the nearest known one if it is misspelt."""
    name = str(item).lower()
    if name in known:
        return name
    if name in _FOREIGN:
        message = f"{what}s named '{name}' are not read"
        reading.note("unsupported-part", message, item, expected=", ".join(known))
        return None
    message = f"there is no {what} named '{name}'"
    expected = ", ".join(known)
    reading.note("unknown-keyword", message, item, expected=expected, name=name, known=known)
    close = nearest(name, known, most=1)
    return close[0] if close else None
