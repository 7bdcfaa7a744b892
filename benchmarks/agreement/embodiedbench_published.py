"""Write folders of runs with the published evaluator of EmbodiedBench, without its simulators.

    python benchmarks/agreement/embodiedbench_published.py CHECKOUT FOLDER

CHECKOUT is your copy of the EmbodiedBench repository, FOLDER a new folder. The published
evaluators, planners and environments are imported from the checkout and write their own files; only
what they need of a simulator, a model or a GPU is put in their place: a simulator that moves, or a
symbolic world of eai, and a model that answers by chance, well or badly. The folder then holds
``running/...`` as a run leaves it, and ``eai audit FOLDER`` should find nothing in it but answers
that the evaluator's mending broke, successes by a random action, and progress that it set to 0.
"""

from __future__ import annotations

import importlib
import json
import math
import os
import random
import sys
import time
import types
from collections.abc import Callable, Iterator
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

import eai
from eai.contract import write_plan
from eai.suites.embodiedbench import alfred, habitat
from eai.suites.embodiedbench.skills import skills
from eai.world import Action

dice = random.Random(38)


# ------------------------------------------------------------------ what is not installed


class _AnythingType(type):
    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything


class Anything(metaclass=_AnythingType):
    """Stands for any class, function or value of a package that is not here."""

    def __init__(self, *_: object, **__: object) -> None:
        pass

    def __call__(self, *_: object, **__: object) -> Any:
        return Anything()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything()

    def __iter__(self) -> Iterator[Any]:
        return iter(())


class _StubModule(types.ModuleType):
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything


_STUBBED = {
    *("ai2thor", "gym", "gymnasium", "habitat", "habitat_sim", "hydra", "magnum", "omegaconf"),
    *("cv2", "PIL", "tqdm", "pyrep", "amsolver", "ultralytics", "openai", "anthropic", "google"),
    *(
        "sentence_transformers",
        "torch",
        "lmdeploy",
        "requests",
        "imageio",
        "yaml",
        "pydantic",
        "transformers",
        "embodiedbench",
    ),
}


class _Stubs(MetaPathFinder, Loader):
    """Finds what the checkout imports, and nobody else finds."""

    def find_spec(self, fullname: str, path: object, target: object = None) -> ModuleSpec | None:
        if fullname.partition(".")[0] not in _STUBBED:
            return None
        return ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: ModuleSpec) -> types.ModuleType:
        return _StubModule(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        module.__path__ = []


# ------------------------------------------------------------------ a model


_SEEN = ("A table.", "The boys' cups.", "It's a 'sink'.")


class Model:
    """Answers with plans: what a policy says, as JSON, and now and then something else."""

    def __init__(self) -> None:
        self.policy: Callable[[], list[Any]] = list
        self.bad = 0.15

    def answer(self) -> str:
        plan = self.policy()
        if plan and isinstance(plan[0], tuple):
            plan = [{"action_id": number, "action_name": words} for number, words in plan]
        value = {
            "visual_state_description": dice.choice(
                ["A table.", "The boys' cups.", "It's a 'sink'."]
            ),
            "reasoning_and_reflection": dice.choice(["I go on.", "It doesn't move."]),
            "language_plan": "1. Go on.",
            "executable_plan": plan,
        }
        chance = dice.random()
        if chance < self.bad / 4:
            value["executable_plan"] = []
        elif chance < self.bad / 2:
            del value["executable_plan"]
        elif chance < self.bad:
            return json.dumps(value)[: dice.randrange(20, 120)]
        return json.dumps(value)

    def create(self, **_: object) -> Any:
        message = types.SimpleNamespace(content=self.answer())
        return types.SimpleNamespace(choices=[types.SimpleNamespace(message=message)])


model = Model()


class Client(Anything):
    """The client of a served model, as far as the planners call it."""

    def __getattr__(self, name: str) -> Any:
        return model.create if name in ("create", "parse") else Client()


# ------------------------------------------------------------------ simulators


class Mover:
    """AI2-THOR for EB-Navigation: moves of 0.2 or 0.3 m; some are blocked."""

    def __init__(self, **_: object) -> None:
        self.last_event = types.SimpleNamespace(metadata={}, frame=None, instance_detections2D=None)

    def reset(self, **_: object) -> Any:
        return self.last_event

    def stop(self) -> None:
        pass

    def step(self, action: str, **options: Any) -> Any:
        about = self.last_event.metadata
        done, message = True, ""
        if action == "Teleport":
            self.heading = options["rotation"]["y"]
            about["agent"] = {"position": dict(options["position"])}
        elif action.startswith("Rotate"):
            self.heading += 90 if action == "RotateRight" else -90
        elif action.startswith("Move"):
            done = dice.random() < 0.85
            message = "" if done else "Cabinet_1 is blocking Agent 0 from moving."
            side = {"MoveAhead": 0, "MoveBack": 180, "MoveRight": 90, "MoveLeft": 270}[action]
            angle = math.radians(self.heading + side)
            length = dice.choice((0.2, 0.3)) if done else 0.0
            about["agent"]["position"]["x"] += length * math.sin(angle)
            about["agent"]["position"]["z"] += length * math.cos(angle)
        about |= {"lastAction": action, "lastActionSuccess": done, "errorMessage": message}
        return self.last_event


class Acted:
    """A task of a symbolic world, acted in by the words of skills."""

    def __init__(self, suite: Any, task_id: str) -> None:
        self.task_id = task_id
        task, official = suite.task(task_id), suite.semantics("official")
        self.environment = suite.environment(task, official)
        self.environment.reset()
        self.rules = suite.episode_rules(task, official)
        self.plan = [line for line in write_plan(suite, task.plans[0]).splitlines() if line]
        self.done: list[tuple[str, bool]] = []

    def act(self, words: str) -> tuple[bool, str]:
        action = self.rules.read(f"Action: {words}").action
        if action is None:
            action = Action(words)
        result = self.environment.step(action)
        self.done.append((words, bool(result.success)))
        return bool(result.success), result.message


def skill_policy(current: dict[str, Any], name: str) -> Callable[[], list[Any]]:
    """Go on with the reference plan, or do something."""
    listed = skills(name)
    numbers = {skill.words: skill.id for skill in listed}

    def policy() -> list[Any]:
        acted: Acted = current["acted"]
        if dice.random() < current["skill"]:
            at = sum(done for _, done in acted.done)
            rest = [words for words in reference(acted) if words in numbers][at : at + 4]
            if rest:
                return [(numbers[words], words) for words in rest]
        chosen = dice.choices(listed, k=dice.randint(1, 3))
        return [(skill.id, skill.words) for skill in chosen]

    return policy


def reference(acted: Acted) -> list[str]:
    """The words of the reference plan."""
    text = "\n".join(acted.plan)
    try:
        steps = json.loads(text)["executable_plan"]
    except (ValueError, KeyError, TypeError):
        return [line.partition(". ")[2] or line for line in acted.plan]
    return [step["action_name"] for step in steps]


# ------------------------------------------------------------------ the four evaluators


def part(name: str) -> Any:
    """A module of the checkout."""
    return importlib.import_module(f"embodiedbench.{name}")


def quiet_planner() -> None:
    """Give the planners the model of this script, and no pictures."""
    remote = part("planner.remote_model")
    remote.OpenAI = Client
    for name in ("planner.vlm_planner", "planner.nav_planner", "planner.manip_planner"):
        module = part(name)
        if hasattr(module, "local_image_to_data_url"):
            module.local_image_to_data_url = lambda **_: ""
    part("planner.planner_utils").local_image_to_data_url = lambda **_: ""


def picture(self: Any, *_: object, **__: object) -> str:
    """Save an empty picture where the environment saves one."""
    folder = Path(self.log_path)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"episode_{self._current_episode_num}_step_{self._current_step}_x_front.png"
    path.write_bytes(b"")
    return str(path)


def toward(environment: Any) -> int:
    """The move that goes most directly to the target."""
    agent = environment.env.last_event.metadata["agent"]["position"]
    target = environment.episode_data["target_position"]
    angle = math.atan2(target["x"] - agent["x"], target["z"] - agent["z"])
    turns = (math.degrees(angle) - environment.env.heading) % 360
    return (0, 2, 1, 3)[round(turns / 90) % 4]


def navigate(config: dict[str, Any]) -> None:
    """Run EB-Navigation."""
    environment = part("envs.eb_navigation.EBNavEnv")
    environment.ai2thor = types.SimpleNamespace(controller=types.SimpleNamespace(Controller=Mover))
    environment.EBNavigationEnv.save_image = picture
    evaluator = part("evaluator.eb_navigation_evaluator")
    listed = skills("eb-navigation")
    current: dict[str, Any] = {}
    published_reset = environment.EBNavigationEnv.reset

    def reset(self: Any, **options: Any) -> Any:
        current["environment"] = self
        return published_reset(self, **options)

    environment.EBNavigationEnv.reset = reset

    def policy() -> list[Any]:
        chosen = dice.choices((0, 0, 0, 2, 3, 4, 5, 7), k=dice.randint(1, 4))
        if dice.random() < 0.5:
            chosen = [toward(current["environment"])] * 2
        return [(number, listed[number].words) for number in chosen]

    model.policy = policy
    run = evaluator.EB_NavigationEvaluator(config)
    try:
        run.evaluate_main()
    except KeyError as error:  # in February 2025 its summary asks for progress, which it has not
        print(f"the evaluator stopped: {error!r}")


class FakeAlfred(Anything):
    """The connector of AI2-THOR for EB-ALFRED, over a symbolic world."""

    current: dict[str, Any]
    cooled_objects = heated_objects = cleaned_objects = ()
    last_event = types.SimpleNamespace(metadata={"objects": []}, frame=None)

    def _progress(self) -> tuple[int, int]:
        acted: Acted = self.current["acted"]
        total = len(alfred.counted_conditions(acted.task_id))
        share = alfred.progress(acted.task_id, tuple(acted.done))
        return round(total * (share[1] if share else 0)), total

    def llm_skill_interact(self, words: str) -> dict[str, Any]:
        done, message = self.current["acted"].act(words)
        text = message.removeprefix("Last action is invalid. ")
        return {"success": done, "message": "" if done else text}

    def get_transition_reward(self) -> tuple[float, bool]:
        return 0.0, False

    def get_goal_satisfied(self) -> bool:
        met, total = self._progress()
        return met == total

    def get_goal_conditions_met(self) -> tuple[int, int]:
        return self._progress()


def act_alfred(config: dict[str, Any]) -> None:
    """Run EB-ALFRED."""
    suite = eai.suite("eb-alfred")
    environment = part("envs.eb_alfred.EBAlfEnv")
    current: dict[str, Any] = {"skill": 0.8}
    FakeAlfred.current = current
    environment.ThorConnector = FakeAlfred
    environment.EBAlfEnv.save_image = picture

    def load(record: dict[str, Any]) -> dict[str, Any]:
        subset = current["subset"]
        index = current["tasks"].index(record)
        current["acted"] = Acted(suite, f"{subset}/{index}")
        scene = {"scene_num": 1, "object_poses": [], "dirty_and_empty": False,
                 "object_toggles": [], "init_action": {"action": "x"}}  # fmt: skip
        annotations: dict[str, Any] = {"anns": [{} for _ in range(10)]}
        return {"scene": scene, "turk_annotations": annotations}

    environment.utils.load_task_json = load
    evaluator = part("evaluator.eb_alfred_evaluator")
    model.policy = skill_policy(current, "eb-alfred")
    splits = json.loads(Path(environment.ALFRED_SPLIT_PATH).read_text())
    for subset in config["eval_sets"]:
        current |= {"subset": subset, "tasks": splits[subset]}
        evaluator.EB_AlfredEvaluator({**config, "eval_sets": [subset]}).evaluate_main()


def act_habitat(config: dict[str, Any]) -> None:
    """Run EB-Habitat."""
    suite = eai.suite("eb-habitat")
    module = part("envs.eb_habitat.EBHabEnv")
    current: dict[str, Any] = {"skill": 0.8}
    listed = skills("eb-habitat")

    class Simulator(Anything):
        def __init__(self, subset: str) -> None:
            self.subset, self.number = subset, 0

        def reset(self, **_: object) -> tuple[Any, dict[str, Any]]:
            current["acted"] = Acted(suite, f"{self.subset}/{self.number}")
            self.number += 1
            return None, {"lang_goal": f"task {self.subset} {self.number}"}

        def step(self, number: int, **_: object) -> tuple[Any, float, bool, dict[str, Any]]:
            acted: Acted = current["acted"]
            skill = listed[number]
            done, _said = acted.act(skill.words)
            target = skill.target.replace(" ", "_")
            kind = {"navigate": "nav"}.get(skill.verb, skill.verb)
            if "refrigerator" in skill.words and kind in ("open", "close"):
                name = f"{kind}_fridge(fridge)"
            elif kind in ("open", "close"):
                name = f"{kind}_cab(cab_{skill.words.split()[-1]})"
            elif kind == "pick":
                name = f"pick_{skill.words.removeprefix('pick up the ')}(robot)"
            else:
                name = f"{kind}_{target}(robot)"
            solved = habitat.solves(acted.task_id, acted.done)
            info = {
                "was_prev_action_invalid": not done, "action": name,
                "predicate_task_success": bool(solved), "task_progress": 0.0,
                "subgoal_reward": 0.0, "num_steps": len(acted.done), "lang_goal": "",
            }  # fmt: skip
            return None, 0.0, bool(solved), info

    def start(self: Any, eval_set: str = "", exp_name: str = "", down_sample_ratio: float = 1.0,
              start_epi_index: int = 0, **_: object) -> None:  # fmt: skip
        self.env = Simulator(eval_set)
        self.dataset = types.SimpleNamespace(episodes=[None] * 50)
        self.number_of_episodes = 50 * down_sample_ratio
        self._current_episode_num = self._current_step = self._cur_invalid_actions = 0
        self._max_episode_steps, self._max_invalid_actions = 30, 10
        self.feedback_verbosity, self.recording, self.episode_log = 1, False, []
        self.episode_video = []
        self.is_holding = False
        self.language_skill_set = [skill.words for skill in listed]
        self.log_path = f"running/eb_habitat/{exp_name}"
        while self._current_episode_num < start_epi_index:
            self.env.reset()
            self._current_episode_num += 1

    module.EBHabEnv.__init__ = start
    module.EBHabEnv.current_episode = lambda _self: ""
    module.EBHabEnv.save_image = picture
    module.EBHabEnv.close = lambda _self: None
    evaluator = part("evaluator.eb_habitat_evaluator")
    model.policy = skill_policy(current, "eb-habitat")
    evaluator.EB_HabitatEvaluator(config).evaluate_main()


def manipulate(config: dict[str, Any]) -> None:
    """Run EB-Manipulation."""
    module = part("envs.eb_manipulation.EBManEnv")
    module.get_continous_action_from_discrete = list

    class Task:
        def step(self, action: list[float]) -> tuple[Any, float, bool]:
            if dice.random() < 0.1:
                raise RuntimeError("no path")
            solved = dice.random() < 0.05
            return types.SimpleNamespace(front_rgb=None), float(solved), solved

    def start(self: Any, eval_set: str, down_sample_ratio: float = 1.0, log_path: str = "",
              **_: object) -> None:  # fmt: skip
        size = 36 if eval_set == "visual" else 48
        self.number_of_episodes = int(size * down_sample_ratio)
        self._current_episode_num = self._current_step = 0
        self._max_episode_steps, self.episode_log, self.log_path = 15, [], log_path

    def reset(self: Any) -> tuple[str, Any]:
        self._current_episode_num += 1
        self._current_step, self._reset, self._episode_start_time = 0, True, time.time()
        self.task, self.current_task_variation, self.task_class = Task(), "pick_cube", "pick"
        self.episode_language_instruction = "Pick up the star."
        self.last_frame_obs = {}
        return "", types.SimpleNamespace()

    module.EBManEnv.__init__, module.EBManEnv.reset = start, reset
    module.EBManEnv.save_image = lambda self, *_: [picture(self)]
    module.EBManEnv.close = lambda _self: None
    evaluator = part("evaluator.eb_manipulation_evaluator")
    evaluator.form_object_coord_for_input = lambda *_: ({}, [], [], [])
    evaluator.draw_bounding_boxes = lambda paths, *_: paths
    evaluator.draw_xyz_coordinate = lambda path, *_: path
    evaluator.EB_ManipulationEvaluator.load_demonstration = lambda _self: {"pick_cube": []}
    part("planner.manip_planner").ManipPlanner.process_prompt = lambda *_, **__: ("", "")
    part("planner.manip_planner").ManipPlanner.get_message = lambda *_, **__: []

    def policy() -> list[Any]:
        count = dice.randint(1, 7)
        return [
            [*dice.choices(range(101), k=3), *dice.choices(range(120), k=3), 1]
            for _ in range(count)
        ]

    model.policy = policy
    evaluator.EB_ManipulationEvaluator(config).evaluate_main()


def main() -> None:
    """Write the runs."""
    checkout, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    folder.mkdir(parents=True)
    # The scripts beside this one have names of the checkout's packages.
    sys.path[0] = str(checkout)
    sys.meta_path.append(_Stubs())
    os.chdir(folder)
    os.environ.setdefault("remote_url", "http://localhost")
    waits = [0]

    def sleep(_seconds: float) -> None:
        waits[0] += 1
        if waits[0] > 50:
            raise SystemExit("the evaluator failed 50 times")

    time.sleep = sleep  # type: ignore[assignment]
    quiet_planner()
    common = {
        "model_type": "remote", "language_only": 0, "chat_history": 0, "n_shots": 0, "multiview": 0,
        "detection_box": 0, "multistep": 0, "resolution": 500, "visual_icl": 0, "tp": 1,
        "env_feedback": 1, "selected_indexes": [], "exp_name": "baseline",
    }  # fmt: skip
    mended = {**common, "model_name": "OpenGVLab/InternVL2_5-78B", "down_sample_ratio": 1}
    plain = {**common, "model_name": "gpt-4o", "down_sample_ratio": 0.1}
    for config in (mended, plain):
        navigate({**config, "eval_sets": ["base", "long_horizon"]})
        act_alfred({**config, "eval_sets": ["base", "spatial"]})
        act_habitat({**config, "eval_sets": ["base", "spatial_relationship"]})
        manipulate({**config, "eval_sets": ["base", "visual", "complex"]})
    selected = {
        **plain,
        "exp_name": "selected",
        "down_sample_ratio": 1,
        "selected_indexes": [3, 7, 30],
    }
    act_alfred({**selected, "eval_sets": ["base"]})


if __name__ == "__main__":
    main()
