"""Issues that reading or checking a domain or problem finds, with hints to repair them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Literal, TypedDict

from eai.errors import ParseError, nearest
from eai.pddl.text import Form, Item, Place, Word

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
"""Characters and words of other languages to their equivalent in PDDL."""

_WORDS = {
    **dict.fromkeys(("/", "*"), f"remove it; {_COMMENT}"),
    **dict.fromkeys(("<", ">"), "write what is meant, without '<' and '>'"),
    **dict.fromkeys(("and", "or"), "write it once, before the conditions: (and CONDITION ...)"),
    **dict.fromkeys(("then", "else"), "leave it out: (when CONDITION EFFECT)"),
    "-": "write '-' only between names and their type: NAME - TYPE",
    "=": "write (= TERM TERM)",
}

FOREIGN_NAMES = {
    **dict.fromkeys(("not-equal", "neq", "not-eq", "different"), "write (not (= TERM TERM))"),
    **dict.fromkeys(("equal", "equals", "eq"), "write (= TERM TERM)"),
    **dict.fromkeys(("implies", "if-then"), "write (imply CONDITION CONDITION)"),
    "if": "write (when CONDITION EFFECT) in an effect, (imply CONDITION CONDITION) elsewhere",
    **dict.fromkeys(("delete", "del", "remove"), "write (not (PREDICATE TERM ...))"),
    **dict.fromkeys(("add", "set", "setq", "setf"), "write (PREDICATE TERM ...)"),
}
"""Names in other languages of what PDDL has a word for."""


def hint(kind: IssueKind, at: Item | int, expected: str | None) -> str | None:
    """Return a general hint for repairing an item, or None.

    Args:
        kind: Kind of the finding.
        at: The item, or its offset in the text.
        expected: Description of what should stand there.
    """
    if kind == "unknown-character":
        character = at[:1] if isinstance(at, Word) else ""
        # Look-alikes share an entry: models write dashes and quotation marks in many forms.
        for characters, advice in _CHARACTERS.items():
            if character in characters:
                return advice
        return "remove it"
    if expected is None:
        return None
    if kind == "misplaced-word":
        return _misplaced(at, expected)
    return f"write {expected}"


def _misplaced(at: Item | int, expected: str) -> str:
    """Return a hint for repairing an item in the wrong place.

    Rules are in order: the first that applies knows most of what was meant.
    """
    # Brackets where a keyword should be are the second condition of a part that has room for one.
    if not isinstance(at, Word):
        if expected.startswith(":"):
            return "join several conditions or effects in one: (and ... ...)"
        # Without its brackets an argument such as "(f ?x)" would be two arguments.
        is_argument = expected.startswith("a ?variable")
        if is_argument and isinstance(at, Form) and len(at.items) > 1:
            return f"write {expected}"
        return f"leave out the brackets, or write {expected}"
    # These are the same mistake wherever they stand.
    if at.lower() in _WORDS:
        return _WORDS[at.lower()]
    # A word between sections is most often a remark without its ";".
    if expected.startswith("a section"):
        return f"remove it; {_COMMENT}"
    # A variable without "?", or a name with one: what was written is right but for its first sign.
    if at.kind == "NAME" and "?variable" in expected[:11]:
        return f"write '?{at.lstrip('_')}'"
    if at.kind == "VARIABLE" and expected.startswith("the name"):
        return f"write '{at[1:]}'"
    if at.kind == "NAME" and "(PREDICATE" in expected:
        return f"write the bracket before the name: ({at} ...)"
    if expected.startswith(":"):
        return f"write it as one word with what stands before it, or as a keyword: {expected}"
    return f"write {expected}"


Severity = Literal["error", "warning"]

IssueKind = Literal[
    # text
    "unclosed-bracket",
    "extra-bracket",
    "missing-bracket",
    "deep-nesting",
    "long-text",
    "many-findings",
    "unknown-character",
    "markdown-fence",
    "escaped-text",
    "surrounding-text",
    "no-definition",
    "several-definitions",
    # sections and lists
    "unknown-keyword",
    "misplaced-word",
    "missing-part",
    "missing-dash",
    "missing-blank",
    "repeated-section",
    "repeated-name",
    "root-type",
    "several-types",
    "wrong-count",
    "misspelt-word",
    "no-condition",
    "no-effect",
    "no-fact",
    "negated-fact",
    "contradictory-facts",
    "unsupported-part",
    # names, arities and types
    "undeclared-requirement",
    "undeclared-type",
    "undeclared-predicate",
    "undeclared-function",
    "undeclared-object",
    "unbound-variable",
    "repeated-variable",
    "mistyped-variable",
    "wrong-arity",
    "ill-typed",
    "loosely-typed",
    "cyclic-types",
    "repeated-object",
    "derived-effect",
    "derived-initial",
    "derived-head",
    "derived-recursion",
    "negative-cost",
    "temporal-condition",
    "unused-parameter",
    "no-instance",
    "missing-value",
    "unknown-preference",
    "other-domain",
]


class About(TypedDict, total=False):
    """Further fields of an issue; see :class:`Issue`."""

    severity: Severity
    argument: int | None
    expected: str | None
    name: str | None
    known: Collection[str]
    advice: str | None
    language: str | None


@dataclass(frozen=True, slots=True)
class Issue:
    """A mistake or doubtful part of a text or model.

    Args:
        kind: Kind of the finding.
        message: One sentence without a full stop.
        where: The part of the domain or problem: ``action grab, effect``.
        severity: An ``"error"`` makes the model meaningless; a ``"warning"`` does not.
        subject: The part of the model that is meant: a formula, effect, variable, operator, or
            ``(kind, name)`` for a declared name.
        argument: Which argument of the subject is meant; None for all of it.
        expected: What would be right.
        name: The name that is not known, if that is the matter.
        known: The names that are known in its place.
        advice: How to repair it, if no known name is near.
        place: Where it stands in the text; None if the model was not read from a text.
        language: The planning language to which it belongs, if that is not read here; of several
            such findings in a text only the first is kept.
    """

    kind: IssueKind
    message: str
    where: str
    severity: Severity = "error"
    subject: object = field(default=None, compare=False, repr=False)
    argument: int | None = None
    expected: str | None = None
    name: str | None = None
    known: Collection[str] = field(default=(), compare=False, repr=False)
    advice: str | None = None
    place: Place | None = field(default=None, compare=False, repr=False)
    language: str | None = None

    @property
    def mend(self) -> str | None:
        """Hint for the repair: the most similar known names, or else the advice.

        It is computed on demand, as a text can have very many unknown names.
        """
        if self.name is None:
            return self.advice
        return suggestion(self.name, self.known) or self.advice

    @property
    def line(self) -> int | None:
        """1-based line in the text."""
        return None if self.place is None else self.place.line

    @property
    def column(self) -> int | None:
        """1-based column in the text."""
        return None if self.place is None else self.place.column

    def error(self) -> ParseError:
        """Return the issue as an error, with its place and a caret.

        Raises:
            ValueError: The issue has no place in a text.
        """
        if self.place is None:
            raise ValueError("an issue of a model that was not read from a text has no place")
        source = self.place.source
        position = self.place.position
        return source.error(self.message, position, expected=self.expected, mend=self.mend)

    def render(self) -> str:
        """Return the issue as text, as a compiler prints it."""
        if self.place is None:
            return str(self)
        error = self.error()
        return f"{error.where}: {self.severity}{str(error).removeprefix(error.where or '')}"

    def as_record(self) -> dict[str, str | int | None]:
        """Return the finding as one flat record of texts and numbers, for JSON and tables.

        The keys are column names, and unknown values are None.
        """
        return {
            "file": None if self.place is None else self.place.source.name,
            "line": self.line,
            "column": self.column,
            "severity": self.severity,
            "kind": self.kind,
            "where": self.where,
            "message": self.message,
            "expected": self.expected,
            "mend": self.mend,
            "language": self.language,
        }

    def __str__(self) -> str:
        text = f"{self.severity}: {self.where}: {self.message}"
        mend = self.mend
        return f"{text} ({mend})" if mend else text


def suggestion(name: str, known_names: Iterable[str]) -> str | None:
    """Return ``did you mean a or b?`` for the most similar known names, or None.

    Examples:
        >>> suggestion("opne", ["open", "closed"])
        "did you mean 'open'?"
    """
    # No name at all is better than a far one: readers take a suggestion for what was meant.
    similar_names = nearest(name, known_names)
    if not similar_names:
        return None
    return f"did you mean {' or '.join(map(repr, similar_names))}?"
