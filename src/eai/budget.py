"""The budget of the evaluation of one answer, counted instead of timed.

A clock makes a verdict depend on the processor and on what else it does. A budget counts what is
worked on, so that the same answer uses up the same on every machine. A :class:`Budget` says how
much there is; a :class:`Meter` counts what one evaluation used.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from eai.errors import InputError


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits on evaluating one answer. None means no limit.

    Args:
        states: States that searches may expand.
        actions: Ground actions that may be made out of operators, before any of them is left out.
        instances: Conditions and effects that may be looked at, part by part, for some objects or
            in some state; to put objects in the place of quantified variables counts as well.
        bytes: Bytes that ground actions, atoms and states may take at a time, estimated by their
            numbers and sizes.

    Raises:
        InputError: If a limit is not a whole number from 1.
    """

    states: int | None = 40_000
    actions: int | None = 12_000
    instances: int | None = 4_000_000
    bytes: int | None = 200_000_000

    def __post_init__(self) -> None:
        for name, limit in self._items():
            if limit is not None and (not isinstance(limit, int) or limit < 1):
                raise InputError(
                    f"the budget has {limit!r} for {name}", expected="a whole number from 1"
                )

    @classmethod
    def unlimited(cls) -> Budget:
        """Return the budget without any limit."""
        return cls(None, None, None, None)

    @classmethod
    def parse(cls, text: str) -> Budget:
        """Return the budget in a text: ``"states=1000,instances=2000000"``.

        Args:
            text: Limits, with commas or blanks between them; ``none`` is no limit, and alone it
                takes all of them away.

        Raises:
            InputError: If it is not a budget.
        """
        if text.strip() == "none":
            return cls.unlimited()
        # Limits that are not named stay the default's, so that a budget says only what differs.
        limits: dict[str, int | None] = {}
        names = ", ".join(cls.__slots__)
        for part in text.replace(",", " ").split():
            name, _, value = part.partition("=")
            if name not in cls.__slots__ or not (value.isdecimal() or value == "none"):
                raise InputError(
                    f"{part!r} is not a limit of a budget",
                    expected=f"none, or NAME=NUMBER or NAME=none, where NAME is {names}",
                )
            limits[name] = None if value == "none" else int(value)
        return replace(cls(), **limits)

    def __str__(self) -> str:
        """Return the limits that differ from the defaults, as :meth:`parse` reads them.

        Examples:
            >>> str(Budget(states=10, bytes=None))
            'states=10 bytes=none'
        """
        default = Budget()
        limits = []
        for name, limit in self._items():
            if limit != getattr(default, name):
                limits.append(f"{name}={'none' if limit is None else limit}")
        return " ".join(limits)

    def __truediv__(self, parts: int) -> Budget:
        """Return one of several equal parts of the budget."""
        shares: dict[str, int | None] = {}
        for name, limit in self._items():
            # At least 1, as a limit of 0 would refuse what needs no search at all.
            shares[name] = None if limit is None else max(1, limit // parts)
        return Budget(**shares)

    def meter(self) -> Meter:
        """Return a meter on which nothing was used."""
        return Meter(self)

    def _items(self) -> list[tuple[str, int | None]]:
        """Return the limits by name."""
        return [(field.name, getattr(self, field.name)) for field in fields(self)]


class BeyondBudgetError(Exception):
    """Raised if an evaluation exceeds its budget.

    Args:
        resource: The name of the limit of :class:`Budget` that was reached.
    """

    def __init__(self, resource: str, limit: int) -> None:
        super().__init__(resource, limit)
        self.resource = resource
        self.limit = limit

    def __str__(self) -> str:
        return f"it takes more than {self.limit:,} {_WORDS[self.resource]}"


_WORDS = {
    "states": "expanded states",
    "actions": "ground actions",
    "instances": "instances of conditions and effects",
    "bytes": "bytes",
}


class Meter:
    """Counts the resources that one evaluation uses.

    Count before the work is done: what would take too long, or too much memory, is then never
    begun, but refused with a :class:`BeyondBudgetError`.
    """

    __slots__ = ("actions", "budget", "bytes", "instances", "states")

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.states = 0
        self.actions = 0
        self.instances = 0
        self.bytes = 0

    def count_states(self, number: int = 1) -> None:
        """Count expanded states, and raise an error beyond the limit."""
        self.states += number
        limit = self.budget.states
        if limit is not None and self.states > limit:
            raise BeyondBudgetError("states", limit)

    def count_actions(self, number: int = 1) -> None:
        """Count ground actions, and raise an error beyond the limit."""
        self.actions += number
        limit = self.budget.actions
        if limit is not None and self.actions > limit:
            raise BeyondBudgetError("actions", limit)

    def count_instances(self, number: int = 1) -> None:
        """Count examined conditions and effects, and raise an error beyond the limit."""
        self.instances += number
        limit = self.budget.instances
        if limit is not None and self.instances > limit:
            raise BeyondBudgetError("instances", limit)

    def hold(self, number: int) -> None:
        """Record the memory in use, and raise an error beyond the limit."""
        # Memory is given back, so the most that was taken at a time counts, and not the sum.
        if number > self.bytes:
            self.bytes = number
            limit = self.budget.bytes
            if limit is not None and number > limit:
                raise BeyondBudgetError("bytes", limit)
