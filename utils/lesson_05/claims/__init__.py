"""The claims of lesson 05, students, teachers and chaos, in the order of the lesson."""

from utils.lesson_05.claims import students, teachers, theory

CLAIMS = [*theory.CLAIMS, *teachers.CLAIMS, *students.CLAIMS]
