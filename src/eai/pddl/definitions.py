"""The frame of domains and problems, their sections, and the parts of actions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from eai.errors import nearest
from eai.logic import TRUE, Atom, Variable
from eai.pddl.conditions import ConditionReader, is_total_cost, named, read_names, read_variables
from eai.pddl.languages import (
    CONSTRAINED,
    FACTS,
    NUMERIC,
    OBJECT_FLUENTS,
    SECTIONS,
    TEMPORAL,
)
from eai.pddl.mending import PARTS
from eai.pddl.model import AndEffect, Axiom, Domain, Function, Operator, Predicate, Problem
from eai.pddl.reading import Reading, show
from eai.pddl.text import RESERVED, Form, Item, Word, words_of

_Declared = TypeVar("_Declared", Predicate, Function)


def define(reading: Reading, form: Form, kind: str) -> tuple[str, Sequence[Item]] | None:
    """Take ``(define (KIND NAME) REST ...)``; returns the name and the rest.

    None if the text defines something else; the name is empty if it is not there.
    """
    wanted = f"(define ({kind} NAME) ...)"
    if reading.head(form, wanted) != "define" or len(form.items) < 2:
        if form.items:
            reading.note("no-definition", f"this is not a {kind}", form, expected=wanted)
        return None
    title = reading.form(form.items[1], f"({kind} NAME)")
    found = reading.head(title, f"({kind} NAME)") if title else None
    if title is None or found is None:
        return "", form.items[2:]
    if found != kind:
        message = f"this is a {found}, not a {kind}"
        mend = "give the file of the domain first, then that of the problem"
        swapped = {found, kind} == {"domain", "problem"}
        reading.note(
            "no-definition", message, title, expected=wanted, advice=mend if swapped else ""
        )
        return None
    name = reading.count(title, 1, f"the name of the {kind}")
    word = _title(reading, name[0], kind) if name else None
    return word or "", form.items[2:]


def _title(reading: Reading, item: Item, kind: str) -> str | None:
    """Take the name of a domain or a problem, which may be a number."""
    if isinstance(item, Word) and item.kind == "NUMBER":
        return str(item)
    return reading.word(item, "NAME", f"the name of the {kind}")


def sections(
    reading: Reading, items: Sequence[Item], *, once: Sequence[str], many: Sequence[str] = ()
) -> dict[str, list[Item]]:
    """Sort the sections of a text by their keywords.

    Keywords that may come once are mapped to the items after the keyword, those that may come often
    to the whole sections.
    """
    known = (*once, *many)
    listed = ", ".join(known)
    found: dict[str, list[Item]] = {keyword: [] for keyword in known}
    seen: set[str] = set()
    for item in items:
        form = reading.form(item, f"a section in brackets, such as {listed}")
        head = reading.head(form, f"a section such as {listed}") if form else None
        if form is None or head is None:
            continue
        keyword = _known(reading, form.items[0], known, "section")
        if keyword is None:
            continue
        if keyword in seen and keyword in once:
            advice = "join them in one"
            reading.note("repeated-section", f"a second section '{keyword}'", form, advice=advice)
        seen.add(keyword)
        found[keyword] += [form] if keyword in many else form.items[1:]
    return found


def options(
    reading: Reading, items: Sequence[Item], known: Sequence[str], owner: str
) -> dict[str, Form]:
    """Sort keyword and value pairs: ``:parameters (...) :effect (...)``."""
    found: dict[str, Form] = {}
    rest = list(reversed(items))
    while rest:
        key = _keyword(reading, rest, ", ".join(known))
        if key is None:
            continue
        value = rest[-1] if rest else key
        form = value if isinstance(value, Form) else None
        if form is None:
            expected = f"brackets after '{key.lower()}'"
            message = f"'{key.lower()}' without brackets after it"
            reading.note("missing-part", message, value, expected=expected)
        else:
            rest.pop()
        name = _known(reading, key, known, f"part of {owner}")
        if name is None or form is None:
            continue
        if name in found:
            message = f"a second '{name}' in {owner}"
            reading.note("repeated-section", message, key, advice="join them in one")
        found.setdefault(name, form)
    return found


def _keyword(reading: Reading, rest: list[Item], expected: str) -> Word | None:
    """Take a keyword from the end of a list; one that stands in brackets with its value, too."""
    item = rest.pop()
    if isinstance(item, Word) and item.kind == "KEYWORD":
        return item
    reading.note("misplaced-word", f"found {show(item)}", item, expected=expected)
    first = item.items[0] if isinstance(item, Form) and item.items else None
    if not isinstance(item, Form) or not isinstance(first, Word) or first.kind != "KEYWORD":
        return None
    rest += reversed(item.items[1:])
    return first


def only(reading: Reading, items: Sequence[Item], form: Form, *, what: str) -> Item | None:
    """Take the one item of a section that must be there."""
    if not items:
        keyword = what[1:].split(maxsplit=1)[0]
        reading.note(
            "missing-part",
            f"the problem has no {what}",
            form.closing,
            expected=what,
            advice=f"add ({keyword} ...)",
        )
        return None
    if len(items) > 1:
        advice = "join several conditions in one: (and CONDITION ...)"
        reading.note("wrong-count", "one item too many", items[1], expected=what, advice=advice)
    return items[0]


def _known(reading: Reading, item: Item, known: Sequence[str], what: str) -> str | None:
    """Take a keyword; the nearest known one if it is misspelt."""
    name = str(item).lower()
    if name in known:
        return name
    if name in SECTIONS:
        plural, language = SECTIONS[name]
        reading.note_foreign(f"{plural} ('{name}')", language, item)
        return None
    message = f"there is no {what} named '{name}'"
    expected = ", ".join(known)
    reading.note("unknown-keyword", message, item, expected=expected, name=name, known=known)
    close = nearest(name, known, most=1)
    return close[0] if close else None


_ONCE = (":requirements", ":types", ":constants", ":predicates", ":functions")
_MANY = (":derived", ":action")


def domain_of(reading: Reading, form: Form) -> Domain:
    """Read ``(define (domain NAME) SECTION ...)``; names are left to the check."""
    found = define(reading, form, "domain")
    if found is None:
        return Domain("")
    name, rest = found
    parts = sections(reading, rest, once=_ONCE, many=_MANY)
    predicates = reading.table(_declared(reading, parts[":predicates"], Predicate), "predicate")
    rules = [axiom_of(reading, part, predicates) for part in parts[":derived"]]
    return Domain(
        name=name,
        requirements=reading.keywords(parts[":requirements"]),
        types=_types(reading, parts[":types"]),
        constants=read_names(reading, parts[":constants"], "constant"),
        predicates=predicates,
        functions=reading.table(_declared(reading, parts[":functions"], Function), "function"),
        axioms=tuple([rule for rule in rules if rule is not None]),
        operators=reading.table(
            (
                (made[0], made[1].name, made[1])
                for each in parts[":action"]
                if isinstance(each, Form) and (made := operator_of(reading, each))
            ),
            "action",
        ),
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
    owner = f"the action '{name}'"
    parts = options(reading, form.items[2 if name else 1 :], PARTS, owner)
    reader = ConditionReader(reading)
    parameters: tuple[Variable, ...] = ()
    if ":parameters" in parts:
        parameters = reader.variables(parts[":parameters"])
    scope = {variable.name: variable for variable in parameters}
    condition, effect = parts.get(":precondition"), parts.get(":effect")
    reading.part = ", precondition"
    read_condition = reader.condition(condition, scope) if condition else None
    reading.part = ", effect"
    read_effect = reader.effect_of_action(effect, scope) if effect else None
    reading.part = ""
    operator = Operator(
        name or "",
        parameters,
        TRUE if read_condition is None else read_condition,
        AndEffect() if read_effect is None else read_effect,
    )
    return (form.items[1], operator) if name else None


def _types(reading: Reading, items: Sequence[Item]) -> dict[str, str]:
    reading.where = "types"
    types = dict[str, str]()
    twice: list[tuple[Item, str, str]] = []
    for item, name, above in named(reading, items, "type"):
        twice += [(item, name, above)] if name in types else []
        types.setdefault(name, above)
    for item, name, above in twice:
        # A type may stand below several, if one of them says all: it is below the others, too.
        own = Domain("", types={**types, name: "object"})
        nearest_first = [above, types[name]]
        if own.is_subtype(types[name], above) or above == types[name]:
            nearest_first.reverse()
        elif not own.is_subtype(above, types[name]):
            message = f"the type '{name}' is a subtype of both '{types[name]}' and '{above}'"
            expected = "one supertype, or several that form a chain"
            reading.note("several-types", message, item, expected=expected)
            continue
        types[name] = nearest_first[0]
        message = f"the type '{name}' is listed twice"
        advice = f"once is enough: {name} - {types[name]}"
        reading.note("repeated-name", message, item, severity="warning", advice=advice)
    _add_unlisted(reading, types)
    if "object" in types:
        above = types.pop("object")
        _, where = reading.locations["type", "object"]
        if above != "object":
            message = "'object' is the type of everything and has no type above it"
            advice = "leave it out, or give it another name"
            reading.note("root-type", message, where[0], advice=advice)
        else:
            message = "'object' is always a type and need not be listed"
            advice = "leave it out, or write '-' before it if it is the type of those before it"
            reading.note("root-type", message, where[0], severity="warning", advice=advice)
    return types


def _add_unlisted(reading: Reading, types: dict[str, str]) -> None:
    """Add the types that are only named as those above others, as other programs do."""
    for name, above in list(types.items()):
        if above == "object" or above in types:
            continue
        types[above] = "object"
        _, where = reading.locations["type", name]
        at = where[-1]  # where it is named; the name of the other one if that is listed twice
        reading.locations.setdefault(("type", above), (above, (at,)))
        message = f"the type '{above}' has types below it, but is not listed itself"
        advice = f"list it too: {above} - object"
        reading.note("undeclared-type", message, at, severity="warning", advice=advice)


def _declared(
    reading: Reading, items: Sequence[Item], kind: type[_Declared]
) -> Iterator[tuple[Item, str, _Declared]]:
    """Read declarations of predicates, or of functions, after which ``- number`` may stand."""
    what = kind.__name__.lower()
    reading.where = f"{what}s"
    rest = iter(items)
    for item in rest:
        if item == "-" and kind is Function:
            value = next(rest, item)
            if reading.word(value, "NAME", "number") not in {"number", None}:
                reading.note_foreign("functions to objects", OBJECT_FLUENTS, value)
            continue
        form = reading.form(item, f"({what.upper()} ?x - TYPE ...)")
        name = _name(reading, form, what) if form else None
        if form and name:
            yield item, name, kind(name, read_variables(reading, form.items[1:]))


def _name(reading: Reading, form: Form, what: str) -> str | None:
    wanted = f"the name of a {what}"
    name = reading.head(form, wanted)
    if name in RESERVED:
        message = f"'{name}' cannot name a {what}"
        reading.note("misplaced-word", message, form.items[0], expected=wanted)
        return None
    return name and reading.word(form.items[0], "NAME", wanted)


_SECTIONS = (":domain", ":requirements", ":objects", ":init", ":goal", ":metric")
_FACT = "a fact such as (PREDICATE OBJECT ...) or (= (FUNCTION OBJECT ...) NUMBER)"
_METRIC = "minimize (total-cost)"


def problem_of(reading: Reading, form: Form) -> Problem:
    """Read ``(define (problem NAME) SECTION ...)``; names are left to the check."""
    found = define(reading, form, "problem")
    if found is None:
        return Problem("", "", objects={})
    name, rest = found
    parts = sections(reading, rest, once=_SECTIONS)
    reader = ConditionReader(reading)
    domain = only(reading, parts[":domain"], form, what="(:domain NAME)")
    if domain is not None:
        reading.locations["problem", name] = (name, (domain,))
    reading.keywords(parts[":requirements"])
    facts = _Facts(reader)
    reading.where = "initial state"
    if parts[":init"]:
        reading.locations["problem", reading.where] = (name, parts[":init"])
    for item in parts[":init"]:
        facts.read(item)
    reading.where = "goal"
    goal_item = only(reading, parts[":goal"], form, what="(:goal CONDITION)")
    goal = None if goal_item is None else reader.condition(goal_item, {})
    reading.where = "objects"
    return Problem(
        name=name,
        domain=(domain and _title(reading, domain, "domain")) or "",
        objects=read_names(reading, parts[":objects"], "object"),
        initial=facts.atoms(),
        goal=TRUE if goal is None else goal,
        values=facts.values,
        minimize=_metric(reading, parts[":metric"]),
    )


class _Facts:
    """The initial state, while it is read."""

    def __init__(self, reader: ConditionReader) -> None:
        self.reader = reader
        self.true: dict[Atom, None] = {}
        self.false: dict[Atom, Form] = {}
        self.values: dict[Atom, float] = {}

    def read(self, item: Item) -> None:
        reading = self.reader.reading
        form = reading.form(item, _FACT)
        head = reading.head(form, _FACT) if form else None
        if form is None or head is None:
            return
        if head == "=":
            self._value(form)
        elif head == "not":
            reading.note(
                "negated-fact",
                "facts that are not listed are false, so this has no effect",
                form,
                severity="warning",
                advice="leave it out: some planners refuse it",
            )
            found = reading.count(form, 1, "one fact")
            inner = reading.form(found[0], _FACT) if found else None
            atom = self._atom(inner) if inner else None
            if atom is not None:
                self.false[atom] = form
        else:
            atom = self._atom(form)
            if atom is not None:
                self.true.setdefault(atom)

    def atoms(self) -> tuple[Atom, ...]:
        """Return the true atoms; others are false, and may be given as such."""
        for atom, form in self.false.items():
            if atom in self.true:
                message = "this fact is given as true and as not true"
                advice = "leave one of them out"
                self.reader.reading.note("contradictory-facts", message, form, advice=advice)
        return tuple(self.true)

    def _atom(self, form: Form) -> Atom | None:
        reading = self.reader.reading
        head = reading.head(form, _FACT)
        if head == "at" and len(form.items) == 3 and isinstance(form.items[2], Form):
            what = "facts that come to hold later (timed initial literals)"
            reading.note_foreign(what, TEMPORAL, form)
            return None
        # A predicate may have one of these names, but no fact has brackets in it.
        if head in FACTS and any(isinstance(each, Form) for each in form.items[1:]):
            what, language = FACTS[head]
            reading.note_foreign(f"{what} ('{head}')", language, form)
            return None
        if head in RESERVED:
            message, advice = f"'{head}' is not a fact", "write each fact that holds, one by one"
            reading.note("no-fact", message, form.items[0], expected=_FACT, advice=advice)
            return None
        return self.reader.atom(form, {}) if head else None

    def _value(self, form: Form) -> None:
        reading = self.reader.reading
        found = reading.count(form, 2, "(FUNCTION OBJECT ...) and a number")
        inner = reading.form(found[0], "(FUNCTION OBJECT ...)") if found else None
        term = self._atom(inner) if inner else None
        value = reading.number(found[1], "a number") if found and term else None
        if term is None or value is None:
            return
        if self.values.setdefault(term, value) != value:
            message, advice = "this function has another value already", "leave one of them out"
            reading.note("contradictory-facts", message, form, advice=advice)


def _metric(reading: Reading, items: Sequence[Item]) -> bool:
    if not items:
        return False
    wrong = None
    if reading.word(items[0], "NAME", _METRIC) != "minimize" or len(items) != 2:
        wrong = items[0]
    elif not is_total_cost(items[1]):
        wrong = items[1]
    if wrong is not None:
        words = [str(item).lower() for item in words_of(items)]
        language = NUMERIC
        if "total-time" in words:
            language = TEMPORAL
        elif "is-violated" in words:
            language = CONSTRAINED
        reading.note_foreign("metrics other than the total cost", language, wrong)
    return wrong is None
