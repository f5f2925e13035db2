"""The exercises of lesson 02, depth versus width."""

from __future__ import annotations

from utils.exercises.lesson_02_parts.cost import PARAMETERS, WIDEST
from utils.exercises.lesson_02_parts.fair import FAIR
from utils.exercises.lesson_02_parts.flip import BACKWARD, RANK
from utils.exercises.lesson_02_parts.pieces import PIECES
from utils.exercises.lesson_02_parts.sawtooth import SAWTOOTH

EXERCISES = [PARAMETERS, WIDEST, BACKWARD, RANK, SAWTOOTH, PIECES, FAIR]
