"""The world of EB-Habitat."""
