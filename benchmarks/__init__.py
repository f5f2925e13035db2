"""Side-by-side figures: python -m benchmarks NAME."""
