"""Transition modeling: operators compared by how they are written and by what they do."""
