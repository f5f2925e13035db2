"""What people read and fill in: the table to be marked by hand, the grades, the pages."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from grading import export, final_scores, readers
from grading.by_hand import FILE, ByHand
from grading.final_scores import FinalScore, ScoringRules
from grading.gradebook import Gradebook
from grading.platforms import PlatformFiles
from grading.pseudonyms import by_id, by_name


class Reports:
    """The files in ``folder`` that people read and fill in, made from what the gradebook holds."""

    def __init__(
        self,
        folder: Path,
        gradebook: Gradebook,
        rules: ScoringRules,
        *,
        anonymous: bool = False,
        platform: PlatformFiles | None = None,
    ) -> None:
        self.naming = by_id(folder) if anonymous else by_name
        self._folder = folder
        self._gradebook = gradebook
        self._rules = rules
        self._platform = platform
        self._by_hand = ByHand(folder, gradebook, self.naming)
        self._new = 0

    def take_in(self) -> None:
        """Store what was filled in by hand; raises GradingError for what cannot be understood."""
        self._new = self._by_hand.take_in()

    def write(self) -> list[str]:
        """Write everything, and return the lines to be printed about it."""
        waiting, backup = self._by_hand.write(self._scores())
        read = readers.of_class(self._gradebook.readers())
        export.write(self._folder, self._scores(), self.naming, self._rules.lateness, read, self._platform)
        lines = self._lines()
        lines += [f"Read in from {FILE}: {self._new} marked by hand."] if self._new else []
        if backup:
            lines.append(f"{FILE} held more than is known here, so it is kept as {self._folder / backup}.")
        if waiting:
            lines.append(
                f"{waiting} free text{'s wait' if waiting > 1 else ' waits'} for points in "
                f"{self._folder / FILE}. Fill them in, and run the same command again."
            )
        return lines + (self._platform.lines(self._folder, self.naming) if self._platform else [])

    def _lines(self) -> list[str]:
        """Return what each lesson is worth, and of whom nobody knows whether they are late."""
        worth: dict[str, float | None] = {}
        counts: Counter[str] = Counter()
        unknown: Counter[str] = Counter()
        for score in itertools.chain.from_iterable(self._scores()):
            lesson = score.mark.lesson
            worth[lesson] = worth.get(lesson) or score.mark.max_score
            counts[lesson] += 1
            unknown[lesson] += score.days_late is None and self._rules.lateness.of(lesson).due is not None
        lines = [f"Lesson {lesson} is worth {points:g} points." for lesson, points in sorted(worth.items()) if points]
        lines += [
            f"Lesson {lesson}: it is not known when {unknown[lesson]} of {count} were handed in, so they count as on "
            "time. Give the times with --times."
            for lesson, count in sorted(counts.items())
            if lesson and unknown[lesson]
        ]
        return lines

    def _scores(self) -> Iterator[list[FinalScore]]:
        return final_scores.final_scores(self._gradebook, self._rules)
