"""The claims of lesson 03, hierarchical features, in the order of the lesson."""

from utils.lesson_03.claims import filters, hierarchy, probing

CLAIMS = [*probing.CLAIMS, *hierarchy.CLAIMS, *filters.CLAIMS]
