"""Conditions and effects of a domain, compiled to Python functions over states."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from eai.errors import InputError, UnknownNameError
from eai.logic.formula import Formula, Variable
from eai.logic.pairing import paired
from eai.pddl.model import Domain, Effect
from eai.world.bits import bits, union
from eai.world.derived import Rule, Tables, components
from eai.world.expressions import Translator
from eai.world.state import Layout
from eai.world.updates import effect_lines

__all__ = ["Compiler", "Computed", "Updates"]

Computed = Callable[..., int]
"""A predicate whose extension the simulator computes: called with the state and the numbers of
all but the last argument, it returns the mask of the last arguments that satisfy it (for a
predicate without arguments: 0 or 1)."""

Updates = list[tuple[int, int, object, int]]
"""What an effect adds or deletes: predicate number, direction, fixed argument, and mask."""

_TABLES = {
    "U": "s.unary",
    "R": "s.rows",
    "C": "s.cols",
    "W": "s.wide",
    "T": "s.universe.type_masks",
    "K": "s.universe.constants",
}


class Compiler:
    """Compiles the conditions and effects of one domain.

    Args:
        domain: The domain.
        layout: Its layout.
        computed: Predicates that the simulator computes; they replace axioms of that name.

    Raises:
        UnknownNameError: If a computed predicate is not declared.
        InputError: If a derived predicate depends on its own negation.
    """

    def __init__(
        self, domain: Domain, layout: Layout, *, computed: Mapping[str, Computed] | None = None
    ) -> None:
        self.domain = domain
        functions = dict(computed or {})
        axioms = [axiom for axiom in domain.axioms if axiom.head.predicate not in functions]
        groups = components(axioms, where=f"domain {domain.name!r}")
        recursive = frozenset(name for group in groups for name in group)
        self._translator = Translator(
            domain, layout, computed=functions.keys(), recursive=recursive
        )
        tables = Tables(layout, groups, self._rules)
        self._globals: dict[str, Any] = {
            "bits": bits,
            "union": union,
            "pairs": _pairs,
            "derived": tables.of,
        }
        for name, function in functions.items():
            if name not in layout.index:
                raise UnknownNameError("predicate", name, layout.names)
            self._globals[f"computed_{layout.index[name]}"] = function

    def condition(self, formula: Formula, parameters: Sequence[Variable]) -> Callable[..., bool]:
        """Compile a condition to a function of a state and one object number a parameter.

        Raises:
            InputError: If the condition cannot be compiled; it says why.
        """
        with self._bounded():
            names, env = _parameters(parameters)
            return self._function(
                names, [f"    return bool({self._translator.truth(formula, env)})"]
            )

    def members(
        self, formula: Formula, variable: Variable, parameters: Sequence[Variable]
    ) -> Callable[..., int]:
        """Compile a condition to a function that returns which objects satisfy it, as a mask.

        The function takes a state and one object number a parameter.

        Raises:
            InputError: If the condition cannot be compiled; it says why.
        """
        with self._bounded():
            names, env = _parameters(parameters)
            found = self._translator.members(formula, variable, env)
            return self._function(names, [f"    return {found}"])

    def first_failure(
        self, tests: Sequence[Formula], parameters: Sequence[Variable]
    ) -> Callable[..., int]:
        """Compile tests to one function that returns the number of the first that fails, or -1.

        Raises:
            InputError: If a test cannot be compiled; it says why.
        """
        with self._bounded():
            names, env = _parameters(parameters)
            lines = [
                f"    if not ({self._translator.truth(test, env)}): return {i}"
                for i, test in enumerate(tests)
            ]
            return self._function(names, [*lines, "    return -1"])

    def effect(
        self, effect: Effect, parameters: Sequence[Variable]
    ) -> Callable[..., tuple[Updates, Updates]]:
        """Compile an effect to a function that returns its additions and its deletions.

        Additions are all there are; deletions are only those of atoms that hold.
        The conditions of effects are evaluated in the state that is given.

        Raises:
            InputError: If the effect cannot be compiled; it says why.
        """
        with self._bounded():
            names, env = _parameters(parameters)
            lines = effect_lines(effect, env, self._translator)
            start = ["    adds = []", "    dels = []"]
            return self._function(names, [*start, *lines, "    return adds, dels"])

    def _rules(self, predicate: str) -> list[Rule]:
        """Compile the axioms of a recursive derived predicate."""
        return [self._rule(*rule) for rule in self._translator.axioms[predicate]]

    def _rule(self, head: tuple[Variable, ...], body: Formula) -> Rule:
        with self._bounded():
            names, env = _parameters(head[:-1])
            if head:
                found = self._translator.members(body, head[-1], env)
            else:
                found = f"1 if {self._translator.truth(body, env)} else 0"
            return head, self._function(names, [f"    return {found}"])

    def _function(self, names: list[str], lines: list[str]) -> Callable[..., Any]:
        functions = [_source("compiled", names, lines)]
        for name, own, expression in self._translator.parts_apart():
            functions.append(_source(name, own, [f"    return {expression}"]))
        source = "\n".join(functions)
        scope = dict(self._globals)
        # The source is built from trees: all names of the domain in it are quoted by repr.
        exec(compile(source, f"<{self.domain.name!r}>", "exec"), scope)  # noqa: S102
        function: Callable[..., Any] = scope["compiled"]
        return function

    @contextmanager
    def _bounded(self) -> Iterator[None]:
        """Python's own limits on nesting become an error that says what is too deep."""
        self._translator.forget()
        try:
            yield
        except (RecursionError, SyntaxError, MemoryError) as error:
            raise InputError(
                "a condition or effect is nested too deeply",
                where=f"domain {self.domain.name!r}",
                expected="at most 250 levels of connectives and quantifiers",
            ) from error


def _source(name: str, parameters: Sequence[str], lines: Sequence[str]) -> str:
    """The text of a function of a state and some object numbers."""
    body = "\n".join(lines)
    start = f"def {name}({', '.join(['s', *parameters])}):\n    u = s.universe"
    tables = [f"    {table} = {of}" for table, of in _TABLES.items() if f"{table}[" in body]
    return "\n".join([start, *tables, body])


def _pairs(
    names: Sequence[str],
    first: int,
    second: int,
    partners: Iterable[tuple[int, int]],
    number: int | None,
) -> bool:
    """Whether so many pairs can be formed, of different objects that are in no other pair.

    Args:
        names: The names of all objects.
        first: The objects of one side, as a mask.
        second: Those of the other side.
        partners: For the objects of the first side, those of the second that they fit.
        number: How many pairs are needed; None: as many as the smaller side has objects.
    """
    edges = {(names[a], names[b]): 1 for a, mask in partners for b in bits(mask & ~(1 << a))}
    needed = min(first.bit_count(), second.bit_count()) if number is None else number
    return bool(paired(edges, number=needed, full=1))


def _parameters(parameters: Sequence[Variable]) -> tuple[list[str], dict[str, str]]:
    names = [f"a{i}" for i in range(len(parameters))]
    return names, {v.name: name for v, name in zip(parameters, names, strict=True)}
