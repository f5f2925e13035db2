"""What lesson 03's pages use, under one name, and what is said of their figures and predictions."""

from utils.pages import Prediction, Words, register

__all__ = []

FIGURES: dict[str, Words] = {}
PREDICTIONS: dict[str, Prediction] = {}
FIGURES_OF_03A: dict[str, Words] = {}
PREDICTIONS_OF_03A: dict[str, Prediction] = {}
FIGURES_OF_03B: dict[str, Words] = {}
PREDICTIONS_OF_03B: dict[str, Prediction] = {}
register(FIGURES, PREDICTIONS)
register(FIGURES_OF_03A, PREDICTIONS_OF_03A)
register(FIGURES_OF_03B, PREDICTIONS_OF_03B)
