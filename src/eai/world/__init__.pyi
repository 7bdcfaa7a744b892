from .action import Action as Action
from .bits import mask_of as mask_of, union as union
from .compiler import Computed as Computed, Updates as Updates, tabled as tabled
from .conditions import locations as locations
from .state import (
    Change as Change,
    Extension as Extension,
    Layout as Layout,
    Literal as Literal,
    State as State,
    Universe as Universe,
    changed_literals as changed_literals,
)
from .trajectory import (
    ConditionHistories as ConditionHistories,
    Step as Step,
    Trajectory as Trajectory,
)
from .transition import World as World, world_of as world_of
