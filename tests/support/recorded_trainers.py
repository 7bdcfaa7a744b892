"""What the integrations use of trainers that are not installed, as recorded from their sources.

A contract test runs twice: with what is recorded here, which stands in for the trainer, and with
the trainer's own code where it is installed. The second fails where the first was recorded wrongly
or the trainer changed; headings name the version that was recorded.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict

__all__ = ["NEMO_GYM", "NEMO_RL", "OPENENV", "REASONING_GYM", "ROLL", "SKYRL", "standing_in"]

Modules = Mapping[str, Mapping[str, Any]]
"""Name of a module to its attributes."""


@contextmanager
def standing_in(modules: Modules, integration: str) -> Iterator[Any]:
    """Import an integration while recorded modules stand in for a trainer, and forget it again.

    Only these are forgotten: others, such as numpy, cannot be loaded twice in a process.
    """
    name = f"eai.integrations.{integration}"
    packages = {module.partition(".")[0] for module in modules}
    before = dict(sys.modules)
    sys.modules.pop(name, None)
    for module, attributes in modules.items():
        parts = module.split(".")
        for count in range(1, len(parts) + 1):
            parent = ".".join(parts[:count])
            if parent not in modules or parent not in sys.modules or parent == module:
                sys.modules[parent] = ModuleType(parent)
        vars(sys.modules[module]).update(attributes)
    try:
        yield importlib.import_module(name)
    finally:
        for key in set(sys.modules) - set(before):
            if key == name or key.partition(".")[0] in packages:
                del sys.modules[key]
        sys.modules.update(before)
        # The package has its modules as attributes as well, by which trainers find a class.
        vars(sys.modules["eai.integrations"]).pop(integration, None)
        if name in before:
            setattr(sys.modules["eai.integrations"], integration, before[name])


# ---- skyrl-gym 0.4.0


class BaseTextEnv:
    """skyrl_gym.envs.base_text_env.BaseTextEnv."""

    def __init__(self) -> None:
        self.turns = 0
        self.max_turns = 1

    def init(self, prompt: Any) -> tuple[Any, dict[str, Any]]:
        """Return the prompt."""
        return prompt, {}


class _SkyrlRegistry(dict[str, Any]):
    """skyrl_gym.envs.registration: a name is registered once."""

    def register(self, id: str, entry_point: Any = None, kwargs: Any = None) -> None:  # noqa: A002
        """Keep an environment."""
        assert id not in self, "RegistrationError"
        self[id] = SimpleNamespace(entry_point=entry_point, kwargs=kwargs)

    def make(self, id: str, **kwargs: Any) -> Any:  # noqa: A002
        """Make an environment."""
        spec = self[id]
        return spec.entry_point(**{**spec.kwargs, **kwargs})


_SKYRL_REGISTRY = _SkyrlRegistry()
SKYRL: Modules = {
    "skyrl_gym": {"make": _SKYRL_REGISTRY.make},
    "skyrl_gym.envs.base_text_env": {"BaseTextEnv": BaseTextEnv, "BaseTextEnvStepOutput": dict},
    "skyrl_gym.envs.registration": {
        "register": _SKYRL_REGISTRY.register,
        "registry": _SKYRL_REGISTRY,
    },
}


# ---- reasoning-gym 0.1.25


class ProceduralDataset:
    """reasoning_gym.dataset.ProceduralDataset."""

    def __init__(self, config: Any, seed: int | None = None, size: int = 500) -> None:
        self.config = config
        self.size = size
        self.seed = 0 if seed is None else seed

    def __len__(self) -> int:
        return self.size


_DATASETS: dict[str, Any] = {}


def _register_dataset(name: str, dataset_cls: Any, config_cls: Any) -> None:
    assert name not in _DATASETS
    _DATASETS[name] = dataset_cls, config_cls


def _create_dataset(name: str, **kwargs: Any) -> Any:
    dataset, config = _DATASETS[name]
    return dataset(config=config(**kwargs))


REASONING_GYM: Modules = {
    "reasoning_gym": {"create_dataset": _create_dataset},
    "reasoning_gym.dataset": {"ProceduralDataset": ProceduralDataset},
    "reasoning_gym.factory": {"DATASETS": _DATASETS, "register_dataset": _register_dataset},
}


# ---- OpenEnv 0.10.0


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", validate_assignment=True)
    metadata: dict[str, Any] = {}


class _Observation(_Strict):
    done: bool = False
    reward: bool | int | float | None = None


class _State(BaseModel):
    model_config = ConfigDict(extra="allow", validate_assignment=True)
    episode_id: str | None = None
    step_count: int = 0


class _Environment:
    SUPPORTS_CONCURRENT_SESSIONS = False

    def __init__(self, transform: Any = None, rubric: Any = None) -> None:
        self.transform = transform
        self.rubric = rubric


class _Generic:
    def __class_getitem__(cls, _: Any) -> Any:
        return cls


class _StepResult(_Generic):
    def __init__(self, observation: Any, reward: Any = None, done: bool = False) -> None:
        self.observation, self.reward, self.done = observation, reward, done


def _create_fastapi_app(env: Callable[[], Any], *_: Any) -> Any:
    return env


OPENENV: Modules = {
    "openenv.core.client_types": {"StepResult": _StepResult},
    "openenv.core.env_client": {"EnvClient": _Generic},
    "openenv.core.env_server": {
        "create_fastapi_app": _create_fastapi_app,
        "Environment": _Environment,
        "Action": _Strict,
        "Observation": _Observation,
        "State": _State,
    },
}


# ---- NeMo Gym 0.4.0


class _Config(BaseModel):
    host: str = ""
    port: int = 0
    entrypoint: str = ""


class _VerifyRequest(BaseModel):
    responses_create_params: Any
    response: Any


class _VerifyResponse(_VerifyRequest):
    reward: float


class _Server(BaseModel):
    model_config = ConfigDict(arbitrary_types_allowed=True)
    config: Any
    server_client: Any = None


NEMO_GYM: Modules = {
    "nemo_gym.base_resources_server": {
        "BaseResourcesServerConfig": _Config,
        "BaseVerifyRequest": _VerifyRequest,
        "BaseVerifyResponse": _VerifyResponse,
        "SimpleResourcesServer": _Server,
    }
}


# ---- NeMo-RL 0.6.0, commit 7ea279ab


class EnvironmentReturn(NamedTuple):
    """nemo_rl.environments.interfaces.EnvironmentReturn."""

    observations: Any
    metadata: Any
    next_stop_strings: Any
    rewards: Any
    terminateds: Any
    answers: Any


_ENV_REGISTRY: dict[str, Any] = {}


def _register_env(env_name: str, actor_class_fqn: str) -> None:
    assert env_name not in _ENV_REGISTRY
    _ENV_REGISTRY[env_name] = {"actor_class_fqn": actor_class_fqn}


def _remote(**_: Any) -> Callable[[Any], Any]:
    return lambda actor: actor


class _Values(list[float]):
    """A tensor of one dimension."""

    def clone(self) -> Any:
        """Return a copy."""
        return _Values(self)


def _tensor(values: Any, **_: Any) -> _Values:
    return _Values(map(float, values))


def _zeros_like(rows: Any, **_: Any) -> list[list[float]]:
    return [[0.0] * len(row) for row in rows]


_TENSORS = {
    "float32": "float32",
    "tensor": _tensor,
    "ones": lambda count: _Values([1.0] * count),
    "zeros_like": _zeros_like,
}
NEMO_RL: Modules = {
    "ray": {"remote": _remote},
    "torch": _TENSORS,
    "nemo_rl.distributed.ray_actor_environment_registry": {"ACTOR_ENVIRONMENT_REGISTRY": {}},
    "nemo_rl.distributed.virtual_cluster": {"PY_EXECUTABLES": SimpleNamespace(SYSTEM="python")},
    "nemo_rl.environments.interfaces": {
        "EnvironmentInterface": object,
        "EnvironmentReturn": EnvironmentReturn,
    },
    "nemo_rl.environments.utils": {"ENV_REGISTRY": _ENV_REGISTRY, "register_env": _register_env},
}


# ---- ROLL, commit 8eb27cc2


class _Worker:
    def __init__(self, worker_config: Any) -> None:
        self.worker_config = worker_config
        self.rank_info = SimpleNamespace(rank=0, world_size=1)


class _DataProto:
    def __init__(self, batch: Any, non_tensor_batch: Any) -> None:
        self.batch, self.non_tensor_batch = batch, non_tensor_batch
        self.meta_info: dict[str, Any] = {}

    @classmethod
    def from_dict(cls, tensors: Any) -> Any:
        """Return data of tensors."""
        return cls(tensors, {})


class _Letters:
    """A tokenizer whose tokens are letters; 0 fills up a row."""

    def batch_decode(self, rows: Any, **_: Any) -> list[str]:
        """Return the texts of rows."""
        return ["".join(chr(number) for number in row if number) for row in rows]


def _tokenizer(**_: Any) -> _Letters:
    return _Letters()


ROLL: Modules = {
    "torch": _TENSORS,
    "roll.distributed.executor.worker": {"Worker": _Worker},
    "roll.distributed.scheduler.decorator": {
        "Dispatch": SimpleNamespace(ONE_TO_ALL=0, DP_MP_COMPUTE=1),
        "register": lambda **_: lambda method: method,
    },
    "roll.distributed.scheduler.protocol": {"DataProto": _DataProto},
    "roll.models.model_providers": {"default_tokenizer_provider": _tokenizer},
}
