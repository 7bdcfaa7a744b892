"""The PDDL fixtures a second time: the same domains and problems, built from objects."""

from __future__ import annotations

from pathlib import Path

from eai.logic import FALSE, TRUE, And, Atom, Equal, Exists, Forall, Or, Term, Variable
from eai.pddl import (
    MINIMAL_COST,
    AddEffect,
    AndEffect,
    Axiom,
    CostEffect,
    DeleteEffect,
    Domain,
    Effect,
    ForallEffect,
    Function,
    Operator,
    Predicate,
    Problem,
    WhenEffect,
)

__all__ = ["DOMAINS", "FOLDER", "PROBLEMS"]

FOLDER = Path(__file__).parents[1] / "fixtures" / "pddl"


def _is(predicate: str, *terms: Term) -> Atom:
    return Atom(predicate, terms)


def _all(*parts: Atom) -> And:
    return And(parts)


def _do(*changes: Atom | Effect) -> AndEffect:
    return AndEffect(tuple(AddEffect(c) if isinstance(c, Atom) else c for c in changes))


def _no(predicate: str, *terms: Term) -> DeleteEffect:
    return DeleteEffect(Atom(predicate, terms))


def _predicates(**declared: tuple[Variable, ...]) -> dict[str, Predicate]:
    names = {name.replace("_", "-"): variables for name, variables in declared.items()}
    return {name: Predicate(name, variables) for name, variables in names.items()}


def _operators(*declared: Operator) -> dict[str, Operator]:
    return {operator.name: operator for operator in declared}


def _gripper() -> Domain:
    r, b, g, o, start, end = (Variable(name) for name in ("r", "b", "g", "o", "from", "to"))
    obj, room, hand = Variable("obj"), Variable("room"), Variable("gripper")
    sorts = (_is("ball", obj), _is("room", room), _is("gripper", hand))
    here, free = _is("at-robby", room), _is("free", hand)
    lies, held = _is("at", obj, room), _is("carry", obj, hand)
    move = Operator(
        "move",
        (start, end),
        _all(_is("room", start), _is("room", end), _is("at-robby", start)),
        _do(_is("at-robby", end), _no("at-robby", start)),
    )
    pick = Operator(
        "pick",
        (obj, room, hand),
        _all(*sorts, lies, here, free),
        _do(held, DeleteEffect(lies), DeleteEffect(free)),
    )
    drop = Operator(
        "drop",
        (obj, room, hand),
        _all(*sorts, held, here),
        _do(lies, free, DeleteEffect(held)),
    )
    return Domain(
        "gripper",
        requirements=("strips",),
        predicates=_predicates(
            room=(r,), ball=(b,), gripper=(g,), at_robby=(r,), at=(b, r), free=(g,), carry=(o, g)
        ),
        operators=_operators(move, pick, drop),
    )


def _gripper_problem() -> Problem:
    return Problem(
        "gripper-2",
        "gripper",
        objects=dict.fromkeys(("rooma", "roomb", "ball1", "ball2", "left", "right"), "object"),
        initial=(
            _is("room", "rooma"),
            _is("room", "roomb"),
            _is("ball", "ball1"),
            _is("ball", "ball2"),
            _is("gripper", "left"),
            _is("gripper", "right"),
            _is("at-robby", "rooma"),
            _is("free", "left"),
            _is("free", "right"),
            _is("at", "ball1", "rooma"),
            _is("at", "ball2", "rooma"),
        ),
        goal=_all(_is("at", "ball1", "roomb"), _is("at", "ball2", "roomb")),
    )


def _logistics() -> Domain:
    loc, city = Variable("loc", ("place",)), Variable("city", ("city",))
    obj, pkg = Variable("obj", ("physobj",)), Variable("pkg", ("package",))
    veh, truck = Variable("veh", ("vehicle",)), Variable("truck", ("truck",))
    start, end = Variable("from", ("place",)), Variable("to", ("place",))
    plane = Variable("plane", ("airplane",))
    here, there = Variable("from", ("airport",)), Variable("to", ("airport",))
    lies, inside = _is("at", pkg, loc), _is("in", pkg, veh)
    load = Operator(
        "load",
        (pkg, veh, loc),
        _all(_is("at", veh, loc), lies),
        _do(DeleteEffect(lies), inside, CostEffect(0.5)),
    )
    unload = Operator(
        "unload",
        (pkg, veh, loc),
        _all(_is("at", veh, loc), inside),
        _do(DeleteEffect(inside), lies, CostEffect(0.5)),
    )
    drive = Operator(
        "drive",
        (truck, start, end, city),
        _all(_is("at", truck, start), _is("in-city", start, city), _is("in-city", end, city)),
        _do(
            _no("at", truck, start), _is("at", truck, end), CostEffect(_is("distance", start, end))
        ),
    )
    fly = Operator(
        "fly",
        (plane, here, there),
        _is("at", plane, here),
        _do(
            _no("at", plane, here),
            _is("at", plane, there),
            CostEffect(_is("distance", here, there)),
        ),
    )
    return Domain(
        "logistics",
        requirements=("typing", "action-costs"),
        types={
            **dict.fromkeys(("truck", "airplane"), "vehicle"),
            **dict.fromkeys(("package", "vehicle"), "physobj"),
            **dict.fromkeys(("airport", "location"), "place"),
            **dict.fromkeys(("city", "place", "physobj"), "object"),
        },
        predicates=_predicates(in_city=(loc, city), at=(obj, loc))
        | {"in": Predicate("in", (pkg, veh))},
        functions={
            "total-cost": Function("total-cost"),
            "distance": Function("distance", (start, end)),
        },
        operators=_operators(load, unload, drive, fly),
    )


def _logistics_problem() -> Problem:
    ways = {("office", "north"): 12.5, ("north", "south"): 600.0}
    there = {_is("distance", *way): length for way, length in ways.items()}
    back = {_is("distance", *reversed(way)): length for way, length in ways.items()}
    return Problem(
        "one-parcel",
        "logistics",
        objects={
            "plane": "airplane",
            "truck1": "truck",
            "truck2": "truck",
            "parcel": "package",
            "office": "location",
            "north": "airport",
            "south": "airport",
            "town": "city",
            "capital": "city",
        },
        initial=(
            _is("in-city", "office", "town"),
            _is("in-city", "north", "town"),
            _is("in-city", "south", "capital"),
            _is("at", "plane", "south"),
            _is("at", "truck1", "north"),
            _is("at", "truck2", "south"),
            _is("at", "parcel", "office"),
        ),
        goal=_is("at", "parcel", "south"),
        values={_is("total-cost"): 0.0, **there, **back},
        metric=MINIMAL_COST,
    )


def _briefcase() -> Domain:
    x, y = Variable("x", ("portable",)), Variable("y", ("portable",))
    place, start, end = (Variable(name, ("location",)) for name in ("l", "from", "to"))
    carried = WhenEffect(_is("in", x), _do(_is("at", x, end), _no("at", x, start)))
    move = Operator(
        "move",
        (start, end),
        _is("is-at", start) & ~Equal(start, end),
        _do(_is("is-at", end), _no("is-at", start), ForallEffect((x,), carried)),
    )
    put_in = Operator(
        "put-in",
        (x, place),
        And((_is("at", x, place), _is("is-at", place), ~_is("in", x))),
        AddEffect(_is("in", x)),
    )
    take_out = Operator("take-out", (x,), _is("in", x), _no("in", x))
    arrive = WhenEffect(Equal(place, "home"), AddEffect(_is("is-at", place)))
    leave = WhenEffect(_is("is-at", place) & ~Equal(place, "home"), _no("is-at", place))
    go_home = Operator(
        "go-home-empty",
        (),
        ~_is("is-at", "home") & (Exists((y,), _is("in", y)) >> FALSE),
        ForallEffect((place,), _do(arrive, leave)),
    )
    return Domain(
        "briefcase",
        requirements=("adl",),
        types={"portable": "object", "location": "object"},
        constants={"home": "location"},
        predicates=_predicates(at=(x, place), is_at=(place,)) | {"in": Predicate("in", (x,))},
        operators=_operators(move, put_in, take_out, go_home),
    )


def _briefcase_problem() -> Problem:
    x = Variable("x", ("portable",))
    rest = Forall((x,), ~Equal(x, "cheque") >> _is("at", x, "home"))
    return Problem(
        "pay-the-bill",
        "briefcase",
        objects={
            "office": "location",
            "bank": "location",
            "dictionary": "portable",
            "cheque": "portable",
        },
        initial=(
            _is("is-at", "home"),
            _is("at", "dictionary", "home"),
            _is("at", "cheque", "home"),
            _is("in", "cheque"),
        ),
        goal=And((_is("at", "cheque", "bank"), _is("is-at", "home"), rest)),
    )


def _blocks_and_boxes() -> Domain:
    x, top, z = Variable("x", ("thing",)), Variable("y", ("thing",)), Variable("z", ("thing",))
    y, box = Variable("y", ("thing", "table")), Variable("b", ("box",))
    surface, block = Variable("x", ("block", "table")), Variable("x", ("block",))
    table, moved = Variable("x", ("table",)), Variable("x", ("block", "box"))
    start, end = (Variable(name, ("block", "table")) for name in ("from", "to"))
    chain = Exists((z,), _is("on", x, z) & _is("above", z, y))
    put = Operator(
        "put",
        (moved, start, end),
        And(
            (
                _is("on", moved, start),
                _is("clear", end),
                ~Equal(moved, end),
                ~Exists((top,), _is("above", top, moved)),
            )
        ),
        _do(_is("on", moved, end), _no("on", moved, start)),
    )
    return Domain(
        "blocks-and-boxes",
        requirements=("adl", "derived-predicates"),
        types={"block": "thing", "box": "thing", "thing": "object", "table": "object"},
        predicates=_predicates(on=(x, y), above=(x, y), clear=(surface,), locked=(box,)),
        axioms=(
            Axiom(_is("above", x, y), Or((_is("on", x, y), chain))),
            Axiom(_is("clear", block), ~Exists((top,), _is("on", top, block))),
            Axiom(_is("clear", table), TRUE),
        ),
        operators=_operators(put, Operator("lock", (box,), TRUE, AddEffect(_is("locked", box)))),
    )


def _blocks_and_boxes_problem() -> Problem:
    box = Variable("b", ("box",))
    return Problem(
        "swap",
        "blocks-and-boxes",
        objects={"a": "block", "b": "block", "crate": "box", "desk": "table"},
        initial=(_is("on", "a", "b"), _is("on", "b", "desk"), _is("on", "crate", "desk")),
        goal=_is("above", "b", "a") & Forall((box,), _is("above", box, "desk")),
    )


DOMAINS = {
    "gripper": _gripper(),
    "logistics": _logistics(),
    "briefcase": _briefcase(),
    "blocks-and-boxes": _blocks_and_boxes(),
}

PROBLEMS = {
    "gripper": _gripper_problem(),
    "logistics": _logistics_problem(),
    "briefcase": _briefcase_problem(),
    "blocks-and-boxes": _blocks_and_boxes_problem(),
}
