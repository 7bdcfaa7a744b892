"""Runs: answers are evaluated, here or by workers, and a folder keeps what came of it."""

__all__: list[str] = []
