"""The sections of a domain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from eai.logic.formula import TRUE, Atom, Variable
from eai.pddl.conditions import ConditionReader
from eai.pddl.forms import Form, Item
from eai.pddl.model import AndEffect, Axiom, Domain, Function, Operator, Predicate
from eai.pddl.names import RESERVED
from eai.pddl.reading import Reading

__all__ = ["read_axiom", "read_domain"]

_ONCE = (":requirements", ":types", ":constants", ":predicates", ":functions")
_MANY = (":derived", ":action")
_PARTS = (":parameters", ":precondition", ":effect")


def read_domain(reading: Reading, form: Form) -> Domain:
    """Read ``(define (domain NAME) SECTION ...)``.

    Raises:
        ParseError: Something is not in its place or is declared twice. Names that are not
            declared are left to the check.
    """
    name, rest = reading.define(form, "domain")
    sections = reading.sections(rest, once=_ONCE, many=_MANY)
    predicates = reading.table(_predicates(reading, sections[":predicates"]), "predicate")
    return Domain(
        name=name,
        requirements=reading.keywords(sections[":requirements"]),
        types=_types(reading, sections[":types"]),
        constants=reading.names(sections[":constants"], "constant"),
        predicates=predicates,
        functions=reading.table(_functions(reading, sections[":functions"]), "function"),
        axioms=tuple([read_axiom(reading, part, predicates) for part in sections[":derived"]]),
        operators=reading.table(_operators(reading, sections[":action"]), "action"),
    )


def read_axiom(reading: Reading, item: Item, declared: Mapping[str, Predicate]) -> Axiom:
    """Read ``(:derived (HEAD ?x ...) CONDITION)``.

    Variables of the head that have no type get those of the predicate's declaration.

    Raises:
        ParseError: The form is something else.
    """
    what = "(:derived (HEAD ?x ...) CONDITION)"
    form = reading.form(item, what)
    if reading.head(form, what) != ":derived":
        raise reading.source.unexpected(form.items[0], what)
    first, body = reading.count(form, 2, what)
    head = reading.form(first, "(HEAD ?x ...)")
    name = _name(reading, head, "predicate")
    parameters = declared[name].parameters if name in declared else ()
    variables = reading.variables(head.items[1:], parameters)
    scope = {variable.name: variable for variable in variables}
    condition = ConditionReader(reading).condition(body, scope)
    atom = reading.keep(Atom(name, variables), head.items)
    return reading.keep(Axiom(atom, condition), form.items)


def _types(reading: Reading, items: Sequence[Item]) -> dict[str, str]:
    types = reading.names(items, "type")
    if types.pop("object", "object") != "object":
        raise reading.source.error(
            "'object' is the type of everything and has no type above it", items[0]
        )
    return types


def _predicates(reading: Reading, items: Sequence[Item]) -> Iterator[tuple[Item, str, Predicate]]:
    for item in items:
        form = reading.form(item, "(PREDICATE ?x - TYPE ...)")
        name = _name(reading, form, "predicate")
        yield item, name, Predicate(name, reading.variables(form.items[1:]))


def _functions(reading: Reading, items: Sequence[Item]) -> Iterator[tuple[Item, str, Function]]:
    typed = iter(items)
    for item in typed:
        if item == "-":
            kind = next(typed, item)
            if reading.source.word(kind, "NAME", "number") != "number":
                raise reading.source.error("only functions to numbers are known", kind)
            continue
        form = reading.form(item, "(FUNCTION ?x - TYPE ...)")
        name = _name(reading, form, "function")
        yield item, name, Function(name, reading.variables(form.items[1:]))


def _name(reading: Reading, form: Form, what: str) -> str:
    wanted = f"the name of a {what}"
    name = reading.head(form, wanted)
    if name in RESERVED:
        raise reading.source.error(f"'{name}' cannot name a {what}", form.items[0], expected=wanted)
    return reading.source.word(form.items[0], "NAME", wanted)


def _operators(reading: Reading, forms: Sequence[Item]) -> Iterator[tuple[Item, str, Operator]]:
    for item in forms:
        form = reading.form(item, "(:action NAME ...)")
        if len(form.items) < 2:
            raise reading.source.error("an action without a name", form, expected="a name")
        name = reading.source.word(form.items[1], "NAME", "the name of the action")
        yield form.items[1], name, _operator(reading, name, form.items[2:])


def _operator(reading: Reading, name: str, items: Sequence[Item]) -> Operator:
    parts = reading.options(items, _PARTS, f"the action '{name}'")
    reader = ConditionReader(reading)
    parameters: tuple[Variable, ...] = ()
    if ":parameters" in parts:
        parameters = reader.variables(parts[":parameters"])
    scope = {variable.name: variable for variable in parameters}
    condition, effect = parts.get(":precondition"), parts.get(":effect")
    return Operator(
        name,
        parameters,
        TRUE if condition is None else reader.condition(condition, scope),
        AndEffect() if effect is None else reader.effect(effect, scope),
    )
