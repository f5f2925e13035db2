"""Lesson 04, what depth makes of its pieces: its room."""
