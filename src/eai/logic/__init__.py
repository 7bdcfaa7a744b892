"""Logic: formulas, their text, and what they mean on a trajectory.

::

    parse_formula ──▶ Formula ──▶ evaluate / truth / final ──▶ Verdict
    ▲    │         │    │           explain, truth_table   ──▶ why, and a picture of it
    │    ▼         │    │
    │ check_formula│    └─▶ Monitor: the same while a trajectory grows
    └─ format_formula
            Formula ──▶ equivalent, entails, automaton, GoalOptions

Names are loaded when they are first used; ``__init__.pyi`` lists them.
"""

from eai import faces

__getattr__, __dir__, __all__ = faces.attach(__name__, __file__)
