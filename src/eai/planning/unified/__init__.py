"""Interchange with unified-planning, and its engines behind our interface."""
