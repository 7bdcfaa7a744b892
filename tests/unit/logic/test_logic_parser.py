"""Text to formulas: precedence, names, vocabularies."""

from __future__ import annotations

import subprocess
import sys
from types import ModuleType

import pytest
import strategies
import strategies_formulas

from eai.errors import ParseError, SchemaError
from eai.logic import (
    FALSE,
    FIRST,
    LAST,
    TRUE,
    ActionAtom,
    Always,
    And,
    Atom,
    Count,
    Equal,
    Eventually,
    Exists,
    Forall,
    Formula,
    Historically,
    Iff,
    Implies,
    LogicVocabulary,
    Next,
    Not,
    Once,
    Or,
    Previous,
    Release,
    Since,
    StrongRelease,
    Then,
    Trigger,
    Until,
    Variable,
    WeakNext,
    WeakPrevious,
    WeakUntil,
    Xor,
    parse_formula,
)
from eai.logic.nodes import WORDS

P, Q, R = Atom("p"), Atom("q"), Atom("r")
X, Y = Variable("x"), Variable("y")

HOME = LogicVocabulary(
    predicates={"ON": 1, "INSIDE": 2, "WIPE": 1},
    actions={"Grab": 1, "SLEEP": 0, "wipe": 2},
    objects=["tv.1", "cup.2", "Box"],
)


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("p()", P),
        ("true", TRUE),
        ("False", FALSE),
        ("p() then q() or r()", Then((P, Or((Q, R))))),
        ("p() or q() and r()", Or((P, And((Q, R))))),
        ("not p() and q()", And((Not(P), Q))),
        ("not not p()", Not(Not(P))),
        ("p() then q() then r()", Then((P, Q, R))),
        ("(p() then q()) then r()", Then((Then((P, Q)), R))),
        ("p() implies q() -> r()", Implies(P, Implies(Q, R))),
        ("p() or q() -> r() then r()", Then((Implies(Or((P, Q)), R), R))),
        ("exists x. (on(x)) then p()", Then((Exists((X,), Atom("on", (X,))), P))),
        ("not forall x. (on(x))", Not(Forall((X,), Atom("on", (X,))))),
        ("forall x, y. (on(x, y))", Forall((X, Y), Atom("on", (X, Y)))),
        ("forn 2. x. (on(x))", Count(2, X, Atom("on", (X,)))),
        ("forn 0.x.(on(x))", Count(0, X, Atom("on", (X,)))),
        ("exists x. (x = cup.1)", Exists((X,), Equal(X, "cup.1"))),
        ("((p()))", P),
        ("\n p\t(\n)\r\n", P),
    ],
)
def test_connectives_bind_as_the_paper_says(text: str, formula: Formula) -> None:
    assert parse_formula(text) == formula


A, B, C = Atom("a"), Atom("b"), Atom("c")


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("X a", Next(A)),
        ("X[!] a", Next(A)),
        ("WX a", WeakNext(A)),
        ("wX a", WeakNext(A)),
        ("next a & wnext b", And((Next(A), WeakNext(B)))),
        ("F G a", Eventually(Always(A))),
        ("FG a", Eventually(Always(A))),
        ("XX(a)", Next(Next(A))),
        ("XXX[!] a", Next(Next(Next(A)))),
        ("eventually always a", Eventually(Always(A))),
        ("sometime(a)", Eventually(A)),
        ("Y Z a", Previous(WeakPrevious(A))),
        ("O H a", Once(Historically(A))),
        ("a U b U c", Until(A, Until(B, C))),
        ("a R b W c", Release(A, WeakUntil(B, C))),
        ("a M b until c", StrongRelease(A, Until(B, C))),
        ("a S b T c", Since(A, Trigger(B, C))),
        ("X a U !b", Until(Next(A), Not(B))),
        ("a U b & c", And((Until(A, B), C))),
        ("a & b | c ^ a -> b <-> c", Iff(Implies(Xor(Or((And((A, B)), C)), A), B), C)),
        ("a <-> b <-> c", Iff(A, Iff(B, C))),
        ("a xor b xor c", Xor(Xor(A, B), C)),
        ("a -> b -> c", Implies(A, Implies(B, C))),
        ("a ; b iff c", Then((A, Iff(B, C)))),
        ("a && b || c", Or((And((A, B)), C))),
        ("last | first", Or((LAST, FIRST))),
        ("□(a → ◇b) ∧ ¬○c", And((Always(Implies(A, Eventually(B))), Not(Next(C))))),
        ("∀x. (p(x)) ⇔ ∃y. (p(y))", Iff(
            Forall((X,), Atom("p", (X,))), Exists((Y,), Atom("p", (Y,))))),
        ("\u22a4 ⊕ ⊥", Xor(TRUE, FALSE)),
        ("R(a) U S(b)", Until(Atom("R", ("a",)), Atom("S", ("b",)))),
        ('"F"(a)', Atom("F", ("a",))),
        ("p(last, until, F)", Atom("p", ("last", "until", "F"))),
        ("Fa", Atom("Fa")),
        ("forall x. exists y. F (p(x, y))",
         Forall((X,), Exists((Y,), Eventually(Atom("p", (X, Y)))))),
        ("exactly 2 x. (p(x))", Count(2, X, Atom("p", (X,)))),
        ("at least 2 x. (p(x))", Count(2, X, Atom("p", (X,)), "at least")),
        ("atmost 2. x. (p(x))", Count(2, X, Atom("p", (X,)), "at most")),
        ("at-end a", Eventually(And((LAST, A)))),
        ("at-most-once a", Always(Implies(A, WeakUntil(A, Always(Not(A)))))),
        ("sometime-after(a, b)", Always(Implies(A, Eventually(B)))),
        ("sometime-before(a, b)", WeakUntil(And((Not(A), Not(B))), And((B, Not(A))))),
        ("within(1, a)", Or((A, Next(A)))),
        ("always-within(0, a, b)", Always(Implies(A, B))),
        ("1 U 0", Until(TRUE, FALSE)),
        ("a and 1", And((A, TRUE))),
        ("1()", Atom("1")),
        ("a(1)", Atom("a", ("1",))),
        ("X [!] a", Next(A)),
        ("X[ ! ]a", Next(A)),
        ("hold-during(0, 2, a)", And((A, WeakNext(A)))),
        ("hold-after(0, a)", Or((And((LAST, A)), Next(Always(A))))),
    ],
)  # fmt: skip
def test_linear_temporal_logic(text: str, formula: Formula) -> None:
    assert parse_formula(text) == formula


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("X a", WeakNext(A)),
        ("X[!]a", Next(A)),
        ("GFa", Always(Eventually(A))),
        ("XXX(a)", WeakNext(WeakNext(WeakNext(A)))),
        ("XX[!]a", WeakNext(Next(A))),
        ("Gp0 U 1", Until(Always(Atom("p0")), TRUE)),
        ("!0 V b", Release(Not(FALSE), B)),
        ("true & false", And((TRUE, FALSE))),
        ('F"F a"', Eventually(Atom("F a"))),
    ],
)
def test_the_dialect_of_spot(text: str, formula: Formula) -> None:
    assert parse_formula(text, dialect="spot") == formula


@pytest.mark.parametrize(
    "text",
    [
        "G (a -> F b)",
        "[] (a -> <> b)",
        "[ ](a --> < >b)",
        "Globally (a implies finally b)",
        r"\Box(a \to \Diamond b)",
        r"\square \left( a \Rightarrow \lozenge b \right)",
        r"$\mathbf{G}(a \rightarrow \mathcal F b)$",
        r"\[ G\, (\text{a} \implies F{b}) \]",
    ],
)
def test_always_and_eventually_are_read_as_others_write_them(text: str) -> None:
    assert parse_formula(text) == Always(Implies(A, Eventually(B)))


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        (r"a /\ b \/ !c", Or((And((A, B)), Not(Atom("c"))))),
        (r"\lnot a \land \bigcirc b", And((Not(A), Next(B)))),
        (r"\forall x. (\text{on\_table}(x))", Forall((X,), Atom("on_table", (X,)))),
        (r"a \mathcal{U} b", Until(A, B)),
        (r"a \leftrightarrow \top", Iff(A, TRUE)),
        (r"b_{1} \wedge b\_2", And((Atom("b_1"), Atom("b_2")))),
        (r'"a\land b"', Atom(r"aland b")),
        ("a <--> b", Iff(A, B)),
    ],
)
def test_signs_and_commands_of_latex_are_connectives(text: str, formula: Formula) -> None:
    assert parse_formula(text) == formula


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("F & a F b", Eventually(And((A, Eventually(B))))),
        ("G i a F b", Always(Implies(A, Eventually(B)))),
        ("U a ! b", Until(A, Not(B))),
        ("e t | f a", Iff(TRUE, Or((FALSE, A)))),
        ("& on(cup, box) X b", And((Atom("on", ("cup", "box")), Next(B)))),
        ('R "F" a', Release(Atom("F"), A)),
    ],
)
def test_operators_may_stand_before_their_operands(text: str, formula: Formula) -> None:
    assert parse_formula(text, dialect="prefix") == formula


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("g (a -> f b)", Always(Implies(A, Eventually(B)))),
        ("a u x b", Until(A, Next(B))),
        ("forall x. (g p(x))", Forall((X,), Always(Atom("p", (X,))))),
    ],
)
def test_operators_may_be_small_letters(text: str, formula: Formula) -> None:
    assert parse_formula(text, dialect="lower") == formula


def test_the_published_dialect() -> None:
    goal = parse_formula("exists x0. (GRAB(x0)) then forn 2. x. (NOT(x, a.1))", dialect="eai")
    x0 = Variable("x0")
    body = Count(2, X, Atom("NOT", (X, "a.1")))
    assert goal == Then((Exists((x0,), Atom("GRAB", (x0,))), body))


def test_an_unknown_dialect_is_refused() -> None:
    with pytest.raises(SchemaError, match="'pddl'"):
        parse_formula("p()", dialect="pddl")  # type: ignore[arg-type]


def test_look_alike_characters_are_read_as_what_they_look_like() -> None:
    assert parse_formula("“odd ﬁ”(\uff41) \u2013> b") == Implies(Atom("odd ﬁ", ("a",)), B)


@pytest.mark.parametrize("text", ["P() THEN Q()", "P() Then Q()", "P() tHeN Q()"])
def test_keywords_ignore_letter_case_and_names_keep_it(text: str) -> None:
    assert parse_formula(text) == Then((Atom("P"), Atom("Q")))


@pytest.mark.parametrize(
    "name",
    ["notebook", "theny", "or-else", "and_or", "trueish", "forn2", "exists.1", "x0", "not-open",
     "electric_refrigerator.n.01_1", "-".join("abc"), "65"],
)  # fmt: skip
def test_a_name_that_begins_with_a_keyword_is_a_name(name: str) -> None:
    assert parse_formula(f"{name}({name})") == Atom(name, (name,))


def test_ids_belong_to_the_name() -> None:
    parsed = parse_formula("INSIDE(soap.1005, washing_machine.1000)")
    assert parsed == Atom("INSIDE", ("soap.1005", "washing_machine.1000"))


def test_names_are_plain_strings() -> None:
    parsed = parse_formula("exists x:food. (p(x, cup.1))")
    assert isinstance(parsed, Exists)
    assert isinstance(parsed.body, Atom)
    name = parsed.variables[0]
    words = [parsed.body.predicate, parsed.body.terms[1], name.name, *name.types]
    assert all(type(word) is str for word in words)


def test_quotes_hold_any_name_and_always_mean_an_object() -> None:
    x = Variable("x")
    parsed = parse_formula(r'exists x. ("then"(x, "x", "a \"b\" \\"))')
    assert parsed == Exists((x,), Atom("then", (x, "x", 'a "b" \\')))


def test_variables_have_types() -> None:
    food = Variable("x", ("food",))
    assert parse_formula("forall x:food. (p(x))") == Forall((food,), Atom("p", (food,)))
    assert parse_formula("forall x - food. (p(x))") == Forall((food,), Atom("p", (food,)))
    either = Variable("x", ("food", "drink.n.01"))
    assert parse_formula("exists x:food|drink.n.01. (p())") == Exists((either,), P)


def test_the_inner_quantifier_hides_the_outer() -> None:
    inner, outer = Variable("x", ("food",)), Variable("x")
    parsed = parse_formula("exists x. (p(x) and exists x:food. (p(x)) and p(x))")
    body = And((Atom("p", (outer,)), Exists((inner,), Atom("p", (inner,))), Atom("p", (outer,))))
    assert parsed == Exists((outer,), body)


def test_the_vocabulary_decides_spelling_and_kind() -> None:
    parsed = parse_formula("grab(CUP.2) then on(Tv.1) then inside(box, tv.1)", vocabulary=HOME)
    links = (ActionAtom("Grab", ("cup.2",)), Atom("ON", ("tv.1",)), Atom("INSIDE", ("Box", "tv.1")))
    assert parsed == Then(links)


def test_a_predicate_wins_over_an_action_of_the_same_name() -> None:
    assert parse_formula("Wipe(tv.1)", vocabulary=HOME) == Atom("WIPE", ("tv.1",))


def test_an_exact_match_wins_over_letter_case() -> None:
    names = LogicVocabulary(predicates={"On": 1, "ON": 1, "on": 1}, objects={"a", "A"})
    assert parse_formula("on(A)", vocabulary=names) == Atom("on", ("A",))
    assert parse_formula("oN(a)", vocabulary=names) == Atom("ON", ("a",))


def test_without_objects_in_the_vocabulary_their_names_are_free() -> None:
    names = LogicVocabulary(predicates={"on": 1})
    assert parse_formula("on(anything.7)", vocabulary=names) == Atom("on", ("anything.7",))


def test_without_a_vocabulary_everything_is_an_atom_and_unbound_names_are_objects() -> None:
    assert parse_formula("grab(x)") == Atom("grab", ("x",))


def test_a_flat_chain_may_be_long() -> None:
    parsed = parse_formula(" and ".join(["p()"] * 2000))
    assert parsed == And((P,) * 2000)


def test_something_else_than_text_is_refused() -> None:
    with pytest.raises(SchemaError, match="formula is not text"):
        parse_formula(None)  # type: ignore[arg-type]


def test_importing_the_room_does_not_load_the_grammar() -> None:
    check = "import sys, eai.logic; sys.exit('lark' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0


@pytest.mark.parametrize("word", sorted(set(WORDS) - {"true", "false", "first", "last"}))
def test_the_word_of_an_operator_is_no_name(word: str) -> None:
    with pytest.raises(ParseError):
        parse_formula(word)


@pytest.mark.parametrize("module", [strategies, strategies_formulas])
def test_property_tests_try_every_operator(module: ModuleType) -> None:
    tried = {each if isinstance(each, type) else type(each) for each in vars(module).values()}
    assert set(WORDS.values()) <= tried


@pytest.mark.parametrize(
    "name", ['a"\u2227b', "\u2227", "a\\", 'a\\"\u2228', '"', "\\\\", "$b\\land"]
)
def test_nothing_inside_of_quotes_is_a_sign(name: str) -> None:
    quoted = name.replace("\\", "\\\\").replace('"', '\\"')
    formula = parse_formula(f'p("{quoted}") \u2227 q("\u2228") \u2227 r()')
    assert formula == And((Atom("p", (name,)), Atom("q", ("\u2228",)), Atom("r")))
