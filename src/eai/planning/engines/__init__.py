"""Planners of others behind one interface: each runs as a process of its own, within limits."""
