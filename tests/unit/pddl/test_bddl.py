"""BDDL goals: what is read, what is printed, what is refused and where."""

from __future__ import annotations

import pytest

from eai.errors import InputError, ParseError, SchemaError
from eai.logic import (
    And,
    Atom,
    Count,
    Equal,
    Exists,
    Forall,
    Formula,
    ForPairs,
    Implies,
    Next,
    Not,
    Or,
    Truth,
    Variable,
)
from eai.pddl import format_bddl, read_bddl

JAR = Variable("jar.n.01", ("jar.n.01",))
APPLE = Variable("apple.n.01", ("apple.n.01",))
INSIDE = Atom("inside", (APPLE, JAR))


def test_a_goal_of_the_benchmark_is_read() -> None:
    goal = read_bddl(
        """
        (:goal  ; what the jars look like in the end
            (and
                (forall (?jar.n.01 - jar.n.01) (not (open ?jar.n.01)))
                (exists (?jar.n.01 - jar.n.01) (inside ?apple.n.01_1 ?jar.n.01))
                (or (stained ?sink.n.01_1) (imply (= ?a ?b) (dusty sink.n.01_1)))))
        """
    )
    assert goal == And(
        (
            Forall((JAR,), Not(Atom("open", (JAR,)))),
            Exists((JAR,), Atom("inside", ("apple.n.01_1", JAR))),
            Or(
                (
                    Atom("stained", ("sink.n.01_1",)),
                    Implies(Equal("a", "b"), Atom("dusty", ("sink.n.01_1",))),
                )
            ),
        )
    )


def test_counting_and_pairing_are_read() -> None:
    one = "(?jar.n.01 - jar.n.01)"
    both = f"(?apple.n.01 - apple.n.01) {one}"
    opened = Atom("open", (JAR,))
    inside = "(inside ?apple.n.01 ?jar.n.01)"
    assert read_bddl(f"(forn (2) {one} (open ?jar.n.01))") == Count(2, JAR, opened)
    assert read_bddl(f"(forn 2 {one} (open ?jar.n.01))", forn="at least") == Count(
        2, JAR, opened, "at least"
    )
    assert read_bddl(f"(forpairs {both} {inside})") == ForPairs(APPLE, JAR, INSIDE)
    assert read_bddl(f"(fornpairs (3) {both} {inside})") == ForPairs(APPLE, JAR, INSIDE, 3)


def test_lists_are_read_like_text() -> None:
    assert read_bddl(["not", ["open", "jar.n.01_1"]]) == Not(Atom("open", ("jar.n.01_1",)))
    assert read_bddl(["not", "inside", "a", "b"]) == Not(Atom("inside", ("a", "b")))
    assert read_bddl([["open", "a"], ["Sliced", "B"]]) == And(
        (Atom("open", ("a",)), Atom("sliced", ("b",)))
    )
    assert read_bddl(
        ["forpairs", ["?x", "-", "t"], ["?y", "-", "u"], ["touching", "?x", "?y"]]
    ) == read_bddl("(forpairs (?x - t) (?y - u) (touching ?x ?y))")
    assert read_bddl([]) == Truth(True)


def test_a_name_is_a_variable_only_where_it_is_bound() -> None:
    x = Variable("x", ("t",))
    assert read_bddl("(and (p ?x) (forall (?x - t) (p x)) (p x))") == And(
        (Atom("p", ("x",)), Forall((x,), Atom("p", (x,))), Atom("p", ("x",)))
    )
    assert read_bddl("(exists (?x ?y - t ?z) (p ?x ?y ?z))") == Exists(
        (x, Variable("y", ("t",)), Variable("z")),
        Atom("p", (x, Variable("y", ("t",)), Variable("z"))),
    )


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("", 1),
        ("; nothing", 1),
        ("open", 1),
        ("(and (p)", 1),
        ("(p))", 4),
        ("(p) (q)", 5),
        ("(p (q))", 4),
        ("(and p)", 6),
        ("(?x a)", 2),
        ("(7 a)", 2),
        ("(p -)", 4),
        ("(not)", 5),
        ("(not (p) (q))", 10),
        ("(imply (p))", 11),
        ("(forall ?x (p))", 9),
        ("(forall () (p))", 9),
        ("(forall (?x ?x - t) (p))", 9),
        ("(forall (?x -) (p))", 13),
        ("(forall (?x - (t)) (p))", 15),
        ("(forn (a) (?x - t) (p))", 7),
        ("(forn (9999999) (?x - t) (p))", 7),
        ("(forn (-1) (?x - t) (p))", 7),
        ("(forn (1) (?x ?y - t) (p))", 11),
        ("(forpairs (?x - t) (?x - t) (p))", 20),
        ("(fornpairs (?x - t) (?y - t) (p))", 33),
    ],
)
def test_mistakes_are_shown_at_their_place(text: str, column: int) -> None:
    with pytest.raises(ParseError) as caught:
        read_bddl(text)
    assert caught.value.column == column


def test_mistakes_in_lists_have_a_place_too() -> None:
    with pytest.raises(ParseError, match="not a number") as caught:
        read_bddl(["and", ["p", "a"], ["forn", ["two"], ["?x", "-", "t"], ["p", "?x"]]])
    assert caught.value.text[caught.value.position :].startswith("(two)")
    for wrong in (7, ["p", 7], ["p", "a b"], ["p", ""], {"p": "a"}):
        with pytest.raises(SchemaError, match="goal"):
            read_bddl(wrong)  # type: ignore[arg-type]


def test_unknown_objects_are_refused_with_near_names() -> None:
    objects = ["jar.n.01_1", "apple.n.01_1"]
    assert read_bddl("(open ?jar.n.01_1)", objects=objects) == Atom("open", ("jar.n.01_1",))
    with pytest.raises(ParseError, match=r"'jar.n.01_2'.*\n.*\n.*\n.*did you mean 'jar.n.01_1'"):
        read_bddl("(open ?jar.n.01_2)", objects=objects)


def test_depth_and_length_are_bounded() -> None:
    with pytest.raises(ParseError, match="100 deep"):
        read_bddl("(not " * 5000)
    nested: list[object] = ["p"]
    for _ in range(5000):
        nested = ["not", nested]
    with pytest.raises(ParseError, match="100 deep"):
        read_bddl(nested)  # type: ignore[arg-type]
    with pytest.raises(ParseError, match="characters"):
        read_bddl("(" * 5_000_001)


def test_goals_are_printed_on_one_line() -> None:
    text = (
        "(and (forn (2) (?x - t) (or (p ?x) (not (q a)))) "
        "(fornpairs (1) (?x - t) (?y - u) (imply (p ?x) (= ?x ?y))) "
        "(forpairs (?x - t) (?y - u) (exists (?z ?w - object) (r ?z ?w))))"
    )
    assert format_bddl(read_bddl(text)) == text.replace("?z ?w - object", "?z - object ?w - object")
    assert format_bddl(Truth(True)) == "(and)"
    assert format_bddl(Truth(False)) == "(or)"


@pytest.mark.parametrize(
    "formula",
    [
        Next(Atom("p")),
        Atom("and"),
        Atom("7"),
        Atom("two words"),
        Atom("Capital"),
        Atom("p", ("-",)),
        Atom("p", (Variable("x"),)),
        Count(1, JAR, Atom("p"), "at most"),
        Forall((), Atom("p")),
        Forall((JAR, JAR), Atom("p")),
        Forall((Variable("x", ("t", "u")),), Atom("p")),
        Forall((Variable("x"),), Atom("p", ("x",))),
        ForPairs(JAR, JAR, Atom("p")),
    ],
)
def test_what_bddl_cannot_say_is_not_printed(formula: Formula) -> None:
    with pytest.raises(InputError):
        format_bddl(formula)


def test_pairs_are_a_quantifier_of_the_tree() -> None:
    goal = ForPairs(APPLE, JAR, Atom("inside", (APPLE, JAR, Variable("z"))), 2)
    assert goal.operands == (goal.body,)
    assert goal.variables == (APPLE, JAR)
    assert goal.free == {Variable("z")}
    assert goal.substitute({"z": "a", "jar.n.01": "b"}) == ForPairs(
        APPLE, JAR, Atom("inside", (APPLE, JAR, "a")), 2
    )
    assert goal != ForPairs(APPLE, JAR, goal.body)
