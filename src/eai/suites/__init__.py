"""Benchmarks that come with the package, each in a folder of its own."""

__all__ = ["DEFAULT", "LAYOUTS", "ROWS", "SAMPLES", "SCHEMES", "SUITES"]

SUITES = {
    "asgardbench": "eai.suites.asgardbench.suite:AsgardBench",
    "behavior": "eai.suites.behavior:Behavior",
    "eb-alfred": "eai.suites.embodiedbench.suite:EBAlfred",
    "eb-habitat": "eai.suites.embodiedbench.suite:EBHabitat",
    "eb-manipulation": "eai.suites.embodiedbench.suite:EBManipulation",
    "eb-navigation": "eai.suites.embodiedbench.suite:EBNavigation",
    "household": "eai.suites.household:Household",
    "longact": "eai.suites.longact.suite:LongAct",
    "robobench": "eai.suites.robobench.suite:RoboBench",
    "robobench-examples": "eai.suites.robobench.suite:RoboBenchExamples",
    "virtualhome": "eai.suites.virtualhome:VirtualHome",
}
"""Name to where it is; the registry finds them here, so that nobody else can take their names."""

SCHEMES = {"pddl": "eai.suites.pddl:Pddl", "thor": "eai.suites.thor:ThorTasks"}
"""What stands before a colon to where it is; what stands behind names a folder or a file."""

SAMPLES = "household"
"""Name of the suite that needs no data and has sample answers, for examples and as a default."""

DEFAULT = "virtualhome"
"""Name of the suite that is meant in Python where none is named."""

LAYOUTS = ("eai.suites.embodiedbench.runs", "eai.suites.asgardbench.runs")
"""Modules that read what published evaluators leave: ``holds_runs`` of a path says whether this is
theirs, ``run_episodes`` yields its episodes."""

ROWS: tuple[dict[str, str], ...] = (
    {
        "name": "PlanBench results",
        "marks": "instance_id llm_raw_response|extracted_llm_plan",
        "output": "llm_raw_response",
        "id": "instance_id",
        "kind": "silent",
    },
)
"""Layouts of the rows in files of benchmarks (:class:`eai.predictions.layouts.Layout`)."""
