"""Operators as the planner of the published results takes them (Fast Downward 24.06).

Its translator splits a text at blanks, brackets and question marks, and takes names that nobody
declared: an object that is only ever mentioned, a type without objects, a variable that nothing
binds. It refuses what is not PDDL, predicates that are not declared, and wrong numbers of
arguments. `=` is a predicate like any other: it holds of each declared object and itself, until an
effect says otherwise. A variable that a precondition or the condition of an effect says to exist
becomes a parameter, and the same name in the effect means this parameter. To make something true of
a variable that is still unbound stops the translator, where it explores such an action.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import count
from typing import Union

from eai.errors import InputError
from eai.logic import (
    FALSE,
    TRUE,
    And,
    Atom,
    Exists,
    Forall,
    Formula,
    Implies,
    Not,
    Or,
    Quantifier,
    Term,
    Variable,
    atoms,
)
from eai.nesting import NESTING_LIMIT
from eai.pddl import (
    AddEffect,
    AndEffect,
    Clause,
    DeleteEffect,
    Domain,
    Effect,
    ForallEffect,
    Operator,
    Predicate,
    Problem,
    WhenEffect,
    clauses,
)

STOP = Atom("translator stops", ())
"""Fact that marks a stop of the translator; no PDDL text can have such a name."""

_EQUAL = Predicate("=", (Variable("x"), Variable("y")))
# A comment goes to the end of its line.
_COMMENT = re.compile(r";[^\r\n]*")
# A bracket, a variable, which ends before the next one, or another word.
_WORD = re.compile(r"[()]|\?[^\s()?]*|[^\s()?]+")
_DEEPEST = 100
"""Maximum depth of brackets, the same as in every PDDL text that is read here."""

_Item = Union[str, "list[_Item]"]
_Scope = Mapping[str, Variable]


def translate_operator(name: str, text: str, predicates: Mapping[str, Predicate]) -> Operator | str:
    """Return an operator as Fast Downward's translator reads it, or the error it gives.

    Args:
        name: Name of the operator.
        text: The operator as the answer has it.
        predicates: The predicates of the domain.
    """
    try:
        return _Translator({**predicates, "=": _EQUAL}).operator(name, _read_brackets(text))
    except ValueError as error:
        return f"{name}: {error}"
    except InputError as error:  # more quantified variables inside of each other than are read
        return f"{name}: {error.what}"


def _read_brackets(text: str) -> Sequence[_Item]:
    """Return the first bracketed expression in a text, with nested ones as lists.

    Example:
        >>> _read_brackets("(:action grab :parameters (?x)) more")
        [':action', 'grab', ':parameters', ['?x']]
    """
    text = _COMMENT.sub("", text)
    if not text.isascii():
        raise ValueError("it has a character that is not ASCII")
    open_lists: list[list[_Item]] = []  # the unfinished expressions around the current one
    items: list[_Item] = []
    # The published planner ignores letter case.
    for symbol in _WORD.findall(text.lower()):
        if symbol == "(":
            open_lists.append(items)
            items = []
        elif symbol != ")":
            items.append(symbol)
        elif len(open_lists) > 1:
            open_lists[-1].append(items)
            items = open_lists.pop()
        else:
            break  # the outermost bracket is closed, and later text is not read
        if len(open_lists) > _DEEPEST:
            raise ValueError(f"brackets are nested more than {_DEEPEST} deep")
    else:
        raise ValueError("a bracket is not closed")
    return items


def _read_typed_list(items: Sequence[_Item]) -> list[tuple[str, str]]:
    """Return (word, type) for each word of a typed list such as ``a b - kind c``.

    A type in brackets, ``(either x y)``, becomes its words; no object has such a type.

    Example:
        >>> _read_typed_list(["?a", "?b", "-", "cup", "?c"])
        [('?a', 'cup'), ('?b', 'cup'), ('?c', 'object')]
    """
    typed: list[tuple[str, str]] = []
    while items:
        # "?a ?b - cup ?c" -> ["?a", "?b"], "cup", and the rest ["?c"]
        words, type_item, items = _split_at_dash(items)
        type_words = [type_item] if isinstance(type_item, str) else type_item
        has_words_only = all(isinstance(word, str) for word in (*words, *type_words))
        if not type_item or not has_words_only:
            raise ValueError("a list of variables or types is malformed")
        if isinstance(type_item, list) and type_item[0] != "either":
            raise ValueError("these brackets are not a type")
        type_name = " ".join(str(word) for word in type_words)
        for word in words:
            typed.append((str(word), type_name))
    return typed


def _split_at_dash(items: Sequence[_Item]) -> tuple[Sequence[_Item], _Item, Sequence[_Item]]:
    """Return the words before the first dash, the type after it, and the rest.

    Words without a dash are objects; a dash without a type has an empty one.
    """
    if "-" not in items:
        return items, "object", ()
    dash = items.index("-")
    kind: _Item = ""
    if dash + 1 < len(items):
        kind = items[dash + 1]
    return items[:dash], kind, items[dash + 2 :]


def _bound(items: Sequence[_Item]) -> dict[str, Variable]:
    """Return the variables that a quantifier binds, by their names in the text."""
    typed = _read_typed_list(items)
    if any(kind.startswith(_EITHER) for _, kind in typed):
        raise ValueError("a quantified variable has several types")
    return {word: Variable(word.lstrip("?"), (kind,)) for word, kind in typed}


def _parts(form: Sequence[_Item], number: int | None = None) -> list[list[_Item]]:
    """Return the arguments of an expression, which must be ``number`` non-empty brackets."""
    brackets = [part for part in form[1:] if isinstance(part, list) and part]
    if len(brackets) != len(form) - 1 or (number and len(brackets) != number):
        raise ValueError(f"'{form[0]}' is followed by something other than it takes")
    return brackets


_EITHER = "either "
"""Prefix of a choice between types, of which no object exists."""
_JUNCTIONS = {"and": And, "or": Or}
_QUANTIFIERS = {"exists": Exists, "forall": Forall}


@dataclass(frozen=True, slots=True)
class _Translator:
    """Reads operators from brackets.

    ValueError is raised where Fast Downward's translator stops.
    """

    predicates: Mapping[str, Predicate]

    def operator(self, name: str, form: Sequence[_Item]) -> Operator:
        """Read an operator, in the normal form of the translator.

        Args:
            name: The name that the operator gets.
            form: ``(:action NAME :parameters (...) :precondition (...) :effect (...))``; all but
                the effect may be left out.

        Raises:
            ValueError: The translator would stop at the text.
        """
        parts = _operator_parts(form)
        declarations = _read_typed_list(parts.get(":parameters", ()))
        if not all(word.startswith("?") for word, _ in declarations):
            raise ValueError("a parameter is not a variable")
        # If a parameter is declared twice, the last type counts.
        scope = {word: Variable(word[1:], (kind,)) for word, kind in declarations}
        precondition: Formula = TRUE
        if parts.get(":precondition"):
            precondition = self.condition(parts[":precondition"], scope)
        other_types = _conditions_on_other_types(declarations, scope)
        if other_types:
            precondition = And((precondition, *other_types))
        effect: Effect = AndEffect()
        if parts[":effect"]:
            effect = self.effect(parts[":effect"], scope)
        return _in_normal_form(Operator(name, tuple(scope.values()), precondition, effect))

    def condition(self, form: Sequence[_Item], scope: _Scope) -> Formula:
        """Read a condition.

        Args:
            form: The condition as nested lists: ``["not", ["open", "?x"]]``.
            scope: The variables that are bound around it, by their names.
        """
        head = str(form[0])
        if head in _JUNCTIONS:
            operands = [self.condition(part, scope) for part in _parts(form)]
            if not operands:
                return TRUE if head == "and" else FALSE
            return _JUNCTIONS[head](tuple(operands))
        if head == "not":
            (operand,) = _parts(form, 1)
            return Not(self.condition(operand, scope))
        if head == "imply":
            return Implies(*[self.condition(part, scope) for part in _parts(form, 2)])
        if head in _QUANTIFIERS:
            declarations, body_form = _parts(form, 2)
            declared = _bound(declarations)
            body = self.condition(body_form, {**scope, **declared})
            variables = []
            for word, variable in declared.items():
                # A name that is not a variable ranges over a type without objects.
                is_variable = word[0] == "?"
                variables.append(variable if is_variable else replace(variable, types=("",)))
            return _QUANTIFIERS[head](tuple(variables), body)
        return self.atom(form, scope)

    def atom(self, form: Sequence[_Item], scope: _Scope) -> Atom:
        """Read an atom of a declared predicate: ``(on ?x table)``."""
        name, *words = form
        declared = self.predicates.get(name) if isinstance(name, str) else None
        if declared is None:
            raise ValueError(f"there is no predicate {name!r}")
        terms: list[Term] = []
        for word in words:
            if not isinstance(word, str):
                continue
            if word in scope:
                terms.append(scope[word])
            elif word[0] == "?":
                # A variable that nothing binds stays one; it becomes an object of any type.
                terms.append(Variable(word[1:]))
            else:
                terms.append(word)
        if len(terms) < len(words) or len(terms) != declared.arity:
            raise ValueError(f"'{name}' takes {declared.arity} names, not {len(terms)}")
        return Atom(declared.name, tuple(terms))

    def _forall_effect(self, form: Sequence[_Item], scope: _Scope) -> Effect:
        """Read ``(forall (?x - cup) EFFECT)``."""
        typed = form[1] if len(form) > 1 else ""
        (body,) = _parts([form[0], *form[2:]], 1)
        if isinstance(typed, str):
            raise ValueError("'forall' without a list of variables")  # noqa: TRY004 - a text is wrong
        bound = _bound(typed)
        if len(bound) > NESTING_LIMIT:
            raise ValueError(f"'forall' has more than {NESTING_LIMIT} variables")
        inner = self.effect(body, {**scope, **bound}, within=True)
        return ForallEffect(tuple(bound.values()), inner)

    def effect(self, form: Sequence[_Item], scope: _Scope, *, within: bool = False) -> Effect:
        """Read an effect.

        Args:
            form: The effect as nested lists: ``["not", ["open", "?x"]]``.
            scope: The variables that are bound around it, by their names.
            within: Whether it is inside a quantifier or condition, where it cannot change the cost.
        """
        head = form[0]
        if head == "and":
            effects = [self.effect(part, scope, within=within) for part in _parts(form)]
            return AndEffect(tuple(effects))
        if head == "forall":
            return self._forall_effect(form, scope)
        if head == "when":
            condition_form, effect_form = _parts(form, 2)
            effect = self.effect(effect_form, scope, within=True)
            has_several, quantified = _flattened(effect)
            if has_several and any(quantified):
                raise ValueError("'when' has several effects with a quantifier inside")
            return WhenEffect(self.condition(condition_form, scope), effect)
        is_cost = head == "increase" and form[1:2] == [["total-cost"]] and len(form) == 3
        if is_cost and not within:
            return AndEffect()  # costs change no fact
        if head == "not":
            (atom_form,) = _parts(form, 1)
            return DeleteEffect(self.atom(atom_form, scope))
        return AddEffect(self.atom(form, scope))


def _conditions_on_other_types(
    declarations: Iterable[tuple[str, str]], scope: _Scope
) -> list[Formula]:
    """Return conditions that parameters that are declared twice have all their types.

    A condition says that an object of the other type exists that equals the parameter.

    Args:
        declarations: The parameters with their types, as they are written.
        scope: The parameters by name, each with one of its types.
    """
    conditions: list[Formula] = []
    for word, kind in declarations:
        parameter = scope[word]
        if parameter.types != (kind,):
            equal_object = Variable(f"{word[1:]}#", (kind,))  # a name other than the parameter's
            equality = Atom("=", (equal_object, parameter))
            conditions.append(Exists((equal_object,), equality))
    return conditions


def _operator_parts(form: Sequence[_Item]) -> dict[str, list[_Item]]:
    """Return the parts of ``(:action name ...)`` by their keys, which must be in order.

    Raises:
        ValueError: Another part is there, they are in another order, or the effect is missing.
    """
    remaining = form[2:]
    parts: dict[str, list[_Item]] = {}
    for key in (":parameters", ":precondition", ":effect"):
        if remaining[:1] == [key] and len(remaining) > 1 and isinstance(remaining[1], list):
            parts[key] = remaining[1]
            remaining = remaining[2:]
    if remaining or ":effect" not in parts:
        raise ValueError("it is not made of :parameters, :precondition and :effect")
    return parts


def with_equality(domain: Domain, problem: Problem) -> tuple[Domain, Problem]:
    """Return a task in which ``=`` is declared if an operator uses it."""
    if not any(map(_has_equality, domain.operators.values())):
        return domain, problem
    alike = [Atom("=", (name, name)) for name in (*domain.constants, *problem.objects)]
    predicates = {**domain.predicates, "=": _EQUAL}
    initial = (*problem.initial, *alike)
    return replace(domain, predicates=predicates), replace(problem, initial=initial)


@lru_cache(maxsize=1 << 9)
def _has_equality(operator: Operator) -> bool:
    """Return whether an operator uses the predicate ``=``."""
    formulas = [operator.precondition]
    for clause in clauses(operator.effect):
        formulas += [clause.condition, clause.atom]
    for formula in formulas:
        for atom in atoms(formula):
            if isinstance(atom, Atom) and atom.predicate == "=":
                return True
    return False


def mark_unbound_effects(operators: Sequence[Operator]) -> Sequence[Operator]:
    """Return operators that achieve :data:`STOP` wherever the translator would stop.

    The translator works in two phases. First it explores which atoms can be reached; an unbound
    variable of a condition is then read as "some object", one of an effect as "any object". Then it
    instantiates the actions that can be reached, and stops at an added atom with an unbound
    variable.

    Returns:
        For each operator its form in the second phase, followed by that of the first phase if they
        differ; nothing if no operator can stop the translator.
    """
    if not any(map(_can_stop, operators)):
        return ()
    marked: list[Operator] = []
    for operator in operators:
        instantiated = _as_instantiated(operator)
        explored = _as_explored(operator)
        marked.append(instantiated)
        is_same_condition = explored.precondition == operator.precondition
        if not is_same_condition or explored.effect != instantiated.effect:
            marked.append(explored)
    return marked


def _can_stop(operator: Operator) -> bool:
    """Return whether the translator stops when it instantiates an operator."""
    return any(_stops(clause, operator) for clause in _clauses_of(operator))


def _stops(clause: Clause, operator: Operator) -> bool:
    """Return whether a clause of an operator adds an atom with an unbound variable."""
    bound = (*operator.parameters, *clause.variables)
    return clause.added and bool(_unbound((clause.atom,), bound))


def _as_instantiated(operator: Operator) -> Operator:
    """Return an operator with :data:`STOP` in the place of each added atom that stops."""
    effects: list[Effect] = []
    for clause in _clauses_of(operator):
        if _stops(clause, operator):
            effects.append(clause._replace(atom=STOP).effect)
        else:
            effects.append(clause.effect)
    return replace(operator, effect=AndEffect(tuple(effects)))


def _as_explored(operator: Operator) -> Operator:
    """Return an operator, under a name of its own, with its unbound variables quantified.

    A variable is unbound if it is no parameter. In the precondition it is quantified by
    ``exists``, in an effect by ``forall``.
    """
    parameters = operator.parameters
    condition = operator.precondition
    unbound = _unbound((condition,), parameters)
    if unbound:
        condition = Exists(unbound, condition)
    effects: list[Effect] = []
    for clause in _clauses_of(operator):
        bound = (*parameters, *clause.variables)
        unbound = _unbound((clause.condition, clause.atom), bound)
        effects.append(clause._replace(variables=(*clause.variables, *unbound)).effect)
    name = f"{operator.name} is explored"
    return Operator(name, parameters, condition, AndEffect(tuple(effects)))


def _clauses_of(operator: Operator) -> list[Clause]:
    """Return the clauses of an operator's effect."""
    return list(clauses(operator.effect, [variable.name for variable in operator.parameters]))


def _unbound(formulas: Iterable[Formula], bound: Iterable[Variable]) -> tuple[Variable, ...]:
    """Return the free variables of some formulas that are not bound, of type object."""
    names: set[str] = set()
    for formula in formulas:
        names.update(variable.name for variable in formula.free)
    names.difference_update(variable.name for variable in bound)
    return tuple([Variable(name) for name in sorted(names)])


def _in_normal_form(operator: Operator) -> Operator:
    """Return an operator with unbound variables in the normal form of the published translator.

    Every bound variable gets a name of its own, which may be that of an unbound variable. Then
    ``exists`` is moved out of conditions: its variables become parameters of the action, or
    variables of the whole effect. An operator without unbound variables stays as it is.

    Raises:
        ValueError: A quantifier over all objects mentions a variable that is bound nowhere.
    """
    parameters = operator.parameters
    effect_clauses = list(clauses(operator.effect, [variable.name for variable in parameters]))
    if not _has_unbound(operator, effect_clauses):
        return operator
    used_names = {variable.name: variable for variable in parameters}
    precondition = _renamed_apart(operator.precondition, {}, used_names)
    effect_clauses = [_rename_clause(clause, used_names) for clause in effect_clauses]
    # All names in ``used_names`` are bound somewhere, apart from those of type ``either``.
    bound_names: set[str] = set()
    for name, variable in used_names.items():
        if not variable.types[0].startswith(_EITHER):
            bound_names.add(name)
    for condition in (precondition, *(clause.condition for clause in effect_clauses)):
        _refuse_unbound_universal(condition, bound_names)
    new_parameters: list[Variable] = []
    precondition = _without_exists(precondition, new_parameters)
    effects = tuple([_open_clause(clause).effect for clause in effect_clauses])
    all_parameters = (*parameters, *new_parameters)
    return Operator(operator.name, all_parameters, precondition, AndEffect(effects))


def _rename_clause(clause: Clause, taken: dict[str, Variable]) -> Clause:
    """Return an effect whose variables have new names, which are added to ``taken``."""
    renamed = _rename(clause.variables, taken)
    condition = _renamed_apart(clause.condition, renamed, taken)
    atom = clause.atom.substitute(renamed)
    assert isinstance(atom, Atom)  # noqa: S101 - an atom stays one
    return Clause(tuple(renamed.values()), condition, clause.added, atom)


def _open_clause(clause: Clause) -> Clause:
    """Return an effect that itself binds what its condition says to exist."""
    variables = list(clause.variables)
    condition = _without_exists(clause.condition, variables)
    return clause._replace(variables=tuple(variables), condition=condition)


def _has_unbound(operator: Operator, literals: Iterable[Clause]) -> bool:
    """Return whether an operator with the effects ``literals`` uses an unbound variable.

    A variable is bound if it is a parameter or is quantified.
    """
    parameters = operator.parameters
    if _unbound((operator.precondition,), parameters):
        return True
    return any(
        _unbound((clause.condition, clause.atom), (*parameters, *clause.variables))
        for clause in literals
    )


def _refuse_unbound_universal(condition: Formula, bound: Collection[str]) -> None:
    """Raise ValueError if a universal quantifier contains an unbound variable.

    An ``exists`` under a negation is a universal quantifier, too.
    """
    # Each part with its sign: whether it is wanted true, or false under a negation.
    pending = [(condition, True)]
    while pending:
        part, is_wanted_true = pending.pop()
        if isinstance(part, Quantifier):
            pending.append((part.body, is_wanted_true))
            unbound_names = {variable.name for variable in part.free}.difference(bound)
            is_universal = part.wants is not is_wanted_true
            if unbound_names and is_universal:
                name = min(unbound_names)
                raise ValueError(f"nothing binds ?{name}, which a quantifier mentions")
            continue
        junction = part.split(is_wanted_true)
        if junction:
            pending += junction.parts


def _rename(variables: Iterable[Variable], taken: dict[str, Variable]) -> dict[str, Variable]:
    """Return new variables by old names, and add the new names to ``taken``."""
    renamed: dict[str, Variable] = {}
    for variable in variables:
        plain = variable.name.partition("#")[0]
        name = plain
        numbers = count(1)
        while name in taken:
            name = f"{plain}{next(numbers)}"
        taken[name] = renamed[variable.name] = Variable(name, variable.types)
    return renamed


def _renamed_apart(formula: Formula, renamed: _Scope, taken: dict[str, Variable]) -> Formula:
    """Return a formula in which each quantifier binds variables with names of their own.

    Args:
        formula: The formula.
        renamed: The new variables of the quantifiers around it, by old names.
        taken: All names in use, to which the new ones are added.
    """
    if isinstance(formula, Atom):
        return formula.substitute(renamed)
    if isinstance(formula, Quantifier):
        new_variables = _rename(formula.variables, taken)
        body = _renamed_apart(formula.body, {**renamed, **new_variables}, taken)
        return formula.over(tuple(new_variables.values()), body)
    return formula.rebuild([_renamed_apart(part, renamed, taken) for part in formula.operands])


def _without_exists(formula: Formula, variables: list[Variable]) -> Formula:
    """Return a condition without its outer ``exists``, and collect the quantified variables.

    Args:
        formula: The condition, such as ``(exists (?x) (on ?x ?y))``.
        variables: Receives the variables, here ``?x``.
    """
    if isinstance(formula, And):
        return And(tuple([_without_exists(part, variables) for part in formula.operands]))
    if isinstance(formula, Exists):
        variables += formula.variables
        return _without_exists(formula.body, variables)
    return formula


def _flattened(effect: Effect) -> tuple[bool, list[bool]]:
    """Return the form of an effect after it is flattened to a list of simple effects.

    Returns:
        Whether it is a conjunction, and for each simple effect whether it is quantified.
    """
    if isinstance(effect, AndEffect):
        are_quantified = []
        for part in effect.parts:
            are_quantified += _flattened(part)[1]
        return True, are_quantified
    if isinstance(effect, WhenEffect):
        return _flattened(effect.effect)
    if isinstance(effect, ForallEffect):
        is_conjunction, are_quantified = _flattened(effect.effect)
        return is_conjunction, [True] * len(are_quantified)
    return False, [False]
