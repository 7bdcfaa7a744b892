"""Docstrings: what they say of parameters is about parameters that there are."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from typing import Any

import pytest
from needs import OPTIONAL_PACKAGE

import eai
from eai.errors import MissingExtraError

_ENTRY = re.compile(r"\*{0,2}(\w+)(?:, \*{0,2}\w+)*:(?: |$)")


def documented(doc: str) -> list[str]:
    """Return the first words of the entries of the section on arguments, as Sphinx reads them.

    An entry is a line that is indented less than the lines that go on.
    """
    found: list[str] = []
    inside = False
    for line in doc.splitlines():
        if line == "Args:":
            inside = True
        elif inside and line and not line.startswith(" "):
            break
        elif inside and re.match(r" {4}\S", line):
            found.append(line.strip())
    return found


def _modules() -> Iterator[str]:
    for module in pkgutil.walk_packages(eai.__path__, "eai."):
        if not module.name.startswith("eai.data") and not module.name.endswith("__main__"):
            yield module.name


def _described(name: str) -> Iterator[tuple[str, Any]]:
    """Yield the classes, functions and methods that a module defines."""
    module = importlib.import_module(name)
    for key, value in vars(module).items():
        if getattr(value, "__module__", None) != name:
            continue
        if inspect.isclass(value):
            yield key, value
            for method, each in vars(value).items():
                function = getattr(each, "__func__", each)
                if inspect.isfunction(function):
                    yield f"{key}.{method}", function
        elif inspect.isfunction(inspect.unwrap(value)):
            yield key, value


@pytest.mark.heavy
@pytest.mark.parametrize("name", list(_modules()))
def test_every_documented_argument_is_a_parameter(name: str) -> None:
    try:
        described = list(_described(name))
    except (ImportError, MissingExtraError):
        pytest.skip(OPTIONAL_PACKAGE)
    wrong = []
    for key, value in described:
        entries = documented(inspect.getdoc(value) or "")
        if not entries:
            continue
        parameters = inspect.signature(value).parameters
        for entry in entries:
            match = _ENTRY.match(entry)
            if match is None or match[1] not in parameters:
                wrong.append(f"{key}: {entry}")
    assert wrong == []
