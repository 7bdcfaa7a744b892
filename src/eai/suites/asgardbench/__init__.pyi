from .suite import AsgardBench as AsgardBench
