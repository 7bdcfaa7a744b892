"""The facts of SafeAgentBench that ship: tasks, rules, quirks, explained reference plans."""
