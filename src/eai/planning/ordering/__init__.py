"""Orders of the steps of a plan: who needs what from whom, and which orders that leaves."""
