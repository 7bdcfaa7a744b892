"""Table 3 of the paper on the Embodied Agent Interface (arXiv 2410.07166): all four abilities.

Its average (section D.5) is the mean over the abilities: F1 of goal interpretation, task success
rates of action sequencing and subgoal decomposition, and for transition modeling the mean of F1 and
the planner's success rate.
"""

from __future__ import annotations

from eai.report import RunColumn, RunTable

TABLE_3 = RunTable(
    "Table 3 of the paper on the Embodied Agent Interface",
    (
        RunColumn("goal_interpretation", "overall_f1", "Goal Int.", "F1", 1.0),
        RunColumn("action_sequencing", "task_success_rate", "Action Seq.", "Task SR", 1.0),
        RunColumn("action_sequencing", "execution_success_rate", "Action Seq.", "Exec. SR"),
        RunColumn("subgoal_decomposition", "task_success_rate", "Subgoal Dec.", "Task SR", 1.0),
        RunColumn("subgoal_decomposition", "execution_success_rate", "Subgoal Dec.", "Exec. SR"),
        RunColumn("transition_modeling", "overall_f1", "Transition M.", "F1", 0.5),
        RunColumn("transition_modeling", "planner_overall", "Transition M.", "Planner SR", 0.5),
    ),
)
