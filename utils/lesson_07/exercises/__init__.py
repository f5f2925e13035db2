"""The exercises of lesson 07, when depth hurts: each in a module that has its answer's name."""

EXERCISES = []
