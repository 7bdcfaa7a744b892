"""Grammars, as data."""
