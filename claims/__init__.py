"""python -m claims: measures the course's claims again, records them, and checks what is recorded."""


class ClaimsError(Exception):
    """What stops a run, in a sentence for whoever started it."""
