"""Worlds that plans can be run in."""
