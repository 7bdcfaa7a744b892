from .suite import SafeAgentBench as SafeAgentBench
