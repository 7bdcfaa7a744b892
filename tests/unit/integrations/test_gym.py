"""Suites as environments of Gymnasium."""

from __future__ import annotations

import importlib
import pickle
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from needs import package

gymnasium = package("gymnasium", extra="gym")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from pddl_blocks import write_suite  # noqa: E402

import eai  # noqa: E402
from eai.acting import RecordedEpisode  # noqa: E402
from eai.errors import InputError, UnknownNameError  # noqa: E402
from eai.integrations.gym import SuiteEnv, environment_name  # noqa: E402
from eai.report import record_to_json  # noqa: E402

TASKS = {
    "household": "studio-01",
    "asgardbench": "turn_on_tv__FloorPlan202_V1",
}
PLANNED = {"eb-alfred": "base/0", "eb-habitat": "base/0"}
"""Those whose oracle answers with a whole plan."""
CHECKED = {**TASKS, **PLANNED, "longact": "tidy-000/concise"}


def made(suite: str = "household", **options: Any) -> SuiteEnv:
    found = gymnasium.make(environment_name(suite), task=CHECKED[suite], **options).unwrapped
    assert isinstance(found, SuiteEnv)
    return found


@pytest.mark.heavy
@pytest.mark.parametrize("actions", ["text", "discrete"])
@pytest.mark.parametrize("suite", CHECKED)
def test_the_checker_has_nothing_to_say(suite: str, actions: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(made(suite, actions=actions, render_mode="ansi"))


@pytest.mark.parametrize("actions", ["text", "discrete"])
def test_the_checker_has_nothing_to_say_of_pddl(tmp_path: Path, actions: str) -> None:
    name = f"pddl:{write_suite(tmp_path / 'blocks')}"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make("eai/Suite-v0", suite=name, task="instance-2", actions=actions)
        check_env(env.unwrapped, skip_render_check=True)


@pytest.mark.official
@pytest.mark.parametrize("actions", ["text", "discrete"])
@pytest.mark.parametrize("suite", ["virtualhome", "behavior"])
def test_the_checker_has_nothing_to_say_of_official_tasks(suite: str, actions: str) -> None:
    first, *_, last = eai.suite(suite).task_ids()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for task in (first, last):
            env = gymnasium.make(environment_name(suite), task=task, actions=actions)
            check_env(env.unwrapped, skip_render_check=True)


@pytest.mark.parametrize("suite", [*TASKS, *PLANNED])
def test_an_episode_of_the_oracle_is_the_same_on_all_ways(suite: str) -> None:
    """In our own loop, through Gymnasium, and as an episode that somebody recorded."""
    acted = eai.interact(suite, CHECKED[suite], "oracle")
    env = made(suite)
    env.reset()
    rewards, ended = [], False
    for turn in acted.episode.turns:
        assert not ended
        _, reward, ended, truncated, _ = env.step(turn.answer)
        rewards.append(reward)
        assert not truncated
    assert ended
    assert acted.episode.begun
    assert sum(rewards) == pytest.approx(1 - acted.episode.begun.share)
    own = acted.record("oracle")
    chosen = eai.suite(suite)
    meaning = chosen.semantics(chosen.default_semantics)
    written = RecordedEpisode.of(acted.episode).to_json()
    recorded = chosen.evaluate("recorded", chosen.task(CHECKED[suite]), written, meaning)
    # One answer of an oracle with a whole plan is as many steps as it has actions.
    for result in (recorded, *([] if suite in PLANNED else [env.result])):
        assert record_to_json(replace(own, result=result)) == record_to_json(own)


def test_discrete_actions_are_ground_actions_with_a_mask() -> None:
    env = made(actions="discrete")
    _, info = env.reset()
    names = [str(action) for action in env.actions]
    mask = info["action_mask"]
    assert env.action_space == gymnasium.spaces.Discrete(len(names))
    assert len(mask) == len(names)
    assert mask[names.index("walk(light.34)")] == 1
    assert mask[names.index("switchon(light.34)")] == 0
    _, _, _, _, info = env.step(names.index("walk(light.34)"))
    assert info["action_mask"][names.index("switchon(light.34)")] == 1
    assert "SWITCHON light.34" in env.valid_actions
    _, reward, terminated, truncated, _ = env.step(names.index("switchon(light.34)"))
    assert (reward, terminated, truncated) == (1.0, True, False)


@pytest.mark.heavy
def test_the_mask_is_what_can_be_done() -> None:
    suite = eai.suite("household")
    meaning = suite.semantics("strict")
    task = suite.task("studio-13")
    env = gymnasium.make(environment_name("household"), task=task.id, actions="discrete").unwrapped
    env.reset()
    names = set(env.valid_actions)
    world = suite.environment(task, meaning)
    for action in env.actions[::37]:
        world.reset()
        text = " ".join((action.name.upper(), *action.arguments))
        result = world.step(action)
        # Nobody needs to do what is the case already, whether or not it can be done.
        assert result.code == "additional_step" or (text in names) == result.success, text


def test_a_limit_truncates_and_a_failure_has_a_code() -> None:
    env = made()
    env.reset()
    ended = False
    while not ended:
        _, reward, terminated, ended, info = env.step("OPEN light.34")
        assert (reward, terminated, info["code"]) == (0.0, False, "affordance")
    with pytest.raises(InputError, match="ended"):
        env.step("OPEN light.34")


def test_tasks_are_drawn_by_seed_or_named() -> None:
    env = gymnasium.make("eai/Household-v0").unwrapped
    first = [env.reset(seed=3)[1]["task"], env.reset()[1]["task"]]
    assert first == [env.reset(seed=3)[1]["task"], env.reset()[1]["task"]]
    assert env.reset(options={"task": "flat-17"})[1]["task"] == "flat-17"


def test_an_environment_is_pickled_in_the_middle_of_an_episode() -> None:
    env = made()
    env.reset(seed=1)
    env.step("WALK light.34")
    again = pickle.loads(pickle.dumps(env))
    assert again.episode == env.episode
    assert again.step("SWITCHON light.34")[1:4] == (1.0, True, False)


def test_vector_environments() -> None:
    envs = gymnasium.make_vec(
        "eai/Household-v0", num_envs=2, vectorization_mode="sync", task="studio-01"
    )
    observations, _ = envs.reset(seed=0)
    assert len(observations) == 2
    _, rewards, terminated, _, _ = envs.step(("WALK light.34", "WALK desk.17"))
    assert list(rewards) == [0.0, 0.0]
    assert not terminated.any()
    envs.close()


def test_a_view_hides_and_is_rendered() -> None:
    whole, near = made(render_mode="ansi"), made(view="near", render_mode="ansi")
    assert len(near.reset()[0]) < len(whole.reset()[0])
    assert near.render() == near.reset()[0]


def test_what_cannot_be_used_is_refused() -> None:
    for options in ({"actions": "keys"}, {"render_mode": "human"}):
        with pytest.raises(UnknownNameError):
            SuiteEnv("household", **options)  # type: ignore[arg-type]
    with pytest.raises(UnknownNameError, match="view"):
        SuiteEnv("household", "studio-01", view="far").reset()
    with pytest.raises(InputError, match="not begun"):
        SuiteEnv("household").step("WALK light.34")


def vector(**options: Any) -> Any:
    return gymnasium.make(
        "eai/Household-Vector-v0", disable_env_checker=True, **{"task": "studio-01", **options}
    )


@pytest.mark.parametrize("task", ["studio-01", ["studio-01", "studio-05"]])
def test_the_checker_has_nothing_to_say_of_vectors(task: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(vector(task=task).unwrapped, skip_render_check=True)


@pytest.mark.heavy
@pytest.mark.filterwarnings("ignore")  # what Stable-Baselines3 warns about is not ours
def test_stable_baselines_checks_a_vector_and_learns_only_with_what_can_be_done() -> None:
    sb3_contrib = package("sb3_contrib")
    env = vector()
    importlib.import_module("stable_baselines3.common.env_checker").check_env(env)
    model = sb3_contrib.MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=16, seed=0)
    model.learn(64)
    assert model.num_timesteps == 64
    seen, _ = env.reset(seed=0)
    masks = env.unwrapped.action_masks()
    action, _ = model.predict(seen, action_masks=masks)
    assert masks[int(action)]


def test_a_vector_has_facts_and_unmet_conditions_as_bits() -> None:
    env = vector().unwrapped
    seen, _ = env.reset(seed=0)
    assert env.observation_space.contains(seen)
    place = env.facts.index("on(light.34)")  # the fact; the condition of the goal is the last bit
    assert (seen[place], seen[-1]) == (0, 1)
    for name in ("walk", "switchon"):
        wanted = (name, ("light.34",))
        number = [(each.name.lower(), each.arguments) for each in env.actions].index(wanted)
        assert env.action_masks()[number]
        assert env.action_masks().dtype == bool
        seen, reward, reached, _, _ = env.step(number)
    assert (seen[place], seen[-1], reward, reached) == (1, 0, 1.0, True)


def test_objects_say_what_a_vector_is_about() -> None:
    small, named = vector(), vector(objects=["light.34", "couch.22"])
    assert small.unwrapped.actions != named.unwrapped.actions
    assert any("couch.22" in fact for fact in named.unwrapped.facts)
    with pytest.raises(UnknownNameError):
        vector(objects=["no.1"])


def test_vectors_stand_in_vector_environments() -> None:
    many = gymnasium.make_vec(
        "eai/Household-Vector-v0", num_envs=2, vectorization_mode="sync", task="studio-01"
    )
    seen, _ = many.reset(seed=0)
    assert seen.shape == (2, *many.single_observation_space.shape)
    copy = pickle.loads(pickle.dumps(vector().unwrapped))
    copy.reset(seed=0)
    assert copy.action_masks().any()
