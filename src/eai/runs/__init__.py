"""Runs of any size: answers wait on disk, shards of them are judged apart and put together."""

__all__: list[str] = []
