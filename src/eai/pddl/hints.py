"""How to repair what stands in the wrong place: by its kind, and by the word that stands there."""

from __future__ import annotations

from eai.pddl.issues import IssueKind
from eai.pddl.text import Item, Word

_COMMENT = "a comment begins with ';'"
_CHARACTERS = {
    "–—−‐‑‒―": "write '-'",  # noqa: RUF001 - dashes that look alike
    ",": "leave it out: blanks stand between names",
    "#": _COMMENT,
    "\"'`‘’“”«»": "leave quotation marks out",  # noqa: RUF001 - they look alike
    "!~¬": "write (not CONDITION); for different objects (not (= TERM TERM))",
    "&∧": "write 'and' once, before the conditions: (and CONDITION ...)",
    "|∨": "write 'or' once, before the conditions: (or CONDITION ...)",  # noqa: RUF001 - a sign
    "→⇒": "write (imply CONDITION CONDITION)",
    "[]{}": "write round brackets",
    ":": "write ' - ' before a type, and no blank after the ':' of a keyword",
    "$@%_": "a variable begins with '?'",
}
"""What stands for something in other languages, and what PDDL has for it."""

_WORDS = {
    **dict.fromkeys(("/", "*"), f"remove it; {_COMMENT}"),
    **dict.fromkeys(("<", ">"), "write what is meant, without '<' and '>'"),
    **dict.fromkeys(("and", "or"), "write it once, before the conditions: (and CONDITION ...)"),
    **dict.fromkeys(("then", "else"), "leave it out: (when CONDITION EFFECT)"),
    "-": "write '-' only between names and their type: NAME - TYPE",
    "=": "write (= TERM TERM)",
}

FOREIGN_HEADS = {
    **dict.fromkeys(("<", ">", "<=", ">="), "numeric conditions"),
    **dict.fromkeys(("assign", "decrease", "scale-up", "scale-down"), "numeric effects"),
    "preference": "preferences",
    **dict.fromkeys(("always", "sometime", "within", "at-most-once"), "trajectory constraints"),
    **dict.fromkeys(("sometime-after", "sometime-before"), "trajectory constraints"),
    **dict.fromkeys(("oneof", "probabilistic"), "effects with several possible outcomes"),
}
"""What begins conditions and effects of other kinds of planning, by the name of what it is."""

FOREIGN_NAMES = {
    **dict.fromkeys(("not-equal", "neq", "not-eq", "different"), "write (not (= TERM TERM))"),
    **dict.fromkeys(("equal", "equals", "eq"), "write (= TERM TERM)"),
    **dict.fromkeys(("implies", "if-then"), "write (imply CONDITION CONDITION)"),
    "if": "write (when CONDITION EFFECT) in an effect, (imply CONDITION CONDITION) elsewhere",
    **dict.fromkeys(("delete", "del", "remove"), "write (not (PREDICATE TERM ...))"),
    "add": "write (PREDICATE TERM ...)",
}
"""Names in other languages of what PDDL has a word for."""


def hint(kind: IssueKind, at: Item | int, expected: str | None) -> str | None:
    """Say how to repair what stands at a place, if nothing better is known of it."""
    word = at if isinstance(at, Word) else ""
    if kind == "unknown-character":
        return next((tip for signs, tip in _CHARACTERS.items() if word[:1] in signs), "remove it")
    if expected is None:
        return None
    if kind == "misplaced-word":
        return _misplaced(at, expected)
    if kind == "unsupported-part":
        return f"leave it out; what can stand here: {expected}"
    return f"write {expected}"


def _misplaced(at: Item | int, expected: str) -> str:
    if not isinstance(at, Word):
        if expected.startswith(":"):
            return "join several conditions or effects in one: (and ... ...)"
        return f"leave out the brackets, or write {expected}"
    if at.lower() in _WORDS:
        return _WORDS[at.lower()]
    if expected.startswith("a section"):
        return f"remove it; {_COMMENT}"
    if at.kind == "NAME" and "?variable" in expected[:11]:
        return f"write '?{at.lstrip('_')}'"
    if at.kind == "VARIABLE" and expected.startswith("the name"):
        return f"write '{at[1:]}'"
    if at.kind == "NAME" and "(PREDICATE" in expected:
        return f"write the bracket before the name: ({at} ...)"
    if expected.startswith(":"):
        return f"write it as one word with what stands before it, or as a keyword: {expected}"
    return f"write {expected}"
