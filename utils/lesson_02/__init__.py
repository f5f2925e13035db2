"""What lesson 02 measures, draws and lets its readers move."""
