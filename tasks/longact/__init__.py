"""The episodes of the suite longact, and what they are made from."""
