"""Reports: records on disk, counts and metrics, and their renderings."""

__all__: list[str] = []
