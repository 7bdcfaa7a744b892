"""Suites: benchmarks with their tasks, simulators and ways of scoring."""
