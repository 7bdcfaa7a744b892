"""Immutable trees in which equal nodes are one object.

A node is *hash-consed*: :func:`unique_node` keeps one node for each structure, so that comparing
and hashing cost nothing and a table that is indexed by nodes needs no care. Nodes nest at most
:data:`NESTING_LIMIT` deep, so that everything that walks them may recurse.

Terms of formulas: variables, objects, and the names that have to stand in quotes.
"""

from __future__ import annotations

import re
import threading
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar, Union, cast

from eai.errors import InputError
from eai.nesting import NESTING_LIMIT as NESTING_LIMIT  # noqa: PLC0414 - the face names it


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable, with the types of the objects that it ranges over.

    Args:
        name: Name without the question mark.
        types: Type names; an object of any of them (or of a subtype) is in range.
    """

    name: str
    types: tuple[str, ...] = ("object",)

    def __str__(self) -> str:
        return self.name


Term = Union[Variable, str]


class Binding(dict[str, str]):
    """A mapping from variable names to object names."""

    def without(self, names: Iterable[str]) -> Binding:
        """Return a copy without variables that an inner quantifier hides."""
        inner = Binding(self)
        for name in names:
            inner.pop(name, None)
        return inner


WORDS: dict[str, type[Any]] = {}
"""Every word of the notation that is an operator, to its class; each class enters its own."""

_OTHER_WORDS = re.compile(
    "forn|forpairs|fornpairs|exactly|at-?least|at-?most|at-end|at-most-once|sometime-after"
    "|sometime-before|within|always-within|hold-during|hold-after",
    re.IGNORECASE,
)
"""Words of the notation that have no class of their own, in all their spellings."""
_GLUED = re.compile("[XFG]+")
"""Letters that are read as operators one by one."""
_PLAIN = re.compile(r"\w+(?:[-.]\w+)*")
"""A name that needs no quotes, unless it is a word of the notation."""


def is_reserved(name: str) -> bool:
    """Return whether a name must be quoted, because it is a word of the notation."""
    # Classes enter their words when they are loaded. All are loaded first: a name has to be written
    # the same way whatever was used before.
    import eai.logic.formula
    import eai.logic.temporal  # noqa: F401

    is_word = name in WORDS or name.lower() in WORDS or _GLUED.fullmatch(name)
    return bool(is_word or _OTHER_WORDS.fullmatch(name))


@lru_cache(maxsize=1 << 14)
def format_name(name: str) -> str:
    """Return the name of a predicate, action or object as formulas write it.

    A name that is not a plain word, or that is a keyword, is put into double quotes.

    Examples:
        >>> print(format_name("cup.1"), format_name("next"), format_name("my cup"))
        cup.1 "next" "my cup"
    """
    # A character that the grammar reads as another one has to stay as it is.
    if _PLAIN.fullmatch(name) and not is_reserved(name) and not _is_folded(name):
        return name
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _is_folded(name: str) -> bool:
    """Return whether the grammar reads some character of a name as another one."""
    if name.isascii():
        return False
    from eai.logic.dialects import fold  # the parser loads it; what only prints seldom needs it

    return any(fold(character) != character for character in name)


QUANTIFIER_LIMIT = 100
"""Maximum number of quantifiers inside each other."""

N = TypeVar("N", bound="Node")


class NodeType(type):
    """The metaclass of nodes, which have only the attributes that they list."""

    def __new__(cls, name: str, bases: tuple[type, ...], space: dict[str, object]) -> NodeType:
        """Make a kind of nodes."""
        return super().__new__(cls, name, bases, {"__slots__": (), **space})


class Node(metaclass=NodeType):
    """A node of an expression tree.

    Nodes are created by :func:`unique_node`, so that equal nodes are one object.
    """

    __slots__ = ("__weakref__", "depth", "quantifiers")
    __match_args__: tuple[str, ...] = ()
    """Names of what the node is made of, in order."""

    depth: int
    """How many operators are inside each other."""
    quantifiers: int
    """How many quantifiers are inside each other."""

    @property
    def operands(self) -> tuple[Node, ...]:
        """The nodes directly below, in reading order."""
        return ()

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The variables that the node binds."""
        return ()

    def settle(self) -> None:
        """Set the attributes that follow from the operands; called once, by :func:`unique_node`."""

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a formula cannot be changed: {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a formula cannot be changed: {name}")

    def __repr__(self) -> str:
        """Return the expression that makes the node: ``Not(operand=Atom(...))``."""
        arguments = []
        for name in self.__match_args__:
            value = getattr(self, name)
            if isinstance(value, Node):
                arguments.append(f"{name}={value.__repr__()}")
            elif value and name == "operands":
                operand_texts = []
                for item in value:  # calls from Python to Python, which take one frame each
                    operand_texts.append(item.__repr__())
                comma = "," if len(operand_texts) == 1 else ""
                arguments.append(f"{name}=({', '.join(operand_texts)}{comma})")
            else:
                arguments.append(f"{name}={value!r}")
        return f"{type(self).__name__}({', '.join(arguments)})"

    def __copy__(self) -> Node:
        return self

    def __deepcopy__(self, _memo: object) -> Node:
        return self

    def __reduce__(self) -> tuple[Callable[..., Node], tuple[object, ...]]:
        """Return the pickled form: a flat list with each node after its operands.

        Pickle's own recursion would be several levels deep for each node, and would not preserve
        sharing.
        """
        nodes = sorted(_all_nodes_below(self), key=lambda node: node.depth)
        locations = {node: _Place(index) for index, node in enumerate(nodes)}
        packed = []
        for node in nodes:
            values = [getattr(node, name) for name in node.__match_args__]
            packed.append((type(node), tuple([_pack_value(value, locations) for value in values])))
        return _unpacked, (tuple(packed),)


class _Place(NamedTuple):
    """A reference to a node by its index in a list of nodes."""

    number: int


def _all_nodes_below(root: Node) -> list[Node]:
    """Return a node and all its descendants, each once."""
    # A dictionary without values, as an ordered set.
    nodes = dict.fromkeys([root])
    pending = [root]
    for node in pending:  # it grows meanwhile
        unseen = dict.fromkeys(operand for operand in node.operands if operand not in nodes)
        nodes.update(unseen)
        pending += unseen
    return list(nodes)


def _pack_value(value: object, locations: Mapping[Node, _Place]) -> object:
    """Return an attribute's value with nodes replaced by their indices."""
    if isinstance(value, Node):
        # A function term in a numeric condition is not an operand, so it is packed separately.
        return locations.get(value, value)
    if isinstance(value, tuple) and value and isinstance(value[0], Node):
        return tuple([locations[node] for node in value])
    return value


def _unpacked(nodes: Sequence[tuple[Callable[..., Node], tuple[object, ...]]]) -> Node:
    """Return the formula whose nodes were packed by :meth:`Node.__reduce__`.

    Args:
        nodes: Class and values of each node, operands before what they are in; a node in a value
            stands there as its number in this list.
    """
    made_so_far: list[Node] = []

    def unpacked_value(value: object) -> object:
        """Return a value with the nodes for the places in it."""
        if isinstance(value, _Place):
            return made_so_far[value.number]
        if isinstance(value, tuple) and value and isinstance(value[0], _Place):
            return tuple([made_so_far[place.number] for place in value])
        return value

    for kind, values in nodes:
        made_so_far.append(kind(*map(unpacked_value, values)))
    return made_so_far[-1]


class _NodeReference(weakref.ref[Node]):
    """A weak reference in the table of all nodes."""

    __slots__ = ("key",)
    key: tuple[object, ...]


_nodes: dict[tuple[object, ...], _NodeReference] = {}
_lock = threading.RLock()
_set = object.__setattr__


def _forget(entry: weakref.ref[Node]) -> None:
    """Remove a node without users from the table of all nodes."""
    with _lock:
        key = cast("_NodeReference", entry).key
        if _nodes.get(key) is entry:
            del _nodes[key]


def unique_node(kind: type[N], *values: object) -> N:
    """Return the unique node of a kind with some attribute values.

    Raises:
        InputError: If it would be nested too deeply.
    """
    key = (kind, *values)
    reference = _nodes.get(key)
    if reference is not None:
        node: N | None = reference()  # type: ignore[assignment]
        if node is not None:  # None if the node was freed and is not yet removed here
            return node
    return _make_node(kind, key)


def _make_node(kind: type[N], key: tuple[object, ...]) -> N:
    """Create a node and add it to the table of all nodes.

    Args:
        kind: Its class.
        key: The class and the values of its attributes, under which it is found.

    Raises:
        InputError: If it is nested too deeply.
    """
    node = object.__new__(kind)
    for name, value in zip(kind.__match_args__, key[1:], strict=True):
        _set(node, name, value)
    depth = quantifiers = 0
    for operand in node.operands:
        if operand.depth >= depth:
            depth = operand.depth + 1
        quantifiers = max(quantifiers, operand.quantifiers)
    # A walk over a quantifier may go one level down for each of its variables.
    depth += max(0, len(node.variables) - 1)
    if depth > NESTING_LIMIT:
        raise InputError(
            f"the formula is nested more than {NESTING_LIMIT} levels deep",
            mend="make flat chains: And((a, b, c)) is one level, whatever its length",
        )
    if depth and node.variables:
        quantifiers += 1
        if quantifiers > QUANTIFIER_LIMIT:
            raise InputError(
                f"the formula has {quantifiers} quantifiers inside each other",
                expected=f"at most {QUANTIFIER_LIMIT}",
            )
    _set(node, "depth", depth)
    _set(node, "quantifiers", quantifiers)
    node.settle()
    reference = _NodeReference(node, _forget)
    reference.key = key
    if _nodes.setdefault(key, reference) is reference:
        return node
    with _lock:  # another thread has made it meanwhile, or it is about to be forgotten
        competing_reference = _nodes.get(key)
        existing: N | None = competing_reference() if competing_reference else None  # type: ignore[assignment]
        if existing is None:
            _nodes[key], existing = reference, node
        return existing
