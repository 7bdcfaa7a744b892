from .abilities.plans import causes as causes, repair as repair
from .agents import interact as interact, replan as replan
from .contract import Ability as Ability, Suite as Suite, check_suite as check_suite
from .contract.registry import suite as suite
from .errors import EaiError as EaiError
from .evaluation import evaluate as evaluate
from .evaluation.overview import evaluate_outputs as evaluate_outputs, read_run as read_run
from .guard import Guard as Guard
from .logic import parse_formula as parse_formula
from .pddl import parse_domain as parse_domain, parse_problem as parse_problem
from .perturbation.perturb import perturb as perturb
from .planning import plan as plan
from .predictions import load_predictions as load_predictions
from .report import (
    Report as Report,
    explain as explain,
    metric as metric,
    read_records as read_records,
)
from .rewards import Reward as Reward, reward as reward, step_rewards as step_rewards
from .semantics import Semantics as Semantics
from .suites.generated import generate as generate
from .task import Task as Task
from .version import __version__ as __version__
from .world import Action as Action, Trajectory as Trajectory, World as World

__all__: list[str]  # noqa: PYI035 - the names above
