"""What trains, fits and counts, in compiled code or by PyTorch; pages call it through the modules above."""
