"""Text to a formula: goals of the Embodied Agent Interface and linear temporal logic.

The grammar is ``grammars/ltl.lark`` (LALR); its tree is made a formula from the root down, because
only there it is known which variables are bound. The limits below see to it that no text, however
long or deep, ends in anything but a :class:`~eai.errors.ParseError`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, cast

from eai.data import read_text
from eai.errors import InputError, ParseError, SchemaError
from eai.logic.algebra import Counting
from eai.logic.constraints import LARGEST_BOUND, MODES
from eai.logic.dialects import DIALECTS, Dialect, prepare
from eai.logic.formula import Count, Equal, Exists, Forall, ForPairs, Then
from eai.logic.messages import describe, too_deep
from eai.logic.names import (
    FormulaProblem,
    LogicVocabulary,
    NameLookup,
    find_misread_operators,
    misreading_message,
)
from eai.logic.nodes import WORDS, Variable
from eai.logic.numeric import Expression, NumericCondition
from eai.logic.temporal import FIRST, LAST
from eai.logic.tree import FALSE, TRUE, And, Binary, Formula, Iff, Implies, Or, Xor
from eai.nesting import NESTING_LIMIT, on_own_stack

if TYPE_CHECKING:
    from lark import Lark, Token, Tree

LENGTH_LIMIT = 100_000
"""Maximum number of characters of a text (the longest official goal has about 1,500)."""

LARGEST_COUNT = 999_999_999
"""Maximum number of a counting quantifier; no world has more objects."""

SIZE_LIMIT = 100_000
"""Maximum number of nodes that the constraints of PDDL 3 may be written out to."""


def parse_formula(
    text: str,
    *,
    vocabulary: LogicVocabulary | None = None,
    source: str = "formula",
    dialect: Dialect = "default",
) -> Formula:
    """Parse a formula.

    Args:
        text: The formula. From loosest to tightest bind ``then``, ``iff``, ``implies``, ``xor``,
            ``or``, ``and``, until and its relatives, then ``not``, the temporal operators with
            one operand, and quantifiers. Keywords in any letter case.
        vocabulary: The names that may occur. They are matched without regard to letter case and
            stored as the vocabulary spells them; a name that is both a predicate and an action
            is the predicate. One that is a word of the notation (``next``, ``F``) has to stand in
            double quotes. Without a vocabulary every primitive becomes an
            :class:`~eai.logic.formula.Atom` and every unbound name is an object.
        source: Name of the text in error messages.
        dialect: How the text is written (see :data:`~eai.logic.dialects.Dialect`).

    Raises:
        ParseError: If the text is not a formula, or uses a name that the vocabulary does not have.
        SchemaError: If ``text`` is not a string, or the dialect is unknown.
    """

    def refuse(problem: FormulaProblem, expected: str | None, mend: str | None) -> None:
        """Stop at the first problem."""
        raise _MistakeError(problem.message, problem.position or 0, expected, mend)

    names = NameLookup(vocabulary, refuse, raw=True, thorough=False)
    return _parse_and_build(text, names, source, dialect)


@on_own_stack
def check_formula(
    formula: Formula | str,
    vocabulary: LogicVocabulary,
    *,
    dialect: Dialect = "default",
    source: str = "formula",
) -> list[FormulaProblem]:
    """Return all names and types in a formula that do not fit a vocabulary.

    Args:
        formula: A formula; or its text, whose problems then have positions.
        vocabulary: The names that may occur, and their types so far as they are known.
        dialect: How the text is written.
        source: Name of the text in error messages.

    Returns:
        The problems, in reading order, operators that could be names last; an empty list if
        there are none.

    Raises:
        ParseError: If the text is no formula at all.
    """
    problems: list[FormulaProblem] = []

    def collect(problem: FormulaProblem, _expected: str | None, _mend: str | None) -> None:
        """Go on after a problem."""
        problems.append(problem)

    names = NameLookup(vocabulary, collect, raw=isinstance(formula, str), thorough=True)
    if not isinstance(formula, str):
        names.check(formula)
        return problems
    _parse_and_build(formula, names, source, dialect)
    prepared = prepare(formula, dialect)
    for position, name in find_misread_operators(prepared.text, vocabulary):
        problems.append(
            FormulaProblem(
                "reserved-word", misreading_message(name), name, (), position, is_error=False
            )
        )
    # Positions were those in the prepared text, in which dialects are already translated.
    original_problems = []
    for problem in problems:
        position = prepared.place(problem.position or 0)
        original_problems.append(replace(problem, position=position))
    return original_problems


class _MistakeError(Exception):
    """Raised for an error in the text of a formula.

    Args:
        what: The problem.
        position: Its offset in the prepared text.
        expected: What would be right there, if that is known.
        mend: A hint.
    """

    def __init__(
        self, what: str, position: int, expected: str | None = None, mend: str | None = None
    ) -> None:
        """Store the mistake with its offset in the prepared text."""
        super().__init__(what)
        self.what = what
        self.position = position
        self.expected = expected
        self.mend = mend


@on_own_stack
def _parse_and_build(text: str, names: NameLookup, source: str, dialect: Dialect) -> Formula:
    """Return the formula of a text, with its names resolved.

    Args:
        text: The text.
        names: The look-up of names, which reports unknown ones.
        source: Name of the text in error messages.
        dialect: How the text is written.

    Raises:
        ParseError: If the text is not a formula.
        SchemaError: If it is not a string, or the dialect is unknown.
    """
    if not isinstance(text, str):
        raise SchemaError(f"{source} is not text", expected=f"str, not {type(text).__name__}")
    if dialect not in DIALECTS:
        expected = ", ".join(DIALECTS)
        raise SchemaError(f"there is no dialect {dialect!r}", expected=f"one of {expected}")
    prepared = prepare(text[:LENGTH_LIMIT], dialect)
    try:
        _refuse_large_text(text, prepared.text)
        strict = dialect == "eai"
        # A text with wrong names is parsed and then checked, so its tree is cached for that.
        parse_tree = _parse_tree
        if len(prepared.text) <= _MAX_KEPT:
            parse_tree = _last_tree
        tree = parse_tree(prepared.text, strict=strict)
        return _FormulaBuilder(names, strict=strict).top_formula(tree)
    except _MistakeError as mistake:
        raise ParseError(
            mistake.what,
            text=text,
            position=prepared.place(mistake.position),
            source=source,
            expected=mistake.expected,
            mend=_hint_about_reading(text, names, dialect) or mistake.mend,
        ) from None


def _hint_about_reading(text: str, names: NameLookup, dialect: Dialect) -> str | None:
    """Return a hint that a name was read as an operator, or that the dialect is another one.

    Args:
        text: The text that cannot be parsed.
        names: The names that may occur; with them, a name such as ``next`` in the text may be
            meant.
        dialect: The dialect in which it was read.
    """
    if names.vocabulary is None:
        if dialect != "default":
            return None
        return _hint_about_dialect(text)
    if dialect == "eai":
        return None
    for _, name in find_misread_operators(text[:LENGTH_LIMIT], names.vocabulary):
        return misreading_message(name)
    return None


def _hint_about_dialect(text: str) -> str | None:
    """Return a hint to use another dialect, if exactly one other dialect fits.

    Only short texts are tried, since each attempt parses the whole text again.
    """
    if len(text) > _MAX_KEPT:
        return None
    readable = []
    for dialect in ("prefix", "lower"):
        with suppress(ParseError):
            parse_formula(text, dialect=dialect)
            readable.append(dialect)
    # If two of them fit, nobody knows which was meant.
    if len(readable) != 1:
        return None
    return f"it can be read with dialect={readable[0]!r}"


def _refuse_large_text(original: str, prepared: str) -> None:
    """Refuse a text that is too long or too deeply nested before parsing it.

    Args:
        original: The text as its author wrote it.
        prepared: The text, or the beginning of a longer one, as the grammar reads it.
    """
    if len(original) > LENGTH_LIMIT:
        message = f"the formula has {len(original):,} characters"
        raise _MistakeError(message, len(prepared), f"at most {LENGTH_LIMIT:,}")
    # A text with few brackets cannot be nested too deep, and needs no scan.
    if prepared.count("(") > NESTING_LIMIT:
        depth = 0
        # A quote that is never closed runs to the end, so that no text is scanned twice.
        for match in re.finditer(r'"(?:[^"\\]|\\.)*"?|[()]', prepared):
            depth += {"(": 1, ")": -1}.get(match.group(), 0)
            if depth > NESTING_LIMIT:
                raise _MistakeError(*too_deep(match.start()))


def _parse_tree(text: str, *, strict: bool) -> Tree[Token]:
    """Return the syntax tree of a text.

    Args:
        text: The text.
        strict: Whether only the published grammar counts.

    Raises:
        _MistakeError: If the text does not fit it.
    """
    from lark.exceptions import UnexpectedInput

    start = "strict" if strict else "start"
    try:
        return _grammar().parse(text, start=start)
    except UnexpectedInput as error:
        raise _MistakeError(*describe(error, text)) from None


_last_tree = lru_cache(maxsize=1)(_parse_tree)
_MAX_KEPT = 5_000
"""Maximum number of characters of a text whose tree is kept: it takes about a megabyte."""


@cache
def _grammar() -> Lark:
    """Return the parser of the formula grammar.

    It is made at the first use and kept, because that takes a tenth of a second.
    """
    from lark import Lark

    return Lark(
        read_text("grammars/ltl.lark"),
        parser="lalr",
        lexer="contextual",
        start=["start", "strict"],
        maybe_placeholders=False,
    )


class _FormulaBuilder:
    """Builds a formula from a syntax tree, top down.

    Args:
        names: The look-up of names.
        strict: Whether to refuse an ``and`` above a ``then``, as the published parser does.
    """

    def __init__(self, names: NameLookup, *, strict: bool) -> None:
        self.names = names
        self.strict = strict
        self.depth = 0
        self._sizes: dict[Formula, int] = {}

    def top_formula(self, tree: Tree[Token]) -> Formula:
        """Return the formula."""
        try:
            return self.formula(tree)
        except InputError as error:  # a constraint is nested too deeply when it is written out
            raise _MistakeError(
                error.what, _position_of(tree), error.expected, error.mend
            ) from None

    def formula(self, tree: Tree[Token]) -> Formula:
        """Return the formula of a tree of one rule."""
        self.depth += 1
        if self.depth > NESTING_LIMIT + 1:
            raise _MistakeError(*too_deep(_position_of(tree)))
        # "and_" is built by chain(children, And), "quantified" by quantified(children).
        build, *kind = _RULES[tree.data]
        formula: Formula = build(self, tree.children, *kind)
        # Not in a "finally": after an error nothing more is read.
        self.depth -= 1
        return formula

    def chain(self, parts: Sequence[Any], connective: type[And | Or | Then]) -> Formula:
        """Return a conjunction, disjunction or ``then``.

        Args:
            parts: Trees of its operands.
            connective: Its class.

        Raises:
            _MistakeError: If the published grammar has no such formula.
        """
        operands = []
        for part in parts:  # no comprehension: it would take a frame for each level
            operands.append(self.formula(part))
        if self.strict and connective is And:
            for part, operand in zip(parts, operands, strict=True):
                if operand.has_then:
                    message = "'and' cannot join a 'then' in the published grammar"
                    raise _MistakeError(message, _position_of(part), mend="use the default dialect")
        return connective(operands)

    def sides(self, parts: Sequence[Any], kind: type[Binary]) -> Formula:
        """Return a node with two sides."""
        left, right = parts
        return kind(self.formula(left), self.formula(right))

    def binary(self, parts: Sequence[Any]) -> Formula:
        """Return the formula of an operator between two formulas."""
        left, token, right = parts
        kind = WORDS[_normal_word(token)]
        return cast("Formula", kind(self.formula(left), self.formula(right)))

    def prefix(self, parts: Sequence[Any]) -> Formula:
        """Return the formula of an operator before a formula."""
        token, operand = parts
        word = _normal_word(token)
        if word in _CONSTRAINTS:
            return self.constraint(parts)
        return cast("Formula", WORDS[word](self.formula(operand)))

    def constraint(self, parts: Sequence[Any], word: str = "") -> Formula:
        """Return a PDDL 3 constraint such as ``sometime-before`` as an LTL formula.

        Args:
            parts: Numbers of steps and formulas; the word comes first if it is not given.
            word: Name of the constraint.

        Raises:
            _MistakeError: If it becomes too large.
        """
        if not word:
            token, *parts = parts
            word = token.lower()
        bounds, formulas = [], []
        for part in parts:
            if isinstance(part, str):  # the number of a bounded constraint
                bounds.append(_bounded_number(part, LARGEST_BOUND, "steps"))
            else:
                formulas.append(self.formula(part))
        # An upper estimate, made before it is written out: nested constraints multiply.
        if sum(map(self._node_count, formulas)) * (2 + sum(bounds)) > SIZE_LIMIT:
            raise _MistakeError(
                "a constraint is too large when it is written out",
                0,
                f"at most {SIZE_LIMIT:,} operators and atoms in all",
            )
        return _CONSTRAINTS[word](*bounds, *formulas)

    def _node_count(self, formula: Formula) -> int:
        """Return the number of nodes, counting shared subformulas at every occurrence."""
        size = self._sizes.get(formula)
        if size is None:
            size = self._sizes[formula] = 1 + sum(map(self._node_count, formula.operands))
        return size

    def quantified(self, parts: Sequence[Any]) -> Formula:
        """Return a quantifier over any number of variables."""
        # "exists x - cup, y. near(x, y)": the word, the variables, and the body.
        token, binders, body = parts
        kind: type[Forall | Exists] = Exists
        if token.lower() in Forall.words:
            kind = Forall
        return kind(*self.bound([*map(self.variable, binders.children)], body))

    def counted(self, parts: Sequence[Any]) -> Formula:
        """Return a counting quantifier."""
        # "at least 2 x. clean(x)", and "forn 2 x. (clean(x))" of the Embodied Agent Interface.
        token, digits, binder, body = parts
        comparison = _COUNTS[token.lower().replace(" ", "").replace("-", "")]
        number = _bounded_number(digits, LARGEST_COUNT, "objects")
        (variable,), body_formula = self.bound([self.variable(binder)], body)
        return Count(number, variable, body_formula, comparison)

    def pairs(self, parts: Sequence[Any]) -> Formula:
        """Return a quantifier over pairs."""
        *digits, first_binder, second_binder, body = parts
        number: int | None = None
        if digits:
            number = _bounded_number(digits[0], LARGEST_COUNT, "objects")
        binders = [self.variable(first_binder), self.variable(second_binder)]
        (first, second), body_formula = self.bound(binders, body)
        return ForPairs(first, second, body_formula, number)

    def variable(self, tree: Tree[Token]) -> Variable:
        """Return a variable with its types, which are still tokens."""
        name, *types = tree.children
        if str(name).startswith('"'):
            raise _MistakeError("a variable is written without quotes", _position_of(tree))
        return Variable(name, tuple(types) or ("object",))  # type: ignore[arg-type]

    def bound(
        self, variables: Sequence[Variable], body: Tree[Token]
    ) -> tuple[tuple[Variable, ...], Formula]:
        """Return the variables of a quantifier, and its body read in their scope."""
        plain_variables = self.names.enter(variables)
        body_formula = self.formula(body)
        self.names.leave()
        return plain_variables, body_formula

    def atom(self, parts: Sequence[Any]) -> Formula:
        """Return a primitive."""
        return self.names.proposition(parts[0], parts[1:])

    def equal(self, parts: Sequence[Any]) -> Formula:
        """Return an equality of objects, or of numbers if a side is a function."""
        name, value = parts
        if self.names.is_function(name) and re.fullmatch(r"\d+", value):
            return NumericCondition("=", self.names.function(name, ()), int(value[:_MAX_DIGITS]))
        return Equal(*self.names.terms(parts))

    def comparison(self, parts: Sequence[Any]) -> Formula:
        """Return a comparison of a function with a number or another function."""
        left, sign, right = parts
        return NumericCondition(str(sign), self.quantity(left), self.quantity(right))  # type: ignore[arg-type]

    def number_is(self, parts: Sequence[Any]) -> Formula:
        """Return the condition that a function has a value."""
        left, right = parts
        return NumericCondition("=", self.quantity(left), self.quantity(right))

    def quantity(self, part: Tree[Token] | Token) -> Expression:
        """Return a number or a function term."""
        if isinstance(part, str):
            value = Fraction(part[:_MAX_DIGITS])
            if value.denominator == 1:
                return value.numerator
            return value
        return self.names.function(part.children[0], part.children[1:])  # type: ignore[arg-type]

    def constant(self, parts: Sequence[Any]) -> Formula:
        """Return true, false, last or first."""
        return _CONSTANTS[parts[0].lower()]


_MAX_DIGITS = 400
"""Maximum number of digits of a number that are read."""


def _position_of(tree: Tree[Token] | str) -> int:
    """Return the offset of the first word in a tree."""
    while not isinstance(tree, str):
        if not tree.children:
            return 0
        tree = tree.children[0]
    position: int = getattr(tree, "start_pos", 0)
    return position


def _normal_word(token: str) -> str:
    """Return an operator as listed: a single letter unchanged, a word in lower case.

    ``U`` stays ``U``, since ``u`` may be a name; ``UNTIL`` is ``until``; ``[ ]`` is ``[]``.
    """
    if token.endswith(("]", ">")):
        return "".join(token.split())
    if len(token) == 1 or token[1:] in ("X", "Y"):
        return token
    return token.lower()


def _bounded_number(digits: str, largest: int, counted_objects: str) -> int:
    """Return a number, or raise an error if it is too large.

    Args:
        digits: The number as it is written.
        largest: The largest number that is allowed.
        counted_objects: The things that the number counts, in the plural, for the message.
    """
    # Python takes long to convert thousands of digits; one more than needed show the excess.
    number = int(digits.lstrip("0")[: len(str(largest)) + 1] or "0")
    if number > largest:
        message = f"the number of {counted_objects} is too large"
        raise _MistakeError(message, _position_of(digits), f"at most {largest:,}")
    return number


_COUNTS: dict[str, Counting] = {
    "forn": "exactly",
    "exactly": "exactly",
    "atleast": "at least",
    "atmost": "at most",
}
_CONSTANTS: dict[str, Formula] = {
    "true": TRUE,
    "1": TRUE,
    "\N{DOWN TACK}": TRUE,
    "false": FALSE,
    "0": FALSE,
    "\N{UP TACK}": FALSE,
    "last": LAST,
    "first": FIRST,
}
_CONSTRAINTS = {name: make for name, (_, _, make) in MODES.items() if name not in WORDS}
"""The modes of PDDL 3 that are no words of linear temporal logic."""
_RULES: dict[str, tuple[Any, ...]] = {
    "then": (_FormulaBuilder.chain, Then),
    "or_": (_FormulaBuilder.chain, Or),
    "and_": (_FormulaBuilder.chain, And),
    "iff": (_FormulaBuilder.sides, Iff),
    "implies": (_FormulaBuilder.sides, Implies),
    "xor": (_FormulaBuilder.sides, Xor),
    "binary": (_FormulaBuilder.binary,),
    "prefix": (_FormulaBuilder.prefix,),
    "constraint": (_FormulaBuilder.constraint,),
    "always_within": (_FormulaBuilder.constraint, "always-within"),
    "hold_during": (_FormulaBuilder.constraint, "hold-during"),
    "quantified": (_FormulaBuilder.quantified,),
    "counted": (_FormulaBuilder.counted,),
    "pairs": (_FormulaBuilder.pairs,),
    "number_of_pairs": (_FormulaBuilder.pairs,),
    "atom": (_FormulaBuilder.atom,),
    "equal": (_FormulaBuilder.equal,),
    "comparison": (_FormulaBuilder.comparison,),
    "number_is": (_FormulaBuilder.number_is,),
    "constant": (_FormulaBuilder.constant,),
}
"""Grammar rule to the function that builds its formula, with further arguments."""
