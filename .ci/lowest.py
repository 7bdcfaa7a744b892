"""Print the lowest versions that pyproject.toml allows, as constraints for pip.

Run as ``lowest.py package EXTRA...``: the package's own requirements (only with the word
``package``) and those of these extras. A requirement without a lower bound is an error.
"""

import re
import sys
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[1]
REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)(\[[^]]*\])?\s*(>=|==)\s*(?P<version>[\w.]+)")


def lowest(requirement: str) -> str:
    """Return ``name==version`` with the lower bound of a requirement."""
    match = REQUIREMENT.match(requirement)
    if match is None:
        sys.exit(f"pyproject.toml: {requirement!r} has no lower bound")
    return f"{match['name']}=={match['version']}"


def main(names: list[str]) -> None:
    """Print the constraints."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    groups = {**project["optional-dependencies"], "package": project["dependencies"]}
    print("\n".join(lowest(each) for name in names for each in groups[name]))


if __name__ == "__main__":
    main(sys.argv[1:])
