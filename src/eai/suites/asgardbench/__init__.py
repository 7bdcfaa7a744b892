"""AsgardBench: household tasks whose plan has to change with what is seen."""
