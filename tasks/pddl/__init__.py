"""What the suite pddl asks, and what the published validator does."""
