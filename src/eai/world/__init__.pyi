from .action import Action as Action
from .bits import mask_of as mask_of, union as union
from .compiler import Computed as Computed, Updates as Updates
from .conditions import locations as locations
from .derived import components as components
from .state import Change as Change, Layout as Layout, State as State
from .trajectory import Step as Step, Trajectory as Trajectory
from .transition import World as World, world_of as world_of
from .universe import Universe as Universe
