"""Subgoals in answers: read, bound to a task, and followed by search in its world."""
