"""Lesson 03, what each layer does: its room."""
