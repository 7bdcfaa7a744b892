"""What the symbolic VirtualHome world is made of: its PDDL domain and its classes of objects.

Both ship with the package and are read once. Whoever only asks for names needs no simulator.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from eai.pddl.model import Domain

__all__ = ["class_predicates", "object_class", "virtualhome_domain"]

_DATA = "eai.data.domains.virtualhome"


@cache
def virtualhome_domain() -> Domain:
    """Read the domain (once)."""
    from eai.pddl.phrases import with_phrases
    from eai.pddl.reader import parse_domain

    folder = resources.files(_DATA)
    text = folder.joinpath("domain.pddl").read_text("utf-8")
    phrases = folder.joinpath("phrases.json").read_text("utf-8")
    domain = parse_domain(text, source="domains/virtualhome/domain.pddl")
    return with_phrases(domain, phrases, source="domains/virtualhome/phrases.json")


@cache
def _classes() -> Mapping[str, list[str]]:
    text = resources.files(_DATA).joinpath("classes.json").read_text("utf-8")
    classes: dict[str, list[str]] = json.loads(text)
    return classes


@cache
def class_predicates(class_name: str) -> tuple[str, ...]:
    """Names of the predicates that hold of every object of a class (``"desk"``: openable)."""
    return tuple(
        predicate
        for predicate, patterns in _classes().items()
        if any(fnmatchcase(class_name, pattern) for pattern in patterns)
    )


def object_class(name: str) -> str:
    """Class of an object: its name without the id (``"desk.12"`` is a ``"desk"``)."""
    return name.rpartition(".")[0] or name
