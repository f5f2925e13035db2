"""The claims of lesson 03, hierarchical features, in the order of the lesson."""

CLAIMS = []
