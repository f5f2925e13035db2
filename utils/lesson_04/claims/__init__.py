"""The claims of lesson 04, depth efficiency, in the order of the lesson."""

from utils.lesson_04.claims import counting, returning

CLAIMS = [*counting.CLAIMS, *returning.CLAIMS]
