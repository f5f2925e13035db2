"""Lesson 02, depth versus width: what it measures, draws, claims, asks, and lets its readers move."""
