"""Print each extra that has tests, and its tests, as ``extras.txt`` lists them.

Fails if an extra of pyproject.toml is not listed, or if a test module asks for an extra (with
``package`` or ``extra`` of ``tests/support/needs.py``) for which it is not listed.
"""

import re
import sys
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[1]
ASKED = re.compile(r"""\bpackage\([^()]*\bextra="([\w-]+)"|\bextra\("([\w-]+)",""")


def listed() -> dict[str, list[str]]:
    """Return the words behind the name of each extra."""
    lines = (ROOT / ".ci" / "extras.txt").read_text("utf-8").splitlines()
    rows = [line.split() for line in lines if line.strip() and not line.startswith("#")]
    return {name: words for name, *words in rows}


def declared() -> set[str]:
    """Return the names of the extras of pyproject.toml."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        return set(tomllib.load(file)["project"]["optional-dependencies"])


def asked() -> set[tuple[str, str]]:
    """Return extras and the test modules that ask for them."""
    return {
        (first or second, path.relative_to(ROOT).as_posix())
        for path in (ROOT / "tests").rglob("test_*.py")
        for first, second in ASKED.findall(path.read_text("utf-8"))
    }


def is_listed(module: str, words: list[str]) -> bool:
    """Whether a test module is among the listed tests, or a step has all of them."""
    if words[:1] == ["step"]:
        return True
    listed_paths = {word.partition("::")[0] for word in words}
    return any(module == path or module.startswith(f"{path}/") for path in listed_paths)


def faults(tests: dict[str, list[str]]) -> list[str]:
    """Return what the list lacks."""
    found = [f"extras.txt does not list the extra {name!r}" for name in declared() - tests.keys()]
    found += [f"pyproject.toml has no extra {name!r}" for name in tests.keys() - declared()]
    found += [
        f"extras.txt does not list {module} for the extra {name!r}"
        for name, module in sorted(asked())
        if not is_listed(module, tests.get(name, []))
    ]
    return found


def main() -> int:
    """Print the list or its faults and return the exit status."""
    tests = listed()
    found = faults(tests)
    if found:
        print("\n".join(found), file=sys.stderr)
        return 1
    for name, words in tests.items():
        if words[0] != "step":
            print(name, *words)
    return 0


if __name__ == "__main__":
    sys.exit(main())
