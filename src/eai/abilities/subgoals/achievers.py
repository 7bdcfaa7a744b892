"""What keeps a condition from ever being true: no effect of an operator can bring it about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from eai.budget import Budget, Meter
from eai.logic import And, Atom, Exists, Formula, Not, Or, Term, Variable, atoms, conjuncts
from eai.planning import Achiever
from eai.planning.achievers import achievers
from eai.world import State, World

_Way = tuple[Achiever, tuple[Formula, ...]]
"""An effect, and all conditions for it."""


@lru_cache(maxsize=1024)
def _ways(world: World, predicate: str, wanted: bool, names: tuple[str, ...]) -> tuple[_Way, ...]:
    """The effects by which some operators make atoms of a predicate true, or false."""
    return tuple(
        (each, (*conjuncts(each.operator.precondition), *conjuncts(each.condition)))
        for each in achievers(world, (world.layout.index[predicate], wanted), names)
    )


def exclusive(world: World, state: State, condition: Formula) -> tuple[Formula, ...]:
    """Find two conjuncts of a closed condition that, from this state, never hold together.

    Returns:
        The conjunction of the two; empty if none was found.
    """
    partners: dict[object, Atom] = {}
    for part in conjuncts(condition):
        if isinstance(part, Atom) and len(part.terms) == 2 and _is_function(world, part.predicate):
            other = partners.setdefault((part.predicate, part.terms[0]), part)
            row = state.rows[state.layout.index[part.predicate]]
            related = row[state.universe.number(str(part.terms[0]))].bit_count()
            if other.terms != part.terms and related < 2:
                return (And((other, part)),)
    return ()


@lru_cache(maxsize=1024)
def _is_function(world: World, predicate: str) -> bool:
    """Whether no action gives an object a second partner in a relation."""
    if predicate in world.derived:
        return False
    for name in world.domain.operators:
        ways = _ways(world, predicate, True, (name,))
        if len(ways) > 1:
            return False
        for effect, conditions in ways:
            # It is about parameters only, and so about one atom; its first argument has no
            # partner yet.
            first, names = effect.atom.terms[0], {p.name for p in effect.operator.parameters}
            if not all(isinstance(term, str) or term.name in names for term in effect.atom.terms):
                return False
            if not any(
                isinstance(each, Not) and _says_some(world, each.operand, predicate, first)
                for each in conditions
            ):
                return False
    return True


def _says_some(world: World, condition: Formula, predicate: str, first: object) -> bool:
    """Whether a condition holds if something has a partner, as a rule may say."""
    if not isinstance(condition, Atom):
        return _is_some(condition, predicate, first)
    rules = [rule for rule in world.domain.axioms if rule.head.predicate == condition.predicate]
    return condition.terms == (first,) and any(
        getattr(rule.head.terms[0], "types", None) == ("object",)
        and _is_some(rule.body, predicate, rule.head.terms[0])
        for rule in rules
    )


def _is_some(condition: Formula, predicate: str, first: object) -> bool:
    if not isinstance(condition, Exists) or len(condition.variables) != 1:
        return False
    (variable,), body = condition.variables, condition.body
    return (
        variable.types == ("object",)
        and isinstance(body, Atom)
        and body.predicate == predicate
        and body.terms == (first, variable)
        and first != variable
    )


_DEEPEST = 3
"""So many actions in a row are looked at; what needs more is taken to be possible."""

_VARIABLES = 2
"""A condition with more variables is not tested as a whole, only its parts are."""

_Reasons = tuple[Formula, ...]
"""Conditions that can never hold, one of which would have to."""


def obstacles(
    world: World,
    state: State,
    condition: Formula,
    *,
    agent: str,
    operators: Iterable[str],
    meter: Meter | None = None,
) -> tuple[Formula, ...]:
    """Find what keeps a closed condition from ever being true, whatever is done from a state.

    Returns:
        Conditions of which one would have to hold, and none ever can; the literal itself if no
        operator is about it at all. Empty if a way is not excluded.
    """
    counted = meter or Budget.unlimited().meter()
    search = _Search(world, state, agent, tuple(operators), counted)
    return search.kept(condition, ()) or exclusive(world, state, condition)


class _Search:
    """Looks for achievers of conditions, of their conditions, and so on."""

    def __init__(
        self, world: World, state: State, agent: str, names: tuple[str, ...], meter: Meter
    ) -> None:
        self._meter = meter
        self._world = world
        self._state = state
        self._agent = agent
        self._names = names

    def kept(self, condition: Formula, path: tuple[Formula, ...]) -> _Reasons:
        """What keeps a condition from being true; nothing if it may become true.

        Free variables may stand for any objects. ``path`` has the literals that it is for.
        """
        tested = self._is_quick(condition)
        if tested:
            free = tuple(sorted(condition.free, key=lambda variable: variable.name))
            closed = Exists(free, condition) if free else condition
            self._meter.count_instances(self._world.instances(closed, self._state.universe))
            if self._world.holds(self._state, closed):
                return ()
            if self._world.domain.is_static(condition):
                return (condition,)
        if isinstance(condition, And):
            found = (self.kept(part, path) for part in condition.operands)
            return next(filter(None, found), ())
        if isinstance(condition, Or):
            return _all([self.kept(part, path) for part in condition.operands])
        if isinstance(condition, Exists):
            return self.kept(condition.body, path)
        if isinstance(condition, Not) and isinstance(condition.operand, (And, Or, Not)):
            return self.kept(condition.operand.negated(), path)
        atom = condition.operand if isinstance(condition, Not) else condition
        if isinstance(atom, Atom) and (tested or atom.predicate in self._world.derived):
            return self._literal(atom, condition, path)
        return ()

    def _literal(self, atom: Atom, literal: Formula, path: tuple[Formula, ...]) -> _Reasons:
        wanted = literal is atom
        if any(_covers(other, literal) for other in path):
            # A way round in a circle is none; but what is not derived is false.
            return (literal,) if wanted or atom.predicate not in self._world.derived else ()
        further = (*path, literal)
        if atom.predicate in self._world.derived:
            return self._derived(atom, wanted, further)
        if len(further) > _DEEPEST:
            return ()
        found: _Reasons = ()
        for achiever, conditions in _ways(self._world, atom.predicate, wanted, self._names):
            binding = _unified(achiever, atom, self._agent)
            if binding is None:
                continue
            bound = (each.substitute(binding) for each in conditions)
            failing = next((each for each in bound if self.kept(each, further)), None)
            if failing is None:
                return ()
            found += (failing,)
        return tuple(dict.fromkeys(found)) or (literal,)

    def _derived(self, atom: Atom, wanted: bool, path: tuple[Formula, ...]) -> _Reasons:
        if self._world.reads(atom) is None:
            return ()  # a function decides
        bodies = []
        for axiom in self._world.domain.axioms:
            if axiom.head.predicate == atom.predicate:
                locations = (term.name for term in axiom.head.terms if isinstance(term, Variable))
                pairs = zip(locations, atom.terms, strict=True)
                bodies.append(axiom.body.substitute({k: t for k, t in pairs if isinstance(t, str)}))
        if not wanted:
            return next(filter(None, (self.kept(Not(body), path) for body in bodies)), ())
        return _all([self.kept(body, path) for body in bodies])

    def _is_quick(self, condition: Formula) -> bool:
        """Whether finding objects for its variables does not take a search through many."""
        free, derived = len(condition.free), self._world.derived
        count = free + sum(len(node.variables) for node in condition.walk())
        if not free:
            return count <= _VARIABLES
        names = {each.predicate for each in atoms(condition) if isinstance(each, Atom)}
        return count <= _VARIABLES and names.isdisjoint(derived)


def _all(reasons: list[_Reasons]) -> _Reasons:
    """The reasons against all of some alternatives; nothing if there is none against one."""
    return tuple(dict.fromkeys(each for some in reasons for each in some)) if all(reasons) else ()


def _covers(general: Formula, literal: Formula) -> bool:
    """Whether a literal is another one, or an instance of it."""
    if isinstance(general, Not) and isinstance(literal, Not):
        return _covers(general.operand, literal.operand)
    return (
        isinstance(general, Atom)
        and isinstance(literal, Atom)
        and general.predicate == literal.predicate
        and all(
            isinstance(place, Variable) or place == term
            for place, term in zip(general.terms, literal.terms, strict=True)
        )
    )


def _unified(achiever: Achiever, atom: Atom, agent: str) -> Mapping[str, Term] | None:
    """Variables for which an effect is the atom; None if there are none."""
    parameters = achiever.operator.parameters
    binding: dict[str, Term] = {parameters[0].name: agent} if parameters else {}
    for place, term in zip(achiever.atom.terms, atom.terms, strict=True):
        if isinstance(term, Variable):
            continue
        if isinstance(place, str):
            if place != term:
                return None
        elif binding.setdefault(place.name, term) != term:
            return None
    return binding
