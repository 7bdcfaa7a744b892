"""Files that come with the package: grammars, domains, tasks."""
