"""The goals of an instance in temporal logic, over the predicates of the symbolic AI2-THOR.

They are formulas of linear temporal logic on finite traces, judged at the first position of an
episode: what has to be the case in the end stands behind ``last``, a deed or a place that counts
for good behind ``eventually`` alone. :mod:`eai.suites.asgardbench.goals` looks the same up
directly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from eai.logic.formula import (
    FALSE,
    LAST,
    TRUE,
    ActionAtom,
    And,
    Atom,
    Equal,
    Eventually,
    Exists,
    Forall,
    Formula,
    Implies,
    Not,
    Variable,
    conjuncts,
)
from eai.semantics import Semantics
from eai.simulators.thor.world import pddl_type
from eai.suites.asgardbench.goals import (
    FLAGS,
    PRODUCTS,
    SLICES,
    coffee_types,
    cooked_types,
    state_goals,
)
from eai.suites.asgardbench.instances import Instance, rules

__all__ = ["goal_formula"]


def goal_formula(
    instance: Instance, semantics: Semantics, *, first: Callable[[str], str | None]
) -> Formula:
    """Return the goal of an instance as one formula.

    Args:
        instance: The instance.
        semantics: The quirks that are on; those of deeds and of judging count here.
        first: Name of the first object of a type in the order of the scene; None if there is
            none.
    """
    writer = _Writer(instance, semantics, first)
    return And(tuple(writer.conjuncts()))


class _Writer:
    def __init__(
        self, instance: Instance, semantics: Semantics, first: Callable[[str], str | None]
    ) -> None:
        self.instance = instance
        self.semantics = semantics
        self.first = first

    def conjuncts(self) -> Iterator[Formula]:
        goals, semantics = self.instance.goals, self.semantics
        for deed in goals.action:
            yield Eventually(self.deed(deed))
        cooked = cooked_types(self.instance, semantics)
        for kind, container in goals.location:
            place = self.location(kind, container, cooked=kind in cooked)
            yield Eventually(place) if "location_sticks" in semantics else _finally(place)
        for kind in goals.put_away:
            yield _finally(self.location(kind, *rules().homes[kind]))
        for container, kinds in goals.contents_exact:
            yield _finally(self.contents(container, kinds))
        for kind, flag, value in state_goals(self.instance):
            yield _finally(self.state(kind, flag, value))
        for kind in coffee_types(self.instance, semantics):
            yield _finally(_some(kind, lambda x: Atom("contains", (x, "coffee"))))

    def deed(self, deed: str) -> Formula:
        x = _one("x", "thing")
        if deed == "Spray Mirror":
            if "spray_anything" not in self.semantics:
                x = _one("x", "Mirror")
            return Exists((x,), ActionAtom("SPRAY", (x,)))
        drunk = ActionAtom("DRINK", (x,))
        if "drink_with_anything" in self.semantics:
            return Exists((x,), drunk)
        return Exists((x,), And((Atom("contains", (x, "coffee")), drunk)))

    def location(self, kind: str, *containers: str, cooked: bool = False) -> Formula:
        y = _one("y", *containers)

        def there(x: Variable) -> Formula:
            place = Exists((y,), Atom("in", (x, y)))
            return And((Atom("cooked", (x,)), place)) if cooked else place

        return _some(kind, there)

    def contents(self, container: str, kinds: Sequence[str]) -> Formula:
        """One table holds one of each kind at least, and nothing of other kinds."""
        if "first_of_type" not in self.semantics:
            y = _one("y", container)
            return Exists((y,), self._laid(y, kinds))
        table = self.first(container)
        return FALSE if table is None else self._laid(table, kinds)

    def _laid(self, table: Variable | str, kinds: Sequence[str]) -> Formula:
        x, z = _one("x", "thing"), _one("z", *kinds)
        there = And((Atom("present", (x,)), Atom("pickupable", (x,)), Atom("inside", (x, table))))
        each = (_some(kind, lambda x: Atom("inside", (x, table))) for kind in kinds)
        return And((*each, Forall((x,), Implies(there, Exists((z,), Equal(z, x))))))

    def state(self, kind: str, flag: str, value: bool) -> Formula:
        subject = PRODUCTS.get(kind, kind) if flag == "isCooked" else kind

        def flagged(x: Variable | str) -> Formula:
            atom = Atom(FLAGS[flag], (x,))
            return atom if value else Not(atom)

        if subject in SLICES:
            return _some(subject, flagged)
        if "first_of_type" in self.semantics:
            only = self.first(subject)
            if only is None:
                return FALSE if value else TRUE
            there = Atom("present", (only,))
            return And((there, flagged(only))) if value else Implies(there, flagged(only))
        x = _one("x", subject)
        every = Forall((x,), Implies(Atom("present", (x,)), flagged(x)))
        return And((every, _some(subject, flagged))) if value else every


def _one(name: str, *kinds: str) -> Variable:
    return Variable(name, tuple(map(pddl_type, kinds)))


def _some(kind: str, body: Callable[[Variable], Formula]) -> Formula:
    x = _one("x", kind)
    return Exists((x,), And((Atom("present", (x,)), *conjuncts(body(x)))))


def _finally(formula: Formula) -> Formula:
    return Eventually(And((LAST, formula)))
