"""The world of RoboBench: its skills, and what names mean."""
