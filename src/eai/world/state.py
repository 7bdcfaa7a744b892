"""States: which atoms hold, indexed by predicate and by object.

The extension of a predicate is kept as bit masks over the numbered objects, so that a quantified
condition is a few operations on integers, however many objects there are:

* no argument: 0 or 1; one argument: the mask of the objects that have the property;
* two arguments: for each first argument the mask of the second ones (a *row*), and for each
  second argument the mask of the first ones (a *column*);
* more arguments: for each tuple of all but the last argument the mask of the last one.

Where a domain has numbers, the values of its function terms are a table beside the masks
(:mod:`eai.world.numbers`), which is copied when it is changed, too.

Invariant: rows and columns say the same, so whatever changes one of them changes the other. A copy
shares its relations with the original until one of the two changes them (copy on write): copying
costs a few list copies, not the number of atoms.

Examples:
    >>> from eai.pddl import Domain, Predicate
    >>> from eai.logic import Variable
    >>> on = Predicate("on", (Variable("x"), Variable("y")))
    >>> domain = Domain("blocks", predicates={"on": on})
    >>> universe = Universe(domain, {"a": "object", "b": "object", "table": "object"})
    >>> state = State(Layout(domain), universe)
    >>> state.add("on", ("a", "b"))
    >>> state.rows[0], state.cols[0]  # a is on object 1; below b is object 0
    ([2, 0, 0], [0, 1, 0])
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from eai.errors import InputError, UnknownNameError
from eai.logic import Atom, Rational, exact
from eai.pddl import TOTAL_COST, Domain
from eai.text import counted
from eai.world.bits import bits, union
from eai.world.numbers import Key, NumberChange, NumericChanges, Values, numbers_of


class Universe:
    """The typed objects of one problem, numbered from 0 in the order given.

    Domain constants are objects too; those that the problem does not list are appended.

    Args:
        domain: The domain whose types the objects have.
        objects: Object name to type name.

    Raises:
        InputError: If an object has a type that the domain does not declare.
    """

    __slots__ = ("constants", "domain", "everything", "index", "names", "type_masks", "types")

    def __init__(self, domain: Domain, objects: Mapping[str, str]) -> None:
        """Number the objects, and compute the mask of the objects of each type."""
        # Where a problem lists a constant once more, its type there is the one that counts.
        typed = {**domain.constants, **objects}
        ordered = [*objects, *(name for name in domain.constants if name not in objects)]
        self.domain = domain
        self.names: tuple[str, ...] = tuple(ordered)
        self.types: tuple[str, ...] = tuple(typed[name] for name in ordered)
        self.index: dict[str, int] = {name: i for i, name in enumerate(ordered)}
        self.everything = (1 << len(ordered)) - 1
        self.constants: dict[str, int] = {name: self.index[name] for name in domain.constants}
        self.type_masks = self._type_masks()

    def _type_masks(self) -> dict[str, int]:
        """Return the mask of each type's objects, including those of subtypes.

        Raises:
            InputError: If the type of an object is not declared.
        """
        # First by the types as they are declared, so that each chain of supertypes is walked once.
        own_masks: dict[str, int] = {}
        for object_id, type_name in enumerate(self.types):
            own_masks[type_name] = own_masks.get(type_name, 0) | 1 << object_id
        supertypes = self.domain.types
        masks = dict.fromkeys(("object", *supertypes), 0)
        for type_name, mask in own_masks.items():
            if type_name not in masks:
                first_object = self.names[(mask & -mask).bit_length() - 1]  # its lowest bit
                raise InputError(
                    f"object {first_object!r} has the type {type_name!r}, which domain "
                    f"{self.domain.name!r} does not declare",
                    expected=", ".join(masks),
                )
            # The objects are added to every type above theirs; types may form a circle.
            supertype = type_name
            visited = set[str]()
            while supertype not in visited:
                visited.add(supertype)
                masks[supertype] = masks.get(supertype, 0) | mask
                supertype = supertypes.get(supertype, "object")
        return masks

    @property
    def objects(self) -> dict[str, str]:
        """Object name to type name, in the order of the numbers; a new dictionary each time."""
        return dict(zip(self.names, self.types, strict=True))

    def __len__(self) -> int:
        return len(self.names)

    def number(self, name: str) -> int:
        """Return the number of an object.

        Raises:
            UnknownNameError: If there is no such object.
        """
        try:
            return self.index[name]
        except KeyError:
            raise UnknownNameError("object", name, self.names) from None

    def mask(self, types: tuple[str, ...]) -> int:
        """Return the set of objects of any of the types, as a bit mask.

        Raises:
            UnknownNameError: If a type is not declared.
        """
        masks = self.type_masks
        object_mask = 0
        try:
            for type_name in types:
                object_mask |= masks[type_name]
        except KeyError as error:
            raise UnknownNameError("type", error.args[0], masks) from None
        return object_mask

    def of_types(self, types: tuple[str, ...]) -> Sequence[str]:
        """Return the names of the objects of any of the types, in order.

        Raises:
            UnknownNameError: If a type is not declared.
        """
        mask = self.mask(types)
        return [self.names[object_id] for object_id in bits(mask)]


Change = tuple[int, int, object, int, bool]
"""One change of a state: predicate number, direction (0: row, 1: column), the fixed argument
(an object number; None for one argument; a tuple for more than two), the mask of the objects
that it is about, and whether the atoms became true."""

Extension = tuple[int, list[int], list[int], dict[tuple[int, ...], int]]
"""Mask, rows, columns and wide table of one predicate."""


class Layout:
    """How the predicates of a domain are laid out in a state.

    Args:
        domain: The domain; its predicates are numbered in the order of declaration.
    """

    __slots__ = ("arity", "binary", "changed_functions", "domain", "functions", "index", "names")

    def __init__(self, domain: Domain) -> None:
        """Number the predicates and the functions in the order of their declaration."""
        self.domain = domain
        # Derived predicates have numbers, too, but nothing is stored for them.
        self.names: tuple[str, ...] = tuple(domain.predicates)
        self.index: dict[str, int] = {name: index for index, name in enumerate(self.names)}
        self.arity: tuple[int, ...] = tuple(
            predicate.arity for predicate in domain.predicates.values()
        )
        binary: list[int] = []
        for predicate_id, name in enumerate(self.names):
            if self.arity[predicate_id] == 2 and name not in domain.derived:
                binary.append(predicate_id)
        self.binary: tuple[int, ...] = tuple(binary)
        # Empty where states keep no numbers: action costs alone need none.
        functions = domain.functions if domain.has_numbers else ()
        self.functions: dict[str, int] = {name: index for index, name in enumerate(functions)}
        self.changed_functions: frozenset[str] = frozenset()
        if functions:
            self.changed_functions = domain.changed_functions


class State:
    """A set of atoms over a universe.

    Args:
        layout: Layout of the domain's predicates.
        universe: The objects.
    """

    __slots__ = (
        "began",
        "cols",
        "layout",
        "memo",
        "numbers",
        "own",
        "rows",
        "unary",
        "universe",
        "wide",
    )

    def __init__(self, layout: Layout, universe: Universe) -> None:
        """Create a state in which no atom holds and no number has a value."""
        object_count = len(universe)
        predicate_count = len(layout.names)
        self.layout = layout
        self.universe = universe
        # By predicate, a mask of objects: of one argument directly, of two by row and by column, of
        # more by all arguments but the last.
        self.unary: list[int] = [0] * predicate_count
        self.rows: list[list[int]] = [[] for _ in range(predicate_count)]
        self.cols: list[list[int]] = [[] for _ in range(predicate_count)]
        for predicate_id in layout.binary:
            self.rows[predicate_id] = [0] * object_count
            self.cols[predicate_id] = [0] * object_count
        self.wide: list[dict[tuple[int, ...], int]] = [{} for _ in range(predicate_count)]
        # Tables of derived predicates; every change of the state makes them wrong and drops them.
        self.memo: dict[int, Extension] = {}
        # The initial state of the execution; None if this is one.
        self.began: State | None = None
        # Values of function terms; None where the domain has no numbers.
        self.numbers: Values | None = Values.of({}) if layout.functions else None
        # The relations that are not shared with a copy, as a mask of predicate numbers: all.
        self.own = -1

    @classmethod
    def of(
        cls,
        layout: Layout,
        universe: Universe,
        atoms: Iterable[Atom],
        values: Mapping[Atom, float | Rational] | None = None,
    ) -> State:
        """Build a state from ground atoms and the values of function terms.

        Raises:
            UnknownNameError: If a predicate, a function or an object is unknown.
            InputError: If something is not an atom, or if an atom has the wrong number of arguments
                or a derived predicate.
        """
        state = cls(layout, universe)
        for atom in atoms:
            if not isinstance(atom, Atom):
                raise InputError(
                    f"{atom!r} is not an atom",
                    expected='an atom such as eai.logic.Atom("at", ("hall",))',
                    mend="eai.parse_formula reads one from text",
                )
            state.add(atom.predicate, tuple(str(term) for term in atom.terms))
        if layout.functions:
            state.numbers = state.values_of(values or {})
        return state

    def values_of(self, values: Mapping[Atom, float | Rational]) -> Values:
        """Return a table of values, in which the total cost is 0 by default.

        Raises:
            UnknownNameError: If a function or an object is unknown.
        """
        values_by_key: dict[Key, Rational] = {}
        total_cost = self.layout.functions.get(TOTAL_COST.predicate)
        if total_cost is not None:
            values_by_key[total_cost,] = 0
        for term, value in values.items():
            values_by_key[self.key_of(term)] = exact(value)
        # Values that no action changes are a table of their own, which all states share.
        changing_functions = {self.layout.functions[name] for name in self.layout.changed_functions}
        return Values.of(values_by_key, changing_functions)

    def key_of(self, term: Atom) -> Key:
        """Return the key of a function term: the numbers of function and arguments.

        Raises:
            UnknownNameError: If the function or an object is unknown.
        """
        function = self.layout.functions.get(term.predicate)
        if function is None:
            raise UnknownNameError("function", term.predicate, tuple(self.layout.functions))
        return (function, *[self.universe.number(str(name)) for name in term.terms])

    def term_of(self, key: Key) -> Atom:
        """Return the function term for a key."""
        function, *arguments = key
        names = self.universe.names
        terms = tuple([names[number] for number in arguments])
        return Atom(tuple(self.layout.functions)[function], terms)

    def numeric_facts(self) -> Iterator[tuple[Atom, Rational]]:
        """Yield (function term, value) in a fixed order."""
        if self.numbers is None:
            return
        # If no action changes a number, both tables are the same one.
        values = {**self.numbers.fixed, **self.numbers}
        for key in sorted(values):
            yield self.term_of(key), values[key]

    def copy(self) -> State:
        """Return an independent copy of the state.

        Relations are shared until one of the two states changes them.
        """
        copied = State.__new__(State)
        copied.layout = self.layout
        copied.universe = self.universe
        copied.unary = self.unary[:]
        copied.rows = self.rows[:]
        copied.cols = self.cols[:]
        copied.wide = self.wide[:]
        copied.memo = {}
        copied.began = self.began
        copied.numbers = self.numbers
        # From here on both share all relations, so neither may change one without copying it.
        copied.own = self.own = 0
        return copied

    def _unshare(self, predicate_id: int) -> None:
        """Copy the relation ``predicate_id`` before a change if other states share it."""
        self.rows[predicate_id] = self.rows[predicate_id][:]
        self.cols[predicate_id] = self.cols[predicate_id][:]
        self.wide[predicate_id] = dict(self.wide[predicate_id])
        self.own |= 1 << predicate_id

    @property
    def initial(self) -> State:
        """The state in which the execution began that led here; without one, this state."""
        return self if self.began is None else self.began

    def begin(self) -> State:
        """Return a copy to execute actions in; it remembers this state as the initial one."""
        new = self.copy()
        new.began = self
        return new

    def enlarged(self, universe: Universe) -> State:
        """Return a copy over a larger universe.

        Args:
            universe: It begins with the same objects in the same order; the others have no
                properties and relations yet.

        Raises:
            InputError: If the universe does not begin with the same objects.
        """
        if universe.names[: len(self.universe)] != self.universe.names:
            raise InputError(
                "the larger universe does not begin with the same objects",
                expected="the objects of the state, in their order, and more after them",
            )
        enlarged_copy = self.copy()
        enlarged_copy.universe = universe
        # The state in which the execution began has other objects.
        enlarged_copy.began = None
        # Masks need no change: bits of objects that did not exist are 0.
        new_lines = [0] * (len(universe) - len(self.universe))
        for predicate_id in self.layout.binary:
            enlarged_copy.rows[predicate_id] = self.rows[predicate_id] + new_lines
            enlarged_copy.cols[predicate_id] = self.cols[predicate_id] + new_lines
        enlarged_copy.wide = [dict(table) for table in self.wide]
        enlarged_copy.own = -1
        return enlarged_copy

    def numbered(self, predicate: str, arguments: Sequence[str]) -> tuple[int, tuple[int, ...]]:
        """Return the index of a stored predicate, and the indices of its arguments.

        Raises:
            UnknownNameError: If there is no such predicate or object.
            InputError: If the predicate is derived, or takes another number of arguments.
        """
        layout = self.layout
        predicate_id = layout.index.get(predicate)
        if predicate_id is None:
            raise UnknownNameError("predicate", predicate, layout.names)
        if predicate in layout.domain.derived:
            raise InputError(
                f"{predicate} is a derived predicate: it is not stored in a state",
                mend="ask World.holds whether it holds",
            )
        arity = layout.arity[predicate_id]
        if len(arguments) != arity:
            raise InputError(
                f"{predicate} takes {counted(arity, 'argument')}, not {len(arguments)}",
                where=f"{predicate}({', '.join(arguments)})",
            )
        return predicate_id, tuple([self.universe.number(name) for name in arguments])

    def holds(self, predicate: str, arguments: Sequence[str]) -> bool:
        """Return whether a ground atom of a stored (not derived) predicate holds.

        Raises:
            UnknownNameError: If the predicate or an object is unknown.
            InputError: If the number of arguments is wrong or the predicate is derived.
        """
        predicate_id, object_ids = self.numbered(predicate, arguments)
        return self.test(predicate_id, object_ids)

    def test(self, predicate_id: int, numbers: tuple[int, ...]) -> bool:
        """Return whether an atom holds.

        Args:
            predicate_id: Index of the predicate.
            numbers: Indices of the arguments among the objects.
        """
        if len(numbers) == 1:
            return bool(self.unary[predicate_id] >> numbers[0] & 1)
        if len(numbers) == 2:
            return bool(self.rows[predicate_id][numbers[0]] >> numbers[1] & 1)
        if not numbers:
            return bool(self.unary[predicate_id])
        return bool(self.wide[predicate_id].get(numbers[:-1], 0) >> numbers[-1] & 1)

    def add(self, predicate: str, arguments: Sequence[str]) -> None:
        """Make a ground atom true (see :meth:`holds` for what is raised)."""
        self.put(*self.numbered(predicate, arguments), True)

    def remove(self, predicate: str, arguments: Sequence[str]) -> None:
        """Make a ground atom false (see :meth:`holds` for what is raised)."""
        self.put(*self.numbered(predicate, arguments), False)

    def put(self, predicate_id: int, numbers: tuple[int, ...], value: bool) -> None:
        """Set the truth of one atom.

        Args:
            predicate_id: Index of the predicate.
            numbers: Indices of the arguments among the objects.
            value: The truth.
        """
        if self.test(predicate_id, numbers) == value:
            return
        if self.memo:
            self.memo = {}
        if len(numbers) > 1 and not self.own >> predicate_id & 1:
            self._unshare(predicate_id)
        # The atom is known to change, so its bit is flipped.
        if len(numbers) == 2:
            first, second = numbers
            self.rows[predicate_id][first] ^= 1 << second
            self.cols[predicate_id][second] ^= 1 << first
        elif len(numbers) == 1:
            self.unary[predicate_id] ^= 1 << numbers[0]
        elif not numbers:
            self.unary[predicate_id] ^= 1
        else:
            wide_table = self.wide[predicate_id]
            key = numbers[:-1]
            wide_table[key] = wide_table.get(key, 0) ^ 1 << numbers[-1]

    def set_numbers(self, changes: Sequence[NumberChange]) -> None:
        """Give function terms their new values.

        Raises:
            InputError: If the domain has no numbers.
        """
        if not changes:
            return
        if self.numbers is None:
            raise InputError("the domain has no numbers", where=self.layout.domain.name)
        # No other state sees the change: tables are never changed in place.
        self.numbers = self.numbers.changed(changes)
        if self.memo:
            self.memo = {}

    def apply(self, changes: Iterable[Change]) -> None:
        """Apply recorded changes again."""
        if self.numbers is not None:
            self.set_numbers(numbers_of(changes))
        for predicate_id, column, key, mask, value in changes:
            self.write(predicate_id, column, key, mask, value)

    def changes_to(self, other: State) -> list[Change]:
        """Return the changes that lead to another state over the same objects.

        Tables are compared line by line; tables that both states share are equal and passed over.
        """
        changes: list[Change] = []
        # Deletions come before additions, line by line, so that equal states give equal lists.
        for predicate_id in range(len(self.layout.names)):
            old_mask = self.unary[predicate_id]
            new_mask = other.unary[predicate_id]
            if old_mask != new_mask:
                changes += _line_changes(predicate_id, None, old_mask, new_mask)
            old_rows, new_rows = self.rows[predicate_id], other.rows[predicate_id]
            old_wide, new_wide = self.wide[predicate_id], other.wide[predicate_id]
            # Copies of a state share the tables that neither of them changed.
            if old_rows is new_rows and old_wide is new_wide:
                continue
            # Rows are enough: columns say the same.
            for first_object, old_row in enumerate(old_rows):
                new_row = new_rows[first_object]
                if old_row != new_row:
                    changes += _line_changes(predicate_id, first_object, old_row, new_row)
            for key in sorted({*old_wide, *new_wide}):
                old_line = old_wide.get(key, 0)
                new_line = new_wide.get(key, 0)
                changes += _line_changes(predicate_id, key, old_line, new_line)
        if self.numbers is None or other.numbers is None or self.numbers is other.numbers:
            return changes
        return NumericChanges(changes, self.numbers.changes_to(other.numbers))

    def write(self, predicate_id: int, column: int, key: object, mask: int, value: bool) -> int:
        """Set the atoms that share all arguments but one.

        Where the atoms are stored depends on the number of arguments, which the key shows: None
        for at most one argument, an object for two (a row or a column), a tuple for more.

        Args:
            predicate_id: Index of the predicate.
            column: 1 for a column, 0 for everything else.
            key: The fixed argument, as in a :data:`Change`.
            mask: The objects in the open argument.
            value: Whether the atoms become true.

        Returns:
            The objects whose atoms had the other value before, as a mask.
        """
        # This is the innermost loop of every execution, so hardly anything in it is a call.
        if isinstance(key, int):
            old = (self.cols if column else self.rows)[predicate_id][key]
        elif key is None:
            old = self.unary[predicate_id]
        else:
            old = self.wide[predicate_id].get(key, 0)  # type: ignore[call-overload]
        changed = mask & ~old if value else mask & old
        if not changed:
            return 0
        # Every atom in "changed" has the other value now, so its bit is flipped.
        new = old ^ changed
        if self.memo:
            self.memo = {}
        if key is None:
            self.unary[predicate_id] = new
            return changed
        # From here on the tables may be shared with copies of this state.
        if not self.own >> predicate_id & 1:
            self._unshare(predicate_id)
        if not isinstance(key, int):
            self.wide[predicate_id][key] = new  # type: ignore[index]
            return changed
        if column:
            lines = self.cols[predicate_id]
            crossing_lines = self.rows[predicate_id]
        else:
            lines = self.rows[predicate_id]
            crossing_lines = self.cols[predicate_id]
        lines[key] = new
        # Each changed atom is also one bit, that of the key, in a line of the other direction.
        key_bit = 1 << key
        remaining = changed
        while remaining:
            lowest_bit = remaining & -remaining
            crossing_lines[lowest_bit.bit_length() - 1] ^= key_bit
            remaining ^= lowest_bit
        return changed

    def related(self, predicate: str, name: str, *, column: bool = False) -> list[str]:
        """Return the names of the objects that an object is related to.

        Args:
            predicate: A predicate with two arguments.
            name: The first argument.
            column: Whether the object is the second argument, and the first ones are returned.
        """
        lines = self.cols if column else self.rows
        related_mask = lines[self.layout.index[predicate]][self.universe.number(name)]
        return [self.universe.names[object_id] for object_id in bits(related_mask)]

    def atoms(self) -> Iterator[Atom]:
        """Yield the atoms that hold, by predicate and object in their order."""
        names = self.universe.names
        for predicate, numbers in self.facts():
            yield Atom(predicate, tuple([names[number] for number in numbers]))

    def facts(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Yield (predicate name, indices of the objects) for each atom that holds, in order.

        :meth:`atoms` yields the same as ``Atom`` objects, which takes ten times as long.
        """
        for predicate_id, predicate in enumerate(self.layout.names):
            if self.layout.arity[predicate_id] == 0:
                if self.unary[predicate_id]:
                    yield predicate, ()
                continue
            # By its arity, only one of the three tables of a predicate has entries.
            for first_object in bits(self.unary[predicate_id]):
                yield predicate, (first_object,)
            for first_object, row in enumerate(self.rows[predicate_id]):
                for second_object in bits(row):
                    yield predicate, (first_object, second_object)
            for leading_objects in sorted(self.wide[predicate_id]):
                for last_object in bits(self.wide[predicate_id][leading_objects]):
                    yield predicate, (*leading_objects, last_object)

    def facts_among(self, objects: int, arity: int) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Yield those facts of one or two arguments that are about some objects, in order.

        A few objects of a large scene are found without a look at the facts of all others.

        Args:
            objects: The objects, as a mask.
            arity: Number of arguments, 1 or 2.
        """
        members = list(bits(objects))
        for predicate_id, predicate in enumerate(self.layout.names):
            if self.layout.arity[predicate_id] != arity:
                continue
            if arity == 1:
                for number in bits(self.unary[predicate_id] & objects):
                    yield predicate, (number,)
                continue
            rows = self.rows[predicate_id]
            for first_object in members if rows else ():  # nothing is stored of derived ones
                for second_object in bits(rows[first_object] & objects):
                    yield predicate, (first_object, second_object)

    def arguments(self, predicate: str) -> list[int]:
        """Return for each argument of a predicate the objects for which it holds, as a mask.

        They are the columns of the table of its facts, each by itself; none for a proposition.
        """
        predicate_id = self.layout.index[predicate]
        arity = self.layout.arity[predicate_id]
        if arity == 0:
            return []
        if arity == 1:
            return [self.unary[predicate_id]]
        if arity == 2:
            return [union(self.cols[predicate_id]), union(self.rows[predicate_id])]
        masks = [0] * arity
        for leading_objects, last_objects in self.wide[predicate_id].items():
            if last_objects:
                for position, number in enumerate(leading_objects):
                    masks[position] |= 1 << number
                masks[-1] |= last_objects
        return masks


def _line_changes(predicate_id: int, key: object, old_mask: int, new_mask: int) -> Iterator[Change]:
    """Yield the changes between two masks of one line of a table, the deletion first.

    Args:
        predicate_id: Index of the predicate in the layout.
        key: The arguments that all atoms of the line share, as in a :data:`Change`.
        old_mask: The objects whose atoms held before.
        new_mask: The objects whose atoms hold after.
    """
    deleted = old_mask & ~new_mask
    if deleted:
        yield predicate_id, 0, key, deleted, False
    added = new_mask & ~old_mask
    if added:
        yield predicate_id, 0, key, added, True


Literal = tuple[int, tuple[int, ...], bool]
"""Number of a predicate, numbers of its arguments, and whether it is to be true or false."""


def changed_literals(changes: Iterable[Change], layout: Layout) -> Iterator[Literal]:
    """Yield the literals that become true by some changes.

    One change covers several atoms of a row or a column in a predicate's table: its ``key`` is the
    argument that they share, its mask the set of objects in the other argument. So each object of
    the mask gives one literal.
    """
    for predicate_id, column, key, mask, value in changes:
        for object_id in bits(mask):
            # The key shows the arity: several arguments, one, or none apart from the object itself.
            if isinstance(key, tuple):
                yield predicate_id, (*key, object_id), value
            elif isinstance(key, int) and column:
                yield predicate_id, (object_id, key), value
            elif isinstance(key, int):
                yield predicate_id, (key, object_id), value
            elif layout.arity[predicate_id]:
                yield predicate_id, (object_id,), value
            else:
                yield predicate_id, (), value
