"""Lesson 07: what it measures, draws, claims, asks, and lets its readers move."""
