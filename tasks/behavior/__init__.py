"""What the suite behavior does as published."""
