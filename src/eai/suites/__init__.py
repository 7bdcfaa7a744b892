"""Benchmarks that come with the package, each in a folder of its own."""

__all__ = ["DEFAULT", "SAMPLES", "SUITES"]

SUITES = {
    "asgardbench": "eai.suites.asgardbench.suite:AsgardBench",
    "behavior": "eai.suites.behavior:Behavior",
    "household": "eai.suites.household:Household",
    "virtualhome": "eai.suites.virtualhome:VirtualHome",
}
"""Name to where it is; the registry finds them here, so that nobody else can take their names."""

SAMPLES = "household"
"""Name of the suite that needs no data and has sample answers, for examples and as a default."""

DEFAULT = "virtualhome"
"""Name of the suite that is meant in Python where none is named."""
