from .action import Action as Action
from .compiler import Computed as Computed
from .state import Change as Change, Layout as Layout, State as State
from .trajectory import Step as Step, Trajectory as Trajectory
from .transition import World as World, world_of as world_of
from .universe import Universe as Universe
