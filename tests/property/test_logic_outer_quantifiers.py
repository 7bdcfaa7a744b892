"""A formula is the conjunction of its parts for all objects."""

from __future__ import annotations

from hypothesis import example, given, settings, strategies as st
from list_trajectory import ListTrajectory
from strategies import OBJECTS, trajectories
from strategies_formulas import all_formulas, linear_formulas

from eai.logic import And, Atom, Equal, Forall, Formula, Then, Variable, bindings, evaluate
from eai.logic.parts import contains, parts_of

FEW = settings(max_examples=100)
X, Y = Variable("x", ("food", "thing")), Variable("y")
SHORT = ListTrajectory(OBJECTS, [[("near", name, name) for name in OBJECTS]])


def quantified() -> st.SearchStrategy[Formula]:
    """Conjunctions of formulas under quantifiers, some of which bind one variable twice."""
    variables = st.sampled_from([(X,), (Y,), (X, Y), (Variable("x"),)])
    atoms = st.sampled_from([Atom("clean", (X,)), Atom("near", (X, Y)), Atom("clean", (Y,))])
    body = linear_formulas(depth=1) | atoms | st.just(Equal(X, Y))
    bound = st.recursive(body, lambda part: st.builds(Forall, variables, part), max_leaves=3)
    closed = bound.map(lambda formula: Forall((X, Y), formula) if formula.free else formula)
    return st.lists(closed, min_size=1, max_size=3).map(tuple).map(And)


@FEW
@example(Forall((X, Y), Equal(X, Y)), SHORT)
@example(Forall((X,), Forall((Y,), Atom("near", (X, Y)))), SHORT)
@example(Forall((X,), Forall((X,), Atom("clean", (X,)))), SHORT)
@given(quantified() | all_formulas(depth=2), trajectories())
def test_a_formula_holds_if_all_parts_hold_for_all_objects(
    formula: Formula, trajectory: ListTrajectory
) -> None:
    parts = parts_of(formula)
    for body, variables in parts:
        names = {variable.name for variable in variables}
        assert not (variables and contains(body, Equal))
        if variables and isinstance(body, Forall):  # it hides one of the variables
            assert names.intersection(variable.name for variable in body.variables)
    holds = True
    for body, variables in parts:
        for binding in bindings(variables, trajectory.objects, {}):
            verdict = evaluate(body.substitute(binding), trajectory, reading="ltlf")
            holds = holds and verdict.holds
    if contains(formula, Then):
        assert parts == [(formula, ())]
    assert evaluate(formula, trajectory, reading="ltlf").holds is holds


@FEW
@given(all_formulas(depth=2), st.sampled_from([Then, Equal, Forall, Atom, And]))
def test_a_formula_contains_what_its_nodes_are(formula: Formula, kind: type[Formula]) -> None:
    assert contains(formula, kind) is any(isinstance(node, kind) for node in formula.walk())
