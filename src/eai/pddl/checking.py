"""The check of names, arities and types, part by part of a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, partial
from itertools import product
from typing import TYPE_CHECKING, Literal

from eai.logic import (
    ActionAtom,
    Atom,
    Formula,
    NumericCondition,
    Term,
    Then,
    Variable,
    function_terms,
    objects_of,
)
from eai.pddl.issues import FOREIGN_NAMES, About, Issue, IssueKind, Severity
from eai.pddl.model import (
    DURATION,
    TOTAL_COST,
    AddEffect,
    AndEffect,
    CostEffect,
    DeleteEffect,
    Domain,
    Effect,
    ForallEffect,
    Function,
    NumericEffect,
    Predicate,
    WhenEffect,
)
from eai.text import counted

if TYPE_CHECKING:
    from typing_extensions import Unpack

Fit = Literal["yes", "maybe", "no"]
"""Whether objects of some types are always, sometimes or never of the types that are wanted."""


def _fit_of_types(domain: Domain | None, types: tuple[str, ...], wanted: tuple[str, ...]) -> Fit:
    """Return whether objects of some types may stand where other types are declared.

    Args:
        domain: The domain with the hierarchy of types; without it, everything fits.
        types: The types of a term.
        wanted: The declared types.

    Returns:
        "yes", "no", or "maybe" if only some of the objects fit: a vehicle where a truck is wanted.
    """
    if domain is None:
        return "yes"
    if not {"object", *domain.types}.issuperset((*types, *wanted)):
        return "yes"  # a type that is not declared is an issue of its own
    fitting_types = [
        type_name
        for type_name in types
        if any(domain.is_subtype(type_name, wanted_type) for wanted_type in wanted)
    ]
    if len(fitting_types) == len(types):
        return "yes"
    # Alternatives of which only some fit: (either cup car) where a cup is wanted.
    if fitting_types:
        return "maybe"
    # A wider type fits for some of its objects only.
    for type_name, wanted_type in product(types, wanted):
        if domain.is_subtype(wanted_type, type_name):
            return "maybe"
    return "no"


Scope = Mapping[str, Variable]
"""The variables that are bound at some place, by name."""


class Checker:
    """Collects the issues of one check. Without a domain, only variables are checked."""

    def __init__(self, domain: Domain | None, objects: Mapping[str, str]) -> None:
        """Begin a check of a domain, or of a problem with its objects, without any issue."""
        self.domain = domain
        # An object of the problem hides a constant of the same name, which is noted elsewhere.
        self.objects = {**(domain.constants if domain else {}), **objects}
        self._unchecked: frozenset[str] = frozenset()
        """Names of objects that something else declares."""
        # The findings, and the part that is being checked, for their messages.
        self.issues: list[Issue] = []
        self.where = ""
        self.used: set[int] = set()
        """Identities of the variables that occurred since this set was last emptied."""
        self.ill_typed: Severity = "error"
        """How bad it is that an argument is of another type than declared."""
        # Large problems ask the same about the types of every fact.
        self._fits = cache(partial(_fit_of_types, domain))

    @property
    def has_numbers(self) -> bool:
        """Whether values may be negative: those of costs must not be."""
        # Asked for costs only: to find out takes a walk through the whole domain.
        return self.domain is not None and self.domain.has_numbers

    def add(self, kind: IssueKind, message: str, subject: object, **about: Unpack[About]) -> None:
        """Note a finding at the current place (``self.where``); arguments as for an issue."""
        self.issues.append(Issue(kind, message, self.where, subject=subject, **about))

    def types(self, types: Sequence[str], subject: object) -> None:
        """Check that types are declared.

        Args:
            types: Their names.
            subject: The part of the model that uses them, for the place of a finding.
        """
        if self.domain is None:
            return
        for type_index, name in enumerate(types):
            if name != "object" and name not in self.domain.types:
                self.add(
                    "undeclared-type",
                    f"there is no type '{name}'",
                    subject,
                    argument=type_index,
                    expected="a type from :types",
                    name=name,
                    known=self.domain.types,
                    advice=f"declare it: add {name} to :types",
                )

    def variables(
        self, variables: Sequence[Variable], *, declared: bool = False
    ) -> dict[str, Variable]:
        """Check a list of variables.

        Args:
            variables: The variables.
            declared: Whether they are those of a declaration, where only their number and types
                matter, so that a name that stands twice is only a warning.

        Returns:
            The variables by their names: the scope of what they are bound in.
        """
        scope: dict[str, Variable] = {}
        for variable in variables:
            self.types(variable.types, variable)
            if variable.name in scope:
                message = f"the variable ?{variable.name} stands twice in one list"
                severity: Severity = "warning" if declared else "error"
                self.add("repeated-variable", message, variable, severity=severity)
            scope[variable.name] = variable
        return scope

    def formula(self, formula: Formula, scope: Scope) -> None:
        """Check the names and types in a condition, and that it is about a single state.

        Args:
            formula: The condition.
            scope: The variables that are bound around it.
        """
        if isinstance(formula, Atom):
            self.atom(formula, scope)
        elif isinstance(formula, NumericCondition):
            for compared in formula.function_terms:
                self.function(compared, scope)
        elif isinstance(formula, (ActionAtom, Then)):
            message = "a condition on a state cannot speak about actions or about time"
            self.add("temporal-condition", message, formula)
        else:
            for argument, term in enumerate(formula.terms):
                self._check_term(formula, argument, term, scope=scope)
            if formula.variables:
                # Inner variables hide outer ones of the same name.
                scope = {**scope, **self.variables(formula.variables)}
            for operand in formula.operands:
                self.formula(operand, scope)

    def path(self, formula: Formula, scope: Scope, *, names_objects: bool = True) -> None:
        """Check a formula of linear temporal logic.

        Args:
            formula: The formula.
            scope: The variables that are bound around it.
            names_objects: Whether all objects that it may name are known.
        """
        if not names_objects:
            self._unchecked = objects_of(formula)
        checked: set[Formula] = set()
        self._check_path(formula, scope, checked)
        self._unchecked = frozenset()

    def _check_path(self, formula: Formula, scope: Scope, checked: set[Formula]) -> None:
        """Check the state conditions in a temporal formula, each once.

        A mode such as ``sometime-before`` is written with its operands several times, and one
        mistake must not be noted several times.

        Args:
            formula: The formula.
            scope: The variables that are bound around it.
            checked: The conditions that were checked.
        """
        # Equal conditions are the same object, which is quick to look up.
        if not formula.has_linear:
            if formula not in checked:
                checked.add(formula)
                self.formula(formula, scope)
            return
        if formula.variables:
            scope = {**scope, **self.variables(formula.variables)}
        for operand in formula.operands:
            self._check_path(operand, scope, checked)

    def effect(self, effect: Effect, scope: Scope) -> None:
        """Check the names and types in an effect, and that it changes changeable things.

        Args:
            effect: The effect.
            scope: The variables that are bound around it.
        """
        if isinstance(effect, (AddEffect, DeleteEffect)):
            self._check_changed_atom(effect.atom, scope)
        elif isinstance(effect, AndEffect):
            for part in effect.parts:
                self.effect(part, scope)
        elif isinstance(effect, ForallEffect):
            self.effect(effect.effect, {**scope, **self.variables(effect.variables)})
        # The condition first, as it stands first in the text.
        elif isinstance(effect, WhenEffect):
            self.formula(effect.condition, scope)
            self.effect(effect.effect, scope)
        elif isinstance(effect, NumericEffect):
            self.function(effect.target, scope)
            for term in function_terms(effect.amount):
                self.function(term, scope)
        elif isinstance(effect, CostEffect):
            self._check_cost(effect, scope)

    def _check_changed_atom(self, atom: Atom, scope: Scope) -> None:
        """Check an atom that an effect adds or deletes: no rule may derive its predicate."""
        self.atom(atom, scope)
        if self.domain is not None and atom.predicate in self.domain.derived:
            message = f"the derived predicate '{atom.predicate}' cannot be an effect"
            expected = "a predicate without :derived rule"
            self.add("derived-effect", message, atom, expected=expected)

    def _check_cost(self, effect: CostEffect, scope: Scope) -> None:
        """Check ``(increase (total-cost) AMOUNT)``.

        If states store no numbers, costs are added up separately. Amounts must then not be negative
        or depend on the total.
        """
        if self.domain is not None and "total-cost" not in self.domain.functions:
            advice = "declare it: (:functions (total-cost) - number)"
            message = "there is no function 'total-cost'"
            self.add("undeclared-function", message, effect, advice=advice)
        # The total itself is a function term, too, so it is tested first.
        if effect.amount == TOTAL_COST and not self.has_numbers:
            message = "the total cost cannot be what is added to it"
            self.add("unsupported-part", message, effect, expected="a number, or another function")
        elif isinstance(effect.amount, Atom):
            self.function(effect.amount, scope)
        elif not effect.amount >= 0 and not self.has_numbers:
            self.add("negative-cost", f"the cost {effect.amount} is not 0 or more", effect)

    def atom(self, atom: Atom, scope: Scope) -> None:
        """Check a predicate applied to terms."""
        declared = None if self.domain is None else self.domain.predicates
        self._check_application(atom, scope, declarations=declared, symbol_kind="predicate")

    def function(self, term: Atom, scope: Scope) -> None:
        """Check a function applied to terms."""
        if term == DURATION:
            return
        declared = None if self.domain is None else self.domain.functions
        self._check_application(term, scope, declarations=declared, symbol_kind="function")

    def _check_application(
        self,
        atom: Atom,
        scope: Scope,
        *,
        declarations: Mapping[str, Predicate] | Mapping[str, Function] | None,
        symbol_kind: Literal["predicate", "function"],
    ) -> None:
        """Check a predicate or function with its terms.

        Args:
            atom: The predicate or function with its terms.
            scope: The variables that are bound around it.
            declarations: All declared predicates, or functions; None if no domain is known.
            symbol_kind: Whether the atom is a predicate or a function.
        """
        # Without a declaration to compare with, terms are looked up, but their types are not.
        parameters: Sequence[Variable | None] = [None] * len(atom.terms)
        if declarations is not None:
            declared = declarations.get(atom.predicate)
            if declared is None:
                self._note_undeclared(atom, declarations, symbol_kind)
            elif len(declared.parameters) != len(atom.terms):
                self._note_wrong_arity(atom, declared.parameters)
            else:
                parameters = declared.parameters
        for argument_index, (term, parameter) in enumerate(
            zip(atom.terms, parameters, strict=True)
        ):
            self._check_term(atom, argument_index, term, scope=scope, parameter=parameter)

    def _note_undeclared(
        self,
        atom: Atom,
        declared_names: Mapping[str, Predicate] | Mapping[str, Function],
        symbol_kind: Literal["predicate", "function"],
    ) -> None:
        """Note that the predicate or function of an atom is not declared.

        The advice depends on the likely mistake: a word of another language, a name written between
        its arguments (``(cup on table)``), or a missing declaration.

        Args:
            atom: The atom.
            declared_names: The declared predicates, or functions.
            symbol_kind: Which of the two.
        """
        name = atom.predicate
        # Of (cup on table), this is "on".
        misplaced = [
            term for term in atom.terms if isinstance(term, str) and term in declared_names
        ]
        if name in FOREIGN_NAMES:
            advice = FOREIGN_NAMES[name]
        elif misplaced:
            # Infix: (cup on table) for (on cup table).
            misplaced_name = misplaced[0]
            other_words = [term for term in (name, *map(str, atom.terms)) if term != misplaced_name]
            advice = f"write the {symbol_kind} first: ({' '.join([misplaced_name, *other_words])})"
        else:
            advice = f"declare it: add ({name} ...) to :{symbol_kind}s"
        self.add(
            "undeclared-predicate" if symbol_kind == "predicate" else "undeclared-function",
            f"there is no {symbol_kind} '{name}'",
            atom,
            expected=f"a {symbol_kind} from :{symbol_kind}s",
            name=name,
            known=declared_names,
            advice=advice,
        )

    def _note_wrong_arity(self, atom: Atom, parameters: Sequence[Variable]) -> None:
        """Note a number of terms that differs from the declaration.

        The declaration, ``(on ?x ?y)``, is both what was expected and the advice.
        """
        # Names of the declaration, since they often tell what each argument stands for.
        usage = " ".join([atom.predicate, *(f"?{parameter.name}" for parameter in parameters)])
        expected_count = counted(len(parameters), "argument")
        self.add(
            "wrong-arity",
            f"'{atom.predicate}' takes {expected_count}, not {len(atom.terms)}",
            atom,
            expected=f"({usage})",
            advice=f"write ({usage})",
        )

    def _check_term(
        self,
        owner: Formula,
        argument_index: int,
        term: Term,
        *,
        scope: Scope,
        parameter: Variable | None = None,
    ) -> None:
        """Check a term, and its type if a parameter is declared.

        An object of a wrong type is an error; a variable of a wider type only a warning, since some
        of its objects may fit.

        Args:
            owner: The condition that the term belongs to.
            argument_index: Index of the term in it.
            term: The term.
            scope: The variables that are bound around it.
            parameter: The declared parameter; None if none is known.
        """
        types = self._types_of(owner, argument_index, term, scope=scope)
        if parameter is None or types is None:
            return
        fit = self._fits(types, parameter.types)
        if fit == "yes":
            return
        term_text = f"'{term}'" if isinstance(term, str) else f"?{term.name}"
        message = f"{term_text} is of type {' or '.join(types)}"
        wanted_types = " or ".join(parameter.types)
        if fit == "no" or isinstance(term, str):  # an object is of its own type and no other
            self.add(
                "ill-typed",
                message,
                owner,
                severity=self.ill_typed,
                argument=argument_index,
                expected=f"type {wanted_types}",
                advice=f"use something of type {wanted_types}, or declare it with this type",
            )
            return
        message += f", which is wider than {wanted_types}"
        self.add("loosely-typed", message, owner, severity="warning", argument=argument_index)

    def _types_of(
        self, owner: Formula, argument: int, term: Term, *, scope: Scope
    ) -> tuple[str, ...] | None:
        """Return the types of a term, or None, with a note, if the term is unknown.

        Args:
            owner: The condition that the term belongs to.
            argument: Index of the term in it.
            term: The term.
            scope: The variables that are bound around it.
        """
        if isinstance(term, Variable):
            return self._types_of_variable(owner, argument, term, scope)
        if term in self.objects:
            return (self.objects[term],)
        if self.domain is None or term in self._unchecked:
            return None
        advice = f"declare it: {term} - TYPE"
        # An object that is named like a variable in scope: only the '?' is missing.
        if term in scope:
            advice = f"write ?{term}"
        self.add(
            "undeclared-object",
            f"there is no object '{term}'",
            owner,
            argument=argument,
            expected="a declared object or constant, or a ?variable",
            name=term,
            known=self.objects,
            advice=advice,
        )
        return None

    def _types_of_variable(
        self, owner: Formula, argument: int, variable: Variable, scope: Scope
    ) -> tuple[str, ...] | None:
        """Return the types of a variable, or None, with an issue, if nothing binds it.

        The variable is marked as used, so that unused parameters can be reported later.

        Args:
            owner: The condition that the variable belongs to.
            argument: Index of the variable in it.
            variable: The variable.
            scope: The variables that are bound around it.
        """
        binding_variable = scope.get(variable.name)
        if binding_variable is None:
            self._note_unbound(owner, argument, variable, scope)
            return None
        # By identity, since an inner variable may have the name of an outer one.
        self.used.add(id(binding_variable))
        if binding_variable.types != variable.types:
            message = f"?{variable.name} does not have the types with which it is bound"
            expected_types = f"type {' or '.join(binding_variable.types)}"
            self.add(
                "mistyped-variable", message, owner, argument=argument, expected=expected_types
            )
        return binding_variable.types

    def _note_unbound(
        self, owner: Formula, argument: int, variable: Variable, scope: Scope
    ) -> None:
        """Note an unbound variable, and suggest bound ones.

        Args:
            owner: The condition that the variable belongs to.
            argument: Index of the variable in it.
            variable: The variable.
            scope: The variables that are bound around it.
        """
        variables = [f"?{name}" for name in scope]
        expected = None
        if variables:
            expected = f"one of {', '.join(variables)}"
        advice = f"write the name of an object without '?', or bind ?{variable.name}"
        if self.where.startswith("action"):
            advice = f"bind it: add ?{variable.name} to :parameters or to a quantifier"
        self.add(
            "unbound-variable",
            f"nothing binds the variable ?{variable.name}",
            owner,
            argument=argument,
            expected=expected,
            name=f"?{variable.name}",
            known=variables,
            advice=advice,
        )
