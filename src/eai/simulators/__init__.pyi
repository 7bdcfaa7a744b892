from .base import (
    Execution as Execution,
    Simulator as Simulator,
    Symbolic as Symbolic,
    execute as execute,
)
from .behavior import (
    BehaviorSimulator as BehaviorSimulator,
    behavior_domain as behavior_domain,
    initial_state as initial_state,
)
from .environment import (
    Capabilities as Capabilities,
    Environment as Environment,
    Observation as Observation,
    ObservationModel as ObservationModel,
    OwnEnvironment as OwnEnvironment,
    OwnWorld as OwnWorld,
    SeenObject as SeenObject,
    ShownProperty as ShownProperty,
    StepResult as StepResult,
    SymbolicEnvironment as SymbolicEnvironment,
)
from .names import object_class as object_class
from .thor.engine import ThorEngine as ThorEngine, ThorFailure as ThorFailure
from .thor.environment import RoomEngine as RoomEngine
from .thor.scenes import (
    engine_accepts as engine_accepts,
    load_scene as load_scene,
    recorded_counts as recorded_counts,
)
from .thor.world import (
    ThorWorld as ThorWorld,
    pddl_type as pddl_type,
    recorded_fits as recorded_fits,
)
from .virtualhome import (
    VirtualHomeSimulator as VirtualHomeSimulator,
    class_predicates as class_predicates,
    virtualhome_domain as virtualhome_domain,
)
