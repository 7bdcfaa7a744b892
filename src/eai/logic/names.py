"""Names in formulas: the vocabulary they come from, and the check of names and types.

One class looks names up, for the parser, which stops at the first error, and for
:func:`~eai.logic.check_formula`, which lists all that is wrong or odd, types included.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

from eai.errors import nearest
from eai.logic.formula import ActionAtom, Atom, Proposition
from eai.logic.nodes import WORDS, Term, Variable, is_reserved
from eai.logic.numeric import NumericCondition
from eai.logic.tree import Binary, Formula

Types = Sequence[str]


@dataclass(frozen=True)
class LogicVocabulary:
    """Predicates, actions, objects and types.

    Names are looked up without regard to letter case, and every look-up returns the name in the
    spelling of the vocabulary. Where two names differ in nothing but letter case, an exact match
    wins.

    Args:
        predicates: Predicate name to its number of arguments.
        actions: Action name to its number of arguments.
        objects: Names of the objects, or a mapping of them to their types; None leaves object
            names unchecked.
        types: Type name to the type above it (``"object"`` at the top); None leaves types
            unchecked.
        parameters: Predicate or action name to the types of each of its arguments; names that
            are not in it take any objects.
        functions: Function name to its number of arguments; their values are numbers.
    """

    predicates: Mapping[str, int]
    actions: Mapping[str, int] = field(default_factory=dict)
    objects: Collection[str] | None = None
    types: Mapping[str, str] | None = None
    parameters: Mapping[str, Sequence[Types]] = field(default_factory=dict)
    functions: Mapping[str, int] = field(default_factory=dict)

    def find_predicate(self, name: str) -> str | None:
        """Return the predicate's spelling here, or None if there is no such predicate."""
        if name in self.predicates:
            return name
        return self._spellings[0].get(name.lower())

    def find_action(self, name: str) -> str | None:
        """Return the action's spelling here, or None if there is no such action."""
        if name in self.actions:
            return name
        return self._spellings[1].get(name.lower())

    def find_object(self, name: str) -> str | None:
        """Return the object's spelling here, or None; unchecked names come back unchanged."""
        if self.objects is None or name in self._object_names:
            return name
        return self._spellings[2].get(name.lower())

    def type_of(self, name: str) -> str | None:
        """Return the type of an object, if it is known."""
        if not isinstance(self.objects, Mapping):
            return None
        return self.objects.get(name)

    def above(self, type_name: str) -> Iterator[str]:
        """Yield a type and all its supertypes, the nearest first."""
        # Declarations with a mistake may form a circle, which ends at the first repetition.
        visited: set[str] = set()
        while type_name not in visited:
            visited.add(type_name)
            yield type_name
            type_name = (self.types or {}).get(type_name, "object")

    def can_be(self, kinds: Types, wanted: Types) -> bool:
        """Return whether an object of one of some types may have one of the wanted types."""
        for kind, other in itertools.product(kinds, wanted):
            if other in self.above(kind) or kind in self.above(other):
                return True
        return False

    @cached_property
    def _spellings(self) -> list[dict[str, str]]:
        """Predicates, actions and objects, by their names in lower case."""
        kinds = (self.predicates, self.actions, self._object_names)
        return [_spelling_by_lower_case(names) for names in kinds]

    @cached_property
    def _object_names(self) -> frozenset[str]:
        """The names of the objects; none if they are not checked."""
        return frozenset(self.objects or ())

    @cached_property
    def object_list(self) -> list[str]:
        """Names of the objects in order."""
        return sorted(self._object_names)


def _spelling_by_lower_case(names: Iterable[str]) -> dict[str, str]:
    """Return names by their spelling in lower case; of two spellings the first in order."""
    # Sorted backwards, so that the first in order is entered last and stays.
    return {name.lower(): name for name in sorted(names, reverse=True)}


ProblemKind = Literal[
    "unknown-primitive",
    "arity",
    "unknown-object",
    "unbound-variable",
    "unknown-type",
    "argument-type",
    "repeated-variable",
    "unused-variable",
    "reserved-word",
]


@dataclass(frozen=True, slots=True)
class FormulaProblem:
    """A mistake or an oddity in a formula.

    Args:
        kind: What kind of thing, the same words in every version.
        message: One sentence without a full stop.
        name: The name that is to blame.
        suggestions: Names that could have been meant, the likeliest first.
        position: Offset of the name in the text, if a text was checked.
        is_error: Whether evaluation would fail or can never be as meant; otherwise it is odd.
    """

    kind: ProblemKind
    message: str
    name: str
    suggestions: tuple[str, ...] = ()
    position: int | None = None
    is_error: bool = True

    def __str__(self) -> str:
        text = self.message
        if self.position is not None:
            text = f"{self.position + 1}: {text}"
        if self.suggestions:
            text += f"; did you mean {' or '.join(self.suggestions)}?"
        return text


Report = Callable[[FormulaProblem, "str | None", "str | None"], None]
"""Takes a problem, what was expected, and how to mend it; may raise."""


_MAX_COMPARED = 10
"""Maximum number of wrong names of a formula for which similar names are looked for."""
_MAX_LISTED = 12
"""Maximum number of known names that are listed for a wrong one."""


class _Quantifier(NamedTuple):
    """The variables that are bound outside of the quantifier being read.

    Args:
        scope: The variables that are bound outside of it.
        used: The names of those of them that were used.
        variables: The variables of the quantifier, as they were written.
    """

    scope: dict[str, Variable]
    used: set[str]
    variables: Sequence[Variable]


class NameLookup:
    """Resolves the names in formulas, and reports those that are wrong.

    Args:
        vocabulary: The names that may occur; None for any.
        report: Function that takes each problem.
        raw: Whether names are as they stand in a text: perhaps in quotes, variables not told from
            objects, nor actions from predicates.
        thorough: Whether to check types, and variables that are never used, too.
    """

    def __init__(
        self, vocabulary: LogicVocabulary | None, report: Report, *, raw: bool, thorough: bool
    ) -> None:
        """Begin outside of all quantifiers, where no variable is bound."""
        self.vocabulary = vocabulary
        self.raw = raw
        self.thorough = thorough
        self._report = report
        # Variables bound here, those used so far, and what to go back to at the end of a
        # quantifier.
        self._scope: dict[str, Variable] = {}
        self._used: set[str] = set()
        self._outer: list[_Quantifier] = []
        # Names of all variables so far, those of quantifiers that have ended included.
        self._met: set[str] = set()
        # Number of wrong names for which similar ones were searched.
        self._compared = 0

    def enter(self, variables: Sequence[Variable]) -> tuple[Variable, ...]:
        """Bind the variables of a quantifier until :meth:`leave` is called.

        Args:
            variables: The variables, with names and types as they are written.

        Returns:
            The same variables with plain names and checked types.
        """
        bound_variables: dict[str, Variable] = {}
        plain_variables = []
        for variable in variables:
            name = str(variable.name)
            if name in bound_variables:
                message = f"the variable {name} is bound twice"
                self._report_problem("repeated-variable", message, variable.name)
            bound_variables[name] = Variable(name, self._check_types(variable))
            plain_variables.append(bound_variables[name])
        # The outer state is restored when the quantifier ends.
        self._outer.append(_Quantifier(self._scope, self._used, variables))
        self._scope = {**self._scope, **bound_variables}
        self._used = set()
        self._met |= bound_variables.keys()
        return tuple(plain_variables)

    def _check_types(self, variable: Variable) -> tuple[str, ...]:
        """Return the names of a variable's types, and report unknown ones."""
        types = variable.types
        if self.raw:
            types = tuple(map(unquoted, types))
        if not self.thorough or self.vocabulary is None or self.vocabulary.types is None:
            return types
        declared = self.vocabulary.types
        for token, name in zip(variable.types, types, strict=True):
            if name != "object" and name not in declared:
                near = nearest(name, declared)
                self._report_problem("unknown-type", f"there is no type {name!r}", token, near=near)
        return types

    def leave(self) -> None:
        """End the scope of the innermost quantifier, and report unused variables."""
        inner_used = self._used
        quantifier = self._outer.pop()
        self._scope = quantifier.scope
        self._used = quantifier.used
        for variable in quantifier.variables:
            if self.thorough and variable.name not in inner_used:
                message = f"nothing inside the quantifier mentions {variable.name!s}"
                self._report_problem("unused-variable", message, variable.name)
        # Variables of quantifiers further out may have been used inside of this one.
        self._used |= inner_used.difference(str(variable.name) for variable in quantifier.variables)

    def proposition(
        self, token: str, terms: Sequence[Term], kind: type[Proposition] | None = None
    ) -> Proposition:
        """Return the proposition for a name and its terms.

        Args:
            token: The name.
            terms: The terms.
            kind: Whether it is a state or an action proposition, if that is known.
        """
        written_name = self._plain_name(token)
        if self.vocabulary is None:
            return Atom(written_name, self.terms(terms))
        found_name, found_kind, arities = self._look_up(written_name, kind, self.vocabulary)
        # At most one problem is reported: the arity matters if the name is right, the types if both
        # are.
        if found_name is None:
            description = "predicate" if found_kind is Atom else "action"
            if self.raw and self.vocabulary.actions:
                description = "predicate or action"
            self._report_unknown_primitive(description, token, written_name, arities, len(terms))
        elif arities[found_name] != len(terms):
            self._report_arity(token, found_name, arities[found_name], len(terms))
        elif self.thorough:
            self._report_types(found_name, terms, self.vocabulary)
        return found_kind(found_name or written_name, self.terms(terms))

    def is_function(self, token: str) -> bool:
        """Return whether a name is that of a function whose value is a number."""
        return self.vocabulary is not None and self._plain_name(token).lower() in self._functions

    def _plain_name(self, token: str) -> str:
        """Return the name that a token stands for; in a text it may be in quotes."""
        if self.raw:
            return unquoted(token)
        return token

    @cached_property
    def _functions(self) -> Mapping[str, str]:
        """Functions by their names in lower case."""
        if self.vocabulary is None:
            return {}
        return _spelling_by_lower_case(self.vocabulary.functions)

    def function(self, token: str, terms: Sequence[Term]) -> Atom:
        """Return the function term for a name and its terms, such as ``fuel(truck1)``.

        An unknown name or a wrong number of terms is reported.
        """
        written = self._plain_name(token)
        if self.vocabulary is None:
            return Atom(written, self.terms(terms))
        arities = self.vocabulary.functions
        name = self._functions.get(written.lower())
        if name is None:
            self._report_unknown_primitive("function", token, written, arities, len(terms))
        elif arities[name] != len(terms):
            self._report_arity(token, name, arities[name], len(terms))
        return Atom(name or written, self.terms(terms))

    def _report_unknown_primitive(
        self,
        name_kind: str,
        token: str,
        plain_name: str,
        arities: Mapping[str, int],
        term_count: int,
    ) -> None:
        """Report an unknown predicate, action or function.

        Args:
            name_kind: The kind of name that is missing, in words.
            token: The name as it stands in the text.
            plain_name: The name without quotes.
            arities: The names that there are, with their numbers of arguments.
            term_count: Number of the terms behind the name.
        """
        # Names with the same arity are more likely.
        names_of_arity = [name for name, arity in arities.items() if arity == term_count]
        known_list = ", ".join(sorted(arities)[:_MAX_LISTED])
        if len(arities) > _MAX_LISTED:
            known_list += ", ..."
        self._report_problem(
            "unknown-primitive",
            f"there is no {name_kind} named {_quoted_name(plain_name)}",
            token,
            near=self._similar_names(plain_name, names_of_arity, arities),
            expected=known_list,
        )

    def _report_arity(self, token: str, name: str, arity: int, count: int) -> None:
        """Report a wrong number of terms."""
        takes = "1 argument" if arity == 1 else f"{arity or 'no'} arguments"
        # An example of the right form: "on(x, y)".
        form = f"{name}({', '.join('xyzuvw'[i % 6] for i in range(arity))})"
        self._report_problem("arity", f"{name} takes {takes}, not {count}", token, expected=form)

    def _report_types(self, name: str, terms: Sequence[Term], vocabulary: LogicVocabulary) -> None:
        """Report terms whose types do not fit.

        Args:
            name: Name of the primitive.
            terms: Its terms.
            vocabulary: The types of parameters and objects.
        """
        parameters = vocabulary.parameters.get(name, ())
        for argument_number, (term, parameter_types) in enumerate(
            zip(terms, parameters, strict=False), 1
        ):
            types = self._types_of_term(term)
            if types and not vocabulary.can_be(types, parameter_types):
                self._report_problem(
                    "argument-type",
                    f"argument {argument_number} of {name} must be a "
                    f"{' or '.join(parameter_types)}, and {term!s} is a {' or '.join(types)}",
                    term.name if isinstance(term, Variable) else term,
                )

    def _look_up(
        self, plain_name: str, kind: type[Proposition] | None, vocabulary: LogicVocabulary
    ) -> tuple[str | None, type[Proposition], Mapping[str, int]]:
        """Look up the name of a predicate or action.

        Args:
            plain_name: The name as it is written.
            kind: Whether it has to be a predicate or an action; None if it may be either.
            vocabulary: The names that there are.

        Returns:
            Its name, None if there is none; its kind; and the names of that kind, with their
            numbers of arguments.
        """
        # Predicates first: in a text, a name that is both is a state proposition.
        if kind is not ActionAtom:
            name = vocabulary.find_predicate(plain_name)
            if name is not None:
                return name, Atom, vocabulary.predicates
        if kind is not Atom:
            name = vocabulary.find_action(plain_name)
            if name is not None:
                return name, ActionAtom, vocabulary.actions
        if kind is None:
            return None, Atom, {**vocabulary.actions, **vocabulary.predicates}
        if kind is Atom:
            return None, kind, vocabulary.predicates
        return None, kind, vocabulary.actions

    def _types_of_term(self, term: Term) -> tuple[str, ...]:
        """Return the types of a term, or none if they are unknown.

        A variable has the types of its quantifier, perhaps several, and an object has its own.
        """
        variable = self._bound_variable(term)
        if variable is not None:
            return variable.types
        if self.vocabulary is None or isinstance(term, Variable):
            return ()
        name = self.vocabulary.find_object(self._plain_name(term))
        if name is None:
            return ()
        type_name = self.vocabulary.type_of(name)
        if type_name is None:
            return ()
        return (type_name,)

    def _bound_variable(self, term: Term) -> Variable | None:
        """Return the bound variable with a term's name, or None."""
        if isinstance(term, Variable):
            return self._scope.get(term.name)
        if not self.raw:
            return None
        return self._scope.get(term)  # in a text a variable looks like an object

    def terms(self, terms: Sequence[Term]) -> tuple[Term, ...]:
        """Return what terms denote: variables, and objects as the vocabulary spells them."""
        return tuple([self._resolve_term(term) for term in terms])

    def _resolve_term(self, term: Term) -> Term:
        """Return the variable or object for a term.

        An unknown name is reported and returned as written, so that checking can continue.
        """
        variable = self._bound_variable(term)
        if variable is not None:
            self._used.add(variable.name)
            return variable
        if isinstance(term, Variable):
            similar_names = self._similar_names(term.name, self._scope)
            self._report_problem(
                "unbound-variable", f"{term.name} is not bound", term.name, near=similar_names
            )
            return term
        name = self._plain_name(term)
        if self.vocabulary is None:
            return name
        vocabulary_name = self.vocabulary.find_object(name)
        if vocabulary_name is None:
            self._report_unknown_object(term, name)
        return vocabulary_name or name

    def _report_unknown_object(self, token: str, name: str) -> None:
        """Report an unknown object, which may be meant as an unbound variable.

        Variables have no mark. So in ``exists x. on(x) and clean(x)``, where the quantifier ends
        before ``clean``, the second x is an unknown name, and the hint is about parentheses.

        Args:
            token: The name as it stands in the text, with its position.
            name: The name without quotes.
        """
        candidates: list[str] = []
        if self.raw:
            candidates += self._scope
        if self.vocabulary is not None:
            candidates += self.vocabulary.object_list
        similar_names = self._similar_names(name, candidates)
        # Objects of scene graphs have a dot in their names, and quotes are for objects only.
        may_be_variable = not self.thorough and "." not in name and token == name
        if not may_be_variable:
            message = f"there is no object named {_quoted_name(name)}"
            self._report_problem("unknown-object", message, token, near=similar_names)
            return
        hint = None
        if name in self._met:
            hint = "close the parentheses of its quantifier after it"
        elif not similar_names:
            hint = f"bind it: exists {name[:40]}. (...)"
        self._report_problem(
            "unknown-object",
            f"unbound variable {_quoted_name(name)}: no quantifier around it binds it, "
            "and no object has that name",
            token,
            near=similar_names,
            expected="a variable inside the parentheses of its quantifier, or an object",
            mend=hint,
        )

    def _similar_names(self, name: str, *name_collections: Iterable[str]) -> list[str]:
        """Return the most similar names of the first collection that has any.

        To compare takes long, so only the first ``_MAX_COMPARED`` wrong names of a formula get
        hints.

        Args:
            name: The wrong name.
            *name_collections: Collections of names, the likeliest first.
        """
        self._compared += 1
        if self._compared > _MAX_COMPARED:
            return []
        for names in name_collections:
            similar = nearest(name, names)
            if similar:
                return similar
        return []

    def _report_problem(
        self,
        kind: ProblemKind,
        message: str,
        token: str,
        *,
        near: Sequence[str] = (),
        expected: str | None = None,
        mend: str | None = None,
    ) -> None:
        """Report a problem with a name. An unused variable is only a warning.

        Args:
            kind: The kind of problem.
            message: One sentence without a full stop.
            token: The name as it stands in the text.
            near: Names that look like it.
            expected: What could stand there.
            mend: A hint; by default to use one of the names that look like it.
        """
        name = self._plain_name(token)
        # Names of a text are tokens, which know where they stand.
        position: int | None = getattr(token, "start_pos", None)
        if mend is None and near:
            mend = f"did you mean {' or '.join(near)}?"
        is_error = kind != "unused-variable"
        problem = FormulaProblem(kind, message, name, tuple(near), position, is_error)
        self._report(problem, expected, mend)

    def check(self, formula: Formula) -> None:
        """Resolve all names in a formula that was built without parsing."""
        if isinstance(formula, Proposition):
            self.proposition(formula.name, formula.terms, type(formula))
        elif isinstance(formula, NumericCondition):
            for term in formula.function_terms:
                self.function(term.predicate, term.terms)
        elif formula.terms:
            self.terms(formula.terms)
        # A formula without variables binds none, so that both calls are right for every formula.
        self.enter(formula.variables)
        for operand in formula.operands:
            self.check(operand)
        self.leave()


def unquoted(token: str) -> str:
    """Return the name in a token, without quotes.

    Examples:
        >>> unquoted('"until"'), unquoted("cup_1")
        ('until', 'cup_1')
    """
    if token.startswith('"'):
        # A backslash stands before a quotation mark or a backslash that belongs to the name.
        return re.sub(r"\\(.)", r"\1", token[1:-1], flags=re.DOTALL)
    return str(token)


def _quoted_name(name: str) -> str:
    """Return a name in quotes, cut if it is long."""
    if len(name) > 80:
        name = name[:77] + "..."
    return repr(name)


_PRIMITIVE = re.compile(r'"(?:[^"\\]|\\.)*"?|(?<![\w.-])([\w-]+)\s*\(')
"""A name in quotes, or a name in front of a parenthesis, which is the group."""


def find_misread_operators(text: str, vocabulary: LogicVocabulary) -> Iterator[tuple[int, str]]:
    """Yield the offsets of operators that look like primitives of the vocabulary.

    With an action ``next`` the text ``next(door)`` may mean the action, but is read as the
    operator.

    Yields:
        The offset of such an operator, and the name that may be meant.
    """
    for match in _PRIMITIVE.finditer(text):
        operator_word = match.group(1) or ""
        # The letters of operators with two sides are names in front of a parenthesis.
        is_binary_letter = operator_word != operator_word.lower() and issubclass(
            WORDS.get(operator_word, Formula), Binary
        )
        if is_reserved(operator_word) and not is_binary_letter:
            name = vocabulary.find_predicate(operator_word) or vocabulary.find_action(operator_word)
            if name is not None:
                yield match.start(), name


def misreading_message(word: str) -> str:
    """Return how the reader of an error learns what happened to a name."""
    return f'without quotes {word!r} is an operator; write "{word}"(...) for the name'
