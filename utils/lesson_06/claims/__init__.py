"""The claims of lesson 06, initialization, in the order of the lesson."""

from utils.lesson_06.claims import edge, gains, path, zoo

CLAIMS = [*gains.CLAIMS, *path.CLAIMS, *zoo.CLAIMS, *edge.CLAIMS]
