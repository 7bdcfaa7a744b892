"""Parts of the names of objects."""

from __future__ import annotations


def object_class(name: str) -> str:
    """Return the class of an object: its name without the id (``"desk.12"`` is a ``"desk"``)."""
    return name.rpartition(".")[0] or name
