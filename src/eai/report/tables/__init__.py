"""The tables of a report: for terminals, for other programs, and as data frames."""

__all__: list[str] = []
