"""Typed lists (``a b - block c - (either crate pallet) d``), conditions and effects."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple, TypeVar, cast, get_args

from eai.errors import InputError, nearest
from eai.logic import (
    FALSE,
    TRUE,
    And,
    Arithmetic,
    ArithmeticSign,
    Atom,
    ComparisonSign,
    Equal,
    Exists,
    Expression,
    Forall,
    Formula,
    Implies,
    Not,
    NumericCondition,
    Or,
    Quantifier,
    Term,
    Variable,
)
from eai.nesting import NESTING_LIMIT
from eai.pddl.issues import FOREIGN_NAMES
from eai.pddl.languages import HEADS, OBJECT_FLUENTS, PROBABILISTIC, TEMPORAL, Language
from eai.pddl.model import (
    DURATION,
    TOTAL_COST,
    AddEffect,
    AndEffect,
    CostEffect,
    DeleteEffect,
    Effect,
    ForallEffect,
    NumericEffect,
    Update,
    WhenEffect,
)
from eai.pddl.reading import PddlReading, is_number, show
from eai.pddl.text import RESERVED, Form, Item, Word, start_of
from eai.text import counted, with_article

_TYPE = "a type, or (either TYPE ...)"
_AMOUNT = "a number, (FUNCTION TERM ...), or one of + - * / with such operands"
_NUMERIC_HEADS = frozenset({*get_args(ComparisonSign), *get_args(ArithmeticSign)} - {"="})
"""Words that begin comparisons and arithmetic, and that cannot name a predicate."""
_SIGNS = frozenset(get_args(ComparisonSign))
_ASSIGNMENTS = {"+": "increase", "-": "decrease"}
"""The words of PDDL for ``+=`` and ``-=``, which models write."""
_MIN_OPERANDS = {"+": 1, "-": 1, "*": 1, "/": 2}
"""Minimum number of operands of each operation; ``(- x)`` changes the sign."""


class TypedEntry(NamedTuple):
    """One entry of a typed list.

    Args:
        item: The item of its name.
        name: Its name in lower case; a variable with its question mark.
        types: Its types; empty if the list names none.
        where: The items of its types.
    """

    item: Item
    name: str
    types: tuple[str, ...]
    where: Sequence[Item]


def _position_of(word: Word, items: Sequence[Item]) -> int:
    """Return the index of the identical word among items, of which others may be equal."""
    for position, item in enumerate(items):
        if item is word:
            return position
    raise ValueError(f"{word} is not among the items")


def read_typed_list(
    reading: PddlReading, items: Sequence[Item], kind: str, *, expected: str
) -> Iterator[TypedEntry]:
    """Yield the entries of a typed list such as ``?x ?y - block ?z``.

    In a list of variables, a name can only be a type, even if the ``-`` before it is missing.

    Args:
        reading: Where mistakes are noted.
        items: The items of the list.
        kind: Kind of the words that it declares: ``"NAME"`` or ``"VARIABLE"``.
        expected: Description of such a word, for messages.
    """
    # The entries since the last type. The next type is the type of all of them.
    untyped_entries: list[tuple[Item, str]] = []
    remaining = iter(items)
    for item in remaining:
        is_name = isinstance(item, Word) and item.kind == "NAME"
        types: tuple[str, ...] = ()
        type_items: Sequence[Item] = ()
        if item == "-":
            if not untyped_entries:
                message = "'-' without anything before it"
                reading.note("misplaced-word", message, item, severity="warning", advice=_LEAVE)
            type_item = next(remaining, None)
            if type_item is None:
                reading.note("missing-part", "'-' without a type after it", item, expected=_TYPE)
            else:
                types, type_items = _read_type(reading, type_item)
        elif kind == "VARIABLE" and untyped_entries and is_name:
            _note_dash(reading, item, untyped_entries)
            types, type_items = _read_type(reading, item)
        else:
            word = reading.word(item, kind, expected)
            if word is not None:
                untyped_entries.append((item, word))
            continue
        for entry, name in untyped_entries:
            yield TypedEntry(entry, name, types, type_items)
        untyped_entries.clear()
    # What stands behind the last type has none.
    for entry, name in untyped_entries:
        yield TypedEntry(entry, name, (), ())


def _note_dash(reading: PddlReading, item: Item, untyped_entries: list[tuple[Item, str]]) -> None:
    """Note a missing dash before a type.

    In ``?x- block`` the dash is taken for the end of the variable's name: it is cut off, which is
    only a warning. Otherwise the dash is missing.

    Args:
        reading: Where the finding goes.
        item: The type.
        untyped_entries: Names before it that have no type yet, with their items. If a dash is cut
            off, the last one is replaced.
    """
    last_item, last_name = untyped_entries[-1]
    if last_name.endswith("-"):
        untyped_entries[-1] = last_item, last_name[:-1]
        message = f"there is no blank before the '-' of '{last_name}'"
        reading.note("missing-blank", message, last_item, severity="warning", advice="write ' - '")
        return
    reading.note(
        "missing-dash",
        f"there is no '-' before the type '{item}'",
        item,
        expected=f"- {item}",
        advice=f"write '- {item}', or '?{item}' if it is a variable",
    )


def _read_type(reading: PddlReading, item: Item) -> tuple[tuple[str, ...], Sequence[Item]]:
    """Read a type, or ``(either TYPE ...)``.

    Returns:
        The types and the items they stand in; both empty if it is neither, which is noted.
    """
    if isinstance(item, Word):
        word = reading.word(item, "NAME", _TYPE)
        if word is None:
            return (), ()
        return (word,), (item,)
    head = item.items[0] if item.items else None
    if len(item.items) < 2 or not isinstance(head, Word) or head.lower() != "either":
        reading.note("misplaced-word", "these brackets are not a type", item, expected=_TYPE)
        return (), ()
    types = []
    type_items = []
    for type_item in item.items[1:]:
        name = reading.word(type_item, "NAME", "a type")
        if name is not None:
            types.append(name)
            type_items.append(type_item)
    return tuple(types), type_items


def read_variables(
    reading: PddlReading, items: Sequence[Item], defaults: Sequence[Variable] = ()
) -> tuple[Variable, ...]:
    """Read a typed list of variables: ``?x ?y - block ?z - (either a b)``.

    Args:
        reading: The reading.
        items: The items of the list.
        defaults: Variables with the types of those that have none; without them any object.
    """
    variables: list[Variable] = []
    for entry in read_typed_list(reading, items, "VARIABLE", expected="a ?variable"):
        types = entry.types
        if not types:
            position = len(variables)
            types = defaults[position].types if position < len(defaults) else ("object",)
        variable = Variable(entry.name[1:], types)
        variables.append(reading.keep(variable, (entry.item, *entry.where)))
    return tuple(variables)


def read_names(reading: PddlReading, items: Sequence[Item], name_kind: str) -> dict[str, str]:
    """Read a typed list of names with one type each; ``name_kind`` says what they name."""
    reading.where = f"{name_kind}s"
    return reading.table(read_typed_names(reading, items, name_kind), name_kind)


def read_typed_names(
    reading: PddlReading, items: Sequence[Item], name_kind: str
) -> list[tuple[Item, str, str]]:
    """Read the entries of a typed list of names, ``cup1 cup2 - cup``.

    Args:
        reading: Where findings and places go.
        items: The items of the list.
        name_kind: Which names they are: ``"object"``.

    Returns:
        For each entry its item, its name and its type.
    """
    entries: list[tuple[Item, str, str]] = []
    for entry in read_typed_list(
        reading, items, "NAME", expected=f"the name of {with_article(name_kind)}"
    ):
        if len(entry.types) > 1:
            message = f"the {name_kind} '{entry.name}' has several types: {', '.join(entry.types)}"
            reading.note("several-types", message, entry.where[0], expected="one type")
        reading.locations.setdefault(
            (name_kind, entry.name), (entry.name, (entry.item, *entry.where))
        )
        type_name = entry.types[0] if entry.types else "object"
        entries.append((entry.item, entry.name, type_name))
    return entries


_MOST_VARIABLES = f"at most {NESTING_LIMIT} quantified variables inside of each other"
_LEAVE = "leave it out, with the type after it: it types nothing"

Scope = Mapping[str, Variable]
_Part = TypeVar("_Part", Formula, Effect)
_Build = Callable[..., "Formula | None"]
"""Function that reads brackets as a condition: takes the reader, the brackets and the scope."""

_CONDITION = "a condition such as (PREDICATE TERM ...) or (and CONDITION ...)"
_EFFECT = "an effect such as (PREDICATE TERM ...), (not (PREDICATE TERM ...)) or (and EFFECT ...)"


def _read_operands(
    read: Callable[[Item, Scope], _Part | None], form: Form, scope: Scope
) -> tuple[_Part, ...]:
    """Return the readable operands of a form.

    ``(and A B C)`` has the operands A, B and C. All of them are read, so that all mistakes are
    noted.

    Args:
        read: Reads one operand in a scope.
        form: The form, its keyword first.
        scope: The variables that are bound around it.
    """
    operands = []
    for item in form.items[1:]:
        operand = read(item, scope)
        if operand is not None:
            operands.append(operand)
    return tuple(operands)


def _is_word(item: Item, kind: str) -> bool:
    """Return whether an item is a word of a kind, such as ``"VARIABLE"`` or ``"NUMBER"``."""
    return isinstance(item, Word) and item.kind == kind


def _read_and(reader: ConditionReader, form: Form, scope: Scope) -> Formula:
    """Read a conjunction of what can be read."""
    operands = _read_operands(reader.condition, form, scope)
    return And(operands) if operands else TRUE


def _read_or(reader: ConditionReader, form: Form, scope: Scope) -> Formula | None:
    """Read a disjunction of what can be read."""
    if len(form.items) == 1:
        return FALSE
    operands = _read_operands(reader.condition, form, scope)
    # Without a readable operand it would be false, which nobody wrote.
    return Or(operands) if operands else None


def _fixed_arity_reader(
    connective: type[Not | Implies | Equal], operand_count: int, expected: str
) -> _Build:
    """Return a reader for a connective with a fixed number of operands, such as ``imply``.

    If an operand cannot be read, the whole condition is dropped: an ``imply`` without its second
    operand would mean something else.

    Args:
        connective: Class of the connective.
        operand_count: Number of its operands.
        expected: The operands in words, for messages.
    """

    def read(reader: ConditionReader, form: Form, scope: Scope) -> Formula | None:
        """Read a condition with a fixed number of operands; None if one of them cannot be read."""
        items = reader.reading.operands(form, operand_count, expected)
        if items is None:
            return None
        read_operand: Callable[[Item, Scope], Any] = reader.condition
        if connective is Equal:
            read_operand = reader.term
        # All are read before one is missed, so that the mistakes of all are noted.
        operands = [read_operand(item, scope) for item in items]
        return None if None in operands else connective(*operands)

    return read


def _read_equality(reader: ConditionReader, form: Form, scope: Scope) -> Formula | None:
    """Read an equality of numbers, if a side is numeric, or of objects.

    ``(= (fuel t1) 5)`` compares numbers, and ``(= ?x ?y)`` objects. The sign ``==`` of other
    languages is noted and read as ``=``.
    """
    items = form.items[1:]
    sign = form.items[0]
    second_item = items[0] if items else None
    # "==" and "=>" come as two words without a blank between them.
    if (
        isinstance(second_item, Word)
        and second_item in _DOUBLE
        and second_item.start == start_of(sign) + 1
    ):
        message = f"'={second_item}' is no comparison"
        advice = f"write ({_DOUBLE[second_item]} TERM TERM)"
        reader.reading.note("misspelt-word", message, sign, advice=advice)
        double_sign = Word.at(_DOUBLE[second_item], "OPERATOR", start_of(sign))
        return reader.condition(Form(form.opening, [double_sign, *items[1:]], form.closing), scope)
    is_duration = reader.reading.has_duration and DURATION.predicate in items
    if is_duration or any(isinstance(item, Form) or item.kind == "NUMBER" for item in items):
        return _comparison_reader("=")(reader, form, scope)
    return _fixed_arity_reader(Equal, 2, "two terms")(reader, form, scope)


_DOUBLE = {"=": "=", ">": ">=", "<": "<="}
"""Second character of signs that begin with ``=`` in other languages, to the sign of PDDL."""


def _comparison_reader(sign: ComparisonSign) -> _Build:
    """Return a reader for numeric comparisons such as ``(>= (fuel t1) 5)``."""

    def read(reader: ConditionReader, form: Form, scope: Scope) -> Formula | None:
        """Read the two sides of a comparison; None if one of them cannot be read."""
        items = reader.reading.operands(form, 2, f"two of these: {_AMOUNT}")
        if items is None:
            return None
        # Both sides are read before either is missed, so that the mistakes of both are noted.
        left = reader.expression(items[0], scope)
        right = reader.expression(items[1], scope)
        if left is None or right is None:
            return None
        return NumericCondition(sign, left, right)

    return read


def _quantifier_reader(kind: type[Quantifier]) -> _Build:
    """Return a reader for quantified conditions: ``(forall (?x - block) (clear ?x))``.

    Args:
        kind: Class of the condition: for ``forall``, ``exists`` and the like.
    """

    def read(reader: ConditionReader, form: Form, scope: Scope) -> Formula | None:
        quantified = reader.quantified(form, scope)
        if quantified is None:
            return None
        variables, body_item, inner_scope = quantified
        body = reader.condition(body_item, inner_scope)
        return None if body is None else kind(variables, body)

    return read


LOGIC_HEADS: Mapping[str, _Build] = {
    "and": _read_and,
    "or": _read_or,
    "not": _fixed_arity_reader(Not, 1, "one condition"),
    "imply": _fixed_arity_reader(Implies, 2, "two conditions"),
    "=": _fixed_arity_reader(Equal, 2, "two terms"),
    "forall": _quantifier_reader(Forall),
    "exists": _quantifier_reader(Exists),
}
"""First word of a condition without numbers to its reader."""


@dataclass(frozen=True, slots=True)
class ConditionReader:
    """Reads conditions and effects of one text.

    An unreadable part is noted and becomes None; it is left out where it is one part of several.
    """

    reading: PddlReading

    def condition(self, item: Item, scope: Scope) -> Formula | None:
        """Read a condition, where ``()`` and ``(and)`` are true and ``(or)`` is false.

        Args:
            item: The condition.
            scope: The variables that are bound around it.

        Returns:
            The condition; None if it cannot be read, which is noted.
        """
        form = self.joined(item, _CONDITION)
        if form is None:
            return None
        if not form.items:
            return TRUE
        formula: Formula | None = self._read_by_head(
            form, scope, "no-condition", _CONDITION, self.heads
        )
        return formula

    def _is_foreign(self, form: Form, head: str | None) -> bool:
        """Note a form that belongs to another planning language, and return whether it does.

        Args:
            form: The brackets with their items.
            head: Their first word; None if they have none.
        """
        if head is None:
            return False
        has_brackets = any(isinstance(item, Form) for item in form.items[1:])
        meaning = _meaning_elsewhere(form, head, has_brackets=has_brackets)
        if meaning is not None:
            description, language = meaning
            self.reading.note_foreign(f"{description} ('{head}')", language, form.items[0])
            return True
        # Without brackets inside, a predicate may have one of these names.
        if has_brackets and head in FOREIGN_NAMES:
            message = f"'{head}' is written differently in PDDL"
            advice = FOREIGN_NAMES[head]
            self.reading.note("misspelt-word", message, form.items[0], advice=advice)
            return True
        return False

    def effect_of_action(self, item: Item, scope: Scope) -> Effect | None:
        """Read the effect of an action. It may be nested as deeply as a condition."""
        effect = self.effect(item, scope)
        if effect is None or effect_depth(effect) <= NESTING_LIMIT:
            return effect
        message = f"the effect is nested more than {NESTING_LIMIT} levels deep"
        self.reading.note("deep-nesting", message, item, expected=_MOST_VARIABLES)
        return None

    def effect(self, item: Item, scope: Scope) -> Effect | None:
        """Read an effect, where ``()`` and ``(and)`` change nothing.

        Args:
            item: The effect.
            scope: The variables that are bound around it.

        Returns:
            The effect; None if it cannot be read, which is noted.
        """
        form = self.joined(item, _EFFECT)
        if form is None:
            return None
        if not form.items:
            return AndEffect()
        effect = self._read_by_head(form, scope, "no-effect", _EFFECT, _EFFECTS)
        # A bare atom is an effect that makes it true.
        return AddEffect(effect) if isinstance(effect, Atom) else effect

    def _read_by_head(
        self,
        form: Form,
        scope: Scope,
        otherwise: Literal["no-condition", "no-effect"],
        expected: str,
        heads: Mapping[str, Callable[..., Any]],
    ) -> Any:  # noqa: ANN401 - what the heads build
        """Read a form with the function for its first word, or else as an atom.

        Args:
            form: The brackets with their items.
            scope: The variables that are bound around them.
            otherwise: Kind of the issue if the form cannot be read.
            expected: Description of the right form, for messages.
            heads: First word to the function that reads such a form.
        """
        head = self._head_of(form, expected, heads)
        if head is None:
            return None
        # In this order: a word that is read here, a word of another language, a reserved word
        # in a wrong place. What is left may name a predicate.
        build = heads.get(head)
        if build is not None:
            return self._read_with(build, form, scope)
        if self._is_foreign(form, head):
            return None
        is_effect = otherwise == "no-effect"
        if head not in RESERVED and head not in _NUMERIC_HEADS:
            if self._is_infix(form, is_effect=is_effect):
                return None
            return self.atom(form, scope)
        advice = None
        if is_effect and head in {*_NUMERIC_HEADS, "="}:
            advice = "effects change numbers by (increase (FUNCTION TERM ...) AMOUNT) and the like"
        elif is_effect and head == "or":
            advice = "effects are deterministic: write one action for each outcome"
        message = f"'{head}' cannot be {with_article(otherwise.removeprefix('no-'))} here"
        self.reading.note(otherwise, message, form.items[0], expected=expected, advice=advice)
        return None

    def _is_infix(self, form: Form, *, is_effect: bool) -> bool:
        """Return whether an operator is between its operands: ``(fuel ?t >= 5)``."""
        for item in form.items:
            if isinstance(item, Word) and item in _SIGNS:
                self._note_infix(form, item, is_effect=is_effect)
                return True
        return False

    def _note_infix(self, form: Form, sign_word: Word, *, is_effect: bool) -> None:
        """Note an operator between its operands, and how to write it.

        Args:
            form: The brackets: ``(fuel ?t >= 5)``.
            sign_word: The sign.
            is_effect: Whether it stands in an effect, where signs change numbers.
        """
        position = _position_of(sign_word, form.items)
        left = form.items[:position]
        right = form.items[position + 1 :]
        sign = str(sign_word)
        if is_effect:
            # "+=" and "-=" are two words each.
            previous_word = str(form.items[position - 1])
            sign = _ASSIGNMENTS.get(previous_word, "assign")
            if previous_word in _ASSIGNMENTS:
                left = form.items[: position - 1]
        expected = f"({sign} (FUNCTION TERM ...) AMOUNT)"
        advice = f"write {expected}"
        # "(fuel ?t >= 5)" can be written out; with brackets inside, only the pattern is shown.
        if len(right) == 1 and all(isinstance(word, Word) for word in (*left, *right)):
            advice = f"write ({sign} ({' '.join(map(str, left))}) {right[0]})"
        message = f"'{sign_word}' stands behind what it is about"
        self.reading.note("misplaced-word", message, sign_word, expected=expected, advice=advice)

    def _read_with(self, build: Callable[..., Any], form: Form, scope: Scope) -> Any:  # noqa: ANN401 - what it builds
        """Read a form with a given function, and remember its place in the text.

        Args:
            build: The function; it takes this reader, the form and the scope.
            form: The form.
            scope: The variables that are bound around it.

        Returns:
            The value of the function; None if the form cannot be read, which is noted.
        """
        try:
            node = build(self, form, scope)
        except InputError as error:  # a quantifier is as deep as it has variables
            self.reading.note("deep-nesting", error.what, form, expected=_MOST_VARIABLES)
            return None
        return None if node is None else self.reading.keep(node, form.items)

    def joined(self, item: Item, expected: str) -> Form | None:
        """Return a form that begins with a word, after adding a missing ``and``.

        ``((on a b) (clear a))`` is read as ``(and (on a b) (clear a))``, and noted as a mistake.

        Args:
            item: The brackets.
            expected: What should stand there, for the note.

        Returns:
            The form; None if the item has no brackets.
        """
        form = self.reading.form(item, expected)
        if form is None or not form.items or isinstance(form.items[0], Word):
            return form
        if self._is_infix(form, is_effect=expected == _EFFECT):
            return None
        first_form = form.items[0]
        advice = "write 'and' before it"
        self.reading.note(
            "misplaced-word",
            f"found {show(first_form)}",
            first_form,
            expected=expected,
            advice=advice,
        )
        and_word = Word.at("and", "NAME", first_form.opening)
        return Form(form.opening, [and_word, *form.items], form.closing)

    def _head_of(self, form: Form, expected: str, known_heads: Collection[str]) -> str | None:
        """Return the first word of a form, or the most similar known word if it is misspelled.

        ``(adn (on a b) ...)`` is read as ``and`` and noted.

        Args:
            form: The brackets.
            expected: What should stand there, for a note.
            known_heads: Words that may stand there.
        """
        head = self.reading.head(form, expected)
        if head is None or head in known_heads or head in RESERVED or head in HEADS:
            return head
        # Only before brackets: a predicate may be named nearly like a connective. (A loop, since
        # every atom of a text comes here.)
        for item in form.items:
            if isinstance(item, Form):
                break
        else:
            return head
        similar_heads = nearest(head, known_heads, most=1)
        if not similar_heads:
            return head
        message = f"'{head}' cannot have brackets inside of it"
        self.reading.note("misspelt-word", message, form.items[0], name=head, known=known_heads)
        return similar_heads[0]

    def atom(self, form: Form, scope: Scope) -> Atom | None:
        """Read a predicate or function applied to terms."""
        first, *term_items = form.items
        name = self.reading.word(first, "NAME", "the name of a predicate")
        terms = tuple([self.term(item, scope) for item in term_items])
        if name is None or None in terms:
            return None
        return self.reading.keep(Atom(name, terms), form.items)  # type: ignore[arg-type]

    def expression(self, item: Item, scope: Scope) -> Expression | None:
        """Read a number, function term or arithmetic expression, or return None.

        An unreadable one is noted.

        Args:
            item: The item.
            scope: The variables that are bound around it.
        """
        if isinstance(item, Word):
            if item.lower() == DURATION.predicate and self.reading.has_duration:
                return DURATION
            if self.reading.has_bare_functions and not is_number(item) and item.kind == "NAME":
                return self.reading.keep(Atom(item.lower(), ()), [item])
            return self.reading.number(item, _AMOUNT)
        head = self.reading.head(item, _AMOUNT)
        if head is None:
            return None
        if head not in get_args(ArithmeticSign):
            return self.function_term(item, scope)
        operands: list[Expression] = []
        for operand_item in item.items[1:]:
            operand = self.expression(operand_item, scope)
            if operand is not None:
                operands.append(operand)
        # One that could not be read has been noted already.
        if len(operands) < len(item.items) - 1:
            return None
        if len(operands) < _MIN_OPERANDS[head]:
            message = f"'{head}' is followed by {counted(len(operands), 'item')}"
            expected = f"at least {counted(_MIN_OPERANDS[head], 'operand')}"
            self.reading.note("wrong-count", message, item.closing, expected=expected)
            return None
        return Arithmetic(cast("ArithmeticSign", head), tuple(operands))

    def function_term(self, item: Item, scope: Scope) -> Atom | None:
        """Read a function term such as ``(distance a b)``, or return None.

        A function without arguments may be written without brackets, ``fuel``, which is noted.

        Args:
            item: The item.
            scope: The variables that are bound around it.
        """
        usage = "(FUNCTION TERM ...)"
        if isinstance(item, Word) and item.lower() in self.reading.functions:
            message = f"the function '{item.lower()}' stands without brackets"
            advice = f"write ({item.lower()})"
            self.reading.note("misplaced-word", message, item, severity="warning", advice=advice)
            return self.reading.keep(Atom(item.lower(), ()), [item])
        form = self.reading.form(item, usage)
        head = None if form is None else self.reading.head(form, usage)
        if form is None or head is None:
            return None
        if head in RESERVED or head in get_args(ComparisonSign):
            message = f"'{head}' is not the name of a function"
            self.reading.note("misplaced-word", message, form.items[0], expected=_AMOUNT)
            return None
        return self.atom(form, scope)

    def term(self, item: Item, scope: Scope) -> Term | None:
        """Read an object's name or a variable.

        A variable that nothing binds is returned as it is: the checker notes it later, when it
        knows what could have been meant.
        """
        if isinstance(item, Word):
            if item.kind == "VARIABLE":
                name = item[1:].lower()
                return scope.get(name) or Variable(name)
            if item.kind == "NAME":
                return item.lower()
        expected = "a ?variable or the name of an object"
        self.reading.note("misplaced-word", f"found {show(item)}", item, expected=expected)
        return None

    def variables(self, item: Item) -> tuple[Variable, ...]:
        """Read a typed list of variables in brackets."""
        form = self.reading.form(item, "variables in brackets: (?x - TYPE ...)")
        return read_variables(self.reading, form.items) if form else ()

    def quantified(
        self, form: Form, scope: Scope
    ) -> tuple[tuple[Variable, ...], Item, Scope] | None:
        """Read the variables of a quantifier.

        Args:
            form: The quantifier: ``(forall (?x - block) BODY)``.
            scope: The variables that are bound around it.

        Returns:
            The variables, the item of the body, and the variables that are bound in the body. None
            if one of the two parts is missing.
        """
        items = self.reading.operands(form, 2, "(?VARIABLE ...) and one body")
        if items is None:
            return None
        variables_item, body_item = items
        variables = self.variables(variables_item)
        # An inner variable hides an outer one of the same name.
        inner_scope = {**scope, **{variable.name: variable for variable in variables}}
        return variables, body_item, inner_scope

    heads: ClassVar[Mapping[str, _Build]] = {
        **LOGIC_HEADS,
        "=": _read_equality,
        **{sign: _comparison_reader(sign) for sign in get_args(ComparisonSign) if sign != "="},
    }
    """First word of a condition to its reader; other languages in brackets have others."""


def _is_timed(form: Form) -> bool:
    """Return whether brackets are ``(at start X)``, ``(at end X)`` or ``(over all X)``."""
    word = form.items[1] if len(form.items) == 3 else None
    return isinstance(word, Word) and word.lower() in {"start", "end", "all"}


def _meaning_elsewhere(form: Form, head: str, *, has_brackets: bool) -> tuple[str, Language] | None:
    """Return what brackets are called in another language, and that language; None if in none."""
    if head in {"at", "over"} and has_brackets and _is_timed(form):
        return "conditions and effects with times", TEMPORAL
    return HEADS.get(head)


def _read_and_effect(reader: ConditionReader, form: Form, scope: Scope) -> Effect:
    """Read ``(and EFFECT ...)``; ``(and)`` changes nothing."""
    return AndEffect(_read_operands(reader.effect, form, scope))


def _read_delete(reader: ConditionReader, form: Form, scope: Scope) -> Effect | None:
    """Read the effect ``(not (on ?x ?y))``: one atom becomes false.

    ``(not (and ...))`` is refused, since it does not say which atom becomes false.

    Args:
        reader: Reads the atom, and notes mistakes.
        form: The brackets with their items.
        scope: The variables that are bound around them.
    """
    usage = "one (PREDICATE TERM ...)"
    operand_items = reader.reading.operands(form, 1, usage)
    if operand_items is None:
        return None
    atom_form = reader.reading.form(operand_items[0], usage)
    if atom_form is None:
        return None
    head = reader.reading.head(atom_form, usage)
    if head is None:
        return None
    if head in RESERVED:
        message = f"'(not ({head} ...))' is not an effect"
        reader.reading.note("no-effect", message, atom_form, expected=usage)
        return None
    atom = reader.atom(atom_form, scope)
    return None if atom is None else DeleteEffect(atom)


def _read_when(reader: ConditionReader, form: Form, scope: Scope) -> Effect | None:
    """Read ``(when CONDITION EFFECT)``, or return None if a part is unreadable."""
    items = reader.reading.operands(form, 2, "a condition and an effect")
    if items is None:
        return None
    # Both are read before either is missed, so that the mistakes of both are noted.
    condition = reader.condition(items[0], scope)
    effect = reader.effect(items[1], scope)
    if condition is None or effect is None:
        return None
    return WhenEffect(condition, effect)


def _read_forall_effect(reader: ConditionReader, form: Form, scope: Scope) -> Effect | None:
    """Read ``(forall (VARIABLES) EFFECT)``, or return None if a part is unreadable."""
    quantified = reader.quantified(form, scope)
    if quantified is None:
        return None
    variables, body_item, inner_scope = quantified
    body = reader.effect(body_item, inner_scope)
    return None if body is None else ForallEffect(variables, body)


def effect_depth(effect: Effect) -> int:
    """Return the nesting depth of an effect's conditions and quantified variables."""
    if isinstance(effect, ForallEffect):
        return len(effect.variables) + effect_depth(effect.effect)
    if isinstance(effect, WhenEffect):
        return max(effect.condition.depth, effect_depth(effect.effect))
    if isinstance(effect, AndEffect):
        return max(map(effect_depth, effect.parts), default=0)
    return 0


def _numeric_effect_reader(
    update: Update,
) -> Callable[[ConditionReader, Form, Scope], Effect | None]:
    """Return a reader for numeric effects such as ``(increase (fuel ?t) 5)``."""

    def read(reader: ConditionReader, form: Form, scope: Scope) -> Effect | None:
        """Read a change of a number; None if it cannot be read, which is noted."""
        reading = reader.reading
        items = reading.operands(form, 2, f"(FUNCTION TERM ...) and {_AMOUNT}")
        if items is None:
            return None
        target_item, amount_item = items
        if _is_word(amount_item, "VARIABLE") and update == "assign":
            reading.note_foreign("functions to objects", OBJECT_FLUENTS, amount_item)
            return None
        target = reader.function_term(target_item, scope)
        amount = reader.expression(amount_item, scope)
        if target is None or amount is None:
            return None
        if target == _REWARD and target.predicate not in reading.functions:
            reading.note_foreign("rewards", PROBABILISTIC, target_item)
            return None
        # Plain increases of the total cost are kept apart from numbers: domains in which nothing
        # else changes a number stay classical, and states need not keep any.
        is_cost = update == "increase" and target == TOTAL_COST
        if is_cost and not isinstance(amount, Arithmetic) and amount != TOTAL_COST:
            return CostEffect(amount)
        return NumericEffect(update, target, amount)

    return read


_REWARD = Atom("reward", ())
"""Functions that actions increase in PPDDL without declaring them."""


_EFFECTS: dict[str, Callable[[ConditionReader, Form, Scope], Effect | None]] = {
    "and": _read_and_effect,
    "not": _read_delete,
    "when": _read_when,
    "forall": _read_forall_effect,
    **{update: _numeric_effect_reader(update) for update in get_args(Update)},
}
