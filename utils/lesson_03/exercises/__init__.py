"""The exercises of lesson 03, in the order of the notebook."""

EXERCISES = []
