"""The faces of rooms have the names that their stubs list."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import lazy_loader
import pytest

import eai

SOURCE = Path(eai.__file__).parent
STUBS = sorted(SOURCE.rglob("__init__.pyi"))


def package_of(stub: Path) -> str:
    """Return the name of the package that a stub is of."""
    return ".".join(stub.parent.relative_to(SOURCE.parent).parts)


@pytest.mark.parametrize("stub", STUBS, ids=package_of)
def test_every_name_of_a_stub_can_be_imported(stub: Path) -> None:
    package = import_module(package_of(stub))
    _, _, names = lazy_loader.attach_stub(package.__name__, str(stub))
    assert sorted(package.__all__) == names
    for name in names:
        assert hasattr(package, name)
