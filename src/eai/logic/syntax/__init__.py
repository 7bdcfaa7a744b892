"""The notation of formulas: words, names, grammar, and its errors."""

from __future__ import annotations

__all__: list[str] = []
