"""Messages for grammar errors in formulas, with hints for the common ones."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from eai.logic.nodes import WORDS
from eai.logic.tree import Binary, Chain, Formula
from eai.nesting import NESTING_LIMIT

if TYPE_CHECKING:
    from collections.abc import Collection

    from lark.exceptions import UnexpectedInput

_WORDS = {
    "NAME": "a name",
    "WORD": "a name",
    "STRICT_NAME": "a name",
    "STRICT_WORD": "a name",
    "NUMBER": "a number",
    "DECIMAL": "a number",
    "COMPARISON": "'<', '<=', '>=' or '>'",
    "_RPAR": "')'",
    "_LPAR": "'('",
    "_COMMA": "','",
    "_DOT": "'.'",
    "_COLON": "':' and a type",
    "_BAR": "'|' and another type",
    "_EQUAL": "'='",
    "$END": "the end of the formula",
}
"""Terminals of the grammar to words for what is expected."""
_SYMBOLS = {
    "&": "and",
    "\N{LOGICAL AND}": "and",
    "|": "or",
    "\N{LOGICAL OR}": "or",
    "!": "not",
    "~": "not",
    "\N{NOT SIGN}": "not",
    ";": "then",
    "\N{FOR ALL}": "forall",
    "\N{THERE EXISTS}": "exists",
}
"""Signs of the default dialect to the words for them in the published grammar."""
# Terminals that tell that a formula, or a connective, is expected; the others come with these.
_FORMULA = {"NAME", "PREFIX", "_LPAR"}
_CONNECTIVES = {"_THEN", "_OR", "_AND"}
_BEGIN = {"STRICT_NAME", "STRICT_NOT", "_LPAR"}
"""Terminals that tell that a formula may begin, in the published grammar."""
_JOIN = {"THEN", "OR", "AND"}
"""Terminals that tell that a connective may come, in the published grammar."""
# A quote that is never closed runs to the end, so that no text is scanned twice.
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"?|<->|<=>|[-=]>|&&|\|\||\w+(?:[-.]\w+)*|\S')
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
"""A name in quotes that are closed."""
_CONNECTIVE_SIGN = re.compile(r"<->|<=>|[-=]>|[;&|^]|&&|\|\|")
"""A connective that is a sign."""

Mistake = tuple[str, int, "str | None", "str | None"]
"""An error: the problem, its position, what was expected, and a hint."""


def too_deep(position: int) -> Mistake:
    """Return the message for a text that exceeds the limit of nesting at a position."""
    what = f"the formula is nested more than {NESTING_LIMIT} levels deep"
    mend = "write flat chains: 'a and b and c' is one level, whatever its length"
    return what, position, None, mend


def describe(error: UnexpectedInput, text: str) -> Mistake:
    """Return the message for an error of the grammar.

    Args:
        error: The error of the parser.
        text: The text that was parsed.

    Returns:
        The mistake, its offset, the words that could stand there, and a hint; the latter two may be
        None.
    """
    position = error.pos_in_stream or 0
    token = getattr(error, "token", None)
    if token is not None and token.type == "$END":
        # At the end of the text lark names the last token; the place is behind it.
        position = len(text.rstrip())
    accepted_terminals: set[str] = set()
    parser = getattr(error, "interactive_parser", None)
    if parser is not None:
        accepted_terminals = set(parser.accepts())
    expected = _describe_expected(accepted_terminals)
    if not text.strip():
        empty_hint = "write true for a goal that is met everywhere"
        return "the formula is empty", position, expected, empty_hint
    wrong_word = _TOKEN.match(text, position)
    if wrong_word is None:
        problem, hint = _describe_end(text, accepted_terminals)
        return problem, position, expected, hint
    problem, word_hint = _describe_word(text, position, wrong_word[0], accepted_terminals)
    return problem, position, expected, word_hint


def _describe_expected(accepted_terminals: Collection[str]) -> str:
    """Return in words which terminals are possible, the most general first."""
    # The grammar lists terminals; the reader wants to know what may be written there.
    could_begin = _accepts_formula(accepted_terminals)
    descriptions = []
    if could_begin:
        descriptions.append("a formula")
    if _accepts_connective(accepted_terminals):
        descriptions.append("a connective (and, or, implies, then, ...)")
    for terminal, word in _WORDS.items():
        # A formula begins with a name or a parenthesis, which are already in the message.
        is_covered = could_begin and terminal in {"NAME", "_LPAR"}
        if terminal in accepted_terminals and not is_covered:
            descriptions.append(word)
    if not descriptions:
        descriptions = sorted(
            name.strip("_").lower().replace("_", " ") for name in accepted_terminals
        )
    return " or ".join(dict.fromkeys(descriptions))


def _accepts_formula(accepted: Collection[str]) -> bool:
    """Return whether a formula could have begun."""
    return _FORMULA.issubset(accepted) or _BEGIN.issubset(accepted)


def _accepts_connective(accepted: Collection[str]) -> bool:
    """Return whether a connective could have come."""
    return _CONNECTIVES.issubset(accepted) or _JOIN.issubset(accepted)


def _describe_end(text: str, accepted_terminals: set[str]) -> tuple[str, str | None]:
    """Return the problem and a hint for a text that ends too early.

    Args:
        text: The text.
        accepted_terminals: The tokens with which it could go on.
    """
    problem = "the formula ends too early"
    if "_RPAR" in accepted_terminals:
        return f"{problem}: a parenthesis is not closed", _hint_to_close(text)
    last_token = _last_token(text, len(text))
    if accepted_terminals == {"_LPAR"}:
        return problem, f"a primitive has parentheses even without arguments: {last_token}()"
    if _is_connective(last_token):
        return (
            f"{problem}: nothing follows {last_token!r}",
            f"add a formula or remove {last_token!r}",
        )
    return problem, _hint_to_close(text)


def _describe_word(
    text: str, position: int, word: str, accepted_terminals: set[str]
) -> tuple[str, str | None]:
    """Return the problem and a hint for a word that is wrong at its position.

    The rules are tried in order, the most specific first.

    Args:
        text: The text of the formula.
        position: Offset of the word.
        word: The word.
        accepted_terminals: Terminals of the grammar that could have come, such as ``"_COMMA"``.
    """
    previous_token = _last_token(text, position)
    shown_word = word
    if len(word) > 40:
        shown_word = word[:37] + "..."
    problem = f"unexpected {shown_word!r}"
    if word.startswith('"') and not _QUOTED.fullmatch(word):
        return "a quoted name is not closed", 'add the closing "'
    if _is_connective(word) and _accepts_formula(accepted_terminals):
        return _describe_connective(text, position, word)
    if word == ")" and not _open_parentheses(text, position):
        return "')' closes nothing", "remove it, or add the '(' that is missing"
    if word in _SYMBOLS and accepted_terminals & {"STRICT_NOT", "AND"}:
        return problem, f"write {_SYMBOLS[word]!r} instead"
    if accepted_terminals & {"PREFIX", "_THEN"}:
        notation_hint = _hint_for_other_notation(text, position, word)
        if notation_hint is not None:
            return problem, notation_hint
    if accepted_terminals == {"_LPAR"} and previous_token.lower() in _USES:
        return problem, f"write {_USES[previous_token.lower()]}"
    return problem, _hint_inside_primitive(text, position, word, accepted_terminals)


def _describe_connective(text: str, position: int, word: str) -> tuple[str, str]:
    """Return the problem and a hint for a connective where a formula has to begin.

    The connective follows another one, is written as a function, ``and(a, b)``, or has nothing
    before it.

    Args:
        text: The text.
        position: Offset of the connective.
        word: The connective as it is written.
    """
    previous_token = _last_token(text, position)
    if _is_connective(previous_token):
        return f"{word!r} follows {previous_token!r}", "remove one of the two"
    problem = f"nothing stands before {word!r}"
    is_like_function = re.match(r"\s*\(", text[position + len(word) :]) and word.isalpha()
    if is_like_function:
        return problem, f"a connective stands between its formulas: f {word} g"
    return problem, f"add a formula or remove {word!r}"


def _hint_for_other_notation(text: str, position: int, word: str) -> str | None:
    """Return how to write a sign or word of another notation, or None.

    Args:
        text: The text.
        position: Where parsing stopped.
        word: The word that stands there.
    """
    for sign, hint in _SIGNS:
        if sign.match(text, position):
            return hint
    for other_word in (_last_token(text, position), word):
        if other_word.lower() in _ELSEWHERE:
            return _ELSEWHERE[other_word.lower()]
    return None


def _hint_inside_primitive(
    text: str, position: int, word: str, accepted_terminals: set[str]
) -> str | None:
    """Return a hint for an error inside a primitive or at the head of a quantifier.

    Args:
        text: The text.
        position: Offset of the word that cannot stand there.
        word: The word.
        accepted_terminals: Terminals of the grammar that could have come, such as ``"_COMMA"``.
    """
    previous_token = _last_token(text, position)
    if accepted_terminals == {"NUMBER"}:
        return "say how many objects: forn 2. x. (...)"
    # After "exists x" there may come ".", ":" and a type, or "," and a variable.
    if "_DOT" in accepted_terminals:
        if "_BAR" in accepted_terminals and word == "(":
            stop = f"put a full stop after the variable, not {previous_token!r}"
            return f"a ':' introduces a type; {stop}"
        return f"put a full stop after {previous_token!r} and the body in parentheses"
    if accepted_terminals == {"_LPAR"}:
        return f"a primitive has parentheses even without arguments: {previous_token}()"
    # Where neither a name nor a connective may come, the parenthesis begins the body.
    may_continue = accepted_terminals & {"NAME", "STRICT_NAME", "_EQUAL", "THEN"}
    if "_LPAR" in accepted_terminals and not may_continue:
        return "put the body of the quantifier in parentheses"
    if "_COMMA" in accepted_terminals:
        return _hint_for_argument(word, previous_token)
    if accepted_terminals == {"DECIMAL"} and word not in _MISUSED:
        return f"a function is equal to a number, two names to each other; {_MISUSED['=']}"
    if word in _MISUSED:
        return _MISUSED[word]
    if _accepts_connective(accepted_terminals) and word[0].isalnum():
        return f"write a connective between {previous_token!r} and {word!r}"
    return None


def _hint_for_argument(word: str, argument: str) -> str | None:
    """Return a hint for an error after an argument, where a comma may be missing.

    Args:
        word: The word that stands there.
        argument: The argument.
    """
    if word == ",":
        return None
    if word in _MISUSED:
        return _MISUSED[word]
    if word == "(":
        return f"an argument is a name; {argument!r} cannot have arguments of its own here"
    return "separate arguments with ',' and close them with ')'"


# Signs of other notations, with the way to write them here: "X [3]", "f * g", "f + g", "- f",
# "last()". The first that matches at the place of the error is taken.
_SIGNS = tuple(
    (re.compile(pattern), mend)
    for pattern, mend in (
        (
            r"[XFG]\s*\[\s*\d|(?<=[XFGUWRM])\s*(?:\[\s*\d|[<=>])",
            "within(3, f) is true here or at one of the next 3 positions, hold-during(2, 5, f) "
            "from position 2 up to 4",
        ),
        (r"\*", "write 'f and g'"),
        (r"\+", "write 'f or g'"),
        (r"(?<![\w)] )-", "write 'not f'"),
        (r"(?<=last|irst)\s*\(", "write it without parentheses"),
    )
)
_ELSEWHERE = {
    "after": "write 'sometime-after(g, f)': whenever g is true, f is true then or later",
    "all": "write 'forall x. (f)'",
    "before": "write 'sometime-before(g, f)': before g is true, f has been",
    "if": "write 'f implies g'",
    "n": "write 'WX f' for the weak next",
    "nand": "write 'not (f and g)'",
    "never": "write 'G not f'",
    "next": "write 'X f', or 'WX f' for the weak next",
    "nor": "write 'not (f or g)'",
    "only": "write 'f implies g' for 'f only if g'",
    "strong": "write 'X f' for the strong next, 'f M g' for strong release",
    "unless": "write 'f W g'",
    "weak": "write 'WX f' for the weak next, 'f W g' for weak until",
}
"""Words that other notations or plain English have, with how to write them here."""
_USES = {
    "within": "within(5, f)",
    "hold-after": "hold-after(3, f)",
    "hold-during": "hold-during(2, 5, f)",
    "always-within": "always-within(5, f, g)",
    "sometime-after": "sometime-after(f, g)",
    "sometime-before": "sometime-before(f, g)",
}
"""Constraints of PDDL 3, each with an example of its use."""
_MISUSED = {
    "[": "write arguments and groups in parentheses: ( )",
    "{": "write arguments and groups in parentheses: ( )",
    "=": "only two names can be equal, with one '=': cup.1 = cup.2; between formulas write 'iff'",
    ",": "a ',' stands between arguments only; join formulas by 'and'",
}
"""Signs that stand for something else, with what to write."""


def _is_connective(word: str) -> bool:
    """Return whether a word joins formulas."""
    kind = WORDS.get(word) or WORDS.get(word.lower(), Formula)
    return bool(_CONNECTIVE_SIGN.fullmatch(word)) or issubclass(kind, (Binary, Chain))


def _last_token(text: str, position: int) -> str:
    """Return the token that ends before a position, or "" if it is extremely long."""
    # Only the last 200 characters are split: a long text may have an error at every position.
    tokens = _TOKEN.findall(text, max(0, position - 200), position)
    if not tokens:
        return ""
    last_token: str = tokens[-1]
    return last_token


def _open_parentheses(text: str, position: int) -> list[int]:
    """Return the offsets of the parentheses that are open at a position."""
    # By tokens, as a parenthesis inside of a quoted name opens nothing.
    open_offsets: list[int] = []
    for match in _TOKEN.finditer(text, 0, position):
        if match.group() == "(":
            open_offsets.append(match.start())
        elif match.group() == ")" and open_offsets:
            open_offsets.pop()
    return open_offsets


def _hint_to_close(text: str) -> str | None:
    """Return a hint to close the innermost open parenthesis, or None.

    The line is only mentioned if the text has several.
    """
    open_offsets = _open_parentheses(text, len(text))
    if not open_offsets:
        return None
    position = open_offsets[-1]
    line = text.count("\n", 0, position) + 1
    column = position - text.rfind("\n", 0, position)
    if "\n" in text:
        return f"close the '(' that opens at line {line}, column {column}"
    return f"close the '(' that opens at column {column}"
