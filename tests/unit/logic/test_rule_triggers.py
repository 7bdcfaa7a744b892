"""What sets a rule off: the left side of the implication that it always asks for."""

from __future__ import annotations

from itertools import product

import pytest

from eai.errors import SchemaError
from eai.logic import Atom, LogicVocabulary, Trace, at_stake, load_rules, parse_formula, trigger_of

CUPS = ["a", "b"]
FACTS = [Atom(name, (cup,)) for name in ("dirty", "used") for cup in CUPS]
STATES = [[fact for fact, is_true in zip(FACTS, row, strict=True) if is_true]
          for row in product([False, True], repeat=len(FACTS))]  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "trigger"),
    [
        ("G (dirty(a) -> F used(a))", "F dirty(a)"),
        ("G (dirty(a) -> used(a)) and G (dirty(b) -> used(b))", "F dirty(a) or F dirty(b)"),
        ("forall x. (G (dirty(x) -> used(x)))", "exists x. (F dirty(x))"),
        (
            "forall x. (forall y. (G (dirty(x) -> used(y))))",
            "exists x. (exists y. (F dirty(x)))",
        ),
        # These are always at stake.
        ("G not dirty(a)", None),
        ("G (dirty(a) or used(a))", None),
        ("forall x. (G not dirty(x))", None),
        ("G (dirty(a) -> used(a)) and G not used(b)", None),
        ("G not used(b) and G (dirty(a) -> used(a))", None),
        ("F (dirty(a) -> used(a))", None),
        ("dirty(a) then used(a)", None),
    ],
)
def test_a_rule_is_at_stake_where_its_trigger_happens(rule: str, trigger: str | None) -> None:
    formula = parse_formula(rule)
    expected = None if trigger is None else parse_formula(trigger)
    assert trigger_of(formula) == expected
    for first, second in product(STATES, repeat=2):
        happened = {fact.terms[0] for fact in [*first, *second] if fact.predicate == "dirty"}
        if trigger is None:
            happens = True
        elif "b" in trigger or "exists" in trigger:
            happens = bool(happened)
        else:
            happens = "a" in happened
        trajectory = Trace.of_states([first, second], objects=CUPS)
        assert at_stake(formula, trajectory) is happens


@pytest.mark.parametrize(
    ("formula", "mend"),
    [
        ("G (forall x:cups. (!dirty(x)))", "did you mean cup?"),
        ("G (forall x:zebra. (!dirty(x)))", None),
        ("G !dirty(shelf)", None),
    ],
)
def test_a_type_that_a_task_does_not_have_is_mended_by_one_that_is_like_it(
    formula: str, mend: str | None
) -> None:
    names = LogicVocabulary(
        {"dirty": 1},
        objects={"a": "cup", "shelf": "place"},
        types={"cup": "object", "place": "object"},
        parameters={"dirty": [("cup",)]},
    )
    [rule] = load_rules([{"name": "clean", "formula": formula}])
    with pytest.raises(SchemaError) as caught:
        rule.formula_for(names)
    assert caught.value.mend == mend
