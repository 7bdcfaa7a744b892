"""Runs: answers are evaluated, in memory or shard by shard, and a folder keeps what came of it."""

__all__: list[str] = []
