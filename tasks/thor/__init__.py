"""The JSON Schema of files of tasks in AI2-THOR."""
