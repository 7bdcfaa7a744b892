"""The symbolic VirtualHome world."""
