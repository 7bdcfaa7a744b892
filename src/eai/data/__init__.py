"""Files that come with the package: grammars, domains, tasks."""

from pathlib import Path

_HERE = Path(__file__).parent
if not (_HERE / "domains").is_dir():  # in a checkout they are its own, whichever is installed
    __path__.append(str(_HERE.parents[2]))
