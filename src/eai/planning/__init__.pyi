from .achievers import (
    Achiever as Achiever,
    Literal as Literal,
    relevance as relevance,
    relevant as relevant,
)
from .engines import Engine as Engine, engine_names as engine_names, find_engine as find_engine
from .grounding import ground as ground
from .limits import Limits as Limits
from .ordering.links import Demand as Demand, Links as Links, Taken as Taken
from .ordering.orders import Dice as Dice, PartialOrder as PartialOrder
from .ordering.support import Support as Support
from .own import Validation as Validation, validate as validate
from .planner import plan as plan, plan_many as plan_many
from .reasons import NOTHING as NOTHING, Env as Env, Reads as Reads
from .repair.least import (
    Repair as Repair,
    RepairBounds as RepairBounds,
    least_repair as least_repair,
)
from .repair.task import Target as Target
from .results import Outcome as Outcome, PlanningResult as PlanningResult
from .subgoals import (
    Bounds as Bounds,
    Step as Step,
    Steps as Steps,
    SubgoalSearch as SubgoalSearch,
    as_plan as as_plan,
    reach as reach,
    related as related,
    without_doubles as without_doubles,
)
from .task import GroundAction as GroundAction, Task as Task
