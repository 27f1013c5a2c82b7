"""The views: thin; each asks a selector or a service."""
