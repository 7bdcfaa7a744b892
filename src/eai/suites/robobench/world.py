"""The world of RoboBench: what skills do, what gold plans take for granted, and rollouts.

There is no picture, so the initial state is read off the gold plan: what it needs and nothing has
set is true; what it opens is closed before, and what it takes out of that is inside; the map of a
navigation is its route. What a gold plan does against a precondition is waived for answers too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
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

ROBOT, ARM, ANY_ARM, UNSAID = "@robot", "@arm", "@any", "~"
_HEADINGS = ("@north", "@east", "@south", "@west")
_FIXED = {
    ROBOT: "robot",
    "@none": "thing",
    "@start": "thing",
    **dict.fromkeys((ARM, "@left", "@right"), "arm"),
    **dict.fromkeys(_HEADINGS, "heading"),
    **dict.fromkeys((UNSAID, *(f"~{way}" for way in words.table()["directions"])), "way"),
}
_STATIC = (
    Atom("nothing", ("@none",)),
    Atom("unsaid", (UNSAID,)),
    Atom("pose", ("@start",)),
    Atom("heading", (_HEADINGS[0],)),
    *(Atom("clockwise", (h, _HEADINGS[(i + 1) % 4])) for i, h in enumerate(_HEADINGS)),
)
_OPERATORS = read_json("domains/robobench/operators.json")
"""Facts about the operators that PDDL cannot say.

``tests`` has the reason that each failed test of a precondition stands for, in the order of the
domain. Other keys have the effect that an operator is for (a fact or its negation, and the
arguments in it), and the operators that do more when they are repeated.
"""

BUSY = "gripper busy"
_MOST_KEPT = 1 << 12
TAKING = ("grasp", "pick_up")
IDLE = ("no_ops", "write", "move_away_from", "special_action")
_SWITCHES = {(True, True): "open_up", (True, False): "shut", (False, True): "activate"}


@cache
def world() -> World:
    """The world, compiled once."""
    text = read_text("domains/robobench/domain.pddl")
    return world_of(parse_domain(text, source="domains/robobench/domain.pddl"))


class StepMeaning:
    """Translates steps of plans for one gold plan into graph nodes and actions."""

    def __init__(self, gold: Sequence[Step], names: NameMap) -> None:
        self.names = names
        self._known: dict[object, tuple[tuple[str, ...], Action | None]] = {}
        self.armed = any(step.arm for step in gold)
        self._hinged = {
            names(step.arguments[0])
            for step in gold
            if step.skill in ("open", "close")
            or (step.skill in ("push", "pull") and words.sense_of(step.arguments[1]) is not None)
            or (step.skill == "turn" and words.is_lid(names(step.arguments[0])))
        }
        self._pressed = {names(step.arguments[1]) for step in gold if step.skill == "press"}
        contents = [step.arguments[1] for step in gold if step.skill in ("scoop", "pour")]
        self._contents = {names(each) for each in contents if each}

    def of(self, step: Step) -> tuple[tuple[str, ...], Action | None]:
        """The node of a step, and what it does; those of the last few thousand are kept."""
        key = step.skill, step.arguments, step.arm
        found = self._known.get(key)
        if found is None:
            found = self.node(step), self.action(step)
            if len(self._known) < _MOST_KEPT:
                self._known[key] = found
        return found

    def hinged(self, name: Name) -> bool:
        """Whether something opens and closes, by its name or by what the gold plan does."""
        return words.is_hinged(name) or name in self._hinged

    def sense(self, step: Step) -> bool | None:
        """Whether a step opens or switches on (True), the opposite (False), or neither."""
        skill, arguments = step.skill, step.arguments
        if skill in ("open", "turn_on"):
            return True
        if skill in ("close", "turn_off"):
            return False
        if skill not in ("push", "pull", "turn"):
            return None
        said = words.sense_of(arguments[-1])
        if said is not None or skill == "turn" or not self.hinged(self.names(arguments[0])):
            return said
        way = words.direction_of(arguments[1])
        if way in words.table()["opens"] or way in words.table()["closes"]:
            return way in words.table()["opens"]
        return skill == "pull"

    def node(self, step: Step) -> tuple[str, ...]:
        """Return the node of a step; two steps match if their nodes are equal."""
        arm = step.arm if self.armed and step.skill not in ("mobile", "observation") else ""
        if not step.is_possible:
            return (step.skill, arm, "?", *step.arguments)
        keys = [self._key(step, at) for at in range(len(step.arguments))]
        return (step.skill, arm, *keys)

    def _key(self, step: Step, at: int) -> str:
        text = step.arguments[at]
        if step.skill == "transfer" and at < 2:
            return next((arm for arm in ARMS if arm in text.casefold()), text)
        if step.skill == "turn" and at:
            return words.value_of(text)
        if step.skill in ("push", "pull") and at:
            sense = self.sense(step)
            if sense is not None:
                return "yes" if sense else "no"
            return words.direction_of(text) or str(self.names(text))
        return str(self.names(text))

    def action(self, step: Step) -> Action | None:
        """Return the action of a step; None if the step is impossible."""
        if not step.is_possible:
            return None
        skill = step.skill
        if skill in IDLE:
            return Action("wait")
        things = tuple(
            [str(self.names(t)) if t.casefold() != words.NONE else "@none" for t in step.arguments]
        )
        if skill in ("observation", "mobile"):
            return Action("observe" if skill == "observation" else "drive", things)
        if skill in ("turn_left", "turn_right", "turn_back", "go_forward"):
            return Action(skill, things)
        arm = ARM if not self.armed else f"@{step.arm}" if step.arm else ANY_ARM
        return self._manipulation(step, arm, things)

    def _manipulation(self, step: Step, arm: str, things: tuple[str, ...]) -> Action | None:
        skill, sense = step.skill, self.sense(step)
        if skill == "transfer":
            ends = [self._key(step, at) for at in (0, 1)]
            if not set(ends) <= set(ARMS):
                return None
            arms = [f"@{end}" if self.armed else ARM for end in ends]
            return Action(skill, (*arms, things[2]))
        if sense is not None:
            opened = self.names(step.arguments[0])
            is_box = skill in ("open", "close") and words.is_box(opened)
            opens = (is_box or self.hinged(opened)) and not runs(step)
            name = _SWITCHES.get((opens, sense), "deactivate")
            way = words.direction_of(step.arguments[1]) if skill == "turn" else ""
            way = f"~{way if sense else words.opposite(way)}" if way else UNSAID
            return Action(name, (arm, things[0], way))
        if skill == "turn":
            return Action("rotate", (arm, things[0], "=" + "/".join(self.node(step)[3:])))
        if skill in ("fold", "unfold"):
            base = str(words.whole(self.names(step.arguments[0])))
            things = (things[0], base, things[1])
        elif skill == "push" and (
            (pushed := self.names(step.arguments[0])) in self._pressed
            or "".join(pushed.words[-1:]) in words.table()["pressed"]
        ):  # a button, or what the gold plan presses
            skill, things = "press", ("@none", things[0])
        elif skill in ("push", "pull"):
            way = words.direction_of(step.arguments[1])
            skill, things = "shift", (things[0], way or things[1])
        elif skill in ("scoop", "pour"):
            things = (things[0], self._content(step.arguments[1], things[1]), things[2])
        return Action({"plug": "insert", "unplug": "pullout"}.get(skill, skill), (arm, *things))

    def _content(self, text: str, thing: str) -> str:
        """The contents that are meant where one of the two plans leaves them open."""
        known = {str(each) for each in self._contents}
        unknown = name_of(text).words[-1:] == (words.UNKNOWN,)
        if unknown and len(known) == 1:
            return next(iter(known))
        return words.UNKNOWN if thing not in known and words.UNKNOWN in known else thing


def runs(step: Step) -> bool:
    """Whether a step starts or stops something, also where that opens and closes, too."""
    if step.skill in ("turn_on", "turn_off"):
        return True
    return step.skill in ("push", "pull", "turn") and words.is_switched(step.arguments[-1])


class Waived(NamedTuple):
    """A precondition that the gold plan does not keep: the number of a test of an operator."""

    operator: str
    test: int

    @property
    def reason(self) -> str:
        """The reason that a failed test stands for, in words."""
        found: str = _OPERATORS["tests"][self.operator][self.test]
        return found

    def __str__(self) -> str:
        return f"{self.operator}: {self.reason}"


class SkippingRules:
    """Steps that cannot be done are left out, and the plan goes on.

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
        """See :meth:`eai.diagnosis.Rules.take`."""
        failing = partial(run.world.first_failure, run.state, action.name)
        if action.arguments[:1] == (ANY_ARM,):  # an arm that can do it does it
            tried = [Action(action.name, (f"@{arm}", *action.arguments[1:])) for arm in ARMS]
            able = (each for each in tried if failing(run.numbers(each)) < 0)
            action = next(able, tried[0])
        numbers = run.numbers(action)
        if failing(numbers) >= 0:
            tests = run.world.failures(run.state, action.name, numbers)
            failed = [each for i in tests if (each := Waived(action.name, i)) not in self.waived]
            if failed and not self._gold:
                reason = failed[0].reason
                kind = ErrorKind.WRONG_ORDER if reason in (BUSY, "closed") else None
                return "skipped", Finding(kind or ErrorKind.MISSING_STEP, reason, number)
            for test in failed:  # what the gold plan needs is assumed of the start, or waived
                atoms = self._needed(run, action, test.reason) if self._assume else ()
                for atom in atoms:
                    for state in (run.start, run.state):
                        state.add(atom.predicate, tuple(map(str, atom.terms)))
                if not atoms:
                    self.waived[test] = None
        run.record(action, number, run.world.apply(run.state, action.name, numbers))
        return "done", None

    @staticmethod
    def _needed(run: Run, action: Action, reason: str) -> tuple[Atom, ...]:
        """Return the facts that the start lacks; none if a step has changed them since."""
        trajectory = run.trajectory
        if reason == "not there":
            if action.name == "pullout":
                _, thing, place = action.arguments
                atom = Atom("at", (thing, place))
            else:
                _, one, thing, other = action.arguments
                atom = Atom("at", (thing, other if action.name == "scoop" else one))
            return () if trajectory.condition(atom) else (atom,)
        if reason == "not ahead":
            names = run.state.universe.names
            index = run.state.layout.index
            [pose] = [n for i, n in enumerate(names) if run.state.unary[index["pose"]] >> i & 1]
            heading = next(h for h in _HEADINGS if run.state.holds("heading", (h,)))
            back = _HEADINGS[(_HEADINGS.index(heading) + 2) % 4]
            [target] = action.arguments
            return (Atom("ahead", (pose, heading, target)), Atom("ahead", (target, back, pose)))
        return ()


def universe_of(actions: Iterable[Action | None]) -> dict[str, str]:
    """The objects that actions name, with their types."""
    found = dict(_FIXED)
    for action in actions:
        for thing in () if action is None else action.arguments:
            if thing not in found and thing != ANY_ARM:
                found[thing] = "orientation" if thing.startswith("=") else "thing"
    return found


Precedes = Callable[[int, int], bool]
"""Whether a step of the gold plan has to come before another, by their 0-based numbers."""


def initial_atoms(
    actions: Sequence[Action | None],
    scene: Sequence[Atom] | None,
    meaning: StepMeaning,
    precedes: Precedes,
) -> list[Atom]:
    """Return the initial facts that follow from the gold plan without running it."""
    atoms = list(_STATIC)
    acts = [(number, action) for number, action in enumerate(actions) if action is not None]
    for _, each in acts:
        if each.name in ("open_up", "shut", "activate", "deactivate"):
            _, thing, way = each.arguments
            if way != UNSAID:
                atoms += [Atom("guided", (thing,)), Atom("turns", (thing, way))]
    if scene is not None:
        return [*atoms, *scene]
    known = set[tuple[str, str]]()
    for _, each in acts:
        aspect, before = _TELLS.get(each.name, ("", ""))
        if aspect:
            thing = each.arguments[1 if each.name != "press" else 2]
            if before and (thing, aspect) not in known:
                atoms.append(Atom(before, (thing,)))
            known.add((thing, aspect))
    atoms += _covers([each for _, each in acts], meaning)
    atoms += _machines([each for _, each in acts], meaning)
    return [*atoms, *_contained(acts, meaning, precedes)]


_TELLS = {
    "open_up": ("door", "closed"),
    "shut": ("door", "open"),
    "activate": ("power", ""),
    "press": ("power", ""),
    "deactivate": ("power", "active"),
}
"""Action to the attribute it changes, and the value before the first such action."""


def _target(action: Action) -> str:
    """Return the container that an action puts into or takes out of; empty if none."""
    place = {"place": 2, "insert": 2, "pullout": 2, "scoop": 3, "pour": 3}.get(action.name)
    return action.arguments[place] if place else ""


def _covers(acts: Sequence[Action], meaning: StepMeaning) -> list[Atom]:
    """Lids and doors named as objects of their own, and what they shut.

    That is what the name says ("pot lid"), what the lid is put on, or what is filled first while
    the lid is open. A lid that is taken away before its box is used lies on it at the start.
    """
    found: list[Atom] = []
    things = {thing for each in acts for thing in each.arguments}
    for cover in dict.fromkeys(each.arguments[1] for each in acts if len(each.arguments) > 1):
        name = meaning.names(cover)
        if not words.is_cover(name):
            continue
        box = str(words.without_cover(name))
        if box not in things:
            box = _box_of(cover, acts, meaning)
        if not box:
            continue
        found.append(Atom("covers", (cover, box)))
        moved = [n for n, each in enumerate(acts) if _moves(each, cover)]
        used = [n for n, each in enumerate(acts) if _target(each) == box]
        turned = [a.name for a in acts if a.name in ("open_up", "shut") and a.arguments[1] == cover]
        is_on = bool(moved) and (not used or moved[0] < used[0])
        if is_on:
            found.append(Atom("at", (cover, box)))
        if is_on or turned[:1] == ["open_up"]:
            found.append(Atom("lidded", (box,)))
    return found


def _moves(action: Action, thing: str) -> bool:
    """Whether a step takes something from where it lies; a grasp alone does not."""
    return action.name in ("pick_up", "shift", "pullout") and action.arguments[1] == thing


def _box_of(cover: str, acts: Sequence[Action], meaning: StepMeaning) -> str:
    """Infer the container of a lid whose name does not say it; empty if no action tells."""
    is_off = False
    for each in acts:
        if len(each.arguments) > 1 and each.arguments[1] == cover:
            if each.name == "shut":
                return ""
            is_off = is_off or each.name == "open_up" or _moves(each, cover)
        elif not is_off:
            continue
        target = _target(each)
        if target and words.is_covered(meaning.names(target), meaning.names(cover)):
            return target
    return ""


def _machines(acts: Sequence[Action], meaning: StepMeaning) -> list[Atom]:
    """Machines that the gold plan shuts before it turns them on."""
    found: list[Atom] = []
    is_shut = set[str]()
    for each in acts:
        if each.name == "shut":
            is_shut.add(each.arguments[1])
        elif each.name == "open_up":
            is_shut.discard(each.arguments[1])
        elif each.name == "activate" and each.arguments[1] in is_shut:
            machine = each.arguments[1]
            found += [Atom("needs_shut", (machine,))] * words.is_machine(meaning.names(machine))
    return found


def _contained(
    acts: Sequence[tuple[int, Action]], meaning: StepMeaning, precedes: Precedes
) -> list[Atom]:
    """Infer containment: an object taken while a container is open that nothing else uses.

    In a gold order the opening has to be needed: what a parallel branch takes is elsewhere.
    """
    used = {
        thing
        for _, each in acts
        for thing in each.arguments[2:]
        if each.name in ("place", "insert", "pour", "scoop", "pullout")
    }
    used |= {each.arguments[1] for _, each in acts if each.name == "pour"}
    found, seen = list[Atom](), set[str]()
    opened: dict[str, int] = {}
    for number, each in acts:
        thing = each.arguments[1] if len(each.arguments) > 1 else ""
        if each.name == "open_up":
            if thing not in used and words.is_container(meaning.names(thing)):
                opened[thing] = number
        elif each.name == "shut":
            opened.pop(thing, None)
        elif each.name in TAKING and thing not in {*seen, *opened}:
            around = [place for place, begin in opened.items() if precedes(begin, number)]
            if around:
                found.append(Atom("at", (thing, around[-1])))
        seen.update(each.arguments)
    return found


def read_scene(scene: str | Iterable[str | Atom], names: NameMap) -> list[Atom]:
    """Read what a user says of the initial state."""
    parts = [scene] if isinstance(scene, str) else list(scene)
    text = " ".join(part for part in parts if isinstance(part, str))
    atoms = [part for part in parts if isinstance(part, Atom)]
    if text.strip():
        condition = parse_condition(f"(and {text})", source="scene")
        atoms += [each for each in conjuncts(condition) if isinstance(each, Atom)]
    return [
        Atom(
            "at" if each.predicate in ("in", "inserted") else each.predicate,
            tuple(
                next((fixed for fixed in (term, f"@{term}") if fixed in _FIXED), str(names(term)))
                for term in map(str, each.terms)
            ),
        )
        for each in atoms
    ]


def start_state(objects: Mapping[str, str], atoms: Iterable[Atom]) -> State:
    """Build an initial state; what only atoms name is a thing."""
    atoms = list(atoms)
    named = {str(term): "thing" for atom in atoms for term in atom.terms}
    return world().state({**named, **objects}, atoms)


def roll_out(start: State, actions: Sequence[Action | None], rules: SkippingRules) -> Execution:
    """Run the actions that are possible; a step that fails is left out.

    Returns:
        The execution; findings have the 1-based numbers of the actions.
    """
    done = [Action("wait") if each is None else each for each in actions]
    named = universe_of(done)
    if not named.keys() <= start.universe.index.keys():
        typed = dict(zip(start.universe.names, start.universe.types, strict=True))
        start = start.enlarged(world().universe({**typed, **named, **typed}))
    return execute(Symbolic(world(), rules), start, done, agent=ROBOT)


def effect_of(action: Action) -> Formula | None:
    """The change of an object that an action is for; None if it only moves the robot."""
    kind, begin, end = _OPERATORS["effects"].get(action.name, ("", 0, 0))
    fact = Atom(kind.removeprefix("not "), action.arguments[begin:end])
    return (Not(fact) if kind.startswith("not ") else fact) if kind else None


def adds_up(action: Action) -> bool:
    """Whether a step does more when it is repeated: a fold, a cut."""
    return action.name in _OPERATORS["cumulative"]


def sign_of(action: Action) -> Formula | None:
    """Return a formula that holds after an action: its effect, or that an object is held."""
    if action.name in TAKING:
        return Or(
            tuple(Atom("held", (arm, action.arguments[1])) for arm in (ARM, "@left", "@right"))
        )
    if action.name == "scoop":
        return Atom("at", (action.arguments[2], action.arguments[1]))
    return effect_of(action)
