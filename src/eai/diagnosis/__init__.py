"""What went wrong: kinds of error, failed steps, unmet goals."""
