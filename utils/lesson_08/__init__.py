"""Lesson 08: what it measures, draws, claims, asks, and lets its readers move."""
