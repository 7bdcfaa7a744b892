from .action import Action as Action, plan_text as plan_text
from .bits import mask_of as mask_of, union as union
from .compiler import Computed as Computed, Updates as Updates, tabled as tabled
from .conditions import locations as locations
from .differences import Differences as Differences
from .guards import changes_in_conflict as changes_in_conflict
from .numbers import (
    Key as Key,
    NumberChange as NumberChange,
    NumericChanges as NumericChanges,
    UndefinedError as UndefinedError,
    Values as Values,
    divided as divided,
    multiplied as multiplied,
    numbers_of as numbers_of,
)
from .state import (
    Change as Change,
    Extension as Extension,
    Layout as Layout,
    Literal as Literal,
    State as State,
    Universe as Universe,
    changed_literals as changed_literals,
)
from .temporal import (
    Schedule as Schedule,
    Scheduler as Scheduler,
    TimedFailure as TimedFailure,
    TimedStep as TimedStep,
)
from .trajectory import (
    ConditionHistories as ConditionHistories,
    Step as Step,
    Trajectory as Trajectory,
)
from .transition import World as World, said_undefined as said_undefined, world_of as world_of
