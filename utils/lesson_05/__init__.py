"""Lesson 05, students, teachers and chaos: its room."""
