"""Shapes of answers to the other abilities, and of plans of RoboBench.

The content of each answer is made from the tasks: their goals, the states that their plans pass
through, the annotated operators. A shape is read rightly if it has the same result as the same
content in the suite's own notation.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import answer_goals
import answer_operators
import answer_subgoals
from answer_shapes import (
    DECIDED_TEXTS,
    GOAL_SHAPES,
    ONE_ARM,
    OPERATOR_SHAPES,
    PAIRS,
    SENTENCES,
    SUBGOAL_SHAPES,
    TWO_ARMS,
    WITHHELD_TEXTS,
    Goals,
    Literal,
    OperatorText,
    RoboShape,
    Skill,
    Subgoal,
    can_be_said,
)
from reading_board import Board

import eai
from eai.contract import Suite, execution_of, write_plan
from eai.diagnosis import Result
from eai.logic import Atom
from eai.suites.robobench import judge_plan
from eai.task import Task

Content = TypeVar("Content")
LOOKED_AT = 60  # tasks of a suite that are looked at for the wanted number of usable ones


@dataclass
class Answer(Generic[Content]):
    """A task, the content of an answer to it, and other content, which has another result."""

    suite: Suite
    ability: str
    task: Task
    content: Content
    other: Content
    expected: object = None

    def result(self, text: str) -> Result:
        """Evaluate a text as an answer to the task."""
        semantics = self.suite.semantics("strict")
        return self.suite.evaluate(self.ability, self.task, text, semantics)

    def outcome(self, text: str) -> object:
        """Return what the result of a text says about its content."""
        result = self.result(text)
        matches = tuple((match.kind, match.tp, match.fp, match.fn) for match in result.matches)
        met = tuple(goal.met for goal in result.goals)
        return result.success, matches, result.plan, result.outcome, met


def _measure(
    title: str,
    options: argparse.Namespace,
    cases: Mapping[str, Sequence[Answer[Content]]],
    shapes: Mapping[str, Callable[[Content], str]],
    forms: Mapping[str, Callable[[Content], str]],
) -> None:
    """Print the shapes, the decisions and the negatives of an ability."""
    board = Board(title, options.show)
    decided = Board(f"{title}: decisions", options.show)
    withheld = Board(f"{title}: negatives", options.show)
    for suite, answers in cases.items():
        for name, shape in shapes.items():
            texts = [(answer, shape(answer.content)) for answer in answers]
            _count(board, suite, name, texts)
        for form, write in forms.items():
            for kind, decide in DECIDED_TEXTS.items():
                texts = [
                    (answer, decide(write(answer.content), write(answer.other)))
                    for answer in answers
                ]
                _count(decided, suite, f"{kind}/{form}", texts)
            for kind, withhold in WITHHELD_TEXTS.items():
                outcomes = []
                for answer in answers:
                    text = withhold(write(answer.content))
                    outcomes.append(answer.outcome(text) != answer.expected)
                    if not outcomes[-1]:
                        withheld.show(kind, answer.task.id, text, answer.result(text))
                withheld.count(f"{kind}/{form}", suite, outcomes)
    for each in (board, decided, withheld):
        each.print()


def _count(
    board: Board,
    suite: str,
    name: str,
    texts: Sequence[tuple[Answer[Content], str]],
) -> None:
    """Count the texts whose outcome is that of the suite's own notation."""
    outcomes = []
    for answer, text in texts:
        outcomes.append(answer.outcome(text) == answer.expected)
        if not outcomes[-1]:
            board.show(name, answer.task.id, text, answer.result(text))
    board.count(name, suite, outcomes)


def usable(
    suite_name: str,
    ability: str,
    number: int,
    content_of: Callable[[Suite, Task], Iterator[tuple[Content, Content]]],
    own: Callable[[Content], str],
) -> list[Answer[Content]]:
    """Return answers that succeed, while other content for the task has another result."""
    try:
        suite = eai.suite(suite_name)
        ids = list(suite.task_ids())
    except eai.EaiError as error:
        print(f"{suite_name}: {error}", file=sys.stderr)
        return []
    found: list[Answer[Content]] = []
    for task_id in ids[:: max(1, len(ids) // LOOKED_AT)]:
        task = suite.task(task_id)
        for content, other in content_of(suite, task):
            answer = Answer(suite, ability, task, content, other)
            answer.expected = answer.outcome(own(content))
            succeeds = answer.result(own(content)).success
            if succeeds and answer.expected != answer.outcome(own(other)):
                found.append(answer)
                break
        if len(found) == number:
            break
    return found


# Goal interpretation


def goals(options: argparse.Namespace) -> None:
    """Goals of households and of VirtualHome in many shapes."""
    cases = {
        name: usable(name, "goal_interpretation", options.tasks, goals_of, Goals.plain)
        for name in options.suites.split(",")
        if name in {"household", "virtualhome"}
    }
    forms = {"json": Goals.plain, "lines": answer_goals.headings_with_terms}
    _measure("goals", options, cases, GOAL_SHAPES, forms)


def goals_of(_: Suite, task: Task) -> Iterator[tuple[Goals, Goals]]:
    """Yield the goals of a task, and others."""
    if not task.goal.final:
        return
    nodes = []
    edges = []
    for kind, literal in task.goal.final[0]:
        if not isinstance(literal, Atom):
            return
        objects = [str(term).rpartition(".")[0] for term in literal.terms]
        if kind == "state":
            nodes.append((objects[0], literal.predicate.upper()))
        else:
            relation = "ON" if literal.predicate == "ontop" else literal.predicate.upper()
            edges.append((objects[0], relation, objects[1]))
    actions = tuple(goal.names[0].upper() for goal in task.goal.actions)
    whole = Goals(tuple(nodes), tuple(edges), actions)
    # Goals of one kind would not show whether the kinds are kept apart.
    if edges and (nodes or actions):
        yield whole, Goals(whole.nodes[:-1], whole.edges, ("TOUCH",))


# Subgoal decomposition

STATES = frozenset(
    [
        "closed",
        "open",
        "on",
        "off",
        "plugged_in",
        "plugged_out",
        "sitting",
        "lying",
        "clean",
        "dirty",
        "ontop",
        "inside",
        "facing",
        "holds_rh",
        "holds_lh",
        "onfloor",
        "nextto",
        "under",
        "cooked",
        "frozen",
        "sliced",
        "soaked",
        "toggled_on",
    ]
)


def subgoals(options: argparse.Namespace) -> None:
    """States that right plans pass through, in many shapes."""
    cases = {
        name: usable(
            name, "subgoal_decomposition", options.tasks, subgoals_of, answer_subgoals.plain
        )
        for name in options.suites.split(",")
        if name in {"virtualhome", "behavior"}
    }
    forms = {
        "json": answer_subgoals.plain,
        "lines": answer_subgoals.numbered,
    }
    _measure("subgoals", options, cases, SUBGOAL_SHAPES, forms)


def subgoals_of(suite: Suite, task: Task) -> Iterator[tuple[Sequence[Subgoal], Sequence[Subgoal]]]:
    """Yield states that a right plan passes through, and others."""
    if not task.plans or not 3 <= len(task.plans[0]) <= 12:
        return
    plan = write_plan(suite, task.plans[0])
    execution = execution_of(suite, task, plan, suite.semantics("strict"))
    if execution is None:
        return
    trajectory = execution.trajectory
    literals = []
    for position in range(1, len(trajectory.steps) + 1):
        literals += [_literal(suite, atom) for atom in _named(trajectory.added(position))][:1]
    if len(literals) < 3:
        return
    single = [Subgoal((literal,)) for literal in literals]
    joined = [*single[:-2], Subgoal((literals[-2], literals[-1]))]
    for content in (joined, single):
        yield content, content[::-1][:-1]


def _named(atoms: Iterator[Atom]) -> list[Atom]:
    return [atom for atom in atoms if atom.predicate.removeprefix("placed_") in STATES]


def _literal(suite: Suite, atom: Atom) -> Literal:
    """Return an atom as the prompt for subgoals names its predicate and its objects."""
    terms = tuple(map(str, atom.terms))
    if suite.name != "behavior":
        return Literal(atom.predicate.upper(), terms)
    predicate = atom.predicate.removeprefix("placed_").replace("toggled_on", "toggledon")
    if predicate.startswith("holds"):
        terms = terms[1:]
    return Literal(predicate, tuple(".".join(term.rsplit("_", 1)) for term in terms))


# Transition modeling


def operators(options: argparse.Namespace) -> None:
    """Annotated operators in many shapes."""
    cases = {
        name: usable(
            name, "transition_modeling", options.tasks, operators_of, answer_operators.plain
        )
        for name in options.suites.split(",")
        if name in {"virtualhome", "behavior"}
    }
    forms = {"json": answer_operators.plain, "pddl": answer_operators.actions}
    _measure("operators", options, cases, OPERATOR_SHAPES, forms)


def operators_of(
    suite: Suite, task: Task
) -> Iterator[tuple[Sequence[OperatorText], Sequence[OperatorText]]]:
    """Yield the annotated operators of a task, and others."""
    module, name = str(suite.abilities["transition_modeling"].operators).split(":")
    model = getattr(importlib.import_module(module), name)().model
    demand = model.demands.get(task.id)
    if demand is None or len(demand.operators) < 2:
        return
    texts = []
    for operator in (model.operators[each] for each in demand.operators):
        parts = (operator.parameters, operator.precondition, operator.effect)
        texts.append(OperatorText(operator.name, *(" ".join(part.split()) for part in parts)))
    yield texts, [OperatorText(texts[0].name, texts[0].parameters, "()", "()"), *texts[1:]]


# RoboBench

ROBOBENCH_FORMS: Mapping[str, RoboShape] = {
    "lines": ONE_ARM["numbered_lines"],
    "json": ONE_ARM["json_texts"],
    "table": ONE_ARM["table_of_calls"],
}


def robobench(options: argparse.Namespace) -> None:
    """Gold plans of RoboBench in many shapes: the full score is expected."""
    plans = list(_gold_plans())
    groups: list[tuple[str, Mapping[str, RoboShape], Callable[[Sequence[Skill]], bool]]] = [
        ("one arm", ONE_ARM, _has_one_arm),
        ("two arms", TWO_ARMS, lambda plan: all(skill.arm for skill in plan)),
        ("both arms at a time", PAIRS, _in_pairs),
        ("sentences", SENTENCES, can_be_said),
    ]
    board = Board("robobench", options.show)
    for group, shapes, fits in groups:
        for name, shape in shapes.items():
            outcomes = []
            for gold, plan in _spread(plans, fits, options.tasks):
                outcomes.append(_has_full_score(gold, shape(plan), options.show == name))
            board.count(f"{group}: {name}", "robobench", outcomes)
    board.print()
    _robobench_decisions(options, _spread(plans, _has_one_arm, options.tasks))


def _robobench_decisions(
    options: argparse.Namespace, plans: Sequence[tuple[str, Sequence[Skill]]]
) -> None:
    decided = Board("robobench: decisions for the gold plan", options.show)
    wrong = Board("robobench: decisions for another plan, no full score", options.show)
    withheld = Board("robobench: negatives, no full score", options.show)
    for form, write in ROBOBENCH_FORMS.items():
        for kind, decide in DECIDED_TEXTS.items():
            name = f"{kind}/{form}"
            read = []
            refused = []
            for gold, plan in plans:
                pair = (write(plan), write(plan[:-1]))
                read.append(_has_full_score(gold, decide(*pair), options.show == name))
                refused.append(not _has_full_score(gold, decide(*pair[::-1])))
            decided.count(name, "robobench", read)
            wrong.count(name, "robobench", refused)
        for kind, withhold in WITHHELD_TEXTS.items():
            outcomes = [not _has_full_score(gold, withhold(write(plan))) for gold, plan in plans]
            withheld.count(f"{kind}/{form}", "robobench", outcomes)
    for board in (decided, wrong, withheld):
        board.print()


def _has_full_score(gold: str, text: str, shown: bool = False) -> bool:
    """Say whether a text has both full scores; print it if it has not and is to be shown."""
    score = judge_plan(gold, text)
    is_full = (score.node, score.completion) == (10, 10)
    if shown and not is_full:
        print(f"--- {gold}\n{text}\n>> {score.node} {score.completion} {score.notes}")
    return is_full


def _has_one_arm(plan: Sequence[Skill]) -> bool:
    return not any(skill.arm for skill in plan)


def _spread(
    plans: Sequence[tuple[str, Sequence[Skill]]],
    fits: Callable[[Sequence[Skill]], bool],
    number: int,
) -> Sequence[tuple[str, Sequence[Skill]]]:
    """Return plans of two or more steps that fit, from all parts of the list."""
    fitting = [(gold, plan) for gold, plan in plans if len(plan) > 1 and fits(plan)]
    return fitting[:: max(1, len(fitting) // number)][:number]


def _gold_plans() -> Iterator[tuple[str, list[Skill]]]:
    """Return gold plans in their own notation and in parts, each plan once."""
    suite = eai.suite("robobench-examples")
    seen = set()
    for task_id in suite.task_ids():
        task = suite.task(task_id)
        if not getattr(task, "plans", None):
            continue
        gold = write_plan(suite, task.plans[0])
        # Quotation marks in the name of an object would have to be escaped in code and data.
        if gold in seen or "'" in gold:
            continue
        seen.add(gold)
        plan = []
        for action in task.plans[0]:
            arm, colon, name = action.name.rpartition(":")
            plan.append(Skill(name, action.arguments, arm if colon else ""))
        yield gold, plan


def _in_pairs(plan: Sequence[Skill]) -> bool:
    arms = [skill.arm for skill in plan]
    return len(arms) % 2 == 0 and arms == ["left", "right"] * (len(arms) // 2)
