"""Lesson 06, initialization: its room."""
