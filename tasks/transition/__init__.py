"""What transition modeling does as published."""
