"""The tasks of EmbodiedBench: names, numbers and placements."""
