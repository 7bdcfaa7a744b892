from .difficulties import Difficulty as Difficulty, difficulty as difficulty
from .generator import (
    SPLITS as SPLITS,
    FewerTasksWarning as FewerTasksWarning,
    generate as generate,
)
from .suite import Generated as Generated
from .twins import Twin as Twin, twin as twin
