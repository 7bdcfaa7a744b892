from .decisions import (
    CODES as CODES,
    Call as Call,
    Decision as Decision,
)
from .guards import (
    Guard as Guard,
    RefusedError as RefusedError,
)
from .logs import replay as replay, resume as resume
