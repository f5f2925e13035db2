"""Builds and checks the notebooks from their sources: ``python -m authoring build|check|new|restamp``."""
