"""Supports: what a condition rests on at one position of an executed plan.

An atom is *volatile* if a step of the plan changes it, and so is a function term. A *support* of a
condition is a set of volatile literals that hold, and of bounds within which volatile numbers are,
that suffice, whatever the others are. Quantifiers range over hundreds of objects, of which the
atoms of the condition leave a few: :meth:`Support.objects` finds these with one ``&`` of masks for
each atom.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from operator import and_, or_

from eai.logic import (
    ActionAtom,
    And,
    Atom,
    Bits,
    Count,
    Equal,
    Formula,
    ForPairs,
    NumericCondition,
    Quantifier,
    Term,
    Variable,
)
from eai.planning.ordering.numbers import Comparisons, divides, is_within, value_of
from eai.planning.reasons import NOTHING, Bound, Env, Part, Reads, Reasons, Requirement
from eai.world import Action, Key, Literal, State, World, locations
from eai.world.bits import bits

_ALL = -1
"""The mask of all objects."""


def _combined(masks: Iterable[int], *, every: bool) -> int:
    """Return the objects that are in every mask, or in some mask."""
    if every:
        return reduce(and_, masks, _ALL)
    return reduce(or_, masks, 0)


class Support(Reasons[Requirement]):
    """Finds the literals on which conditions depend, preferring those true since the start.

    Args:
        world: The world.
        start: The initial state.
        volatile: A state in which exactly the volatile atoms hold.
        volatile_terms: The function terms whose values steps change.
    """

    def __init__(
        self,
        world: World,
        start: State,
        volatile: State,
        volatile_terms: frozenset[Key] = frozenset(),
    ) -> None:
        """Begin at the initial state, with nothing cached."""
        super().__init__(world, start)
        self._volatile = volatile
        self._volatile_terms = volatile_terms
        # Terms that a condition may find without a value, if other steps are done before it.
        late_terms = [term for term in volatile_terms if value_of(start, term) is None]
        self._late_terms = frozenset(late_terms)
        # The action that is taken at the present position.
        self._action: Action | None = None
        # Supports of derived atoms at the present position, and those that are being looked for.
        self._cache: dict[tuple[str, tuple[int, ...], bool], Reads | None] = {}
        self._open: set[tuple[str, tuple[int, ...], bool]] = set()
        # Whether a result was cut short, because a derived atom led back to itself.
        self._was_cut = False
        self._unfolded: set[str] = set()

    def move(self, state: State, action: Action | None = None) -> None:
        """Go to a position: its state, and the action that is taken from it."""
        self.state = state
        self._action = action
        self._cache = {}

    def is_volatile(self, literal: Literal) -> bool:
        """Return whether a step changes the atom of a literal."""
        return self._volatile.test(*literal[:2])

    def is_true(self, literal: Literal) -> bool:
        """Return whether a literal holds at the present position."""
        p, numbers, value = literal
        return self.state.test(p, numbers) is value

    def cheaper(self, first: Reads | None, second: Reads | None) -> Reads | None:
        """Return the support that depends on fewer changes, or the first one of two equals."""
        if first is None:
            return second
        if second is None:
            return first
        if self._weight(second) < self._weight(first):
            return second
        return first

    def _weight(self, reads: Reads) -> tuple[int, int]:
        """Return the number of literals that steps made so, and of all literals."""
        made_by_steps = sum(not self._held_at_start(requirement) for requirement in reads)
        return made_by_steps, len(reads)

    def _held_at_start(self, requirement: Requirement) -> bool:
        """Return whether a requirement is met in the initial state."""
        if isinstance(requirement, Bound):
            return is_within(value_of(self.start, requirement.term), requirement)
        p, numbers, value = requirement
        return self.start.test(p, numbers) is value

    def literal(self, literal: Literal) -> Reads:
        """Return the literal itself if its atom is volatile; other literals never change."""
        if not self.is_volatile(literal):
            return NOTHING
        return frozenset((literal,))

    def choice(self, parts: Iterable[Part]) -> Reads | None:
        """Return the support of the part that rests on the fewest changes.

        Args:
            parts: The parts, any of which is enough.

        Returns:
            Its requirements; None if no part has its value.
        """
        if self._volatile_terms:
            parts = list(parts)
        cheapest = None
        for part in parts:
            cheapest = self.cheaper(cheapest, self.of(*part))
            if cheapest is not None and not cheapest:
                break  # nothing is cheaper than what always holds
        if cheapest is None or not self._volatile_terms:
            return cheapest
        # If a part cannot be evaluated, the whole cannot: its numbers must stay defined.
        return cheapest.union(*(self._evaluated(formula, env) for formula, env, _ in parts))

    def _evaluated(self, formula: Formula, env: Env) -> Reads:
        """Return the requirements under which a condition can be evaluated.

        These are the present values of its function terms that have no value at the start, or that
        may be divisors. If a part of the condition is not evaluated at present, for example behind
        a false conjunct, the requirements that keep this so are added.
        """
        functions = self._functions_read(formula)
        if not functions:
            return NOTHING
        terms = self._volatile_terms if self._divides(formula) else self._late_terms
        value_bounds: set[Requirement] = set()
        for term in terms:
            if term[0] in functions:
                value_bounds.add(Bound(term, "=", value_of(self.state, term)))
        requirements: Reads = frozenset(value_bounds)
        if self._is_spared(formula, env):
            requirements |= self.as_it_is(formula, env)
        return requirements

    def _functions_read(self, formula: Formula) -> set[int]:
        """Return the numbers of the functions that a condition may compare."""
        functions: set[int] = set()
        for node in formula.walk():
            if isinstance(node, Atom) and node.predicate in self.world.derived:
                # Its rules may compare any number.
                functions.update(self.state.layout.functions.values())
            elif isinstance(node, NumericCondition):
                for function_term in node.function_terms:
                    functions.add(self.state.layout.functions[function_term.predicate])
        return functions

    def _divides(self, formula: Formula) -> bool:
        """Return whether a condition may divide, itself or in the rules of a derived atom."""
        if divides(formula):
            return True
        if not any(divides(axiom.body) for axiom in self.world.domain.axioms):
            return False
        atoms = (node for node in formula.walk() if isinstance(node, Atom))
        return any(atom.predicate in self.world.derived for atom in atoms)

    def _is_spared(self, formula: Formula, env: Env) -> bool:
        """Return whether a comparison in a condition is undefined in the present state.

        Such a condition was decided by its other parts, so that the comparison was not needed. In
        another order of steps it might be.

        Args:
            formula: The condition.
            env: Objects of its variables.
        """
        if isinstance(formula, NumericCondition):
            return self.comparisons(env).truth(formula) is None
        if isinstance(formula, Atom):
            return self.of(formula, env) is None and self.of(formula, env, False) is None
        for inner in self.instances(formula, env) if formula.variables else (env,):
            if any(self._is_spared(operand, inner) for operand in formula.operands):
                return True
        return False

    def instances(self, formula: Formula, env: Env) -> Iterator[Env]:
        """Yield the bindings of its variables, but those that can never decide a condition."""
        wanted = formula.wants if isinstance(formula, Quantifier) else True
        return self.bindings(formula.variables, formula.operands[0], env, want=wanted)

    def derived(self, atom: Atom, env: Env, value: bool) -> Reads | None:
        """Return the support of a derived atom, or of its absence.

        A derivation never uses the derived atom itself, so a rule that leads back to the atom
        fails. The absence of an atom may depend on itself.

        Args:
            atom: The atom.
            env: Objects of its variables.
            value: True for the support of the atom, False for that of its absence.
        """
        key = (atom.predicate, self.numbers(atom.terms, env), value)
        if key in self._cache:
            return self._cache[key]
        if key in self._open:
            self._was_cut = True
            return None if value else NOTHING
        was_cut_before = self._was_cut
        self._was_cut = False
        self._open.add(key)
        rule_bodies = self.bodies(*key)
        reads = self.choice(rule_bodies) if value else self.together(rule_bodies)
        self._open.discard(key)
        # A result that was cut short inside a circle is only right for the atom at which the circle
        # was entered. It is cached only if no derivation is open.
        if not self._was_cut or not self._open:
            self._cache[key] = reads
        self._was_cut = was_cut_before or (self._was_cut and bool(self._open))
        return reads

    def other(self, formula: Formula, env: Env, value: bool) -> Reads | None:
        """Return the support of a quantifier, count or comparison; see :meth:`of`.

        An action is compared with the one that is executed at this position. A quantifier has the
        support of one instance, or of all instances if all are needed for its value.
        """
        if isinstance(formula, ActionAtom):
            names = tuple([self.universe.names[n] for n in self.numbers(formula.terms, env)])
            is_taken = self._action == Action(formula.action, names)
            return NOTHING if is_taken is value else None
        if isinstance(formula, NumericCondition):
            return self._support_of_comparison(formula, env, value)
        if isinstance(formula, Count):
            return self._support_of_count(formula, env, value)
        if isinstance(formula, Quantifier):
            bodies = (
                (formula.body, instance_env, value) for instance_env in self.instances(formula, env)
            )
            # One instance makes "exists" true, and one makes "forall" false.
            if formula.wants is value:
                return self.choice(bodies)
            return self.together(bodies)
        return self._all_parts(formula, env, value)

    def _support_of_comparison(
        self, condition: NumericCondition, env: Env, value: bool
    ) -> Reads | None:
        """Return the bounds on which a comparison rests.

        One that cannot be evaluated has neither value.
        """
        comparisons = self.comparisons(env)
        if comparisons.truth(condition) is not value:
            return None
        return comparisons.bounds(condition, value)

    def why_not(self, formula: Formula, env: Env) -> Reads:
        """Return the literals because of which a condition does not hold.

        An undefined condition depends on all its parts.
        """
        reads = self.of(formula, env, False)
        return self.as_it_is(formula, env) if reads is None else reads

    def as_it_is(self, formula: Formula, env: Env) -> Reads:
        """Return the requirements under which all operands keep their truth values.

        This is more than the support: the support preserves the value of the whole, and this
        preserves the value of each part. It is used for conditions without a single reason.
        """
        operands = formula.operands
        if operands:
            reads: Reads = NOTHING
            for instance_env in self.instances(formula, env) if formula.variables else (env,):
                reads = reads.union(*(self.as_it_is(operand, instance_env) for operand in operands))
            return reads
        # A literal has one of the two values, with two exceptions below: a comparison that cannot
        # be evaluated, and a derived atom without a single reason.
        for value in (True, False):
            support = self.of(formula, env, value)
            if support is not None:
                return support
        if isinstance(formula, NumericCondition):
            return self.comparisons(env).exact((formula.left, formula.right))
        if isinstance(formula, Atom):
            return self._derived_as_it_is(formula, env)
        return NOTHING

    def _derived_as_it_is(self, atom: Atom, env: Env) -> Reads:
        """Return the requirements under which an underivable atom remains so.

        All bodies of its rules have to stay as they are; a body that leads back to the atom asks
        for nothing new.
        """
        key = (atom.predicate, self.numbers(atom.terms, env), True)
        if key in self._open:
            return NOTHING
        self._open.add(key)
        reads = NOTHING.union(
            *(self.as_it_is(body, binding) for body, binding, _ in self.bodies(*key))
        )
        self._open.discard(key)
        return reads

    def comparisons(self, env: Env) -> Comparisons:
        """Return the finder of bounds at the present position, for a binding of variables."""
        return Comparisons(
            self.state, self.start, self._volatile_terms, lambda term: self.key_of(term, env)
        )

    def key_of(self, term: Atom, env: Env) -> Key:
        """Return the key of a function term whose variables are bound."""
        return (self.state.layout.functions[term.predicate], *self.numbers(term.terms, env))

    def _all_parts(self, formula: Formula, env: Env, value: bool) -> Reads | None:
        """Return a support in which every part of a formula keeps its truth value.

        The support is not minimal. It is used for formulas that pair objects off or compare sides,
        because these do not say which pairs are formed or which side decides.
        """
        instances = list(self.instances(formula, env))
        values: list[bool] = []
        supports: list[Reads] = []
        for instance_env in instances:
            for part in formula.operands:
                # A part has a support for the value that it has at present, true or false.
                reads = self.of(part, instance_env)
                values.append(reads is not None)
                if reads is None:
                    reads = self.of(part, instance_env, False) or NOTHING
                supports.append(reads)
        if isinstance(formula, ForPairs):
            holds = self._are_paired(formula, instances, values)
        else:
            holds = bool(formula.combine(Bits(1), [int(is_true) for is_true in values]))
        return NOTHING.union(*supports) if holds is value else None

    def _are_paired(
        self, formula: ForPairs, instances: Sequence[Env], values: Sequence[bool]
    ) -> bool:
        """Return whether enough pairs can be formed among the instances that hold.

        Args:
            formula: The pairing.
            instances: Bindings of its two variables.
            values: Whether the body holds for each of them.
        """
        names = self.universe.names
        left, right = (variable.name for variable in formula.variables)
        edges = {}
        for env, is_true in zip(instances, values, strict=True):
            pair = (names[env[left]], names[env[right]])
            if is_true and pair[0] != pair[1]:  # nothing is paired with itself
                edges[pair] = 1
        first, second = (self.universe.of_types(v.types) for v in formula.variables)
        return bool(formula.paired(Bits(1), edges, (first, second)))

    def _support_of_count(self, formula: Count, env: Env, value: bool) -> Reads | None:
        """Return the support of a counting formula.

        "At least n" depends on the n true instances with the cheapest supports, and "at most n" on
        all false instances.
        """
        limit = formula.number
        body = formula.body
        if formula.comparison == "exactly":
            at_least = Count(limit, formula.variable, body, "at least")
            at_most = Count(limit, formula.variable, body, "at most")
            return self.of(And((at_least, at_most)), env, value)
        if not value:
            return self.of(formula.negated(), env)
        supports_of_true: list[Reads] = []
        supports_of_false: list[Reads] = []
        for instance_env in self.instances(formula, env):
            reads = self.of(body, instance_env)
            if reads is None:
                supports_of_false.append(self.of(body, instance_env, False) or NOTHING)
            else:
                supports_of_true.append(reads)
        if formula.comparison == "at most":
            if len(supports_of_true) > limit:
                return None
            return NOTHING.union(*supports_of_false)
        if len(supports_of_true) < limit:
            return None
        # Any n of the true instances would do; a small support leaves steps the most freedom.
        cheapest = sorted(supports_of_true, key=self._weight)[: max(limit, 0)]
        return NOTHING.union(*cheapest)

    # ------------------------------------------------------------------ the objects that matter
    def bindings(
        self, variables: Sequence[Variable], body: Formula, env: Env, *, want: bool
    ) -> Iterator[Env]:
        """Yield the variable bindings for which a condition may have the wanted value.

        The result may contain additional bindings, but none is missing.

        Args:
            variables: The variables.
            body: The condition.
            env: Objects of other variables.
            want: Whether the condition has to hold.
        """
        if not variables:
            yield env
            return
        bound_names = {variable.name for variable in variables}
        outer_env = {
            name: object_number for name, object_number in env.items() if name not in bound_names
        }
        first_variable, *other_variables = variables
        # One variable at a time, since each object restricts the candidates of later variables.
        candidates = self.objects(body, first_variable.name, outer_env, want) & self.universe.mask(
            first_variable.types
        )
        for object_number in bits(candidates):
            yield from self.bindings(
                other_variables, body, {**outer_env, first_variable.name: object_number}, want=want
            )

    def objects(self, formula: Formula, name: str, env: Env, want: bool) -> int:
        """Return a superset of the objects for which a condition may be as wanted (-1: all).

        Args:
            formula: The condition.
            name: The variable that the objects stand for.
            env: Objects of other variables; variables that are not there are open.
            want: The value that the condition must have, here or at another position.
        """
        if isinstance(formula, Atom):
            return self._objects_of_atom(formula, name, env, want)
        if isinstance(formula, Equal) and want:
            return self._object_equal_to(formula, name, env)
        needed = formula.needs(want)
        bound_names = {variable.name for variable in formula.variables}
        if needed is None or name in bound_names:
            return _ALL
        # A name that the formula itself binds refers to other objects inside of it.
        inner_env = {
            other_name: object_number
            for other_name, object_number in env.items()
            if other_name not in bound_names
        }
        masks = (
            self.objects(part, name, inner_env, part_value) for part, part_value in needed.parts
        )
        return _combined(masks, every=needed.every)

    def _object_equal_to(self, formula: Equal, name: str, env: Env) -> int:
        """Return the one object that makes an equation true, if its other side is bound."""
        # "?x = cup" and "cup = ?x" both say which object ?x is.
        for own_term, other_term in (formula.terms, formula.terms[::-1]):
            object_number = self._number(other_term, env)
            if (
                isinstance(own_term, Variable)
                and own_term.name == name
                and object_number is not None
            ):
                return 1 << object_number
        return _ALL

    def _number(self, term: Term, env: Env) -> int | None:
        """Return the number of a term's object; None if it is an open variable."""
        if isinstance(term, Variable):
            return env.get(term.name)
        return self.universe.number(term)

    def _objects_of_atom(self, atom: Atom, name: str, env: Env, want: bool) -> int:
        """Return the objects for which an atom has, or elsewhere may have, the wanted value.

        Args:
            atom: The atom.
            name: Name of the variable that stands for the objects.
            env: Objects of the other variables.
            want: Whether the atom has to hold.

        Returns:
            A mask of objects; ``_ALL`` if nothing can be told, such as for relations of three
            objects.
        """
        positions = locations(atom, name)
        if len(positions) != 1:
            return _ALL
        position = positions[0]
        object_numbers = [self._number(term, env) for term in atom.terms]
        if atom.predicate in self.world.derived:
            return self._objects_by_rules(atom.predicate, position, object_numbers, want)
        predicate = self.world.layout.index[atom.predicate]
        if len(object_numbers) == 1:
            true_now = self.state.unary[predicate]
            volatile = self._volatile.unary[predicate]
        else:
            partner = object_numbers[1 - position] if len(object_numbers) == 2 else None
            if partner is None:
                return _ALL  # a relation of three objects has no row or column
            if position:
                true_now = self.state.rows[predicate][partner]
                volatile = self._volatile.rows[predicate][partner]
            else:
                true_now = self.state.cols[predicate][partner]
                volatile = self._volatile.cols[predicate][partner]
        # A volatile atom may have either value at another position, so it is never left out.
        return true_now | volatile if want else ~(true_now & ~volatile)

    def _objects_by_rules(
        self, predicate: str, position: int, object_numbers: Sequence[int | None], want: bool
    ) -> int:
        """Return the objects for which some rule, or no rule, may derive an atom.

        Args:
            predicate: Predicate of the atom.
            position: Index of the argument that the objects are tried for.
            object_numbers: The other arguments; None for those that are open.
            want: Whether the atom has to be derived.
        """
        rules = self.rules.get(predicate)
        if not rules or predicate in self._unfolded:
            return _ALL
        is_typed = any("object" not in v.types for head, _ in rules for v in head)
        if is_typed and not want:
            return _ALL  # atoms of objects of other types are never derived
        # Recursion would not end at a rule that uses its own predicate: inside of a rule, the
        # predicate gives no information.
        self._unfolded.add(predicate)
        masks = []
        for head, body in rules:
            env = {v.name: n for v, n in zip(head, object_numbers, strict=True) if n is not None}
            masks.append(self.objects(body, head[position].name, env, want))
        self._unfolded.discard(predicate)
        return _combined(masks, every=not want)
