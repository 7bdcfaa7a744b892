from .suite import (
    EBAlfred as EBAlfred,
    EBHabitat as EBHabitat,
    EBManipulation as EBManipulation,
    EBNavigation as EBNavigation,
)
from .tables import (
    published_results as published_results,
    published_rows as published_rows,
)
