"""The suite RoboBench: what its release has, its published results, its quirks."""
