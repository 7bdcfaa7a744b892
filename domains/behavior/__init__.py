"""The symbolic BEHAVIOR world."""
