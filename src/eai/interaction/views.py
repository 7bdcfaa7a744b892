"""Partial observation: policies that leave out what an agent does not see.

A policy takes everything there is and what the policies before it left of it. Policies are put
in a row and wrapped around any environment with :class:`Viewed`.
"""

from __future__ import annotations

from typing import Protocol

from eai.interaction.protocol import Observation

__all__ = ["View"]


class View(Protocol):
    """A policy of partial observation, for one episode after the other."""

    def begin(self) -> None:
        """Forget what was seen: a new episode begins."""
        ...

    def see(self, whole: Observation, seen: Observation) -> Observation:
        """Say what is seen now.

        Args:
            whole: Everything there is.
            seen: What the policies before this one left of it.
        """
        ...
