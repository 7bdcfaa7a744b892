"""The command ``eai``."""

from __future__ import annotations

import gc

__all__ = ["main"]

_COLLECTED_AFTER = 200_000
"""Number of new objects after which Python looks for cycles that nothing refers to.

Modules, tasks and records live to the end of a command. By default Python looks through them after
every 700 objects, which takes 8 % of an evaluation and finds nothing.
"""

_OLDER_AFTER = 50
"""Number of such searches after which Python looks through all older objects, too.

After 10 of them, as by default, there are two million records and tasks: it takes most of a second.
"""


def main() -> None:
    """Run the command line, with the words of this process."""
    # Before the import, which makes a hundred thousand objects.
    gc.set_threshold(_COLLECTED_AFTER, _OLDER_AFTER)
    from eai.cli import program

    program.main()
