"""What an action does once the gate lets it: calls of the simulator, and acts.

Source: the published benchmark, section 1.5 of its description (paper: appendix A.3).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from eai.diagnosis import ErrorKind
from eai.semantics import Semantics
from eai.simulators import Capabilities, Observation, RoomEngine, SeenObject, StepResult
from eai.simulators.thor.scenes import Scene, SceneObject
from eai.suites.asgardbench.gate import ACTIONS, refusal
from eai.suites.asgardbench.instances import Instance, Pose
from eai.suites.asgardbench.placement import placed
from eai.suites.asgardbench.quirks import OFFICIAL_VERSION, QUIRKS
from eai.suites.asgardbench.room import SIGHT, Act, Failed, Refusal, Room
from eai.world import Action, State

WASHED = frozenset({"Bowl", "Cup", "Mug", "Pan", "Plate", "Pot"})
"""Types that are washed, and that the water of washing is poured out of."""


def carry_out(action: str, target: str, *, room: Room, semantics: Semantics) -> Failed | None:
    """Do what an action does.

    Args:
        action: One of the actions but ``FIND``, whose target has passed the gate.
        target: Name of the object.
        room: The room, which is changed.
        semantics: The quirks that are on.

    Returns:
        Why the simulator refused; None if it was done.
    """
    return _EFFECTS[action](target, room, semantics)


def _call(name: str, *, force: bool = False) -> Callable[[str, Room, Semantics], Failed | None]:
    return lambda target, room, _: room.call(name, target, force=force)


def _on(target: str, room: Room, _: Semantics) -> Failed | None:
    return room.call("ToggleObjectOn", room.controller(target))


def _off(target: str, room: Room, semantics: Semantics) -> Failed | None:
    failed = room.call("ToggleObjectOff", room.controller(target))
    if failed is None and "off_empties_water" in semantics:
        for name in room.with_water(WASHED):
            room.call("EmptyLiquidFromObject", name)
    return failed


def _pick_up(target: str, room: Room, semantics: Semantics) -> Failed | None:
    container = room.container(target)
    from_sink = container is not None and room.type(container) == "SinkBasin"
    failed = room.call("PickupObject", target)
    if failed is None and from_sink and "off_empties_water" not in semantics:
        for name in {target, *room.contents(target)} & set(room.with_water(WASHED)):
            room.call("EmptyLiquidFromObject", name)
    return failed


def _clean(target: str, room: Room, _: Semantics) -> Failed | None:
    return room.call("CleanObject", target) if room.dirty(target) else None


def _spray(target: str, room: Room, semantics: Semantics) -> Failed | None:
    if "spray_anything" in semantics or room.type(target) == "Mirror":
        room.remember(Act.SPRAY)
    return None


def _drink(target: str, room: Room, semantics: Semantics) -> Failed | None:
    loose = "drink_with_anything" in semantics
    if loose or room.liquid(target) == "coffee":
        room.remember(Act.DRINK)
    if not room.dirty(target) and (not loose or room.holds_type("Mug")):
        room.call("DirtyObject", target)
    return room.call("EmptyLiquidFromObject", target)


_EFFECTS: Mapping[str, Callable[[str, Room, Semantics], Failed | None]] = {
    "PICKUP": _pick_up,
    "PUT": _call("PutObject"),
    "OPEN": _call("OpenObject", force=True),
    "CLOSE": _call("CloseObject"),
    "TOGGLE_ON": _on,
    "TOGGLE_OFF": _off,
    "SLICE": _call("SliceObject"),
    "CLEAN": _clean,
    "SPRAY": _spray,
    "DRINK": _drink,
    "EMPTY": _call("EmptyLiquidFromObject"),
}


NEAR = 1.5
"""How far a fixture may be from what is looked at to be shown, in metres: the distance from
which the simulator lets things be done."""

_HOLLOW = frozenset(
    {
        *("Bathtub", "BathtubBasin", "Bowl", "CoffeeMachine", "Cup", "GarbageCan", "Mug", "Pan"),
        *("Pot", "Sink", "SinkBasin", "Toaster"),
    }
)


def observed(room: Room) -> Observation:
    """Return what the agent sees now."""
    names = shown(room)
    held = room.held
    return Observation(
        tuple(_seen(room, name) for name in names),
        () if held is None else (held,),
        room.focus,
    )


def shown(room: Room) -> list[str]:
    """Return the names of the objects that are shown, in the order of the scene."""
    near = _around(room, room.focus) if room.focus else set[str]()
    if room.held is not None:
        near |= {room.held, *room.contents(room.held)}
    return [name for name in room.things if name in near and room.in_view(name)]


def _around(room: Room, focus: str) -> set[str]:
    parent = room.parent(focus)
    base = focus if parent is None or room.type(parent) == "Floor" else parent
    inside = {name for place in {focus, base} for name in room.contents(place)}
    # Who looks at the floor sees what stands on it, not what lies on that.
    deeper = room.type(base) != "Floor"
    within = {name for place in inside if deeper for name in room.contents(place)}
    return {focus, base, *inside, *within, *_fixtures_near(room, base)}


def _fixtures_near(room: Room, base: str) -> set[str]:
    fixed = (one.name for one in room.scene.objects if "pickupable" not in one.affordances)
    return {name for name in fixed if room.distance(base, name) <= NEAR}


def _seen(room: Room, name: str) -> SeenObject:
    parent = room.parent(name)
    relation = "" if parent is None else "in" if _encloses(room, parent) else "on"
    return SeenObject(name, room.type(name), _properties(room, name), parent or "", relation)


def _encloses(room: Room, place: str) -> bool:
    return room.openable(place) or room.type(place) in _HOLLOW


def _properties(room: Room, name: str) -> dict[str, object]:
    seen: dict[str, object] = {}
    if room.openable(name):
        seen["open"] = room.is_open(name)
    for flag, can in (("dirty", "dirtyable"), ("cooked", "cookable")):
        if room.has(can, name):
            seen[flag] = room.has(flag, name)
    if room.has("toggleable", name) or room.controller(name) != name:
        seen["on"] = room.is_on(name)
    if room.has("fillable", name):
        seen["liquid"] = room.liquid(name) or ""
    return seen


ALIKE = frozenset({"CounterTop", "DiningTable", "SideTable"})
"""Types that the published benchmark takes for each other when something is put down."""

_SHUTTING = ("PUT", "OPEN", "CLOSE")
_PLACES = ("PUT", "OPEN", "FIND")


@dataclass(slots=True)
class Attention:
    """Which instance of each type the agent dealt with last."""

    found: dict[str, str] = field(default_factory=dict)
    used: dict[str, str] = field(default_factory=dict)
    opened: dict[str, str] = field(default_factory=dict)

    def note(self, action: str, kind: str, name: str) -> None:
        """Take note of an action that was done."""
        if action in ("FIND", "OPEN"):
            self.found[kind] = name
        elif self.found.get(kind) != name:
            self.found.pop(kind, None)
        self.used[kind] = name
        if action == "OPEN":
            self.opened[kind] = name
        elif action == "CLOSE":
            self.closed(kind, name)

    def closed(self, kind: str, name: str) -> None:
        """Take note that something was closed, by the agent or not."""
        if self.opened.get(kind) == name:
            del self.opened[kind]

    def preferred(self, action: str, kind: str, *, settled: Callable[[str], bool]) -> str | None:
        """The instance that an action is about before all others.

        Args:
            action: The action.
            kind: The type that it names.
            settled: Whether an object satisfies a location goal already.
        """
        if kind in self.found:
            return self.found[kind]
        used = self.used.get(kind)
        return None if used is None or action == "PUT" or settled(used) else used


def employed(room: Room, name: str, instance: Instance) -> bool:
    """Whether an object satisfies a location goal of the instance."""
    container = room.container(name)
    if container is None:
        return False
    return (room.type(name), room.type(container)) in instance.goals.location


def in_order(
    room: Room, action: str, kind: str, *, attention: Attention, instance: Instance
) -> list[str]:
    """Return the instances of a type, those that an action is about first.

    Where something is to be put, what has no place for it comes behind what has: the published
    benchmark knows from earlier runs what fits where. The burner under the Pan is the only one
    that is switched on, if there is one; another one that is on can still be switched off.

    Args:
        room: The room as it is.
        action: The action.
        kind: The type that it names.
        attention: What the agent dealt with last.
        instance: The instance that is played; what satisfies its location goals comes last.
    """
    names = room.instances(kind)
    if kind == "StoveBurner" and action == "TOGGLE_ON":
        names = _under_pan(room, names) or names
    settled = {name for name in names if employed(room, name, instance)}
    preferred = attention.preferred(action, kind, settled=settled.__contains__)
    opened = attention.opened.get(kind) if action in _SHUTTING else None
    held = room.held if action in _PLACES else None

    def rank(name: str) -> tuple[bool, bool, bool, bool, bool, float]:
        return (
            name in settled,
            held is not None and not room.would_take(name, held),
            name != preferred,
            name != opened,
            not room.in_view(name),
            room.volume(name) if room.is_slice(name) else 0.0,
        )

    return sorted(names, key=rank)


def alike(room: Room, kind: str) -> list[str]:
    """Return the objects in view that the published benchmark takes for a surface as well."""
    kinds = sorted(ALIKE - {kind}) if kind in ALIKE else []
    return [name for other in kinds for name in room.instances(other) if room.in_view(name)]


def _under_pan(room: Room, burners: Sequence[str]) -> list[str]:
    return [name for name in burners if _carries_pan(room, room.contents(name))]


def _carries_pan(room: Room, contents: Iterable[str]) -> bool:
    return any(room.type(name) == "Pan" for name in contents)


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of trying.

    Args:
        name: The instance with which it was done; the last one that was tried if with none.
        failed: Why not with the first one; None if it was done.
    """

    name: str
    failed: Failed | None = None
    last: Failed | None = None


def in_turn(
    names: Iterable[str],
    attempt: Callable[[str], Failed | None],
    *,
    before: Callable[[str], None] | None = None,
    after: Callable[[str], None] | None = None,
) -> Tried:
    """Try instances until the action is done.

    Args:
        names: The instances, at least one.
        attempt: Does the action with one; returns why it could not.
        before: What is done before every attempt but the first.
        after: What is done after an attempt that failed.
    """
    first: Failed | None = None
    tried = Tried("")
    for name in names:
        if first is not None and before is not None:
            before(name)
        failed = attempt(name)
        if failed is None:
            return Tried(name)
        if after is not None:
            after(name)
        first = first or failed
        tried = Tried(name, first, failed)
    return tried


_OPENED = ("Cabinet", "Drawer")
"""What `FIND` opens by itself, where the published benchmark does."""


class AsgardEnvironment:
    """One instance, acted in step by step.

    Args:
        scene: The scene as it is at the start; by default that of
            :func:`~eai.suites.asgardbench.placement.placed`.
        reach: How far the agent sees from where it stands, in metres.
        begin: Returns what does the simulator's actions, at the start of the scene; by default
            the symbolic engine.

    Raises:
        UnknownNameError: If the semantics or the scene is not known, or the scene has not got
            an object that the instance is set up with.
    """

    capabilities = Capabilities(hidden_state=True)
    actions: Mapping[str, int] = dict.fromkeys(ACTIONS, 1)

    def __init__(
        self,
        instance: Instance,
        semantics: str | Semantics = "official",
        *,
        scene: Scene | None = None,
        reach: float = SIGHT,
        begin: Callable[[], RoomEngine] | None = None,
    ) -> None:
        self.instance = instance
        self.semantics = Semantics.of(semantics, QUIRKS, version=OFFICIAL_VERSION)
        self.scene = placed(instance) if scene is None else scene
        self.reach = reach
        self._begin = begin
        self._kinds = {kind.lower(): kind for kind in self.scene.vocabulary}
        self.reset()

    @property
    def vocabulary(self) -> tuple[str, ...]:
        """The types that an action may name, in a fixed order."""
        return tuple(self._kinds.values())

    @property
    def acts(self) -> frozenset[Act]:
        """What was done so far that goals ask for."""
        return self.room.acts

    def reset(self) -> Observation:
        """Go back to the start of the instance."""
        self.room = Room(
            self.scene,
            focus=_nearest(self.scene, self.instance.pose),
            reach=self.reach,
            engine=None if self._begin is None else self._begin(),
        )
        self.room.prepare(self.instance.setup)
        self._attention = Attention()
        return observed(self.room)

    def state(self) -> State:
        """The whole state; for the evaluator."""
        return self.room.state

    def step(self, action: Action) -> StepResult:
        """Take one action: one of the twelve, on a type of objects."""
        name = action.name.upper()
        if name not in self.actions:
            return self._failed(Refusal.INVALID_ACTION, f"there is no action {action.name}")
        kind = self._kinds.get(action.arguments[0].lower()) if len(action.arguments) == 1 else None
        if kind is None:
            what = " ".join(action.arguments) or "nothing"
            return self._failed(Refusal.INVALID_OBJECT, f"there is no type of objects {what}")
        names = self._candidates(name, kind)
        if isinstance(names, Failed):
            return self._failed(names.code, names.message)
        tried = self._tried(name, kind, names)
        return self._result(name, tried)

    def _failed(self, code: str, message: str, kind: ErrorKind | None = None) -> StepResult:
        return StepResult(False, observed(self.room), str(code), message, kind=kind)

    def _candidates(self, action: str, kind: str) -> list[str] | Failed:
        names = in_order(self.room, action, kind, attention=self._attention, instance=self.instance)
        if not names:
            return Failed(Refusal.NO_INSTANCE, f"there is no {kind} here")
        if "reached_is_untouchable" in self.semantics:
            names = [name for name in names if not employed(self.room, name, self.instance)]
            if not names:
                return Failed(Refusal.ALL_EMPLOYED, f"every {kind} is where it has to be")
        return names

    def _tried(self, action: str, kind: str, names: list[str]) -> Tried:
        if action == "FIND":
            return in_turn(names, self._find)

        def attempt(name: str) -> Failed | None:
            return self._attempt(action, name)

        if action != "PUT":
            return in_turn(names, attempt)
        helped = "put_tries_all" in self.semantics
        before, after = (self._go_and_open, self._close) if helped else (None, None)
        tried = in_turn(names, attempt, before=before, after=after)
        others = alike(self.room, kind) if "surfaces_alike" in self.semantics else []
        if tried.failed is not None and others:
            tried = in_turn(others, attempt, before=before, after=after)
        return tried

    def _attempt(self, action: str, name: str) -> Failed | None:
        test = refusal(action, name, room=self.room, semantics=self.semantics)
        if test is not None:
            return Failed(test.code, test.says.replace("{}", self.room.type(name)))
        before = self.room.parent(name)
        failed = carry_out(action, name, room=self.room, semantics=self.semantics)
        # What is held moves with the agent: it looks on where it took that from.
        at = name if self.room.held != name else before
        if failed is None and at is not None and self.room.type(at) != "Floor":
            self.room.look_at(at)
        return failed

    def _find(self, name: str) -> Failed | None:
        room = self.room
        test = refusal("FIND", name, room=room, semantics=self.semantics)
        if test is not None:
            return Failed(test.code, test.says.replace("{}", room.type(name)))
        if "find_opens" in self.semantics:
            self._open_around(name)
        room.look_at(name)
        if room.in_view(name) or "find_never_fails" in self.semantics:
            return None
        return Failed(Refusal.NOT_VISIBLE, f"{room.type(name)} is not to be seen")

    def _open_around(self, name: str) -> None:
        container = self.room.container(name)
        if container is not None and self.room.type(container) in _OPENED:
            self.room.call("OpenObject", container, force=True)

    def _go_and_open(self, name: str) -> None:
        self.room.look_at(name)
        if self.room.shut(name):
            self._attempt("OPEN", name)

    def _close(self, name: str) -> None:
        if self.room.openable(name) and self.room.is_open(name):
            self.room.call("CloseObject", name)
            self._attention.closed(self.room.type(name), name)

    def _result(self, action: str, tried: Tried) -> StepResult:
        failed = tried.last if "last_refusal_told" in self.semantics else tried.failed
        if failed is not None:
            # What was sliced is no object any more: to look for it is no failure of the gate.
            gone = action == "FIND" and failed.code == Refusal.ALREADY_SLICED
            kind = ErrorKind.OBJECT_HALLUCINATION if gone else None
            return self._failed(failed.code, failed.message, kind)
        self._attention.note(action, self.room.type(tried.name), tried.name)
        return StepResult(True, observed(self.room), resolved=Action(action, (tried.name,)))


def _nearest(scene: Scene, pose: Pose) -> str:
    """Name of the receptacle that the agent stands at."""
    locations = [
        one
        for one in scene.objects
        if "receptacle" in one.affordances
        and one.type != "Floor"
        and not {"pickupable", "openable"} & set(one.affordances)
    ]
    nearest = min(locations, key=lambda one: _distance(one, pose), default=None)
    return "" if nearest is None else nearest.name


def _distance(one: SceneObject, pose: Pose) -> float:
    return math.hypot(one.position[0] - pose.x, one.position[2] - pose.z)
