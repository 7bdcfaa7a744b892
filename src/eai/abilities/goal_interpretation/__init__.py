"""Goal interpretation: the goals of an answer are compared with the task's (paper, section 2.3)."""
