"""The sections of a domain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from eai.logic.formula import TRUE, Atom, Variable
from eai.pddl.conditions import ConditionReader
from eai.pddl.lists import read_names, read_variables
from eai.pddl.model import AndEffect, Axiom, Domain, Function, Operator, Predicate
from eai.pddl.names import RESERVED
from eai.pddl.outline import PARTS
from eai.pddl.reading import Reading
from eai.pddl.sections import define, options, sections
from eai.pddl.sources import Form, Item

__all__ = ["axiom_of", "domain_of", "operator_of"]

_ONCE = (":requirements", ":types", ":constants", ":predicates", ":functions")
_MANY = (":derived", ":action")


def domain_of(reading: Reading, form: Form) -> Domain:
    """Read ``(define (domain NAME) SECTION ...)``.

    What is not in its place or is declared twice is noted; names that are not declared are left
    to the check.
    """
    found = define(reading, form, "domain")
    if found is None:
        return Domain("")
    name, rest = found
    parts = sections(reading, rest, once=_ONCE, many=_MANY)
    predicates = reading.table(_predicates(reading, parts[":predicates"]), "predicate")
    rules = [axiom_of(reading, part, predicates) for part in parts[":derived"]]
    return Domain(
        name=name,
        requirements=reading.keywords(parts[":requirements"]),
        types=_types(reading, parts[":types"]),
        constants=_constants(reading, parts[":constants"]),
        predicates=predicates,
        functions=reading.table(_functions(reading, parts[":functions"]), "function"),
        axioms=tuple([rule for rule in rules if rule is not None]),
        operators=reading.table(_operators(reading, parts[":action"]), "action"),
    )


def axiom_of(reading: Reading, item: Item, declared: Mapping[str, Predicate]) -> Axiom | None:
    """Read ``(:derived (HEAD ?x ...) CONDITION)``.

    Variables of the head that have no type get those of the predicate's declaration.
    """
    what = "(:derived (HEAD ?x ...) CONDITION)"
    reading.where = "derived predicates"
    form = reading.form(item, what)
    keyword = reading.head(form, what) if form else None
    if form is None or keyword is None:
        return None
    if keyword != ":derived":
        reading.note("misplaced-word", f"found '{keyword}'", form.items[0], expected=what)
        return None
    found = reading.count(form, 2, what)
    head = reading.form(found[0], "(HEAD ?x ...)") if found else None
    name = _name(reading, head, "predicate") if head else None
    if found is None or head is None or name is None:
        return None
    parameters = declared[name].parameters if name in declared else ()
    variables = read_variables(reading, head.items[1:], parameters)
    scope = {variable.name: variable for variable in variables}
    condition = ConditionReader(reading).condition(found[1], scope)
    atom = reading.keep(Atom(name, variables), head.items)
    return None if condition is None else reading.keep(Axiom(atom, condition), form.items)


def operator_of(reading: Reading, form: Form) -> tuple[Item, Operator] | None:
    """Read ``(:action NAME ...)``; returns where its name stands, too."""
    wanted = "the name of the action"
    if len(form.items) < 2:
        reading.note("missing-part", "an action without a name", form, expected="a name")
        return None
    name = reading.word(form.items[1], "NAME", wanted)
    reading.where = f"action {name}" if name else "an action without a name"
    operator = _operator(reading, name, form.items[2 if name else 1 :])
    return (form.items[1], operator) if name else None


def _types(reading: Reading, items: Sequence[Item]) -> dict[str, str]:
    reading.where = "types"
    types = read_names(reading, items, "type")
    if "object" in types:
        above = types.pop("object")
        _, where = reading.places["type", "object"]
        if above != "object":
            message = "'object' is the type of everything and has no type above it"
            reading.note("root-type", message, where[0])
        else:
            message = "'object' is always a type and need not be listed"
            advice = "leave it out, or write '-' before it if it is the type of those before it"
            reading.note("root-type", message, where[0], severity="warning", advice=advice)
    return types


def _constants(reading: Reading, items: Sequence[Item]) -> dict[str, str]:
    reading.where = "constants"
    return read_names(reading, items, "constant")


def _predicates(reading: Reading, items: Sequence[Item]) -> Iterator[tuple[Item, str, Predicate]]:
    reading.where = "predicates"
    for item in items:
        form = reading.form(item, "(PREDICATE ?x - TYPE ...)")
        name = _name(reading, form, "predicate") if form else None
        if form and name:
            yield item, name, Predicate(name, read_variables(reading, form.items[1:]))


def _functions(reading: Reading, items: Sequence[Item]) -> Iterator[tuple[Item, str, Function]]:
    reading.where = "functions"
    rest = iter(items)
    for item in rest:
        if item == "-":
            kind = next(rest, item)
            if reading.word(kind, "NAME", "number") not in {"number", None}:
                message = "only functions to numbers are known"
                reading.note("unsupported-part", message, kind)
            continue
        form = reading.form(item, "(FUNCTION ?x - TYPE ...)")
        name = _name(reading, form, "function") if form else None
        if form and name:
            yield item, name, Function(name, read_variables(reading, form.items[1:]))


def _name(reading: Reading, form: Form, what: str) -> str | None:
    wanted = f"the name of a {what}"
    name = reading.head(form, wanted)
    if name in RESERVED:
        message = f"'{name}' cannot name a {what}"
        reading.note("misplaced-word", message, form.items[0], expected=wanted)
        return None
    return name and reading.word(form.items[0], "NAME", wanted)


def _operators(reading: Reading, forms: Sequence[Item]) -> Iterator[tuple[Item, str, Operator]]:
    for form in forms:
        found = operator_of(reading, form) if isinstance(form, Form) else None
        if found is not None:
            yield found[0], found[1].name, found[1]


def _operator(reading: Reading, name: str | None, items: Sequence[Item]) -> Operator:
    owner = f"the action '{name}'"
    parts = options(reading, items, PARTS, owner)
    reader = ConditionReader(reading)
    parameters: tuple[Variable, ...] = ()
    if ":parameters" in parts:
        parameters = reader.variables(parts[":parameters"])
    scope = {variable.name: variable for variable in parameters}
    condition, effect = parts.get(":precondition"), parts.get(":effect")
    read_condition = reader.condition(condition, scope) if condition else None
    read_effect = reader.effect(effect, scope) if effect else None
    return Operator(
        name or "",
        parameters,
        TRUE if read_condition is None else read_condition,
        AndEffect() if read_effect is None else read_effect,
    )
