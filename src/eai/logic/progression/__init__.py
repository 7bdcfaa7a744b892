"""What is left to be shown of a formula after each position."""

from __future__ import annotations

__all__: list[str] = []
