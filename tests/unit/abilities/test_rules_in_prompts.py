"""What prompts say of actions: everything that decides, once, and nothing is cut off."""

import re
from collections.abc import Iterator

import pytest

from eai.abilities import rules
from eai.agents.prompts import prompt_for
from eai.logic import Atom, atoms, conjuncts
from eai.pddl import Domain, Operator, clauses, parse_domain, parse_problem
from eai.suites.household import Household
from eai.suites.virtualhome.prompts import _NOT_OFFERED
from eai.task import Goal, Task, Vocabulary
from eai.world import world_of

SUITE = Household()
SOME = SUITE.task_ids()[::9]

LONGEST = {"action_sequencing": 10_600, "goal_interpretation": 7_600}
"""Characters of the longest prompts; they were 22,163 and 16,924 before facts were said once."""


def shipped_tasks() -> list[object]:
    """Some tasks, and all the others where there is time."""
    return [
        pytest.param(name, marks=() if name in SOME else pytest.mark.heavy)
        for name in SUITE.task_ids()
    ]


class Told:
    """The actions as a prompt tells them, found by their headings and commas only."""

    def __init__(self, prompt: str) -> None:
        self.prompt = prompt
        section = prompt.partition("## Actions\n")[2].partition("\n\n## ")[0]
        self.rules, _, self.meanings = section.partition("What that means:\n")
        self.lines: dict[str, str] = {}
        heading = ""
        for line in self.rules.splitlines():
            if not line.startswith("- "):
                heading = line
                continue
            head = re.match(r"- ((?:[A-Z_]+\([^)]*\)(?:, )?)+)", line)
            assert head is not None, line
            for name in re.findall(r"([A-Z_]+)\(", head[1]):
                self.lines[name.lower()] = f"{heading} {line}"
        idle = re.search(r"nothing that matters for the goal: (.*)", section)
        self.idle = set(idle[1].lower().split(", ")) if idle else set()

    def line(self, name: str) -> str:
        """What is said of an action, with what it refers to."""
        line = self.lines[name]
        return line + "".join(self.lines[n.lower()] for n in re.findall(r"what ([A-Z_]+)\(", line))


def spoken(domain: Domain, atom: Atom) -> Iterator[str]:
    """Yield words by which an atom can be told: its name, its phrase, or what it is made of."""
    yield atom.predicate.upper()
    phrase = domain.phrases.get(atom.predicate)
    if phrase is not None and atom.predicate in domain.derived:
        for text in (phrase.true, phrase.false):
            yield max(re.split(r"\{\d\}", text), key=len).strip()
    for axiom in domain.axioms:
        body = axiom.body
        if axiom.head.predicate == atom.predicate and isinstance(body, Atom):
            yield from spoken(domain, body)
        # What is in neither hand is said not to be held.
        if any(a == atom.predicate for a in (each.name for each in atoms(body))):
            other = domain.phrases.get(axiom.head.predicate)
            if other is not None:
                yield max(re.split(r"\{\d\}", other.false), key=len).strip()


def can_hold(task: Task, atom: Atom) -> bool:
    """Whether something has a stored predicate at the start, or may get it."""
    domain = task.start.layout.domain
    if atom.predicate in domain.derived:
        return not any(
            a.head.predicate == atom.predicate and not list(atoms(a.body)) for a in domain.axioms
        )
    added = {
        each.atom.predicate
        for operator in domain.operators.values()
        for each in clauses(operator.effect)
        if each.added
    }
    return atom.predicate in added or any(a.predicate == atom.predicate for a in task.start.atoms())


def can_be_done(task: Task, operator: Operator) -> bool:
    """Whether for each parameter some object has the properties that an action asks of it."""
    domain = task.start.layout.domain
    world = world_of(domain)
    return all(
        world.members_of(part, variable, ())(task.start)
        for variable in operator.parameters
        for part in conjuncts(operator.precondition)
        if part.free == {variable} and domain.is_static(part)
    )


@pytest.mark.parametrize("name", shipped_tasks())
def test_prompts_tell_every_condition_and_effect(name: str) -> None:
    task = SUITE.task(name)
    domain = task.start.layout.domain
    prompt = prompt_for(SUITE, task).prompt
    told = Told(prompt)
    demanded = {each for goal in task.goal.actions for each in goal.names}
    for action in task.vocabulary.actions.keys() - _NOT_OFFERED | demanded:
        operator = domain.operators[action]
        if not can_be_done(task, operator):
            assert action not in told.lines
            continue
        assert (action in told.lines) != (action in told.idle), action
        effects = list(clauses(operator.effect))
        if action in told.idle:
            assert action not in demanded
            # What it changes is nowhere else in the prompt.
            assert not any(f"{each.atom.predicate.upper()}(" in prompt for each in effects), action
            continue
        line = told.line(action)
        for atom in atoms(operator.precondition):
            assert isinstance(atom, Atom)
            if can_hold(task, atom):
                assert any(words in line for words in spoken(domain, atom)), (action, str(atom))
        for effect in effects:
            words = effect.atom.predicate.upper()
            if can_hold(task, effect.atom) and f"{words}(" in prompt:
                assert any(each in line for each in spoken(domain, effect.atom)), (action, words)


@pytest.mark.parametrize("name", shipped_tasks())
def test_prompts_explain_the_words_that_they_use(name: str) -> None:
    task = SUITE.task(name)
    domain = task.start.layout.domain
    told = Told(prompt_for(SUITE, task).prompt)
    for predicate in domain.derived:
        phrase = domain.phrases[predicate]
        words = max(re.split(r"\{\d\}", phrase.true), key=len).strip()
        if words in told.rules and phrase.means != "":
            assert words in told.meanings, predicate


@pytest.mark.parametrize("name", shipped_tasks())
@pytest.mark.parametrize("ability", list(LONGEST))
def test_prompts_are_whole_and_short(name: str, ability: str) -> None:
    prompt = prompt_for(SUITE, SUITE.task(name), ability=ability).prompt
    assert not re.search(r"and \d+ more", prompt)
    assert len(prompt) <= LONGEST[ability]


@pytest.mark.parametrize("name", shipped_tasks())
def test_prompts_show_where_everything_is(name: str) -> None:
    task = SUITE.task(name)
    prompt = prompt_for(SUITE, task).prompt
    scene = prompt.partition("relations\n")[2].partition("\n\n## ")[0]
    seen = set()
    heading = ""
    for line in scene.splitlines():
        head = re.fullmatch(r"([A-Z_]+) (\S+):", line)
        if head is not None:
            heading = f"{head[1]} {head[2]}"
        elif line.startswith("- "):
            subject, _, said = line[2:].partition(": ")
            for part in [heading, *said.split("; ")]:
                relation, _, others = part.partition(" ")
                for other in others.split(", "):
                    seen.add((relation, subject, other))
    for predicate in ("inside", "ontop"):
        held = {
            (predicate.upper(), *map(str, atom.terms))
            for atom in task.start.atoms()
            if atom.predicate == predicate
        }
        assert held <= seen


DOMAIN = """(define (domain lamps)
  (:requirements :adl :derived-predicates)
  (:predicates (on ?x) (lit ?x) (held ?x) (sold ?x) (a ?x) (b ?x) (c ?x) (bright) (owned ?x))
  (:derived (bright) (exists (?x) (on ?x)))
  (:action press :parameters (?x) :precondition (and (held ?x) (or (a ?x) (sold ?x)))
    :effect (and (on ?x) (lit ?x) (a ?x) (b ?x) (c ?x) (forall (?y) (not (held ?y)))))
  (:action sell :parameters (?x) :precondition (sold ?x) :effect (on ?x))
  (:action own :parameters (?x) :effect (owned ?x))
  (:action look :parameters (?x) :precondition (bright)))"""
PROBLEM = """(define (problem p) (:domain lamps) (:objects lamp clock)
  (:init (held lamp) (a lamp)) (:goal (on lamp)))"""


@pytest.fixture
def lamps() -> Task:
    domain, problem = parse_domain(DOMAIN), parse_problem(PROBLEM)
    start = world_of(domain).state(problem.objects, problem.initial)
    return Task(
        id="lamps",
        name="Lamps",
        instruction="Switch the lamp on.",
        start=start,
        agent="",
        goal=Goal("on(lamp)", problem.goal, ((("state", problem.goal),),)),
        vocabulary=Vocabulary(
            predicates={name: each.arity for name, each in domain.predicates.items()},
            actions={name: len(each.parameters) for name, each in domain.operators.items()},
            objects=frozenset(problem.objects),
        ),
    )


def test_an_action_that_is_never_possible_is_left_out(lamps: Task) -> None:
    assert "SELL" not in rules(lamps).text


def test_an_alternative_that_is_never_true_is_left_out(lamps: Task) -> None:
    assert "needs held(x), a(x)" in rules(lamps).text


def test_an_action_that_changes_nothing_of_importance_is_only_named(lamps: Task) -> None:
    assert rules(lamps).text.splitlines()[-1].endswith(": LOOK, OWN")


def test_all_effects_that_matter_are_told(lamps: Task) -> None:
    told = rules(lamps)
    assert "then not held(*), on/a(x)" in told.text
    assert told.predicates == {"on", "held", "a"}
