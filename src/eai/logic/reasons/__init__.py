"""Why a formula fails, and by what it holds."""

from __future__ import annotations

__all__: list[str] = []
