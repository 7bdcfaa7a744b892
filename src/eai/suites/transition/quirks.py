"""The quirks of ``eai-eval`` 1.0.5 on transition modeling, each a named switch."""

from __future__ import annotations

from eai.semantics import Quirk, hooked

_READING = hooked(
    "reading",
    Quirk(
        "operators_by_pattern",
        "Takes every `(:action NAME` out of the answer by a pattern: a name ends at a hyphen, an "
        "operator without one of its parts ends the reading, a part whose brackets do not close "
        "is empty, single quotes become double ones.",
        "The answer is read as PDDL; an operator that is not is a parsing error, and the others "
        "are read all the same (2.6).",
    ),
    Quirk(
        "broken_answers_left_out",
        "An answer whose JSON is no text and has none under `output`, or with a list of parameters "
        "that does not end, is left out of every count.",
        "It has no operators: all are missing, and there is no plan.",
    ),
)

_COUNTING = hooked(
    "counting",
    Quirk(
        "clauses_as_written",
        "Formulas that the pattern found are compared as text: names and letter case of "
        "parameters must be the annotation's, variables of quantifiers are renamed only if both "
        "stand at the same place, `(and (p))` differs from `(p)`, half of a nested conjunction "
        "is enough behind `not`.",
        "Clauses are equal if they say the same up to the order of their parts and the names of "
        "variables and parameters; a clause with a wrong part is wrong (D.4).",
    ),
    Quirk(
        "names_of_predicates",
        "What is counted are sets of predicate names for each precondition and effect: their "
        "signs, their arguments, and how many clauses have them is lost.",
        "Clauses are counted, by the predicates that they consist of (D.4).",
    ),
    Quirk(
        "mixed_indices",
        "A clause of the answer counts as unmatched if its number is not among the numbers of "
        "the matched annotated clauses, even if it is matched.",
        "A false positive is a clause of the answer that the matching leaves over (D.4).",
    ),
    Quirk(
        "overlapping_credit",
        "Every clause that equals one of the other side counts as matched, whether or not the "
        "matching pairs them.",
        "A true positive is a pair of the matching (D.4).",
    ),
    Quirk(
        "unreadable_parts_vanish",
        "A precondition or effect that cannot be read counts nothing, nor does the annotated one.",
        "The annotated clauses are missing.",
    ),
    Quirk(
        "missing_operators_ignored",
        "An operator that the answer does not have counts nothing.",
        "All its clauses are missing (2.6: the model generates all operators).",
    ),
    Quirk(
        "unasked_operators_ignored",
        "An operator that was not asked for counts nothing.",
        "All its clauses are too many.",
    ),
    Quirk(
        "unknown_predicates_ignored",
        "A predicate that the domain does not have is no false positive; where half of a nested "
        "conjunction makes one count as matched, the evaluator stops with a KeyError.",
        "It is a false positive like any other (E.4.3, property hallucination).",
    ),
)

_PLANNER = hooked(
    "planner",
    Quirk(
        "gold_operators_filled_in",
        "The planner gets every annotated operator that the answer does not have, so an empty "
        "answer always succeeds.",
        "The planner has the operators of the answer (2.6).",
    ),
    Quirk(
        "undeclared_names_accepted",
        "A predicate, an object or a type that is not declared is no fault, as in Fast Downward "
        "24.06: what is nowhere true is false.",
        "An operator with names that are not declared is not one that a planner can use.",
    ),
)

TRANSITION_QUIRKS = _READING | _COUNTING | _PLANNER
