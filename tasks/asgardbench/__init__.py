"""The instances of AsgardBench."""
