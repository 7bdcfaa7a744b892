"""The world of RoboBench: what skills do, what gold plans take for granted, and rollouts.

There is no picture, so the initial state is read off the gold plan: what it needs and nothing has
set is true; what it opens is closed before, and what it takes out of that is inside; the map of a
navigation is its route. Preconditions that a gold plan violates are waived for answers too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import NamedTuple

from eai.data import read_json, read_text
from eai.diagnosis import ErrorKind, Finding, Run
from eai.logic import Atom, Formula, Not, Or, conjuncts
from eai.pddl import parse_condition, parse_domain
from eai.simulators import Execution, Symbolic, execute
from eai.suites.robobench import names as words
from eai.suites.robobench.names import Name, NameMap, name_of
from eai.suites.robobench.plans import Step
from eai.suites.robobench.vocabulary import ARMS
from eai.world import Action, State, World, world_of
from eai.world.bits import bits

# Names with a sign are objects of the domain, so no thing of a plan can be called like one.
ROBOT, ARM, ANY_ARM, UNSAID = "@robot", "@arm", "@any", "~"
_HEADINGS = ("@north", "@east", "@south", "@west")
_FIXED = {
    ROBOT: "robot",
    "@none": "thing",
    "@start": "thing",
    ARM: "arm",
    "@left": "arm",
    "@right": "arm",
    **dict.fromkeys(_HEADINGS, "heading"),
    UNSAID: "way",
    **{f"~{direction}": "way" for direction in words.table()["directions"]},
}
"""The objects that every task has, with their types; a ``~`` begins a direction of turning."""
_CLOCKWISE = zip(_HEADINGS, (*_HEADINGS[1:], _HEADINGS[0]), strict=True)
_STATIC = (
    Atom("nothing", ("@none",)),
    Atom("unsaid", (UNSAID,)),
    Atom("pose", ("@start",)),
    Atom("heading", (_HEADINGS[0],)),
    *(Atom("clockwise", pair) for pair in _CLOCKWISE),
)
"""Facts that hold at the start of every task."""
_OPERATORS = read_json("domains/robobench/operators.json")
"""Facts about the operators that PDDL cannot say.

``tests`` has the reason that each failed test of a precondition stands for, in the order of the
domain. Other keys have the effect that an operator is for (a fact or its negation, and the
arguments in it), and the operators that do more when they are repeated.
"""

BUSY = "gripper busy"
# Maximum number of cached steps, as answers may have arbitrarily many.
_MAX_KEPT_STEPS = 1 << 12
TAKING = ("grasp", "pick_up")
IDLE = ("no_ops", "write", "move_away_from", "special_action")
_SWITCHES = {(True, True): "open_up", (True, False): "shut", (False, True): "activate"}
"""Whether a step is about a lid or door, and whether it opens or starts, to its operator."""


@cache
def world() -> World:
    """Return the world, compiled once."""
    text = read_text("domains/robobench/domain.pddl")
    return world_of(parse_domain(text, source="domains/robobench/domain.pddl"))


class StepMeaning:
    """Translates steps into graph nodes and actions with respect to one gold plan.

    Args:
        gold: The steps of the gold plan.
        names: Maps the names of objects in a plan to those in the gold plan.
    """

    def __init__(self, gold: Sequence[Step], names: NameMap) -> None:
        """Collect what the gold plan tells about objects: what opens, is pressed, or is poured."""
        self.names = names
        self.armed = any(step.arm for step in gold)
        # Cache of the nodes and actions of steps.
        self._meanings: dict[object, tuple[tuple[str, ...], Action | None]] = {}
        self._hinged = {names(step.arguments[0]) for step in gold if self._opens_or_closes(step)}
        self._pressed = {names(step.arguments[1]) for step in gold if step.skill == "press"}
        self._contents = {
            names(step.arguments[1])
            for step in gold
            if step.skill in ("scoop", "pour") and step.arguments[1]
        }

    def _opens_or_closes(self, step: Step) -> bool:
        """Return whether a gold step shows that its object can open and close."""
        if step.skill in ("push", "pull"):
            return words.sense_of(step.arguments[1]) is not None
        if step.skill == "turn":
            return words.is_lid(self.names(step.arguments[0]))
        return step.skill in ("open", "close")

    def node_and_action(self, step: Step) -> tuple[tuple[str, ...], Action | None]:
        """Return the graph node and the action of a step. The last few thousand are cached."""
        key = step.skill, step.arguments, step.arm
        meaning = self._meanings.get(key)
        if meaning is None:
            meaning = self.node(step), self.action(step)
            if len(self._meanings) < _MAX_KEPT_STEPS:
                self._meanings[key] = meaning
        return meaning

    def is_hinged(self, name: Name) -> bool:
        """Whether something opens and closes, by its name or by what the gold plan does."""
        return words.is_hinged(name) or name in self._hinged

    def sense(self, step: Step) -> bool | None:
        """Return True if a step opens or starts something, False for the opposite, else None."""
        skill, arguments = step.skill, step.arguments
        if skill in ("open", "turn_on"):
            return True
        if skill in ("close", "turn_off"):
            return False
        if skill not in ("push", "pull", "turn"):
            return None
        written_state = words.sense_of(arguments[-1])
        if written_state is not None:
            return written_state
        if skill == "turn" or not self.is_hinged(self.names(arguments[0])):
            return None
        # A drawer is opened by pulling it, a door also by pushing it in a direction that opens.
        direction = words.direction_of(arguments[1])
        if direction in words.table()["opens"]:
            return True
        if direction in words.table()["closes"]:
            return False
        return skill == "pull"

    def node(self, step: Step) -> tuple[str, ...]:
        """Return the graph node of a step. Two steps match if their nodes are equal."""
        arm = step.arm if self.armed and step.skill not in ("mobile", "observation") else ""
        if not step.is_possible:
            # The mark keeps it apart from a step that is possible and has the same arguments.
            return (step.skill, arm, "?", *step.arguments)
        keys = [
            self._comparable_argument(step, position) for position in range(len(step.arguments))
        ]
        return (step.skill, arm, *keys)

    def _comparable_argument(self, step: Step, position: int) -> str:
        """Return an argument of a step in the form in which arguments are compared."""
        text = step.arguments[position]
        if step.skill == "transfer" and position < 2:
            for arm in ARMS:
                if arm in text.casefold():
                    return arm
            return text
        if step.skill == "turn" and position > 0:
            return words.value_of(text)
        if step.skill in ("push", "pull") and position > 0:
            opens = self.sense(step)
            if opens is None:
                return words.direction_of(text) or str(self.names(text))
            # For doors and drawers it matters whether they open, not in which direction.
            return "yes" if opens else "no"
        return str(self.names(text))

    def action(self, step: Step) -> Action | None:
        """Return the action of a step, or None if the step is impossible."""
        if not step.is_possible:
            return None
        skill = step.skill
        if skill in IDLE:
            return Action("wait")
        # Skills without a hand come first, as they need no arm.
        things = tuple(map(self._thing, step.arguments))
        if skill == "observation":
            return Action("observe", things)
        if skill == "mobile":
            return Action("drive", things)
        if skill in ("turn_left", "turn_right", "turn_back", "go_forward"):
            return Action(skill, things)
        return self._manipulation_action(step, self._arm_of(step), things)

    def _thing(self, text: str) -> str:
        """Return the object of the world that an argument names."""
        return "@none" if text.casefold() == words.NONE else str(self.names(text))

    def _arm_of(self, step: Step) -> str:
        """Return the arm of a step: where the gold plan names no arms, there is only one."""
        if not self.armed:
            return ARM
        return f"@{step.arm}" if step.arm else ANY_ARM

    def _manipulation_action(self, step: Step, arm: str, things: tuple[str, ...]) -> Action | None:
        """Return the action of an arm's skill, or None if the step is impossible.

        Args:
            step: The step.
            arm: The arm that takes it.
            things: The objects of the world that its arguments name.
        """
        skill = step.skill
        if skill == "transfer":
            return self._transfer_action(step, things[2])
        # This comes first, since pushing a drawer shut is not pushing an object.
        if self.sense(step) is not None:
            return self._switch_action(step, arm, things[0])
        if skill in ("push", "pull"):
            if skill == "push" and self._is_button(self.names(step.arguments[0])):
                return Action("press", (arm, "@none", things[0]))
            direction = words.direction_of(step.arguments[1])
            return Action("shift", (arm, things[0], direction or things[1]))
        if skill == "turn":
            # The new orientation is an object of its own, ``=left/45``, made of the node's values.
            orientation = "=" + "/".join(self.node(step)[3:])
            return Action("rotate", (arm, things[0], orientation))
        if skill in ("fold", "unfold"):
            # A half of a towel is folded, but it is the towel that is then folded.
            folded = str(words.whole(self.names(step.arguments[0])))
            return Action(skill, (arm, things[0], folded, things[1]))
        if skill in ("scoop", "pour"):
            content = self._content(step.arguments[1], things[1])
            return Action(skill, (arm, things[0], content, things[2]))
        renamed = {"plug": "insert", "unplug": "pullout"}
        return Action(renamed.get(skill, skill), (arm, *things))

    def _transfer_action(self, step: Step, thing: str) -> Action | None:
        """Return the action that hands an object to the other arm, or None without two arms."""
        arms = []
        for position in (0, 1):
            side = self._comparable_argument(step, position)
            if side not in ARMS:
                return None
            arms.append(f"@{side}" if self.armed else ARM)
        return Action("transfer", (*arms, thing))

    def _switch_action(self, step: Step, arm: str, thing: str) -> Action:
        """Return the action of a step that opens, closes, starts or stops something.

        Args:
            step: The step.
            arm: The arm that takes it.
            thing: The object that is opened, closed, started or stopped.
        """
        name = self.names(step.arguments[0])
        has_lid = step.skill in ("open", "close") and words.is_box(name)
        is_opening = (has_lid or self.is_hinged(name)) and not runs(step)
        turns_on = bool(self.sense(step))
        operator = _SWITCHES.get((is_opening, turns_on), "deactivate")
        direction = ""
        if step.skill == "turn":
            direction = words.direction_of(step.arguments[1])
        if not direction:
            return Action(operator, (arm, thing, UNSAID))
        # The action has the direction that opens or starts, as the other one follows from it.
        if not turns_on:
            direction = words.opposite(direction)
        return Action(operator, (arm, thing, f"~{direction}"))

    def _is_button(self, name: Name) -> bool:
        """Whether something is pressed: a button, or an object that the gold plan presses."""
        return name in self._pressed or "".join(name.words[-1:]) in words.table()["pressed"]

    def _content(self, text: str, thing: str) -> str:
        """Return the contents that a step moves, or a placeholder if a plan leaves them open.

        Args:
            text: The contents as the step names them.
            thing: The object of the world that has this name.
        """
        gold_contents = {str(content) for content in self._contents}
        # Unknown contents are those of the gold plan, if it has only one.
        is_unknown = name_of(text).words[-1:] == (words.UNKNOWN,)
        if is_unknown and len(gold_contents) == 1:
            return next(iter(gold_contents))
        if thing not in gold_contents and words.UNKNOWN in gold_contents:
            return words.UNKNOWN
        return thing


def runs(step: Step) -> bool:
    """Whether a step starts or stops something, also where that opens and closes, too."""
    if step.skill in ("turn_on", "turn_off"):
        return True
    return step.skill in ("push", "pull", "turn") and words.is_switched(step.arguments[-1])


class Waived(NamedTuple):
    """A precondition that the gold plan itself violates, by its index among an operator's tests."""

    operator: str
    test: int

    @property
    def reason(self) -> str:
        """The reason that a failed test stands for, in words."""
        reason: str = _OPERATORS["tests"][self.operator][self.test]
        return reason

    def __str__(self) -> str:
        return f"{self.operator}: {self.reason}"


class SkippingRules:
    """Execution rules by which impossible steps are skipped and the plan continues.

    Args:
        waived: Preconditions that do not count.
        gold: Whether this is the gold plan: what it needs is assumed, or else waived.
        assume: Whether anything may be assumed.
    """

    def __init__(
        self, waived: Iterable[Waived] = (), *, gold: bool = False, assume: bool = True
    ) -> None:
        self.waived = dict.fromkeys(waived)
        self._gold, self._assume = gold, assume

    def take(self, run: Run, action: Action, number: int) -> tuple[str, Finding | None]:
        """Execute a step, or skip it if it is not applicable.

        See :meth:`eai.diagnosis.Rules.take`.
        """
        if action.arguments[:1] == (ANY_ARM,):
            action = _with_able_arm(run, action)
        numbers = run.numbers(action)
        failed_tests = self._failed_tests(run, action, numbers)
        if failed_tests and not self._gold:
            return "skipped", _finding(failed_tests[0], number)
        # The gold plan is right by definition, so a test that it fails is assumed or waived.
        for test in failed_tests:
            self._assume_or_waive(run, action, test)
        run.record(action, number, run.world.apply(run.state, action.name, numbers))
        return "done", None

    def _failed_tests(self, run: Run, action: Action, numbers: tuple[int, ...]) -> Sequence[Waived]:
        """Return the failed tests of an action that are not waived."""
        # Most steps fail in no test, and this asks for the first one alone.
        if run.world.first_failure(run.state, action.name, numbers) < 0:
            return ()
        failed = []
        for index in run.world.failures(run.state, action.name, numbers):
            test = Waived(action.name, index)
            if test not in self.waived:
                failed.append(test)
        return failed

    def _assume_or_waive(self, run: Run, action: Action, test: Waived) -> None:
        """Add the facts that a gold step needs to the initial state, or else waive the test."""
        atoms = self._needed_facts(run, action, test.reason) if self._assume else ()
        # Facts that a step of the gold plan undid before cannot be assumed of the start.
        if not atoms:
            self.waived[test] = None
        # To the start and to the present state, as all steps between have left these facts alone.
        for atom in atoms:
            for state in (run.start, run.state):
                state.add(atom.predicate, tuple(map(str, atom.terms)))

    @staticmethod
    def _needed_facts(run: Run, action: Action, reason: str) -> tuple[Atom, ...]:
        """Return facts missing at the start, or none if a step has changed them since."""
        if reason == "not ahead":
            return _needed_map(run, action)
        if reason != "not there":
            return ()
        position = _needed_position(action)
        was_there_once = run.trajectory.condition(position) != 0  # a bit for each state so far
        return () if was_there_once else (position,)


def _with_able_arm(run: Run, action: Action) -> Action:
    """Return an action with an arm that is able to do it, or else the first arm."""
    choices = [Action(action.name, (f"@{arm}", *action.arguments[1:])) for arm in ARMS]
    for choice in choices:
        if run.world.first_failure(run.state, choice.name, run.numbers(choice)) < 0:
            return choice
    return choices[0]


def _finding(failed: Waived, number: int) -> Finding:
    """Return the error of a step that failed a test."""
    kind = ErrorKind.MISSING_STEP
    if failed.reason in (BUSY, "closed"):
        kind = ErrorKind.WRONG_ORDER
    return Finding(kind, failed.reason, number)


def _needed_position(action: Action) -> Atom:
    """Return the atom that the object of an action is in a place or in a tool."""
    if action.name == "pullout":
        _, thing, place = action.arguments
        return Atom("at", (thing, place))
    _, tool, thing, source = action.arguments
    # Scooping takes the contents out of the source, and pouring takes them out of the tool.
    location = source if action.name == "scoop" else tool
    return Atom("at", (thing, location))


def _needed_map(run: Run, action: Action) -> tuple[Atom, ...]:
    """Return atoms: the target of a move lies ahead, and the way back leads here."""
    state = run.state
    [pose] = bits(state.unary[state.layout.index["pose"]])
    here = state.universe.names[pose]
    heading = next(heading for heading in _HEADINGS if state.holds("heading", (heading,)))
    back = _HEADINGS[(_HEADINGS.index(heading) + 2) % 4]  # the opposite of four in a circle
    [target] = action.arguments
    return (Atom("ahead", (here, heading, target)), Atom("ahead", (target, back, here)))


def universe_of(actions: Iterable[Action | None]) -> dict[str, str]:
    """Return the objects in some actions with their types."""
    objects = dict(_FIXED)
    names: dict[str, None] = {}
    for action in actions:
        if action is not None:
            names.update(dict.fromkeys(action.arguments))
    for name in names:
        # "Any arm" is not an object, but stands for an arm that is able to act.
        if name not in objects and name != ANY_ARM:
            objects[name] = "orientation" if name.startswith("=") else "thing"
    return objects


Precedes = Callable[[int, int], bool]
"""Whether a step of the gold plan has to come before another, by their 0-based numbers."""


def initial_atoms(
    actions: Sequence[Action | None],
    scene: Sequence[Atom] | None,
    meaning: StepMeaning,
    precedes: Precedes,
) -> list[Atom]:
    """Return the initial facts that can be inferred from a gold plan without executing it.

    Args:
        actions: The action of each step; None for an impossible one.
        scene: Facts that the user gives; None to infer them.
        meaning: Knows the names of objects.
        precedes: Whether a step has to come before another one.
    """
    indexed_actions = [
        (index, action) for index, action in enumerate(actions) if action is not None
    ]
    possible_actions = [action for _, action in indexed_actions]
    atoms = [*_STATIC, *_guides(possible_actions)]
    if scene is not None:
        return [*atoms, *scene]
    # Each of these reads the whole gold plan. An atom may be listed twice.
    atoms += _infer_first_states(possible_actions)
    atoms += _infer_covers(possible_actions, meaning)
    atoms += _infer_machines(possible_actions, meaning)
    atoms += _infer_containment(indexed_actions, meaning, precedes)
    return atoms


def _guides(actions: Sequence[Action]) -> list[Atom]:
    """Return the directions in which knobs and lids turn, according to the gold plan."""
    atoms = []
    for action in actions:
        if action.name in ("open_up", "shut", "activate", "deactivate"):
            _, thing, direction = action.arguments
            if direction != UNSAID:
                atoms += [Atom("guided", (thing,)), Atom("turns", (thing, direction))]
    return atoms


def _infer_first_states(actions: Sequence[Action]) -> list[Atom]:
    """Return the initial open, closed and running states: the opposite of the first changes."""
    atoms = []
    changed_attributes: set[tuple[str, str]] = set()
    for action in actions:
        if action.name not in _STATE_CHANGES:
            continue
        attribute, value_before = _STATE_CHANGES[action.name]
        thing = action.arguments[2 if action.name == "press" else 1]
        is_first_change = (thing, attribute) not in changed_attributes
        if value_before and is_first_change:
            atoms.append(Atom(value_before, (thing,)))
        changed_attributes.add((thing, attribute))
    return atoms


_STATE_CHANGES = {
    "open_up": ("door", "closed"),
    "shut": ("door", "open"),
    "activate": ("power", ""),
    "press": ("power", ""),
    "deactivate": ("power", "active"),
}
"""Action to the attribute it changes, and the value before the first such action."""


_TARGET_POSITIONS = {"place": 2, "insert": 2, "pullout": 2, "scoop": 3, "pour": 3}
"""Action to the position of the argument that it puts into, or takes out of."""


def _target(action: Action) -> str:
    """Return the container that an action puts into or takes out of; empty if none."""
    position = _TARGET_POSITIONS.get(action.name)
    return "" if position is None else action.arguments[position]


def _infer_covers(actions: Sequence[Action], meaning: StepMeaning) -> list[Atom]:
    """Return the initial facts about lids and doors that plans name as objects of their own.

    The box of a cover follows from its name ("pot lid"), or from the actions with it. A lid that is
    taken away before its box is used lies on the box at the start.
    """
    atoms: list[Atom] = []
    named_things = set(chain(*(action.arguments for action in actions)))
    handled_things = [action.arguments[1] for action in actions if len(action.arguments) > 1]
    for cover in dict.fromkeys(handled_things):
        name = meaning.names(cover)
        if not words.is_cover(name):
            continue
        box = str(words.without_cover(name))
        if box not in named_things:
            box = _infer_box(cover, actions, meaning)
        if not box:
            continue
        atoms.append(Atom("covers", (cover, box)))
        # A lid lies on its box like an object; a door opens and closes and lies nowhere.
        is_on_box = _lies_on(cover, box, actions)
        if is_on_box:
            atoms.append(Atom("at", (cover, box)))
        if is_on_box or _is_opened_first(cover, actions):
            atoms.append(Atom("lidded", (box,)))
    return atoms


def _lies_on(cover: str, box: str, actions: Sequence[Action]) -> bool:
    """Return whether a cover lies on its box at the start: it is moved before the box is used.

    Args:
        cover: The cover.
        box: The container that it belongs to.
        actions: The actions of the gold plan.
    """
    for action in actions:
        # A cover that is pulled out of its box is not on it: such an action counts as use.
        if _target(action) == box:
            return False
        if _moves(action, cover):
            return True
    return False


def _is_opened_first(cover: str, actions: Sequence[Action]) -> bool:
    """Return whether the first action on a cover opens it."""
    for action in actions:
        if action.name in ("open_up", "shut") and action.arguments[1] == cover:
            return action.name == "open_up"
    return False


def _moves(action: Action, thing: str) -> bool:
    """Whether a step takes something from where it lies; a grasp alone does not."""
    return action.name in ("pick_up", "shift", "pullout") and action.arguments[1] == thing


def _infer_box(cover: str, actions: Sequence[Action], meaning: StepMeaning) -> str:
    """Return the container of a lid, inferred from the actions, or "" if none shows it.

    It is the first suitable container that is used once the lid was removed, or into which the lid
    itself is put. A container that is used earlier cannot be under the lid.

    Args:
        cover: The lid.
        actions: The actions.
        meaning: Knows the names of objects.
    """
    is_lid_removed = False
    for action in actions:
        is_about_cover = len(action.arguments) > 1 and action.arguments[1] == cover
        if is_about_cover and action.name == "shut":
            return ""
        if is_about_cover and (action.name == "open_up" or _moves(action, cover)):
            is_lid_removed = True
        # Other actions with the lid may name its container as well.
        if not is_about_cover and not is_lid_removed:
            continue
        target = _target(action)
        if target and words.is_covered(meaning.names(target), meaning.names(cover)):
            return target
    return ""


def _infer_machines(actions: Sequence[Action], meaning: StepMeaning) -> list[Atom]:
    """Return facts about the machines that have to be shut before they start.

    These are the machines that the gold plan shuts before it starts them.
    """
    atoms: list[Atom] = []
    shut: set[str] = set()
    for action in actions:
        if action.name not in ("shut", "open_up", "activate"):
            continue
        thing = action.arguments[1]
        if action.name == "shut":
            shut.add(thing)
        elif action.name == "open_up":
            shut.discard(thing)
        elif thing in shut and words.is_machine(meaning.names(thing)):
            atoms.append(Atom("needs_shut", (thing,)))
    return atoms


def _infer_containment(
    actions: Sequence[tuple[int, Action]], meaning: StepMeaning, precedes: Precedes
) -> list[Atom]:
    """Infer that objects were in a container which was opened only to take them.

    The gold order has to require that the container is opened before the object is taken.

    Args:
        actions: The actions, each with the index of its step.
        meaning: Knows the names of objects.
        precedes: Whether a step has to come before another one.
    """
    used_containers = _used_containers(action for _, action in actions)
    atoms: list[Atom] = []
    seen_things: set[str] = set()
    open_containers: dict[str, int] = {}  # container to the index of the step that opened it
    for step_index, action in actions:
        thing = action.arguments[1] if len(action.arguments) > 1 else ""
        is_new = thing not in seen_things and thing not in open_containers
        if action.name == "open_up":
            if thing not in used_containers and words.is_container(meaning.names(thing)):
                open_containers[thing] = step_index
        elif action.name == "shut":
            open_containers.pop(thing, None)
        elif action.name in TAKING and is_new:
            container = _last_opened_before(step_index, open_containers, precedes)
            if container:
                atoms.append(Atom("at", (thing, container)))
        seen_things.update(action.arguments)
    return atoms


def _last_opened_before(
    step_index: int, open_containers: Mapping[str, int], precedes: Precedes
) -> str:
    """Return the container that was opened last before a step which needs it, or "".

    Args:
        step_index: Index of the step.
        open_containers: Container to the index of the step that opened it.
        precedes: Whether a step has to come before another one.
    """
    for container, opening_index in reversed(list(open_containers.items())):
        if precedes(opening_index, step_index):
            return container
    return ""


def _used_containers(actions: Iterable[Action]) -> set[str]:
    """Return the containers that a plan names when it puts things in or takes them out."""
    used: set[str] = set()
    for action in actions:
        if action.name in _TARGET_POSITIONS:
            used.update(action.arguments[2:])
        if action.name == "pour":
            used.add(action.arguments[1])
    return used


def read_scene(scene: str | Iterable[str | Atom], names: NameMap) -> list[Atom]:
    """Read the user's initial state: text like ``"(closed drawer)"``, or atoms.

    Names of things are mapped to those of the gold plan; names of the domain (``@left``) may
    stand without their sign.
    """
    texts: list[str] = []
    atoms: list[Atom] = []
    for entry in [scene] if isinstance(scene, str) else scene:
        if isinstance(entry, Atom):
            atoms.append(entry)
        else:
            texts.append(entry)
    text = " ".join(texts)
    if text.strip():
        condition = parse_condition(f"(and {text})", source="scene")
        atoms += [literal for literal in conjuncts(condition) if isinstance(literal, Atom)]
    facts = []
    for atom in atoms:
        # The domain has one predicate for where things are.
        predicate = "at" if atom.predicate in ("in", "inserted") else atom.predicate
        objects = [_object_of_term(str(term), names) for term in atom.terms]
        facts.append(Atom(predicate, tuple(objects)))
    return facts


def _object_of_term(term: str, names: NameMap) -> str:
    """Return the object of the domain, or else of the plan, that a scene's term names."""
    for fixed in (term, f"@{term}"):
        if fixed in _FIXED:
            return fixed
    return str(names(term))


def start_state(objects: Mapping[str, str], atoms: Iterable[Atom]) -> State:
    """Build an initial state; what only atoms name is a thing."""
    atoms = list(atoms)
    named = {str(term): "thing" for atom in atoms for term in atom.terms}
    return world().state({**named, **objects}, atoms)


def roll_out(start: State, actions: Sequence[Action | None], rules: SkippingRules) -> Execution:
    """Execute all possible actions in order and skip those that fail.

    Returns:
        The execution; findings have the 1-based numbers of the actions.
    """
    # A step that changes nothing replaces an impossible one, so that the numbers stay the same.
    steps = [Action("wait") if action is None else action for action in actions]
    named_objects = universe_of(steps)
    has_new_objects = not named_objects.keys() <= start.universe.index.keys()
    if has_new_objects:
        known_objects = start.universe.objects
        # Known objects come first to keep their numbers, and last to keep their types.
        all_objects = {**known_objects, **named_objects, **known_objects}
        start = start.enlarged(world().universe(all_objects))
    return execute(Symbolic(world(), rules), start, steps, agent=ROBOT)


def effect_of(action: Action) -> Formula | None:
    """Return the intended change of an action, or None if it only moves the robot."""
    if action.name not in _OPERATORS["effects"]:
        return None
    predicate, begin, end = _OPERATORS["effects"][action.name]
    if not predicate:
        return None
    fact = Atom(predicate.removeprefix("not "), action.arguments[begin:end])
    return Not(fact) if predicate.startswith("not ") else fact


def adds_up(action: Action) -> bool:
    """Whether a step does more when it is repeated: a fold, a cut."""
    return action.name in _OPERATORS["cumulative"]


def sign_of(action: Action) -> Formula | None:
    """Return a formula that holds after an action: its effect, or that an object is held."""
    if action.name in TAKING:
        thing = action.arguments[1]
        return Or(tuple([Atom("held", (arm, thing)) for arm in (ARM, "@left", "@right")]))
    if action.name == "scoop":
        return Atom("at", (action.arguments[2], action.arguments[1]))
    return effect_of(action)
