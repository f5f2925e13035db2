"""Lesson 01, universal approximation: what it measures, draws, claims, asks, and lets its readers move."""
