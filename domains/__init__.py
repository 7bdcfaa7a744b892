"""Planning domains that come with the package."""
