"""The gate: ordered tests of the twelve actions before the simulator; the first failure decides.

The tests and their order are those of the published benchmark (paper: appendix A.3 and the world
rules of its prompt). A test that the rules of the paper make and the published gate does not
stands in its place in the row, and holds unless the quirk is on that it names.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from eai.semantics import Semantics
from eai.simulators import engine_accepts
from eai.suites.asgardbench.instances import rules
from eai.suites.asgardbench.room import Failed, Refusal, Room

LOWEST_TO_SLICE = 0.52
"""Height of the lowest shelf on which something can be sliced, in metres."""
CHOPPED = frozenset({"Apple", "Bread", "Lettuce", "Potato", "Tomato"})
"""Types that are sliced with a knife, on something flat."""

Passes = Callable[[Room, str], bool]
"""Whether a room and the name of a target pass a test."""


@dataclass(frozen=True, slots=True)
class GateTest:
    """One test.

    Args:
        says: The refusal as a sentence; ``{}`` is the type of the target, ``{held}`` that of what
            is held, ``{inside}`` that of what is in the way in there.
        unless: The quirk that leaves it out; empty for a test of the published gate.
        only: The quirk that it belongs to; empty if it is made in any case.
    """

    code: Refusal
    passes: Passes
    says: str
    unless: str = ""
    only: str = ""

    def is_made(self, semantics: Semantics) -> bool:
        """Return whether the test is made under a semantics."""
        return self.unless not in semantics and (not self.only or self.only in semantics)


# ------------------------------------------------------------------ what tests are made of


def _is(predicate: str, value: bool = True) -> Passes:
    """Return a test that a fact about the target is true, or false."""
    return lambda room, target: room.has(predicate, target) is value


def _holding(word: str) -> Passes:
    """Return whether the type of the held object contains a word, as ButterKnife does Knife."""
    return lambda room, _: room.held is not None and word in room.type(room.held)


def _holds_something(room: Room, _: str) -> bool:
    """Return whether the hand is not empty."""
    return room.held is not None


def _only_for(kinds: Collection[str], test: Passes) -> Passes:
    """Return a test that only targets of some types have to pass."""
    return lambda room, target: room.type(target) not in kinds or test(room, target)


def _but_mirrors(test: Passes) -> Passes:
    """Return a test that all targets but a mirror have to pass: it is cleaned in its own way."""
    return lambda room, target: room.type(target) == "Mirror" or test(room, target)


def _test_of_cup(test: Passes) -> Passes:
    """Return a test of whatever is first in a coffee machine, which must not be empty."""

    def passes(room: Room, machine: str) -> bool:
        contents = room.contents(machine)
        return bool(contents) and test(room, contents[0])

    return _only_for(("CoffeeMachine",), passes)


def _test_is_in(kind: str) -> Passes:
    """Return a test that the target is in an object of some type."""

    def passes(room: Room, target: str) -> bool:
        container = room.container(target)
        return container is not None and room.type(container) == kind

    return passes


def _reachable(room: Room, target: str) -> bool:
    """Return whether the target is in nothing that is closed."""
    container = room.container(target)
    return container is None or not room.shut(container)


def _is_listed(room: Room, target: str) -> bool:
    """Return whether the held object may be put there by the table of the benchmark."""
    held = room.held
    # An empty hand is refused by a test of its own, so it passes this one.
    return held is None or room.type(target) in rules().accepted.get(room.type(held), ())


def _is_accepted(room: Room, target: str) -> bool:
    """Return whether the held object may be put there by the table of the simulator."""
    return room.held is None or engine_accepts(room.type(room.held), room.type(target))


def unwashable(room: Room) -> list[str]:
    """Return the objects in the sink that prevent the faucet from being switched on."""
    sink = room.first("SinkBasin")
    if sink is None:
        return []
    washable = {*rules().spread(("Dishes", "Cookware")), "DishSponge"}
    names = []
    for name in room.contents(sink):
        # Fixtures reach into basins, and cannot be taken out.
        if room.has("pickupable", name) and room.type(name) not in washable:
            names.append(name)
    return names


def lies_flat(room: Room, target: str) -> bool:
    """Return whether something lies where it can be sliced: in no container, and high enough."""
    return room.container(target) is None and room.height(target) >= LOWEST_TO_SLICE


def _faucet_on(room: Room, _: str) -> bool:
    """Return whether the first faucet of the room is on."""
    faucet = room.first("Faucet")
    return faucet is not None and room.has("on", faucet)


# ------------------------------------------------------------------ the tests

_SEEN = GateTest(Refusal.NOT_VISIBLE, Room.in_view, "{} is not in view")
_WHOLE = GateTest(Refusal.ALREADY_SLICED, _is("sliced", False), "{} is already sliced")
_REMOTE = GateTest(
    Refusal.TV_NEEDS_REMOTE,
    _only_for(("Television",), _holding("RemoteControl")),
    "the Television is switched with the RemoteControl in the hand",
)
_SOMETHING = GateTest(Refusal.NOTHING_HELD, _holds_something, "nothing is held")
_LIQUID = GateTest(Refusal.NOT_FILLED, _is("filled"), "there is no liquid in {}")
_UNFIT = "the held object does not go into {}"
_KNIFE = "{} is sliced with a knife in the hand"

_GATE: Mapping[str, tuple[GateTest, ...]] = {
    # No object has to be in view here, as finding an object brings it into view.
    "FIND": (_WHOLE,),
    "PICKUP": (
        GateTest(Refusal.HAND_FULL, lambda room, _: room.held is None, "the hand is not free"),
        _SEEN,
        GateTest(Refusal.IN_CLOSED, _reachable, "{} is in something closed"),
        GateTest(Refusal.NOT_PICKUPABLE, _is("pickupable"), "{} cannot be picked up"),
    ),
    "PUT": (
        _SOMETHING,
        _SEEN,
        GateTest(Refusal.CONTAINER_DIRTY, _is("dirty", False), "{} is dirty"),
        GateTest(Refusal.CONTAINER_CLOSED, lambda room, x: not room.shut(x), "{} is closed"),
        # One of two tables: the benchmark's own as published, or else the simulator's.
        GateTest(Refusal.INCOMPATIBLE, _is_listed, _UNFIT, only="own_table"),
        GateTest(Refusal.INCOMPATIBLE, _is_accepted, _UNFIT, unless="own_table"),
    ),
    "OPEN": (
        _SEEN,
        GateTest(Refusal.NOT_OPENABLE, _is("openable"), "{} cannot be opened"),
        GateTest(Refusal.ALREADY_OPEN, _is("open", False), "{} is open already"),
    ),
    "CLOSE": (
        _SEEN,
        GateTest(Refusal.NOT_OPENABLE, _is("openable"), "{} cannot be closed"),
        GateTest(Refusal.ALREADY_CLOSED, _is("open"), "{} is closed already"),
    ),
    "TOGGLE_ON": (
        # Before the view test: an object that is already on (or off) is refused even out of sight.
        GateTest(Refusal.ALREADY_ON, _is("on", False), "{} is on already"),
        _SEEN,
        _REMOTE,
        GateTest(Refusal.COFFEE_EMPTY, _test_of_cup(lambda *_: True), "there is nothing in {}"),
        GateTest(
            Refusal.COFFEE_WRONG_OBJECT,
            _test_of_cup(lambda room, cup: room.type(cup) == "Mug"),
            "the object in {} is not a Mug",
        ),
        GateTest(
            Refusal.COFFEE_MUG_FILLED,
            _test_of_cup(_is("filled", False)),
            "the Mug in {} is not empty",
        ),
        GateTest(
            Refusal.COFFEE_MUG_DIRTY, _test_of_cup(_is("dirty", False)), "the Mug in {} is dirty"
        ),
        GateTest(
            Refusal.SINK_BLOCKED,
            _only_for(("Faucet",), lambda room, _: not unwashable(room)),
            "something is in the SinkBasin that is not to be washed",
        ),
        GateTest(
            Refusal.MICROWAVE_OPEN, _only_for(("Microwave",), _is("open", False)), "{} is open"
        ),
        GateTest(
            Refusal.BURNER_EMPTY,
            _only_for(("StoveBurner",), Room.has_pan),
            "there is no Pan on {}",
            unless="stove_without_pan",
        ),
    ),
    "TOGGLE_OFF": (
        GateTest(Refusal.ALREADY_OFF, _is("on"), "{} is off already"),
        _SEEN,
        _REMOTE,
    ),
    "SLICE": (
        _WHOLE,
        GateTest(
            Refusal.ALREADY_SLICED, lambda room, x: not room.is_slice(x), "{} is a slice already"
        ),
        _SEEN,
        # All food is sliced with a knife but the Egg.
        GateTest(
            Refusal.NOT_ON_SURFACE,
            _only_for(CHOPPED, lies_flat),
            "{} does not lie on a counter or a table",
        ),
        # A ButterKnife passes the first of these two; the second wants a Knife itself.
        GateTest(Refusal.NEEDS_KNIFE, _only_for(CHOPPED, _holding("Knife")), _KNIFE),
        GateTest(
            Refusal.NEEDS_KNIFE,
            _only_for(CHOPPED, lambda room, _: room.holds_type("Knife")),
            _KNIFE,
            unless="any_knife",
        ),
        GateTest(
            Refusal.NOT_IN_PAN,
            _only_for(("Egg",), _test_is_in("Pan")),
            "{} is not in a Pan",
            unless="egg_anywhere",
        ),
    ),
    "CLEAN": (
        _SEEN,
        GateTest(
            Refusal.NOT_SPRAYED,
            _only_for(("Mirror",), lambda room, _: room.sprayed),
            "{} has not been sprayed",
        ),
        GateTest(
            Refusal.NEEDS_CLOTH,
            _only_for(("Mirror",), _holding("Cloth")),
            "{} is cleaned with the Cloth in the hand",
        ),
        GateTest(Refusal.FAUCET_OFF, _but_mirrors(_faucet_on), "the Faucet is off"),
        GateTest(
            Refusal.NOT_IN_SINK,
            _but_mirrors(_test_is_in("SinkBasin")),
            "{} is not in the SinkBasin",
        ),
        GateTest(
            Refusal.NEEDS_SPONGE,
            _but_mirrors(_holding("Sponge")),
            "{} is cleaned with the DishSponge in the hand",
        ),
    ),
    "SPRAY": (
        _SEEN,
        GateTest(
            Refusal.NEEDS_SPRAY_BOTTLE,
            _holding("SprayBottle"),
            "spraying needs the SprayBottle in the hand",
        ),
    ),
    "DRINK": (
        _SEEN,
        _SOMETHING,
        GateTest(
            Refusal.NOT_HELD,
            lambda room, x: room.held == x,
            "{} is not held",
            unless="drink_with_anything",
        ),
        _LIQUID,
    ),
    "EMPTY": (_SEEN, _LIQUID),
}

_NO_ACTION = GateTest(Refusal.INVALID_ACTION, lambda *_: False, "there is no such action")

ACTIONS: tuple[str, ...] = tuple(_GATE)
"""The names of the actions; each takes one type of objects."""


def refusal(action: str, target: str, *, room: Room, semantics: Semantics) -> Failed | None:
    """Return the first test that an action on an object fails, as a failure, or None."""
    for test in _GATE.get(action, (_NO_ACTION,)):
        if test.is_made(semantics) and not test.passes(room, target):
            return _failure(test, action, target, room=room, semantics=semantics)
    return None


def _failure(
    test: GateTest, action: str, target: str, *, room: Room, semantics: Semantics
) -> Failed:
    """Return the failure of an action because of one test, with the test's message.

    Args:
        test: The test that fails.
        action: Name of the action.
        target: The object.
        room: The room.
        semantics: Decides whether the message is that of the published benchmark.
    """
    template = test.says
    if "published_feedback" in semantics:
        key = "INVALID_RESPONSE"
        if action in _GATE:
            # "PICKUP HAND_FULL": "Cannot pick up {} while holding {held}."
            key = f"{action} {test.code}"
        template = rules().feedback.get(key, template)
    contents = room.contents(target)
    if test.code is Refusal.SINK_BLOCKED:
        contents = unwashable(room)
    inside_type = room.type(contents[0]) if contents else ""
    held_type = room.type(room.held) if room.held else ""
    message = template.format(room.type(target), held=held_type, inside=inside_type)
    return Failed(str(test.code), message)
