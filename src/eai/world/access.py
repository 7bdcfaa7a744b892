"""How the terms, types and predicates of a condition are found in a state.

Everything here is a Python expression in which ``s`` is the state; ``U``, ``R``, ``C`` and
``W`` are its masks, rows, columns and wide tables; ``u`` is the universe, ``T`` its types and
``K`` its constants.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence

from eai.errors import InputError, UnknownNameError
from eai.logic.formula import Atom, Formula, Term, Variable
from eai.pddl.model import Axiom, Domain
from eai.world.state import Layout

__all__ = ["Access", "Environment"]

Environment = Mapping[str, str]
"""Variable name to the Python expression of its object number."""


class Access:
    """Expressions for what one domain declares.

    Args:
        domain: The domain.
        layout: Its layout.
        computed: Names of the predicates that functions compute.
        recursive: Names of the derived predicates that have tables; others are put in line.

    Raises:
        InputError: If the head of a rule is not made of different variables.
    """

    def __init__(
        self,
        domain: Domain,
        layout: Layout,
        *,
        computed: Collection[str] = (),
        recursive: Collection[str] = (),
    ) -> None:
        self.domain = domain
        self.layout = layout
        self.computed = computed
        self.recursive = recursive
        self.axioms: dict[str, list[tuple[tuple[Variable, ...], Formula]]] = {}
        for axiom in domain.axioms:
            rule = (_head(axiom), axiom.body)
            self.axioms.setdefault(axiom.head.predicate, []).append(rule)
        self._fresh = itertools.count()

    def variable(self) -> str:
        """Return a Python name that was not used before."""
        return f"v{next(self._fresh)}"

    def term(self, term: Term, env: Environment) -> str:
        """Translate a term to the expression of its object number.

        Raises:
            InputError: If it is a variable that nothing binds.
        """
        if isinstance(term, Variable):
            try:
                return env[term.name]
            except KeyError:
                raise InputError(
                    f"variable {term.name!r} is bound by no quantifier or parameter",
                    where=f"domain {self.domain.name!r}",
                ) from None
        return f"K[{term!r}]" if term in self.domain.constants else f"u.number({term!r})"

    def range(self, variable: Variable) -> str:
        """Translate the types of a variable to the mask of its objects.

        A problem may know kinds of objects that its domain does not declare: the universe says.
        """
        known = self.domain.types
        if any(name != "object" and name not in known for name in variable.types):
            return f"u.mask({variable.types!r})"
        if "object" in variable.types:
            return "u.everything"
        return "(" + (" | ".join(f"T[{name!r}]" for name in variable.types) or "0") + ")"

    def predicate(self, atom: Atom) -> int:
        """Return the number of an atom's predicate.

        Raises:
            UnknownNameError: If it is not declared.
            InputError: If the atom has the wrong number of arguments.
        """
        p = self.layout.index.get(atom.predicate)
        if p is None:
            raise UnknownNameError("predicate", atom.predicate, self.layout.names)
        if len(atom.terms) != self.layout.arity[p]:
            raise InputError(
                f"{atom.predicate} takes {self.layout.arity[p]} arguments, not {len(atom.terms)}"
            )
        return p

    def is_inlined(self, predicate: str) -> bool:
        """Whether the rules of a predicate take its place in conditions."""
        return (
            predicate in self.axioms
            and predicate not in self.recursive
            and predicate not in self.computed
        )

    def line(self, name: str, p: int, terms: Sequence[str]) -> str:
        """Expression of the mask of last arguments for the arguments before it."""
        if name in self.computed:
            return f"computed_{p}({', '.join(['s', *terms])})"
        unary, rows, _, wide = self.tables(name, p)
        if self.layout.arity[p] < 2:
            return unary
        if self.layout.arity[p] == 2:
            return f"{rows}[{terms[0]}]"
        return f"{wide}.get(({', '.join(terms)}), 0)"

    def tables(self, name: str, p: int) -> tuple[str, ...]:
        """Expressions of the mask, rows, columns and wide table of a predicate."""
        if name in self.recursive:
            return tuple(f"derived(s, {p})[{i}]" for i in range(4))
        return f"U[{p}]", f"R[{p}]", f"C[{p}]", f"W[{p}]"


def _head(axiom: Axiom) -> tuple[Variable, ...]:
    head = tuple(term for term in axiom.head.terms if isinstance(term, Variable))
    if len({v.name for v in head}) != len(axiom.head.terms):
        raise InputError(
            f"the head of a rule for {axiom.head.predicate!r} is not made of different variables",
            expected="?variables, each of them once",
        )
    return head
