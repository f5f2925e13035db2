"""Short film reviews with negation, made by a grammar: a text task in which no word tells the class alone.

    review     → clause "and" clause | clause "but" clause | "although" clause "," clause
    clause     → [frame] "the" subject verb [negation] [adverb] adjective
    frame      → "i would not say that" | …          (turns the clause into its opposite)
    negation   → "not" | …                           (turns the adjective into its opposite)

The class is what the last clause says: "and" joins two of one meaning, "but" and "although" oppose two. Each
clause has either kind of negation with probability ½, so that no word by itself depends on the class.
"""

import torch
from torch import Tensor

from utils.checks import random_generator, whole_number

PADDING = "·"
SUBJECTS = ("film", "plot", "acting", "ending", "music", "dialogue", "camera work", "cast", "pace", "humour")
VERBS = ("was", "seemed", "felt", "looked")
ADVERBS = ("", "really", "truly", "rather", "so")
NEGATIONS = ("not", "never", "hardly")
FRAMES = ("i would not say that", "nobody could claim that", "i doubt that")
ADJECTIVES = {
    1: ("good", "brilliant", "moving", "clever", "funny", "fresh", "lovely", "gripping"),
    0: ("bad", "dull", "clumsy", "silly", "boring", "stale", "awful", "tedious"),
}
CONNECTIVES = ("and", "but", "although")
WORDS = (
    PADDING,
    *sorted(
        {
            word
            for phrases in (SUBJECTS, VERBS, ADVERBS, NEGATIONS, FRAMES, *ADJECTIVES.values(), CONNECTIVES)
            for phrase in phrases
            for word in phrase.split()
        }
        | {"the", ","}
    ),
)
MAX_LENGTH = 2 * 12 + 2  # two clauses of at most 12 words, a connective and a comma

_NUMBER_OF = {word: number for number, word in enumerate(WORDS)}


def reviews(n: int, *, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Return reviews as numbers of words: X int64 [n, MAX_LENGTH], y int64 [n], 0 (against) and 1 (for) in turn.

    Number i stands for WORDS[i]; 0 is padding, on the left, so that a network ends with the last word.
    Raises TypeError or ValueError that names the argument at fault.
    """
    random_generator("generator", generator)
    y = torch.arange(whole_number("n", n)) % 2
    rows = [encode(_review(label, generator)) for label in y.tolist()]
    return torch.stack(rows), y


def encode(text: str, length: int = MAX_LENGTH) -> Tensor:
    """Return the numbers of a text's words, int64 [length], padded on the left. ValueError for an unknown word."""
    words = text.split()
    unknown = [word for word in words if word not in _NUMBER_OF]
    if unknown:
        raise ValueError(f"text has {unknown[0]!r}: wanted the words of WORDS, separated by spaces")
    if len(words) > length:
        raise ValueError(f"text has {len(words)} words: wanted at most {length}")
    return torch.tensor([0] * (length - len(words)) + [_NUMBER_OF[word] for word in words])


def decode(numbers: Tensor) -> str:
    """Return the text of one row of X, without its padding."""
    return " ".join(WORDS[number] for number in numbers.tolist() if number != 0)


def _review(label: int, generator: torch.Generator) -> str:
    connective = _pick(CONNECTIVES, generator)
    other = label if connective == "and" else 1 - label
    conceded, decisive = _clause(other, generator), _clause(label, generator)
    if connective == "although":
        return f"although {conceded} , {decisive}"
    return f"{conceded} {connective} {decisive}"


def _clause(meaning: int, generator: torch.Generator) -> str:
    framed, negated = torch.randint(2, (2,), generator=generator).tolist()
    parts = (
        _pick(FRAMES, generator) if framed else "",
        "the",
        _pick(SUBJECTS, generator),
        _pick(VERBS, generator),
        _pick(NEGATIONS, generator) if negated else "",
        _pick(ADVERBS, generator),
        _pick(ADJECTIVES[(meaning + framed + negated) % 2], generator),
    )
    return " ".join(part for part in parts if part)


def _pick(options: tuple[str, ...], generator: torch.Generator) -> str:
    return options[torch.randint(len(options), (), generator=generator).item()]
