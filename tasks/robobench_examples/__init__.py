"""Worked examples of RoboBench, and items of our own."""
