"""Claims: the course's empirical sentences, each with the code that measures it and what would refute it.

A lesson's claims are defined in its room's ``claims``; what ``make claims RECORD=yes`` measured is in ``results/``.
Importing the package loads neither torch nor any lesson's claims.
"""

from utils.claims.definition import Claim, UnknownClaim, find, lessons_with_claims, load_claims
from utils.claims.experiment import Experiment, experiment
from utils.claims.records import NoRecord, recorded
from utils.claims.showing import claimed

__all__ = [
    "Claim",
    "Experiment",
    "NoRecord",
    "UnknownClaim",
    "claimed",
    "experiment",
    "find",
    "lessons_with_claims",
    "load_claims",
    "recorded",
]
