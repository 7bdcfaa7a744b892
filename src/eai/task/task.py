"""Tasks: one problem each, with its goal, its vocabulary and its reference plans."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

from eai.errors import InputError

if TYPE_CHECKING:
    from typing_extensions import Self

    # Evaluations that run no answers need neither a world nor logic.
    from eai.logic import Formula, LogicVocabulary, Rule
    from eai.pddl import Domain
    from eai.world import Action, State, World

Kind = TypeVar("Kind")


EMPTY_ANSWER_COUNTS = "empty_answer_counts"
"""Key in the metadata of a task that says that an answer which does nothing may solve it."""


class ActionGoal(NamedTuple):
    """An action that the goal requires, given as alternatives of which one suffices.

    Args:
        names: Operator names, in the order in which they are tried.
    """

    names: tuple[str, ...]

    def __str__(self) -> str:
        return "|".join(name.upper() for name in self.names)


@dataclass(frozen=True, slots=True)
class Goal:
    """The goal of a task.

    A *simple* goal is a sequence of actions and a conjunction of literals about the final
    state (paper, Table 1 and section 2.2). ``options`` lists the simple goals that entail the
    goal; most tasks have exactly one.

    Args:
        text: The goal in the notation of the Embodied Agent Interface; empty if there is none.
        formula: The same as a tree; None if the task has no goal.
        final: Conditions on the final state, each with its kind (``"state"``/``"relation"``).
            Alternatives are several tuples; the best one counts.
        actions: The demanded actions, in order.
        whole: Whether the formula has to hold on the whole trajectory, beside the conditions on
            the final state and the actions.
        is_path: Whether the formula is about what happens on the way, which reports then count for
            itself.
    """

    text: str = ""
    formula: Formula | None = None
    final: tuple[tuple[tuple[str, Formula], ...], ...] = ((),)
    actions: tuple[ActionGoal, ...] = ()
    whole: bool = True
    is_path: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether the goal requires nothing, so that every plan satisfies it."""
        if self.actions or any(self.final):
            return False
        # A formula that need not hold demands nothing.
        return not self.whole or self.formula is None

    @property
    def is_extended(self) -> bool:
        """Whether the formula is about more than the final state."""
        from eai.logic import ActionAtom, atoms

        if self.formula is None:
            return False
        if self.formula.is_temporal:
            return True
        return any(isinstance(atom, ActionAtom) for atom in atoms(self.formula))


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The names that answers may use.

    Args:
        actions: Operator name to the number of objects that a plan gives it.
        objects: Names of the objects that an answer may mention, in a fixed order.
        classes: Class name (an object's name without its id) to its objects, in the order in
            which a name without id is tried.
        reader: Reads an answer that is not written in the usual way, with the names as they are
            here: an :class:`eai.answers.PlanReading`.
    """

    actions: Mapping[str, int]
    predicates: Mapping[str, int]
    objects: frozenset[str]
    classes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    reader: Callable[..., Any] | None = field(default=None, compare=False, repr=False)

    @classmethod
    def of(cls, domain: Domain, objects: Iterable[str], *, has_agent: bool = True) -> Vocabulary:
        """Return all actions and predicates of a domain, with some objects.

        Derived predicates are no part of it.

        Args:
            domain: The domain.
            objects: Names of the objects that an answer may mention.
            has_agent: Whether the first parameter of every action is the agent, which plans do not
                name. A task without an agent (``agent=""``) has none.
        """
        agent_parameters = int(has_agent)
        actions = {}
        for name, operator in domain.operators.items():
            actions[name] = len(operator.parameters) - agent_parameters
        predicates = {}
        for name, predicate in domain.predicates.items():
            if name not in domain.derived:
                predicates[name] = predicate.arity
        return cls(actions, predicates, frozenset(objects))


@dataclass(frozen=True, slots=True)
class Task:
    """One problem of a suite: a world, its initial state, and a goal.

    Explanations, causes, repairs, rewards and agents work on this and on nothing else. A suite
    whose world has more than the domain says derives a class of its own and overrides
    :attr:`world` or :attr:`readable`.

    Args:
        id: Identifier, unique in the suite.
        name: Category (``"Wash clothes"``).
        instruction: The instruction to the agent, in words.
        start: The initial state (it knows its objects and their types).
        agent: Name of the object that acts; empty if nobody does, and plans name all arguments.
        vocabulary: The names that an answer may mention.
        plans: Reference plans; the first is the annotated one.
        no_plan: The reason why there is no plan, if the suite looked for one and found none.
        metadata: Anything else that the benchmark says about it.
        skips: Whether a step that cannot be done, but whose effects hold, is passed over.
        rules: Rules of its own that plans have to keep on the way (:mod:`eai.logic.rules`).
    """

    id: str
    name: str
    instruction: str
    start: State
    agent: str
    goal: Goal
    vocabulary: Vocabulary
    plans: tuple[tuple[Action, ...], ...] = ()
    metadata: Mapping[str, object] = field(default_factory=dict)
    skips: bool = True
    no_plan: str = ""
    rules: tuple[Rule, ...] = ()

    @classmethod
    def question(
        cls,
        id: str,  # noqa: A002 - as the field is called
        instruction: str,
        *,
        name: str = "question",
        goal: str = "",
        metadata: Mapping[str, object] | None = None,
    ) -> Task:
        """Return a task that is a question, which needs no world.

        Args:
            id: Identifier, unique in the suite.
            instruction: The question.
            name: Category.
            goal: The right answer, for readers of reports.
            metadata: Values that the answer is evaluated with.
        """
        from eai.pddl import Domain
        from eai.world import World

        # Every task has a start, whose domain says what its formulas may mention: nothing.
        empty_state = World(Domain("nothing")).state({}, ())
        empty_vocabulary = Vocabulary({}, {}, frozenset())
        return cls(
            id,
            name,
            instruction,
            empty_state,
            "",
            Goal(goal),
            empty_vocabulary,
            metadata=metadata or {},
        )

    def about(self, key: str, kind: type[Kind]) -> Kind:
        """Return the value of a metadata key, after checking its type.

        Raises:
            InputError: If it is not a value of this kind: the task is of another suite.
        """
        value = self.metadata.get(key)
        if isinstance(value, kind):
            return value
        raise InputError(
            f"{self.id!r} is a task of another suite",
            where=key,
            expected=f"a task with {kind.__name__} in its metadata",
        )

    def check_agent(self) -> None:
        """Raise an error if the agent is not one of the objects.

        Raises:
            UnknownNameError: If it is none.
        """
        if self.agent:
            self.start.universe.number(self.agent)

    def check_goal(self) -> None:
        """Raise an error for a goal that every answer satisfies.

        Raises:
            InputError: If it has no goal.
        """
        if self.goal.is_empty:
            raise InputError(
                f"the task {self.id!r} has no goal, so any answer would solve it",
                mend="give it one: goal=eai.task.goals.goal_from_formula(formula)",
            )

    def with_rules(self, rules: Iterable[Rule]) -> Self:
        """Return the task with the given rules in place of its own.

        Rules that name other tasks are left out.

        Raises:
            InputError: If a rule speaks of something that the task does not have.
        """
        applicable_rules = tuple(
            [rule for rule in rules if not rule.tasks or self.id in rule.tasks]
        )
        # Unknown names raise an error here, and not only when the first plan has been run.
        names = self.logic_names()
        for rule in applicable_rules:
            rule.formula_for(names)
        return replace(self, rules=applicable_rules)

    @property
    def world(self) -> World:
        """The world in which its plans run by the definitions (semantics ``strict``)."""
        from eai.world import world_of

        return world_of(self.start.layout.domain)

    @property
    def readable(self) -> Vocabulary:
        """All names that an answer may mention; more than :attr:`vocabulary` if that is chosen."""
        return self.vocabulary

    def logic_names(self) -> LogicVocabulary:
        """Return the names for formulas about the task, with the objects' types."""
        from eai.logic import LogicVocabulary

        universe = self.start.universe
        declared = universe.domain.predicates
        predicates = {name: predicate.arity for name, predicate in declared.items()}
        functions = {}
        if universe.domain.has_numbers:
            for name, function in universe.domain.functions.items():
                functions[name] = len(function.parameters)
        return LogicVocabulary(
            # Those of the vocabulary may be spelled otherwise, or be known to the suite only.
            {**predicates, **self.vocabulary.predicates},
            self.vocabulary.actions,
            universe.objects,
            {"object": "object", **universe.domain.types},
            functions=functions,
        )

    def _repr_html_(self) -> str:
        from eai.display import table

        goal = self.goal.text or self.goal.formula
        rows: list[tuple[str, object]] = [("Instruction", self.instruction), ("Goal", goal)]
        if self.plans:
            rows.append(("Reference plan", "\n".join(map(str, self.plans[0]))))
        agent = f"the agent is {self.agent or 'none'}"
        rows.append(("Objects", f"{len(self.vocabulary.objects)}; {agent}"))
        return table((), rows, caption=f"{self.id}: {self.name}")


@lru_cache(maxsize=1 << 10)  # each literal of a goal is asked for several times
def literal_kind(formula: Formula) -> str:
    """Return the kind of a final-state condition: ``"state"`` for one object or ``"relation"``."""
    from eai.logic import Atom, atoms

    for atom in atoms(formula):
        if isinstance(atom, Atom) and len(atom.terms) > 1:
            return "relation"
    return "state"


class ActedTask(Task):
    """A task for acting only, as its domain alone does not define the actions.

    A suite derives a class of its own.

    Attributes:
        suite: Name of the suite.
        reason: The reason why there are no plans as a whole.
    """

    __slots__ = ()
    suite: ClassVar[str]
    reason: ClassVar[str]

    @property
    def world(self) -> World:
        """Raise an error, as plans cannot be executed.

        Raises:
            InputError: Always.
        """
        raise InputError(
            f"{self.id!r} has no whole plans to evaluate: {self.reason}",
            expected="a task of a suite that evaluates plans",
            mend=f"act step by step: eai interact {self.suite} {self.id!r}",
        )
