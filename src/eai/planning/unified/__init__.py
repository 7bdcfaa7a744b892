"""Interchange with unified-planning, by PDDL text both ways."""

from __future__ import annotations

from eai.planning.unified.interchange import (
    UnifiedText,
    from_unified,
    register,
    to_unified,
    write_text,
)

__all__ = ["UnifiedText", "from_unified", "register", "to_unified", "write_text"]
