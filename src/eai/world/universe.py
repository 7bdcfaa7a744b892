"""The objects of a problem, numbered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eai.errors import InputError, UnknownNameError
from eai.pddl import Domain
from eai.world.bits import bits


class Universe:
    """The typed objects of one problem, numbered from 0 in the order given.

    Domain constants are objects too; those that the problem does not list are appended.

    Args:
        domain: The domain whose types the objects have.
        objects: Object name to type name.

    Raises:
        InputError: If an object has a type that the domain does not declare.
    """

    __slots__ = ("constants", "domain", "everything", "index", "names", "type_masks", "types")

    def __init__(self, domain: Domain, objects: Mapping[str, str]) -> None:
        typed = {**domain.constants, **objects}
        ordered = [*objects, *(name for name in domain.constants if name not in objects)]
        self.domain = domain
        self.names: tuple[str, ...] = tuple(ordered)
        self.types: tuple[str, ...] = tuple(typed[name] for name in ordered)
        self.index: dict[str, int] = {name: i for i, name in enumerate(ordered)}
        self.everything = (1 << len(ordered)) - 1
        self.constants: dict[str, int] = {name: self.index[name] for name in domain.constants}
        self.type_masks = self._masks(domain)

    def _masks(self, domain: Domain) -> dict[str, int]:
        own: dict[str, int] = {}
        for i, type_name in enumerate(self.types):
            own[type_name] = own.get(type_name, 0) | 1 << i
        masks = dict.fromkeys(("object", *domain.types), 0)
        for type_name, mask in own.items():
            if type_name not in masks:
                name = self.names[(mask & -mask).bit_length() - 1]
                raise InputError(
                    f"object {name!r} has the type {type_name!r}, which domain "
                    f"{domain.name!r} does not declare",
                    expected=", ".join(masks),
                )
            current, seen = type_name, set[str]()
            while current not in seen:
                seen.add(current)
                masks[current] = masks.get(current, 0) | mask
                current = domain.types.get(current, "object")
        return masks

    def __len__(self) -> int:
        return len(self.names)

    def number(self, name: str) -> int:
        """Return the number of an object.

        Raises:
            UnknownNameError: If there is no such object.
        """
        try:
            return self.index[name]
        except KeyError:
            raise UnknownNameError("object", name, self.names) from None

    def mask(self, types: tuple[str, ...]) -> int:
        """Return the set of objects of any of the types, as a bit mask.

        Raises:
            UnknownNameError: If a type is not declared.
        """
        masks, joined = self.type_masks, 0
        try:
            for type_name in types:
                joined |= masks[type_name]
        except KeyError as error:
            raise UnknownNameError("type", error.args[0], masks) from None
        return joined

    def of_types(self, types: tuple[str, ...]) -> Sequence[str]:
        """Names of the objects of any of the types, in order.

        Raises:
            UnknownNameError: If a type is not declared.
        """
        mask = self.mask(types)
        return [self.names[i] for i in bits(mask)]
