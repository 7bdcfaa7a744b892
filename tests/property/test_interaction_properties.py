"""Acting step by step: random agents, random answers, random limits, beside plain definitions."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest
from hypothesis import example, given, settings, strategies as st
from reference_world import Reference
from small_virtualhome import small_task

from eai.acting import (
    ClosedHidden,
    ConsecutiveFailures,
    HardLimit,
    HiddenUntilLooked,
    Memory,
    Milestones,
    Nearby,
    NewObjects,
    Repeats,
    SameRoom,
    SoftLimit,
    Turn,
    View,
    evaluate_answers,
    evaluate_episode,
    format_action,
    read_answers,
    replay,
    run_episode,
    write_answers,
)
from eai.acting.replies import Reply, read_reply
from eai.agents import RandomAgent
from eai.answers.plan import NOTHING
from eai.diagnosis import Run
from eai.simulators import (
    Observation,
    SeenObject,
    StepResult,
    SymbolicEnvironment,
    virtualhome_domain,
)
from eai.suites.household import Household
from eai.suites.virtualhome.interaction import environment
from eai.suites.virtualhome.plans import simulator
from eai.task import Task
from eai.world import Action

some = settings(max_examples=25)
SUITE = Household()
SEMANTICS = {name: SUITE.semantics(name) for name in ("strict", "official")}
seeds = st.integers(0, 10**6)


@cache
def task(number: int) -> Task:
    names = SUITE.task_ids()
    return SUITE.task(names[number % len(names)])


def lively(random: Random, what: Task, steps: int) -> list[Action]:
    """Actions of which many can be done: an annotated plan with random ones in between."""
    names = sorted(what.vocabulary.objects)
    plan = list(what.plans[0])
    for _ in range(steps):
        name = random.choice(sorted(what.vocabulary.actions))
        count = what.vocabulary.actions[name]
        step = Action(name, tuple(random.choices(names, k=count)))
        plan.insert(random.randrange(len(plan) + 1), step)
    return plan


# ---- environments


@some
@given(seeds, st.sampled_from(sorted(SEMANTICS)))
def test_a_step_is_what_the_rules_of_plans_make_of_it(seed: int, semantics: str) -> None:
    random = Random(seed)
    what, meaning = task(seed), SEMANTICS[semantics]
    world = SUITE.environment(what, meaning)
    assert isinstance(world, SymbolicEnvironment)
    run = Run(simulator(meaning).world, what.start, what.agent)
    rules = simulator(meaning).rules
    world.reset()
    for number, action in enumerate(lively(random, what, 6), 1):
        before = list(world.state().atoms())
        result = world.step(action)
        outcome, finding = rules.take(run, action, number)
        assert result.success == (outcome == "done")
        assert list(world.state().atoms()) == list(run.state.atoms())
        if not result.success:
            assert finding is not None
            assert (result.code, result.message) == (finding.kind.value, finding.message)
            assert list(world.state().atoms()) == before


FLAT = small_task(
    "inside fridge.3 kitchen.1; closed fridge.3; can_open fridge.3; plugged_in fridge.3; "
    "inside milk.4 kitchen.1; inside milk.4 fridge.3; grabbable milk.4; has_switch fridge.3; "
    "off fridge.3; inside bed.5 bedroom.2; lieable bed.5; sittable bed.5; surfaces bed.5",
    plan=["walk fridge.3", "open fridge.3", "grab milk.4", "walk bed.5", "putback milk.4 bed.5"],
)


@pytest.mark.heavy
@settings(max_examples=2)
@given(seeds)
def test_a_step_is_done_if_and_only_if_its_precondition_is_true(seed: int) -> None:
    domain, universe = virtualhome_domain(), FLAT.start.universe
    reference = Reference(domain, dict(zip(universe.names, universe.types, strict=True)))
    world = environment(FLAT, SEMANTICS["strict"])
    world.reset()
    for action in lively(Random(seed), FLAT, 5):
        facts = frozenset((a.predicate, tuple(map(str, a.terms))) for a in world.state().atoms())
        operator = domain.operators[action.name]
        values = (FLAT.agent, *action.arguments)
        binding = {p.name: v for p, v in zip(operator.parameters, values, strict=True)}
        done = world.step(action).success
        fits = all(
            value in reference.of_types(parameter.types)
            for parameter, value in zip(operator.parameters, values, strict=True)
        )
        assert done == (fits and reference.holds(operator.precondition, facts, binding))


@some
@given(seeds, st.sampled_from(sorted(SEMANTICS)), st.sampled_from(["", "room", "near"]))
def test_an_episode_is_the_same_when_its_answers_are_given_again(
    seed: int, semantics: str, view: str
) -> None:
    what, meaning = task(seed), SEMANTICS[semantics]
    rules = SUITE.episode_rules(what, meaning)
    world = SUITE.environment(what, meaning)
    agent = RandomAgent(world.actions, rules.objects, seed=seed)
    views = rules.views[view]() if view else ()
    episode = run_episode(world, agent, rules=rules, views=views, task=what.id)
    answers = tuple(turn.answer for turn in episode.turns)
    assert replay(world, answers, rules=rules, views=views, task=what.id) == episode
    text = write_answers(answers)
    assert read_answers(text) == answers
    result = SUITE.evaluate("interaction", what, text, meaning)
    assert result == evaluate_episode(episode, rules)
    assert len(result.executed) == len(episode.turns)


@some
@given(seeds)
def test_actions_that_fail_make_no_difference_to_the_goal(seed: int) -> None:
    what, meaning = task(seed), SEMANTICS["strict"]
    rules = SUITE.episode_rules(what, meaning)
    world = SUITE.environment(what, meaning)
    names = sorted(what.vocabulary.objects)
    answers = []
    for step in what.plans[0]:
        answers += ["hm\nhm", f"Action: FLY {names[seed % len(names)]}", format_action(step)]
    bare = write_answers(map(format_action, what.plans[0]))
    unlimited = SUITE.episode_rules(what, meaning).__class__(
        goal=rules.goal, read=rules.read, brief=rules.brief
    )
    with_failures = evaluate_answers(world, write_answers(answers), rules=unlimited)
    without = evaluate_answers(world, bare, rules=unlimited)
    assert with_failures.success == without.success
    met = [[goal.met for goal in result.goals] for result in (with_failures, without)]
    assert met[0] == met[1]


# ---- answers


@settings(max_examples=150)
@given(st.text() | st.text("Acionplaem: \n*`<>[](){}\"'.,", max_size=60))
def test_any_text_is_read(text: str) -> None:
    reply = read_reply(text)
    assert (reply.action is None) == bool(reply.code)
    assert bool(reply.code) == bool(reply.message)
    if reply.action is not None:
        assert "\n" not in str(reply.action)


words = st.from_regex(r"[A-Za-z][\w]{0,8}(\.[0-9]{1,3})?", fullmatch=True).filter(
    lambda word: word not in NOTHING
)


@some
@example("\u01f0", ["cup"], "")  # its capital is two characters: J and an accent
@given(words.map(lambda w: w.partition(".")[0]), st.lists(words, max_size=3), st.text(max_size=30))
def test_an_action_is_read_as_it_is_written(name: str, arguments: list[str], before: str) -> None:
    action = Action(name.upper(), tuple(arguments))
    assert read_reply(f"{before.replace('<', '')}\n{format_action(action)}").action == action


# ---- limits, beside the sentences that define them


def turns_of(random: Random) -> list[Turn]:
    """Turns with few names, so that they repeat."""
    turns = []
    for number in range(1, random.randint(2, 40)):
        action = Action(random.choice("ab"), (random.choice("xyz"),))
        reply = Reply(action if random.random() < 0.8 else None)
        result = StepResult(reply.action is not None and random.random() < 0.6, Observation())
        turns.append(Turn(number, random.choice("uv"), reply, result))
    return turns


def repeated(names: list[str], most: int) -> bool:
    """Whether the last names are some cycle, as often as that."""
    return any(
        names[-length:] * most == names[-length * most :]
        for length in range(1, len(names) // most + 1)
    )


@given(seeds, st.integers(2, 4), st.integers(1, 12))
def test_limits_do_what_they_say(seed: int, few: int, many: int) -> None:
    turns = turns_of(Random(seed))
    repeats, failures = Repeats(few).begin(), ConsecutiveFailures(few).begin()
    hard = HardLimit(many).begin()
    row = 0
    for number in range(1, len(turns) + 1):
        so_far = turns[:number]
        row = 0 if so_far[-1].success else row + 1
        assert bool(repeats(so_far)) == repeated([turn.named for turn in so_far], few)
        assert bool(failures(so_far)) == (row >= few)
        assert bool(hard(so_far)) == (number >= many)


@given(seeds, st.integers(1, 8), st.integers(1, 5), st.integers(1, 4))
def test_a_soft_limit_is_raised_as_long_as_there_is_reason(
    seed: int, most: int, extension: int, window: int
) -> None:
    turns = turns_of(Random(seed))
    check = SoftLimit(most, extension, (Milestones(("A",)), NewObjects(window))).begin()
    since: list[Turn] = []
    for number, turn in enumerate(turns, 1):
        since.append(turn)
        reason = check(turns[:number])
        if number < most:
            assert not reason
            continue
        done = any(t.success and t.reply.action and t.reply.action.name == "a" for t in since)
        objects = [t.reply.action.arguments[0] if t.reply.action else None for t in turns[:number]]
        old, new = objects[-2 * window : -window], objects[-window:]
        fresh = any(name is not None and name not in old for name in new)
        assert bool(reason) == (not done and not fresh)
        if reason:
            break
        most, since = most + extension, []


# ---- views


def random_house(random: Random) -> Observation:
    """Rooms, and things in or on each other without cycles."""
    names = ["hall", "attic", "me", *"abcdefg"]
    objects = [SeenObject("hall", "room"), SeenObject("attic", "room")]
    for at in range(2, len(names)):
        properties = {"open": random.random() < 0.5} if random.random() < 0.5 else {}
        around, relation = random.choice(names[:at]), random.choice(["in", "on", ""])
        objects.append(SeenObject(names[at], "thing", properties, around, relation))
    held = tuple(random.sample("abc", random.randint(0, 1)))
    return Observation(tuple(objects), held, random.choice(["", *names]))


@settings(max_examples=60)
@given(seeds)
def test_views_show_nothing_that_is_not_there(seed: int) -> None:
    random = Random(seed)
    views: list[View] = [
        SameRoom("me", "room"),
        ClosedHidden(),
        Nearby(frozenset({"room"})),
        HiddenUntilLooked(frozenset({"open"})),
    ]
    random.shuffle(views)
    memory = Memory()
    known: set[str] = set()
    for view in (*views, memory):
        view.begin()
    for _ in range(4):
        whole = random_house(random)
        there = {thing.name: thing for thing in whole.objects}
        seen = whole
        for view in views:
            shown = view.see(whole, seen)
            assert {t.name for t in shown.objects} <= {t.name for t in seen.objects}
            seen = shown
        for thing in seen.objects:
            assert thing.properties.items() <= there[thing.name].properties.items()
            assert (thing.inside, thing.relation) == (
                there[thing.name].inside,
                there[thing.name].relation,
            )
        known |= {thing.name for thing in seen.objects}
        kept = memory.see(whole, seen)
        assert {thing.name for thing in kept.objects} == known
        assert {t.name for t in kept.objects if "remembered" not in t.properties} == {
            t.name for t in seen.objects
        }
