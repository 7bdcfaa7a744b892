from .decisions import (
    CODES as CODES,
    Call as Call,
    Decision as Decision,
    read_call as read_call,
)
from .guards import (
    Guard as Guard,
    RefusedError as RefusedError,
)
from .logs import replay as replay, resume as resume
