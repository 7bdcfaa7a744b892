"""The frame of domains and problems, their sections, and the parts of actions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, TypeVar, cast

from eai.errors import nearest
from eai.logic import TRUE, Atom, Formula, Rational, Variable
from eai.pddl.conditions import ConditionReader, read_names, read_typed_names, read_variables
from eai.pddl.durative import DURATIVE_PARTS, read_durative_form
from eai.pddl.issues import About
from eai.pddl.languages import (
    FACTS,
    OBJECT_FLUENTS,
    OWN_REQUIREMENTS,
    REQUIREMENTS,
    SECTIONS,
)
from eai.pddl.mending import PARTS
from eai.pddl.model import (
    AndEffect,
    Axiom,
    Domain,
    DurativeAction,
    Function,
    Metric,
    Operator,
    Predicate,
    Preference,
    Problem,
    TimedLiteral,
)
from eai.pddl.preferences import split_constraints, split_goal, split_precondition
from eai.pddl.reading import PddlReading, show
from eai.pddl.text import RESERVED, Form, Item, Word
from eai.text import counted

_Declared = TypeVar("_Declared", Predicate, Function)


def read_define_form(
    reading: PddlReading, form: Form, kind: str
) -> tuple[str, Sequence[Item]] | None:
    """Return the name and the remaining items of ``(define (KIND NAME) REST ...)``.

    Args:
        reading: Where mistakes are noted.
        form: The definition.
        kind: ``"domain"`` or ``"problem"``.

    Returns:
        The name, empty if it is missing, and the rest; None if the form defines something else.
    """
    usage = f"(define ({kind} NAME) ...)"
    if reading.head(form, usage) != "define" or len(form.items) < 2:
        if form.items:
            reading.note("no-definition", f"this is not a {kind}", form, expected=usage)
        return None
    section_items = form.items[2:]
    title_form = reading.form(form.items[1], f"({kind} NAME)")
    if title_form is None:
        return "", section_items
    defined_kind = reading.head(title_form, f"({kind} NAME)")
    if defined_kind is None:
        return "", section_items
    if defined_kind != kind:
        advice = ""
        if {defined_kind, kind} == {"domain", "problem"}:
            advice = "give the file of the domain first, then that of the problem"
        message = f"this is a {defined_kind}, not a {kind}"
        reading.note("no-definition", message, title_form, expected=usage, advice=advice)
        return None
    name_items = reading.operands(title_form, 1, f"the name of the {kind}")
    if name_items is None:
        return "", section_items
    return _read_title(reading, name_items[0], kind) or "", section_items


def _read_title(reading: PddlReading, item: Item, kind: str) -> str | None:
    """Take the name of a domain or a problem, which may be a number."""
    if isinstance(item, Word) and item.kind == "NUMBER":
        return str(item)
    return reading.word(item, "NAME", f"the name of the {kind}")


def group_sections(
    reading: PddlReading,
    items: Sequence[Item],
    *,
    single_keywords: Sequence[str],
    repeatable_keywords: Sequence[str] = (),
) -> dict[str, list[Item]]:
    """Group the sections of a definition by their keyword, such as ``:types`` or ``:action``.

    Args:
        reading: Where mistakes are noted.
        items: The items after the name.
        single_keywords: Keywords of sections that may come once.
        repeatable_keywords: Keywords of sections that may come several times.

    Returns:
        Keyword to its items: the contents of a section that may come once, and a list of whole
        sections otherwise.
    """
    keywords = (*single_keywords, *repeatable_keywords)
    keyword_list = ", ".join(keywords)
    contents: dict[str, list[Item]] = {keyword: [] for keyword in keywords}
    # Sections that come twice are joined, so that their names are known.
    seen_keywords: set[str] = set()
    for item in items:
        form = reading.form(item, f"a section in brackets, such as {keyword_list}")
        if form is None or reading.head(form, f"a section such as {keyword_list}") is None:
            continue
        keyword = _known_keyword(reading, form.items[0], keywords, "section")
        if keyword is None:
            continue
        if keyword in repeatable_keywords:
            contents[keyword].append(form)
            continue
        if keyword in seen_keywords:
            advice = "join them in one"
            reading.note("repeated-section", f"a second section '{keyword}'", form, advice=advice)
        seen_keywords.add(keyword)
        contents[keyword] += form.items[1:]
    return contents


def read_keyword_values(
    reading: PddlReading, items: Sequence[Item], known_keywords: Sequence[str], owner: str
) -> dict[str, Form]:
    """Return keyword and value pairs, as in ``:parameters (...) :effect (...)``.

    Args:
        reading: The reading.
        items: The keywords and values.
        known_keywords: The keywords that may stand there.
        owner: Description of what they belong to, for messages.
    """
    values: dict[str, Form] = {}
    # The items that are left, the next one last: a keyword in brackets puts its contents back.
    remaining = list(reversed(items))
    while remaining:
        keyword_word = _pop_keyword(reading, remaining, ", ".join(known_keywords))
        if keyword_word is None:
            continue
        value = remaining[-1] if remaining else keyword_word
        if isinstance(value, Form):
            remaining.pop()
        else:
            # The word is left in the list, since it may be the next keyword.
            expected = f"brackets after '{keyword_word.lower()}'"
            message = f"'{keyword_word.lower()}' without brackets after it"
            reading.note("missing-part", message, value, expected=expected)
        keyword = _known_keyword(reading, keyword_word, known_keywords, f"part of {owner}")
        if keyword is None or isinstance(value, Word):
            continue
        if keyword in values:
            message = f"a second '{keyword}' in {owner}"
            reading.note("repeated-section", message, keyword_word, advice="join them in one")
        # The first one counts: the second may be a copy that was left over.
        values.setdefault(keyword, value)
    return values


def _pop_keyword(reading: PddlReading, remaining: list[Item], expected: str) -> Word | None:
    """Remove the next keyword from a list of items, and return it.

    ``(:precondition (on a b))``, in brackets with its value, is read as ``:precondition (on a b)``
    and noted as a mistake.

    Args:
        reading: Where findings go.
        remaining: The items that are left, in reverse order. The keyword is taken off, and the
            values in its brackets are put back.
        expected: What should stand there, for a note.
    """
    item = remaining.pop()
    if isinstance(item, Word) and item.kind == "KEYWORD":
        return item
    reading.note("misplaced-word", f"found {show(item)}", item, expected=expected)
    first_item = item.items[0] if isinstance(item, Form) and item.items else None
    if (
        not isinstance(item, Form)
        or not isinstance(first_item, Word)
        or first_item.kind != "KEYWORD"
    ):
        return None
    # The next item is the last of the list, so the values are put back in reverse order.
    remaining += reversed(item.items[1:])
    return first_item


def single_item(
    reading: PddlReading, items: Sequence[Item], form: Form, *, expected: str
) -> Item | None:
    """Return the only item of a section such as ``(:goal ...)``, or None with a note.

    Args:
        reading: The reading.
        items: The items of the section.
        form: The problem, whose closing bracket is where a missing section is noted.
        expected: The section as it should be: ``"(:goal CONDITION)"``.
    """
    if not items:
        # "(:goal CONDITION)" -> ":goal"
        keyword = expected[1:].split(maxsplit=1)[0]
        reading.note(
            "missing-part",
            f"the problem has no {expected}",
            form.closing,
            expected=expected,
            advice=f"add ({keyword} ...)",
        )
        return None
    if len(items) > 1:
        advice = "join several conditions in one: (and CONDITION ...)"
        reading.note("wrong-count", "one item too many", items[1], expected=expected, advice=advice)
    return items[0]


def _known_keyword(
    reading: PddlReading, item: Item, known_keywords: Sequence[str], section_kind: str
) -> str | None:
    """Return a keyword, corrected if it is misspelled, or None.

    Args:
        reading: Where findings go.
        item: The keyword as it is written.
        known_keywords: The keywords that may stand there.
        section_kind: The kind of thing that they name, for a note: ``"section"``.
    """
    name = str(item).lower()
    if name in known_keywords:
        return name
    if name in SECTIONS:
        description, language = SECTIONS[name]
        reading.note_foreign(f"{description} ('{name}')", language, item)
        return None
    message = f"there is no {section_kind} named '{name}'"
    expected = ", ".join(known_keywords)
    reading.note(
        "unknown-keyword", message, item, expected=expected, name=name, known=known_keywords
    )
    # It is read as the nearest one, so that the mistakes inside of it are noted, too.
    similar_keywords = nearest(name, known_keywords, most=1)
    return similar_keywords[0] if similar_keywords else None


_ONCE = (":requirements", ":types", ":constants", ":predicates", ":functions", ":constraints")
_MANY = (":derived", ":action", ":durative-action")


def read_domain_form(reading: PddlReading, form: Form) -> Domain:
    """Read ``(define (domain NAME) SECTION ...)``.

    Names are taken as they are; the check looks them up when the whole text is read.

    Args:
        reading: Where findings and places go.
        form: The definition.
    """
    definition = read_define_form(reading, form, "domain")
    if definition is None:
        return Domain("")
    name, section_items = definition
    contents = group_sections(
        reading, section_items, single_keywords=_ONCE, repeatable_keywords=_MANY
    )
    # Predicates come first whatever the order of the text: axioms take their variables' types.
    predicates = reading.table(
        _read_declarations(reading, contents[":predicates"], Predicate), "predicate"
    )
    functions = reading.table(
        _read_declarations(reading, contents[":functions"], Function), "function"
    )
    reading.functions = functions
    axioms = [read_axiom_form(reading, section, predicates) for section in contents[":derived"]]
    reading.where = "constraints"
    reading.has_times = bool(contents[":durative-action"])
    constraints, preferences = split_constraints(ConditionReader(reading), contents[":constraints"])
    return Domain(
        name=name,
        requirements=_read_requirements(reading, contents[":requirements"]),
        types=_read_types(reading, contents[":types"]),
        constants=read_names(reading, contents[":constants"], "constant"),
        predicates=predicates,
        functions=functions,
        axioms=tuple([axiom for axiom in axioms if axiom is not None]),
        operators=reading.table(_read_operators(reading, contents[":action"]), "action"),
        constraints=constraints,
        preferences=tuple(preferences),
        durative=reading.table(
            _read_durative_actions(reading, contents[":durative-action"]), "durative action"
        ),
    )


def _read_requirements(reading: PddlReading, items: Sequence[Item]) -> tuple[str, ...]:
    """Return the requirement keys of a domain, such as ``typing``.

    Unknown keys and those of other planning languages get a warning. They are no errors, since many
    files declare more than they use.
    """
    for item in items:
        # Anything but a keyword is noted below, when the keys are read.
        if not isinstance(item, Word) or not item.startswith(":"):
            continue
        key = item[1:].lower()
        language = REQUIREMENTS.get(key)
        if language is not None:
            message = f"'{item}' is a requirement of another language: {language.name}"
            advice = language.tools
            reading.note(
                "unsupported-part",
                message,
                item,
                severity="warning",
                advice=advice,
                language=language.name,
            )
        elif key not in OWN_REQUIREMENTS:
            message = f"no version of PDDL has the requirement '{item}'"
            # A misspelt key may be meant for one of another language as well.
            all_keys = [f":{name}" for name in sorted({*OWN_REQUIREMENTS, *REQUIREMENTS})]
            reading.note(
                "unknown-keyword", message, item, severity="warning", name=str(item), known=all_keys
            )
    return reading.keywords(items)


def _read_durative_actions(
    reading: PddlReading, items: Sequence[Item]
) -> Iterator[tuple[Item, str, DurativeAction]]:
    """Read the durative actions of a domain.

    Yields:
        The item of the name, the name, and the action. An action without a name is noted and left
        out.
    """
    for item in items:
        if not isinstance(item, Form):
            continue
        if len(item.items) < 2:
            message = "a durative action without a name"
            reading.note("missing-part", message, item, expected="a name")
            continue
        name = reading.word(item.items[1], "NAME", "the name of the action")
        if name is None:
            continue
        reading.where = f"durative action {name}"
        owner = f"the durative action '{name}'"
        part_forms = read_keyword_values(reading, item.items[2:], DURATIVE_PARTS, owner)
        reader = ConditionReader(reading)
        parameters: tuple[Variable, ...] = ()
        if ":parameters" in part_forms:
            parameters = reader.variables(part_forms[":parameters"])
        # Only in these parts is ?duration a number; elsewhere it is a variable like any other.
        reading.has_duration = True
        action = read_durative_form(reader, name, parameters, part_forms)
        reading.has_duration = False
        yield item.items[1], name, action


def _read_operators(
    reading: PddlReading, items: Sequence[Item]
) -> Iterator[tuple[Item, str, Operator]]:
    """Yield the actions of a domain.

    Yields:
        The item of the name, the name, and the action. An action without a name is noted and left
        out.
    """
    for item in items:
        if not isinstance(item, Form):
            continue
        action = read_operator_form(reading, item)
        if action is not None:
            name_item, operator = action
            yield name_item, operator.name, operator


def read_axiom_form(
    reading: PddlReading, item: Item, declared: Mapping[str, Predicate]
) -> Axiom | None:
    """Read ``(:derived (HEAD ?x ...) CONDITION)``, a rule for a derived predicate.

    Untyped variables of the head get the types of the predicate's declaration.

    Args:
        reading: Where mistakes are noted.
        item: The rule.
        declared: The declared predicates, by name.

    Returns:
        The rule; None if it cannot be read, which is noted.
    """
    usage = "(:derived (HEAD ?x ...) CONDITION)"
    reading.where = "derived predicates"
    form = reading.form(item, usage)
    if form is None:
        return None
    keyword = reading.head(form, usage)
    if keyword is None:
        return None
    if keyword != ":derived":
        reading.note("misplaced-word", f"found '{keyword}'", form.items[0], expected=usage)
        return None
    items = reading.operands(form, 2, usage)
    if items is None:
        return None
    head_item, body_item = items
    head_form = reading.form(head_item, "(HEAD ?x ...)")
    if head_form is None:
        return None
    name = _read_symbol_name(reading, head_form, "predicate")
    if name is None:
        return None
    # An undeclared head is noted by the checker.
    defaults = declared[name].parameters if name in declared else ()
    variables = read_variables(reading, head_form.items[1:], defaults)
    scope = {variable.name: variable for variable in variables}
    body = ConditionReader(reading).condition(body_item, scope)
    atom = reading.keep(Atom(name, variables), head_form.items)
    return None if body is None else reading.keep(Axiom(atom, body), form.items)


def read_operator_form(reading: PddlReading, form: Form) -> tuple[Item, Operator] | None:
    """Read ``(:action NAME ...)``.

    Args:
        reading: The reading, in which mistakes are noted.
        form: The action.

    Returns:
        The item of the name and the action; None if it has no name.
    """
    if len(form.items) < 2:
        reading.note("missing-part", "an action without a name", form, expected="a name")
        return None
    name_item = form.items[1]
    name = reading.word(name_item, "NAME", "the name of the action")
    reading.where = f"action {name}" if name else "an action without a name"
    # Even without a name its parts are read, for their mistakes.
    first_part_index = 2 if name else 1
    part_forms = read_keyword_values(
        reading, form.items[first_part_index:], PARTS, f"the action '{name}'"
    )
    reader = ConditionReader(reading)
    parameters: tuple[Variable, ...] = ()
    if ":parameters" in part_forms:
        parameters = reader.variables(part_forms[":parameters"])
    scope = {variable.name: variable for variable in parameters}
    precondition: Formula | None = None
    preferences: list[Preference] = []
    if ":precondition" in part_forms:
        reading.part = ", precondition"
        precondition, preferences = split_precondition(reader, part_forms[":precondition"], scope)
    effect = None
    if ":effect" in part_forms:
        reading.part = ", effect"
        effect = reader.effect_of_action(part_forms[":effect"], scope)
    # Later notes are about the action as a whole again.
    reading.part = ""
    if not name:
        return None
    operator = Operator(
        name,
        parameters,
        TRUE if precondition is None else precondition,
        AndEffect() if effect is None else effect,
        tuple(preferences),
    )
    return name_item, operator


def _read_types(reading: PddlReading, items: Sequence[Item]) -> dict[str, str]:
    """Return the supertype of each type.

    A type may be listed twice, with different supertypes; and types that only occur as supertypes
    are added.
    """
    reading.where = "types"
    types = dict[str, str]()
    repeated_entries: list[tuple[Item, str, str]] = []
    for item, name, supertype in read_typed_names(reading, items, "type"):
        if name in types:
            repeated_entries.append((item, name, supertype))
        else:
            types[name] = supertype
    # Only now is it known which types stand below which.
    for item, name, supertype in repeated_entries:
        _join_supertypes(reading, types, item, name, supertype)
    _add_unlisted_supertypes(reading, types)
    if "object" in types:
        # Last, because types below it are looked up until then.
        _drop_root(reading, types)
    return types


def _join_supertypes(
    reading: PddlReading, types: dict[str, str], item: Item, name: str, second_supertype: str
) -> None:
    """Choose the lower of the two supertypes of a type that is listed twice.

    A type may have several supertypes if one of them is a subtype of all the others.

    Args:
        reading: Where the repetition is noted.
        types: Type to supertype; the entry of the type is replaced.
        item: The second entry of the type.
        name: The type.
        second_supertype: Its supertype in this entry.
    """
    first_supertype = types[name]
    # The type itself is removed, so that the two supertypes are compared by their ancestors.
    hierarchy = Domain("", types={**types, name: "object"})
    if first_supertype == second_supertype or hierarchy.is_subtype(
        first_supertype, second_supertype
    ):
        lower_supertype = first_supertype
    elif hierarchy.is_subtype(second_supertype, first_supertype):
        lower_supertype = second_supertype
    else:
        message = (
            f"the type '{name}' is a subtype of both '{first_supertype}' and '{second_supertype}'"
        )
        expected = "one supertype, or several that form a chain"
        reading.note("several-types", message, item, expected=expected)
        return
    types[name] = lower_supertype
    message = f"the type '{name}' is listed twice"
    advice = f"once is enough: {name} - {lower_supertype}"
    reading.note("repeated-name", message, item, severity="warning", advice=advice)


def _drop_root(reading: PddlReading, types: dict[str, str]) -> None:
    """Remove ``object`` from the types, as it is the root in any case.

    Some domains list it, usually because of a forgotten dash: ``(:types block table object)``. A
    supertype of it is an error.
    """
    supertype = types.pop("object")
    _, root_items = reading.locations["type", "object"]
    if supertype != "object":
        message = "'object' is the type of everything and has no type above it"
        advice = "leave it out, or give it another name"
        reading.note("root-type", message, root_items[0], advice=advice)
        return
    message = "'object' is always a type and need not be listed"
    advice = "leave it out, or write '-' before it if it is the type of those before it"
    reading.note("root-type", message, root_items[0], severity="warning", advice=advice)


def _add_unlisted_supertypes(reading: PddlReading, types: dict[str, str]) -> None:
    """Add the types that occur only as supertypes.

    In ``(:types truck - vehicle)`` nothing lists ``vehicle``; it gets the root above it.
    """
    for name, supertype in list(types.items()):
        if supertype == "object" or supertype in types:
            continue
        types[supertype] = "object"
        _, type_items = reading.locations["type", name]
        last_item = type_items[
            -1
        ]  # where it is named; the name of the other one if that is listed twice
        reading.locations.setdefault(("type", supertype), (supertype, (last_item,)))
        message = f"the type '{supertype}' has types below it, but is not listed itself"
        advice = f"list it too: {supertype} - object"
        reading.note("undeclared-type", message, last_item, severity="warning", advice=advice)


def _read_declarations(
    reading: PddlReading, items: Sequence[Item], kind: type[_Declared]
) -> Iterator[tuple[Item, str, _Declared]]:
    """Yield the declarations of predicates or functions.

    Args:
        reading: Where findings go.
        items: The declarations.
        kind: ``Predicate`` or ``Function``.

    Yields:
        Item, name and declaration.
    """
    symbol_kind = kind.__name__.lower()
    reading.where = f"{symbol_kind}s"
    remaining = iter(items)
    for item in remaining:
        if item == "-" and kind is Function:
            # "(fuel ?t) - number": without a word after it, the "-" itself is noted.
            value = next(remaining, item)
            if reading.word(value, "NAME", "number") not in {"number", None}:
                reading.note_foreign("functions to objects", OBJECT_FLUENTS, value)
            continue
        form = reading.form(item, f"({symbol_kind.upper()} ?x - TYPE ...)")
        name = _read_symbol_name(reading, form, symbol_kind) if form else None
        if form and name:
            yield item, name, kind(name, read_variables(reading, form.items[1:]))


def _read_symbol_name(reading: PddlReading, form: Form, symbol_kind: str) -> str | None:
    """Return the predicate or function name at the head of a form, or None.

    Args:
        reading: Where findings go.
        form: The form: ``(on ?x ?y)``.
        symbol_kind: ``"predicate"`` or ``"function"``, for a note.
    """
    usage = f"the name of a {symbol_kind}"
    name = reading.head(form, usage)
    if name is None:
        return None
    if name in RESERVED:
        message = f"'{name}' cannot name a {symbol_kind}"
        reading.note("misplaced-word", message, form.items[0], expected=usage)
        return None
    # A head may also be a keyword, which is not a name.
    return reading.word(form.items[0], "NAME", usage)


_SECTIONS = (
    ":domain",
    ":requirements",
    ":objects",
    ":init",
    ":goal",
    ":constraints",
    ":metric",
)
_FACT = "a fact such as (PREDICATE OBJECT ...) or (= (FUNCTION OBJECT ...) NUMBER)"
_METRIC = "minimize or maximize, and one expression such as (total-cost)"


def read_problem_form(reading: PddlReading, form: Form) -> Problem:
    """Read ``(define (problem NAME) SECTION ...)``.

    Names are taken as they are; the check looks them up when the whole text is read.

    Args:
        reading: Where findings and places go.
        form: The definition.

    Returns:
        The problem, as far as it can be read; an empty one if the form defines no problem.
    """
    definition = read_define_form(reading, form, "problem")
    if definition is None:
        return Problem("", "", objects={})
    name, section_items = definition
    contents = group_sections(reading, section_items, single_keywords=_SECTIONS)
    # The order of the next lines is that of the messages. The initial state comes before the goal,
    # which may need to know that there are times.
    reader = ConditionReader(reading)
    domain_item = single_item(reading, contents[":domain"], form, expected="(:domain NAME)")
    if domain_item is not None:
        reading.locations["problem", name] = (name, (domain_item,))
    _read_requirements(reading, contents[":requirements"])
    facts = _read_initial_facts(reader, name, contents[":init"])
    goal, goal_preferences = _read_goal(reader, contents[":goal"], form)
    reading.where = "constraints"
    constraints, path_preferences = split_constraints(reader, contents[":constraints"])
    domain_name = _read_domain_name(reading, domain_item)
    objects = read_names(reading, contents[":objects"], "object")
    initial = facts.atoms()
    metric = _read_metric(reader, contents[":metric"])
    return Problem(
        name=name,
        domain=domain_name,
        objects=objects,
        initial=initial,
        goal=goal,
        values=facts.values,
        metric=metric,
        constraints=constraints,
        preferences=(*goal_preferences, *path_preferences),
        timed=tuple(facts.timed),
    )


def _read_initial_facts(
    reader: ConditionReader, problem_name: str, items: Sequence[Item]
) -> _InitialFacts:
    """Read the section ``:init``, and record whether it mentions times.

    Args:
        reader: The reader of conditions, which also reads facts.
        problem_name: Name of the problem.
        items: The items of the section.
    """
    reading = reader.reading
    reading.where = "initial state"
    if items:
        reading.locations["problem", reading.where] = (problem_name, items)
    facts = _InitialFacts(reader)
    for item in items:
        facts.read(item)
    if facts.timed:
        reading.has_times = True
    return facts


def _read_goal(
    reader: ConditionReader, items: Sequence[Item], form: Form
) -> tuple[Formula, list[Preference]]:
    """Read the section ``:goal``.

    Args:
        reader: Reads conditions.
        items: The items of the section, which should be one condition.
        form: The problem, whose closing bracket is where a missing section is noted.

    Returns:
        The condition that a plan has to reach, and the preferences. A condition that is missing or
        unreadable is noted and taken as true.
    """
    reader.reading.where = "goal"
    item = single_item(reader.reading, items, form, expected="(:goal CONDITION)")
    if item is None:
        return TRUE, []
    goal, preferences = split_goal(reader, item)
    if goal is None:
        return TRUE, preferences
    return goal, preferences


def _read_domain_name(reading: PddlReading, item: Item | None) -> str:
    """Return the name of a problem's domain; empty if it is missing or, with a note, unreadable."""
    # A message about this name has always said that it is in the objects.
    reading.where = "objects"
    if item is None:
        return ""
    return _read_title(reading, item, "domain") or ""


class _InitialFacts:
    """Collects the initial state while it is read."""

    def __init__(self, reader: ConditionReader) -> None:
        """Begin with an empty initial state."""
        self.reader = reader
        # A dictionary without values, as an ordered set.
        self.true: dict[Atom, None] = {}
        self.false: dict[Atom, Form] = {}
        self.timed: list[TimedLiteral] = []
        self.values: dict[Atom, Rational] = {}

    def read(self, item: Item) -> None:
        """Read one entry of ``:init``: a value, a negation or a fact."""
        reading = self.reader.reading
        form = reading.form(item, _FACT)
        head = None if form is None else reading.head(form, _FACT)
        if form is None or head is None:
            return
        if head == "=":
            self._read_value(form)
        elif head == "not":
            self._read_negation(form)
        else:
            atom = self._read_fact(form)
            if atom is not None:
                self.true.setdefault(atom)

    def _read_negation(self, form: Form) -> None:
        """Read ``(not (on a b))``.

        A negation is redundant, as unlisted facts are false, but it contradicts a listed ``(on a
        b)``. So it is kept until all facts are read.
        """
        reading = self.reader.reading
        reading.note(
            "negated-fact",
            "facts that are not listed are false, so this has no effect",
            form,
            severity="warning",
            advice="leave it out: some planners refuse it",
        )
        items = reading.operands(form, 1, "one fact")
        if items is None:
            return
        fact = reading.form(items[0], _FACT)
        atom = None if fact is None else self._read_fact(fact)
        if atom is not None:
            self.false[atom] = form

    def atoms(self) -> tuple[Atom, ...]:
        """Return the true atoms. All others are false, even if they are not listed so."""
        for atom, form in self.false.items():
            if atom in self.true:
                message = "this fact is given as true and as not true"
                advice = "leave one of them out"
                self.reader.reading.note("contradictory-facts", message, form, advice=advice)
        return tuple(self.true)

    def _read_fact(self, form: Form) -> Atom | None:
        """Return a fact ``(on a b)``, or None for a timed or malformed one.

        A timed fact is kept with its time.
        """
        reading = self.reader.reading
        head = reading.head(form, _FACT)
        if head is None:
            return None
        # "(at 5 (open shop))" is a timed literal, "(at truck depot)" a plain fact.
        if head == "at" and len(form.items) == 3 and isinstance(form.items[2], Form):
            self._read_timed(form)
            return None
        # A predicate may have one of these names, but no fact has brackets in it.
        if head in FACTS and any(isinstance(item, Form) for item in form.items[1:]):
            feature, language = FACTS[head]
            reading.note_foreign(f"{feature} ('{head}')", language, form)
            return None
        if head in RESERVED:
            message = f"'{head}' is not a fact"
            advice = "write each fact that holds, one by one"
            reading.note("no-fact", message, form.items[0], expected=_FACT, advice=advice)
            return None
        return self.reader.atom(form, {})

    def _read_timed(self, form: Form) -> None:
        """Read a timed initial literal: ``(at 5 (not (open shop)))``.

        ``(at truck depot)``, without an inner form, is an ordinary fact; the caller has excluded
        it.
        """
        reading = self.reader.reading
        time = reading.number(form.items[1], "a time")
        fact_form = reading.form(form.items[2], _FACT)
        if time is None or fact_form is None or not fact_form.items:
            return
        is_negated = str(fact_form.items[0]).lower() == "not" and len(fact_form.items) == 2
        atom_form = reading.form(fact_form.items[1], _FACT) if is_negated else fact_form
        if atom_form is None:
            return
        atom = self._read_fact(atom_form)
        if atom is not None:
            self.timed.append(TimedLiteral(time, atom, not is_negated))

    def _read_value(self, form: Form) -> None:
        """Read ``(= (distance a b) 5)``. A later value replaces an earlier one.

        A second, different value is noted as a warning, since planners disagree on which counts.
        """
        reading = self.reader.reading
        items = reading.operands(form, 2, "(FUNCTION OBJECT ...) and a number")
        if items is None:
            return
        term_item, value_item = items
        term_form = reading.form(term_item, "(FUNCTION OBJECT ...)")
        term = None if term_form is None else self._read_fact(term_form)
        if term is None:
            return
        value = reading.number(value_item, "a number")
        if value is None:
            return
        if self.values.get(term, value) != value:
            message = "this function has another value already; the last one counts"
            advice = "leave one of them out"
            about: About = {"severity": "warning", "advice": advice}
            reading.note("contradictory-facts", message, form, **about)
        self.values[term] = value


def _read_metric(reader: ConditionReader, items: Sequence[Item]) -> Metric | None:
    """Read the metric: ``minimize`` or ``maximize`` with an expression.

    The result is None if there is no metric, or, with a note, if it is unreadable.
    """
    reading = reader.reading
    reading.where = "metric"
    if not items:
        return None
    direction = reading.word(items[0], "NAME", _METRIC)
    if direction is None:
        return None
    if direction not in {"minimize", "maximize"} or len(items) != 2:
        message = f"the metric '{direction}' with {counted(len(items) - 1, 'expression')}"
        reading.note("misplaced-word", message, items[0], expected=_METRIC)
        return None
    value = items[1]
    # Some problems write functions without brackets there.
    reading.has_bare_functions = True
    expression = reader.expression(value, {})
    reading.has_bare_functions = False
    if expression is None:
        return None
    return Metric(cast('Literal["minimize", "maximize"]', direction), expression)
