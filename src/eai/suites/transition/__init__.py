"""Transition modeling: operators that a model wrote, read, counted and tried out."""
