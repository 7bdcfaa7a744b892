"""Tiny VirtualHome tasks, written by hand: a few facts, a goal, perhaps a plan."""

from __future__ import annotations

from collections.abc import Iterable

from eai.diagnosis import Result
from eai.errors import UnknownNameError
from eai.logic import Atom
from eai.semantics import Semantics
from eai.simulators import VirtualHomeSimulator, class_predicates, object_class, virtualhome_domain
from eai.suites.virtualhome.quirks import QUIRKS
from eai.suites.virtualhome.suite import HOME_ABILITIES, HomeSuite
from eai.suites.virtualhome.tasks import HomeTask
from eai.task import ActionGoal, Goal, Task, Vocabulary
from eai.world import Action

AGENT = "character.65"
ARITIES = {
    name: len(operator.parameters) - 1 for name, operator in virtualhome_domain().operators.items()
}
ROOMS = {"kitchen", "bedroom"}


class SmallHomes(HomeSuite):
    """Evaluates answers in the VirtualHome world; the tasks are made by :func:`small_task`."""

    quirks = QUIRKS
    default_semantics = "official"
    abilities = HOME_ABILITIES

    def task_ids(self) -> tuple[str, ...]:
        return ()

    def task(self, task_id: str) -> Task:
        raise UnknownNameError("task", task_id, ())


SUITE = SmallHomes()


def atom(text: str) -> Atom:
    """``"next_to character.65 lamp.8"`` as an atom."""
    predicate, *terms = text.split()
    return Atom(predicate, tuple(terms))


def action(text: str) -> Action:
    """``"grab cup.11"`` as an action."""
    name, *arguments = text.split()
    return Action(name, tuple(arguments))


def _type(name: str) -> str:
    kind = object_class(name)
    return "room" if kind in ROOMS else "character" if kind == "character" else "thing"


def small_task(
    facts: str,
    *,
    states: Iterable[str] = (),
    relations: Iterable[str] = (),
    actions: Iterable[str] = (),
    plan: Iterable[str] = (),
    irrelevant: Iterable[str] = (),
) -> Task:
    """A task in a flat with a kitchen and a bedroom; the character is in the kitchen.

    ``near x`` in the facts is short for ``next_to`` between the character and x, both ways.
    """
    atoms = [atom(f"inside {AGENT} kitchen.1")]
    for fact in filter(None, map(str.strip, facts.split(";"))):
        if fact.startswith("near "):
            other = fact.split()[1]
            atoms += [atom(f"next_to {AGENT} {other}"), atom(f"next_to {other} {AGENT}")]
        else:
            atoms.append(atom(fact))
    names = sorted({str(t) for a in atoms for t in a.terms} | {"kitchen.1", "bedroom.2"}, key=_id)
    atoms += [Atom(p, (name,)) for name in names for p in class_predicates(object_class(name))]
    relevant = [name for name in names if name not in set(irrelevant)]
    classes: dict[str, tuple[str, ...]] = {}
    for name in relevant:
        kind = object_class(name)
        classes[kind] = (*classes.get(kind, ()), name)
    final = (
        *(("state", atom(text)) for text in states),
        *(("relation", atom(text)) for text in relations),
    )
    return HomeTask(
        id="small",
        name="Small",
        instruction="",
        start=VirtualHomeSimulator().world.state({name: _type(name) for name in names}, atoms),
        agent=AGENT,
        goal=Goal(
            final=(final,),
            actions=tuple(ActionGoal(tuple(text.lower().split("|"))) for text in actions),
            whole=False,
        ),
        vocabulary=Vocabulary(ARITIES, {}, frozenset(relevant), classes),
        plans=(tuple(map(action, plan)),),
    )


def _id(name: str) -> tuple[int, str]:
    return int(name.rpartition(".")[2]), name


def written(*steps: str) -> str:
    """Steps as the published evaluator wants them (``"STANDUP"`` gets the list ``[ ]``)."""
    lines = []
    for step in steps:
        name, *arguments = step.split()
        parts = [f'"{part}"' for argument in arguments for part in argument.split(".")]
        lines.append(f'{{"{name}": [{", ".join(parts) or " "}]}}')
    return f"[{', '.join(lines)}]"


def evaluate(task: Task, answer: str | None, semantics: Semantics) -> Result:
    """Evaluate an answer to a small task."""
    return SUITE.evaluate("action_sequencing", task, answer, semantics)


def verdict(result: Result) -> str:
    """What the tests compare: ``"solved"``, ``"excluded"``, ``"failed: parsing"``, ...

    A finding about a step has its number behind it; a plan that stops says so.
    """
    if result.status != "evaluated":
        return result.status
    found = [
        finding.kind.value + ("" if finding.step is None else f"@{finding.step}")
        for finding in result.findings
        for _ in range(finding.times)
    ]
    stopped = [] if result.executable else ["stopped"]
    word = "solved" if result.success else "failed"
    return f"{word}: {', '.join([*stopped, *found])}" if stopped or found else word
