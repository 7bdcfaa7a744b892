"""Planning languages beside ours: their names, the words that show them, and tools that read them.

A text in one of them is refused by its name. Its meaning would change if the part that is not read
were left out, so messages say which tools take the language instead.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Language:
    """A planning language that is not read here.

    Args:
        name: Its name.
        tools: Programs that take it, as an advice.
    """

    name: str
    tools: str


TEMPORAL = Language(
    "temporal PDDL (2.1 and 2.2)",
    "VAL and Kairos validate such plans; OPTIC, Temporal Fast Downward and Kairos find them",
)
CONSTRAINED = Language(
    "PDDL 3 (preferences and trajectory constraints)",
    "preferences stand below 'and' and 'forall', in goals, preconditions and (:constraints ...), "
    "where VAL and Kairos read them, too; modes such as 'always' stand in (:constraints ...)",
)
OBJECT_FLUENTS = Language("PDDL 3.1 with object fluents", "Temporal Fast Downward plans with it")
PROBABILISTIC = Language("PPDDL, probabilistic planning", "PDDLGym and MDPSim simulate it")
NONDETERMINISTIC = Language(
    "nondeterministic planning (FOND)", "PRP and MyND find policies for such domains"
)
PARTIAL = Language(
    "planning under partial observability (conformant and contingent PDDL)",
    "Contingent-FF, CLG and POND plan with it",
)
MULTI_AGENT = Language("MA-PDDL, planning for several agents", "FMAP and MAPlan plan with it")
HYBRID = Language("PDDL+", "VAL validates such plans; ENHSP and UPMurphi find them")
HIERARCHICAL = Language(
    "HDDL, hierarchical planning", "PANDA plans with it, and its parser validates such plans"
)
RELATIONAL = Language(
    "RDDL, relational dynamic influence diagrams", "pyRDDLGym simulates it; PROST and JaxPlan plan"
)
EARLY = Language(
    "PDDL 1.2 of 1998",
    "later versions say it otherwise: derived predicates as (:derived ...), facts in :init, "
    "variables in :parameters",
)

HEADS: dict[str, tuple[str, Language]] = {
    **dict.fromkeys(("at-start", "at-end", "over-all"), ("conditions with times", TEMPORAL)),
    "preference": ("preferences", CONSTRAINED),
    **dict.fromkeys(
        (
            *("always", "sometime", "within", "at-most-once", "sometime-after"),
            *("sometime-before", "hold-during", "hold-after", "always-within"),
        ),
        ("trajectory constraints", CONSTRAINED),
    ),
    "probabilistic": ("effects with several possible outcomes", PROBABILISTIC),
    "oneof": ("effects with several possible outcomes", NONDETERMINISTIC),
}
"""First words of conditions and effects of other languages: a description, and the language."""

FACTS: dict[str, tuple[str, Language]] = {
    **dict.fromkeys(("oneof", "or", "unknown"), ("facts that are not known", PARTIAL)),
    "probabilistic": ("facts with a probability", PROBABILISTIC),
}
"""First words of facts about facts in other languages: a description, and the language."""

SECTIONS: dict[str, tuple[str, Language]] = {
    ":duration": ("durations", TEMPORAL),
    ":condition": ("conditions of durative actions", TEMPORAL),
    ":preferences": ("preferences", CONSTRAINED),
    **dict.fromkeys((":observe", ":sense"), ("observations", PARTIAL)),
    ":agent": ("agents of actions", MULTI_AGENT),
    **dict.fromkeys((":process", ":event"), ("processes and events", HYBRID)),
    **dict.fromkeys((":task", ":tasks"), ("tasks", HIERARCHICAL)),
    ":method": ("methods", HIERARCHICAL),
    ":htn": ("task networks", HIERARCHICAL),
    **dict.fromkeys(
        (
            *(":subtasks", ":ordered-subtasks", ":ordered-tasks", ":ordering"),
            *(":initialtaskname", ":tasknetwork"),
        ),
        ("subtasks", HIERARCHICAL),
    ),
    **dict.fromkeys((":goal-reward", ":rewards"), ("rewards", PROBABILISTIC)),
    **dict.fromkeys(
        (":length", ":situation", ":extends", ":axiom", ":safety", ":timeless", ":vars"),
        ("old sections", EARLY),
    ),
}
"""Sections, and parts of actions, of other languages: a description, and the language."""

OWN_REQUIREMENTS = frozenset(
    {
        *("strips", "typing", "equality", "adl", "ucpop", "conditional-effects"),
        *("negative-preconditions", "disjunctive-preconditions", "quantified-preconditions"),
        *("existential-preconditions", "universal-preconditions", "derived-predicates"),
        *("fluents", "numeric-fluents", "action-costs", "durative-actions"),
        *("duration-inequalities", "timed-initial-literals", "timed-effects"),
        *("preferences", "constraints", "goal-utilities"),
        # Keys of 1998 that nothing follows from here.
        *("domain-axioms", "safety-constraints", "open-world", "true-negation"),
        *("expression-evaluation", "subgoal-through-axioms"),
    }
)
"""Requirement keys, without their colons, of what is read here."""

REQUIREMENTS: dict[str, Language] = {
    **dict.fromkeys(
        (
            *("hierarchy", "hierachie", "hierarchie", "htn", "method-preconditions"),
            *("htn-method-prec", "action-expansions", "dag-expansions", "foreach-expansions"),
        ),
        HIERARCHICAL,
    ),
    **dict.fromkeys(("probabilistic-effects", "rewards", "mdp"), PROBABILISTIC),
    **dict.fromkeys(("non-deterministic", "nondeterministic", "fond"), NONDETERMINISTIC),
    **dict.fromkeys(("contingent", "conformant", "partial-observability"), PARTIAL),
    **dict.fromkeys(("time", "continuous-effects", "processes", "events"), HYBRID),
    "object-fluents": OBJECT_FLUENTS,
    **dict.fromkeys(
        ("multi-agent", "agents", "unfactored-privacy", "factored-privacy"), MULTI_AGENT
    ),
}
"""Requirement keys of other languages, which name the language best."""
