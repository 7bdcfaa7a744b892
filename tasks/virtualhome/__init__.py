"""What the suite virtualhome does as published."""
