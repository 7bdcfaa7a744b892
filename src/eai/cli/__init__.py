"""The command ``eai``."""

from __future__ import annotations

import gc

__all__ = ["main"]

_COLLECTED_AFTER = 200_000
"""Number of new objects after which Python looks for cycles that nothing refers to.

Modules, tasks and records live to the end of a command. By default Python looks through them after
every 700 objects, which takes 8 % of an evaluation and finds nothing.
"""


def main() -> None:
    """Run the command line, with the words of this process."""
    gc.set_threshold(_COLLECTED_AFTER)  # before the import, which makes a hundred thousand objects
    from eai.cli import program

    program.main()
